import { jest } from '@jest/globals';
import fc from 'fast-check';
import { EFFORT } from '../../support/effort.js';
import { WORLD } from '../../support/plan.js';
import { startTestServer } from '../../support/server.js';

/* At every time of the clock, a cached response is the response that the server makes at that time. */

const START = Date.parse('2026-06-15T12:00:00Z');
const EVENTS = '/wp-json/tribe/events/v1/events';
const TEC = '/wp-json/tec/v1';

const PATHS = [
  EVENTS,
  `${EVENTS}?per_page=50&page=2`,
  `${EVENTS}?start_date=2026-06-20`,
  `${EVENTS}?start_date=2026-06-20&end_date=2026-09-20`,
  `${EVENTS}?start_date=today`,
  `${EVENTS}?starts_after=tomorrow`,
  `${EVENTS}?ends_before=2027-01-01T10:00:00Z`,
  `${EVENTS}?start_date=09:30`,
  `${EVENTS}?start_date=0`,
  `${EVENTS}?strict_dates=true`,
  `${EVENTS}?strict_dates=true&start_date=2026-06-20`,
  `${EVENTS}?strict_dates=true&start_date=2026-06-20&end_date=2026-12-31+10:00:00`,
  `${EVENTS}?include=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15`,
  `${EVENTS}?status=publish&featured=true`,
  `${TEC}/events`,
  `${TEC}/events?start_date=2026-06-20`,
  `${TEC}/events?starts_after=now`,
  `${TEC}/events?starts_after=%2B2+days`,
  '/wp-json/tribe/events/v1/venues',
  '/wp-json/tribe/events/v1/venues?only_with_upcoming=true',
  '/wp-json/tribe/events/v1/',
  '/wp-json/',
  '/wp-json/wp/v2/tribe_events',
  '/wp-json/wp/v2/posts',
  '/wp-json/wp/v2/search?search=a',
  '/',
  '/events/',
  '/events/month/',
  '/events/today/',
  '/events/list/?eventDisplay=past',
  '/events/?ical=1',
  '/events/feed/',
  '/feed/',
  '/wp-sitemap.xml',
] as const;

/** Times around which something changes: days in UTC and on the site, years, and the ends of daylight saving time in New York. */
const EDGES = [
  '2026-06-16T00:00:00Z',
  '2026-06-16T04:00:00Z',
  '2027-01-01T00:00:00Z',
  '2027-01-01T05:00:00Z',
  '2026-11-01T04:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-08T07:00:00Z',
  '2028-02-29T00:00:00Z',
].map((text) => Date.parse(text));

const zones = ['America/New_York', 'Asia/Kathmandu', 'Atlantic/Azores', 'Africa/Casablanca'];

describe.each(zones)('%s', (timezone) => {
  const server = startTestServer({ dataset: WORLD, now: new Date(START).toISOString(), profile: 'standard', journal: 0 });
  let own: string[] = [];
  /** Starts and ends of events. */
  let moments: number[] = [];

  beforeAll(async () => {
    const { site } = server();
    await site.store.options.updateMany({ _id: 'timezone_string' }, { $set: { value: timezone } });
    await site.reload();
    const posts = await site.store.posts.find({ type: 'tribe_events', status: 'publish' }).toArray();
    moments = posts.flatMap(({ occurrence }) =>
      occurrence ? [occurrence.startUtc, occurrence.endUtc, occurrence.start, occurrence.end].map((text) => Date.parse(`${text}Z`)) : [],
    );
    own = posts.slice(0, 12).flatMap(({ _id, slug }) => [`${EVENTS}/${_id}`, `${TEC}/events/${_id}`, `/event/${slug}/`]);
  });

  // How a body is compressed shows whether it is cached.
  const read = async (path: string, headers: Record<string, string> = {}): Promise<object> => {
    const response = await fetch(`${server().url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' });
    const kept = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers: kept, text: await response.text() };
  };

  const step = fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((seconds) => ({ by: 1_000 * seconds })),
    fc.integer({ min: -90_000_000, max: 90_000_000 }).map((by) => ({ by })),
    fc.record({ edge: fc.nat(), off: fc.constantFrom(-1_000, -1, 0, 1, 1_000) }),
    fc.record({ moment: fc.nat(), off: fc.constantFrom(-1_000, -1, 0, 1, 1_000) }),
  );

  test(
    'random steps of the clock',
    async () => {
      const { clock } = server().site;
      const before = server().site.store.memory.responses.hits;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 4, maxLength: 12 }),
          fc.array(fc.nat(), { minLength: 4, maxLength: 6 }),
          async (steps, which) => {
            clock.freeze(START);
            const all = [...PATHS, ...own];
            const paths = which.map((each) => all[each % all.length]);
            await Promise.all(paths.map((path) => read(path)));
            for (const each of steps) {
              if ('by' in each) clock.set(clock.now() + each.by);
              else if ('edge' in each) clock.set(EDGES[each.edge % EDGES.length] + each.off);
              else clock.set(moments[each.moment % moments.length] + each.off);
              for (const path of paths) expect([path, await read(path)]).toEqual([path, await read(path, { cookie: 'a=b' })]);
            }
          },
        ),
        { numRuns: 4 * EFFORT },
      );
      expect(server().site.store.memory.responses.hits).toBeGreaterThan(before);
    },
    60_000 * EFFORT,
  );

  test('scheduled posts are published when they are due', async () => {
    const { clock, store } = server().site;
    clock.freeze(START);
    const list = '/wp-json/wp/v2/posts';
    const [post] = await store.posts.find({ type: 'post', status: 'publish' }).toArray();
    await read(list);
    await store.changePost(post._id, (current) => ({ ...current, status: 'future', dateGmt: '2026-06-15 12:00:05' }));
    const ids = async (): Promise<number[]> => {
      const { text } = (await read(list)) as { text: string };
      return (JSON.parse(text) as { id: number }[]).map(({ id }) => id);
    };
    expect(await ids()).not.toContain(post._id);
    clock.set(START + 4_999);
    expect(await ids()).not.toContain(post._id);
    clock.set(START + 5_000);
    expect(await ids()).toContain(post._id);
  });
});

describe('what is made once', () => {
  const server = startTestServer({ dataset: WORLD, now: new Date(START).toISOString(), journal: 0 });

  test.each([
    [EVENTS, '2026-06-15T00:00:00Z', '2026-06-16T00:00:00Z'],
    [`${EVENTS}?start_date=2026-06-20&categories=music`, '2026-06-15T00:00:00Z', '2026-06-16T00:00:00Z'],
    [`${EVENTS}?start_date=2026-06-20&end_date=2026-12-01`, '2026-05-01T00:00:00Z', '2026-06-25T00:00:00Z'],
    ['/wp-json/tribe/events/v1/venues', '2026-05-01T00:00:00Z', '2026-06-25T00:00:00Z'],
    ['/wp-json/wp/v2/posts', '2026-05-01T00:00:00Z', '2026-06-25T00:00:00Z'],
  ])('%s', async (path, from, until) => {
    const { clock, store } = server().site;
    const { responses } = store.memory;
    const read = async (): Promise<void> => void (await (await fetch(`${server().url}${path}`)).text());
    clock.freeze(START);
    await read();
    const isKept = async (at: number): Promise<boolean> => {
      clock.set(at);
      const entry = jest.spyOn(responses, 'set');
      await read();
      const isMade = entry.mock.calls.length > 0;
      entry.mockRestore();
      return !isMade;
    };
    expect([await isKept(Date.parse(from)), await isKept(Date.parse(until) - 1), await isKept(START)]).toEqual([true, true, true]);
  });
});
