import { startTestServer } from '../support/server.js';

type Any = ReturnType<typeof JSON.parse>;

const event = (title: string, start: string, more: object = {}): Any => ({ title, start, duration: '1h', ...more });
const EVENTS = 'tribe/events/v1/events';
const server = startTestServer({
  now: '2026-06-15T12:00:00Z',
  dataset: {
    site: { timezone: 'Pacific/Auckland' },
    categories: [{ name: 'Music' }, { name: 'Sport' }, { name: 'Lectures' }],
    stubs: [{ match: { path: '/town/v1/hours' }, respond: { status: 203, body: {} } }],
    events: [
      event('Spring concert', '2026-06-01 19:00', { categories: ['music'] }),
      event('Budget', '2026-06-20 19:00', { status: 'draft' }),
      event('Regatta', '2026-06-21 08:00', { categories: ['sport'], venue: 'Pier', tags: ['boats'] }),
      event('Board', '2026-06-22 08:00', { hidden: true, status: 'publish' }),
      event('Old race', '2026-06-02 08:00', { categories: ['sport'] }),
    ],
  },
});

const explain = async (path: string): Promise<Any> =>
  (await fetch(`${server().url}/__qa/explain`, { method: 'POST', body: JSON.stringify({ path }) })).json();

/** The names of what the changes find, by change. */
const found = ({ more }: Any): Record<string, string[]> =>
  Object.fromEntries(more.map(({ change, added }: Any) => [change, added.map((item: string) => item.replace(/^\d+ /, ''))]));

const ANY_TIME = 'with any time (start_date=1000-01-01&end_date=9999-12-31)';

test.each<[string, string, Record<string, string[]>]>([
  ['is over', 'search=spring', { 'without search': ['regatta'], [ANY_TIME]: ['spring-concert'] }],
  [
    'is a draft',
    'search=budget',
    { 'without search': ['regatta'], 'as an administrator with status=publish,draft,pending,private,future': ['Budget'] },
  ],
  ['has another category', 'categories=music&venue=PIER', { 'without categories': ['regatta'] }],
  ['is on the next page', 'page=4', { 'without page': ['regatta'] }],
  [
    'is on the day before, in the zone of the site',
    'start_date=2026-06-20&end_date=2026-06-20',
    {
      'without end_date, or with one more day at both ends': ['regatta'],
      [ANY_TIME]: ['spring-concert', 'old-race', 'regatta'],
    },
  ],
])('tells that an event %s', async (_reason, query, expected) => {
  const pier = ((await (await fetch(`${server().url}/wp-json/tribe/events/v1/venues`)).json()) as Any).venues[0].id;
  expect(found(await explain(`/${EVENTS}?${query.replace('PIER', pier)}`))).toMatchObject(expected);
});

test('tells values, ignored parameters, how the request is read, and routes', async () => {
  expect(await explain(`/${EVENTS}?categories=musik`)).toMatchObject({
    status: 400,
    total: null,
    error: 'rest_invalid_param: Invalid parameter(s): categories',
    hidden: [expect.stringMatching(/^\d+ board$/)],
    known: { categories: ['lectures', 'music', 'sport'].map((slug) => expect.stringMatching(new RegExp(`^\\d+ ${slug}$`))) },
  });
  expect(await explain(`${server().url}/wp-json/${EVENTS}?categorie=music`)).toMatchObject({
    ...{ status: 200, total: 1, shown: 1, read: expect.stringContaining('start_date=2026-06-15 00') },
    ignored: ['"categorie" is not a parameter here and is ignored: did you mean "categories"?'],
  });
  expect((await explain(`/wp-json/${EVENTS}/regatta`)).routes).toEqual([`/${EVENTS}/{id}`, `/${EVENTS}/by-slug/{slug}`]);
  expect((await explain('/tribe/events/v1/evnts')).routes).toEqual([`/${EVENTS}`]);
  expect((await explain('/shop/v1/carts')).routes).toEqual([]);
  expect(await explain('/wp/v2/tribe_events?search=nothing')).toMatchObject({ total: 0, more: [{ change: 'without search', total: 2 }] });
  expect(await explain(`/${EVENTS}?search=50%25&a[]=%&status[]=x`)).toMatchObject({ status: 400, known: {} });
});

test.each([
  ['events?per_page=2', `/${EVENTS}`],
  ['/events', `/${EVENTS}`],
  ['/event', `/${EVENTS}`],
  ['/events/12', `/${EVENTS}/{id}`],
  ['/tec/events/v9/venues', '/tribe/events/v1/venues'],
])('%s is similar to %s', async (path, route) => {
  expect(await explain(path)).toMatchObject({ status: 404, routes: expect.arrayContaining([route]) });
});

test('one answer names all causes', async () => {
  expect(await explain(`/${EVENTS}?venue=999&start_date=2031-01-01&categories=sport`)).toMatchObject({
    status: 400,
    error: expect.stringMatching(/^rest_invalid_param: Invalid parameter\(s\): venue/),
    empty: expect.stringMatching(/^start_date 2031-01-01 .* is after the default end_date, 2028-06-15 .*: no event is between them$/),
    more: [
      {
        change: `without venue and ${ANY_TIME}`,
        total: 2,
        added: [expect.stringMatching(/ old-race$/), expect.stringMatching(/ regatta$/)],
      },
    ],
  });
  expect((await explain(`/${EVENTS}?start_date=2031-01-01`)).empty).toContain('is after the default end_date');
  expect((await explain(`/${EVENTS}?start_date=2026-06-15`)).empty).toBeUndefined();
});

test('events of further pages are named', async () => {
  const { more } = await explain(`/${EVENTS}?per_page=1&start_date=2026-06-01`);
  expect(more).toMatchObject([
    { change: expect.stringContaining('as an administrator'), total: 4, added: [expect.stringMatching(/Budget$/)] },
  ]);
});

test('an item that is not found: its status, or a similar slug', async () => {
  const item = async (slug: string): Promise<unknown> => (await explain(`/${EVENTS}/by-slug/${slug}`)).item;
  const { events } = await explain(`/${EVENTS}?search=budget`);
  expect(events).toBeUndefined();
  expect(await item('regata')).toBe('No item has this slug. Did you mean "regatta"?');
  expect(await item('something-else-entirely')).toBeUndefined();
  const ids = (await explain(`/${EVENTS}?search=budget`)).more.at(-1).added[0].split(' ')[0];
  expect(await explain(`/${EVENTS}/${ids}`)).toMatchObject({ status: 403, item: 'An administrator gets it. Its status is draft' });
});

test('a stub is named, which clients get', async () => {
  expect(await explain('/town/v1/hours?x=1')).toEqual({
    stub: expect.stringMatching(/^Stub \d+ responds to clients here, with the status 203\.$/),
  });
  const body = JSON.stringify({ path: '/wp-json/town/v1/hours' });
  const sent = (await (await fetch(`${server().url}/__qa/rest`, { method: 'POST', body })).json()) as Any;
  expect(sent).toMatchObject({ stub: expect.stringContaining('responds to clients here'), status: 404 });
  const { stubs } = (await (await fetch(`${server().url}/__qa/stubs`)).json()) as Any;
  expect(stubs).toMatchObject([{ seen: 0, hits: 0 }]);
  await fetch(`${server().url}/__qa/stubs`, { method: 'POST', body: JSON.stringify({ match: { path: '/a' }, respond: { body: {} } }) });
  const { stubs: shown } = (await (await fetch(`${server().url}/__qa/state`)).json()) as Any;
  expect(shown).toMatchObject([{ respond: { status: 203 } }, { respond: { status: 200 } }].toReversed());
});

test('leaves nothing in the journal', async () => {
  await explain(`/${EVENTS}`);
  const { entries } = (await (await fetch(`${server().url}/__qa/journal`)).json()) as Any;
  expect(entries.some(({ url }: Any) => url.includes('search='))).toBe(false);
});
