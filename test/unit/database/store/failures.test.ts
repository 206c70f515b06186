import { setTimeout as sleep } from 'node:timers/promises';
import { AggregationCursor, Collection } from 'mongodb';
import { jest } from '@jest/globals';
import { COPIES } from '../../../../src/database/store/copies.js';
import { dropStrays, Staging } from '../../../../src/database/store/staging.js';
import { Store } from '../../../../src/wordpress/store.js';
import { testDatabase } from '../../../support/database.js';
import { registry } from '../../../support/registry.js';

/*
 * When one of several commands fails, the error is reported only after the others have ended. Otherwise they could write after the cleanup.
 */

const { uri, name } = testDatabase();
let store: Store;
beforeAll(async () => {
  store = await Store.open(uri, registry, name);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => store.close());

const FAILURE = new Error('The first command failed.');

/** Delays every command of a kind. */
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
  expect(await stored(COPIES)).toBe(store.collections.length - 1);
  await dropStrays(store);
});

test('saving a snapshot', async () => {
  await Promise.all(store.collections.map((collection) => store.db.collection(collection).insertOne({ slug: 'one' })));
  slow(AggregationCursor.prototype, 'toArray').mockRejectedValueOnce(FAILURE);
  await expect(store.snapshots.save('saved')).rejects.toBe(FAILURE);
  expect(await stored(COPIES)).toBe(store.collections.length);
  expect(await store.snapshots.has('saved')).toBe(false);
  expect(await store.workLog.unfinished()).toEqual([]);
  await dropStrays(store);
  expect(await stored(COPIES)).toBe(0);
});

test('deleting a snapshot', async () => {
  await store.snapshots.save('deleted');
  expect(await stored(COPIES)).toBe(store.collections.length + 1);
  slow(Collection.prototype, 'drop').mockRejectedValueOnce(FAILURE);
  await expect(store.snapshots.delete('deleted')).rejects.toBe(FAILURE);
  // The rest is not a snapshot.
  expect(await stored(COPIES)).toBe(1);
  expect(await store.snapshots.has('deleted')).toBe(false);
  await dropStrays(store);
  expect(await stored(COPIES)).toBe(0);
});
