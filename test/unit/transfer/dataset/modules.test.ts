import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openModule } from '../../../../src/transfer/formats/dataset/module.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import type { ReadOptions } from '../../../../src/transfer/formats/format.js';
import { type SourcePlace, DatasetError } from '../../../../src/transfer/source.js';
import { folder, NOW } from './read.js';

/** Writes the files of a module. @returns the path of the first one */
function write(files: Record<string, string>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return path.join(folder, Object.keys(files)[0]);
}

async function titlesOf(file: string, options: Partial<ReadOptions> = {}): Promise<string[]> {
  const titles: string[] = [];
  const source = await openFile(inputFile(file), { now: NOW, ...options });
  const fail = (message: string, at?: SourcePlace): never => {
    throw new DatasetError(source.name, [{ ...at, message }]);
  };
  for await (const item of source.items(fail))
    if (item.kind === 'post' && item.post.type === 'tribe_events') titles.push(`${item.post.title} ${startOf(item.post.meta)}`);
  return titles;
}

const startOf = (meta: readonly { key: string; value: string }[]): string => meta.find(({ key }) => key === '_EventStartDate')?.value ?? '';

const problemOf = (file: string): Promise<string> =>
  titlesOf(file).then(
    () => 'none',
    (error: unknown) => (error instanceof DatasetError ? error.message.replaceAll(folder + path.sep, '') : `another: ${String(error)}`),
  );

const EVENT = `{ title: 'A', start: '2026-08-01 19:30', duration: '2h' }`;
const A = ['A 2026-08-01 19:30:00'];

test.each<[name: string, content: string]>([
  ['object.ts', `const title: string = 'A'; export default { events: [{ ...${EVENT}, title }] } satisfies object;`],
  ['object.mts', `export default { events: [${EVENT}] };`],
  ['object.cts', `const events = [${EVENT}]; export = { events };`],
  ['object.js', `export default { events: [${EVENT}] };`],
  ['object.mjs', `export default { events: [${EVENT}] };`],
  ['object.cjs', `module.exports = { events: [${EVENT}] };`],
  ['function.ts', `export default () => ({ events: [${EVENT}] });`],
  ['function.cjs', `module.exports = () => ({ events: [${EVENT}] });`],
  ['asynchronous.ts', `export default async () => ({ events: await Promise.resolve([${EVENT}]) });`],
  ['promise.mjs', `const events = await Promise.resolve([${EVENT}]); export default { events };`],
  ['undefined.ts', `export default { site: undefined, events: [{ ...${EVENT}, cost: undefined }] };`],
])('reads %s', async (name, content) => {
  expect(await titlesOf(write({ [name]: content }))).toEqual(A);
});

test.each([
  ['never-awaited.mjs', 'await new Promise(() => {}); export default {};'],
  ['never-exported.mjs', 'export default new Promise(() => {});'],
  ['never-returned.mjs', 'export default () => new Promise(() => {});'],
])('%s is an error after a while', async (name, content) => {
  const opened = openModule(inputFile(write({ [name]: content })), { now: NOW }, 1);
  await expect(opened).rejects.toThrow(`${name}: cannot be run: it has not finished after 0.001 seconds`);
});

test('a function as a value is an error', async () => {
  const file = write({ 'value.ts': `export default { events: [{ ...${EVENT}, description: () => 'x' }] };` });
  expect(await problemOf(file)).toBe(
    'value.ts: it exports something that JSON cannot contain: "description" is a function. Call it, or write its value',
  );
});

test('a function gets the time that relative dates refer to, each time the dataset is read', async () => {
  const file = write({
    'clock.ts': `import type { DatasetFunction } from 'wp-understudy';
      const calendar: DatasetFunction = ({ now }) => ({ events: [{ title: now.toISOString(), start: '+1d 10:00', duration: '1h' }] });
      export default calendar;`,
  });
  expect(await titlesOf(file)).toEqual(['2026-06-15T12:00:00.000Z 2026-06-16 10:00:00']);
  expect(await titlesOf(file, { now: NOW + 86_400_000 })).toEqual(['2026-06-16T12:00:00.000Z 2026-06-17 10:00:00']);
});

test('an edit of what it imports is read, and each file is named', async () => {
  const parts = (title: string): Record<string, string> => ({
    'parts.ts': `import { a } from './lib/a.js'; import b from './lib/b.mjs'; import data from './lib/data.json';
      export default { events: [a, b, ...data].map((title) => ({ ...${EVENT}, title })) };`,
    'lib/a.ts': `export const a: string = '${title} a';`,
    'lib/b.mjs': `export default '${title} b';`,
    'lib/data.json': `["${title} data"]`,
  });
  const named = new Set<string>();
  const read = (): Promise<string[]> => titlesOf(write(parts('One')), { onImport: (file) => named.add(path.relative(folder, file)) });
  expect(await read()).toHaveLength(3);
  expect([...named]).toEqual(expect.arrayContaining(['parts.ts', path.join('lib', 'a.ts'), path.join('lib', 'b.mjs')]));
  const edited = await titlesOf(write(parts('Two')));
  expect(edited.slice(0, 2)).toEqual(['Two a 2026-08-01 19:30:00', 'Two b 2026-08-01 19:30:00']);
});

const EXPORT = 'Export the dataset, or a function that returns it: export default { events: [] }';

test.each<[name: string, files: Record<string, string>, problem: string]>([
  ['no default export', { 'named.ts': `export const events = [];` }, `named.ts: has no default export. ${EXPORT}`],
  ['no export at all', { 'nothing.js': `const events = [];` }, `nothing.js: has no default export. ${EXPORT}`],
  ['a list', { 'list.ts': `export default [${EVENT}];` }, `list.ts: it exports a list instead of a dataset. ${EXPORT}`],
  ['a string', { 'string.cjs': `module.exports = 'calendar';` }, `string.cjs: it exports a string instead of a dataset. ${EXPORT}`],
  ['null', { 'null.mjs': `export default null;` }, `null.mjs: it exports null instead of a dataset. ${EXPORT}`],
  [
    'a function that returns nothing',
    { 'void.ts': `export default () => { };` },
    `void.ts: its function returns undefined instead of a dataset. ${EXPORT}`,
  ],
  [
    'what it throws',
    { 'throws.ts': `\n\nthrow new Error('no network\\nat all');\nexport default {};` },
    'throws.ts: line 3: cannot be run: no network',
  ],
  [
    'what its function throws',
    { 'rejects.mts': `export default async () => {\n  await null;\n  throw new TypeError('no venues');\n};` },
    'rejects.mts: line 3: cannot be run: no venues',
  ],
  [
    'what an imported file throws',
    { 'outer.ts': `import './lib/inner.js';\nexport default {};`, 'lib/inner.ts': `const a: number = 1;\nthrow new Error('inner ' + a);` },
    `outer.ts: ${path.join('lib', 'inner.ts')}: line 2: cannot be run: inner 1`,
  ],
  ['a thrown text', { 'text.ts': `throw 'a text'; export default {};` }, 'text.ts: cannot be run: a text'],
  [
    'a circle',
    { 'circle.ts': `const site: any = {}; site.site = site; export default site;` },
    'circle.ts: it exports something that JSON cannot contain: Converting circular structure to JSON',
  ],
  [
    'an unknown field',
    { 'field.ts': `export default { events: [{ ...${EVENT}, titel: 'A' }] };` },
    'field.ts: events[0].titel: unknown field. Did you mean "title"?',
  ],
])('says what is wrong: %s', async (_, files, problem) => {
  expect(await problemOf(write(files))).toBe(problem);
});

test.each(['syntax.ts', 'syntax.mjs', 'syntax.cjs'])('says where %s has a syntax error', async (name) => {
  expect(await problemOf(write({ [name]: `const a = 1;\nconst b = = 2;\nexport default {};` }))).toMatch(
    new RegExp(`^${name.replace('.', '\\.')}: line 2: cannot be run: `),
  );
});

test('says which import is missing', async () => {
  expect(await problemOf(write({ 'missing.ts': `import './absent.js';\nexport default {};` }))).toMatch(
    /^missing\.ts: .*cannot be run: .*absent\.js/,
  );
});

test.each(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'])('a module %s that was sent is not run', async (extension) => {
  const file = write({ [`sent${extension}`]: `globalThis.hasRun = true; module.exports = { events: [] };` });
  const sent = { file, name: file, folder };
  await expect(openFile(sent, { now: NOW })).rejects.toThrow(/: is a module, which only the command line runs\. Import it/);
  expect(globalThis).not.toHaveProperty('hasRun');
});

test('a file without the extension of a module is not run, whatever it contains', async () => {
  const content = `globalThis.hasRun = true; export default { events: [] };`;
  expect(await problemOf(write({ calendar: content }))).toMatch(/^calendar: unknown format/);
  await expect(openFile(inputFile(write({ 'named.ts': content })), { now: NOW }, 'json')).rejects.toThrow(/invalid JSON/);
  expect(globalThis).not.toHaveProperty('hasRun');
});
