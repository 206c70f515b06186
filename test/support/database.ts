import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Store } from '../../src/wordpress/store.js';

export interface TestDatabase {
  uri: string;
  /** Name of an unused database. */
  name: string;
  /** The URI of the server with this name. */
  address: string;
}

/** A separate database on the test run's server, for one test file or one `describe`. It is dropped at the end. */
export const testDatabase = (): TestDatabase => {
  const uri = process.env['UNDERSTUDY_TEST_MONGODB_URI'];
  if (!uri) throw new Error('There is no test database: jest runs without its globalSetup.');
  const name = `understudy_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const address = new URL(uri);
  address.pathname = `/${name}`;
  afterAll(async () => {
    const client = new MongoClient(uri);
    try {
      await client.db(name).dropDatabase();
    } finally {
      await client.close();
    }
  });
  return { uri, name, address: address.href };
};

/** Deletes all documents of all collections. */
export async function clearStore(store: Store): Promise<void> {
  await Promise.all(store.collections.map((name) => store.collection(name).deleteMany({})));
  store.sequences.forget();
}
