import type { Db } from 'mongodb';
import {
  FORMAT,
  migrateSets,
  openFormat,
  recordFormat,
  storedFormat,
  type FormatRow,
  type Migration,
} from '../../../../src/database/store/format.js';
import { SCHEMA } from '../../../../src/database/store/indexes.js';
import { packageVersion } from '../../../../src/base/system/package-version.js';
import { Store } from '../../../../src/wordpress/store.js';
import { testDatabase } from '../../../support/database.js';
import { registry } from '../../../support/registry.js';

/* Data of older versions is migrated step by step. Data of newer versions is not changed. */

const { uri, name } = testDatabase();

interface Note {
  _id: number;
  text?: string;
  words?: string[];
  count?: number;
}

const split: Required<Pick<Migration, 'what' | 'run'>> = {
  what: 'texts are lists of words',
  run: async (set) => {
    for await (const { _id, text = '' } of set.collection<Note>('notes').find({ text: { $exists: true } }))
      await set.collection<Note>('notes').updateOne({ _id }, { $set: { words: text.split(' ') }, $unset: { text: 1 } });
  },
};

const count: typeof split = {
  what: 'words are counted',
  run: async (set) => {
    await set.collection<Note>('notes').updateMany({}, [{ $set: { count: { $size: '$words' } } }]);
  },
};

const CHAIN = [split, count];

const TEXTS = ['town hall', 'a b c', ''];
const CONVERTED = [
  { _id: 0, words: ['town', 'hall'], count: 2 },
  { _id: 1, words: ['a', 'b', 'c'], count: 3 },
  { _id: 2, words: [''], count: 1 },
];

/** Prefixes of the content, of a snapshot, and of an unfinished load. */
const SETS = ['', 'snapshot.pristine.', 'snapshot.load.1234.'];

let store: Store;
let db: Db;

beforeEach(async () => {
  store = await Store.open(uri, registry, name);
  ({ db } = store);
  await db.collection(SCHEMA).deleteMany({});
  for (const prefix of SETS) {
    await db.collection(`${prefix}notes`).deleteMany({});
    await db.collection<Note>(`${prefix}notes`).insertMany(TEXTS.map((text, _id) => ({ _id, text })));
    await db.collection<{ _id: string }>(`${prefix}counters`).replaceOne({ _id: 'posts' }, { value: 1 }, { upsert: true });
  }
});
afterEach(async () => {
  await db.collection(SCHEMA).deleteMany({});
  await store.close();
});

const notesOf = (prefix: string): Promise<Note[]> =>
  db
    .collection<Note>(`${prefix}notes`)
    .find({}, { sort: { _id: 1 } })
    .toArray();
const say = (row: Omit<FormatRow, '_id'>): Promise<unknown> =>
  db.collection<FormatRow>(SCHEMA).replaceOne({ _id: 'format' }, row, { upsert: true });

test('data without a format has format 1, and is converted with its snapshots and staged loads', async () => {
  expect(await openFormat(db, store.workLog, CHAIN, '3.0.0')).toEqual([
    'Converted the stored data to format 2: texts are lists of words.',
    'Converted the stored data to format 3: words are counted.',
  ]);
  for (const prefix of SETS) expect(await notesOf(prefix)).toEqual(CONVERTED);
  expect(await storedFormat(db)).toEqual({ _id: 'format', version: 3, by: '3.0.0' });
});

test('data of the newest format is not converted again', async () => {
  await openFormat(db, store.workLog, CHAIN, '3.0.0');
  expect(await openFormat(db, store.workLog, CHAIN, '3.0.1')).toEqual([]);
});

test('only the missing steps run', async () => {
  await openFormat(db, store.workLog, [split], '2.0.0');
  expect(await openFormat(db, store.workLog, CHAIN, '3.0.0')).toEqual(['Converted the stored data to format 3: words are counted.']);
});

test.each([0, 1, 2, 3, 4, 5])('a conversion that was interrupted after %d sets is resumed', async (survived) => {
  let runs = 0;
  const dying = CHAIN.map(({ what, run }) => ({
    what,
    run: async (set: Parameters<typeof run>[0]) => {
      if (runs === survived) throw new Error('killed');
      runs += 1;
      await run(set);
    },
  }));
  await expect(openFormat(db, store.workLog, dying, '3.0.0')).rejects.toThrow('killed');
  const to = survived < SETS.length ? 2 : 3;
  expect(await storedFormat(db)).toMatchObject({ version: to - 1, migrating: { to, by: '3.0.0' } });
  await openFormat(db, store.workLog, CHAIN, '3.0.0');
  for (const prefix of SETS) expect(await notesOf(prefix)).toEqual(CONVERTED);
  expect(await storedFormat(db)).toEqual({ _id: 'format', version: 3, by: '3.0.0' });
});

test('a half-converted database is rejected by the version that wrote it', async () => {
  await say({ version: 1, by: '1.0.0', migrating: { to: 2, by: '2.0.0' } });
  await expect(openFormat(db, store.workLog, [], '1.0.0')).rejects.toThrow('has format 2, written by Understudy 2.0.0');
});

test('staged sets are converted alone', async () => {
  await migrateSets(db, ['snapshot.load.1234.'], 1, CHAIN);
  expect(await notesOf('snapshot.load.1234.')).toEqual(CONVERTED);
  expect(await notesOf('')).toEqual(TEXTS.map((text, _id) => ({ _id, text })));
});

test('servers that start together on a shared database convert it once', async () => {
  const others = await Promise.all([1, 2, 3].map(() => Store.open(uri, registry, name, true)));
  await db.collection(SCHEMA).deleteMany({});
  const done = await Promise.all(others.map((other) => openFormat(other.db, other.workLog, CHAIN, '3.0.0')));
  expect(done.flat()).toHaveLength(CHAIN.length);
  expect(await notesOf('')).toEqual(CONVERTED);
  await Promise.all(others.map((other) => other.close()));
});

test('data of a newer version is rejected before anything is written', async () => {
  await say({ version: FORMAT + 1, by: '9.9.9' });
  const before = await db.collection(SCHEMA).find().toArray();
  await expect(Store.open(uri, registry, name)).rejects.toThrow(
    `The stored data has format ${FORMAT + 1}, written by Understudy 9.9.9. This is Understudy ${packageVersion()}, which reads formats 1 to ${FORMAT}. Nothing was changed.\n` +
      'Install wp-understudy@9.9.9 or a later version.',
  );
  await expect(Store.openSoon(uri, registry, name)).rejects.toThrow('9.9.9');
  expect(await db.collection(SCHEMA).find().toArray()).toEqual(before);
});

test('the format is recorded with the version that wrote it', async () => {
  await recordFormat(db);
  expect(await storedFormat(db)).toEqual({ _id: 'format', version: FORMAT, by: packageVersion() });
  await say({ version: FORMAT, by: '0.0.1' });
  await recordFormat(db);
  expect(await storedFormat(db)).toMatchObject({ by: packageVersion() });
});

test('format 2: a snapshot of an older version is listed, and can be restored', async () => {
  const older = await Store.open(uri, registry, `${name}_older`);
  try {
    await older.db.collection(SCHEMA).deleteMany({});
    await older.db.collection<{ _id: string; value: number }>('snapshot.kept.options').insertOne({ _id: 'blogname', value: 1 });
    await older.db.collection<{ _id: string; value: number }>('snapshot.kept.counters').insertOne({ _id: 'posts', value: 7 });
    await older.db.collection<{ _id: string }>('snapshot.kept.facts').insertOne({ _id: 'facts', posts: 0 } as { _id: string });
    await older.db.createCollection('snapshot.load.1234.counters');
    expect(await openFormat(older.db, older.workLog)).toContain('Converted the stored data to format 2: snapshots are listed.');
    expect([...(await older.snapshots.list())]).toEqual([['kept', { _id: 'facts', posts: 0 }]]);
    await older.snapshots.restore('kept');
    expect(await older.options.findOne({ _id: 'blogname' })).toEqual({ _id: 'blogname', value: 1 });
    expect(await older.sequences.last('posts')).toBe(7);
  } finally {
    await older.drop();
    await older.close();
  }
});

test('the release of the calendar gets the name of its product', async () => {
  const options = db.collection<{ _id: string; value?: unknown }>('options');
  await options.replaceOne({ _id: 'plugin_version' }, { value: '6.14.2' }, { upsert: true });
  await db.collection('snapshot.pristine.options').deleteMany({});
  await say({ version: 2, by: '0.1.0' });
  const [sentence] = await openFormat(db, store.workLog);
  expect(sentence).toContain('Converted the stored data to format 3');
  expect(await options.find({ _id: { $in: ['plugin_version', 'release:the-events-calendar'] } }).toArray()).toEqual([
    { _id: 'release:the-events-calendar', value: '6.14.2' },
  ]);
  await options.deleteMany({});
});
