import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { beginsInMemory } from '../../../src/server/app/start.js';
import { resolveOptions, type ServerOptions } from '../../../src/server/config/index.js';
import { WORLD, signIn } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-large-'));
const large = path.join(folder, 'large.json');
writeFileSync(large, '');
truncateSync(large, 100 * 1024 * 1024);
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[string, boolean, Partial<ServerOptions>]>([
  ['is ephemeral', true, { ephemeral: true }],
  ['is ephemeral, with an object as dataset', true, { ephemeral: true, dataset: { events: [] } }],
  ['is kept', false, {}],
  ['is in a MongoDB', false, { ephemeral: true, mongodbUri: 'mongodb://127.0.0.1:1' }],
  ['is in a chosen mongod', false, { ephemeral: true, mongod: '/usr/bin/mongod' }],
  ['may not be in the embedded engine', false, { ephemeral: true, embedded: false }],
  ['is not to be kept in memory', false, { ephemeral: true, cacheMemory: 0 }],
  ['is large', false, { ephemeral: true, dataset: large }],
])('whether a site that %s begins in memory: %s', (_, expected, options) => {
  expect(beginsInMemory(resolveOptions({}, options))).toBe(expected);
});

describe('an ephemeral site whose engine cannot start', () => {
  const server = startTestServer({ dataset: WORLD, qa: true, profile: 'standard' }, { isInMemory: true });

  test('says why, and goes on', async () => {
    writeFileSync(path.join(server().site.uploads, '..', 'db'), '');
    const { store } = server().site;
    const unknown = (): never => store.posts.find({ $comment: '' } as never).toArray() as never;
    const mocked = [
      jest.spyOn(store.snapshots, 'list').mockImplementation(unknown),
      jest.spyOn(store, 'aggregate').mockImplementation(unknown),
    ];
    const failed = await http('GET', `${server().url}/__qa/snapshots`);
    const visitor = await http('GET', `${server().restUrl}/wp/v2/posts?slug=a&orderby=include_slugs`);
    for (const each of mocked) each.mockRestore();
    expect([visitor.status, JSON.parse(visitor.text)]).toEqual([
      503,
      expect.objectContaining({ message: 'The site needs a database, and none could be started. See the log of the server.' }),
    ]);
    expect(failed.status).toBe(503);
    expect(JSON.parse(failed.text)).toMatchObject({
      code: 'understudy_no_database',
      message: expect.stringMatching(/^Cannot write to the data folder .*\n {2}- data folder: EEXIST/),
    });
    const health = await http('GET', `${server().url}/health`);
    expect([health.status, health.text]).toEqual([200, '{"status":"ok"}']);
    expect((await http('GET', `${server().restUrl}/tribe/events/v1/events`)).status).toBe(200);
    expect(store.isLocal).toBe(true);
  });
});

describe('an ephemeral site', () => {
  const server = startTestServer({ dataset: WORLD, qa: true }, { isInMemory: true });
  const list = async (): Promise<unknown> =>
    (
      JSON.parse(
        (await http('GET', `${server().restUrl}/tribe/events/v1/events?per_page=50&start_date=2030-01-01&end_date=2031-01-01`)).text,
      ) as {
        events: unknown;
      }
    ).events;
  const create = async (title: string): Promise<number> => {
    const event = { title, start_date: '2030-07-01 10:00:00', end_date: '2030-07-01 11:00:00', status: 'publish' };
    const headers = { 'content-type': 'application/json', authorization: signIn('admin') };
    return (await http('POST', `${server().restUrl}/tribe/events/v1/events`, headers, JSON.stringify(event))).status;
  };
  const hasEngine = (): boolean => existsSync(path.join(server().site.uploads, '..', 'db', 'embedded'));
  const reset = async (): Promise<number> => (await http('POST', `${server().url}/__qa/reset`)).status;

  const doctor = async (): Promise<unknown[]> =>
    (
      JSON.parse((await http('GET', `${server().url}/__qa/doctor`)).text) as {
        findings: { check: string; status: string; message: string }[];
      }
    ).findings
      .filter(({ check }) => check === 'database' || check === 'indexes')
      .map(({ status, message }) => [status, message]);

  test.each([
    ...['/?ical=1', '/wp-json/wp/v2/search?search=a', '/wp-json/wp/v2/media?search=a', '/wp-json/wp/v2/comments?search=a'],
    ...['/wp-json/wp/v2/comments?search=%C3%89', String.raw`/wp-json/wp/v2/search?search=a+b\p`, '/wp-json/wp/v2/tags?search=%5Cp'],
    '/wp-json/tribe/events/v1/events?geoloc=true&geoloc_lat=50.7&geoloc_lng=7.1',
  ])('needs no engine for %s', async (address) => {
    expect((await http('GET', `${server().url}${address}`)).status).toBe(200);
    expect(server().site.store.isLocal).toBe(true);
  });

  test('needs no engine until its memory does not suffice, and its content moves there', async () => {
    expect([server().engine, hasEngine()]).toEqual(['memory', false]);
    const loaded = await list();
    expect(await create('First')).toBe(201);
    const before = await list();
    expect(before).not.toEqual(loaded);
    const indexes = ['ok', expect.stringMatching(/^All \d+ indexes/)];
    expect(await doctor()).toEqual([['ok', 'The content is in the memory of the server, without a database.'], indexes]);
    expect(hasEngine()).toBe(false);
    const { store } = server().site;
    const asked = Promise.all([store.aggregate('posts', [{ $sortByCount: '$type' }]), create('Meanwhile'), list()]);
    expect((await asked)[1]).toBe(201);
    expect([hasEngine(), store.isLocal]).toEqual([true, false]);
    expect(['embedded', 'mongod']).toContain(server().engine);
    expect(await doctor()).toEqual([['ok', expect.stringMatching(/^The database responds: MongoDB /)], indexes]);
    expect(await create('Later')).toBe(201);
    expect(((await list()) as { title: string }[]).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['First', 'Meanwhile', 'Later']),
    );
    const sandbox = await http('GET', `${server().url}/__sandbox/beside/wp-json/tribe/events/v1/events?per_page=50`);
    expect(sandbox.status).toBe(200);
    expect(await reset()).toBe(200);
    expect(await list()).toEqual(loaded);
    // Little is left.
    expect([server().engine, store.isLocal]).toEqual(['memory', true]);
  }, 60_000);
});
