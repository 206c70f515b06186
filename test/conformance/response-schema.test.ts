import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fieldSchemas } from '../../scripts/field-types.mjs';
import { EVENT_FIELDS, LINKED } from '../../src/plugins/the-events-calendar/model/event.js';
import { readScenarios } from './replay-run.mjs';

/* The types of responses, and the JSON Schema beside them, are those of real sites: all recorded responses fit. */

interface Step {
  /** `subset`: the body has some of the fields only. */
  match?: string;
  request: { method: string; path: string };
  response: { status: number; body: unknown };
}

const fixture = new URL('../../fixtures/responses.schema.json', import.meta.url);
const schema = JSON.parse(readFileSync(fixture, 'utf8')) as { $defs: Record<string, object> };
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(schema, 'responses');
const validatorOf = (name: string): ValidateFunction => ajv.getSchema(`responses#/$defs/${name}`)!;

/** Parameters that leave fields out, or whose response is no object. */
const OTHER = ['_fields', '_envelope', '_jsonp'];

/** The types of responses by route. */
const ROUTES: [RegExp, string][] = [
  [/^events$/, 'EventList'],
  [/^events\/(\d+|by-slug\/.*)$/, 'Event'],
  [/^venues$/, 'VenueList'],
  [/^venues\/(\d+|by-slug\/.*)$/, 'Venue'],
  [/^organizers$/, 'OrganizerList'],
  [/^organizers\/(\d+|by-slug\/.*)$/, 'Organizer'],
  [/^categories$/, 'CategoryList'],
  [/^categories\/\d+$/, 'Term'],
  [/^tags$/, 'TagList'],
  [/^tags\/\d+$/, 'Term'],
];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf({ match, request, response }: Step): string | undefined {
  const { pathname, searchParams } = new URL(request.path, 'http://site');
  const [, route] = /^\/tribe\/events\/v1\/(.*?)\/?$/.exec(decodeURIComponent(pathname)) ?? [];
  const isPart = match === 'subset' || searchParams.get('context') === 'embed' || OTHER.some((name) => searchParams.has(name));
  if (route === undefined || isPart || !isRecord(response.body)) return undefined;
  if (response.status >= 400) return 'ErrorBody';
  return request.method === 'GET' ? ROUTES.find(([pattern]) => pattern.test(route))?.[1] : undefined;
}

/** The body, with a number for the ids that differ from run to run. */
const bodyOf = ({ response }: Step): unknown => JSON.parse(JSON.stringify(response.body).replace(/"\{\{#\w+\}\}"/g, '1'));

const steps = (readScenarios('cases') as { name: string; steps: Step[] }[]).flatMap(({ name, steps: all }) =>
  all.map((step) => ({ name, step, type: typeOf(step) })),
);

test.each([...new Set(steps.flatMap(({ type }) => type ?? []))].toSorted())('recorded: %s', (type) => {
  const isValid = validatorOf(type);
  const faults = steps
    .filter((each) => each.type === type)
    .flatMap(({ name, step }) =>
      isValid(bodyOf(step)) ? [] : [`${name} ${step.request.method} ${step.request.path}: ${ajv.errorsText(isValid.errors)}`],
    );
  expect(faults).toEqual([]);
});

test('recordings have each type', () => {
  const counts = new Map<string, number>();
  for (const { type } of steps) if (type) counts.set(type, (counts.get(type) ?? 0) + 1);
  expect([...counts.keys()].toSorted()).toEqual([...new Set([...ROUTES.map(([, type]) => type), 'ErrorBody'])].toSorted());
  expect(Math.min(...counts.values())).toBeGreaterThan(0);
});

test('a response with another type of a field does not fit', () => {
  const { step } = steps.find(({ type }) => type === 'Event')!;
  const event = step.response.body as Record<string, unknown>;
  for (const change of [{ id: '1' }, { title: null }, { categories: {} }, { venue: 1 }, { featured: 'yes' }, { json_ld: [] }])
    expect(validatorOf('Event')({ ...event, ...change })).toBe(false);
  const { title: _title, ...rest } = event;
  expect(validatorOf('Event')(rest)).toBe(false);
});

test('the file has the fields of the tables: node scripts/dataset-schema.mjs', () => {
  expect(schema.$defs).toMatchObject(fieldSchemas(EVENT_FIELDS, LINKED));
});
