import fc from 'fast-check';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawDocuments } from '../../../../src/database/memory/raw-documents.js';
import { State } from '../../../../src/database/memory/state.js';
import { decode, rawSource } from '../../../../src/database/store/scan.js';
import { testDatabase } from '../../../support/database.js';

interface Thing {
  _id: number;
  text: string;
  secret?: string;
  at: Date;
  parts: { size: number }[];
}

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
let db: Db;
let things: Collection<Thing>;
/** The ids that were missing from memory, or read again for it. */
let asked: number[][] = [];

const thing = (_id: number): Thing => ({ _id, text: `Text ${_id} ü`, secret: 'x', at: new Date(_id * 1000), parts: [{ size: _id / 4 }] });
const shown = (id: number): Omit<Thing, 'secret'> => {
  const { secret: _secret, ...rest } = thing(id);
  return rest;
};
const IDS = [1, 2, 3, 700, 1_500, 4_000_000_000];

beforeEach(async () => {
  await client.connect();
  db = client.db(name);
  things = db.collection<Thing>('things');
  await things.deleteMany({});
  await things.insertMany([...IDS.map(thing), ...Array.from({ length: 600 }, (_, i) => thing(2_000 + i))]);
  asked = [];
});
afterAll(() => client.close());

function open(limit: number): { documents: RawDocuments<Thing>; written: (ids: number[] | null, isDone?: boolean) => void } {
  const state = new State();
  const raw = rawSource(db, 'things', { secret: 0 });
  const some: typeof raw.some = (ids) => {
    asked.push(ids);
    return raw.some(ids);
  };
  return {
    documents: new RawDocuments<Thing>(state, 'things', { ...raw, some }, decode, () => limit),
    written: (ids, isDone = true) => (isDone ? state.endWrite('things', ids) : state.beginWrite('things', ids)),
  };
}

/** Loads until the database receives no further query. */
async function untilRead(documents: RawDocuments<Thing>, ids: number[]): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    asked = [];
    await documents.load(ids);
    if (asked.length === 0) return;
    await sleep(10);
  }
  throw new Error('The documents were never in memory.');
}

const sorted = (found: Thing[]): Thing[] => found.toSorted((a, b) => a._id - b._id);

test('the first call begins to read; then documents come from memory as they come from the database', async () => {
  const { documents } = open(1e6);
  expect(sorted(await documents.load(IDS))).toEqual(IDS.map(shown));
  await untilRead(documents, IDS);
  expect(sorted(await documents.load([...IDS, 2_599]))).toEqual([...IDS.slice(0, 5), 2_599, 4_000_000_000].map(shown));
  expect(asked).toEqual([]);
  expect(await documents.load([99])).toEqual([]);
  expect(asked).toEqual([[99]]);
});

test('what was written is read again', async () => {
  const { documents, written } = open(1e6);
  await untilRead(documents, IDS);
  await things.updateOne({ _id: 2 }, { $set: { text: 'New' } });
  written([2]);
  await things.deleteOne({ _id: 3 });
  written([3]);
  await things.insertOne(thing(5));
  written([5]);
  const found = await documents.load([1, 2, 3, 5]);
  expect(sorted(found).map(({ _id, text }) => [_id, text])).toEqual([
    [1, 'Text 1 ü'],
    [2, 'New'],
    [5, 'Text 5 ü'],
  ]);
  await things.updateMany({}, { $set: { text: 'All' } });
  written(null);
  expect((await documents.load([1]))[0].text).toBe('All');
});

test('while a document is written, it is read each time', async () => {
  const { documents, written } = open(1e6);
  await untilRead(documents, IDS);
  written([2], false);
  expect((await documents.load([2]))[0].text).toBe('Text 2 ü');
  await things.updateOne({ _id: 2 }, { $set: { text: 'New' } });
  // The write has happened, but was not announced yet.
  expect(sorted(await documents.load([1, 2])).map(({ text }) => text)).toEqual(['Text 1 ü', 'New']);
  written([2]);
  expect((await documents.load([2]))[0].text).toBe('New');
  await documents.load([2]);
  expect(asked).toEqual([[2], [2], [2]]);
});

test('what does not fit comes from the database', async () => {
  const { documents } = open(900);
  await untilRead(documents, [1, 2]);
  expect(sorted(await documents.load([1, 2_100, 4_000_000_000]))).toEqual([1, 2_100, 4_000_000_000].map(shown));
  expect(asked).toEqual([[2_100, 4_000_000_000]]);
});

test('if memory is full, what was written is read once', async () => {
  const { documents, written } = open(900);
  await untilRead(documents, [1, 2]);
  for (const id of [1, 2_100]) await things.updateOne({ _id: id }, { $set: { text: 'New' } });
  written([1, 2_100]);
  expect(sorted(await documents.load([1, 2, 2_100])).map(({ text }) => text)).toEqual(['New', 'Text 2 ü', 'New']);
  expect(asked).toEqual([[1, 2_100]]);
});

test('if much of a full memory was written, the next write fills it again', async () => {
  const { documents, written } = open(900);
  await untilRead(documents, [1, 2]);
  written([2]);
  await documents.load([1, 2]);
  await documents.load([1, 2]);
  expect(asked).toEqual([[2], [2]]);
  written([1]);
  await documents.load([1, 2]);
  written([3]);
  await untilRead(documents, [1, 2]);
});

describe('whatever is written in whatever order', () => {
  const id = fc.integer({ min: 1, max: 12 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), id, length: fc.nat(400) }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({ kind: fc.constant('all' as const), length: fc.nat(400) }),
    fc.record({ kind: fc.constant('load' as const), ids: fc.uniqueArray(id) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  async function apply({ documents, written }: ReturnType<typeof open>, action: Step): Promise<void> {
    if (action.kind === 'load') {
      const { ids } = action;
      const known = await things.find({ _id: { $in: ids } }, { projection: { secret: 0 }, sort: { _id: 1 } }).toArray();
      expect(sorted(await documents.load(ids))).toEqual(known);
    } else if (action.kind === 'all') {
      await things.updateMany({}, { $set: { text: 'a'.repeat(action.length) } });
      written(null);
    } else if (action.kind === 'delete') {
      await things.deleteOne({ _id: action.id });
      written([action.id]);
    } else {
      await things.updateOne({ _id: action.id }, { $set: { text: 'b'.repeat(action.length) } }, { upsert: true });
      written([action.id]);
    }
  }

  test.each([1e6, 3_000, 0])('what is loaded is what is stored, with %d bytes in memory', async (limit) => {
    await things.deleteMany({ _id: { $gt: 12 } });
    const opened = open(limit);
    await opened.documents.load([1]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        for (const each of steps) await apply(opened, each);
        await apply(opened, { kind: 'load', ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
      }),
      { numRuns: 15 },
    );
  });
});
