import fc from 'fast-check';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawDocuments } from '../../../src/store/raw-documents.js';
import { testDatabase } from '../../support/database.js';

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
/** The ids that were not in memory. */
let asked: number[][] = [];
const underWay = new Set<number>();

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

function open(limit: number, folder: string | null = null): RawDocuments<Thing> {
  const find = async (ids: number[]): Promise<Thing[]> => {
    asked.push(ids);
    return things.find({ _id: { $in: ids } }, { projection: { secret: 0 } }).toArray();
  };
  const isBeingWritten = (id: number): boolean => underWay.has(id);
  return new RawDocuments({ db, collection: 'things', projection: { secret: 0 }, find, isBeingWritten, limit, folder });
}

/** Loads until nothing is asked of the database. */
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
  const documents = open(1e6);
  expect(sorted(await documents.load(IDS))).toEqual(IDS.map(shown));
  await untilRead(documents, IDS);
  expect(sorted(await documents.load([...IDS, 2_599]))).toEqual([...IDS.slice(0, 5), 2_599, 4_000_000_000].map(shown));
  expect(asked).toEqual([]);
  expect(await documents.load([99])).toEqual([]);
  expect(asked).toEqual([[99]]);
});

test('what was written is read again', async () => {
  const documents = open(1e6);
  await untilRead(documents, IDS);
  await things.updateOne({ _id: 2 }, { $set: { text: 'New' } });
  documents.recordWrite([2]);
  await things.deleteOne({ _id: 3 });
  documents.recordWrite([3]);
  await things.insertOne(thing(5));
  documents.recordWrite([5]);
  const found = await documents.load([1, 2, 3, 5]);
  expect(sorted(found).map(({ _id, text }) => [_id, text])).toEqual([
    [1, 'Text 1 ü'],
    [2, 'New'],
    [5, 'Text 5 ü'],
  ]);
  await things.updateMany({}, { $set: { text: 'All' } });
  documents.recordWrite(null);
  expect((await documents.load([1]))[0].text).toBe('All');
});

test('what does not fit memory is kept in a file that nobody sees', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-raw-'));
  const large = { ...thing(1_900), text: 'x'.repeat(1_500_000) };
  await things.insertOne(large);
  const documents = open(300.5, folder);
  await untilRead(documents, [...IDS, 1_900, 2_599]);
  expect(await readdir(folder)).toEqual([]);
  expect(sorted(await documents.load(IDS))).toEqual(IDS.map(shown));
  expect((await documents.load([1_900]))[0].text).toBe(large.text);
  await things.updateOne({ _id: 2_599 }, { $set: { text: 'New' } });
  documents.recordWrite([2_599]);
  expect((await documents.load([2_598, 2_599])).map(({ text }) => text)).toEqual(['Text 2598 ü', 'New']);
  expect(asked).toEqual([]);

  await things.updateMany({}, { $set: { text: 'All' } });
  documents.recordWrite(null);
  await untilRead(documents, IDS);
  expect((await documents.load([1_900, 2_000])).map(({ text }) => text)).toEqual(['All', 'All']);
  documents.close();
  await rm(folder, { recursive: true });
});

test('where no file can be, what does not fit memory comes from the database', async () => {
  const documents = open(300, path.join(os.tmpdir(), 'understudy-no-such-folder'));
  await untilRead(documents, [1, 2]);
  expect(sorted(await documents.load([1, 2_100]))).toEqual([1, 2_100].map(shown));
  expect(asked).toEqual([[2_100]]);
});

test('while a document is written, it comes from the database', async () => {
  const documents = open(1e6);
  await untilRead(documents, IDS);
  underWay.add(2);
  await things.updateOne({ _id: 2 }, { $set: { text: 'New' } });
  // The database has done it, and nobody has been told.
  expect(sorted(await documents.load([1, 2])).map(({ text }) => text)).toEqual(['Text 1 ü', 'New']);
  expect(asked).toEqual([[2]]);
  underWay.delete(2);
});

test('what does not fit comes from the database', async () => {
  const documents = open(300);
  await untilRead(documents, [1, 2]);
  expect(sorted(await documents.load([1, 2_100, 4_000_000_000]))).toEqual([1, 2_100, 4_000_000_000].map(shown));
  expect(asked).toEqual([[2_100, 4_000_000_000]]);
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

  async function apply(documents: RawDocuments<Thing>, action: Step): Promise<void> {
    if (action.kind === 'load') {
      const { ids } = action;
      const known = await things.find({ _id: { $in: ids } }, { projection: { secret: 0 }, sort: { _id: 1 } }).toArray();
      expect(sorted(await documents.load(ids))).toEqual(known);
    } else if (action.kind === 'all') {
      await things.updateMany({}, { $set: { text: 'a'.repeat(action.length) } });
      documents.recordWrite(null);
    } else if (action.kind === 'delete') {
      await things.deleteOne({ _id: action.id });
      documents.recordWrite([action.id]);
    } else {
      await things.updateOne({ _id: action.id }, { $set: { text: 'b'.repeat(action.length) } }, { upsert: true });
      documents.recordWrite([action.id]);
    }
  }

  test.each([1e6, 700, 0])('what is loaded is what is stored, with %d bytes in memory and the rest in a file', async (limit) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-raw-'));
    await things.deleteMany({ _id: { $gt: 12 } });
    const documents = open(limit, folder);
    await documents.load([1]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        for (const each of steps) await apply(documents, each);
        await apply(documents, { kind: 'load', ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
      }),
      { numRuns: 15 },
    );
    documents.close();
    await rm(folder, { recursive: true });
  });
});
