import { setTimeout as sleep } from 'node:timers/promises';
import { AggregationCursor, Collection } from 'mongodb';
import { jest } from '@jest/globals';
import { Staging } from '../../../src/store/staging.js';
import { Store } from '../../../src/wp/store.js';
import { testDatabase } from '../../support/database.js';

/* When one of several commands fails, the others have ended before anybody hears of it: what cleans up must not be overtaken by them. */

const { uri, name } = testDatabase();
let store: Store;
beforeAll(async () => {
  store = await Store.open(uri, name);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => store.close());

const FAILURE = new Error('The first command failed.');

/** Makes every command of a kind take its time. */
function slow<Name extends string>(
  owner: Record<Name, (...args: never[]) => Promise<unknown>>,
  method: Name,
): jest.Spied<() => Promise<never>> {
  const original = owner[method];
  const spy = jest.spyOn(owner as Record<string, () => Promise<never>>, method);
  spy.mockImplementation(async function (this: unknown, ...args: never[]) {
    await sleep(50);
    return original.apply(this, args) as Promise<never>;
  });
  return spy;
}

const stored = async (prefix: string): Promise<number> => {
  const all = await store.db.listCollections({}, { nameOnly: true }).toArray();
  return all.filter((collection) => collection.name.startsWith(prefix)).length;
};

test('creating the collections of a load', async () => {
  slow(store.db, 'createCollection').mockRejectedValueOnce(FAILURE);
  await expect(new Staging(store, 'x').create()).rejects.toBe(FAILURE);
  expect(await stored('snapshot.load.x.')).toBe(store.collections.length - 1);
});

test('saving a snapshot', async () => {
  await Promise.all(store.collections.map((collection) => store.db.collection(collection).insertOne({ slug: 'one' })));
  slow(AggregationCursor.prototype, 'toArray');
  jest.spyOn(Collection.prototype, 'replaceOne').mockRejectedValueOnce(FAILURE);
  await expect(store.snapshots.save('saved')).rejects.toBe(FAILURE);
  // The collection that makes it a snapshot comes last.
  expect(await stored('snapshot.saved.')).toBe(store.collections.length - 1);
  expect(await store.snapshots.has('saved')).toBe(false);
});

test('deleting a snapshot', async () => {
  await store.snapshots.save('deleted');
  const drop = slow(Collection.prototype, 'drop').mockRejectedValueOnce(FAILURE);
  await expect(store.snapshots.delete('deleted')).rejects.toBe(FAILURE);
  // The collection that makes it a snapshot comes first.
  expect(await stored('snapshot.deleted.')).toBe(store.collections.length + 1);

  drop.mockImplementationOnce(() => {
    drop.mockRejectedValueOnce(FAILURE);
    return Promise.resolve() as Promise<never>;
  });
  await expect(store.snapshots.delete('deleted')).rejects.toBe(FAILURE);
  expect(await stored('snapshot.deleted.')).toBe(2);
});
