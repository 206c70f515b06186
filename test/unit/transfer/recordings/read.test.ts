import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EVENT } from '../../../../src/plugins/the-events-calendar/model/index.js';
import { inputFile, openFile, openFiles } from '../../../../src/transfer/formats/open.js';
import type { SourceItem, DatasetSource } from '../../../../src/transfer/source.js';
import { metaValue, type Post } from '../../../../src/wordpress/model.js';
import { exchangesOf } from '../../../../src/transfer/recordings/exchange.js';
import { CONTAINERS, type Recorded } from './recordings.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-recorded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.parse('2026-06-15T12:00:00Z');

let count = 0;
function saved(files: Readonly<Record<string, unknown>>): string {
  const place = path.join(folder, String((count += 1)));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return place;
}

const itemsOf = async (source: DatasetSource): Promise<SourceItem[]> => {
  const found: SourceItem[] = [];
  for await (const item of source.items(() => undefined)) found.push(item);
  return found;
};

interface Read {
  items: SourceItem[];
  posts: Post[];
  warnings: string[];
  notes: string[];
}

/** Reads files as one site. */
async function read(files: Readonly<Record<string, unknown>>): Promise<Read> {
  const [warnings, notes]: string[][] = [[], []];
  const place = saved(files);
  const options = { now: NOW, warn: (line: string) => void warnings.push(line), notify: (line: string) => void notes.push(line) };
  const [source, ...others] = await openFiles(
    Object.keys(files).map((name) => inputFile(path.join(place, name))),
    options,
  );
  expect(others).toEqual([]);
  const items = await itemsOf(source);
  return { items, warnings, notes, posts: items.flatMap((item) => (item.kind === 'post' ? [item.post] : [])) };
}

const postOf = ({ posts }: Read, title: string): Post => {
  const found = posts.find((post) => post.title === title);
  if (!found) throw new Error(`There is no post ${title}.`);
  return found;
};

const ROOT = 'https://town.example/wp-json';
const FAIR = {
  id: 41,
  title: 'Fair &#038; more',
  slug: 'fair',
  status: 'publish',
  url: 'https://town.example/event/fair/',
  start_date: '2026-07-01 10:00:00',
  end_date: '2026-07-01 12:00:00',
  timezone: 'Europe/Berlin',
  venue: { id: 7, venue: 'Hall', slug: 'hall', city: 'Ulm' },
  categories: [{ id: 3, name: 'Music', slug: 'music' }],
};
const RECORDED: readonly Recorded[] = [
  { url: `${ROOT}/tribe/events/v1/events?page=1&per_page=10`, json: { events: [FAIR], total: 1, total_pages: 1 } },
  {
    url: `${ROOT}/tribe/events/v1/venues`,
    json: { venues: [{ id: 7, venue: 'Hall', slug: 'hall', city: 'Ulm', address: 'Main 1' }], total: 1 },
  },
];

describe('containers are recognized by their content', () => {
  test.each(Object.entries(CONTAINERS))('%s', async (_, { file, save }) => {
    const found = await read({ [file]: save(RECORDED) });
    const event = postOf(found, 'Fair & more');
    expect(event).toMatchObject({ _id: 41, type: EVENT, slug: 'fair', terms: { tribe_events_cat: [3] } });
    expect([metaValue(event, '_EventStartDate'), metaValue(event, '_EventStartDateUTC'), metaValue(event, '_EventVenueID')]).toEqual([
      '2026-07-01 10:00:00',
      '2026-07-01 08:00:00',
      '7',
    ]);
    expect(metaValue(postOf(found, 'Hall'), '_VenueCity')).toBe('Ulm');
    expect(found.warnings).toEqual([]);
  });

  test('with bodies in files beside them', async () => {
    const har = {
      log: { entries: [{ request: { method: 'GET', url: RECORDED[0].url }, response: { status: 200, content: { _file: 'a.json' } } }] },
    };
    const mapping = {
      request: { method: 'GET', urlPathPattern: '/wp-json/tribe/events/v1/venues.*' },
      response: { status: 200, bodyFileName: 'b.json' },
    };
    const place = saved({ 'x/rec.har': har, 'x/a.json': RECORDED[0].json, 'mappings/v.json': mapping, '__files/b.json': RECORDED[1].json });
    const one = await itemsOf(await openFile(inputFile(path.join(place, 'x/rec.har')), { now: NOW }));
    const two = await itemsOf(await openFile(inputFile(path.join(place, 'mappings')), { now: NOW }));
    expect(one.some((item) => item.kind === 'post' && item.post._id === 41)).toBe(true);
    expect(two.some((item) => item.kind === 'post' && item.post._id === 7)).toBe(true);
  });
});

const EVENTS_PATH = '/wp-json/tribe/events/v1/events';
test.each<[object, string, boolean]>([
  [{ url: `${EVENTS_PATH}?page=2` }, `${EVENTS_PATH}?page=2`, false],
  [{ urlPath: EVENTS_PATH, queryParameters: { page: { equalTo: '2' } } }, `${EVENTS_PATH}?page=2`, false],
  [
    {
      urlPath: EVENTS_PATH,
      queryParameters: { categories: { hasExactly: [{ equalTo: '1' }, { equalTo: '2' }] }, lang: { matches: '.*' } },
    },
    `${EVENTS_PATH}?categories=1&categories=2`,
    false,
  ],
  [{ urlPath: EVENTS_PATH }, EVENTS_PATH, true],
  [{ urlPathTemplate: `${EVENTS_PATH}/{id}`, pathParameters: { id: { equalTo: '4' } } }, `${EVENTS_PATH}/4`, true],
  [{ urlPathTemplate: `${EVENTS_PATH}/{id}` }, `${EVENTS_PATH}/`, true],
  [{ urlPattern: String.raw`${EVENTS_PATH}\?page=2.*` }, `${EVENTS_PATH}?page=2`, false],
  [{ urlPattern: String.raw`${EVENTS_PATH}\?page=\d+` }, EVENTS_PATH, true],
  [{ urlPathPattern: `${EVENTS_PATH}/[0-9]+` }, `${EVENTS_PATH}/`, true],
  [{ urlPathPattern: `${EVENTS_PATH}(/.*)?` }, EVENTS_PATH, true],
])('the request of a mapping of WireMock: %j', (request, url, isPartial) => {
  const [exchange] = exchangesOf({ request, response: { status: 200, jsonBody: {} } }, 'a.json', () => null);
  expect([exchange.url, exchange.isPartial ?? false]).toEqual([url, isPartial]);
});

test.each<[string, object, string]>([
  ['events', {}, EVENTS_PATH],
  [
    'events',
    {
      rulesOperator: 'AND',
      rules: [
        ['query', 'page', '2'],
        ['query', 'per_page', '3'],
        ['header', 'a', 'b'],
      ],
    },
    `${EVENTS_PATH}?page=2&per_page=3`,
  ],
  [
    'events',
    {
      rulesOperator: 'OR',
      rules: [
        ['query', 'page', '2'],
        ['query', 'page', '3'],
      ],
    },
    `${EVENTS_PATH}?page=2`,
  ],
  ['events', { rules: [['query', 'page', '[0-9]+', 'regex']] }, EVENTS_PATH],
  ['events/:id', { rules: [['params', 'id', '4']] }, `${EVENTS_PATH}/4`],
  ['events/:id', {}, `${EVENTS_PATH}/`],
])('the request of a route of Mockoon: %s with %j', (route, { rules = [], ...given }: { rules?: string[][] }, url) => {
  const named = rules.map(([target, modifier, value, operator = 'equals']) => ({ target, modifier, value, operator, invert: false }));
  const response = { statusCode: 200, headers: [], body: '{}', rules: named, ...given };
  const environment = {
    endpointPrefix: 'wp-json',
    routes: [{ method: 'get', endpoint: `tribe/events/v1/${route}`, responses: [response] }],
  };
  expect(exchangesOf(environment, 'a.json', () => null).map((exchange) => exchange.url)).toEqual([url]);
});

test('a post that nock recorded has a member content', () => {
  const post = { id: 5, content: { rendered: 'Text' } };
  const recorded = [{ scope: 'https://town.example:443', path: '/wp-json/wp/v2/posts/5', status: 200, response: post }];
  expect(exchangesOf(recorded, 'a.json', () => null)[0].json).toEqual(post);
});

const rendered = (text: string) => ({ rendered: text });
const NAMESPACES: [string, Recorded, object][] = [
  ['calendar/events/v1, a single event', { url: `${ROOT}/calendar/events/v1/events/41`, json: FAIR }, { _id: 41, type: EVENT }],
  ['an event by slug', { url: `${ROOT}/tribe/events/v1/events/by-slug/fair`, json: FAIR }, { _id: 41, type: EVENT }],
  [
    'organizers',
    { url: `${ROOT}/tribe/events/v1/organizers/9`, json: { id: 9, organizer: 'Ann' } },
    { _id: 9, type: 'tribe_organizer', slug: 'ann' },
  ],
  [
    'wp/v2/posts',
    {
      url: `${ROOT}/wp/v2/posts`,
      json: [{ id: 5, type: 'post', title: rendered('Hi'), content: rendered('<p>Text</p>\n'), date: '2026-01-02T03:04:05' }],
    },
    { _id: 5, type: 'post', slug: 'hi', content: 'Text', date: '2026-01-02 03:04:05' },
  ],
  [
    'wp/v2/pages',
    { url: `${ROOT}/wp/v2/pages/6`, json: { id: 6, type: 'page', slug: 'about', title: rendered('About') } },
    { _id: 6, type: 'page' },
  ],
  [
    'wp/v2/media',
    {
      url: `${ROOT}/wp/v2/media`,
      json: [{ id: 8, source_url: 'https://town.example/wp-content/uploads/2026/06/a.jpg', mime_type: 'image/jpeg' }],
    },
    { _id: 8, type: 'attachment', file: '2026/06/a.jpg' },
  ],
  [
    'wp/v2/tribe_events',
    {
      url: `${ROOT}/wp/v2/tribe_events`,
      json: [{ id: 41, type: 'tribe_events', slug: 'fair', title: rendered('Fair'), meta: { _EventStartDate: '2026-07-01 10:00:00' } }],
    },
    { _id: 41, type: EVENT, title: 'Fair' },
  ],
  [
    'tec/v1',
    {
      url: `${ROOT}/tec/v1/events`,
      json: [{ id: 41, type: 'tribe_events', title: rendered('Fair'), start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' }],
    },
    { _id: 41, type: EVENT, title: 'Fair' },
  ],
  [
    'a type of another plugin',
    {
      url: `${ROOT}/wp/v2/recipes`,
      json: [{ id: 77, type: 'recipe', slug: 'soup', link: 'https://town.example/recipe/soup/', title: rendered('Soup') }],
    },
    { _id: 77, type: 'recipe', title: 'Soup' },
  ],
  ['plain permalinks', { url: 'https://town.example/?rest_route=/tribe/events/v1/events/41', json: FAIR }, { _id: 41, type: EVENT }],
];

test.each(NAMESPACES)('%s', async (_, response, post) => {
  const { posts } = await read({ 'recorded.har': CONTAINERS['har'].save([response]) });
  expect(posts).toContainEqual(expect.objectContaining(post));
});

test('tickets of events', async () => {
  const ticket = {
    id: 90,
    post_id: 41,
    provider: 'rsvp',
    title: 'Seat',
    status: 'publish',
    author: '1',
    capacity: '',
    cost: '',
    cost_details: { values: [] },
  };
  const { posts } = await read({
    'recorded.har': CONTAINERS['har'].save([
      RECORDED[0],
      { url: `${ROOT}/tribe/tickets/v1/tickets`, json: { tickets: [ticket], total: 1, total_pages: 1 } },
    ]),
  });
  expect(posts).toContainEqual(expect.objectContaining({ _id: 90, type: 'tribe_rsvp_tickets' }));
});

describe('fixtures that people write', () => {
  test('what they do not have follows from the rest, or has its default, and the summary says so', async () => {
    const found = await read({
      'mocks.json': {
        events: [
          { title: 'Tea', start_date: '2026-07-01 10:00', venue: 'Hall', categories: ['Music'], image: 'https://pictures.example/a' },
          {
            id: '4',
            title: 'Run',
            start_date: '2026-07-02T18:00:00.000Z',
            timezone: 'Europe/Berlin',
            venue: { venue: 'Hall' },
            cost: '$20 - $30',
          },
          { id: 5, title: 'Day', start_date: '2026-07-03' },
        ],
      },
    });
    const [tea, run, day] = ['Tea', 'Run', 'Day'].map((title) => postOf(found, title));
    const meta = (post: Post, key: string): string | undefined => metaValue(post, key);
    expect(tea).toMatchObject({ slug: 'tea', status: 'publish', date: '2026-06-15 14:00:00' });
    expect([meta(tea, '_EventStartDate'), meta(tea, '_EventEndDate')]).toEqual(['2026-07-01 10:00:00', '2026-07-01 11:00:00']);
    expect(run).toMatchObject({ _id: 4 });
    expect(meta(run, '_EventStartDate')).toBe('2026-07-02 20:00:00');
    expect([meta(day, '_EventAllDay'), meta(day, '_EventEndDate')]).toEqual(['yes', '2026-07-03 23:59:59']);
    expect(meta(tea, '_EventVenueID')).toBe(meta(run, '_EventVenueID'));
    expect(found.posts.filter(({ type }) => type === 'tribe_venue')).toHaveLength(1);
    expect(found.posts.find(({ type }) => type === 'attachment')).toMatchObject({
      _id: Number(meta(tea, '_thumbnail_id')),
      mimeType: 'image/jpeg',
    });
    expect(found.items.filter((item) => item.kind === 'file')).toHaveLength(1);
    expect(found.notes.join('\n')).toMatch(
      /Generated, because no response contains them: venues: id \(1\).*events: id \(1\).*end_date \(3\)/,
    );
  });

  test('lists without an envelope, by the name of the file', async () => {
    const { items } = await read({ 'mock-tags.json': [{ name: 'Free' }] });
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'term', term: expect.objectContaining({ name: 'Free', taxonomy: 'post_tag' }) }),
    );
  });

  test('exports of a module', async () => {
    const named = "export const mockEvents = [{ title: 'Named', start_date: '2026-07-01 10:00:00' }];\nexport const helper = () => 1;\n";
    const list = "export default [{ title: 'Listed', start_date: '2026-07-01 10:00:00' }];\n";
    expect(postOf(await read({ 'named.ts': named }), 'Named').type).toBe(EVENT);
    expect(postOf(await read({ 'list.mjs': list }), 'Listed').type).toBe(EVENT);
  });

  test('members that no response has are fields', async () => {
    const found = await read({ 'events.json': [{ ...FAIR, color: 'red' }] });
    expect(postOf(found, 'Fair & more').fields).toEqual({ 'tribe/events/v1': '{"color":"red"}' });
  });
});

test('an item of several files is one, the fuller one counts, and contradictions are named', async () => {
  const found = await read({
    'list.json': { events: [{ ...FAIR, slug: 'fair-old' }] },
    'single.json': { ...FAIR, cost: '5', featured: true },
    'posts.json': [
      {
        id: 5,
        type: 'post',
        title: rendered('Hi'),
        _embedded: {
          author: [{ id: 2, name: 'Bo', slug: 'bo' }],
          'wp:term': [[{ id: 4, name: 'News', slug: 'news', taxonomy: 'category' }]],
        },
      },
    ],
  });
  expect(found.posts.filter(({ type }) => type === EVENT)).toHaveLength(1);
  expect(postOf(found, 'Fair & more').slug).toBe('fair');
  expect(found.warnings).toEqual([
    'tribe/events/v1/events 41: slug is "fair" in single.json, and "fair-old" in list.json. The first is used, since more is known of the item there',
  ]);
  expect(found.items).toContainEqual(
    expect.objectContaining({ kind: 'term', term: expect.objectContaining({ _id: 4, taxonomy: 'category' }) }),
  );
  expect(found.items).toContainEqual(expect.objectContaining({ kind: 'user', user: expect.objectContaining({ _id: 2, login: 'bo' }) }));
});

test('responses of other APIs become stubs', async () => {
  const { items } = await read({
    'recorded.har': CONTAINERS['har'].save([
      RECORDED[0],
      { url: 'https://town.example/wp-json/acme/v1/seats?row=2', json: { free: 3 }, status: 202 },
    ]),
  });
  const [first] = items;
  expect(first.kind === 'options' && JSON.parse(String(first.options['stub_rules']))).toEqual([
    { match: { method: 'GET', path: '/wp-json/acme/v1/seats', query: { row: '2' } }, respond: { body: { free: 3 }, status: 202 } },
  ]);
});

test('a folder is one site, and what is no recording is named', async () => {
  const place = saved({
    'a/events.json': RECORDED[0].json,
    'a/nock.json': CONTAINERS['nock'].save([RECORDED[1]]),
    'a/package.json': { name: 'x' },
    'a/cut.json': '{ "events": [',
    // Files of packages are neither read nor named.
    'a/node_modules/x/events.json': { events: [{ ...FAIR, id: 99, slug: 'packed' }] },
    'a/site/node_modules/x/cut.json': '{',
    'a/my_node_modules/x.json': {},
  });
  const warnings: string[] = [];
  const source = await openFile(inputFile(path.join(place, 'a')), {
    now: NOW,
    warn: (line, at) => void warnings.push(`${at?.file}: ${line}`),
  });
  const posts = (await itemsOf(source)).flatMap((item) => (item.kind === 'post' ? [item.post] : []));
  expect(posts.find(({ _id }) => _id === 7)?.meta).toContainEqual({ key: '_VenueAddress', value: 'Main 1' });
  expect(posts.some(({ _id }) => _id === 99)).toBe(false);
  expect(warnings).toEqual([
    expect.stringMatching(/^cut.json: left out: line 1: invalid JSON/),
    'my_node_modules/x.json: left out: it has no recorded responses',
    'package.json: left out: it has no recorded responses',
  ]);
});

test.each<[string, unknown, RegExp]>([
  ['an error response', { code: 'rest_no_route', message: 'No route', data: { status: 404 } }, /is an error response \(rest_no_route\)/],
  ["another plugin's list", { events: [{ event_id: 1, event_name: 'x' }] }, /has no events, venues.* It has event_id, event_name$/],
  ["another service's list", { events: [{ id: '1', name: { text: 'x' }, start: { utc: '2026' } }] }, /It has id, name, start$/],
  ['a truncated response', '{"events":[{"id":1,"title":"Te', /invalid JSON: Unterminated string/],
  ['a page', '<html><body>503</body></html>', /is HTML, and no JSON/],
  ['an empty list of nothing', [], /has no events, venues/],
])('%s gets one message', async (_, content, message) => {
  const file = path.join(saved({ 'x.json': content }), 'x.json');
  const error = await openFile(inputFile(file), { now: NOW }).then(
    () => null,
    (thrown: Error & { problems: string[] }) => thrown,
  );
  expect(error?.problems).toEqual([expect.stringMatching(message)]);
});

test('each of several broken files gets one message', async () => {
  const place = saved({ 'b.json': '{"events":[', 'a.json': '<html>', 'c.json': { events: [FAIR] } });
  const opened = openFiles(
    ['b', 'a', 'c'].map((name) => inputFile(path.join(place, `${name}.json`))),
    { now: NOW },
  );
  const { problems } = await opened.then(
    () => ({ problems: [] }),
    (thrown: Error & { problems: string[] }) => thrown,
  );
  expect(problems).toEqual([
    expect.stringMatching(/^line 1: invalid JSON/),
    expect.stringMatching(/a\.json: line 1: is HTML, and no JSON/),
  ]);
});

const PAGE = {
  request: { method: 'GET', url: `${ROOT}/tribe/events/v1/events?page=2` },
  response: { status: 200, content: { text: '<!doctype html>' } },
};
const IS_PAGE = `the response to GET ${ROOT}/tribe/events/v1/events?page=2 is HTML`;

test('HTML and events of others among recorded responses are left out by name', async () => {
  const har = JSON.parse(CONTAINERS['har'].save([RECORDED[0]])) as { log: { entries: unknown[] } };
  har.log.entries.push(PAGE);
  const { warnings } = await read({ 'a.har': har, 'b.json': { events: [FAIR, { title: 'Other', event_date: 'soon' }] } });
  expect(warnings).toEqual([
    `a.har: left out: ${IS_PAGE}`,
    'event "Other": left out: it has no start_date, but event_date. Is it of another plugin?',
  ]);
  await expect(read({ 'a.har': { log: { entries: [PAGE] } } })).rejects.toThrow(IS_PAGE);
});

describe('what other people have written by hand', () => {
  test('sizes of images without addresses are left out', async () => {
    const sizes = {
      thumbnail: { width: 150, height: 150, url: '...' },
      medium: { width: 3, height: 2, url: 'https://town.example/a-3x2.jpg' },
    };
    const { posts } = await read({ 'a.json': { events: [{ ...FAIR, image: { id: 8, url: 'https://town.example/a.jpg', sizes } }] } });
    expect(Object.keys(posts.find(({ type }) => type === 'attachment')!.image!.sizes)).toEqual(['medium']);
  });

  const url = 'https://town.example/wp-content/uploads/a.jpg';
  test.each<[string, object, object]>([
    ['a description', { description: [5] }, { content: '' }],
    ['an excerpt', { excerpt: true }, { excerpt: '' }],
    ['a website', { website: { url: 1 } }, { title: 'Odd' }],
    ['a lineage', { global_id_lineage: null }, { title: 'Odd' }],
    ['structured data', { json_ld: { description: 7 } }, { title: 'Odd' }],
    ['a size', { image: { id: 9, url, sizes: { medium: { width: 'wide', height: 2, url } } } }, { title: 'Odd' }],
  ])('%s of another type is none', async (_, members, post) => {
    const odd = { ...FAIR, title: 'Odd', ...members };
    const found = await read({ 'events.json': { events: [odd], total: 1, total_pages: 1 }, 'one.json': odd });
    expect(postOf(found, 'Odd')).toMatchObject(post);
  });

  test('the request of another API has no address', async () => {
    const nocks = [
      {
        scope: 'https://town.example',
        method: 'GET',
        path: EVENTS_PATH,
        status: 200,
        response: { events: [FAIR], total: 1, total_pages: 1 },
      },
      { scope: 'https://[', method: 'GET', path: '/users', status: 200, response: { users: [] } },
    ];
    expect(postOf(await read({ 'nocks.json': nocks }), 'Fair & more')).toMatchObject({ slug: 'fair' });
  });

  test('structured data of older releases has no status', async () => {
    const json_ld = { '@type': 'Event', name: 'Fair', description: '', url: FAIR.url, performer: 'Organization' };
    expect(postOf(await read({ 'a.json': { ...FAIR, json_ld } }), 'Fair & more')).toMatchObject({ _id: 41, status: 'publish' });
  });

  test('events of a series keep their addresses, and have its slug', async () => {
    const days = ['04', '11'].map((day, index) => ({
      id: 900 + index,
      title: 'Service',
      start_date: `2026-10-${day} 11:30:00`,
      url: `https://town.example/index.php/event/service/2026-10-${day}/`,
    }));
    const found = await read({ 'a.json': { events: days } });
    const events = found.posts.filter(({ type }) => type === EVENT);
    expect(events.map(({ slug, fields }) => [slug, fields?.['wp/v2']])).toEqual([
      ['service', JSON.stringify({ link: days[0].url })],
      ['service-2', JSON.stringify({ link: days[1].url })],
    ]);
  });

  test('a response of another service gets one message', async () => {
    const other = { success: true, code: 200, data: { items: [{ title: 'x' }] } };
    await expect(read({ 'a.json': other })).rejects.toThrow(/has no events, venues.* It has success, code, data$/);
  });
});
