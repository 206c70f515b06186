import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { isDuplicate } from '../../../../src/database/store/errors.js';
import { isConflict, Writes, type Step } from '../../../../src/database/store/writes.js';
import { testDatabase } from '../../../support/database.js';

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

/** A database of a server before MongoDB 8.0, which has no command for writes to several collections. */
function before8(db: Db): Db {
  const command = (sent: Document): Promise<Document> => {
    throw new MongoServerError({ code: 59, codeName: 'CommandNotFound', message: `no such command: '${Object.keys(sent)[0]}'` });
  };
  return { databaseName: db.databaseName, command: db.command.bind(db), client: { db: () => ({ command }) } } as unknown as Db;
}

const STEPS: Step[] = [
  { collection: 'a', insert: { _id: 1, text: 'first', left: undefined } },
  { collection: 'a', insert: { _id: 2, text: 'second' } },
  { collection: 'b', update: 'new', change: { $inc: { value: 3 } }, upsert: true },
  { collection: 'a', replace: { _id: 1, text: 'replaced', version: 1 }, version: undefined },
  { collection: 'a', update: { text: { $exists: true } }, change: { $set: { seen: true } }, isMany: true },
  { collection: 'a', update: 9, change: { $set: { seen: true } } },
  { collection: 'a', insert: { _id: 3 } },
  { collection: 'a', delete: { _id: { $gt: 1 } }, isOne: true },
  { collection: 'a', delete: [3, 4] },
];

test.each([
  ['together', (db: Db) => db],
  ['one by one', before8],
])('%s: writes in order, with a result of each', async (how, of) => {
  const db = client.db(`${name}_${how.replaceAll(' ', '')}`);
  const writes = new Writes(of(db));
  try {
    const results = await writes.send(STEPS, { maxTimeMS: 10_000 });
    expect(results.map(({ n, upserted }) => [n, upserted?._id])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, 'new'],
      [1, undefined],
      [2, undefined],
      [0, undefined],
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ]);
    expect(await db.collection('a').find().toArray()).toEqual([{ _id: 1, text: 'replaced', version: 1, seen: true }]);
    const failure = async (step: Step): Promise<unknown> =>
      writes.send([{ collection: 'b', delete: ['none'] }, step, STEPS[1]]).catch((error: unknown) => error);
    const duplicate = await failure(STEPS[0]);
    expect([isDuplicate(duplicate, '_id'), duplicate]).toMatchObject([true, { idx: 1 }]);
    const conflict = await failure({ collection: 'a', replace: { _id: 1, text: 'late', version: 1 }, version: undefined });
    expect([isConflict(conflict), conflict]).toMatchObject([true, { idx: 1 }]);
    expect(await db.collection('a').countDocuments()).toBe(1);
  } finally {
    await db.dropDatabase();
  }
});
