import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfigFile } from '../../../../src/server/config/file.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { problemsOf } from '../../../../src/transfer/validate.js';
import { CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import { isTooDeep, MAX_LEVELS, parseSentJson } from '../../../../src/base/values/nesting.js';

/** Files that are nested too deeply get an error with its place, in every format. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-nesting-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function problemsIn(name: string, text: string): Promise<string[]> {
  const file = write(name, text);
  const problems = await problemsOf([{ name: file, open: () => openFile(inputFile(file), { now: null }) }]);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const TOO_DEEP = 'nested too deeply: more than 512 levels';

/** By format: a file with as many levels, and where it has one too many. */
const FILES: Readonly<Record<string, { text: (levels: number) => string; at: string }>> = {
  json: { text: (levels) => `{"events": [],\n "site": ${lists(levels - 1)}}`, at: '2:521' },
  yaml: { text: (levels) => `events: []\nsite: ${lists(levels - 1)}\n`, at: '2:518' },
  site: { text: (levels) => `{"posts": [],\n "options": ${lists(levels - 1)}}`, at: '2:524' },
  har: { text: (levels) => `{"log": {"entries": []},\n "x": ${lists(levels - 1)}}`, at: '2:518' },
  ndjson: { text: (levels) => `{"understudy":"dataset","version":1}\n{"post":${lists(levels - 1)}}\n{"end":0}\n`, at: '2:520' },
};

test('each format that nests has a row', () => {
  // The others have rows, or lines; exports of WordPress have a separate limit.
  expect(CONTENT_FORMATS.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(FILES).map((name) => (name === 'har' ? 'responses' : name)), 'csv', 'ics', 'wxr'].toSorted(),
  );
});

test.each(Object.entries(FILES))('%s', async (name, { text, at }) => {
  expect(await problemsIn(`deep.${name === 'site' ? 'site.json' : name}`, text(MAX_LEVELS + 100))).toEqual([
    expect.stringMatching(new RegExp(`^${at} invalid (JSON|YAML): ${TOO_DEEP}`)),
  ]);
  // One level less is another problem, if any.
  expect((await problemsIn(`deep.${name === 'site' ? 'site.json' : name}`, text(MAX_LEVELS))).join('\n')).not.toContain(TOO_DEEP);
});

test('YAML in blocks, and through aliases', async () => {
  expect(await problemsIn('blocks.yaml', `${'- '.repeat(MAX_LEVELS + 10)}a\n`)).toEqual([`1:1025 invalid YAML: ${TOO_DEEP}`]);
  const steps = Array.from({ length: 9 }, (_, index) => `${'['.repeat(60)}*a${index}${']'.repeat(60)}`);
  const aliases = ['x0: &a0 1', ...steps.map((step, index) => `x${index + 1}: &a${index + 1} ${step}`)].join('\n');
  expect(await problemsIn('aliases.yaml', aliases)).toEqual([`1:1 invalid YAML: ${TOO_DEEP}`]);
});

test('the file of a stub', async () => {
  write('stubs/deep.json', lists(MAX_LEVELS + 1));
  const text = JSON.stringify({ stubs: [{ match: { path: '/x' }, respond: { file: 'deep.json' } }] });
  expect((await problemsIn('stubs.json', text)).join()).toContain(`deep.json is not JSON: ${TOO_DEEP}`);
});

test('a configuration file', async () => {
  const file = write('understudy.config.json', `{\n"dataset": ${lists(MAX_LEVELS)}}`);
  await expect(readConfigFile(file)).rejects.toThrow(`:2:523: invalid JSON: ${TOO_DEEP}`);
});

test('brackets in strings do not count', () => {
  const text = JSON.stringify({ a: `"${'['.repeat(600)}`, b: '{'.repeat(600) });
  expect(parseSentJson(text)).toEqual(JSON.parse(text));
  expect(() => parseSentJson(`["\\\\", "[[\\"[", ${lists(MAX_LEVELS)}]`)).toThrow(expect.objectContaining({ line: 1, column: 528 }));
});

test('a value that contains itself is too deep, and one that is shared is not', () => {
  const own: unknown[] = [];
  own.push([own]);
  expect(isTooDeep(own)).toBe(true);
  // 2^100 values, if each were visited where it is mentioned.
  let shared: unknown = [];
  for (let level = 0; level < 100; level += 1) shared = [shared, shared];
  expect(isTooDeep(shared)).toBe(false);
  expect([MAX_LEVELS, MAX_LEVELS + 1].map((levels) => isTooDeep(JSON.parse(lists(levels))))).toEqual([false, true]);
});
