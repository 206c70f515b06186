import { readFileSync } from 'node:fs';
import path from 'node:path';
import { routeTable } from '../../src/app/koa.js';
import { DEFINITIONS, type SchemaName } from '../../src/calendar-v1/doc/definitions.js';
import { PROFILES } from '../../src/wp/quirks.js';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { campaign } from './campaign.mjs';
import { newerMembers, publishedMembers } from './published.mjs';

const world: unknown = JSON.parse(readFileSync(WORLD, 'utf8'));

/** How many requests each profile gets, and the seed that they are made from: always the same ones. More of them: `npm run fuzz`. */
const REQUESTS = 600;
const SEED = 20260615;

describe.each(PROFILES)('hostile requests, profile %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile, logLevel: 'error' });

  test(`${REQUESTS} requests from seed ${SEED} are all answered as published, and leave no trace after a reset`, async () => {
    const table = routeTable(server().namespaces);
    const { sent, statuses, failures } = await campaign({
      server: server(),
      table,
      world,
      profile,
      requests: REQUESTS,
      seed: SEED,
      perRound: REQUESTS / 2,
    });
    expect(failures).toEqual([]);
    expect(sent).toBe(REQUESTS);
    // That handlers are reached is half of the point.
    for (const status of ['200', '201', '400', '401', '403', '404', '410']) expect(statuses[status]).toBeGreaterThan(0);
    expect(statuses['200'] + statuses['201']).toBeGreaterThan(REQUESTS / 6);
  }, 120_000);

  test.each([
    ['events', 'Event'],
    ['venues', 'Venue'],
    ['organizers', 'Organizer'],
  ] as const)('the properties that tec/v1 publishes of %s are those that are checked in responses', async (kind, schema) => {
    const { components } = (await (await fetch(`${server().url}/wp-json/tec/v1/docs`)).json()) as NewerDocument;
    const published = Object.keys(Object.assign({}, ...propertiesOf(components.schemas, schema)) as object);
    expect(newerMembers(kind, 'view').toSorted()).toEqual(published.toSorted());
    expect(newerMembers(kind, 'edit')).toEqual(expect.arrayContaining(published));
    expect(published).toEqual(expect.arrayContaining(newerMembers(kind, 'embed')));
  });
});

interface NewerSchema {
  $ref?: string;
  properties?: object;
  allOf?: NewerSchema[];
}
interface NewerDocument {
  components: { schemas: Record<string, NewerSchema> };
}

/** The properties of a schema, and of those that it extends. */
function propertiesOf(schemas: Record<string, NewerSchema>, name: string): object[] {
  const { properties = {}, allOf = [] } = schemas[name];
  return [
    properties,
    ...allOf.flatMap((part) => (part.$ref === undefined ? [part.properties ?? {}] : propertiesOf(schemas, path.basename(part.$ref)))),
  ];
}

test.each(Object.keys(DEFINITIONS) as SchemaName[])('every published property of %s is checked in responses', (name) => {
  const published = Object.keys(DEFINITIONS[name]).map((property) => property.trim());
  expect(publishedMembers(name)).toEqual(expect.arrayContaining(published));
});
