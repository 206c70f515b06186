import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { apiExamples, EXAMPLE_SERVER } from '../../../scripts/api-examples.mjs';
import { DEMO_DATASET } from '../../../src/server/config/index.js';
import { LANGUAGES } from '../../../src/base/locales/index.js';
import { misfits } from '../../support/openapi.js';
import { startTestServer } from '../../support/server.js';

type Any = ReturnType<typeof JSON.parse>;

const server = startTestServer({ ...EXAMPLE_SERVER, dataset: DEMO_DATASET });
const published = readFileSync(new URL('../../../fixtures/api-examples.json', import.meta.url), 'utf8');

let doc: Any;
beforeAll(async () => {
  doc = await (await fetch(`${server().localUrl}/__qa/openapi.json`)).json();
});

const operations = (): [id: string, operation: Any][] =>
  Object.values<Any>(doc.paths).flatMap((path) => Object.values<Any>(path).map((each): [string, Any] => [each.operationId, each]));

/**
 * Removes values that differ between runs: sizes of image files depend on the image library, and WordPress encodes email addresses
 * randomly.
 */
const comparable = (text: string): Any =>
  JSON.parse(text, (key, value: Any) => {
    if (key === 'filesize') return 0;
    return typeof value === 'string' ? value.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))) : value;
  });

test('every operation has a name, and every parameter and field an example', () => {
  const gaps = operations().flatMap(([id, { summary, parameters = [], requestBody }]) => [
    ...(/^(List|Create|Get|Update|Delete) \w/.test(summary) ? [] : [`${id}: ${summary}`]),
    ...parameters.filter(({ example }: Any) => example === undefined).map(({ name }: Any) => `${id}: ${name}`),
    ...Object.entries<Any>(requestBody?.content['application/json'].schema.properties ?? {})
      .filter(([, { example }]) => example === undefined)
      .map(([name]) => `${id}: body ${name}`),
  ]);
  expect(gaps).toEqual([]);
});

test('the examples of parameters and fields fit their schemas', () => {
  const wrong = operations().flatMap(([id, { parameters = [], requestBody }]) => [
    ...parameters.flatMap(({ name, schema, example }: Any) => misfits(doc, schema, example, `${id} ${name}`)),
    ...Object.entries<Any>(requestBody?.content['application/json'].schema.properties ?? {}).flatMap(([name, schema]) =>
      misfits(doc, schema, schema.example, `${id} body ${name}`),
    ),
  ]);
  expect(wrong).toEqual([]);
});

test('the examples of responses fit their schemas, and every successful response but that of the document has one', () => {
  const { examples } = doc.components;
  const wrong = operations().flatMap(([id, { responses }]) =>
    Object.entries<Any>(responses).flatMap(([status, { content }]) => {
      const { schema, examples: shown } = content['application/json'];
      if (shown === undefined) return status.startsWith('2') && id !== 'getDoc' ? [`${id} ${status} has no example`] : [];
      return misfits(doc, schema, examples[shown.demo.$ref.split('/').at(-1)].value, `${id} ${status}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test('the server accepts the example of each parameter of a list', async () => {
  const asked = operations()
    .filter(([id]) => id.startsWith('list'))
    .flatMap(([, { tags, parameters }]) =>
      parameters.map(({ name, example }: Any) => {
        const query = new URLSearchParams({ [name]: String(example) });
        if (name === 'geoloc_lat') query.set('geoloc_lng', '8');
        if (name === 'geoloc_lng') query.set('geoloc_lat', '50');
        return `/${tags[0]}?${query}`;
      }),
    );
  const statuses = await Promise.all(
    asked.map(async (route) => [route, (await fetch(`${server().localUrl}/wp-json/tribe/events/v1${route}`)).status]),
  );
  expect(statuses.length).toBeGreaterThan(50);
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});

test.each(LANGUAGES)('the document is valid in %s', async (language) => {
  const translated = (await (await fetch(`${server().localUrl}/__qa/openapi.json?_locale=${language}`)).json()) as Record<string, unknown>;
  expect(await new Validator().validate(translated)).toMatchObject({ valid: true });
});

// Last, since it changes the content.
test('the published examples are what the server returns for the demo calendar (node scripts/api-examples.mjs)', async () => {
  const found = await apiExamples(server(), EXAMPLE_SERVER.adminPassword);
  expect(comparable(JSON.stringify(found))).toEqual(comparable(published));
});
