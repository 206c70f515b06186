import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFINITIONS } from '../../../../src/plugins/the-events-calendar/calendar-v1/doc/definitions.js';
import { docRoute, openApiDocument, type DocResource } from '../../../../src/plugins/the-events-calendar/calendar-v1/doc/doc.js';
import { EVENTS } from '../../../../src/plugins/the-events-calendar/calendar-v1/events.js';
import { ORGANIZER_RESOURCE, VENUES } from '../../../../src/plugins/the-events-calendar/calendar-v1/linked/kinds.js';
import { CATEGORY_RESOURCE, TAG_RESOURCE } from '../../../../src/plugins/the-events-calendar/calendar-v1/terms.js';
import { quirksOf } from '../../../../src/plugins/quirks.js';
import { resourceUnder } from '../../../../src/wordpress/rest/schema.js';
import type { RestRequest } from '../../../../src/wordpress/rest/request.js';
import type { Arg, Json } from '../../../../src/wordpress/rest/route.js';
import type { Site } from '../../../../src/wordpress/site.js';

type JsonObject = Record<string, Json>;

const here = path.dirname(fileURLToPath(import.meta.url));
const RECORDING = path.join(here, '../../../conformance/cases/doc.json');
const NAMESPACE = 'tribe/events/v1';
const PROSE = '{{prose}}';

const { steps } = JSON.parse(readFileSync(RECORDING, 'utf8')) as { steps: { response: { body: JsonObject } }[] };
const recorded = steps[0].response.body;

const siteAt = (url: string): Site =>
  ({ restUrl: (route: string) => `${url}/wp-json${route}`, quirks: new Set(['doc-is-not-openapi']) }) as unknown as Site;
const slugArg: Arg = { type: 'string', required: true, description: 'Slug of the item.' };

const DECLARED: DocResource[] = [
  { ...EVENTS, slugArg, doc: { schema: 'Event', noun: 'event', example: {} } },
  { ...VENUES, slugArg, doc: { schema: 'Venue', noun: 'venue', example: {} } },
  {
    ...ORGANIZER_RESOURCE,
    slugArg,
    doc: { schema: 'Organizer', noun: 'organizer', example: {}, keyInBody: true, writeStatuses: [201, 400, 403] },
  },
  { ...CATEGORY_RESOURCE, doc: { schema: 'Term', noun: 'category', example: {}, keyInBody: true, readStatuses: [200, 400, 404] } },
  { ...TAG_RESOURCE, doc: { schema: 'Term', noun: 'tag', example: {}, readStatuses: [200, 400, 404] } },
];

const RESOURCES = DECLARED.map((resource) => resourceUnder(quirksOf('tec'), resource));

const documentOf = (resources: DocResource[], site = siteAt('http://127.0.0.1:8100')): JsonObject =>
  openApiDocument({ site, namespace: NAMESPACE, resources });

const document = documentOf(RESOURCES);

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys. */
const at = (root: Json, ...keys: (string | number)[]): Json => keys.reduce<Json>((value, key) => (value as JsonObject)[key] ?? null, root);

/** Replaces the text of a value with `{{prose}}` where the recording omits the wording. */
function withoutProse(value: Json, pattern: Json | undefined): Json {
  if (pattern === PROSE && typeof value === 'string' && value.trim() !== '') return PROSE;
  if (Array.isArray(value)) return value.map((item, index) => withoutProse(item, Array.isArray(pattern) ? pattern[index] : undefined));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withoutProse(child, isObject(pattern) ? pattern[key] : undefined)]),
  );
}

/** Compared as text, since the order of keys matters. */
function expectAsRecorded(...keys: string[]): void {
  const wanted = at(recorded, ...keys);
  expect(JSON.stringify(withoutProse(at(document, ...keys), wanted), null, 2)).toBe(JSON.stringify(wanted, null, 2));
}

describe('the recorded OpenAPI document', () => {
  test('has its parts in the recorded order', () => {
    expect(Object.keys(document)).toEqual(Object.keys(recorded));
    expect(Object.keys(at(document, 'components', 'schemas') as JsonObject)).toEqual(
      Object.keys(at(recorded, 'components', 'schemas') as JsonObject),
    );
    expect(Object.keys(document.paths as JsonObject)).toEqual(Object.keys(recorded.paths as JsonObject));
  });

  test.each(['openapi', 'info', 'servers'])('%s', (part) => expectAsRecorded(part));

  test.each(Object.keys(at(recorded, 'components', 'schemas') as JsonObject))('schema %s', (name) =>
    expectAsRecorded('components', 'schemas', name),
  );

  test.each(Object.keys(recorded.paths as JsonObject))('path %s', (name) => expectAsRecorded('paths', name));
});

describe('words', () => {
  /** Every description with its key path. A property that is named `description` is an object, so it is skipped. */
  const descriptions = (value: Json, trail: string): [string, string][] => {
    if (Array.isArray(value)) return value.flatMap((item, index) => descriptions(item, `${trail}/${index}`));
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, child]): [string, string][] =>
      key === 'description' && typeof child === 'string' ? [[trail, child]] : descriptions(child, `${trail}/${key}`),
    );
  };
  const all = descriptions(document, '');

  test('has every description of the recording', () => {
    expect(all.map(([trail]) => trail)).toEqual(descriptions(recorded, '').map(([trail]) => trail));
  });

  test('descriptions are short sentences', () => {
    const bad = all.filter(([, text]) => !/^[A-Z]\S*(?: \S+)*[.]$/.test(text) || text.length > 120);
    expect(bad).toEqual([]);
  });
});

describe('an argument', () => {
  const resource = (arg: Partial<Arg>): DocResource => ({
    path: 'things',
    filters: { it: { description: 'It.', ...arg } },
    fields: { it: { description: 'It.', ...arg } },
    idArgs: { id: { type: 'integer', required: true, description: 'ID.' } },
    doc: { schema: 'Term', noun: 'thing', example: {} },
  });

  test.each<[string, Partial<Arg>, JsonObject]>([
    ['has its own type', { type: 'integer' }, { type: 'integer' }],
    ['is text without a type', {}, { type: 'string' }],
    ['has the type of its facet before its own', { type: 'string', doc: { type: 'boolean' } }, { type: 'boolean' }],
    ['has the first of its types', { type: ['integer', 'null'] }, { type: 'integer' }],
    ['shows its own members', { type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
    [
      'shows the members of its facet before its own',
      { items: { type: 'string' }, doc: { type: 'array', items: { type: 'integer' } } },
      { type: 'array', items: { type: 'integer' } },
    ],
    ['shows no members unless it is a list', { items: { type: 'integer' }, doc: { type: 'string' } }, { type: 'string' }],
  ])('%s', (_title, arg, schema) => {
    const paths = documentOf([resource(arg)]).paths;
    expect(at(paths, '/things', 'get', 'parameters')).toEqual([{ in: 'query', schema, description: 'It.', required: false, name: 'it' }]);
    expect(
      at(paths, '/things/{id}', 'post', 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema', 'properties'),
    ).toEqual({
      it: { description: 'It.', ...schema },
    });
  });

  test('can be omitted from the document', () => {
    const paths = documentOf([resource({ doc: { omit: true } })]).paths;
    expect(at(paths, '/things', 'get', 'parameters')).toEqual([]);
    expect(
      at(paths, '/things/{id}', 'post', 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema', 'properties'),
    ).toEqual({});
  });

  test('can set its location and style', () => {
    const paths = documentOf([resource({ doc: { in: 'path', style: 'form' } })]).paths;
    expect(at(paths, '/things', 'get', 'parameters', 0)).toMatchObject({ in: 'path', style: 'form' });
  });

  test('of an item is a path parameter', () => {
    const item = at(documentOf([resource({})]).paths, '/things/{id}');
    for (const method of ['get', 'post', 'delete'])
      expect(at(item, method, 'parameters', 0)).toMatchObject({ in: 'path', required: true, name: 'id' });
  });

  test('by slug appears only where the route exists', () => {
    expect(Object.keys(documentOf([resource({})]).paths as JsonObject)).toEqual(['/doc', '/things', '/things/{id}']);
    const withSlug = documentOf([{ ...resource({}), slugArg }]).paths as JsonObject;
    expect(Object.keys(withSlug)).toEqual(['/doc', '/things', '/things/{id}', '/things/by-slug/{slug}']);
  });
});

test.each([
  ['http://127.0.0.1:8100', 'http://127.0.0.1/wp-json/tribe/events/v1/'],
  ['https://example.com', 'https://example.com/wp-json/tribe/events/v1/'],
  ['https://example.com:8443/blog', 'https://example.com/blog/wp-json/tribe/events/v1/'],
])('the server of %s is %s', (url, server) => {
  expect(documentOf([], siteAt(url)).servers).toEqual([{ url: server }]);
});

test('every reference resolves to a schema', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(references.length).toBeGreaterThan(0);
  const known = Object.keys(DEFINITIONS).map((name) => `#/components/schemas/${name}`);
  expect(references.filter((target) => !known.includes(target))).toEqual([]);
});

test('the route is public', async () => {
  const { path: route, endpoints } = docRoute(NAMESPACE, RESOURCES);
  expect(route).toBe('/tribe/events/v1/doc');
  expect(endpoints).toEqual([{ methods: ['GET'], args: {}, permission: 'public', handler: expect.any(Function) }]);
  const { status, body } = await endpoints[0].handler({
    site: siteAt('http://127.0.0.1:8100'),
    request: { language: 'en' } as RestRequest,
  });
  expect(status).toBe(200);
  expect(body).toEqual(document);
});
