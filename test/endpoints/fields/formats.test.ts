import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { inputFile, openFile } from '../../../src/transfer/formats/open.js';
import { restricted } from '../../../src/transfer/restrict.js';
import type { DatasetSource } from '../../../src/transfer/source.js';
import { NOW, written } from '../../unit/transfer/dataset/files.js';
import { startTestServer } from '../../support/server.js';
import { HOME, SITE } from './world.js';

/** Fields of other plugins in files. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-fields-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const write = (text: string, extension: string): string => {
  const file = path.join(folder, `${(files += 1)}.${extension}`);
  writeFileSync(file, text);
  return file;
};
const open = (dataset: Dataset | string, extension = 'json'): Promise<DatasetSource> =>
  openFile(inputFile(write(typeof dataset === 'string' ? dataset : JSON.stringify(dataset), extension)), { now: NOW });

async function problemsOf(dataset: object): Promise<string[]> {
  const found: string[] = [];
  const source = await open(dataset);
  for await (const _ of source.items((problem, at) => found.push(`${at?.path}: ${problem}`)));
  return found;
}

/** A source as a file of a format has it. */
const textOf = async (format: string, source: DatasetSource): Promise<string> =>
  readFileSync((await written(source, format, `out.${format}`)).file, 'utf8');

/** The fields of each item of a file, and what it declares. */
const fieldsIn = (value: unknown): unknown => {
  const found: [string, unknown][] = [];
  const visit = (at: string, each: unknown): void => {
    if (each === null || typeof each !== 'object') return;
    for (const [name, member] of Object.entries(each)) {
      if (name === 'fields') found.push([at, member]);
      else visit(`${at}.${name}`, member);
    }
  };
  visit('', value);
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
};

test.each(['json', 'yaml'])('%s: what was read is written again', async (format) => {
  const value = parse(await textOf(format, await open(SITE))) as Dataset;
  const { tribe_events: events, ...declared } = value.fields!;
  expect(fieldsIn({ ...value, fields: undefined })).toEqual(fieldsIn({ ...SITE, fields: undefined }));
  // What only items have is declared, without what was guessed.
  expect(Object.keys(events['tribe/events/v1'])).toEqual(['is_virtual', 'virtual_url', 'recurring', 'stars']);
  expect(events['tribe/events/v1']).toMatchObject({ virtual_url: {}, recurring: { default: false } });
  expect(declared).toMatchObject({ post: SITE.fields!['post'], nav_menu_item: { 'wp/v2': { icon: {} } } });
  expect(JSON.stringify(value)).not.toContain('guessed');
});

test('NDJSON has fields and their declarations, and is checked', async () => {
  const text = await textOf('ndjson', await open(SITE));
  const again = await open(text, 'ndjson');
  expect(again.declarations).toEqual((await open(SITE)).declarations);
  expect(again.declarations?.fields?.['tribe_events']['wp/v2']['acf']).toEqual({ default: [], guessed: { type: ['array', 'object'] } });
  expect(fieldsIn(JSON.parse(await textOf('json', again)))).toEqual(fieldsIn(JSON.parse(await textOf('json', await open(SITE)))));
  const problems: string[] = [];
  const broken = await open(text.replace('"fields":{"wp/v2":"{', '"fields":{"wp/v2":"['), 'ndjson');
  for await (const _ of broken.items((problem, at) => problems.push(`${at?.path} ${problem}`)));
  expect(problems).toEqual([expect.stringMatching(/\.fields\.wp\/v2 must be the JSON of an object$/)]);
});

test('a recorded site has both', async () => {
  const again = await open(await textOf('site', await open(SITE)));
  expect(again.declarations).toEqual((await open(SITE)).declarations);
  expect(fieldsIn(JSON.parse(await textOf('json', again)))).toEqual(fieldsIn(JSON.parse(await textOf('json', await open(SITE)))));
});

test.each([
  ['wxr', 'WordPress export: left out fields of plugins of an item (12)'],
  ['csv', 'CSV: left out fields of plugins of an item (1)'],
  ['ics', 'iCalendar: left out fields of plugins of an item (1)'],
])('%s says what it leaves out', async (format, expected) => {
  const { warnings } = await written(await open(SITE), format, `out.${format}`);
  expect(warnings).toContain(expected);
});

test('a part of a site has the declarations of its fields, and no others', async () => {
  const { declarations } = restricted(await open(SITE), ['venues', 'users']);
  expect(Object.keys(declarations!)).toEqual(['fields']);
  expect(Object.keys(declarations!.fields!).sort()).toEqual(['tribe_venue', 'user']);
  expect(restricted(await open({ posts: [{ title: 'A' }] }), ['posts']).declarations).toEqual({});
});

test.each<[object, string]>([
  [
    { posts: [{ title: 'A', fields: { 'wp/v1': { a: 1 } } }] },
    'posts[0].fields: has fields of the namespace "wp/v1". Did you mean "wp/v2"?',
  ],
  [
    { posts: [{ title: 'A', fields: { acf: { a: 1 } } }] },
    'posts[0].fields: has fields of the namespace "acf". Namespaces: wp/v2, tribe/events/v1, tec/v1. Write { "wp/v2": { "acf": … } }',
  ],
  [{ posts: [{ title: 'A', fields: { 'wp/v2': [1] } }] }, 'posts[0].fields.wp/v2: must be an object'],
  [
    { posts: [{ title: 'A', fields: { 'wp/v2': { _links: [] } } }] },
    'posts[0].fields.wp/v2: has a field _links, which no plugin can replace',
  ],
  [{ posts: [{ title: 'A', fields: { 'tec/v1': { a: 1 } } }] }, 'posts[0].fields: tec/v1 shows no items of the type post'],
  [
    { users: [{ login: 'a', role: 'editor', fields: { 'tribe/events/v1': { a: 1 } } }] },
    'users[0].fields: tribe/events/v1 shows no items of the type user',
  ],
  [{ fields: { events: { 'wp/v2': { a: {} } } } }, 'fields.events: there is no type "events". Did you mean "tribe_events"?'],
  [
    { fields: { tribe_venues: { 'wp/v2': { a: {} } } } },
    'fields.tribe_venues: there is no type "tribe_venues". Did you mean "tribe_venue"?',
  ],
  [{ fields: { post: { 'tribe/events/v1': { a: {} } } } }, 'fields.post: tribe/events/v1 shows no items of the type post'],
  [{ fields: { post: { 'wp/v2': { a: { context: ['view'] } } } } }, 'fields.post.wp/v2.a.context: unknown field. Did you mean "contexts"?'],
  [
    { fields: { post: { 'wp/v2': { a: { contexts: ['look'] } } } } },
    'fields.post.wp/v2.a.contexts[0]: must be one of view, edit, embed, not "look"',
  ],
  [
    { fields: { post: { 'wp/v2': { a: { schema: { type: 5 } } } } } },
    'fields.post.wp/v2.a.schema: type must be the name of a type, or a list of names',
  ],
  [
    { fields: { post: { 'wp/v2': { a: { schema: { type: 'object', properties: { b: { pattern: '(' } } } } } } } },
    'fields.post.wp/v2.a.schema: properties b: pattern is not a regular expression: ',
  ],
  [{ fields: { post: { 'wp/v2': { a: { schema: [] } } } } }, 'fields.post.wp/v2.a.schema: must be a schema, such as { "type": "string" }'],
  [{ fields: { post: { 'wp/v2': { a: { guessed: {} } } } } }, 'fields.post.wp/v2.a.guessed: unknown field'],
  [{ site: { url: 'example.org' } }, 'site.url: must be an address such as "https://example.org"'],
])('%j is a problem', async (dataset, problem) => {
  expect(await problemsOf(dataset)).toEqual([expect.stringContaining(problem)]);
});

describe('links', () => {
  const server = startTestServer({
    dataset: { site: { url: `${HOME}/` }, posts: [{ id: 3, title: 'A', content: `<a href="${HOME}/b/">b</a>` }] },
  });

  test('in texts follow the address that the dataset names', async () => {
    const { content } = (await (await fetch(`${server().restUrl}/wp/v2/posts/3`)).json()) as { content: { rendered: string } };
    expect(content.rendered).toContain(`href="${server().url}/b/"`);
  });
});
