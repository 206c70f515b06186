import fc from 'fast-check';
import type { Collection } from 'mongodb';
import { State } from '../../src/database/memory/state.js';
import { Mirror } from '../../src/database/memory/mirror.js';
import { scan } from '../../src/database/store/scan.js';
import { Rows, columnsOf, type ColumnKinds, type TablePage } from '../../src/database/memory/table/rows.js';
import { Store } from '../../src/wordpress/store.js';
import { testDatabase } from '../support/database.js';
import { EFFORT } from '../support/effort.js';
import { registry } from '../support/registry.js';

/** A document with columns of every kind. */
interface Row {
  _id: number;
  status?: string | undefined;
  flag?: boolean | undefined;
  date?: string | undefined;
  at?: { start: string; end: string } | undefined;
  terms?: { tag: number[] } | undefined;
}

const KINDS: ColumnKinds = {
  ...columnsOf('order', ['date', 'at.start', 'at.end']),
  ...columnsOf('value', ['status', 'flag']),
  ...columnsOf('ids', ['terms.tag']),
};

const LIMIT = 1_000_000;

const { uri, name } = testDatabase();
let store: Store;
beforeAll(async () => {
  store = await Store.open(uri, registry, name);
});
afterAll(() => store.close());

const date = fc.constantFrom(
  '',
  '0000-00-00 00:00:00',
  '2026-01-01 10:00:00',
  '2026-01-01 10:00:01',
  '2026-02-01 00:00:00',
  '2027-12-31 23:59:59',
);
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
const status = fc.constantFrom('publish', 'draft', 'trash');

const row = (id: fc.Arbitrary<number>): fc.Arbitrary<Row> =>
  fc.record(
    { _id: id, status, flag: fc.boolean(), date, at: fc.record({ start: date, end: date }), terms: fc.record({ tag: ids }) },
    { requiredKeys: ['_id'] },
  );

const leaf = fc.oneof(
  status.map((value) => ({ status: value })),
  fc.uniqueArray(status).map((values) => ({ status: { $in: values } })),
  fc.uniqueArray(status).map((values) => ({ status: { $nin: values } })),
  fc.boolean().map((value) => ({ flag: value })),
  fc.constant({ flag: { $ne: true } }),
  fc
    .tuple(fc.constantFrom('date', 'at.start', 'at.end'), fc.constantFrom('$gt', '$gte', '$lt', '$lte'), date)
    .map(([path, operator, value]) => ({ [path]: { [operator]: value } })),
  fc.integer({ min: 1, max: 6 }).map((id) => ({ 'terms.tag': id })),
  fc
    .tuple(
      fc.constantFrom('$in', '$nin', '$all'),
      ids.filter(({ length }) => length > 0),
    )
    .map(([operator, values]) => ({ 'terms.tag': { [operator]: values } })),
  fc
    .tuple(fc.constantFrom('date', 'at.end'), fc.constantFrom('$eq', '$ne'), fc.oneof(date, fc.constant('soon')))
    .map(([path, operator, value]) => ({ [path]: { [operator]: value } })),
  fc
    .tuple(fc.constantFrom('date', 'at.end'), fc.constantFrom('$in', '$nin'), fc.uniqueArray(fc.oneof(date, fc.constant('soon'))))
    .map(([path, operator, values]) => ({ [path]: { [operator]: values } })),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.uniqueArray(fc.nat(30))).map(([operator, values]) => ({ _id: { [operator]: values } })),
);
const conditions = fc.oneof(
  leaf,
  fc
    .array(
      fc.oneof(
        leaf,
        fc.array(leaf, { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map(($and) => ({ $and })),
);
const order = fc.constantFrom<Record<string, 1 | -1>>(
  { _id: 1 },
  { date: 1, _id: 1 },
  { date: -1, _id: -1 },
  { 'at.start': 1, date: 1, _id: 1 },
);
const query = fc.record({ conditions, order, offset: fc.nat(8), limit: fc.nat(6) });

type Query = { conditions: object; order: Record<string, 1 | -1>; offset: number; limit: number };

async function fromDatabase(collection: Collection<Row>, { conditions: filter, order: sort, offset, limit }: Query): Promise<TablePage> {
  const all = await collection
    .find(filter, { projection: { _id: 1 } })
    .sort(sort)
    .toArray();
  return { ids: all.slice(offset, offset + limit).map(({ _id }) => _id), total: all.length };
}

let made = 0;

/** Creates a collection with documents, its columns, and a function that records writes. */
async function filled(documents: Row[], limit = LIMIT) {
  const collection = store.db.collection<Row>(`rows-${(made += 1)}`);
  if (documents.length > 0) await collection.insertMany(documents, { ignoreUndefined: true });
  const all = () => scan<Row>({ db: store.db, collection: collection.collectionName }, {}, {});
  const source = { all, some: (wanted: number[]) => collection.find({ _id: { $in: wanted } }).toArray() };
  const state = new State();
  const rows = new Mirror(state, 'rows', source, () => new Rows(KINDS, limit));
  return { collection, rows, written: (changed: number[] | null) => state.endWrite('rows', changed) };
}

const write = fc.oneof(
  row(fc.nat(30)).map((document) => ({ document })),
  fc.nat(30).map((gone) => ({ gone })),
);

test('columns find what the database finds, also after writes', async () => {
  const documents = fc.uniqueArray(row(fc.nat(30)), { minLength: 10, maxLength: 25, selector: ({ _id }) => _id });
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.array(fc.tuple(fc.array(write, { maxLength: 3 }), fc.array(query, { minLength: 1, maxLength: 5 })), { maxLength: 6 }),
      async (first, steps) => {
        const { collection, rows, written } = await filled(first);
        for (const [writes, queries] of steps) {
          for (const each of writes) {
            const id = 'gone' in each ? each.gone : each.document._id;
            if ('gone' in each) await collection.deleteOne({ _id: id });
            else await collection.replaceOne({ _id: id }, each.document, { upsert: true, ignoreUndefined: true });
            written([id]);
          }
          const current = await rows.read();
          for (const each of queries) expect(current?.find(each as never)).toEqual(await fromDatabase(collection, each));
        }
        await collection.drop();
      },
    ),
    { numRuns: 25 * EFFORT },
  );
});

test('a column of values holds many of them', async () => {
  const documents = Array.from({ length: 600 }, (_, i) => ({ _id: i, status: `status ${i % 300}` }));
  const current = await (await filled(documents)).rows.read();
  const find = (i: number) => current?.find({ conditions: { status: `status ${i}` }, order: { _id: 1 }, offset: 0, limit: 5 });
  expect([0, 1, 255, 256, 299].map((i) => find(i)?.ids)).toEqual([0, 1, 255, 256, 299].map((i) => [i, i + 300]));
});

test('many writes at once, or writes to any document, have everything read again', async () => {
  const { collection, rows, written } = await filled([{ _id: 1, status: 'draft' }]);
  const find = async () => (await rows.read())?.find({ conditions: { status: 'publish' }, order: { _id: 1 }, offset: 0, limit: 5 });
  expect(await find()).toEqual({ ids: [], total: 0 });
  await collection.insertMany(Array.from({ length: 3_000 }, (_, i) => ({ _id: 10 + i, status: 'publish' })));
  written(Array.from({ length: 3_000 }, (_, i) => 10 + i));
  expect(await find()).toEqual({ ids: [10, 11, 12, 13, 14], total: 3_000 });
  await collection.updateMany({}, { $set: { status: 'publish' } });
  written(null);
  expect((await find())?.total).toBe(3_001);
});

test.each<[string, object]>([
  ['a column that is not there', { content: 'x' }],
  ['an operator that columns do not have', { status: { $regex: 'x' } }],
  ['an operator at the top', { $expr: true }],
  ['a value that no column holds', { status: null }],
  ['text that is no time', { date: { $gt: 'yesterday' } }],
  ['any of these within others', { $or: [{ flag: true }, { $and: [{ content: 'x' }] }] }],
])('%s is left to the database', async (_, filter) => {
  const { rows } = await filled([{ _id: 1 }]);
  const current = await rows.read();
  expect(current?.find({ conditions: filter as never, order: { _id: 1 }, offset: 0, limit: 1 })).toBeNull();
});

test.each<Record<string, 1 | -1>>([{ status: 1, _id: 1 }, { date: 1, _id: -1 }, { content: 1 }])(
  'the order %j is left to the database',
  async (sort) => {
    const current = await (await filled([{ _id: 1 }])).rows.read();
    expect(current?.find({ conditions: {}, order: sort, offset: 0, limit: 1 })).toBeNull();
  },
);

test.each<[string, Row[], number]>([
  ['with values of another kind', [{ _id: 1, date: 'soon' }], LIMIT],
  ['that take too much memory', [{ _id: 1 }], 100],
])('documents %s are left to the database', async (_, documents, limit) => {
  const { rows } = await filled(documents, limit);
  expect(await rows.read()).toBeNull();
});
