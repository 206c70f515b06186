import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import { openFile, inputFile } from '../../src/transfer/formats/open.js';
import { datasetSchema } from '../../src/transfer/formats/dataset/json-schema.js';
import { PARTS } from '../../src/transfer/kinds.js';
import { checkSite } from '../../src/transfer/live/check/site.js';
import { GROUPS } from '../../src/transfer/live/plugins.js';
import { restricted } from '../../src/transfer/restrict.js';
import { formatOfName } from '../../src/transfer/formats/registry.js';
import { load, pullFrom, quick } from '../live/ticket-copies.js';
import { restoreTo, testSite } from '../endpoints/folder/sites.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import type { Book } from './library/book.js';

/** A plugin with content of its own: a folder, and a line in the list of plugins. */

const NOW = '2026-06-15T12:00:00Z';
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-library-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'town.json');

const DATASET = {
  site: { name: 'Town' },
  users: [{ login: 'admin', role: 'administrator', application_password: 'only for tests' }],
  events: [{ title: 'Reading', start: '+3d 19:00', duration: '1h' }],
  books: [
    { slug: 'emma', title: 'Emma', isbn: '978-0141439587', date: '-3d 10:00' },
    { title: 'Ulysses' },
    { title: 'Lost', status: 'draft' },
  ],
};
writeFileSync(file, JSON.stringify(DATASET, null, 2));

const source = startTestServer({ dataset: file, now: NOW });
const restored = testSite();
const target = startTestServer({ plugins: ['library'], now: NOW });

const books = async ({ url }: { url: string }): Promise<unknown> => {
  const { text } = await http('GET', `${url}/wp-json/library/v1/books`);
  return (JSON.parse(text) as Book[]).map(({ slug, title, isbn, date }) => ({ slug, title, isbn, date }));
};

const EXPECTED = [
  { slug: 'emma', title: 'Emma', isbn: '978-0141439587', date: '2026-06-12 10:00:00' },
  { slug: 'ulysses', title: 'Ulysses', isbn: '', date: '2026-06-15 12:00:00' },
];

beforeEach(() => target().reset());

test('an item without a title is a problem of the file, beside the others', async () => {
  const dataset = { books: [{ isbn: '1' }, { title: 5 }], events: [{ title: 'Reading', start: 'never' }] };
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await http('POST', `${target().url}/__qa/seed`, headers, JSON.stringify(dataset));
  expect(status).toBe(400);
  for (const at of ['books[0].title', 'books[1].title', 'events[0].start']) expect(text).toContain(at);
});

test('a dataset brings the plugin and its posts', async () => {
  expect(await books(source())).toEqual(EXPECTED);
  const { properties } = (await datasetSchema()) as { properties: Record<string, unknown> };
  expect(properties).toHaveProperty('books');
  expect([PARTS.includes('books'), GROUPS.includes('books')]).toEqual([true, true]);
});

test('a file with a wrong member is refused with its place', async () => {
  const wrong = path.join(folder, 'wrong.json');
  writeFileSync(wrong, JSON.stringify({ books: [{ title: 'Emma', isnb: 'x' }] }));
  const problems: string[] = [];
  for await (const _ of (await openFile(inputFile(wrong), { now: null })).items((problem, at) => problems.push(`${at?.path}: ${problem}`)));
  expect(problems).toEqual([expect.stringContaining('books[0].isnb')]);
});

test.each(['json', 'yaml', 'ndjson', 'site.json', 'xml'])('its posts survive %s', async (extension) => {
  const copy = path.join(folder, `copy.${extension}`);
  const out = createWriteStream(copy);
  const write = await formatOfName(copy)!.write!();
  const opened = await openFile(inputFile(file), { now: Date.parse(NOW) });
  await write(opened, out, { file: copy, warn: () => undefined, wrote: () => undefined, settings: {} });
  out.end();
  await finished(out);
  await load(target(), await openFile(inputFile(copy), { now: Date.parse(NOW) }));
  expect(await books(target())).toEqual(EXPECTED);
});

test('its posts are a part of the site', async () => {
  const part = restricted(await openFile(inputFile(file), { now: Date.parse(NOW) }), ['books']);
  const found: string[] = [];
  for await (const item of part.items(() => undefined)) found.push(item.kind === 'post' ? item.post.type : item.kind);
  expect(found).toEqual(['library_book', 'library_book', 'library_book']);
});

test('its posts survive a copy of the live site, which check finds equal', async () => {
  const pulled = await pullFrom(source());
  await load(target(), pulled.source);
  await pulled.deleteProgress();
  expect(await books(target())).toEqual(EXPECTED);
  const check = (url: string) =>
    checkSite({
      ...{ url: source().url, against: url, only: ['books'], limit: 5, client: quick },
      ...{ notify: () => undefined, progress: () => undefined },
    });
  expect(await check(target().url)).toMatchObject({ requests: 1, same: 1, findings: [] });
  await target().site.store.posts.updateOne({ type: 'library_book', slug: 'emma' }, { $set: { title: 'Emma (1815)' } });
  expect((await check(target().url)).findings).toMatchObject([{ group: 'books' }]);
});

test('its posts survive a backup', async () => {
  const backup = await fetch(`${source().url}/__qa/backup`, { method: 'POST' });
  const archive = path.join(folder, 'town.tar.gz');
  writeFileSync(archive, Buffer.from(await backup.arrayBuffer()));
  await restoreTo(restored, archive);
  const found = await restored.store.posts.find({ type: 'library_book' }).toArray();
  expect(found.map(({ slug }) => slug)).toEqual(expect.arrayContaining(EXPECTED.map(({ slug }) => slug)));
});

test('a save writes changes into its list', async () => {
  const { store } = source().site;
  await store.posts.updateOne({ type: 'library_book', slug: 'emma' }, { $set: { title: 'Emma (1815)' } });
  const response = await fetch(`${source().url}/__qa/dataset/save`, { method: 'POST' });
  expect(await response.json()).toMatchObject({ changed: 1 });
  const saved = JSON.parse(readFileSync(file, 'utf8')) as Dataset & typeof DATASET;
  expect(saved.books).toEqual([{ ...DATASET.books[0], title: 'Emma (1815)' }, ...DATASET.books.slice(1)]);
});
