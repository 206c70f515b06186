import { MongoClient, MongoServerError, type Collection, type Document, type IndexDescription } from 'mongodb';
import { Connection, writeConcernFor } from '../../../../src/database/store/connection.js';
import { createIndexes } from '../../../../src/database/store/indexes.js';
import { Writes } from '../../../../src/database/store/writes.js';
import { testDatabase } from '../../../support/database.js';

/** The differences of replica sets and sharded clusters, as far as a single server can simulate them. */

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

const indexes: IndexDescription[] = [
  { key: { a: 1 }, name: 'by_a' },
  { key: { type: 1, slugKey: 1 }, name: 'unique_slug', unique: true },
];

/** A collection that is sharded by `_id`, as `mongos` presents it: it rejects unique indexes without the shard key. */
function shardedCollection(named: string): { collection: Collection; attempts: () => number } {
  const collection = client.db(name).collection(named);
  let attempts = 0;
  const stand = {
    collectionName: named,
    db: { command: async () => ({ sharded: true }) },
    dropIndexes: () => collection.dropIndexes(),
    createIndexes: async (specs: IndexDescription[]) => {
      attempts += 1;
      const refused = specs.find(({ unique }) => unique);
      if (refused) {
        const errmsg = `cannot create unique index over ${JSON.stringify(refused.key)} with shard key pattern { _id: "hashed" }`;
        throw new MongoServerError({ ok: 0, errmsg, code: 67, codeName: 'CannotCreateIndex' });
      }
      return collection.createIndexes(specs);
    },
  };
  return { collection: stand as unknown as Collection, attempts: () => attempts };
}

const stored = async (named: string): Promise<Document[]> =>
  (await client.db(name).collection(named).indexes()).map(({ name: index, unique = false }) => ({ index, unique }));

test('a sharded collection has the unique indexes without uniqueness, and keeps them', async () => {
  const { collection, attempts } = shardedCollection('sharded');
  await createIndexes(collection, indexes);
  const expected = [
    { index: '_id_', unique: false },
    { index: 'by_a', unique: false },
    { index: 'unique_slug', unique: false },
  ];
  expect(await stored('sharded')).toEqual(expected);
  await createIndexes(collection, indexes);
  expect(attempts()).toBe(4);
  expect(await stored('sharded')).toEqual(expected);
});

test('another collection gets its unique indexes, also in place of others of the same name', async () => {
  const collection = client.db(name).collection('plain');
  await collection.createIndex({ type: 1, slugKey: 1 }, { name: 'unique_slug' });
  await createIndexes(collection, indexes);
  expect(await stored('plain')).toContainEqual({ index: 'unique_slug', unique: true });
});

test('what a collection cannot have for another reason is an error', async () => {
  const collection = client.db(name).collection('wrong');
  await expect(createIndexes(collection, [{ key: { a: 0 }, name: 'wrong' }])).rejects.toMatchObject({ code: 67 });
});

test.each([
  // Not `majority`, since the embedded engine then acknowledges writes before they are in its journal.
  ['', { w: 1, j: true }],
  ['&w=1', { w: 1 }],
  ['&journal=false', { j: false }],
])('writes over a connection with %j wait for %j', async (options, expected) => {
  const connection = await Connection.open(`${uri}${uri.includes('?') ? '' : '/?'}${options}`);
  try {
    const { writeConcern } = connection.database(name);
    expect({ w: writeConcern?.w, j: writeConcern?.journal }).toEqual({ w: undefined, j: undefined, ...expected });
  } finally {
    await connection.close();
  }
});

test.each([
  ['a server that stands alone', {}, 1],
  ['a replica set', { setName: 'rs0' }, 'majority'],
  ['a sharded cluster', { msg: 'isdbgrid' }, 'majority'],
])('writes to %s wait for its journal', (_, hello, w) => {
  expect(writeConcernFor(hello)).toEqual({ w, journal: true });
});

test('several writes in one command wait for what the others wait for', async () => {
  const other = new MongoClient(uri, { writeConcern: { w: 'majority', journal: true }, monitorCommands: true });
  const asked: unknown[] = [];
  other.on('commandStarted', ({ commandName, command }) => commandName === 'bulkWrite' && asked.push(command.writeConcern));
  try {
    await new Writes(other.db(name)).send([{ collection: 'one', insert: { _id: 1 } }]);
    expect(asked).toEqual([{ w: 'majority', j: true }]);
  } finally {
    await other.close();
  }
});
