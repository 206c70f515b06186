import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoServerError } from 'mongodb';
import { differences } from '../../../../src/database/store/differences.js';
import { isReplaced } from '../../../../src/database/store/errors.js';
import { retryRead } from '../../../../src/database/store/reads.js';
import { NoSnapshot } from '../../../../src/database/store/copies.js';
import { partsOf, SiteCopy } from '../../../../src/database/store/site-copy.js';
import { Store } from '../../../../src/wordpress/store.js';
import { testDatabase } from '../../../support/database.js';
import { EFFORT } from '../../../support/effort.js';
import type { Post } from '../../../../src/wordpress/model.js';
import { registry } from '../../../support/registry.js';

/* Reads of collections that are replaced in the meantime. MongoDB fails commands whose collection is dropped. */

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

const POSTS = 600;
const MS = EFFORT > 1 ? 2_000 : 300;

/** Large enough for several cursor batches, and for slow reads. */
const post = (id: number): Post =>
  ({
    _id: id,
    type: 'post',
    status: 'publish',
    title: `Post ${id}`,
    slug: `p-${id}`,
    slugKey: `p-${id}`,
    content: 'x'.repeat(2_000),
  }) as Post;

const posts = Array.from({ length: POSTS }, (_, index) => post(index + 1));

async function withStores(label: string, shared: boolean, work: (store: Store, other: Store) => Promise<void>): Promise<void> {
  const store = await Store.open(uri, registry, `${name}_${label}`, shared);
  const other = shared ? await Store.open(uri, registry, `${name}_${label}`, shared) : await store.sibling(`${name}_${label}_beside`);
  try {
    await store.insert('posts', posts);
    await store.sequences.reserve('posts', POSTS);
    await store.snapshots.save('one');
    await work(store, other);
  } finally {
    await other.drop();
    await store.drop();
    await other.close();
    await store.close();
  }
}

/** Repeats all of the works for a while. */
async function loop(...works: (() => Promise<unknown>)[]): Promise<void> {
  const end = performance.now() + MS;
  const again = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) await work();
  };
  await Promise.all(works.map(again));
}

describe.each([
  ['one server', false],
  ['two servers', true],
])('%s', (label, shared) => {
  const called = label.replace(' ', '_');

  test('a snapshot can be restored while it is saved', () =>
    withStores(`${called}_save`, shared, (store, other) =>
      loop(
        () => store.snapshots.save('one'),
        async () => {
          await other.posts.updateMany({ _id: { $lt: 50 } }, { $set: { title: 'changed' } });
          await other.snapshots.restore('one', store.snapshots);
          expect(await other.posts.countDocuments({})).toBe(POSTS);
        },
      ),
    ));

  test('a restore of a snapshot that is deleted meanwhile keeps the content', () =>
    withStores(`${called}_delete`, shared, async (store, other) => {
      await other.snapshots.restore('one', store.snapshots);
      const source = shared ? other.snapshots : store.snapshots;
      await loop(
        async () => {
          await store.snapshots.delete('one');
          await store.snapshots.save('one');
        },
        async () => {
          await other.posts.insertOne(post(POSTS + 1));
          await other.snapshots.restore('one', source).catch((error: unknown) => {
            expect(error).toBeInstanceOf(NoSnapshot);
          });
          expect(await other.posts.countDocuments({ _id: { $lte: POSTS } })).toBe(POSTS);
          await other.posts.deleteOne({ _id: POSTS + 1 });
        },
      );
    }));
});

test('two servers save and delete a snapshot of the same name', () =>
  withStores('same', true, async (store, other) => {
    await loop(
      () => store.snapshots.save('one'),
      () => other.snapshots.save('one'),
      () => other.snapshots.delete('one'),
    );
    await store.snapshots.save('one');
    await store.posts.deleteMany({ _id: { $lt: 50 } });
    await other.snapshots.restore('one');
    expect(await store.posts.countDocuments({})).toBe(POSTS);
  }));

test('a restore of a snapshot that does not exist changes nothing', () =>
  withStores('none', false, async (store) => {
    await expect(store.snapshots.restore('none')).rejects.toThrow(new NoSnapshot('none'));
    expect(await store.posts.countDocuments({})).toBe(POSTS);
    expect(await store.workLog.unfinished()).toEqual([]);
  }));

test('content is read while another server replaces it', () =>
  withStores('content', true, async (store, other) => {
    const ids = posts.map(({ _id }) => _id);
    const collection = store.db.collection('posts');
    await loop(
      async () => {
        await collection.aggregate([{ $match: {} }, { $out: 'next' }]).toArray();
        await store.db.collection('next').rename('posts', { dropTarget: true });
      },
      async () => expect(await other.posts.find({}, { batchSize: 20 }).sort({ _id: 1 }).project({ _id: 1 }).toArray()).toHaveLength(POSTS),
      async () => expect(await other.posts.countDocuments({ title: { $exists: true } })).toBe(POSTS),
      async () => expect(await other.posts.findOne({ content: 'y' })).toBeNull(),
      async () => expect(await other.posts.distinct('status')).toEqual(['publish']),
      async () => expect(await other.aggregate('posts', [{ $match: {} }])).toHaveLength(POSTS),
      async () => expect(await other.loadPosts(ids)).toHaveLength(POSTS),
    );
  }));

test('a site is copied while its snapshots and content are replaced', () =>
  withStores('copy', true, async (store, other) => {
    const entry = await other.workLog.begin({ staging: 'copied' });
    const copy = new SiteCopy(other, 'copied');
    await loop(
      async () => {
        await store.snapshots.save('one');
        await sleep(100);
      },
      async () => expect((await copy.take()).length).toBe((await partsOf(other)).length),
    );
    await other.workLog.end(entry);
  }));

test('a comparison in several batches begins again when a collection is replaced between two of them', async () => {
  const db = client.db(name);
  const [kept, current] = ['kept', 'current'].map((each) => db.collection<{ _id: number | string }>(each));
  const documents = Array.from({ length: 3_000 }, (_, _id) => ({ _id }));
  await kept.insertMany(documents);
  await current.insertMany(documents.slice(0, -1));
  let reads = 0;
  const replaced = {
    find: (...args: Parameters<typeof kept.find>) => {
      const cursor = kept.find(...args);
      const hasNext = cursor.hasNext.bind(cursor);
      cursor.hasNext = async () => {
        reads += 1;
        if (reads === 2) {
          await kept.aggregate([{ $match: { _id: { $lt: 2_900 } } }, { $out: 'next' }]).toArray();
          await db.collection('next').rename('kept', { dropTarget: true });
        }
        return hasNext();
      };
      return cursor;
    },
  } as Pick<typeof kept, 'find'>;
  const { strays, missing } = await differences(replaced, current);
  expect([strays.length, missing.length]).toEqual([99, 0]);
});

test('a read is repeated a limited number of times, and only if the collection was replaced', async () => {
  const errorOf = (code: number, message = 'ended'): MongoServerError => new MongoServerError({ message, code });
  const reading = async (code: number): Promise<number> => {
    let reads = 0;
    await expect(
      retryRead(() => {
        reads += 1;
        return Promise.reject(errorOf(code));
      }),
    ).rejects.toMatchObject({ code });
    return reads;
  };
  expect([await reading(175), await reading(43), await reading(11000)]).toEqual([10, 10, 1]);
  expect(isReplaced(new Error('ended'))).toBe(false);
  expect(isReplaced(errorOf(125, 'indexes of target collection a.b changed during processing'))).toBe(true);
  expect(isReplaced(errorOf(125))).toBe(false);
});
