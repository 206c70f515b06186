import { DEEP, JSON_BODY, useThings } from './things.js';
import type { Json } from '../../src/wordpress/rest/route.js';

const toy = useThings();

const bodyOf = async (path: string, body?: string): Promise<unknown> =>
  (await toy().call(`/wp-json/toy/v1${path}`, body === undefined ? {} : { headers: JSON_BODY, body })).json;

const deep = DEEP as Record<string, Json>;

describe('_fields', () => {
  test.each<[string, unknown]>([
    ['id', { id: 7 }],
    ['nothing,id', { nothing: null, id: 7 }],
    ['id,unknown', { id: 7 }],
    ['ID', []],
    ['unknown', []],
    ['id%20title', { id: 7, title: deep['title'] }],
    ['id%0Anumbers', { id: 7, numbers: [4, 5, 6] }],
    ['%20id%20,%20numbers%20', { id: 7, numbers: [4, 5, 6] }],
    ['id;title', []],
    ['title.raw', { title: { raw: 'a' } }],
    ['title.raw,title.rendered', { title: deep['title'] }],
    ['title.unknown', { title: [] }],
    ['id.x', { id: 7 }],
    ['nothing.x', { nothing: null }],
    ['title.raw.x', { title: { raw: 'a' } }],
    ['inner.deep.other,inner.shallow', { inner: { deep: { other: 2 }, shallow: 3 } }],
    ['list.id', { list: [] }],
    ['list.0', { list: [{ id: 1 }] }],
    ['list.1', { list: { '1': { id: 2 } } }],
    ['list.0.id,list.1', { list: [{ id: 1 }, { id: 2 }] }],
    ['numbers.0,numbers.1', { numbers: [4, 5] }],
    ['json_ld.name', { json_ld: deep['json_ld'] }],
    ['_links', { _links: deep['_links'] }],
    ['_links.self', { _links: deep['_links'] }],
    ['_embedded', { _links: deep['_links'] }],
    ['.id', []],
    ['title..raw', { title: [] }],
    ['*', []],
  ])('%s', async (fields, expected) => {
    expect(await bodyOf(`/deep?_fields=${fields}`)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['title,title.raw,id', { title: deep['title'] }],
    ['id,title,title.raw,numbers', { id: 7, title: deep['title'] }],
    ['title.raw,title,id', { id: 7, title: deep['title'] }],
  ])('a property nested in a requested one ends the list: %s', async (fields, expected) => {
    expect(await bodyOf(`/deep?_fields=${fields}`)).toEqual(expected);
  });

  test.each(['_fields=', '_fields', '_fields=,', '_fields[]', 'x=1'])('%s selects everything', async (query) => {
    const body = (await bodyOf(`/deep?${query}`)) as object;
    expect(Object.keys(body)).toEqual(query === '_fields[]' ? [] : Object.keys(deep));
  });

  test.each<[string, unknown]>([
    ['_fields[]=id&_fields[]=title.raw', { id: 7, title: { raw: 'a' } }],
    ['_fields[]=id,numbers', []],
    ['_fields[a]=id', { id: 7 }],
    ['_fields[][]=id', deep],
    ['_fields=numbers&_fields=id', { id: 7 }],
  ])('as a list: %s', async (query, expected) => {
    expect(await bodyOf(`/deep?${query}`)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['{"_fields":"id"}', { id: 7 }],
    ['{"_fields":["id","title.raw"]}', { id: 7, title: { raw: 'a' } }],
    ['{"_fields":{"a":"id"}}', { id: 7 }],
    ['{"_fields":null}', { numbers: [4, 5, 6] }],
    ['{"_fields":5}', []],
    ['{"_fields":false}', deep],
    ['{"_fields":[1,"id",null]}', { id: 7 }],
  ])('from JSON before the query: %s', async (body, expected) => {
    expect(await bodyOf('/deep?_fields=numbers', body)).toEqual(expected);
  });

  test('keeps the order of the resource', async () => {
    expect((await toy().call('/wp-json/toy/v1/deep?_fields=numbers,id,title')).text).toMatch(/^\{"id".*"title".*"numbers"/);
  });

  test('applies to each row of a list', async () => {
    expect(await bodyOf('/rows?_fields=id,title.raw')).toEqual([{ id: 7, title: { raw: 'a' } }, { id: 8, title: 'text' }, 'scalar']);
  });

  test('does not apply to errors', async () => {
    expect(await bodyOf('/refused?_fields=code')).toEqual({ code: 'toy_refused', message: 'No.', data: { status: 409, id: 5 } });
  });

  test('applies to OPTIONS', async () => {
    const { json } = await toy().call('/wp-json/toy/v1/things?_fields=namespace,methods', { method: 'OPTIONS' });
    expect(json).toEqual({ namespace: 'toy/v1', methods: ['GET', 'POST'] });
  });
});

describe('_envelope', () => {
  test.each(['_envelope', '_envelope=', '_envelope=0', '_envelope=1', '_envelope[]=x'])('%s wraps the response', async (query) => {
    const { status, json, headers } = await toy().call(`/wp-json/toy/v1/deep?${query}&_fields=id`);
    expect([status, json]).toEqual([200, { body: { id: 7 }, status: 200, headers: { 'X-Total': 3, Allow: 'GET' } }]);
    expect([headers['x-total'], headers['allow']]).toEqual([undefined, undefined]);
  });

  test('errors are wrapped too, with status 200', async () => {
    const { status, json } = await toy().call('/wp-json/toy/v1/refused?_envelope&_fields=x');
    expect([status, json]).toEqual([
      200,
      { body: { code: 'toy_refused', message: 'No.', data: { status: 409, id: 5 } }, status: 409, headers: { Allow: 'GET' } },
    ]);
  });

  test('without headers the list is empty', async () => {
    expect((await toy().call('/wp-json/toy/v1/nothing?_envelope')).json).toMatchObject({ status: 404, headers: [] });
  });

  test('is read only from the query string', async () => {
    expect(await bodyOf('/deep?_fields=id', '{"_envelope":1}')).toEqual({ id: 7 });
  });
});

describe('_jsonp', () => {
  test.each(['cb', 'a.b', 'a_b', '.', '1', 'A9'])('%s is a valid callback name', async (name) => {
    const { status, text, headers } = await toy().call(`/wp-json/toy/v1/deep?_fields=id&_jsonp=${name}`);
    expect([status, text, headers['content-type']]).toEqual([200, `/**/${name}({"id":7})`, 'application/javascript; charset=UTF-8']);
  });

  test.each(['a-b', 'a$b', 'a%20b', 'a[0]', 'alert(1)', '%C3%A9', 'a%0A', 'a%00', '%3Cscript%3E'])(
    '%s is not a valid callback name',
    async (name) => {
      const { status, json, headers } = await toy().call(`/wp-json/toy/v1/deep?_jsonp=${name}`);
      expect([status, json]).toEqual([400, { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' }]);
      expect(headers['content-type']).toBe('application/javascript; charset=UTF-8');
      expect([headers['allow'], headers['access-control-expose-headers']]).toEqual([undefined, undefined]);
    },
  );

  test('a list is not a valid callback name', async () => {
    expect((await toy().call('/wp-json/toy/v1/deep?_jsonp[]=cb')).status).toBe(400);
  });

  test.each(['_jsonp', '_jsonp=', '_jsonp=0'])('%s means no callback', async (query) => {
    const { json, headers } = await toy().call(`/wp-json/toy/v1/deep?_fields=id&${query}`);
    expect([json, headers['content-type']]).toEqual([{ id: 7 }, 'application/json; charset=UTF-8']);
  });

  test('wraps errors and envelopes, with their status', async () => {
    const refused = await toy().call('/wp-json/toy/v1/refused?_jsonp=cb');
    expect([refused.status, refused.text.slice(0, 13)]).toEqual([409, '/**/cb({"code']);
    expect((await toy().call('/wp-json/toy/v1/deep?_fields=id&_jsonp=cb&_envelope')).text).toMatch(
      /^\/\*\*\/cb\(\{"body":\{"id":7\},"status":200/,
    );
  });

  test('the callback name is checked first', async () => {
    const authorization = `Basic ${Buffer.from('erin:wrong').toString('base64')}`;
    expect((await toy().call('/wp-json/nothing?_jsonp=!', { headers: { authorization } })).status).toBe(400);
  });
});

describe('_embed', () => {
  test('adds the responses of embeddable local links', async () => {
    const { json } = await toy().call('/wp-json/toy/v1/child?_embed');
    expect(json).toMatchObject({
      id: 9,
      _embedded: { up: [{ handler: 'read', params: { id: 5 } }], gone: [{ code: 'rest_no_route' }] },
    });
    expect(Object.keys((json as { _embedded: object })._embedded)).toEqual(['up', 'gone']);
  });

  test('nothing is added without _embed or embeddable links', async () => {
    expect(await bodyOf('/child')).not.toHaveProperty('_embedded');
    expect(await bodyOf('/deep?_embed')).toEqual(deep);
    expect(await bodyOf('/child?_embed&_fields=id')).toEqual({ id: 9 });
  });
});

describe('JSON as PHP writes it', () => {
  test('escapes slashes and non-ASCII text, and formats numbers', async () => {
    const { text } = await toy().call('/wp-json/toy/v1/text');
    expect(text).toBe('{"path":"a\\/b","text":"Zo\\u00eb \\ud83d\\ude00","ratio":1.0e-5,"empty":{}}');
  });

  test.each(['_pretty', '_pretty=', '_pretty=0', '_pretty[]=1'])('%s indents with four spaces', async (query) => {
    expect((await toy().call(`/wp-json/toy/v1/deep?_fields=id,title&${query}`)).text).toBe(
      '{\n    "id": 7,\n    "title": {\n        "raw": "a",\n        "rendered": "b"\n    }\n}',
    );
  });

  test('_locale changes nothing', async () => {
    expect(await bodyOf('/deep?_locale=user')).toEqual(deep);
  });
});
