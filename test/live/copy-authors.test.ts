import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { siteInFront } from './in-front.js';
import { load, NOW, pullFrom, written } from './ticket-copies.js';

/* Posts whose type does not support authors have one, which only embeds show. */

const DATASET: Dataset = {
  types: { chapter: { name: 'Chapters', supports: ['title', 'editor'] }, recipe: { name: 'Recipes', supports: ['title', 'author'] } },
  users: [
    { id: 1, login: 'anna', role: 'editor' },
    { id: 2, login: 'ben', role: 'author' },
  ],
  items: {
    chapter: [
      { id: 11, slug: 'one', title: 'One', author: 'anna' },
      { id: 12, slug: 'two', title: 'Two', author: 'ben' },
      { id: 13, slug: 'three', title: 'Three', author: 'anna' },
    ],
    recipe: [{ id: 14, slug: 'soup', title: 'Soup', author: 'ben' }],
  },
};
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copy-authors-'));
const file = path.join(folder, 'site.json');
writeFileSync(file, JSON.stringify(DATASET));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const origin = startTestServer({ dataset: file, now: NOW });
const target = startTestServer({ now: NOW });
const asked: string[] = [];
/** A host that turned embeds off. */
const closed = siteInFront(origin, (at) => {
  asked.push(at);
  return at.includes('oembed') && at.includes('embed?') ? [404, '{"code":"rest_no_route"}'] : null;
});

/** A site whose third chapter has no author, which WordPress shows as an author of the site itself. */
const nobodys = siteInFront(origin, (at, text) =>
  at.includes('embed?') && at.includes('three') ? [200, text.replace(/\\\/author\\\/anna\\\/|\/author\/anna\//, '')] : null,
);

const authors = (url: string): Promise<string[]> =>
  Promise.all(
    ['chapter/one', 'chapter/two', 'chapter/three', 'recipe/soup'].map(async (at) => {
      const { text } = await http('GET', `${url}/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${url}/${at}/`)}`);
      return (JSON.parse(text) as { author_url: string }).author_url.replace(url, '');
    }),
  );

test.each(['json', 'ndjson'])('a copy has the same authors, through %s', async (format) => {
  const pulled = await pullFrom(origin());
  await load(target(), await written(pulled.source, format));
  await pulled.deleteProgress();
  expect(await authors(target().url)).toEqual(await authors(origin().url));
  expect(await authors(target().url)).toEqual(['/author/anna/', '/author/ben/', '/author/anna/', '/author/ben/']);
  expect(pulled.notes().join(' ')).not.toContain('authors');
});

test('a post without an author has none in the copy', async () => {
  const pulled = await pullFrom({ ...origin(), url: nobodys() });
  await load(target(), pulled.source);
  await pulled.deleteProgress();
  expect(await authors(target().url)).toEqual(['/author/anna/', '/author/ben/', '', '/author/ben/']);
  expect(pulled.notes().join(' ')).not.toContain('authors');
});

test('the copy of a site without embeds says that they are missing', async () => {
  const pulled = await pullFrom({ ...origin(), url: closed() });
  for await (const _ of pulled.source.items(() => undefined));
  expect(pulled.notes()).toContain('The authors of 3 posts of the type chapter are not copied: the site does not show them.');
  expect(asked.filter((at) => /oembed.*embed\?/.test(at))).toHaveLength(3);
  await pulled.deleteProgress();
});
