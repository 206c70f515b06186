import { NOW, RARE_WORD, WORDS } from './data.mjs';

/**
 * The measured rows. `measure.mjs` treats all of them in the same way.
 * @typedef {import('./load.mjs').Request} Request
 * @typedef {{ name: string, tasks: (n: number) => Request[], target?: number, peer?: (n: number) => string, most?: number, connections?:
 * number, ownBytes?: boolean, extra?: boolean, }} Row `tasks`: the requests with number n, from 0, one after the other; `target`: the
 * largest multiple of the bare server at 10,000 events; `peer`: the same request to json-server; `most`: how many numbers there are;
 * `ownBytes`: compared with the bare server that sends this response, not the default list; `extra`: only shown on request
 */

const CALENDAR = '/wp-json/tribe/events/v1';
const HOUR = 3_600_000;
/** Starts of lists: hours from `NOW`, all over the calendar. Steps of the golden ratio never meet an earlier one. */
const HOURS = { first: -170 * 24, count: 750 * 24 };
const GOLDEN = 0.618_033_988_75;

const hourOf = (n) => HOURS.first + Math.floor(((n * GOLDEN) % 1) * HOURS.count);
const startOf = (n) => new Date(Date.parse(NOW) + hourOf(n) * HOUR).toISOString().slice(0, 19).replace('T', '+');

/** Parts of words, from four letters on: all of them are found, and each finds other events. */
const FRAGMENTS = [
  ...new Set(
    WORDS.flatMap((word) =>
      Array.from({ length: word.length }, (_, from) => from).flatMap((from) =>
        Array.from({ length: Math.max(0, word.length - from - 3) }, (_, more) => word.slice(from, from + 4 + more)),
      ),
    ),
  ),
].sort((a, b) => a.length - b.length || a.localeCompare(b));

const get = (path) => [{ path: CALENDAR + path }];
const list = (query) => (n) => get(`/events?${query === '' ? '' : `${query}&`}_=${n}`);

const newEvent = ({ categories, tags, venues, organizers }, n) =>
  JSON.stringify({
    title: `Bench event ${n}`,
    description: 'An evening of "music" -- with friends.\n\nBring a chair.',
    start_date: '2026-09-01 19:00:00',
    end_date: '2026-09-01 22:00:00',
    cost: '12',
    categories: [categories[0]],
    tags: [tags[0]],
    venue: venues[3],
    organizer: [organizers[3]],
  });

/** Text of a post of 60 blocks, 20 of them in others. */
const BLOCKS = [
  '<!-- wp:heading {"style":{"elements":{"link":{"color":{"text":"#123456"}}}}} --><h2>Garden</h2><!-- /wp:heading -->',
  '<!-- wp:group {"layout":{"type":"constrained"},"style":{"spacing":{"blockGap":"1rem"}}} --><div class="wp-block-group">',
  '<!-- wp:paragraph {"style":{"typography":{"fontSize":"22px"}}} --><p style="font-size:22px">Bring a chair.</p><!-- /wp:paragraph -->',
  '</div><!-- /wp:group -->',
].join('');

/** The reads that are always shown. @returns {Row[]} */
const mainReads = ({ ids, pages, peerIds }) => {
  const published = ids.events.filter((_, i) => i % 10 !== 9);
  const single = (n) => published[(n * 7) % published.length];
  return [
    { name: 'cached list', target: 1.5, tasks: () => get('/events'), peer: () => '/events?_limit=10' },
    {
      name: 'cached single event',
      target: 1.5,
      ownBytes: true,
      tasks: () => get(`/events/${published[5]}`),
      peer: () => `/events/${peerIds[5]}`,
    },
    { name: 'default list, uncached', target: 12, tasks: list(''), peer: () => '/events?_limit=10' },
    {
      name: 'list from a new start date each time',
      target: 12,
      tasks: (n) => get(`/events?start_date=${startOf(n)}`),
      peer: (n) => `/events?start_date_gte=${startOf(n)}&_sort=start_date&_limit=10`,
    },
    {
      name: `page 1 to ${pages}`,
      target: 12,
      // 211 is a prime: every page once before one comes again.
      tasks: (n) => get(`/events?page=${((n * 211) % pages) + 1}&_=${n}`),
      peer: (n) => `/events?_page=${((n * 211) % pages) + 1}&_limit=10`,
    },
    {
      name: 'category from a new start date each time',
      target: 12,
      tasks: (n) => get(`/events?categories=category-3&start_date=${startOf(n)}`),
    },
    {
      name: 'search, a new text each time',
      target: 60,
      most: FRAGMENTS.length,
      tasks: (n) => get(`/events?search=${FRAGMENTS[n]}`),
      peer: (n) => `/events?q=${FRAGMENTS[n]}&_limit=10`,
    },
    {
      name: 'single event, uncached',
      target: 8,
      most: published.length,
      tasks: (n) => get(`/events/${single(n)}`),
      peer: (n) => `/events/${peerIds[(n * 7) % peerIds.length]}`,
    },
    { name: 'venues, uncached', target: 12, tasks: (n) => get(`/venues?_=${n}`), peer: () => '/venues?_limit=10' },
    { name: 'list of 50 events, uncached', target: 40, tasks: list('per_page=50'), peer: () => '/events?_limit=50' },
  ];
};

/** The writes that are always shown. @returns {Row[]} */
const mainWrites = ({ ids, headers }) => [
  {
    name: 'create an event',
    target: 30,
    tasks: (n) => [{ method: 'POST', path: `${CALENDAR}/events`, headers, body: newEvent(ids, n) }],
  },
  {
    name: 'reset, then the default list',
    target: 25,
    connections: 1,
    tasks: () => [{ method: 'POST', path: '/__qa/reset' }, ...get('/events')],
  },
];

/** Further rows: each filter, and the other routes. @returns {Row[]} */
const extraReads = ({ ids }) => {
  const { events, venues, organizers, tags } = ids;
  const filters = {
    end_date: 'end_date=2026-08-01',
    'start_date + end_date': 'start_date=2027-01-01&end_date=2027-01-31',
    strict_dates: 'start_date=2027-01-01+10:00&strict_dates=true',
    starts_before: 'starts_before=2026-03-01',
    starts_after: 'starts_after=2027-01-01',
    ends_before: 'ends_before=2026-03-01',
    ends_after: 'ends_after=2027-01-01',
    'all dates': 'starts_after=2026-07-01&starts_before=2027-07-01&ends_after=2026-08-01&ends_before=2027-06-01',
    'search, the same text': 'search=garden',
    'search, a rare word': `search=${RARE_WORD}`,
    'search, nothing found': 'search=xyzzy',
    'categories, a tree': 'categories=category-0',
    tags: 'tags=tag-7',
    venue: `venue=${venues[3]}`,
    'three venues': `venue=${venues.slice(0, 3).join()}`,
    organizer: `organizer=${organizers[3]}`,
    featured: 'featured=true',
    'not featured': 'featured=false',
    post_parent: `post_parent=${events[0]}`,
    include: `include=${events.slice(100, 105).join()}`,
    status: 'status=publish',
    'category + tag': 'categories=category-0&tags=tag-7',
    'venue + search': `venue=${venues[3]}&search=garden`,
  };
  const others = {
    'single by slug': '/events/by-slug/event-100',
    'venues, search': '/venues?search=house',
    'venue by id': `/venues/${venues[3]}`,
    organizers: '/organizers',
    categories: '/categories',
    'tags, search': '/tags?search=tag',
    'tag by id': `/tags/${tags[3]}`,
  };
  return [
    ...Object.entries(filters).map(([name, query]) => ({ name, extra: true, tasks: list(query) })),
    ...Object.entries(others).map(([name, path]) => ({
      name,
      extra: true,
      tasks: (n) => get(`${path}${path.includes('?') ? '&' : '?'}_=${n}`),
    })),
  ];
};

/** @returns {Row[]} */
const extraWrites = ({ ids, ids: { events }, headers }) => [
  {
    name: 'create a post of 60 blocks, which are rendered',
    extra: true,
    tasks: (n) => [
      { method: 'POST', path: '/wp-json/wp/v2/posts', headers, body: JSON.stringify({ title: `Post ${n}`, content: BLOCKS.repeat(20) }) },
    ],
  },
  {
    name: 'update an event, its title',
    extra: true,
    most: events.length,
    tasks: (n) => [{ method: 'POST', path: `${CALENDAR}/events/${events[n]}`, headers, body: JSON.stringify({ title: `New title ${n}` }) }],
  },
  {
    name: 'delete an event (to the trash)',
    extra: true,
    most: events.length,
    tasks: (n) => [{ method: 'DELETE', path: `${CALENDAR}/events/${events[n]}`, headers }],
  },
  {
    name: 'create an event, reset, then the default list',
    extra: true,
    connections: 1,
    tasks: (n) => [
      { method: 'POST', path: `${CALENDAR}/events`, headers, body: newEvent(ids, n) },
      { method: 'POST', path: '/__qa/reset' },
      ...get('/events'),
    ],
  },
];

/**
 * All rows, in the order in which they are measured: the last of them bring the loaded content back.
 * @param site ids of its content and of the events that json-server has, how many pages the default list has, and the headers of a writer
 */
export const rowsOf = (site) => {
  const [create, reset] = mainWrites(site);
  return [...mainReads(site), ...extraReads(site), create, ...extraWrites(site), reset];
};
