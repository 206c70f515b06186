import path from 'node:path';
test('x', () => { expect(path.basename(import.meta.url)).toBe('smoke.test.ts'); });
