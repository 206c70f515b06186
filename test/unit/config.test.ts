import { readFileSync } from 'node:fs';
import { checkNode, fromFlags } from '../../src/config/index.js';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { engines: { node: string } };

describe('the version of Node.js', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('%s is new enough', (version) => expect(() => checkNode(version)).not.toThrow());

  test.each(['18.20.8', '20.18.3'])('%s is rejected with the required version', (version) =>
    expect(() => checkNode(version)).toThrow(`Node.js 20.19 or later is required; this is ${version}`),
  );

  test('matches the package', () => expect(engines.node).toBe('>=20.19.0'));
});

describe('--now', () => {
  test.each(['2026-06-15T12:00:00Z', '2024-02-29', '2026-12-31T23:59:59+14:00'])('%s is a time', (now) =>
    expect(fromFlags(['--now', now])).toEqual({ now }),
  );

  test.each(['soon', '', '2026-02-30', '2026-02-29T12:00:00Z', '2026-13-01', '2026-00-10'])('%j is not a time', (now) =>
    expect(() => fromFlags(['--now', now])).toThrow('--now must be a time such as 2026-06-15T12:00:00Z'),
  );
});
