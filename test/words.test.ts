import { readdirSync } from 'node:fs';
import { read } from './support/documents.js';

/**
 * A comment begins with a noun or a verb: it says what a thing is or does. These words begin a phrase without one. A sample after a colon
 * is exempt.
 */
const BEGINNING = /(?:^|[^:])(?:\/\*\*?\s*(?:\n\s*\*\s*)?|^\s*\/\/ )(What|Of|Those|As|The ones?)\b/gm;

const isContinued = (lines: readonly string[], index: number): boolean => /^\s*\/\/ /.test(lines[index - 1] ?? '');

/** The comments of a source that begin with such a word, as `line: word`. */
function vague(source: string): string[] {
  const lines = source.split('\n');
  return [...source.matchAll(BEGINNING)].flatMap(({ 0: text, 1: word, index }) => {
    const line = source.slice(0, index + text.length).split('\n').length;
    return text.includes('//') && isContinued(lines, line - 1) ? [] : [`${line}: ${word}`];
  });
}

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.m?[jt]s$/.test(name));

test.each(['src', 'scripts', 'bench'])('comments in %s begin with a noun or a verb', (folder) => {
  const files = filesIn(folder);
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => vague(read(file)).map((found) => `${file}:${found}`))).toEqual([]);
});

test('finds the beginning of a comment, and no line within one', () => {
  const source = [
    '/** What it does. */',
    '/**',
    ' * Those of others.',
    ' */',
    '// As sent.',
    '// A comment, and',
    '// As its second line.',
    "const a = 'http://What';",
    '/** Names of what it does. */',
    '  // The ones of today.',
  ].join('\n');
  expect(vague(source)).toEqual(['1: What', '3: Those', '5: As', '10: The ones']);
});
