import { type QuirkName } from '../../../../src/wordpress/quirks.js';
import type { ErrorBody, EventList, OrganizerList, Venue, VenueList } from '../../../../src/sdk/types/responses.js';
import { proof, slugsOf, event, outcome, tried, ids, type Proof } from './proof.js';

/** Lists, filters and their parameters. */
export const LIST_PROOFS = {
  'include-keeps-default-window': proof({
    ask: async (ask) => {
      const wanted = await Promise.all(['year-1943', 'series'].map((slug) => event(ask, slug)));
      const include = `include=${wanted.map(({ id }) => id).join(',')}`;
      return [await slugsOf(ask, include), await slugsOf(ask, `${include}&start_date=2030-01-01`)];
    },
    plugin: [['series'], ['series']],
    documented: [
      ['year-1943', 'series'],
      ['year-1943', 'series'],
    ],
  }),
  'sibling-dates-override': proof({
    ask: async (ask) => [
      await slugsOf(ask, 'categories=order&starts_after=2026-10-04&start_date=2026-10-06'),
      await slugsOf(ask, 'categories=order&ends_before=2026-10-04&end_date=2026-10-03'),
      await slugsOf(ask, 'categories=order&starts_before=2026-10-04&start_date=2026-10-05'),
    ],
    plugin: [
      ['same-title', 'same-title-2', 'same-title-3'],
      ['order-first', 'order-second', 'order-third', 'order-fourth', 'order-early-in-utc'],
      [],
    ],
    documented: [[], [], []],
  }),
  'only-first-tag-counts': proof({
    ask: async (ask) => [
      await slugsOf(ask, `tags=rock-roll,${encodeURIComponent('日本')}`),
      await slugsOf(ask, 'tags[]=rock-roll&tags[]=free'),
    ],
    plugin: [['half-way-down'], ['half-way-down']],
    documented: [
      ['deep-down', 'half-way-down'],
      ['locked-event', 'half-way-down'],
    ],
  }),
  'term-names-find-nothing': proof({
    ask: async (ask) => [
      await slugsOf(ask, 'tags=Twenty-six'),
      await slugsOf(ask, `categories=${encodeURIComponent('Other & more')}`),
      await tried(ask, 'GET', 'events?tags=Nobody'),
    ],
    plugin: [[], [], '400 rest_invalid_param'],
    documented: [['half-way-down'], ['half-way-down'], '400 rest_invalid_param'],
  }),
  'upcoming-looks-at-first-page': proof({
    ask: async ({ get }) => {
      const { venues } = (await get<VenueList>('venues?only_with_upcoming=1&per_page=50')).body;
      const { organizers } = (await get<OrganizerList>('organizers?only_with_upcoming=true&per_page=50')).body;
      return [...venues, ...organizers].map(({ slug }) => slug);
    },
    // The first ten events start at noon on 1 July, and have no venue.
    plugin: [],
    documented: [
      // Events from 10:00 on are listed: it is 12:00 in UTC and 09:30 at the site. Those of 09:00 are not.
      'only-a-name',
      'greenwich',
      'null-island',
      'taveuni-west',
      'taveuni-east',
      'south-pole',
      'beyond-the-pole',
      'north-pole',
      'locked-hall',
      'open-hall',
      ...Array.from({ length: 12 }, (_, index) => `guild-${String(12 - index).padStart(2, '0')}`),
      'locked-guild',
      'open-guild',
    ],
  }),
  'empty-search-counts-everything': proof({
    ask: async ({ get }) => {
      const totals = async (query: string): Promise<number[]> => {
        const { body, headers } = await get<VenueList>(query);
        return [body.venues.length, body.total, body.total_pages, Number(headers.get('x-tec-total'))];
      };
      return [await totals('venues?search=nothing-is-called-so'), await totals('venues?search=hidden-way')];
    },
    plugin: [
      [0, 12, 2, 12],
      [0, 12, 2, 12],
    ],
    documented: [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  }),
  'geoloc-is-ignored': proof({
    ask: async (ask) => [
      await slugsOf(ask, `venue=${(await ids(ask, 'south-pole'))[0]}&geoloc=true&geoloc_lat=90&geoloc_lng=0`),
      (await slugsOf(ask, 'categories=places&geoloc=true')).length,
      (await slugsOf(ask, 'categories=places&geoloc=true&geoloc_lat=-16.8&geoloc_lng=180')).length,
      await tried(ask, 'GET', 'events?geoloc=true&geoloc_lat=50'),
    ],
    plugin: [['at-south-pole'], 10, 10, '200'],
    documented: [[], 7, 2, '400 rest_invalid_param'],
  }),
  'coordinates-are-hidden': proof({
    ask: async (ask) => {
      const { geo_lat, geo_lng, json_ld } = (await ask.get<Venue>('venues/by-slug/open-hall')).body;
      const within = (await event(ask, 'at-open-hall')).venue as Venue;
      return [geo_lat, geo_lng, json_ld?.geo, within.geo_lat];
    },
    plugin: [undefined, undefined, undefined, undefined],
    documented: [50.9413, 6.9583, { '@type': 'GeoCoordinates', latitude: 50.9413, longitude: 6.9583 }, 50.9413],
  }),
  'ticketed-needs-plugin': proof<unknown[]>({
    ask: async (ask) => [
      await tried(ask, 'GET', 'events?ticketed=true'),
      await tried(ask, 'GET', 'events?ticketed=perhaps'),
      await slugsOf(ask, 'categories=tickets&ticketed=0'),
    ],
    plugin: [
      '400 rest_invalid_param',
      '400 rest_invalid_param',
      ['with-tickets', 'with-ticket-provider', 'without-tickets', 'with-tickets-and-cost'],
    ],
    documented: ['200', '400 rest_invalid_param', ['without-tickets']],
  }),
  'next-pages-forget-filters': proof({
    ask: async (ask) => {
      const nextOf = async (query: string): Promise<string[]> => {
        const { body } = await ask.get<EventList>(query);
        const given = new URL(body.next_rest_url ?? 'http://none').searchParams;
        return ['categories', 'tags', 'strict_dates', 'search', 'only_with_upcoming'].filter((name) => given.has(name));
      };
      return [
        await nextOf('events?per_page=1&categories=statuses,passwords&strict_dates=true'),
        await nextOf('events?per_page=1&tags=free'),
        await nextOf('venues?per_page=1&search=a'),
        await nextOf('organizers?per_page=1&only_with_upcoming=true'),
        await nextOf('events?per_page=1'),
      ];
    },
    plugin: [[], [], [], [], []],
    documented: [['categories', 'strict_dates'], ['tags'], ['search'], ['only_with_upcoming'], []],
  }),
  'status-any-is-refused': proof({
    ask: async (ask) => {
      const { body } = await ask.get<EventList>('events?per_page=1', 'admin');
      const next = body.next_rest_url?.replace(/^.*\/events\/\?/, 'events?') ?? '';
      return [
        next.includes('&status=any&'),
        await tried(ask, 'GET', next, 'admin'),
        await tried(ask, 'GET', next),
        await tried(ask, 'GET', 'venues?status=any,trash', 'admin'),
        await tried(ask, 'GET', 'venues?status=anything', 'admin'),
      ];
    },
    plugin: [true, ...Array<string>(4).fill('400 rest_invalid_param')],
    documented: [true, '200', '400 rest_invalid_param', '200', '400 rest_invalid_param'],
  }),
  'strict-dates-takes-text': proof({
    ask: async (ask) => {
      const route = `events?categories=days&start_date=${encodeURIComponent('2026-08-02 00:00:00')}&end_date=${encodeURIComponent('2026-08-03 00:00:00')}`;
      const sent = async (value: unknown): Promise<string> => {
        const { status, json } = await ask.raw(route, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ strict_dates: value }),
        });
        return status === 200 ? (json as EventList).events.map(({ slug }) => slug).join(' ') : outcome(status, json as ErrorBody);
      };
      return [
        await sent('true'),
        await sent(true),
        await sent(1),
        await sent(false),
        await sent(0),
        await tried(ask, 'GET', 'events?strict_dates=0'),
        await tried(ask, 'GET', 'events?strict_dates='),
        await sent(['true']),
      ];
    },
    plugin: ['over-midnight from-midnight', ...Array<string>(7).fill('400 rest_invalid_param')],
    documented: [
      'over-midnight from-midnight',
      'over-midnight from-midnight',
      'over-midnight from-midnight',
      'from-midnight no-time-at-all',
      'from-midnight no-time-at-all',
      '200',
      '200',
      '400 rest_invalid_param',
    ],
  }),
} satisfies Partial<Record<QuirkName, Proof>>;
