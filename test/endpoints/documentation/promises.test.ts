import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(path.join(ROOT, 'docs/promises.md'), 'utf8');

/** The part of a page from one heading to another. */
function between(page: string, start: string, end: string): string {
  const from = page.indexOf(`\n${start}\n`);
  expect(from).toBeGreaterThan(0);
  return page.slice(from, page.indexOf(`\n${end}\n`, from));
}

interface Named {
  number: string;
  file: string;
  title: string;
}

/** The tests of a page that refers to them by number, such as [7]. */
const testsOf = (page: string): Named[] =>
  [...between(`${page}\n## \n`, '## Tests', '## ').matchAll(/^(\d+)\. `(test\/[\w./-]+\.test\.ts)`: (.+)$/gm)].map(
    ([, number, file, title]) => ({ number, file, title }),
  );
const usedIn = (page: string): string[] => [...new Set([...page.matchAll(/\[(\d+)\]/g)].map(([, number]) => number))].toSorted();
const numbersOf = (tests: readonly Named[]): string[] => tests.map(({ number }) => number).toSorted();

const named = testsOf(text);

test('each promise names a test, and each test is named', () => {
  const section = between(text, '## Promises', '## Limits');
  const promises = section.split(/\n(?=- )/).filter((line) => line.startsWith('- **'));
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((line) => !/\[\d+\]/.test(line))).toEqual([]);
  expect(usedIn(section)).toEqual(numbersOf(named));
});

const security = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8');
const numbered = testsOf(security);

test('each row and each paragraph of SECURITY.md about what is defended names a test, and each test is named', () => {
  const defended = between(security, '## Attackers', '## What is not defended').replace(/<!-- access[\s\S]*end of access -->/, '');
  const rows = defended.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:---|They can|It can|What a|Part of)/.test(line));
  const paragraphs = defended
    .slice(defended.indexOf('## Mechanisms'))
    .split(/\n\n+|\n(?=- )/)
    // Each item of a list has its own.
    .filter((each) => /^[^\s#|].*[^:]$/s.test(each.trim()));
  expect([rows.length, paragraphs.length].map((count) => count > 12)).toEqual([true, true]);
  expect([...rows, ...paragraphs].filter((each) => !/\[\d+\]/.test(each))).toEqual([]);
  expect(usedIn(defended)).toEqual(numbersOf(numbered));
});

test.each([...named, ...numbered].map(({ file, title }) => [file, title]))('%s has a test "%s"', (file, title) => {
  expect(existsSync(path.join(ROOT, file))).toBe(true);
  const lines = readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .filter((line) => /['`].*['`]/.test(line) && !/^\s*(?:\/\/|\*)/.test(line));
  expect(lines.filter((line) => line.includes(title))).not.toEqual([]);
});
