import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Stubs } from '../../../src/control/tenant/stubs/stubs.js';
import type { Stub } from '../../../src/sdk/types/qa.js';
import { readOpenApi, resolved, stubsOf, type ImportedStubs } from '../../../src/transfer/openapi/responses.js';

/** Documents that others wrote. */
const FOLDER = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => /^[23]\.\d.*\.(?:json|yaml)$/.test(file));

const read = (file: string, base?: string): ImportedStubs =>
  stubsOf(readOpenApi(readFileSync(path.join(FOLDER, file), 'utf8'), file), base);
const find = ({ stubs }: ImportedStubs, method: string, at: string): Stub | undefined =>
  stubs.find(({ match }) => match?.method === method && match.path === at);

describe('documents that others wrote', () => {
  test('there are some of each version', () => {
    for (const version of ['2.0', '3.0', '3.1']) expect(FILES.filter((file) => file.startsWith(version)).length).toBeGreaterThan(10);
  });

  test.each(FILES)('%s: each operation has a stub that the server accepts, or is left out with the reason', (file) => {
    const document = readOpenApi(readFileSync(path.join(FOLDER, file), 'utf8'), file);
    const operations = Object.entries(document.paths).flatMap(([at, item]) =>
      at.startsWith('x-')
        ? []
        : Object.keys(resolved(item, document)).filter((name) => /^(?:get|put|post|delete|patch|head|options|trace)$/.test(name)),
    );
    const { stubs, skipped, ignored } = read(file);
    expect(stubs.length + skipped.filter(({ operation }) => !operation.startsWith('webhook')).length).toBe(operations.length);
    for (const { why } of skipped)
      expect(why).toMatch(/^(?:it has no responses|it has only responses with errors|it is a request that|an earlier)/);
    const known = new Stubs(() => '');
    for (const stub of stubs) known.add(JSON.parse(JSON.stringify(stub)) as Stub);
    expect(known.size).toBe(stubs.length);
    expect(JSON.stringify(stubs).length).toBeLessThan(300_000);
    expect(read(file)).toEqual({ stubs, skipped, ignored });
  });

  test('examples come before values by schema, and JSON and YAML give the same', () => {
    const travel = read('3.1/json/train-travel.json');
    expect(find(travel, 'GET', '/stations')).toMatchObject({ respond: { body: { data: [{ name: 'Berlin Hauptbahnhof' }, {}] } } });
    expect(read('3.1/yaml/train-travel.yaml')).toEqual(travel);
    const pets = read('3.0/json/petstore.json', '/wp-json/pets/v1/');
    expect(find(pets, 'GET', '/wp-json/pets/v1/pet/*')).toMatchObject({
      respond: {
        body: { category: { name: 'string' }, name: 'doggie', photoUrls: ['https://example.com/photo.png'], status: 'available' },
      },
    });
    expect(find(read('2.0/json/petstore.json'), 'GET', '/v2/store/inventory')).toMatchObject({ respond: { body: { property1: 0 } } });
  });
});

describe('rules', () => {
  test('keywords that values need not fit are named, unless an example gives the value', () => {
    const properties = {
      code: { type: 'string', pattern: '^[A-Z]{3}$' },
      price: { $ref: '#/components/schemas/Price' },
      given: { type: 'array', uniqueItems: true, example: [1, 2] },
      // A property of that name.
      minProperties: { type: 'integer' },
    };
    const components = { schemas: { Price: { type: 'number', multipleOf: 0.05 } } };
    const got = doc({ '/a': { get: json({ schema: { type: 'object', properties } }) } }, { components });
    expect(got).toMatchObject({ skipped: [], ignored: ['pattern', 'multipleOf'] });
    expect(doc({ '/a': { get: json({ example: {}, schema: { type: 'object', properties } }) } }, { components }).ignored).toEqual([]);
  });

  const ok = (respond: object): object => ({ responses: { 200: { description: 'OK', ...respond } } });
  const json = (media: object): object => ok({ content: { 'application/json': media } });
  const doc = (paths: object, more: object = {}): ImportedStubs =>
    stubsOf(readOpenApi(JSON.stringify({ openapi: '3.1.0', paths, ...more }), 'a.json'));
  const answer = (operation: object, more: object = {}): unknown => doc({ '/a': { get: operation } }, more).stubs[0]?.respond;

  test.each<[object | undefined, object, string]>([
    [undefined, {}, '/seats/*'],
    [
      [{ url: 'https://example.com/wp-json/acme/{version}/', variables: { version: { default: 'v2' } } }] as object,
      {},
      '/wp-json/acme/v2/seats/*',
    ],
    [[{ url: '/v1' }, { url: '/v2' }] as object, {}, '/v1/seats/*'],
    [[{ url: 'v1' }] as object, {}, '/v1/seats/*'],
    [[{ url: '.' }] as object, {}, '/seats/*'],
    [[{ url: '//example.com' }] as object, {}, '/seats/*'],
    [[{ url: '/v1' }] as object, { servers: [{ url: 'https://other.example/own?x=1' }] }, '/own/seats/*'],
  ])('servers %j: the path begins with the one of the first', (servers, own, wanted) => {
    expect(doc({ '/seats/{id}': { get: { ...json({ example: 1 }), ...own } } }, { servers }).stubs.map(({ match }) => match)).toEqual([
      { method: 'GET', path: wanted },
    ]);
  });

  test('specific paths come last, so that they respond first; a query in a path is one', () => {
    const get = { get: json({ example: {} }) };
    const { stubs, skipped } = doc({
      '/a/best': get,
      '/a/{id}': get,
      '/a/{id}?full={all}&x=1': get,
      '/{b}/{id}': get,
      '/a/best#again': get,
    });
    expect(stubs.map(({ match }) => match)).toEqual([
      { method: 'GET', path: '/*/*' },
      { method: 'GET', path: '/a/*' },
      { method: 'GET', path: '/a/best' },
      { method: 'GET', path: '/a/*', query: { full: '*', x: '1' } },
    ]);
    expect(skipped).toEqual([{ operation: 'GET /a/best#again', why: 'an earlier operation has the same requests' }]);
  });

  test.each<[string, object, unknown]>([
    ['an example', json({ example: { a: 1 }, examples: { b: { value: 2 } } }), { body: { a: 1 } }],
    ['the first of examples', json({ examples: { far: { externalValue: 'https://x' }, b: { value: [2] } } }), { body: [2] }],
    ['JSON in a text', json({ example: '{ "a": 1 }' }), { body: { a: 1 } }],
    ['a text', json({ example: 'x' }), { headers: { 'Content-Type': 'application/json' }, body: '"x"' }],
    ['null', json({ schema: { type: 'null' } }), { headers: { 'Content-Type': 'application/json' }, body: 'null' }],
    ['no content', { responses: { 204: { description: 'Deleted' }, 404: {} } }, { status: 204 }],
    ['the lowest success', { responses: { 202: {}, 201: {}, default: {}, 400: {} } }, { status: 201 }],
    ['a range', { responses: { '2XX': { description: '' } } }, {}],
    [
      'a redirection',
      { responses: { 400: {}, 302: { headers: { Location: { example: '/b' } } } } },
      { status: 302, headers: { Location: '/b' } },
    ],
    [
      'JSON before others',
      ok({ content: { 'image/png': {}, 'application/problem+json': { example: {} } } }),
      { headers: { 'Content-Type': 'application/problem+json' }, body: {} },
    ],
    ['bytes without an example', ok({ content: { 'image/png': {} } }), { headers: { 'Content-Type': 'image/png' } }],
    ['a text type', ok({ content: { 'text/csv': { example: 'a,b' } } }), { headers: { 'Content-Type': 'text/csv' }, body: 'a,b' }],
    [
      'headers',
      {
        responses: {
          200: { headers: { 'X-Total': { schema: { type: 'integer', default: 3 } }, 'X-None': { schema: {} }, Date: { example: 'x' } } },
        },
      },
      { headers: { 'X-Total': '3' } },
    ],
  ])('the response is %s', (_what, operation, wanted) => expect(answer(operation)).toEqual(wanted));

  test('values by schema: formats, choices, compositions and bounded recursion', () => {
    const schemas = {
      Base: { type: 'object', properties: { id: { type: 'integer', minimum: 7 }, secret: { type: 'string', writeOnly: true } } },
      Seat: {
        allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: { row: { enum: ['A', 'B'] } } }],
        properties: {
          at: { type: 'string', format: 'date-time' },
          mail: { oneOf: [{ type: 'string', format: 'email' }, { type: 'null' }] },
          next: { $ref: '#/components/schemas/Seat' },
          all: { type: 'array', minItems: 2, items: { $ref: '#/components/schemas/Seat' } },
        },
      },
    };
    expect(answer(json({ schema: { $ref: '#/components/schemas/Seat' } }), { components: { schemas } })).toEqual({
      body: { id: 7, row: 'A', at: '2019-08-24T14:15:22Z', mail: 'user@example.com', next: {}, all: [{}, {}] },
    });
  });

  test('examples with braces are no templates', () => {
    expect(doc({ '/a': { get: json({ example: { a: '{{title}}' } }) } }).stubs).toMatchObject([{ template: false }]);
  });

  test.each<[object, string]>([
    [{ get: json({ schema: { $ref: '#/components/schemas/None' } }) }, 'its schema cannot be followed: '],
    [{ get: json({ schema: { $ref: 'other.yaml#/Seat' } }) }, 'its schema cannot be followed: '],
    [{ get: { responses: { 200: { $ref: 'other.yaml' } } } }, 'it refers to another file: other.yaml. Bundle'],
    [{ get: { responses: { 200: { $ref: '#/x/y' } } } }, '#/x/y does not exist'],
    [{ get: { responses: { 200: { $ref: '#/paths/~1a/get/responses/200' } } } }, 'its references lead to each other'],
    [{ get: { responses: { 400: {} } } }, 'it has only responses with errors (400)'],
    [{ get: {} }, 'it has no responses'],
    [{ options: json({}) }, 'no stub responds to this method'],
    [{ $ref: 'paths.yaml#/a' }, 'it refers to another file: paths.yaml#/a'],
  ])('%j is left out', (item, why) => {
    expect(doc({ '/a': item })).toEqual({
      ignored: [],
      stubs: [],
      skipped: [{ operation: expect.stringMatching(/^(?:GET |OPTIONS )?\/a$/), why: expect.stringContaining(why) }],
    });
  });

  test.each<[string, string]>([
    ['{}', 'is not an OpenAPI document'],
    ['swagger: "1.2"', 'is not an OpenAPI document'],
    ['[1]', 'is not an OpenAPI document'],
    ['openapi: 3.0.0\npaths: [a]', 'paths: must be an object'],
    ['{ "openapi"', 'line 1'],
  ])('%j is no document', (text, message) => expect(() => readOpenApi(text, 'a.yaml')).toThrow(message));
});

describe('a file that asks for much', () => {
  const document = (schema: object, schemas: object = {}): ImportedStubs =>
    stubsOf(
      readOpenApi(
        JSON.stringify({
          openapi: '3.0.0',
          paths: { '/a': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } },
          components: { schemas },
        }),
        'much.json',
      ),
    );
  const text = { type: 'string' };
  const list = (items: object, minItems = 1e9): object => ({ type: 'array', minItems, items });
  const wide = (to: string): object => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: `#/components/schemas/${to}` }])),
  });

  test.each<[string, object, object]>([
    ['a list with a huge number of items', list(text), {}],
    ['lists of lists of lists', list(list(list(text, 1000), 1000), 1000), {}],
    ['references that multiply', wide('A'), { A: wide('B'), B: wide('C'), C: wide('D'), D: wide('E'), E: text }],
  ])('%s: is left out with the reason', (_, schema, schemas) => {
    expect(document(schema, schemas)).toEqual({
      ignored: [],
      stubs: [],
      skipped: [{ operation: 'GET /a', why: expect.stringContaining('it makes more than 10000 values. Add an example') }],
    });
  });

  test('the values of all operations are added up', () => {
    const item = { get: { responses: { 200: { content: { 'application/json': { schema: list(text, 9_000) } } } } } };
    const paths = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`/a${index}`, item]));
    const { stubs, skipped } = stubsOf(readOpenApi(JSON.stringify({ openapi: '3.0.0', paths }), 'much.json'));
    expect([stubs.length, skipped.length]).toEqual([55, 5]);
  });

  test('a text that has to be very long is shorter, unless it is an example', () => {
    const properties = { a: { ...text, minLength: 2e9 }, example: { ...text, minLength: 2e9 }, b: { example: { minLength: 5000 } } };
    const { stubs } = document({ type: 'object', properties });
    const body = stubs[0].respond?.body as Record<string, string | object>;
    expect([(body['a'] as string).length, (body['example'] as string).length, body['b']]).toEqual([1000, 1000, { minLength: 5000 }]);
  });
});
