import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv from 'ajv/dist/2020.js';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

type Any = ReturnType<typeof JSON.parse>;

const server = startTestServer({ dataset: WORLD, plugins: ['event-tickets'], now: '2026-06-15T12:00:00Z' });

const get = (path: string): Promise<Response> => fetch(`${server().url}${path}`, { headers: { authorization: signIn('admin') } });
const json = async (path: string): Promise<Any> => (await get(path)).json();

/** A path of WordPress with its parameters in braces. */
function readable(path: string): string {
  let flat = path.replaceAll(/\\[()]/g, '');
  for (let next = ''; next !== flat;) {
    next = flat;
    flat = flat.replaceAll(/\((?!\?P<)[^()]*\)/g, '');
  }
  return flat.replaceAll(/\(\?P<(\w+)>[^()]*\)/g, '{$1}');
}

let doc: Any;
/** The routes as the index of the site shows them, without indexes. */
let routes: [string, Any][];

beforeAll(async () => {
  doc = await json('/__qa/openapi.json?namespace=all');
  const index = await json('/wp-json/');
  routes = Object.entries<Any>(index.routes).filter(([path, { namespace }]) => namespace !== '' && path !== `/${namespace}`);
});

describe('the OpenAPI document of all namespaces', () => {
  test('is valid, and names each operation once', async () => {
    expect(await new Validator().validate(structuredClone(doc))).toEqual({ valid: true });
    const operations = Object.values<Any>(doc.paths).flatMap((path) => Object.values<Any>(path));
    expect(operations.length).toBeGreaterThan(300);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('has every route of the index with its methods', () => {
    const wanted = routes.map(([path, { endpoints }]) => [readable(path), endpoints.map(({ methods }: Any) => methods[0].toLowerCase())]);
    const missing = wanted.filter(([path, methods]) => !methods.every((method: string) => doc.paths[path]?.[method] !== undefined));
    expect(missing).toEqual([]);
  });

  test('has every parameter that the index lists', () => {
    const differing = routes.flatMap(([path, { namespace, endpoints }]) => {
      // The calendar has its own document, and icons have two routes that differ only in their pattern.
      if (namespace.endsWith('events/v1') || /icons\/\(/.test(path)) return [];
      return endpoints.flatMap(({ methods, args }: Any) => {
        // TEC: arguments of a route are a list.
        if (Array.isArray(args)) return [];
        const { parameters = [], requestBody } = doc.paths[readable(path)][methods[0].toLowerCase()];
        const schema = requestBody?.content['application/json'].schema;
        const described = new Set([...parameters.map(({ name }: Any) => name), ...Object.keys(schema?.properties ?? {})]);
        return Object.keys(args).flatMap((name) => (described.has(name) ? [] : [`${methods[0]} ${path}: ${name}`]));
      });
    });
    expect(differing).toEqual([]);
  });

  test('says what the lists and objects are that the routes without parameters in their path return', async () => {
    const ajv = new Ajv.default({ allErrors: true, strict: false, validateFormats: false, logger: false });
    ajv.addSchema({ $id: 'doc', components: doc.components });
    const wrong: string[] = [];
    const seen: string[] = [];
    for (const [path, operations] of Object.entries<Any>(doc.paths)) {
      const schema = operations.get?.responses[200]?.content?.['application/json']?.schema;
      if (path.includes('{') || schema === undefined || Object.keys(schema).length === 0) continue;
      const response = await get(`/wp-json${path}?per_page=5`);
      if (response.status !== 200) continue;
      seen.push(path);
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));
      const validate = ajv.compile(local);
      // WordPress describes members less exactly: an empty object is a list.
      const isWhole = ({ instancePath }: { instancePath: string }): boolean => /^(?:\/\d+)?$/.test(instancePath);
      if (!validate(await response.json()) && validate.errors!.some(isWhole)) wrong.push(`${path}: ${ajv.errorsText(validate.errors)}`);
    }
    // WP: the author of a plugin is declared as an object, and is a text.
    expect(wrong.filter((each) => !each.startsWith('/wp/v2/plugins: data/0/author must be object'))).toEqual([]);
    expect(seen.length).toBeGreaterThan(20);
  });
});

describe('the document of one namespace', () => {
  test.each(['wp/v2', 'tec/v1', 'tribe/tickets/v1', 'tribe/events/v1'])('%s has its routes only', async (name) => {
    const { paths } = await json(`/__qa/openapi.json?namespace=${name}`);
    expect(Object.keys(paths).length).toBeGreaterThan(5);
    expect(Object.keys(paths).filter((path) => !path.startsWith(`/${name}/`))).toEqual([]);
  });

  test('a namespace that does not exist is an error that lists the others', async () => {
    const response = await get('/__qa/openapi.json?namespace=wp/v9');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: 'understudy_no_namespace', message: expect.stringMatching(/wp\/v2.*, and all\.$/) },
    ]);
  });
});
