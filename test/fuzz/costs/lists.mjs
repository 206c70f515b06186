// Lists where they are dearest: their last page, their largest page, in every order; and what shows much of a site: feeds, sitemaps, searches.

import { AUTHORIZATION } from '../../../bench/servers.mjs';

/** @typedef {import('./cases.mjs').Case} Case */

const read = (target, name = `GET ${target}`, headers = {}) => ({ name, make: () => ({ method: 'GET', target, headers }) });

/** A request that each campaign sends. */
const always = (...of) => ({ ...read(...of), isMain: true });

/** Who may see everything. */
const MANAGER = { Authorization: AUTHORIZATION };

const withQuery = (path, query) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Searches that find much, take many look-ups, or find nothing. */
const SEARCHES = {
  'a letter': 'e',
  letters: 'e a o n r i t',
  'quoted letters': '"e" "a" "o" "n" "r"',
  'letters with accents': 'é ü ô ñ ä',
  'short words': 'en er in ar ri',
  phrase: 'river evening music',
  exclusions: 'e -xq -zq -qx',
  'letters of any case': 'É Ü',
};

const searched = (base, name) =>
  Object.entries(SEARCHES).map(([kind, text]) =>
    read(withQuery(base, `${name}=${encodeURIComponent(text)}`), `GET ${base}, ${name}: ${kind}`),
  );

/** @param countPages how many pages a list has */
async function* pagesOfList(base, { page, orderby, order, search, per_page: size, offset, context }, countPages) {
  const largest = `per_page=${size.maximum ?? 100}`;
  yield always(withQuery(base, largest));
  const all = `${largest}${context?.enum?.includes('edit') ? '&context=edit' : ''}`;
  const pages = page ? await countPages(withQuery(base, all), MANAGER) : 0;
  if (pages > 1) yield always(withQuery(base, `${all}&page=${pages}`), `GET ${base}?${all}, last page, by an administrator`, MANAGER);
  for (const query of page ? [largest, 'per_page=10'] : []) {
    const count = await countPages(withQuery(base, query));
    if (count > 1) yield always(withQuery(base, `${query}&page=${count}`), `GET ${base}?${query}, last page`);
    if (count > 1 && query === largest) {
      for (const by of orderby?.enum ?? [])
        for (const way of order?.enum ?? ['asc'])
          for (const at of [1, count])
            yield read(
              withQuery(base, `${query}&page=${at}&orderby=${by}&order=${way}${by.startsWith('include') ? '&include=1,2,3' : ''}`),
              `GET ${base}?${query}&orderby=${by}&order=${way}, page ${at === 1 ? at : 'last'}`,
            );
      yield read(withQuery(base, `${query}&page=${count}&_embed=1`), `GET ${base}?${query}&_embed=1, last page`);
    }
  }
  if (offset) yield read(withQuery(base, `${largest}&offset=5000`));
  if (search) yield* searched(base, 'search');
}

/** Pages and feeds with pages of their own. */
const PAGED = [
  ...['/', '/events/list/', '/events/list/?eventDisplay=past', '/feed/', '/feed/atom/', '/events/feed/', '/comments/feed/'],
  ...['/?ical=1', '/events/?ical=1', '/events/?ical=1&per_page=1000', '/events/list/?ical=1&eventDisplay=past&per_page=1000'],
  ...['/category/term-1/', '/2024/', '/2024/06/', '/?post_type=tribe_events', '/?s=e'],
];

/** What looks at all of a kind of content. */
const WHOLE = ['/wp-sitemap.xml', '/author/nobody/', '/?author_name=author-7'];

/** What searches the site. */
const SEARCHED = [
  ...[
    ['/', 's'],
    ['/?feed=rss2', 's'],
    ['/events/list/', 'tribe-bar-search'],
    ['/events/month/', 'tribe-bar-search'],
  ],
  ...[
    ['/events/?ical=1', 'tribe-bar-search'],
    ['/?post_type=tribe_events', 's'],
  ],
];

/**
 * The requests for lists, pages and feeds where they are dearest.
 * @param site `url`, `routes`, and the number of `events`, which is that of every kind of content
 * @param pathOf the path of a route, its captures filled in
 * @returns {AsyncGenerator<Case>}
 */
export async function* lists({ url, routes, events }, pathOf) {
  const get = (target, headers = {}) => fetch(`${url}${target}`, { redirect: 'manual', headers });
  const countPages = async (target, headers) => {
    const response = await get(target, headers);
    await response.arrayBuffer();
    const [, count] = [...response.headers].find(([name]) => /-total-?pages$/.test(name)) ?? [];
    return Number(count ?? 0);
  };
  for (const { path, endpoints } of routes)
    for (const { methods, args } of endpoints)
      if (methods.includes('GET') && args.per_page) yield* pagesOfList(`/wp-json${pathOf(path)}`, args, countPages);
  for (const path of PAGED)
    for (const page of [1, 2, Math.floor(events / 500), Math.floor(events / 10)])
      yield read(withQuery(path, `paged=${page}`), `GET ${path}, page ${page}`);
  for (const [path, name] of SEARCHED) yield* searched(path, name);
  for (const path of WHOLE) yield always(path);
  const index = await (await get('/wp-sitemap.xml')).text();
  for (const [, found] of index.matchAll(/<loc>([^<]+)/g)) yield always(new URL(found).pathname);
}
