import { MongoClient } from 'mongodb';
import { scan } from '../../../../src/database/store/scan.js';
import { testDatabase } from '../../../support/database.js';

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

const MB = 1024 * 1024;

/** Stores documents, reads them back, and records the database commands, and the cursors that they leave open. */
async function readAll(documents: { _id: number; text?: string }[]) {
  const db = client.db(name);
  const things = db.collection<{ _id: number; text?: string }>('things');
  await things.deleteMany({});
  await things.insertMany(documents);
  const asked: string[] = [];
  const cursors: string[] = [];
  const command: typeof db.command = async (...call) => {
    asked.push(Object.keys(call[0])[0] ?? '');
    const reply = await db.command(...call);
    cursors.push(String((reply as { cursor: { id: unknown } }).cursor.id));
    return reply;
  };
  const batches: number[][] = [];
  const source = { db: Object.assign(Object.create(db), { command }), collection: 'things' };
  for await (const batch of scan(source, {}, {})) batches.push(batch.map(({ _id }) => _id));
  return { asked, batches, cursors };
}

const numbered = (count: number): { _id: number }[] => Array.from({ length: count }, (_, i) => ({ _id: 3 * i }));

test('few documents are read with one command, and one that finds no more', async () => {
  expect(await readAll(numbered(20))).toMatchObject({ asked: ['find', 'find'], batches: [numbered(20).map(({ _id }) => _id)] });
});

test('many documents are read in batches, in the order of their ids', async () => {
  const { asked, batches } = await readAll(numbered(2_500));
  expect(batches.flat()).toEqual(numbered(2_500).map(({ _id }) => _id));
  expect(asked).toHaveLength(4);
});

test('a reply that cannot hold a whole batch is not the last, and leaves no cursor open', async () => {
  const documents = numbered(7).map((each) => ({ ...each, text: 'x'.repeat(5 * MB) }));
  const { asked, batches, cursors } = await readAll(documents);
  expect(batches.flat()).toEqual(documents.map(({ _id }) => _id));
  expect(batches.length).toBeGreaterThan(1);
  expect(asked).toHaveLength(batches.length + 1);
  expect(new Set(cursors)).toEqual(new Set(['0']));
});
