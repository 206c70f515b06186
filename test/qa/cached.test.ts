import { http } from '../support/http.js';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD, journal: 20, profile: 'standard' });
const LIST = '/wp-json/tribe/events/v1/events';

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(`${server().url}${path}`, { headers });
const control = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${server().url}/__qa${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });

interface Recorded {
  method: string;
  url: string;
  status: number;
}

/** Requests a response until it comes from the cache. */
async function cached(): Promise<{ text: string; headers: Headers }> {
  await get(LIST);
  const response = await get(LIST);
  return { text: await response.text(), headers: response.headers };
}

const untimed = (headers: Headers): [string, string][] => [...headers].filter(([name]) => name !== 'date');

beforeEach(async () => {
  await control('PUT', '/clock', { now: '2026-06-15T12:00:00Z', frozen: true });
  await control('POST', '/reset');
  await control('DELETE', '/faults');
  await control('DELETE', '/journal');
});

test('a response from the cache is the same as the one before it', async () => {
  const first = await get(`${LIST}?first`);
  const second = await get(`${LIST}?first`);
  expect(await second.text()).toBe(await first.text());
  expect(untimed(second.headers)).toEqual(untimed(first.headers));
});

test('the journal has every request, with its response', async () => {
  const { text } = await cached();
  const { entries } = (await (await control('GET', '/journal')).json()) as { entries: (Recorded & { id: number })[] };
  expect(entries.map(({ method, url, status }) => [method, url, status])).toEqual([
    ['GET', LIST, 200],
    ['GET', LIST, 200],
  ]);
  const recorded = (await (await control('GET', `/journal/${entries[1].id}`)).json()) as { response: { body: unknown } };
  expect(JSON.stringify(recorded)).toContain(JSON.stringify(JSON.parse(text)).slice(2, 60));
});

test('faults apply', async () => {
  await cached();
  await control('POST', '/faults', { effect: { status: 503 }, times: 1 });
  expect((await get(LIST)).status).toBe(503);
  expect((await get(LIST)).status).toBe(200);
});

test('a conditional request is answered as such', async () => {
  const { headers } = await cached();
  const conditional = await http('GET', `${server().url}${LIST}`, { 'if-none-match': headers.get('etag') ?? '' });
  expect(conditional.status).toBe(304);
});

test('a sandbox has its own', async () => {
  const { text } = await cached();
  await control('PUT', '/sandboxes/other');
  await fetch(`${server().url}/__sandbox/other/__qa/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"now":"2025-01-01T00:00:00Z"}',
  });
  expect(await (await get(LIST, { 'x-understudy-sandbox': 'other' })).text()).not.toBe(text);
  expect(await (await get(LIST)).text()).toBe(text);
});

test('another time has its own', async () => {
  const { text } = await cached();
  expect(await (await get(LIST, { 'x-understudy-now': '2025-01-01T00:00:00Z' })).text()).not.toBe(text);
  await control('PUT', '/clock', { now: '2025-01-01T00:00:00Z' });
  expect(await (await get(LIST)).text()).not.toBe(text);
});
