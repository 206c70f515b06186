import { jest } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions } from '../../../src/server/config/index.js';
import type { Server } from '../../../src/index.js';
import type { EngineOptions } from '../../../src/database/engine/index.js';
import { Writes } from '../../../src/database/store/writes.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { PEOPLE } from '../../support/people.js';

const BOSS = { login: 'boss', role: 'administrator', application_password: 'only for tests' };
const authorization = `Basic ${Buffer.from(`${BOSS.login}:${BOSS.application_password}`).toString('base64')}`;

const datasetOf = (titles: readonly string[]): string =>
  JSON.stringify({ users: [BOSS], events: titles.map((title) => ({ title, start: '+1d 10:00', duration: '1h' })) });
const CRASH = { reason: 'its process exited (SIGKILL)', restartInMs: 0, isLost: false };

const { uri, name } = testDatabase();
let server: Server;
let engine: EngineOptions;

beforeAll(async () => {
  const settings = resolveOptions({ port: 0, ephemeral: true, logLevel: 'silent', dataset: PEOPLE });
  server = await startServer(settings, (options) => {
    engine = options;
    return Promise.resolve({ kind: 'embedded', uri, database: name, close: async () => {} });
  });
}, 30_000);
afterAll(() => server.close());
afterEach(() => jest.restoreAllMocks());

const seed = async (titles = ['One', 'Two']): Promise<number> =>
  (await http('POST', `${server.url}/__qa/seed`, { 'content-type': 'application/json' }, datasetOf(titles))).status;

const titles = async (): Promise<string[]> => {
  const { text } = await http('GET', `${server.restUrl}/tribe/events/v1/events`);
  return (JSON.parse(text) as { events: { title: string }[] }).events.map(({ title }) => title);
};

test('a database that crashes while content is staged may have lost some of it: the load fails and changes nothing', async () => {
  const { store } = server.site;
  const create = store.db.createCollection.bind(store.db);
  const spy = jest.spyOn(store.db, 'createCollection').mockImplementation((collection) => {
    spy.mockRestore();
    engine.onCrash?.(CRASH);
    return create(collection);
  });
  expect(await seed()).toBe(503);
  expect(await titles()).toEqual([]);
  expect(await store.workLog.unfinished()).toEqual([]);
});

test('a database that crashes in the last step of a load and stays away: the running server completes the load when it is back', async () => {
  const { store } = server.site;
  const settle = store.workLog.settle.bind(store.workLog);
  jest.spyOn(store.workLog, 'settle').mockImplementation(async (note, step) => {
    await settle(note, step);
    engine.onCrash?.(CRASH);
    throw new Error('The connection ended.');
  });
  expect(await seed()).toBe(500);
  expect(await titles()).toEqual([]);
  engine.onRestart?.();
  while ((await store.workLog.unfinished()).length > 0) await sleep(5);
  expect(await titles()).toEqual(['One', 'Two']);
});

test('a database that crashes in the last step of a load: the load is completed before anybody else writes', async () => {
  const { store } = server.site;
  const replaced = store.collectionsReplaced.bind(store);
  const spy = jest.spyOn(store, 'collectionsReplaced').mockImplementation((snapshot) => {
    spy.mockRestore();
    replaced(snapshot);
    throw new MongoNetworkError('The connection ended.');
  });
  expect(await seed(['Three'])).toBe(200);
  expect(await titles()).toEqual(['Three']);
  expect(await store.workLog.unfinished()).toEqual([]);
});

test('/health is ready again when what a crash interrupted is completed', async () => {
  const { workLog } = server.site.store;
  const health = async (): Promise<number> => (await http('GET', `${server.url}/health`)).status;
  let recover = (): void => undefined;
  const looked = new Promise<[]>((resolve) => (recover = () => resolve([])));
  jest.spyOn(workLog, 'interrupted').mockReturnValueOnce(looked);
  engine.onCrash?.(CRASH);
  engine.onRestart?.();
  for (let i = 0; i < 3; i += 1) {
    expect(await health()).toBe(503);
    await sleep(20);
  }
  recover();
  while ((await health()) !== 200) await sleep(5);
});

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test.each([
  ['and was stored keeps its file', true],
  ['and was not stored leaves no file', false],
])('an attachment whose outcome a crash of the database hid %s', async (_, isStored) => {
  const { site } = server;
  const { store } = site;
  const send: Writes['send'] = Reflect.get(Writes.prototype, 'send');
  const spy = jest.spyOn(Writes.prototype, 'send').mockImplementation(async function cut(this: Writes, ...args) {
    if (!args[0].some((step) => step.collection === 'posts' && 'insert' in step)) return send.apply(this, args);
    spy.mockRestore();
    if (isStored) await send.apply(this, args);
    throw new MongoNetworkError('The connection ended.');
  });
  const filename = `stored-${isStored}.png`;
  const headers = { authorization, 'content-type': 'image/png', 'content-disposition': `attachment; filename="${filename}"` };
  expect((await fetch(`${server.restUrl}/wp/v2/media`, { method: 'POST', headers, body: PNG })).status).toBe(503);
  engine.onCrash?.(CRASH);
  engine.onRestart?.();
  while ((await store.workLog.unfinished()).length > 0) await sleep(5);
  const { text } = await http('GET', `${server.restUrl}/wp/v2/media?search=stored-${isStored}`);
  expect(JSON.parse(text) as unknown[]).toHaveLength(isStored ? 1 : 0);
  expect(await readdir(path.join(site.uploads, site.nowLocal.slice(0, 7).replace('-', '/')))).toEqual(
    isStored ? [filename] : ['stored-true.png'],
  );
});
