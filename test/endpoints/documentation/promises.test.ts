import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(path.join(ROOT, 'docs/promises.md'), 'utf8');

/** References of the form `path`: part of a title. */
const named = [...text.matchAll(/`(test\/[\w./-]+\.test\.ts)`: ([^|]+?)\s*(?=<br>|\|)/g)].map(([, file, title]) => [file, title] as const);

test('each promise names a test', () => {
  const promises = text.split('\n').filter((line) => line.startsWith('| **'));
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((line) => !/`test\/[\w./-]+\.test\.ts`: /.test(line))).toEqual([]);
});

test.each(named)('%s has a test "%s"', (file, title) => {
  expect(existsSync(path.join(ROOT, file))).toBe(true);
  const lines = readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .filter((line) => /['`].*['`]/.test(line) && !/^\s*(?:\/\/|\*)/.test(line));
  expect(lines.filter((line) => line.includes(title))).not.toEqual([]);
});
