import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import { escapeRegExp } from '../../src/base/text/pattern.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { siteInFront } from './in-front.js';
import { differences, excerpt, readsOf, sideFor } from './plugin-copies.js';
import { load, NOW, pullFrom, written } from './ticket-copies.js';

/* Copies of a site with a plugin for languages, which has a language in the addresses of what is translated. */

const DATASET: Dataset = {
  types: { recipe: { name: 'Recipes' } },
  categories: [{ name: 'Musik', slug: 'musik' }],
  venues: [
    { name: 'Halle', slug: 'halle' },
    { name: 'Hall', slug: 'hall' },
  ],
  events: [
    { title: 'Festwoche', slug: 'festwoche', start: '2026-07-01 20:00', duration: '1h', venue: 'halle', categories: ['musik'] },
    { title: 'Fair', slug: 'fair', start: '2026-07-02 20:00', duration: '1h', venue: 'hall', website: 'https://fair.example/' },
  ],
  posts: ['Hallo', 'Hello', 'Bye'].map((title, day) => ({ title, date: `2026-05-0${day + 1} 10:00` })),
  pages: [
    { title: 'About', slug: 'about' },
    { title: 'Team', slug: 'team', parent: 'about' },
    { title: 'Anfahrt', slug: 'anfahrt', parent: 'about' },
  ],
  items: { recipe: ['Suppe', 'Soup', 'Stew'].map((title) => ({ title })) },
};
const PAGES = ['/event/festwoche/', '/hallo/', '/about/anfahrt/', '/recipe/suppe/'];
const TRANSLATED = [...PAGES, '/venue/halle/', '/events/category/musik/'];

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copy-addresses-'));
const file = path.join(folder, 'site.json');
writeFileSync(file, JSON.stringify(DATASET));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const origin = startTestServer({ dataset: file, now: NOW });
const target = startTestServer({ now: NOW });
/** The addresses at creation had no language. */
const GUID = String.raw`(?<!"guid":\{"rendered":")`;
const site = siteInFront(origin, (at, text, home) => {
  const start = home.replaceAll('/', '\\/');
  const changed = TRANSLATED.map((each) => each.replaceAll('/', '\\/')).reduce(
    (all, each) => all.replace(new RegExp(GUID + escapeRegExp(start + each), 'g'), `${start}\\/de${each}`),
    text,
  );
  return at.startsWith('/wp-json') ? [null, changed] : null;
});

test.each(['json', 'ndjson'])(
  'each translated item keeps its address in all namespaces, through %s',
  async (format) => {
    const from = { ...origin(), url: site() };
    const pulled = await pullFrom(from);
    await load(target(), await written(pulled.source, format));
    await pulled.deleteProgress();
    const one = await sideFor(from);
    const reads = (await readsOf(one)).filter(({ status, method }) => status === 200 && method === 'GET');
    expect((await differences(reads, one, await sideFor(target()))).map(excerpt)).toEqual([]);
    const { url } = target();
    const { text } = await http('GET', `${url}/wp-json/tribe/events/v1/events/by-slug/festwoche`);
    const event = JSON.parse(text) as { url: string; website: string; venue: { url: string }; json_ld: { url: string } };
    const address = `${url}/de/event/festwoche/`;
    expect(event).toMatchObject({ url: address, website: address, venue: { url: `${url}/de/venue/halle/` }, json_ld: { url: address } });
    for (const each of PAGES) expect([each, (await http('GET', `${url}/de${each}`)).status]).toEqual([each, 200]);
    expect((await http('GET', `${url}/fr/event/festwoche/`)).status).toBe(404);
  },
  60_000,
);
