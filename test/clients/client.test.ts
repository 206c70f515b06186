import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  ResponseError,
  ApiError,
  BadRequestError,
  ConnectionError,
  createClient,
  ForbiddenError,
  GoneError,
  NotFoundError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  type Client,
  type Fetch,
  type FetchInit,
} from '../../src/sdk/client/index.js';
import { calendar } from '../../src/plugins/the-events-calendar/calendar-v1/index.js';
import { routePattern } from '../../src/wordpress/rest/route.js';
import { registry } from '../support/registry.js';
import { apiOf, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

const { users } = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: string; application_password: string }[] };
const password = users.find(({ login }) => login === 'admin')?.application_password ?? '';

interface Sent extends FetchInit {
  url: URL;
}

/** A client without a server: it records requests, and always returns the same response. */
function noted(
  answer = { status: 200, headers: {} as Record<string, string>, text: '{}' },
  options = {},
): { client: Client; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = (url, init) => {
    sent.push({ ...init, url: new URL(url) });
    const headers = { get: (name: string) => answer.headers[name] ?? null };
    return Promise.resolve({ status: answer.status, headers, text: () => Promise.resolve(answer.text) });
  };
  return { client: createClient({ url: 'http://site.test/', fetch, ...options }), sent };
}

test('endpoints of the calendar and methods of the client match one to one', async () => {
  const { client, sent } = noted();
  const { events, venues, organizers, categories, tags } = client;
  const times = { title: 'A', start_date: '2026-06-15', end_date: '2026-06-15' };
  const calls: [{ [name: string]: unknown }, object][] = [
    [events, times],
    [venues, { venue: 'A' }],
    [organizers, { organizer: 'A' }],
    [categories, { name: 'A' }],
    [tags, { name: 'A' }],
  ] as never;
  await client.doc();
  for (const [resource, fields] of calls) {
    const collection = resource as unknown as typeof events;
    await collection.list();
    await collection.get(1);
    await collection.create(fields as typeof times);
    await collection.update(1, {});
    await collection.delete(1);
    if (!('getBySlug' in collection)) continue;
    await collection.getBySlug('a');
    await collection.updateBySlug('a', {});
    await collection.deleteBySlug('a');
  }
  const endpoints = calendar('tribe/events/v1', registry).routes.flatMap(({ path, endpoints: all }) =>
    all.map(({ methods }) => ({ path, methods })),
  );
  const name = ({ path, methods }: (typeof endpoints)[number]): string => `${methods[0]} ${path}`;
  const reached = sent.map(({ method, url }) => {
    const path = url.pathname.replace('/wp-json', '');
    const endpoint = endpoints.find((each) => (each.methods as readonly string[]).includes(method) && routePattern(each.path).test(path));
    return endpoint ? name(endpoint) : `nothing: ${method} ${path}`;
  });
  expect(reached.sort()).toEqual(endpoints.map(name).sort());
});

test.each<[what: string, query: object, search: string]>([
  ['texts', { search: 'Jazz & Blues +1' }, 'search=Jazz%20%26%20Blues%20%2B1'],
  ['lists', { categories: ['jazz', 7] }, 'categories%5B0%5D=jazz&categories%5B1%5D=7'],
  ['flags', { featured: false, strict_dates: true }, 'featured=false&strict_dates=true'],
  ['nothing for what is not given', { search: undefined, page: 2 }, 'page=2'],
])('parameters: %s', async (_, query, search) => {
  const { client, sent } = noted();
  await client.events.list(query);
  expect(sent[0].url.search).toBe(`?${search}`);
});

test('sends headers for credentials in UTF-8, sandbox, token, clock, and custom headers of client and call', async () => {
  const options = {
    auth: { login: 'jürgen', password: 'a b' },
    sandbox: 's1',
    token: 'secret42',
    now: new Date('2026-06-15T12:00:00Z'),
    headers: { 'X-A': 'client', 'X-B': 'client' },
  };
  const { client, sent } = noted(undefined, options);
  await client.events.create({ title: 'A', start_date: 'now', end_date: 'now' }, { headers: { 'X-B': 'call' } });
  await client.as(null).events.list();
  expect(sent[0]).toMatchObject({
    method: 'POST',
    body: '{"title":"A","start_date":"now","end_date":"now"}',
    headers: {
      Authorization: `Basic ${Buffer.from('jürgen:a b').toString('base64')}`,
      'Content-Type': 'application/json',
      'X-Understudy-Sandbox': 's1',
      'X-Understudy-Token': 'secret42',
      'X-Understudy-Now': '2026-06-15T12:00:00.000Z',
      'X-A': 'client',
      'X-B': 'call',
    },
  });
  expect(sent[1].headers).not.toHaveProperty('Authorization');
  expect(sent[1].headers).not.toHaveProperty('Content-Type');
});

test.each([
  [400, BadRequestError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ApiError],
  [410, GoneError],
  [429, TooManyRequestsError],
  [500, ServerError],
  [503, ServerError],
])('%i is a %p', async (status, Class) => {
  const text = JSON.stringify({ code: 'some_code', message: 'Some words.', data: { status, params: ['title'] } });
  const { client } = noted({ status, headers: { 'retry-after': '60' }, text });
  const error = await client.events.get(7).catch((thrown: unknown) => thrown);
  expect((error as Error).constructor).toBe(Class);
  expect(error).toMatchObject({ status, code: 'some_code', params: { title: 'Missing parameter.' }, retryAfter: 60 });
  expect(String(error)).toContain(`GET http://site.test/wp-json/tribe/events/v1/events/7: ${status} some_code: Some words.`);
});

test('throws on an HTML error page and on HTML where JSON is expected', async () => {
  const page = { status: 502, headers: {}, text: '<h1>Bad Gateway</h1>' };
  await expect(noted(page).client.doc()).rejects.toMatchObject({ name: 'ServerError', code: 'http_502', text: page.text, body: undefined });
  await expect(noted({ ...page, status: 200 }).client.doc()).rejects.toThrow(ResponseError);
});

test('requires a URL', () => {
  expect(() => createClient({})).toThrow('createClient({ url:');
});

describe('with a server', () => {
  const server = startTestServer({ dataset: WORLD });
  const api = apiOf(server);
  const reader = (): Client => createClient({ url: server().url });

  test.each<[call: string, status: number, request: (client: Client) => Promise<unknown>]>([
    ['an event', 404, ({ events }) => events.get(99_999)],
    ['a venue', 400, ({ venues }) => venues.get(99_999)],
    ['an event by its slug', 400, ({ events }) => events.getBySlug('no-such-event')],
    ['an organizer by its slug', 400, ({ organizers }) => organizers.getBySlug('nobody')],
  ])('%s that does not exist is not found', async (_, status, request) => {
    await expect(request(reader())).rejects.toMatchObject({ name: 'NotFoundError', status });
  });

  test('a wrong parameter of an item is no missing item', async () => {
    await expect(reader().send({ method: 'GET', path: '/tribe/events/v1/events/by-slug/no-such-event' })).rejects.toMatchObject({
      name: 'BadRequestError',
    });
  });

  test('what is always there needs no check by its type', async () => {
    const { events, venues, organizers, categories } = reader();
    // TEC: the name of a password-protected venue is an array.
    const venue = (await venues.list()).venues.find(({ show_map: shown }) => shown !== null)!;
    const organizer = (await organizers.list()).organizers.find(({ organizer: name }) => name.length > 0)!;
    const [category] = (await categories.list()).categories;
    const texts: string[] = [venue.venue, venue.author, organizer.organizer, category.description, (await events.list()).events[0].slug];
    const numbers: number[] = [category.count, category.meta.length];
    expect(texts.map((text) => typeof text)).toEqual(texts.map(() => 'string'));
    expect(numbers.every(Number.isInteger)).toBe(true);
  });

  const writer = (): Client => createClient({ url: server().url, auth: { login: 'admin', password } });

  test('reads all pages of a list', async () => {
    const { body } = await api.get<{ total: number }>('events?start_date=2000-01-01&per_page=1');
    const items = reader().events.all({ start_date: '2000-01-01', per_page: 7 });
    const events = await items.toArray();
    let pages = 0;
    for await (const page of items.pages()) pages += page.events.length > 0 ? 1 : 0;
    expect(body.total).toBeGreaterThan(14);
    expect(new Set(events.map(({ id }) => id)).size).toBe(body.total);
    expect(pages).toBe(Math.ceil(body.total / 7));
    expect(await reader().tags.all({ hide_empty: false, search: 'no such tag' }).toArray()).toEqual([]);
  });

  test('throws when the first requested page does not exist', async () => {
    await expect(reader().events.all({ page: 999 }).toArray()).rejects.toThrow(NotFoundError);
  });

  test('creates, updates, finds by slug and deletes', async () => {
    const { events, venues } = writer();
    const times = { start_date: '2026-06-15 20:00:00', end_date: '2026-06-15 22:00:00' };
    const made = await events.create({ title: 'Late Show', ...times, venue: { venue: 'The Mill' }, cost: [5, 10] });
    expect(made).toMatchObject({ title: 'Late Show', slug: 'late-show', venue: { venue: 'The Mill' } });
    expect(await events.updateBySlug('late-show', { all_day: true })).toMatchObject({ id: made.id, all_day: true });
    expect((await events.getBySlug('late-show')).start_date).toBe('2026-06-15 00:00:00');
    expect((await venues.list({ event: made.id })).total).toBe(1);
    expect((await events.delete(made.id)).id).toBe(made.id);
    await expect(events.delete(made.id)).rejects.toThrow(GoneError);
  });

  test('rejects anonymous writes and invalid parameters', async () => {
    await expect(reader().tags.create({ name: 'x' })).rejects.toThrow(UnauthorizedError);
    await expect(reader().events.list({ page: 0 })).rejects.toMatchObject({ params: { page: 'Invalid parameter.' } });
  });

  test('requests other routes, the index, and a response at a given time', async () => {
    expect((await writer().send<{ slug: string }>({ method: 'GET', path: '/wp/v2/users/me' })).body.slug).toBe('admin');
    const index = await reader().with({ now: '2031-05-04T12:00:00Z' }).index();
    const [list] = index.routes['/tribe/events/v1/events'].endpoints;
    expect(JSON.stringify(list.args['start_date'])).toContain('2031-05-03 ');
  });

  test('throws on a timeout, an abort and a refused connection', async () => {
    const never: Fetch = (_, { signal }) => new Promise((__, reject) => signal?.addEventListener('abort', () => reject(new Error('gone'))));
    await expect(createClient({ url: 'http://site.test', fetch: never, timeout: 5 }).doc()).rejects.toThrow(TimeoutError);
    const stop = new AbortController();
    const stopped = createClient({ url: 'http://site.test', fetch: never, signal: stop.signal }).doc();
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    await expect(createClient({ url: 'http://127.0.0.1:1' }).doc()).rejects.toThrow(ConnectionError);
  });

  test('fake timers do not end a request', async () => {
    jest.useFakeTimers();
    try {
      let respond = (): void => undefined;
      const slow: Fetch = (_, { signal }) =>
        new Promise((resolve, reject) => {
          respond = () => resolve({ status: 200, headers: { get: () => null }, text: () => Promise.resolve('{}') });
          signal?.addEventListener('abort', () => reject(new Error('gone')));
        });
      const asked = createClient({ url: 'http://site.test', fetch: slow }).doc();
      await jest.advanceTimersByTimeAsync(60_000);
      respond();
      await expect(asked).resolves.toEqual({});
    } finally {
      jest.useRealTimers();
    }
  });
});
