import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteRoutes } from '../../src/server/app/routes.js';
import { DEFINITIONS, type SchemaName } from '../../src/plugins/the-events-calendar/calendar-v1/doc/definitions.js';
import { readBackup } from '../../src/transfer/backup/read.js';
import { openFile } from '../../src/transfer/formats/open.js';
import { CONTENT_FORMATS } from '../../src/transfer/formats/registry.js';
import { PROFILES } from '../../src/wordpress/quirks.js';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { campaign } from './campaign.mjs';
import { fuzzCassettes } from './cassettes.mjs';
import { datasets, fuzzBackup, fuzzDataset } from './files.mjs';
import { newerMembers, publishedMembers } from './published.mjs';
import { testApiCampaign } from './test-api.mjs';
import { registry } from '../support/registry.js';

const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const [DEMO, EMPTY, SMALL] = ['../../fixtures/demo.json', '../../fixtures/empty.json', '../qa/small.json'].map(fixture);

const world: unknown = JSON.parse(readFileSync(WORLD, 'utf8'));

/** Number of requests per profile, and their fixed seed. `npm run fuzz` sends more. */
const REQUESTS = 200;
const SEED = 20260615;

describe.each(PROFILES)('hostile requests, profile %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile, logLevel: 'error' });

  test(`${REQUESTS} requests from seed ${SEED} are all answered as published, and leave no trace after a reset`, async () => {
    const table = (await siteRoutes(server().namespaces)).tableOf(registry);
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
    // Requests must also reach the handlers.
    for (const status of ['200', '201', '400', '401', '403', '404']) expect([status, statuses[status] ?? 0]).not.toEqual([status, 0]);
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

/** The properties of a schema, including inherited ones. */
function propertiesOf(schemas: Record<string, NewerSchema>, name: string): object[] {
  const { properties = {}, allOf = [] } = schemas[name];
  return [
    properties,
    ...allOf.flatMap((part) => (part.$ref === undefined ? [part.properties ?? {}] : propertiesOf(schemas, path.basename(part.$ref)))),
  ];
}

describe('the test API, and files', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-fuzz-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const cassette = path.join(folder, 'cassette');
  const server = startTestServer({ dataset: WORLD, logLevel: 'error' });
  const replaying = startTestServer({ dataset: EMPTY, logLevel: 'error', proxy: 'http://127.0.0.1:9', proxyMode: 'replay', cassette });

  test('requests to the test API of a sandbox are answered, and change nothing of the main site', async () => {
    const { statuses, failures } = await testApiCampaign({ server: server(), world, datasets: [SMALL], requests: 200, seed: SEED });
    expect(failures).toEqual([]);
    for (const status of ['200', '201', '400', '403', '404', '405']) expect([status, statuses[status] ?? 0]).not.toEqual([status, 0]);
  }, 60_000);

  test('a damaged dataset of any format is read, or its problems are listed', async () => {
    const all = await datasets({ formats: CONTENT_FORMATS, openFile, dataset: DEMO, folder });
    expect([...new Set(all.map(({ name }) => name))].toSorted()).toEqual(CONTENT_FORMATS.map(({ name }) => name).toSorted());
    const seen = new Set<string>();
    for (const one of all) {
      const { ends, failures } = await fuzzDataset(one, { openFile, folder, seed: SEED, runs: 7 });
      expect([one.name, failures]).toEqual([one.name, []]);
      for (const end of Object.keys(ends)) seen.add(end);
    }
    expect([...seen].toSorted()).toEqual(['DatasetError', 'read']);
  }, 60_000);

  test('a damaged backup is rejected', async () => {
    const file = path.join(folder, 'valid.tar.gz');
    const backup = await fetch(`${server().url}/__qa/backup`, { method: 'POST' });
    writeFileSync(file, Buffer.from(await backup.arrayBuffer()));
    const { ends, failures } = await fuzzBackup(file, { use: readBackup, folder: path.join(folder, 'damaged'), seed: SEED, runs: 25 });
    expect(failures).toEqual([]);
    expect(ends.BackupError).toBeGreaterThan(20);
  }, 60_000);

  test('a damaged recording is replayed, or what is wrong with it is said', async () => {
    const { statuses, failures } = await fuzzCassettes({ server: replaying(), folder: cassette, seed: SEED, runs: 60 });
    expect(failures).toEqual([]);
    for (const status of ['200', '502']) expect([status, statuses[status] ?? 0]).not.toEqual([status, 0]);
  }, 60_000);
});

test.each(Object.keys(DEFINITIONS) as SchemaName[])('every published property of %s is checked in responses', (name) => {
  const published = Object.keys(DEFINITIONS[name]).map((property) => property.trim());
  expect(publishedMembers(name)).toEqual(expect.arrayContaining(published));
});
