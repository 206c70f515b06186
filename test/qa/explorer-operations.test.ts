import { WORLD } from '../support/api.js';
import { curlOf, factsOf, namespacesOf, operationsOf, requestOf, search, type Namespace, type Operation } from '../support/explorer.mjs';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD, plugins: ['event-tickets'], now: '2026-06-15T12:00:00Z' });

let namespaces: Namespace[];
beforeAll(async () => {
  const json = async (path: string): Promise<object> => {
    const body: unknown = await (await fetch(`${server().url}/__qa/${path}`)).json();
    return body as object;
  };
  const [site, tests] = await Promise.all([json('openapi.json?namespace=all'), json('doc')]);
  namespaces = namespacesOf(
    operationsOf([
      { api: 'rest', document: site },
      { api: 'qa', document: tests },
    ]),
  );
});

const first = (text: string): string => {
  const [{ operation } = { operation: undefined }] = search(namespaces, text);
  return operation === undefined ? '' : `${operation.method} ${operation.path}`;
};
const find = (text: string): Operation => search(namespaces, text)[0].operation;

test('the namespaces of the calendar come first, the test API last', () => {
  const names = namespaces.map(({ name }) => name);
  expect(names.slice(0, 4)).toEqual(['tribe/events/v1', 'tec/v1', 'tribe/tickets/v1', 'wp/v2']);
  expect(names.at(-1)).toBe('Test API');
});

test.each([
  ['create event', 'POST /tribe/events/v1/events'],
  ['Delete  VENUE', 'DELETE /tribe/events/v1/venues/{id}'],
  ['tec/v1 create event', 'POST /tec/v1/events'],
  ['create post', 'POST /wp/v2/posts'],
  ['geoloc_lat', 'GET /tribe/events/v1/events'],
  ['tribe/tickets list', 'GET /tribe/tickets/v1/tickets'],
  ['advance clock', 'PUT /__qa/clock'],
  ['no such thing', ''],
])('a search for "%s" finds %s first', (text, expected) => expect(first(text)).toBe(expected));

test('routes that are not implemented come last', () => {
  const found = search(namespaces, 'order').map(({ operation }) => operation.isListedOnly);
  expect(found).toContain(true);
  expect(found.lastIndexOf(false)).toBeLessThan(found.indexOf(true));
});

/** TEC: what `tec/v1` requires. */
const ACKNOWLEDGED =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

test('forms begin with a body that the server accepts, and headers are sent', async () => {
  const send = async (request: object): Promise<number> => {
    const response = await fetch(`${server().url}/__qa/rest`, { method: 'POST', body: JSON.stringify({ method: 'POST', ...request }) });
    return ((await response.json()) as { status: number }).status;
  };
  const headers = { 'X-TEC-EEA': ACKNOWLEDGED };
  for (const text of [
    'create event',
    'create venue',
    'tec/v1 create event',
    'tec/v1 create venue',
    'create post',
    'wp/v2 create category',
  ]) {
    const { path, body } = find(text);
    expect([path, await send({ path, headers, body: body?.first })]).toEqual([path, 201]);
  }
  expect(await send({ path: '/tec/v1/venues', body: { title: 'Hall' } })).toBe(400);
});

test('a request has its path, query, body and headers, and a command for curl', () => {
  const sender = { kind: 'login', login: "o'hara", headers: { Authorization: 'Basic x' } };
  const context = { sender, api: { base: 'http://127.0.0.1:8080/__sandbox/a/__qa/', headers: {} } };
  const values = { id: '12', title: '' };
  const request = requestOf(
    find('update event'),
    { values, body: '{ "title": "It\'s" }', headers: 'Accept-Language: de\nnonsense' },
    context,
  );
  expect(request).toMatchObject({
    method: 'POST',
    url: 'http://127.0.0.1:8080/__sandbox/a/wp-json/tribe/events/v1/events/12',
    headers: { Authorization: 'Basic x', 'Content-Type': 'application/json', 'Accept-Language': 'de' },
    body: '{ "title": "It\'s" }',
  });
  expect(curlOf(request, sender)).toBe(
    [
      "curl -X POST 'http://127.0.0.1:8080/__sandbox/a/wp-json/tribe/events/v1/events/12'",
      String.raw`  -u 'o'\''hara:'"$PASSWORD"`,
      "  -H 'Content-Type: application/json'",
      "  -H 'Accept-Language: de'",
      String.raw`  -d '{ "title": "It'\''s" }'`,
    ].join(' \\\n'),
  );
  const list = requestOf(find('list events'), { values: { start_date: '2026-06-15 12:00', categories: 'a,b' }, body: '' }, context);
  expect(list.url).toMatch(/\/events\?start_date=2026-06-15\+12:00&categories=a,b$/);
});

test('the facts of a value', () => {
  expect(factsOf({ type: 'integer', minimum: 1, maximum: 50, default: 10 })).toEqual(['integer', '1 to 50', 'default: 10']);
  expect(factsOf({ type: ['string', 'null'], format: 'date-time' })).toEqual(['string or null, date-time']);
  expect(factsOf({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } })).toEqual(['list of string', 'a, b']);
});
