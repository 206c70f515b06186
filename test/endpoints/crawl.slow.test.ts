import { parse } from 'parse5';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

/** The plain documented server: whatever it answers about published content leads somewhere. */
const server = startTestServer({ dataset: WORLD, profile: 'standard', now: '2026-06-15T12:00:00Z' });

/** Lists that hold all there is, each page of them. */
const LISTS = [
  ...['events?start_date=2000-01-01', 'venues?x=1', 'organizers?x=1', 'categories?hide_empty=0', 'tags?hide_empty=0'].map(
    (list) => `/tribe/events/v1/${list}&per_page=50`,
  ),
  ...['tribe_events', 'tribe_venue', 'tribe_organizer', 'media', 'tags', 'tribe_events_cat', 'users'].map(
    (list) => `/wp/v2/${list}?per_page=100`,
  ),
  '/wp/v2/search?per_page=100',
];

interface Page {
  status: number;
  type: string;
  text: string;
  link: string;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&#038;': '&', '&#8211;': '–' };
const decoded = (text: string): string => text.replace(/&(?:amp|#038|#8211);/g, (entity) => ENTITIES[entity]);

/** Addresses below that of the site in a text; `{…}` makes a template of one. */
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

/** What a page links to and loads. */
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

/** What an address has to be, by its form. */
function expectedType(address: string): RegExp {
  const { pathname, search } = new URL(address);
  if (pathname.startsWith('/wp-json')) return /^application\/json/;
  if (/[?&]ical=1/.test(search)) return /^text\/calendar/;
  if (pathname.startsWith('/wp-content/uploads/')) return /^(image|application|audio|video|text)\//;
  if (pathname.startsWith('/wp-content/')) return /^(text\/css|image\/svg)/;
  // WP: the address of a file in the library leads to the file.
  return /^(text\/html|image\/|application\/pdf|text\/plain)/;
}

/** What describes the interface, and not content: it names routes that take a signed-in caller, and more. */
const DESCRIBES = /^\/wp-json(\/[\w-]+\/(events\/)?v\d\/?|\/wp\/v2\/(types|taxonomies|statuses).*|\/?)$/;

/** Parts of `wp/v2` that links lead to and that this server says it does not have. */
const NOT_IMITATED = /^\/wp-json\/wp\/v2\/(posts|pages|tec_calendar_embed|\w+\/\d+\/revisions)\b/;

/** Addresses that differ by their numbers alone: days, months, pages. */
const shapeOf = (address: string): string => address.replace(/\d+/g, '0');

/** Of one shape, how many lists, and pages that other pages link to, are fetched. */
const MOST_ALIKE = 4;

/** Follows every address of the API, and every address that one of its pages links to. */
async function crawl(url: string): Promise<Map<string, Page>> {
  const seen = new Map<string, Page>();
  const alike = new Map<string, number>();
  // Months and days lead on for ever: what pages link to is fetched, not followed.
  const last = new Set<string>();
  const isTooMany = (address: string): boolean => {
    const shape = shapeOf(address);
    alike.set(shape, (alike.get(shape) ?? 0) + 1);
    return shape !== address && (alike.get(shape) ?? 0) > MOST_ALIKE;
  };
  const fromApi = ({ text, link }: Page): string[] =>
    [...stringsOf(JSON.parse(text)), link]
      .flatMap((each) => addressesIn(each, url))
      .filter((address) => !seen.has(address) && !(address.includes('/wp-json/') && address.includes('?') && isTooMany(address)));
  const fromPage = ({ text }: Page): string[] =>
    linksIn(parse(text) as Node)
      .map((link) => (link.startsWith('/') ? `${url}${link}` : link))
      .filter((address) => address.startsWith(`${url}/`) && !seen.has(address) && !isTooMany(address));
  const linkedFrom = (address: string, page: Page): string[] => {
    if (page.type.startsWith('application/json'))
      return page.status === 200 && !DESCRIBES.test(new URL(address).pathname) ? fromApi(page) : [];
    if (!page.type.startsWith('text/html') || last.has(address)) return [];
    const found = fromPage(page);
    for (const each of found) if (!each.includes('/wp-json')) last.add(each);
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

test('every address in an answer about published content leads to something of the right type', async () => {
  const { url } = server();
  const seen = await crawl(url);
  const path = (address: string): string => address.slice(url.length);
  // What a password protects is in the lists; alone it is shown to those who have the password.
  const guarded = [...seen].filter(([, { status, text }]) => status === 403 && text.includes('password'));
  expect(guarded.map(([address]) => path(address))).toEqual([expect.stringMatching(/^\/wp-json\/tribe\/events\/v1\/events\/\d+$/)]);
  for (const [address] of guarded) seen.delete(address);
  const wrong = [...seen].flatMap(([address, { status, type }]) =>
    (status === 200 || (status === 501 && NOT_IMITATED.test(path(address)))) && expectedType(address).test(type)
      ? []
      : [`${path(address)}: ${status} ${type}`],
  );
  expect(wrong).toEqual([]);
  const kinds = [
    '/event/',
    '/venue/',
    '/organizer/',
    '/events/category/',
    '/tag/',
    '/author/',
    '/wp-content/uploads/',
    '/wp-json/wp/v2/media/',
  ];
  expect(kinds.filter((kind) => ![...seen.keys()].some((address) => path(address).startsWith(kind)))).toEqual([]);
  expect([...seen.keys()].filter((address) => address.includes('ical=1')).length).toBeGreaterThan(10);
}, 60_000);
