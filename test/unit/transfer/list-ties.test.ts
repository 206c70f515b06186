import { compareResponses, Normalizer } from '../../../src/transfer/live/check/compare.js';
import { orderOf, type KnownPosts } from '../../../src/transfer/live/check/ties.js';
import type { CheckRequest } from '../../../src/transfer/live/check/requests.js';
import type { SiteResponse } from '../../../src/transfer/live/client/client.js';

const normalizer = (home: string) =>
  new Normalizer({
    ...{
      home,
      aliases: [],
      folder: '',
      root: `${home}/wp-json/`,
      namespace: 'tribe/events/v1',
      hasCore: true,
      hasTecV1: true,
      namespaces: [],
    },
    ...{ name: '', description: '', timezone: 'Europe/Berlin', gmtOffset: 1, generator: null, routes: [], methods: new Map(), front: {} },
  });
const normalizers = { expected: normalizer('https://example.org'), actual: normalizer('http://127.0.0.1:8080') };

/** The publication dates of posts, which search results do not show. */
const POSTS: KnownPosts = new Map([1, 2, 3, 4, 5].map((id) => [id, { date: `2026-05-0${Math.ceil(id / 2)}`, base: 'posts' }]));

/** Compares two lists of `id key`, of which `sortedBy` names the key. @param pages total number of pages */
function differences(route: string, sortedBy: string, [site, server]: readonly [string, string], pages = 1, namespace?: string): string[] {
  const request: CheckRequest = { group: 'lists', method: 'GET', route, status: 200, ...(namespace !== undefined && { namespace }) };
  const response = (text: string): SiteResponse => {
    const items = text.split(', ').map((item) => {
      const [id, key, note] = item.split(' ');
      return { id: Number(id), [sortedBy]: sortedBy === 'count' ? Number(key) : key, ...(note && { note }) };
    });
    const json = namespace === undefined ? { [route.split('?')[0]]: items } : items;
    return { status: 200, headers: { 'x-tec-totalpages': String(pages) }, json, text: '' } as unknown as SiteResponse;
  };
  const found = compareResponses(response(site), response(server), normalizers, orderOf(request, POSTS));
  return found.map(({ at, expected, actual, moved }) => `${at} ${String(expected)} ${String(actual)}${moved ? ' moved' : ''}`);
}

const EVENTS = 'events?per_page=50&page=1';

test.each<[what: string, route: string, sortedBy: string, site: string, server: string, namespace?: string]>([
  ['the start of events', EVENTS, 'start_date', '1 a, 2 b, 3 b, 4 b', '1 a, 4 b, 2 b, 3 b'],
  ['the start of events', 'events?start_date=now', 'start_date', '1 a, 2 a', '2 a, 1 a', 'tec/v1'],
  ['the publication of events by id', 'events?include=1,2', 'date', '1 a, 2 a', '2 a, 1 a'],
  ['the publication of posts', 'posts?per_page=100', 'date', '1 a, 2 a', '2 a, 1 a', 'wp/v2'],
  ['names, however they are written', 'tags?hide_empty=0', 'name', '1 Café, 2 cafe', '2 cafe, 1 Café'],
  ['names', 'categories', 'name', '1 Abc, 2 abc', '2 abc, 1 Abc', 'wp/v2'],
  ['counts', 'tags?orderby=count', 'count', '1 3, 2 3, 3 2', '2 3, 1 3, 3 2'],
  ['the publication of found posts', 'search?per_page=100', 'title', '5 a, 3 a, 4 a', '5 a, 4 a, 3 a', 'wp/v2'],
])('items with equal %s may come in any order: %s', (_what, ...[route, sortedBy, site, server, namespace]) => {
  expect(differences(route, sortedBy, [site, server], 1, namespace)).toEqual([]);
});

test.each<[what: string, site: string, server: string, expected: string[]]>([
  ['a wrong order', '1 a, 2 b', '2 b, 1 a', ['/events/0/id 1 2', '/events/0/start_date a b']],
  ['a missing item', '1 a, 2 a', '1 a', ['/events/1 [object Object] undefined']],
  ['another item', '1 a, 2 b, 3 b', '1 a, 9 b, 2 b', ['/events/2/id 3 9']],
  ['an item twice', '1 a, 2 a', '2 a, 2 a', ['/events/0 [object Object] undefined']],
  ['an item with another content', '1 a x, 2 a y', '2 a z, 1 a x', ['/events/1/note y z']],
])('%s is found', (_what, site, server, expected) => {
  expect(differences(EVENTS, 'start_date', [site, server])).toEqual(expect.arrayContaining(expected));
});

test.each<[what: string, route: string, sortedBy: string, site: string, server: string, namespace?: string]>([
  ['slugs', 'tags?orderby=slug', 'slug', '1 a, 2 b', '2 b, 1 a'],
  ['ids', 'comments?orderby=id', 'date', '1 a, 2 a', '2 a, 1 a', 'wp/v2'],
  ['the publication of found posts and their titles', 'search?search=jazz', 'title', '3 jazz, 4 a', '4 a, 3 jazz', 'wp/v2'],
  ['an unknown order', 'events', 'date', '1 a, 2 a', '2 a, 1 a', 'acme/v1'],
])('lists are in the order of %s', (_what, ...[route, sortedBy, site, server, namespace]) => {
  expect(differences(route, sortedBy, [site, server], 1, namespace)).not.toEqual([]);
});

test.each<[page: number, pages: number, site: string, server: string, expected: string[]]>([
  // The group goes on behind the page, or began before it.
  [1, 2, '1 a, 2 b, 3 b', '1 a, 2 b, 4 b', ['/events/2/id 3 4 moved']],
  [2, 2, '4 b, 5 c', '3 b, 5 c', ['/events/0/id 4 3 moved']],
  [1, 2, '1 a, 2 b, 3 b', '1 a, 4 b, 2 b', ['/events/2/id 3 4 moved']],
  // It does not.
  [1, 1, '1 a, 2 b', '1 a, 4 b', ['/events/1/id 2 4']],
  [2, 2, '4 b, 5 c', '4 b, 6 c', ['/events/1/id 5 6']],
  [1, 2, '1 a, 2 b', '3 a, 2 b', ['/events/0/id 1 3']],
])('on page %d of %d, %s and %s', (page, pages, site, server, expected) => {
  expect(differences(`events?page=${page}`, 'start_date', [site, server], pages)).toEqual(expected);
});
