import { useThings } from './things.js';
import type { Call } from '../support/toy.js';

const toy = useThings();

const headersOf = async (path: string, call: Call = {}) => (await toy().call(`/wp-json/toy/v1${path}`, call)).headers;

test.each<[string, Call]>([
  ['/things', {}],
  ['/nothing', {}],
  ['/refused', {}],
  ['/things', { as: 'erin' }],
  ['/things', { method: 'OPTIONS' }],
  ['/broken', {}],
])('every response has the common headers: %s %j', async (path, call) => {
  expect(await headersOf(path, call)).toMatchObject({
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    link: `<${toy().url}/wp-json/>; rel="https://api.w.org/"`,
    'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
    'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  });
});

test('the content type is JSON', async () => {
  expect((await headersOf('/things'))['content-type']).toBe('application/json; charset=UTF-8');
});

test('the handler sets status and headers', async () => {
  const { status, headers } = await toy().call('/wp-json/toy/v1/text');
  expect([status, headers['location'], (await headersOf('/deep'))['x-total']]).toEqual([201, 'x', '3']);
});

describe('Allow lists the methods the user may use, in order of registration', () => {
  test.each<[string, Call, string | undefined]>([
    ['/things', {}, 'GET'],
    ['/things', { as: 'sam' }, 'GET'],
    ['/things', { as: 'erin' }, 'GET, POST'],
    ['/things/5', {}, 'GET'],
    ['/things/5', { as: 'erin' }, 'GET, DELETE, POST, PUT, PATCH'],
    ['/things/5', { method: 'DELETE', as: 'erin' }, 'GET, DELETE, POST, PUT, PATCH'],
    ['/things/5', { method: 'DELETE' }, 'GET'],
    ['/things?size=x', {}, 'GET'],
    ['/refused', {}, 'GET'],
    ['/secret', { as: 'erin' }, 'GET'],
    ['/private', {}, undefined],
    ['/private', { as: 'erin' }, 'GET'],
    ['/own-words', {}, undefined],
    ['/nothing', {}, undefined],
    ['/things', { method: 'PUT', as: 'erin' }, undefined],
    ['/things', { method: 'OPTIONS' }, 'GET'],
    ['/things/5', { method: 'OPTIONS', as: 'erin' }, 'GET, DELETE, POST, PUT, PATCH'],
    ['/private', { method: 'OPTIONS' }, undefined],
    ['/nothing', { method: 'OPTIONS' }, undefined],
  ])('%s %j', async (path, call, allow) => {
    expect((await headersOf(path, call))['allow']).toBe(allow);
  });
});

describe('CORS', () => {
  test.each<[string, Call]>([
    ['/things', {}],
    ['/nothing', {}],
    ['/refused', {}],
    ['/things', { as: 'erin' }],
    ['/things/5', { method: 'DELETE' }],
    ['/things', { method: 'OPTIONS' }],
    ['/things?_envelope', {}],
  ])('an origin is returned in the response: %s %j', async (path, call) => {
    expect(await headersOf(path, { ...call, headers: { origin: 'https://app.example' } })).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });

  test.each([
    ['null', 'null'],
    ['http://127.0.0.1:8100', 'http://127.0.0.1:8100'],
    ['http://x.y/path', 'http://x.y/path'],
    ['http://x y', 'http://x%20y'],
  ])('origin %s is returned as %s', async (origin, named) => {
    expect((await headersOf('/things', { headers: { origin } }))['access-control-allow-origin']).toBe(named);
  });

  test.each(['javascript:alert(1)', ''])('origin %p is ignored', async (origin) => {
    const headers = await headersOf('/things', { headers: { origin } });
    expect(headers['access-control-allow-origin'] ?? '').toBe('');
  });

  test('without an origin there are no CORS headers', async () => {
    const headers = await headersOf('/things');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  test.each<[Call, string | undefined]>([
    [{}, 'Origin'],
    [{ as: 'erin' }, undefined],
    [{ method: 'POST' }, undefined],
    [{ method: 'OPTIONS' }, undefined],
    [{ method: 'HEAD' }, undefined],
    [{ headers: { 'x-http-method-override': 'POST' } }, 'Origin'],
    [{ method: 'POST', headers: { 'x-http-method-override': 'GET' } }, undefined],
  ])('without an origin, responses to GET do not vary by Origin: %j', async (call, vary) => {
    expect((await headersOf('/things', call))['vary']).toBe(vary);
  });
});

describe('caches', () => {
  const no = { 'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private', expires: 'Wed, 11 Jan 1984 05:00:00 GMT' };

  test.each<[string, Call]>([
    ['/things', { as: 'erin' }],
    ['/things', { as: 'sam' }],
    ['/nothing', { as: 'sam' }],
    ['/refused', { as: 'sam' }],
    ['/things', { method: 'PUT', headers: { 'x-http-method-override': 'POST' } }],
    ['/nothing', { headers: { 'x-http-method-override': 'GET' } }],
    ['/nothing', { headers: { 'x-http-method-override': '' } }],
  ])('must not store %s %j', async (path, call) => {
    expect(await headersOf(path, call)).toMatchObject(no);
  });

  test.each<[string, Call]>([
    ['/things', {}],
    ['/nothing', {}],
    ['/refused', {}],
    ['/things?_method=POST', {}],
    ['/things', { headers: { 'x-http-method-override': 'GET' } }],
    ['/things?_method=POST', { headers: { 'x-http-method-override': 'GET' } }],
    ['/statusless', { headers: { 'x-http-method-override': 'GET' } }],
  ])('get no directives for %s %j', async (path, call) => {
    const headers = await headersOf(path, call);
    expect([headers['cache-control'], headers['expires'], headers['last-modified']]).toEqual([undefined, undefined, undefined]);
  });
});

test.each([
  { accept: 'text/html' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'Mon, 01 Jan 2035 00:00:00 GMT' },
  { range: 'bytes=0-1' },
])('%j changes nothing', async (headers) => {
  const [plain, other] = [await toy().call('/wp-json/toy/v1/deep'), await toy().call('/wp-json/toy/v1/deep', { headers })];
  expect([other.status, other.text]).toEqual([plain.status, plain.text]);
});
