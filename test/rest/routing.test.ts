import { NO_ROUTE, useThings } from './things.js';

const toy = useThings();

const handlerOf = (json: unknown): unknown => (json as { handler?: string }).handler;

describe('paths that lead to a handler', () => {
  test.each([
    ['the path as declared', '/wp-json/toy/v1/things', 'list'],
    ['in capitals', '/wp-json/TOY/V1/Things', 'list'],
    ['one trailing slash', '/wp-json/toy/v1/things/', 'list'],
    ['several trailing slashes', '/wp-json/toy/v1/things///', 'list'],
    ['a query', '/wp-json/toy/v1/things?x=1', 'list'],
    ['an empty query', '/wp-json/toy/v1/things?', 'list'],
    ['a newline at the end, which PHP does not see', '/?rest_route=/toy/v1/things%0A', 'list'],
    ['a capture', '/wp-json/toy/v1/things/5', 'read'],
    ['through index.php', '/index.php/wp-json/toy/v1/things', 'list'],
    ['rest_route', '/?rest_route=/toy/v1/things', 'list'],
    ['rest_route of index.php', '/index.php?rest_route=/toy/v1/things', 'list'],
    ['rest_route, encoded', '/?rest_route=%2Ftoy%2Fv1%2Fthings%2F', 'list'],
    ['rest_route among others', '/?a=1&rest_route=/toy/v1/things/5&b=2', 'read'],
    ['rest_route, spelt as PHP reads it', '/?rest.route=/toy/v1/things', 'list'],
    ['rest_route wins over the path', '/wp-json/toy/v1/things?rest_route=/toy/v1/things/5', 'read'],
    ['an empty rest_route does not', '/wp-json/toy/v1/things?rest_route=', 'list'],
    ['nor does 0, which PHP takes for empty', '/wp-json/toy/v1/things?rest_route=0', 'list'],
  ])('%s', async (_what, path, handler) => {
    const { status, json } = await toy().call(path);
    expect([status, handlerOf(json)]).toEqual([200, handler]);
  });
});

describe('paths that lead nowhere', () => {
  test.each([
    ['an unknown name', '/wp-json/toy/v1/nothing'],
    ['part of a namespace', '/wp-json/toy'],
    ['a route of a namespace without it', '/wp-json/things'],
    ['a doubled slash at the start', '/wp-json//toy/v1/things'],
    ['a doubled slash inside', '/wp-json/toy/v1//things'],
    ['a doubled slash before a capture', '/wp-json/toy/v1/things//5'],
    ['a doubled slash in rest_route', '/?rest_route=//toy/v1/things'],
    ['rest_route without its slash', '/?rest_route=toy/v1/things'],
    ['rest_route encoded twice', '/?rest_route=/toy/v1/th%2569ngs'],
    ['letters for a number', '/wp-json/toy/v1/things/abc'],
    ['a number with letters', '/wp-json/toy/v1/things/5abc'],
    ['a signed number', '/wp-json/toy/v1/things/-5'],
    ['a plus, which is none of a path', '/wp-json/toy/v1/things/+5'],
    ['other digits', '/wp-json/toy/v1/things/%D9%A5'],
    ['an encoded letter', '/wp-json/toy/v1/th%69ngs'],
    ['an encoded number', '/wp-json/toy/v1/things/%35'],
    ['a newline at the end', '/wp-json/toy/v1/things%0A'],
    ['an encoded slash', '/wp-json/toy%2Fv1/things'],
    ['a blank at the end', '/wp-json/toy/v1/things%20'],
    ['a NUL at the end', '/wp-json/toy/v1/things%00'],
    ['a broken escape', '/wp-json/toy/v1/things/%zz'],
    ['half an escape', '/wp-json/toy/v1/things/%'],
    ['something before the path', '/wp-json/x/toy/v1/things'],
  ])('%s', async (_what, path) => {
    const { status, json, headers } = await toy().call(path);
    expect([status, json]).toEqual([404, NO_ROUTE]);
    expect(headers['allow']).toBeUndefined();
  });

  test('unknown paths are reported to the log', async () => {
    toy().unrouted.length = 0;
    await toy().call('/wp-json/wrong/v9/things');
    await toy().call('/wp-json/toy/v1/things');
    expect(toy().unrouted).toEqual(['/wrong/v9/things']);
  });

  test('paths outside the REST root are passed on', async () => {
    for (const path of [
      '/',
      '/wp-jsonx',
      '/WP-JSON/toy/v1/things',
      '/wp-login.php?rest_route=/toy/v1/things',
      '/wp-content/x?rest_route=/toy/v1/things',
      '/?rest_route[]=/toy/v1/things',
    ]) {
      const { status, headers } = await toy().call(path);
      expect([path, status, headers['link']]).toEqual([path, 404, undefined]);
    }
  });
});

describe('captures', () => {
  test.each([
    ['/wp-json/toy/v1/named/caf%C3%A9', 'caf%C3%A9'],
    ['/wp-json/toy/v1/named/a+b', 'a+b'],
    ['/wp-json/toy/v1/named/a%2fb', 'a%2fb'],
    ['/wp-json/toy/v1/named/%zz', '%zz'],
    ['/wp-json/toy/v1/named/UPPER', 'UPPER'],
    ['/wp-json/toy/v1/named/a.b$c', 'a.b$c'],
    ['/?rest_route=/toy/v1/named/a%2Bb', 'a+b'],
    ['/?rest_route=/toy/v1/named/100%25', '100%'],
  ])('%s names %p', async (path, name) => {
    const { json } = await toy().call(path);
    expect(json).toMatchObject({ handler: 'named', params: { name } });
  });

  test('numbers lose their leading zeros', async () => {
    expect((await toy().call('/wp-json/toy/v1/things/0048')).json).toMatchObject({ params: { id: 48 } });
  });

  test('the first registered route responds', async () => {
    expect((await toy().call('/wp-json/toy/v1/things/first')).json).toMatchObject({ handler: 'first' });
    expect((await toy().call('/wp-json/toy/v1/things/0')).json).toMatchObject({ handler: 'read' });
  });
});

describe('methods', () => {
  test.each([
    ['PUT', '/wp-json/toy/v1/things'],
    ['PATCH', '/wp-json/toy/v1/things'],
    ['DELETE', '/wp-json/toy/v1/things'],
    ['POST', '/wp-json/toy/v1/named/x'],
    ['TRACE', '/wp-json/toy/v1/things'],
    ['PROPFIND', '/wp-json/toy/v1/things'],
  ])('%s %s is an unknown method', async (method, path) => {
    const { status, json, headers } = await toy().call(path, { method });
    expect([status, json, headers['allow']]).toEqual([404, NO_ROUTE, undefined]);
  });

  test.each([
    ['GET', '?_method=DELETE', {}, 'delete'],
    ['POST', '?_method=delete', {}, 'delete'],
    ['POST', '?_method=GET', {}, 'read'],
    ['POST', '', { 'x-http-method-override': 'DELETE' }, 'delete'],
    ['GET', '', { 'x-http-method-override': 'patch' }, 'update'],
    ['POST', '?_method=GET', { 'x-http-method-override': 'DELETE' }, 'read'],
    ['DELETE', '?_method[]=GET', {}, 'delete'],
    ['POST', '?_METHOD=DELETE', {}, 'update'],
  ])('%s %s %j is handled as %s', async (method, query, headers, handler) => {
    const { json } = await toy().call(`/wp-json/toy/v1/things/5${query}`, { method, headers, as: 'erin' });
    expect(handlerOf(json)).toBe(handler);
  });

  test.each([
    ['?_method=', {}],
    ['', { 'x-http-method-override': '' }],
    ['?_method=FOO', {}],
    ['?_method=0', {}],
    ['?_method=%20GET', {}],
  ])('%s %j is not a valid method', async (query, headers) => {
    expect((await toy().call(`/wp-json/toy/v1/things/5${query}`, { headers })).json).toEqual(NO_ROUTE);
  });

  test('an override in a body is an ordinary parameter', async () => {
    const call = { method: 'POST', as: 'erin', headers: { 'content-type': 'application/json' }, body: '{"_method":"DELETE"}' };
    expect((await toy().call('/wp-json/toy/v1/things/5', call)).json).toMatchObject({ handler: 'update' });
  });
});

describe('HEAD', () => {
  test.each(['/wp-json/toy/v1/things', '/wp-json/toy/v1/things?page=0', '/wp-json/toy/v1/nothing', '/wp-json/toy/v1/deep?_envelope'])(
    '%s has the status and headers of GET without a body',
    async (path) => {
      const [head, get] = [await toy().call(path, { method: 'HEAD' }), await toy().call(path)];
      const shown = ({ 'content-length': _length, date: _date, vary: _vary, ...rest }: typeof head.headers) => rest;
      expect([head.status, head.text, shown(head.headers)]).toEqual([get.status, '', shown(get.headers)]);
      expect(get.text).not.toBe('');
    },
  );

  test.each([
    ['?_method=HEAD', {}],
    ['?_method=head', {}],
    ['', { 'x-http-method-override': 'HEAD' }],
  ])('an override %s %j has no body', async (query, headers) => {
    const { status, text } = await toy().call(`/wp-json/toy/v1/things${query}`, { headers });
    expect([status, text]).toEqual([200, '']);
  });
});
