import { MongoClient, type Document } from 'mongodb';
import { scan } from '../../../src/store/scan.js';
import { testDatabase } from '../../support/database.js';

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

const MB = 1024 * 1024;

/** Stores documents, reads them back, and records the database commands. */
async function readAll(documents: { _id: number; text?: string }[], alter: (reply: Document) => Document = (reply) => reply) {
  const db = client.db(name);
  const things = db.collection<{ _id: number; text?: string }>('things');
  await things.deleteMany({});
  await things.insertMany(documents);
  const asked: string[] = [];
  const command: typeof db.command = async (...call) => {
    asked.push(Object.keys(call[0])[0] ?? '');
    return alter(await db.command(...call));
  };
  const batches: number[][] = [];
  const source = { db: Object.assign(Object.create(db), { command }), collection: 'things' };
  for await (const batch of scan(source, {}, {})) batches.push(batch.map(({ _id }) => _id));
  return { asked, batches };
}

const numbered = (count: number): { _id: number }[] => Array.from({ length: count }, (_, i) => ({ _id: 3 * i }));

test('few documents are read with one command', async () => {
  expect(await readAll(numbered(20))).toEqual({ asked: ['find'], batches: [numbered(20).map(({ _id }) => _id)] });
});

test('many documents are read in batches, in the order of their ids', async () => {
  const { asked, batches } = await readAll(numbered(2_500));
  expect(batches.flat()).toEqual(numbered(2_500).map(({ _id }) => _id));
  expect(asked).toEqual(['find', 'find', 'find']);
});

test('a reply that cannot hold a whole batch is not the last, and leaves no cursor open', async () => {
  const documents = numbered(7).map((each) => ({ ...each, text: 'x'.repeat(5 * MB) }));
  const { asked, batches } = await readAll(documents);
  expect(batches.flat()).toEqual(documents.map(({ _id }) => _id));
  expect(asked.filter((command) => command === 'killCursors')).toHaveLength(batches.length - 1);
});

/** Cursor ids are random. One in a thousand fits into a number. */
test('the id of a cursor may be a number that the driver has converted', async () => {
  const documents = numbered(7).map((each) => ({ ...each, text: 'x'.repeat(5 * MB) }));
  const small = (reply: Document): Document => {
    const { cursor } = reply as { cursor?: { id: unknown } };
    if (cursor && Number(cursor.id) !== 0) cursor.id = 12_345;
    return reply;
  };
  const { batches } = await readAll(documents, small);
  expect(batches.flat()).toEqual(documents.map(({ _id }) => _id));
});
