import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import { SaxesParser } from 'saxes';
import type { Server } from '../../../src/index.js';
import type { Event, EventList } from '../../../src/sdk/types/responses.js';
import { signIn } from '../../support/api.js';
import { EDGE } from '../../support/edge.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../conformance/world.json');

interface Feed {
  status: number;
  type: string | null;
  file: string | undefined;
  headers: Headers;
  text: string;
  /** Ids in the order of the file. */
  ids: number[];
}

/** Requests an address, and parses a calendar response. */
async function read(server: Server, address: string, method = 'GET'): Promise<Feed> {
  const answer = await fetch(`${server.url}${address}`, { method, redirect: 'manual' });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    file: /filename="(.*)"$/.exec(answer.headers.get('content-disposition') ?? '')?.[1],
    headers: answer.headers,
    text,
    ids: [...text.matchAll(/^UID:(\d+)-/gm)].map(([, id]) => Number(id)),
  };
}

const json = async <T>(server: Server, route: string): Promise<T> =>
  (await (await fetch(`${server.restUrl}/tribe/events/v1/${route}`)).json()) as T;

/** All events that the API shows to everyone, including those hidden from its lists. */
async function allEvents(server: Server, hidden: string[]): Promise<Event[]> {
  const events: Event[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = await json<EventList>(server, `events?per_page=50&start_date=1000-01-01&end_date=9999-12-31&page=${page}`);
    events.push(...list.events);
    pages = list.total_pages;
  }
  return [...events, ...(await Promise.all(hidden.map((slug) => json<Event>(server, `events/by-slug/${slug}`))))];
}

const utc = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

const nextDay = (wall: string): string => utc(new Date(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) + 86_400_000)).slice(0, 10);

/** Times of an event in the API, as dates for all-day events where the calendar uses dates. */
const expected = ({ all_day, start_date, end_date, utc_start_date, utc_end_date }: Event, inDays: boolean): (string | null)[] =>
  inDays && all_day ? [(start_date ?? '').slice(0, 10), nextDay(end_date ?? '')] : [utc_start_date, utc_end_date];

/** Times in a calendar file, read with node-ical, which uses the names of time zones. */
function byNames(text: string): string[] {
  const event = Object.values(ical.sync.parseICS(text)).find((part): part is VEvent => part.type === 'VEVENT')!;
  return [event.start, event.end].map((moment) => (event.datetype === 'date' ? dayOf(moment) : utc(moment)));
}

/** Times in a calendar file, read with ical.js, which uses the file's time zone definitions. */
function byDescriptions(text: string): string[] {
  const event = new ICAL.Component(ICAL.parse(text) as unknown[]).getFirstSubcomponent('vevent');
  return ['dtstart', 'dtend'].map((name) => {
    const time = (event?.getFirstPropertyValue(name) ?? event?.getFirstPropertyValue('dtstart')) as InstanceType<typeof ICAL.Time>;
    return time.isDate ? time.toString() : utc(new Date(time.toUnixTime() * 1000));
  });
}

const plugin = startTestServer({ dataset: WORLD });
const standard = startTestServer({ dataset: WORLD, profile: 'standard' });
// Under `tec`, the feed has zone names that parsers do not know, and ambiguous local times. node-ical has the zone data of 2025.
const edge = startTestServer({ dataset: EDGE, profile: 'standard', zones: '2025b' });

test.each([
  ['the plugin ends it when it starts', plugin, ['DTSTART', 'DTEND']],
  ['standard leaves out the end, which would have to be later', standard, ['DTSTART']],
] as const)('an event without a duration: %s', async (_, server, names) => {
  const body = JSON.stringify({ title: 'Doors open', start_date: '2026-08-01 19:00:00', end_date: '2026-08-01 19:00:00' });
  const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
  const created = await fetch(`${server().restUrl}/tribe/events/v1/events`, { method: 'POST', headers, body });
  const { url } = (await created.json()) as Event;
  const { text } = await read(server(), `${new URL(url).pathname}?ical=1`);
  await server().reset();
  expect(text.match(/^DT(?:START|END)(?=;TZID)/gm)).toEqual(names);
});

describe.each([
  ['the recorded world, as the plugin', plugin, ['hidden-from-lists']],
  ['the recorded world', standard, ['hidden-from-lists']],
  ['the hard cases', edge, []],
] as const)('calendars: %s', (_, server, hidden) => {
  const isStandard = server !== plugin;

  test('every event has the start and end that the API returns', async () => {
    const events = await allEvents(server(), [...hidden]);
    expect(events.length).toBeGreaterThan(50);
    const feeds = await Promise.all(events.map(({ url }) => read(server(), `${new URL(url).pathname}?ical=1`)));
    const found = feeds.map(({ text, ids }) => ({ ids, named: byNames(text), described: isStandard && byDescriptions(text) }));
    expect(found).toEqual(
      events.map((event) => {
        const when = expected(event, isStandard);
        return { ids: [event.id], named: when, described: isStandard && when };
      }),
    );
  });

  test('the list and the past list contain every event of the API', async () => {
    // TEC: each page starts ten events after the previous one, but has up to thirty events.
    const pages = isStandard ? [1] : [1, 2, 3, 4, 5];
    const addresses = pages.flatMap((page) => ['', '&eventDisplay=past'].map((past) => `/events/list/page/${page}/?ical=1${past}`));
    const feeds = await Promise.all(addresses.map((address) => read(server(), address)));
    const ids = (await allEvents(server(), [])).map(({ id }) => id);
    expect([...new Set(feeds.flatMap((feed) => feed.ids))].sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
    if (isStandard) expect(feeds[0].text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  });
});

describe('events of a calendar', () => {
  const CATEGORY = [35, 37, 43, 52, 55, 80, 86];
  /** Without past events. */
  const JUNE = [35, 38, 36, 37, 39, 42, 40, 43, 41, 44, 45, 46];
  const JULY = [52, 53, 54, 55, 56, 57, 58, 60, 61, 64, 66, 67, 68, 69, 70, 71, 62, 72, 73, 63, 80, 81, 82, 83, 84];

  /** Ids, or status and content type of a response that is not a calendar. */
  const asked = async (of: Server, address: string): Promise<number[] | string> => {
    const { status, type, ids, text } = await read(of, address);
    return text.startsWith('BEGIN:VCALENDAR') ? ids : `${status} ${type?.split(';')[0]}`;
  };

  const lists = { general: [] as string | number[], all: [] as string | number[] };

  beforeAll(async () => {
    lists.general = await asked(plugin(), '/events/?ical=1');
    lists.all = await asked(standard(), '/events/?ical=1');
  });

  test('a list has thirty events, or all under the standard profile', () => {
    expect(Object.values(lists).map((ids) => ids.length)).toEqual([30, 47]);
  });

  test('under the standard profile, a list comes in parts of a requested size, each with a link to the next', async () => {
    const parts: number[][] = [];
    let address: string | undefined = '/events/list/page/2/?ical=1&per_page=20';
    while (address !== undefined) {
      const { ids, headers }: Feed = await read(standard(), address);
      parts.push(ids);
      address = /^<http:\/\/[^/]+(\/.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(parts.map(({ length }) => length)).toEqual([20, 20, 7]);
    expect(parts.flat()).toEqual(lists.all);
  });

  test('under the profile of the plugin, the size cannot be requested', async () => {
    const { ids, headers } = await read(plugin(), '/events/?ical=1&per_page=20');
    expect([ids.length, headers.get('link')]).toEqual([30, null]);
  });

  test.each([
    ['/event/winter-gala/?ical=1', [31], [31]],
    ['/event/password-soiree/?ical=1', [80], [80]],
    ['/event/hidden-from-lists/?ical=1', [65], [65]],
    ['/event/festival/?ical=1', '301 text/html', '301 text/html'],
    ['/event/festival-week/ical/', 'general', [35]],
    ['/event/festival-week/?ical', 'general', [35]],
    ['/event/festival-week/?ical=yes', 'general', [35]],
    ['/event/festival-week/?outlook-ical=1', 'general', [35]],
    ['/event/festival-week/?ical=0', 'general', '200 text/html'],
    ['/event/board-meeting/?ical=1', 'general', '404 text/html'],
    ['/event/no-such-event/?ical=1', 'general', '404 text/html'],
    ['/hello-world/?ical=1', 'general', '200 text/html'],
    ['/?ical=1', 'general', 'all'],
    ['/events/ical/', 'general', 'all'],
    ['/events/list/ical/', '404 text/html', '404 text/html'],
    ['/events/month/ical/', '404 text/html', '404 text/html'],
    ['/events/category/music/list/ical/', '404 text/html', '404 text/html'],
    ['/events/category/music/rock/ical/', [35, 52, 86], [35, 52, 86]],
    ['/events/featured/ical/', [35, 67, 80, 50], [35, 67, 80, 50]],
    ['/events/2026-06-22/ical/', [40, 41], [40, 41]],
    ['/venue/riverside-hall/?ical=1', 'general', [39, 40, 52, 87, 47, 50]],
    ['/organizer/music-guild/?ical=1', 'general', [35, 37, 80, 47, 50]],
    ['/events/category/music/?ical=1', CATEGORY, CATEGORY],
    ['/events/category/music/ical/', CATEGORY, CATEGORY],
    ['/events/category/music/rock/?ical=1', [35, 52, 86], [35, 52, 86]],
    ['/events/category/never-used/?ical=1', '200 text/html', []],
    ['/events/category/no-such-category/?ical=1', '404 text/html', '404 text/html'],
    ['/events/tag/live/?ical=1', [35, 37, 42, 43, 80, 86], [35, 37, 42, 43, 80, 86]],
    ['/events/2026-07/?ical=1', JULY, JULY],
    ['/events/month/?ical=1&tribe-bar-date=2026-07-04', JULY, JULY],
    ['/events/month/?ical=1', JUNE, JUNE],
    ['/events/list/page/5/?ical=1', [89, 90, 47, 48, 49, 50, 51], 'all'],
    ['/events/featured/?ical=1', [35, 67, 80, 50], [35, 67, 80, 50]],
    ['/?tribe_events=bake-sale&ical=1', [38], [38]],
    ['/events/today/?ical=1', [35, 38, 36, 37], [35, 38, 36, 37]],
    ['/events/2026-06-22/?ical=1', [40, 41], [40, 41]],
    ['/events/?ical=1&eventDisplay=past', [34, 33, 32, 31], [34, 33, 32, 31]],
    ['/events/?ical=1&tribe-bar-date=2027-01-01', [48, 49, 50, 51], [48, 49, 50, 51]],
    ['/events/?ical=1&tribe-bar-search=weekly%20meetup', [61, 62, 63], [61, 62, 63]],
    ['/events/list/page/9/?ical=1', '200 text/html', 'all'],
    ['/events/?ical=1&featured=1', [35, 67, 80, 50], [35, 67, 80, 50]],
    ['/events/?ical=1&eventDisplay=day&eventDate=2026-07-01', [52], [52]],
    ['/events/month/?ical=1&eventDisplay=day&eventDate=2026-07-01', [52], [52]],
    ['/events/?ical=1&eventDisplay=month&eventDate=2026-07', JULY, JULY],
    ['/events/?ical=1&eventDate=2027-01-01', [48, 49, 50, 51], [48, 49, 50, 51]],
    ['/events/?ical=1&tribe_event_display=past', [34, 33, 32, 31], [34, 33, 32, 31]],
    ['/events/category/music/day/2026-07-01/?ical=1', [52], [52]],
    ['/events/category/music/2026-07-01/?ical=1', [52], [52]],
    ['/events/category/music/featured/?ical=1', [35, 80], [35, 80]],
    ['/events/tag/live/day/2026-06-19/?ical=1', [42], [42]],
    ['/events/?ical=1&tag=live', [35, 37, 42, 43, 80, 86], [35, 37, 42, 43, 80, 86]],
    ['/events/?ical=1&tribe_events_cat=music', CATEGORY, CATEGORY],
    ['/events/category/rock,fuer-kinder/?ical=1', [35, 52, 67, 72, 86], [35, 52, 67, 72, 86]],
    ['/events/?ical=1&tribe_events_cat[]=rock&tribe_events_cat[]=fuer-kinder', [35, 52, 67, 72, 86], [35, 52, 67, 72, 86]],
    ['/?post_type=tribe_events&ical=1&eventDisplay=past', [34, 33, 32, 31], [34, 33, 32, 31]],
    ['/?post_type=tribe_events&tribe_events_cat=rock,fuer-kinder&ical=1', [35, 52, 67, 72, 86], [35, 52, 67, 72, 86]],
    ['/?post_type=tribe_events&tribe_events_cat=music&ical=1', '301 text/html', '301 text/html'],
    ['/?tag=live&ical=1', '301 text/html', '301 text/html'],
    ['/?tribe_events_cat=nope&ical=1', '404 text/html', '404 text/html'],
    ['/events/category/music/month/2026-07/?ical=1', '404 text/html', '404 text/html'],
    // Months and days before the first event, and after the last.
    ['/events/2024-12/?ical=1', '404 text/html', '404 text/html'],
    ['/events/month/2024-12/?ical=1', '404 text/html', '404 text/html'],
    ['/events/2025-01-17/?ical=1', '404 text/html', '404 text/html'],
    ['/events/2025-01-18/?ical=1', [31], [31]],
    ['/events/2025-02/?ical=1', '200 text/html', []],
    ['/events/2031-01/?ical=1', '404 text/html', '404 text/html'],
    ['/events/feed/?ical=1', 'general', '404 text/html'],
  ])('%s', async (address, recorded, documented) => {
    const named = (answer: string | number[]): string | number[] => lists[answer as keyof typeof lists] ?? answer;
    expect(await asked(plugin(), address)).toEqual(named(recorded));
    expect(await asked(standard(), address)).toEqual(named(documented));
  });

  test.each(['/events/?ical=1&tribe-bar-search=no-such-word', '/events/category/nope/?ical=1'])('%s has no content', async (address) => {
    const { type, text, headers } = await read(plugin(), address);
    expect([type, text]).toEqual(['text/html; charset=UTF-8', '']);
    expect(['link', 'x-tec-api-root', 'x-robots-tag'].map((name) => headers.get(name))).toEqual([null, null, 'noindex, nofollow']);
  });

  test('a calendar that a query names alone moves to its list, with its headers', async () => {
    const { status, headers } = await read(plugin(), '/?post_type=tribe_events&tribe_events_cat=rock&ical=1&x=a+b');
    expect([status, headers.get('location')]).toEqual([
      301,
      `${plugin().url}/events/category/music/rock/?post_type=tribe_events&ical=1&x=a%20b`,
    ]);
    expect(['x-redirect-by', 'x-robots-tag'].map((name) => headers.get(name))).toEqual(['WordPress', 'noindex, nofollow']);
  });

  test('the file name describes the events', async () => {
    const files = await Promise.all(
      ['/events/?ical=1', '/events/list/?outlook-ical=1', '/event/nope/?ical', '/events/month/?ical=1'].map((address) =>
        read(plugin(), address),
      ),
    );
    const [list, outlook, nope, month] = files.map(({ file }) => file);
    expect(list).toMatch(/^town-calendar-[\da-f]{11}\.ics$/);
    expect(nope).toBe(list);
    // TEC: the file name depends on the view.
    expect([outlook, month]).not.toContain(list);
  });

  test.each(['/events/?ical=1', '/events/?ical', '/event/no-such-event/?ical=1', '/events/category/never-used/?ical=1'])(
    'HEAD returns the headers of GET without a body: %s',
    async (address) => {
      const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => read(plugin(), address, method)));
      const headers = ({ headers: all }: Feed): object =>
        Object.fromEntries(
          [...all].filter(([name]) => !['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'].includes(name)),
        );
      expect(head.text).toBe('');
      expect({ ...headers(head), status: head.status }).toEqual({ ...headers(get), status: get.status });
    },
  );

  test.each<[address: string, status: number, robots: string | null, isCached: boolean]>([
    ['/event/festival-week/?ical=1', 200, 'noindex, nofollow', true],
    ['/event/password-soiree/?ical=1', 200, 'noindex, nofollow', false],
    ['/event/festival-week?ical=1', 301, 'noindex, nofollow', true],
    ['/event/festival-week?ical', 301, null, true],
    ['/?p=35&ical=1', 301, 'noindex, nofollow', false],
    ['/?p=35', 301, null, false],
  ])('headers of %s', async (address, status, robots, isCached) => {
    const { status: sent, headers } = await read(plugin(), address);
    expect([sent, headers.get('x-robots-tag'), headers.get('expires') === null]).toEqual([status, robots, isCached]);
  });

  test('calendars omit protected content', async () => {
    const { text } = await read(standard(), '/event/password-soiree/?ical=1');
    expect(text).toContain('DESCRIPTION:Content is protected.');
    expect(text).not.toMatch(/^(?:LOCATION|ORGANIZER|ATTACH)/m);
  });
});

describe('RSS', () => {
  /** Texts of child elements by name, in document order. */
  type Texts = Record<string, string[]>;

  /** Parses a feed with an XML parser, which throws if the XML is invalid. */
  function parseRss(text: string): { channel: Texts; items: Texts[] } {
    const channel: Texts = {};
    const items: Texts[] = [];
    const open: string[] = [];
    let within = '';
    const parser = new SaxesParser();
    const add = (part: string): void => void (within += part);
    parser.on('text', add);
    parser.on('cdata', add);
    parser.on('opentag', ({ name }) => {
      open.push(name);
      if (name === 'item') items.push({});
      within = '';
    });
    parser.on('closetag', ({ name }) => {
      open.pop();
      const isPart = open.at(-1) === 'item' || open.at(-1) === 'channel';
      if (isPart && name !== 'item') ((open.includes('item') ? items.at(-1) : channel)![name] ??= []).push(within);
    });
    parser.write(text).close();
    return { channel, items };
  }

  async function rss(of: Server, address: string): Promise<ReturnType<typeof parseRss> & { type: string | null; text: string }> {
    const { type, text } = await read(of, address);
    return { ...parseRss(text), type, text };
  }

  test('its pages contain the events that API lists show, dated by their start', async () => {
    const further = [2, 3, 4, 5].map((page) => `/events/feed/?paged=${page}`);
    const addresses = ['/events/feed/', '/events/feed/?eventDisplay=past', ...further];
    const feeds = await Promise.all(addresses.map((address) => rss(standard(), address)));
    expect(feeds.map(({ items }) => items.length).slice(0, 2)).toEqual([10, 4]);
    const found = feeds.flatMap(({ items }) => items.map(({ link, guid, pubDate }) => [...link, ...guid, utc(new Date(pubDate[0]))]));
    const events = await allEvents(standard(), []);
    expect(found.sort()).toEqual(events.map(({ url, utc_start_date: start }) => [url, url, start]).sort());
  });

  test('names the site, the period and the language', async () => {
    const { type, channel, text } = await rss(standard(), '/events/category/music/feed/');
    expect(type).toBe('application/rss+xml; charset=UTF-8');
    expect(channel).toMatchObject({
      link: [standard().url],
      language: ['en-US'],
      // TEC: the arrow follows the last category, too.
      title: ['Events from June 15 – June 19 › Music ›  – Town Calendar'],
    });
    expect(text).toContain(`<atom:link href="${standard().url}/events/category/music/feed/" rel="self" type="application/rss+xml" />`);
  });

  test('has titles as text and content as sanitized HTML', async () => {
    const { items } = await rss(standard(), '/events/feed/?tribe-bar-search=quotes');
    const { url, title } = await json<Event>(standard(), 'events/58');
    expect(title).toContain('&#');
    expect(items.map(({ link }) => link[0])).toEqual([url]);
    expect(items[0].title[0]).not.toMatch(/[<>]|&\w+;/);
  });

  test('contains only public content', async () => {
    const { items, text } = await rss(standard(), '/tag/live/feed/');
    const soiree = items.find(({ link }) => link[0].endsWith('/password-soiree/'));
    expect(soiree?.description).toEqual(['There is no excerpt because this is a protected post.']);
    expect(soiree?.['content:encoded'][0]).toContain('<form action=');
    expect(text).not.toContain('board-meeting');
  });

  test.each<[string, number, string | null]>([
    ['/events/feed', 200, null],
    ['/events/feed/rss2/', 200, null],
    ['/events/?feed=rss2&paged=2', 200, null],
    ['/events/featured/?feed=rss2', 200, null],
    ['/tag/live/?feed=rss', 200, null],
    ['/events/list/feed/', 200, null],
    ['/events/feed/?feed=rss2', 200, null],
    ['/events/category/music/rock/feed/', 200, null],
    ['/events/category/never-used/feed/', 200, null],
    ['/events/category/no-such-category/feed/', 200, null],
    ['/tag/no-such-tag/feed/', 200, null],
    ['/events/month/feed/', 200, null],
    ['/events/list/page/2/feed/', 404, null],
    ['/events/feed/rdf/', 200, null],
    ['/venue/riverside-hall/feed/', 404, null],
  ])('%s: %i', async (address, status, location) => {
    const answer = await fetch(`${standard().url}${address}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location && `${standard().url}${location}`]);
    if (status === 200) expect(parseRss(await answer.text()).channel.title).toHaveLength(1);
  });

  test.each([
    ['/', []],
    ['/events/', ['Town Calendar » Events Feed', '/events/feed/']],
    ['/events/month/', ['Town Calendar » Events Feed', '/events/feed/']],
    ['/events/category/music/rock/', ['Town Calendar » Events Feed', '/events/feed/']],
    ['/events/tag/live/', ['Town Calendar » Events Feed', '/events/feed/']],
    ['/tag/live/', ['Town Calendar » Live! Tag Feed', '/tag/live/feed/']],
    ['/category/uncategorized/', ['Town Calendar » Uncategorized Category Feed', '/category/uncategorized/feed/']],
    ['/author/admin/', ['Town Calendar » Posts by Ada Admin Feed', '/author/admin/feed/']],
    ['/?s=river', ['Town Calendar » Search Results for “river” Feed', '/search/river/feed/rss2/']],
    ['/hello-world/', ['Town Calendar » Hello world! Comments Feed', '/hello-world/feed/']],
    ['/event/festival-week/', []],
    ['/nothing/', []],
  ])('%s links to the feeds of the site, and to %j', async (address, own) => {
    const { text } = await read(standard(), address);
    const feeds = [...text.matchAll(/<link rel="alternate" type="application\/rss\+xml" title="([^"]+)" href="([^"]+)"/g)];
    const found = feeds.flatMap(([, title, href]) => [title, href.replace(standard().url, '')]);
    expect(found).toEqual(['Town Calendar » Feed', '/feed/', 'Town Calendar » Comments Feed', '/comments/feed/', ...own]);
  });
});

describe('a calendar of a list of many events', () => {
  const events = Array.from({ length: 520 }, (_, index) => ({ title: `Event ${index}`, start: '2026-07-01 10:00', duration: '1h' }));
  const many = startTestServer({ dataset: { events }, profile: 'standard', now: '2026-06-15T12:00:00Z' });

  test.each([
    ['', 250],
    ['&per_page=300', 300],
    ['&per_page=1000', 500],
  ])('?ical=1%s has %i events', async (query, count) => {
    const { text } = await http('GET', `${many().url}/events/list/?ical=1${query}`);
    expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(count);
  });
});
