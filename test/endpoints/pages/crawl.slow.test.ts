import { parse } from 'parse5';
import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import type { Server } from '../../../src/index.js';

/** The password of the only password-protected event of the recorded site. */
const PASSWORD = 'soiree';

/** Lists of the whole content, page by page. */
const LISTS = [
  ...['events?start_date=2000-01-01', 'venues?x=1', 'organizers?x=1', 'categories?hide_empty=0', 'tags?hide_empty=0'].map(
    (list) => `/tribe/events/v1/${list}&per_page=50`,
  ),
  ...['tribe_events', 'tribe_venue', 'tribe_organizer', 'tec_calendar_embed', 'posts', 'pages', 'media'].map(
    (type) => `/wp/v2/${type}?per_page=100`,
  ),
  ...['tags', 'tribe_events_cat', 'categories', 'users', 'comments'].map((list) => `/wp/v2/${list}?per_page=100`),
  ...['events', 'venues', 'organizers'].map((list) => `/tec/v1/${list}?per_page=100`),
  ...['types', 'taxonomies', 'statuses', 'search?per_page=100', 'search?type=term&per_page=100'].map((list) => `/wp/v2/${list}`),
];

interface Page {
  status: number;
  type: string;
  text: string;
  link: string;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&#038;': '&', '&#8211;': '–' };
const decoded = (text: string): string => text.replace(/&(?:amp|#038|#8211);/g, (entity) => ENTITIES[entity]);

/** Addresses of the site in a text, except templates with `{…}`. */
function addressesIn(text: string, url: string): string[] {
  const found = decoded(text).match(/https?:\/\/[^\s"'<>\\,)]+/g) ?? [];
  return found
    .filter((each) => (each === url || each.startsWith(`${url}/`)) && !each.includes('{'))
    .map((each) => each.replace(/#.*$/, ''));
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsOf) : [];
}

interface Node {
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

/** Links and resources of a page. */
const linksIn = (node: Node): string[] => [
  ...(node.attrs ?? []).filter(({ name }) => ['href', 'src', 'action'].includes(name)).map(({ value }) => value),
  ...(node.attrs ?? []).filter(({ name }) => name === 'srcset').flatMap(({ value }) => value.split(', ').map((each) => each.split(' ')[0])),
  ...(node.childNodes ?? []).flatMap(linksIn),
];

async function fetchPage(address: string): Promise<Page> {
  const response = await fetch(address);
  const type = response.headers.get('content-type') ?? '';
  const isText = /json|html|calendar|css/.test(type);
  const text = isText ? await response.text() : String((await response.arrayBuffer()).byteLength);
  return { status: response.status, type, text, link: response.headers.get('link') ?? '' };
}

/** The expected content type of an address. */
function expectedType(address: string): RegExp {
  const { pathname, search } = new URL(address);
  // WP: oEmbed also responds in XML, on request.
  if (pathname.startsWith('/wp-json/oembed/') && /[?&]format=xml/.test(search)) return /^text\/xml/;
  if (pathname.startsWith('/wp-json')) return /^application\/json/;
  if (pathname === '/xmlrpc.php') return /^text\/xml/;
  if (/[?&]ical=1/.test(search)) return /^text\/calendar/;
  if (pathname.endsWith('/feed/')) return /^application\/rss\+xml/;
  if (pathname.startsWith('/wp-content/uploads/')) return /^(image|application|audio|video|text)\//;
  if (pathname.startsWith('/wp-content/')) return /^(text\/css|image\/svg)/;
  // WP: the address of a library item leads to its file.
  return /^(text\/html|image\/|application\/pdf|text\/plain)/;
}

/**
 * Indexes are fetched but not followed: they describe the API instead of content, and list every route, including those for signed-in
 * users. Types, taxonomies and statuses are followed, as they link to content.
 */
const INDEX = /^\/wp-json(\/[\w-]+(\/events)?\/v\d|\/wp-block-editor\/v1)?\/?$/;

/** Replaces numbers, so that addresses of days, months and pages become equal. */
const shapeOf = (address: string): string => address.replace(/\d+/g, '0');

/** Maximum number of linked pages of the same shape. Links to the next month or day never end. */
const MOST_ALIKE = 4;

const isApi = (address: string): boolean => address.includes('/wp-json');

/** Follows every address of the API, and every address that its pages link to. */
async function crawl(url: string): Promise<Map<string, Page>> {
  const seen = new Map<string, Page>();
  const alike = new Map<string, number>();
  // Pages that only pages link to are fetched but not followed.
  const last = new Set<string>();
  const named = new Set<string>();
  const isTooMany = (address: string): boolean => {
    const shape = shapeOf(address);
    alike.set(shape, (alike.get(shape) ?? 0) + 1);
    return !isApi(address) && shape !== address && (alike.get(shape) ?? 0) > MOST_ALIKE;
  };
  const fromApi = ({ text, link }: Page): string[] => [...stringsOf(JSON.parse(text)), link].flatMap((each) => addressesIn(each, url));
  const fromPage = ({ text }: Page): string[] =>
    linksIn(parse(text) as Node)
      .map((link) => (link.startsWith('/') ? `${url}${link}` : link))
      .filter((address) => address.startsWith(`${url}/`) && !seen.has(address) && !isTooMany(address));
  const linkedFrom = (address: string, page: Page): string[] => {
    if (page.type.startsWith('application/json')) {
      const found = page.status === 200 && !INDEX.test(new URL(address).pathname) ? fromApi(page) : [];
      for (const each of found) named.add(each);
      return found;
    }
    if (!page.type.startsWith('text/html') || (last.has(address) && !named.has(address))) return [];
    const found = fromPage(page);
    for (const each of found) if (!isApi(each)) last.add(each);
    return found;
  };
  let queue = LISTS.map((list) => `${url}/wp-json${list}`);
  while (queue.length > 0) {
    const next = new Set<string>();
    for (let at = 0; at < queue.length; at += 8) {
      const batch = queue.slice(at, at + 8);
      const pages = await Promise.all(batch.map(fetchPage));
      pages.forEach((page, index) => {
        seen.set(batch[index], page);
        for (const each of linkedFrom(batch[index], page)) next.add(each);
      });
    }
    queue = [...next].filter((address) => !seen.has(address));
  }
  return seen;
}

/** Links of the plugin that it rejects itself. The quirk is `links-lead-to-refusals` unless a comment names another. */
const REFUSED = [
  /^\/wp-json\/wp\/v2\/\w+\/\d+\/revisions: 401 rest_cannot_read$/,
  /^\/wp-json\/wp\/v2\/posts\?status=tribe-[\w-]+: 400 rest_invalid_param$/,
  // Types whose items this server does not have. WordPress's addresses for two of them match no route.
  /^\/wp-json\/wp\/v2\/(templates|template-parts): 401 rest_cannot_manage_templates$/,
  /^\/wp-json\/wp\/v2\/font-families: 401 rest_cannot_read$/,
  /^\/wp-json\/wp\/v2\/(menu-items|menus): 401 rest_cannot_view$/,
  /^\/wp-json\/wp\/v2\/(global-styles|font-families\/\(\?P): 404 rest_no_route$/,
  // Quirk `tec-v1-needs-acknowledgement`, for the lists that the crawl starts with.
  /^\/wp-json\/tec\/v1\/\w+\?per_page=100: 400 missing_experimental_endpoint_acknowledgement$/,
  // Quirk `lists-take-slugs-for-ids`: the recorded page of this tag has the link, and the recorded API refuses its parameter.
  /^\/wp-json\/tribe\/events\/v1\/events\/\?tags=2026: 400 rest_invalid_param$/,
  // Quirk `ical-of-nothing-is-empty`.
  /\?ical=1: 200 text\/html; charset=UTF-8$/,
];

const KINDS = [
  '/event/',
  '/venue/',
  '/organizer/',
  '/events/category/',
  '/tag/',
  '/category/',
  '/author/',
  '/hello-world/',
  '/sample-page/',
  '/wp-content/uploads/',
  '/wp-json/wp/v2/media/',
  '/wp-json/wp/v2/posts?tags=',
  '/wp-json/wp/v2/tec_calendar_embed?tags=',
  '/wp-json/wp/v2/categories/',
  '/wp-json/wp/v2/types/post',
  '/wp-json/wp/v2/taxonomies/category',
];

/** The response of an address, if it is not the expected one. */
const faultOf = (path: string, { status, type, text }: Page, expected: RegExp): string | null => {
  if (status === 200 && expected.test(type)) return null;
  const { code = type } = type.startsWith('application/json') ? (JSON.parse(text) as { code?: string }) : {};
  return `${path}: ${status} ${code}`;
};

/** Crawls a server, and unlocks password-protected items. */
async function crawled({ url }: Server): Promise<{ paths: string[]; faults: string[] }> {
  const seen = await crawl(url);
  const path = (address: string): string => address.slice(url.length);
  // Lists contain password-protected items, but their own addresses require the password.
  const guarded = [...seen].filter(([, { status, text }]) => status === 403 && text.includes('password')).map(([address]) => address);
  expect(guarded.map(path)).toEqual([expect.stringMatching(/^\/wp-json\/tribe\/events\/v1\/events\/\d+$/)]);
  for (const address of guarded) seen.set(address, await fetchPage(`${address}?password=${PASSWORD}`));
  return {
    paths: [...seen.keys()].map(path),
    faults: [...seen].flatMap(([address, page]) => faultOf(path(address), page, expectedType(address)) ?? []),
  };
}

describe('under the standard profile', () => {
  const server = startTestServer({ dataset: WORLD, profile: 'standard', now: '2026-06-15T12:00:00Z' });

  test('every URL in a response about published content leads to a resource of the right type', async () => {
    const { paths, faults } = await crawled(server());
    expect(faults).toEqual([]);
    expect(KINDS.filter((kind) => !paths.some((path) => path.startsWith(kind)))).toEqual([]);
    expect(paths.filter((path) => path.includes('ical=1')).length).toBeGreaterThan(10);
  }, 120_000);
});

describe('under the tec profile', () => {
  const server = startTestServer({ dataset: WORLD, profile: 'tec', now: '2026-06-15T12:00:00Z' });

  test('every URL leads to a resource, except where the plugin rejects its own links', async () => {
    const { faults } = await crawled(server());
    expect(faults.filter((fault) => !REFUSED.some((known) => known.test(fault)))).toEqual([]);
  }, 120_000);
});
