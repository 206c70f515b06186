import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { Document } from 'mongodb';
import { Connection, LaterConnection } from '../../../../src/database/store/connection.js';
import { isOversized } from '../../../../src/database/store/errors.js';
import { ANY_CASE } from '../../../../src/database/store/indexes.js';
import { LIMITS } from '../../../../src/database/store/local/database.js';
import { serverOf } from '../../../../src/database/store/scan.js';
import { readByIds } from '../../../../src/database/store/scan.js';
import type { Step } from '../../../../src/database/store/writes.js';
import type { Post, User } from '../../../../src/wordpress/model.js';
import { findPage } from '../../../../src/wordpress/posts/posts.js';
import { Store } from '../../../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../../../support/database.js';
import { EFFORT } from '../../../support/effort.js';
import { storedPost } from '../../../support/posts.js';
import { registry } from '../../../support/registry.js';

/* A database in memory responds as the engine does, also after it has moved there. */

const { uri, name } = testDatabase();

const TYPES = ['tribe_events', 'tribe_venue', 'post'];
const post = (id: number): Post =>
  storedPost(id, {
    type: TYPES[id % 3],
    title: `Post ${id % 4}`,
    slug: `post-${id}`,
    slugKey: `post-${id}`,
    parent: id % 2,
    excerpt: ['POST', 'poſt', '\u212Aelvin', 'kelvin', 'ẞ \\p', 'É'][id % 6],
    meta: [{ key: 'size', value: String(id % 3) }],
    terms: { tribe_events_cat: id % 3 === 0 ? [1, 2] : [id % 5] },
    ...(id % 3 === 0 ? { venues: [id, 7], occurrence: { start: `2026-01-0${id % 9} 10:00:00` } } : {}),
    ...(id % 4 === 0 ? { version: id } : {}),
    ...(id % 3 === 1 ? { location: { type: 'Point', coordinates: [7 + (id % 50) / 10, 50 - (id % 50) / 20] } } : {}),
  } as Partial<Post>);

const user = (id: number, login: string): User => ({
  _id: id,
  login,
  email: `${login}@example.org`,
  displayName: login,
  nicename: login,
  url: '',
  role: 'editor',
  applicationPasswords: [{ uuid: `u${id}`, name: 'one' } as User['applicationPasswords'][number]],
});

const POSTS = Array.from({ length: 24 }, (_, i) => post(i + 1));
const USERS = [user(1, 'anna'), user(2, 'Böll')];

let main: Store;
/** The same content in the engine, and in memory. */
let engine: Store;
let local: Store;
let copies = 0;

async function begin(): Promise<void> {
  copies += 1;
  await clearStore(engine);
  await engine.insert('posts', POSTS);
  await engine.insert('users', USERS);
  await local?.drop();
  local = await main.copyOf('one', main.snapshots, `${name}_local_${copies}`);
}

const USUAL = { ...LIMITS };
beforeAll(() => void Object.assign(LIMITS, { documents: 5_000, bytes: 64 * 1024 * 1024 }));
afterAll(() => void Object.assign(LIMITS, USUAL));

beforeAll(async () => {
  main = await Store.open(uri, registry, `${name}_main`);
  engine = await Store.open(uri, registry, `${name}_engine`);
  await main.insert('posts', POSTS);
  await main.insert('users', USERS);
  await main.snapshots.save('one');
});
beforeEach(begin);
afterAll(async () => {
  await local.drop();
  await main.dropMoved();
  for (const store of [main, engine]) {
    await store.drop();
    await store.close();
  }
});

const byId = (rows: Document[]): Document[] => rows.toSorted((a, b) => (String(a._id) < String(b._id) ? -1 : 1));

async function contentOf(store: Store): Promise<Document[][]> {
  const names = ['posts', 'users', 'options', 'counters'];
  return Promise.all(names.map(async (collection) => byId(await store.db.collection(collection).find({}).toArray())));
}

/** What a call returns, or the code of its error. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: Error & { code?: number; keyPattern?: object; idx?: number }) => ({
    code: error.code,
    keyPattern: error.keyPattern,
    idx: error.idx,
  }));

const FILTERS: [string, Document][] = [
  ['all', {}],
  ['an id', { _id: 3 }],
  ['ids, some unknown', { _id: { $in: [9, 3, 99, 3] } }],
  ['ids and a condition', { _id: { $in: [1, 2, 3, 6] }, type: 'tribe_events' }],
  ['equality', { type: 'post', title: 'Post 1' }],
  ['alternatives', { type: { $in: ['post', 'tribe_venue'] } }],
  ['exclusion', { type: { $nin: ['post'] }, title: { $ne: 'Post 1' } }],
  ['a range of numbers', { _id: { $gt: 3, $lte: 9 } }],
  ['a range of texts', { slug: { $gte: 'post-2', $lt: 'post-3' } }],
  ['any text', { date: { $gte: '' } }],
  ['existence', { venues: { $exists: true } }],
  ['absence', { version: { $exists: false } }],
  ['null', { version: null }],
  ['an element', { venues: 7 }],
  ['a path into an object', { 'terms.tribe_events_cat': 2 }],
  ['all elements', { 'terms.tribe_events_cat': { $all: [1, 2] } }],
  ['no element', { 'terms.tribe_events_cat': { $nin: [2] } }],
  ['a path through an array', { 'meta.value': '1' }],
  ['an element by its fields', { meta: { $elemMatch: { key: 'size', value: { $in: ['0', '2'] } } } }],
  ['a place in an array', { 'meta.0': { $exists: true } }],
  ['a pattern', { slug: /^post-1/ }],
  ['a pattern in any case', { excerpt: { $regex: '^pos', $options: 'i' } }],
  ['a pattern in any case, with a class', { $or: [{ excerpt: /^[^K]/i }, { slug: /T-3$/i }] }],
  ['a pattern in any case, with accents', { excerpt: { $regex: 'é|ß|ö', $options: 'i' } }],
  ['a pattern with an escaped backslash', { excerpt: { $regex: String.raw`\\p` } }],
  ['a circle', { location: { $geoWithin: { $centerSphere: [[7.5, 49.6], 0.008] } } }],
  ['a circle around the other side', { location: { $geoWithin: { $centerSphere: [[-172, -49.6], 3.13] } } }],
  ['a circle around everything', { location: { $geoWithin: { $centerSphere: [[0, 90], 3] } } }],
  ['an expression', { $expr: { $gte: [{ $indexOfCP: [{ $toLower: '$title' }, { $literal: 'post 2' }] }, 0] } }],
  [
    'an expression on elements',
    { $expr: { $not: { $anyElementTrue: [{ $map: { input: { $ifNull: ['$venues', []] }, as: 'one', in: { $eq: ['$$one', 7] } } }] } } },
  ],
  ['a pattern as a text', { slug: { $regex: '^post-2', $in: [/3$/, 'post-2', /^post-2[0-2]/] } }],
  ['or, and, nor', { $or: [{ type: 'post' }, { parent: 1 }], $and: [{ title: 'Post 1' }], $nor: [{ _id: 5 }] }],
  ['not', { slug: { $not: { $regex: '^post-1' } }, parent: { $not: { $gt: 0 } } }],
];

/** Letters in whose cases engines differ: several of one, none of the other, of ASCII, of two letters. */
const CASED = Array.from('sSſkK\u212AßẞσςΣµμǅıİéÉжЖÿŸåÅ\u212BωΩ\u2126ᏸᎰ');

test('a pattern finds a letter in the cases that the engine knows', async () => {
  const users = CASED.map((letter, i) => ({ ...user(10 + i, `u${i}`), displayName: letter }));
  for (const store of [local, engine]) await store.insert('users', users);
  const differing: string[] = [];
  for (const letter of CASED) {
    const [ours, theirs] = await Promise.all(
      [local, engine].map(async (store) =>
        (await store.users.find({ displayName: { $regex: letter, $options: 'i' } }).toArray()).map(({ displayName }) => displayName),
      ),
    );
    if (ours.toSorted().join() !== theirs.toSorted().join()) differing.push(`${letter}: ${ours.join(' ')}, not ${theirs.join(' ')}`);
  }
  expect(differing).toEqual([]);
});

describe('reads', () => {
  test.each(FILTERS)('%s', async (_what, filter) => {
    const projection = { title: 1, 'meta.value': 1, 'occurrence.start': 1, venues: 1 };
    const sort = { title: -1, _id: 1 } as const;
    for (const options of [
      { sort: { _id: 1 } as const },
      { sort, limit: 5, skip: 1 },
      { sort, projection },
      { sort, projection: { search: 0, meta: 0 } },
    ]) {
      const read = (store: Store): Promise<unknown> => store.posts.find(filter, options).toArray();
      expect(await read(local)).toEqual(await read(engine));
    }
    expect(await local.posts.countDocuments(filter)).toBe(await engine.posts.countDocuments(filter));
    expect(await local.posts.findOne(filter, { sort: { _id: -1 } })).toEqual(await engine.posts.findOne(filter, { sort: { _id: -1 } }));
    const distinct = async (store: Store): Promise<unknown[]> => (await store.posts.distinct('venues', filter)).toSorted();
    expect(await distinct(local)).toEqual(await distinct(engine));
    expect(local.isLocal).toBe(true);
  });

  test.each(['author', 'menu_order', 'parent', 'slug', 'title'] as const)('pages in the order of %s, also after writes', async (by) => {
    const columns = (id: number): Post => ({ ...post(id), type: 'post', author: id % 5, menuOrder: -id % 4, titleKey: `post ${id % 7}` });
    const both = [local, engine];
    for (const store of both) await store.insert('posts', [50, 51, 52, 53, 54, 55].map(columns));
    const query = { type: 'post', statuses: ['publish'], limit: 4 };
    const compare = async (): Promise<void> => {
      for (const descending of [false, true])
        for (const offset of [0, 3, 40]) {
          const pages = both.map(async (store) => {
            const { ids, total } = await findPage(store, { ...query, sort: { by, descending }, offset });
            return { ids, total };
          });
          const [ours, theirs] = await Promise.all(pages);
          expect(ours).toEqual(theirs);
        }
    };
    const aggregate = jest.spyOn(local, 'aggregate');
    await compare();
    for (const store of both) {
      await store.posts.updateOne({ _id: 52 }, { $set: { titleKey: 'a', slug: 'a', author: 9, parent: 9, menuOrder: 9 } });
      await store.posts.deleteOne({ _id: 53 });
    }
    await compare();
    expect(aggregate).not.toHaveBeenCalled();
    expect(local.isLocal).toBe(true);
  });

  test.each(['ANNA', 'bÖLL', 'boll', 'nobody'])('a login in any case: %s', async (login) => {
    const read = (store: Store): Promise<unknown> => store.users.findOne({ login }, { collation: ANY_CASE });
    expect(await read(local)).toEqual(await read(engine));
    expect(local.isLocal).toBe(true);
  });

  test.each<[string, Document[]]>([
    ['counts', [{ $match: { parent: 1 } }, { $group: { _id: '$type', count: { $sum: 1 } } }]],
    ['a count', [{ $match: { parent: 1 } }, { $count: 'total' }]],
    ['a count of none', [{ $match: { parent: 99 } }, { $count: 'total' }]],
    ['lists', [{ $group: { _id: null, ids: { $push: '$_id' }, parents: { $push: { $ifNull: ['$version', 0] } } } }]],
    [
      'conditions',
      [
        {
          $group: {
            _id: { parent: '$parent', own: { $cond: [{ $in: ['$type', ['post']] }, '$_id', { $ifNull: ['$version', 0] }] } },
            post: { $max: { $cond: [{ $eq: ['$type', 'post'] }, '$$ROOT', null] } },
            count: { $sum: { $cond: [{ $and: [{ $not: [{ $eq: ['$title', 'Post 1'] }] }, '$version'] }, 1, 0] } },
            absent: { $sum: { $cond: [{ $eq: ['$version', null] }, 1, 0] } },
          },
        },
        { $sort: { 'post._id': 1, '_id.own': 1, '_id.parent': 1 } },
      ],
    ],
    [
      'elements of lists',
      [
        {
          $project: {
            title: 1,
            meta: { $filter: { input: '$meta', as: 'row', cond: { $in: ['$$row.value', ['0', '2']] } } },
            seven: { $filter: { input: '$venues', as: 'id', cond: { $eq: ['$$id', 7] } } },
          },
        },
      ],
    ],
    [
      'a rank',
      [
        {
          $set: {
            rank: {
              $cond: [
                {
                  $or: [
                    { $gte: [{ $indexOfCP: [{ $arrayElemAt: [{ $ifNull: ['$search', []] }, 0] }, { $literal: 'po' }] }, 0] },
                    '$version',
                  ],
                },
                { $indexOfCP: ['$excerpt', { $literal: 'elvin' }] },
                { $indexOfArray: [['post-3', 'post-1'], '$slug'] },
              ],
            },
            at: { $indexOfCP: ['$none', 'x'] },
          },
        },
        { $sort: { rank: 1, date: -1, _id: -1 } },
        { $unset: 'at' },
        { $limit: 20 },
      ],
    ],
    ['the last', [{ $unwind: '$venues' }, { $group: { _id: '$venues', last: { $max: '$occurrence.start' }, first: { $min: '$_id' } } }]],
    ['a page', [{ $match: { type: 'post' } }, { $sort: { title: 1, _id: -1 } }, { $skip: 1 }, { $limit: 3 }, { $project: { title: 1 } }]],
  ])('pipelines: %s', async (_what, pipeline) => {
    expect(byId(await local.aggregate('posts', pipeline))).toEqual(byId(await engine.aggregate('posts', pipeline)));
    expect(local.isLocal).toBe(true);
  });
});

const id = fc.integer({ min: 1, max: 30 });
const some = fc.array(id, { maxLength: 4 });

/** Writes of every kind that the server sends. */
const step: fc.Arbitrary<Step> = fc.oneof(
  id.map((n): Step => ({ collection: 'posts', insert: post(n) })),
  fc.tuple(id, id).map(([n, slug]): Step => ({ collection: 'posts', insert: { ...post(n), type: 'post', slugKey: `post-${slug}` } })),
  fc
    .tuple(id, fc.constantFrom(undefined, 4, 8))
    .map(([n, version]): Step => ({ collection: 'posts', replace: { ...post(n), title: 'New', version: 9 }, version })),
  some.map((ids): Step => ({ collection: 'posts', delete: ids })),
  id.map((n): Step => ({ collection: 'posts', delete: { _id: n, version: { $exists: false } }, isOne: true })),
  id.map((n): Step => ({ collection: 'posts', delete: { title: `Post ${n % 4}`, parent: n % 2 } })),
  id.map((n): Step => ({
    collection: 'posts',
    update: n,
    change: { $set: { excerpt: 'changed', 'occurrence.end': 'then' }, $inc: { version: 1, 'counts.all': 2 } },
  })),
  id.map((n): Step => ({
    collection: 'posts',
    update: { 'terms.tribe_events_cat': n % 5 },
    change: { $pull: { 'terms.tribe_events_cat': n % 5 }, $inc: { version: 1 } },
    isMany: true,
  })),
  id.map((n): Step => ({
    collection: 'posts',
    update: { parent: n % 2 },
    change: { $unset: { excerpt: '', 'none.such': '' }, $pull: { 'no.list': 1 } },
    isMany: true,
  })),
  id.map((n): Step => ({ collection: 'posts', update: n, change: { ...post(n + 1), _id: undefined } })),
  id.map((n): Step => ({ collection: 'options', update: `option-${n % 3}`, change: { $set: { value: n } }, upsert: true })),
  id.map((n): Step => ({
    collection: 'options',
    update: { _id: `option-${n % 3}` },
    change: { value: { list: [n, null, undefined] } },
    upsert: true,
  })),
  id.map((n): Step => ({ collection: 'counters', update: 'posts', change: { $max: { value: n } }, upsert: true })),
  id.map((n): Step => ({ collection: 'users', insert: user(n, n % 2 === 0 ? 'ANNA' : `user-${n}`) })),
  id.map((n): Step => ({
    collection: 'users',
    update: { _id: n % 3, 'applicationPasswords.uuid': `u${n % 3}` },
    change: { $set: { 'applicationPasswords.$.lastUsed': n } },
  })),
  id.map((n): Step => ({ collection: 'users', update: { _id: n % 3 }, change: { $push: { applicationPasswords: { uuid: `v${n}` } } } })),
  id.map((n): Step => ({
    collection: 'users',
    update: { _id: n % 3 },
    change: { $pull: { applicationPasswords: { uuid: `u${n % 3}` } } },
  })),
);

const send = (store: Store, steps: readonly Step[]): Promise<unknown> =>
  outcome(store.writeTogether(steps).then((results) => results.map(({ n, upserted = null }) => ({ n, upserted: upserted?._id ?? null }))));

test('writes, snapshots and restores', async () => {
  const work = fc.oneof(
    { weight: 8, arbitrary: fc.array(step, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom('save', 'restore', 'move') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), async (works) => {
      await begin();
      for (const store of [engine, local]) await store.snapshots.save('kept');
      for (const each of works) {
        if (each === 'save') for (const store of [engine, local]) await store.snapshots.save('kept');
        else if (each === 'restore') for (const store of [engine, local]) await store.snapshots.restore('kept');
        // A function that only the engine has.
        else if (each === 'move') await local.aggregate('posts', [{ $addFields: { rank: { $rand: {} } } }]);
        else expect(await send(local, each)).toEqual(await send(engine, each));
      }
      expect(await contentOf(local)).toEqual(await contentOf(engine));
    }),
    { numRuns: 20 * EFFORT },
  );
});

test('what was read belongs to the caller, and what was written to the database', async () => {
  const written = { ...post(50), meta: [{ key: 'a', value: 'b' }] };
  await local.posts.insertOne(written);
  written.meta[0].value = 'changed';
  const found = await local.posts.findOne({ _id: 50 });
  expect(found?.meta).toEqual([{ key: 'a', value: 'b' }]);
  found!.meta[0].value = 'changed';
  expect((await local.posts.findOne({ _id: 50 }))?.meta).toEqual([{ key: 'a', value: 'b' }]);
});

test('two copies of one snapshot are isolated, and neither changes it', async () => {
  const other = await main.copyOf('one', main.snapshots, `${name}_local_other`);
  await local.posts.deleteMany({});
  await other.posts.updateOne({ _id: 1 }, { $set: { title: 'Other' } });
  const third = await main.copyOf('one', main.snapshots, `${name}_local_third`);
  expect(await local.posts.countDocuments({})).toBe(0);
  expect(await other.posts.countDocuments({})).toBe(POSTS.length);
  expect(await third.posts.find({}).toArray()).toEqual(await main.posts.find({}).toArray());
});

test('a write that only the engine can do is done once, and so are the ones before it', async () => {
  const steps: Step[] = [
    { collection: 'posts', update: 1, change: { $inc: { menuOrder: 1 } } },
    { collection: 'posts', update: 2, change: [{ $set: { title: { $concat: ['$title', '!'] } } }] },
  ];
  const asked = Promise.all([local.writeTogether(steps), local.posts.countDocuments({}), local.writeTogether(steps.slice(0, 1))]);
  expect((await asked)[1]).toBe(POSTS.length);
  expect(local.isLocal).toBe(false);
  const { menuOrder } = post(1);
  expect((await local.posts.findOne({ _id: 1 }))?.menuOrder).toBe(menuOrder + 2);
  expect((await local.posts.findOne({ _id: 2 }))?.title).toBe(`${post(2).title}!`);
});

test('it moves to the engine before it has many documents, and the next one takes over the database', async () => {
  const many = Array.from({ length: 5_100 }, (_, i) => post(i + 100));
  await local.insert('posts', many);
  expect(local.isLocal).toBe(false);
  expect(await local.posts.countDocuments({})).toBe(POSTS.length + many.length);
  await local.drop();
  const databases = (): Promise<string[]> => main.databases(`${name}_local_`);
  const before = await databases();
  local = await main.copyOf('one', main.snapshots, `${name}_local_next`);
  await local.aggregate('posts', [{ $addFields: { rank: { $rand: {} } } }]);
  expect(local.isLocal).toBe(false);
  expect(await local.posts.find({}).sort({ _id: 1 }).toArray()).toEqual(POSTS);
  expect(await databases()).toEqual(before);
});

test('it comes back to memory with little content, which the engine changed', async () => {
  const many = Array.from({ length: 5_100 }, (_, i) => post(i + 100));
  await local.insert('posts', many);
  await local.comeBack();
  expect(local.isLocal).toBe(false);
  await local.posts.deleteMany({ _id: { $gte: 110 } });
  const content = await contentOf(local);
  const counted = [local.posts.countDocuments({}), local.comeBack(), local.posts.countDocuments({})];
  expect(await Promise.all(counted)).toEqual([POSTS.length + 10, undefined, POSTS.length + 10]);
  expect(local.isLocal).toBe(true);
  expect(await contentOf(local)).toEqual(content);
  await expect(local.posts.insertOne({ ...post(502), slugKey: 'post-1' })).rejects.toMatchObject({ code: 11_000 });
  await local.snapshots.restore('one', main.snapshots);
  expect(await contentOf(local)).toEqual(await contentOf(main));
  await local.aggregate('posts', [{ $sortByCount: '$type' }]);
  expect([local.isLocal, await local.posts.countDocuments({})]).toEqual([false, POSTS.length]);
});

test('the size of a document is limited as in the engine', async () => {
  for (const store of [engine, local]) {
    const grow = (length: number): Promise<unknown> =>
      store.writeTogether([{ collection: 'posts', update: 1, change: { $set: { content: 'x'.repeat(length) } } }]);
    await grow(15_000_000);
    for (const length of [16.5 * 1024 * 1024, 20_000_000]) expect(await grow(length).then(() => null, isOversized)).toBe(true);
    expect((await store.posts.findOne({ _id: 1 }))?.content).toHaveLength(15_000_000);
  }
  expect(local.isLocal).toBe(true);
});

test('what is no longer stored does not count as too much, and what is does', async () => {
  const large = (number: number): Promise<unknown> =>
    local.writeTogether([{ collection: 'options', insert: { _id: `large ${number}`, value: 'x'.repeat(15_000_000) } }]);
  for (let number = 0; number < 6; number += 1) {
    await large(number);
    await local.db.collection('options').rename('replaced', { dropTarget: true });
  }
  expect(local.isLocal).toBe(true);
  for (let number = 0; number < 5; number += 1) await large(number);
  expect(local.isLocal).toBe(false);
  expect(await local.options.countDocuments({})).toBe(5);
});

describe('an empty database', () => {
  const open = (connect: () => Promise<Connection>): Store => Store.inMemory(new LaterConnection(connect), registry);

  test('opens no connection until it needs one', async () => {
    let opened = 0;
    const store = open(() => {
      opened += 1;
      return Connection.open(uri, true);
    });
    expect([await store.ping(), await store.isEmpty(), await store.databases('')]).toEqual([true, true, []]);
    await store.insert('posts', POSTS);
    await store.snapshots.save('one');
    await store.posts.deleteMany({});
    await store.snapshots.restore('one');
    expect([opened, store.isLocal]).toEqual([0, true]);
    const [counted] = await store.aggregate<{ count: number }>('posts', [{ $sortByCount: '$type' }]);
    expect([opened, store.isLocal, counted.count]).toEqual([1, false, 8]);
    await store.drop();
    await store.close();
  });

  test('keeps its content if the connection fails, and tries again', async () => {
    let opened = 0;
    const store = open(() => {
      opened += 1;
      return opened === 1 ? Promise.reject(new Error('no engine')) : Connection.open(uri, true);
    });
    await store.insert('posts', POSTS);
    const count = (): Promise<Document[]> => store.aggregate('posts', [{ $sortByCount: '$type' }]);
    const [counted, raw, read, written] = await Promise.allSettled([
      count(),
      readByIds(store.db, 'posts', [1], {}),
      store.posts.countDocuments({}),
      store.posts.updateOne({ _id: 1 }, { $set: { title: 'Written' } }),
    ]);
    expect(counted).toMatchObject({ status: 'rejected', reason: new Error('no engine') });
    expect([raw, read, written]).toMatchObject([{ value: { length: 1 } }, { value: POSTS.length }, { value: { matchedCount: 1 } }]);
    expect(store.isLocal).toBe(true);
    expect(await count()).toHaveLength(TYPES.length);
    expect([store.isLocal, (await store.posts.findOne({ _id: 1 }))?.title]).toEqual([false, 'Written']);
    await store.drop();
    await store.close();
  });

  test('moves again after a move that failed on the way, with what was written meanwhile', async () => {
    let fails = true;
    const store = open(async () => {
      const connection = await Connection.open(uri, true);
      const database = connection.database.bind(connection);
      connection.database = (of) => {
        const db = database(of);
        const command = db.command.bind(db);
        db.command = (sent: Document, options) =>
          fails && sent['insert'] === 'users' ? Promise.reject(new Error('lost')) : command(sent, options);
        return db;
      };
      return connection;
    });
    await store.insert('posts', POSTS);
    await store.insert('users', USERS);
    const count = (): Promise<Document[]> => store.aggregate('posts', [{ $sortByCount: '$type' }]);
    await expect(count()).rejects.toThrow('lost');
    await store.posts.updateOne({ _id: 1 }, { $set: { title: 'Written' } });
    await store.posts.deleteOne({ _id: 2 });
    const content = await contentOf(store);
    fails = false;
    await count();
    expect(store.isLocal).toBe(false);
    expect(await contentOf(store)).toEqual(content);
    await store.drop();
    await store.close();
  });

  test('has its indexes after a move and a load, which replaces collections', async () => {
    const store = open(() => Connection.open(uri, true));
    const staged = store.db.collection<Post>('staged.posts');
    await store.db.createCollection('staged.posts');
    await store.db.command({ insert: 'staged.posts', documents: [post(1), { ...post(2), type: post(1).type, slugKey: 'post-1' }] });
    const indexes = store.indexes['posts'];
    for (const isMoved of [false, true]) {
      if (isMoved) await store.aggregate('posts', [{ $sortByCount: '$type' }]);
      expect(await outcome(staged.createIndexes([...indexes]))).toMatchObject({ code: 11_000 });
    }
    await staged.updateOne({ _id: 2 }, { $set: { slugKey: 'post-2' } });
    await staged.rename('posts', { dropTarget: true });
    const server = await serverOf(store.db);
    const names = (await server!.collection('posts').indexes()).map((index) => index.name);
    expect(names).toEqual(expect.arrayContaining(indexes.map((index) => index.name)));
    await store.drop();
    await store.close();
  });

  test('returns what it changed, also after a move', async () => {
    const store = open(() => Connection.open(uri, true));
    for (const isMoved of [false, true]) {
      if (isMoved) await store.aggregate('posts', [{ $sortByCount: '$type' }]);
      const rows = store.db.collection<{ _id: string; at: string }>('snapshots');
      const set = (at: string, options: object) => rows.findOneAndUpdate({ _id: 'one' }, { $set: { at } }, { upsert: true, ...options });
      expect(await set('a', {})).toBeNull();
      for (let n = 0; n < 20; n += 1) expect(await set(n % 2 === 0 ? 'b' : 'a', {})).toEqual({ _id: 'one', at: n % 2 === 0 ? 'a' : 'b' });
      expect(await set('c', { returnDocument: 'after' })).toEqual({ _id: 'one', at: 'c' });
      expect(await rows.findOneAndDelete({ _id: 'one' })).toEqual({ _id: 'one', at: 'c' });
      expect(await rows.findOneAndDelete({ _id: 'one' })).toBeNull();
    }
    await store.drop();
    await store.close();
  });
});
