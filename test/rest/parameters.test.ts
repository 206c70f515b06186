import { FORM_BODY, JSON_BODY, useThings } from './things.js';
import type { Call } from '../support/toy.js';

const toy = useThings();

const paramsOf = async (path: string, call: Call = {}): Promise<unknown> =>
  ((await toy().call(`/wp-json/toy/v1${path}`, call)).json as { params?: unknown }).params;

const json = (body: unknown, method = 'PUT'): Call => ({ method, as: 'erin', headers: JSON_BODY, body: JSON.stringify(body) });
const form = (body: string, method = 'PUT'): Call => ({ method, as: 'erin', headers: FORM_BODY, body });

describe('precedence of sources', () => {
  test.each<[string, string, Call, Record<string, unknown>]>([
    ['the path', '/things/5', {}, { id: 5 }],
    ['the query before the path', '/things/5?id=6', {}, { id: 6 }],
    ['an array of the query before the path', '/things?name=x', {}, { name: 'x', page: 1 }],
    ['a form before the query', '/things/5?id=6', form('id=7'), { id: 7 }],
    ['JSON before the query', '/things/5?id=6', json({ id: 8 }), { id: 8 }],
    ['JSON of a GET', '/things/5?id=6', json({ id: 8 }, 'GET'), { id: 8 }],
    ['a default last', '/things', {}, { page: 1 }],
    ['anything before the default', '/things?page=2', {}, { page: 2 }],
    ['null of JSON falls through to the query', '/things?free=x', json({ free: null }, 'GET'), { free: 'x', page: 1 }],
    ['null of JSON falls through to the default', '/things', json({ free: null }, 'GET'), { page: 1 }],
    ['false and 0 do not fall through', '/things?free=x', json({ free: false }, 'GET'), { free: false, page: 1 }],
    ['empty text does not fall through', '/things?free=', {}, { free: '', page: 1 }],
    ['a form of a GET is not read', '/things?free=x', form('free=y', 'GET'), { free: 'x', page: 1 }],
    ['a form that a PUT brings', '/things/5', form('free=y'), { id: 5, free: 'y' }],
    ['a form that a POST brings', '/things/5', form('free=y', 'POST'), { id: 5, free: 'y' }],
    ['a form of a POST that is to be a PUT', '/things/5?_method=PUT', form('free=y', 'POST'), { id: 5, free: 'y' }],
    ['a form of a PUT that is to be a POST is not read', '/things/5?_method=POST', form('free=y'), { id: 5 }],
    ['a form of a GET that is to be a PUT', '/things/5?_method=PUT', form('free=y', 'GET'), { id: 5, free: 'y' }],
    ['names that nobody declared are nothing', '/things?foo=bar', {}, { page: 1 }],
    ['names are told apart by case', '/things?PAGE=5', {}, { page: 1 }],
  ])('%s', async (_what, path, call, expected) => {
    expect(await paramsOf(path, call)).toEqual(expected);
  });

  test('defaults do not count as given parameters, everything sent does', async () => {
    expect((await toy().call('/wp-json/toy/v1/things')).json).toMatchObject({ given: [] });
    expect((await toy().call('/wp-json/toy/v1/things?page=1&free')).json).toMatchObject({ given: ['free', 'page'] });
    expect((await toy().call('/wp-json/toy/v1/things', json({ page: null }, 'GET'))).status).toBe(400);
  });

  test('names of prototype properties are ordinary names', async () => {
    const { status, json: body } = await toy().call('/wp-json/toy/v1/things?__proto__[page]=7&constructor=1&__proto__=x&toString=1');
    expect([status, (body as { params: unknown }).params]).toEqual([200, { page: 1 }]);
    expect(await paramsOf('/things', { ...json({}, 'GET'), body: '{"__proto__":{"page":7,"free":"x"},"constructor":1}' })).toEqual({
      page: 1,
    });
    expect(({} as Record<string, unknown>)['page']).toBeUndefined();
  });
});

describe('query strings are parsed as in PHP', () => {
  test.each([
    ['free[]=a&free[]=b', ['a', 'b']],
    ['free[0]=a&free[1]=b', ['a', 'b']],
    ['free[x]=a&free[y][]=b', { x: 'a', y: ['b'] }],
    ['free=a&free=b', 'b'],
    ['free=a+b%20c', 'a b c'],
    ['free=%zz%', '%zz%'],
    ['free=%ff', '\ufffd'],
    ['free=a%00b', 'a\0b'],
    ['free=a=b', 'a=b'],
    ['free=a;page=5', 'a;page=5'],
    ['free', ''],
    ['free=%24gt', '$gt'],
    ['free[$gt]=1', { $gt: '1' }],
    ['free[a.b]=1', { 'a.b': '1' }],
  ])('%s', async (query, free) => {
    expect(await paramsOf(`/things?${query}`)).toEqual({ page: 1, free });
  });
});

describe('types', () => {
  const refusedAs = (name: string, type: string) => ({
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${name}`,
    data: {
      status: 400,
      params: { [name]: `${name} is not of type ${type}.` },
      details: { [name]: { code: 'rest_invalid_type', message: `${name} is not of type ${type}.`, data: { param: name } } },
    },
  });

  test.each([
    ['5', 5],
    ['01', 1],
    ['%2B1', 1],
    ['-3', -3],
    ['5.0', 5],
    ['1e1', 10],
    ['%205', 5],
    ['5%20', 5],
    ['99999999999999999999', 9223372036854775807],
  ])('size=%s is the integer %p', async (text, size) => {
    expect(await paramsOf(`/things?size=${text}`)).toEqual({ page: 1, size });
  });

  test.each(['1.5', '.5', '0x1', '1_0', '1,2', '1abc', '', 'true', '%D9%A5', '5%00'])('size=%s is not an integer', async (text) => {
    const { status, json: body } = await toy().call(`/wp-json/toy/v1/things?size=${text}`);
    expect([status, body]).toEqual([400, refusedAs('size', 'integer')]);
  });

  test.each<[unknown, unknown]>([
    [5, 5],
    ['5', 5],
    [5.0, 5],
    ['1e1', 10],
  ])('a JSON size of %p is %p', async (given, size) => {
    expect(await paramsOf('/things', json({ size: given }, 'GET'))).toEqual({ page: 1, size });
  });

  test.each([1.5, true, null, 'x', [], [1], {}])('a JSON size of %j is not an integer', async (size) => {
    expect((await toy().call('/wp-json/toy/v1/things', json({ size }, 'GET'))).json).toEqual(refusedAs('size', 'integer'));
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('flag=%s is %p', async (text, flag) => {
    expect(await paramsOf(`/things?flag=${text}`)).toEqual({ page: 1, flag });
  });

  test.each(['yes', 'on', '01', '1.0', '%20true', '2', '', 'null'])('flag=%s is not a boolean', async (text) => {
    expect((await toy().call(`/wp-json/toy/v1/things?flag=${text}`)).json).toEqual(refusedAs('flag', 'boolean'));
  });

  test.each(['true', 'false', '1', '0', '"TRUE"'])('a JSON flag of %s is a boolean', async (text) => {
    const call = { ...json({}, 'GET'), body: `{"flag":${text}}` };
    expect(await paramsOf('/things', call)).toEqual({ page: 1, flag: /true|1/i.test(text) });
  });

  test.each(['1.0', '0.0', '1e0', '2', 'null', '[]', '[true]', '{}', '"yes"'])('a JSON flag of %s is not a boolean', async (text) => {
    const call = { ...json({}, 'GET'), body: `{"flag":${text}}` };
    expect((await toy().call('/wp-json/toy/v1/things', call)).json).toEqual(refusedAs('flag', 'boolean'));
  });

  test('a JSON float with an integral value is accepted as an integer', async () => {
    const call = { ...json({}, 'GET'), body: '{"size":1.0,"flag":1,"free":1.0}' };
    expect(await paramsOf('/things?flag=1', call)).toEqual({ page: 1, size: 1, flag: true, free: 1 });
  });

  test.each<[unknown]>([[5], [true], [null], [['a']], [{ a: 1 }]])('a JSON name of %j is not a string', async (name) => {
    expect((await toy().call('/wp-json/toy/v1/things', json({ name }, 'GET'))).json).toEqual(refusedAs('name', 'string'));
  });

  test.each<[unknown, unknown]>([
    ['1,2', [1, 2]],
    ['1 2', [1, 2]],
    [
      [1, '2'],
      [1, 2],
    ],
    [{ '2': 1 }, [1]],
    ['', []],
    [7, [7]],
    [true, [1]],
  ])('a list of %j is %j', async (list, expected) => {
    expect(await paramsOf('/things', json({ list }, 'GET'))).toEqual({ page: 1, list: expected });
  });

  test('items are checked one by one, and the error names the item', async () => {
    const { json: body } = await toy().call('/wp-json/toy/v1/things?list[]=1&list[]=x');
    expect(body).toMatchObject({
      data: { params: { list: 'list[1] is not of type integer.' }, details: { list: { data: { param: 'list[1]' } } } },
    });
  });

  test('a value is checked in every source that contains it', async () => {
    expect((await toy().call('/wp-json/toy/v1/things?size=x', json({ size: 5 }, 'GET'))).json).toEqual(refusedAs('size', 'integer'));
  });

  test('a custom sanitizer replaces that of the type', async () => {
    expect(await paramsOf('/checked?size=x&free=1')).toEqual({ size: 'x', free: 'clean "1"' });
  });

  test('a computed default and a null default', async () => {
    const { json: body } = await toy().call('/wp-json/toy/v1/things', { method: 'OPTIONS' });
    const { args } = (body as { endpoints: { args: Record<string, { default?: unknown }> }[] }).endpoints[0];
    expect([args['moment'].default, args['none'].default, 'default' in args['free']]).toEqual(['2026-06-15 12:00:00', null, false]);
  });
});
