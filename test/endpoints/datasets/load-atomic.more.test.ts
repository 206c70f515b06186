import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createServer } from '../../../src/index.js';
import { strays } from '../../../src/database/store/staging.js';
import { Store } from '../../../src/wordpress/store.js';
import { testDatabase } from '../../support/database.js';
import { startTestServer } from '../../support/server.js';
import { registry } from '../../support/registry.js';

/** Together with its search index text, larger than a MongoDB document may be. */
const LONG = 'word '.repeat(1_900_000);
const PROBLEM = 'is larger than 16 MB, the maximum size of a document';

const event = (title: string, description = ''): object => ({ title, description, start: '+1d 10:00', duration: '1h' });

/** Everything that a database and a folder hold. */
async function everything(store: Store, folder: string): Promise<unknown> {
  const collections = await store.db.listCollections({}, { nameOnly: true }).toArray();
  const named = collections.map(({ name }) => name).toSorted();
  const documents = await Promise.all(
    named.map(async (name) => [name, await store.db.collection(name).find({}).sort({ _id: 1 }).toArray()]),
  );
  return { documents, files: (await readdir(folder, { recursive: true })).toSorted() };
}

describe('POST /__qa/seed', () => {
  const server = startTestServer({ dataset: path.join(import.meta.dirname, '../../../fixtures/empty.json') });
  const seed = (dataset: object, query = ''): Promise<Response> =>
    fetch(`${server().url}/__qa/seed${query}`, { method: 'POST', body: JSON.stringify(dataset) });

  test.each(['', '?pristine=false'])('a document that cannot be stored leaves the site unchanged (%s)', async (query) => {
    const { store, uploads } = server().site;
    expect((await seed({ events: [event('Before')] })).status).toBe(200);
    const before = await everything(store, path.dirname(uploads));
    const response = await seed({ events: [event('Small'), event('Large', LONG)] }, query);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'understudy_invalid_dataset', data: { status: 400, problems: [expect.stringContaining(PROBLEM)] } }),
    ]);
    expect(await everything(store, path.dirname(uploads))).toEqual(before);
  });

  test.each(['', '?pristine=false'])('a load leaves nothing behind but the content (%s)', async (query) => {
    const { store, uploads } = server().site;
    expect((await seed({ events: [event('One'), event('Two')] }, query)).status).toBe(200);
    const { documents, files } = (await everything(store, path.dirname(uploads))) as { documents: [string, object[]][]; files: string[] };
    expect(await strays(store)).toEqual([]);
    expect(files.filter((name) => name.includes('.load-'))).toEqual([]);
    expect(new Map(documents).get('underway')).toEqual([]);
    expect(new Map(documents).get('posts')).toHaveLength(2);
  });

  test('accounts do not depend on earlier content', async () => {
    const { store } = server().site;
    await seed({ users: [{ login: 'anna', email: 'anna@example.org', role: 'administrator' }] });
    await seed({});
    expect((await store.users.find({}).toArray()).map(({ _id, login }) => [_id, login])).toEqual([[1, 'admin']]);
  });
});

describe('a first start', () => {
  const database = testDatabase();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-first-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('with a dataset that cannot be stored leaves nothing; the next start can load another', async () => {
    const dataset = path.join(folder, 'dataset.json');
    const start = async (content: object): ReturnType<typeof createServer> => {
      await writeFile(dataset, JSON.stringify(content));
      return createServer({ mongodbUri: database.address, data: path.join(folder, 'data'), dataset, logLevel: 'silent' });
    };
    const store = await Store.open(database.uri, registry, database.name);
    try {
      await expect(start({ events: [event('Small'), event('Large', LONG)] })).rejects.toThrow(PROBLEM);
      await expect(start({ events: [{ title: 'No date' }] })).rejects.toThrow('events[0].start: is missing');
      expect(await store.isEmpty()).toBe(true);
      expect(await store.posts.countDocuments({})).toBe(0);
      expect(await store.workLog.unfinished()).toEqual([]);
      expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('.load-'))).toEqual([]);
      const server = await start({ events: [event('Fine')] });
      expect(await store.posts.distinct('title')).toEqual(['Fine']);
      expect(await store.users.countDocuments({})).toBe(1);
      await server.close();
    } finally {
      await store.close();
    }
  });
});
