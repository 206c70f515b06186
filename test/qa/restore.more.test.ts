import { MongoNetworkError } from 'mongodb';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { recoverWork } from '../../src/transfer/load/commit.js';
import { Writes } from '../../src/database/store/writes.js';
import { knownPublication, nextPublication } from '../../src/wordpress/schedule.js';
import { Store } from '../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../support/database.js';
import type { Post } from '../../src/wordpress/model.js';
import { storedPost } from '../support/posts.js';
import { EFFORT } from '../support/effort.js';
import { registry } from '../support/registry.js';

const post = (id: number, title: string): Post => storedPost(id, { type: 'tribe_events', title, slugKey: `post-${id}`, version: 1 });

/** All kinds of writes of a server. Each takes the number of a document. */
const WRITES: Record<string, (store: Store, n: number) => Promise<unknown>> = {
  insertOne: async (store, n) => store.posts.insertOne(post(1000 + (await store.sequences.next('posts')), `New ${n}`)),
  insertMany: async (store) => {
    const id = 1000 + (await store.sequences.next('posts'));
    await store.insert('posts', [post(id, 'One of'), post(id + 100_000, 'two')]);
  },
  changePost: (store, n) => store.changePost(n, (current) => ({ ...current, title: `${current.title}!` })),
  deleteOne: (store, n) => store.posts.deleteOne({ _id: n }),
  deleteMany: (store, n) => store.posts.deleteMany({ _id: { $in: [n, n + 1] } }),
  deleteByTitle: (store, n) => store.posts.deleteMany({ title: `Post ${n}` }),
  updateOne: (store, n) => store.posts.updateOne({ _id: n }, { $set: { excerpt: 'changed' } }),
  updateByAuthor: (store) => store.posts.updateMany({ author: 1 }, { $inc: { menuOrder: 1 } }),
  updateByTitle: (store, n) => store.posts.updateMany({ title: `Post ${n}` }, { $set: { parent: 8 } }),
  remove: (store, n) => store.removePost(n, (_, steps) => store.writeTogether(steps)),
  option: (store, n) => store.options.updateOne({ _id: `option-${n}` }, { $set: { value: n } }, { upsert: true }),
  clear: clearStore,
};

const content = async (store: Store): Promise<unknown> =>
  Promise.all([
    store.posts.find({}).sort({ _id: 1 }).toArray(),
    store.options.find({}).sort({ _id: 1 }).toArray(),
    store.sequences.last('posts'),
    knownPublication(store) ?? nextPublication(store),
  ]);

const { uri, name } = testDatabase();
const POSTS = 30;

// With an exclusive store, a restore checks only its own writes. With a shared one, it checks everything.
test.each([
  ['alone', false],
  ['shared', true],
])('a restored snapshot undoes every write: %s', async (how, shared) => {
  const store = await Store.open(uri, registry, `${name}_${how}`, shared);
  const beside = await store.sibling(`${name}_${how}_beside`);
  try {
    await store.insert(
      'posts',
      Array.from({ length: POSTS }, (_, i) => post(i + 1, `Post ${i + 1}`)),
    );
    await store.insert('options', [{ _id: 'home', value: 'here' }]);
    await store.sequences.reserve('posts', 100);
    await store.snapshots.save('one');
    const kept = await content(store);
    await beside.snapshots.restore('one', store.snapshots);
    expect(await content(beside)).toEqual(kept);

    const works = fc.array(fc.tuple(fc.constantFrom(...Object.keys(WRITES)), fc.integer({ min: 1, max: POSTS - 1 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(works, fc.boolean(), async (work, isBeside) => {
        const target = isBeside ? beside : store;
        for (const [write, n] of work) await WRITES[write](target, n);
        await target.snapshots.restore('one', store.snapshots);
        expect(await content(target)).toEqual(kept);
      }),
      { numRuns: 6 * EFFORT },
    );

    await WRITES.updateByAuthor(store, 1);
    await store.snapshots.save('one');
    const again = await content(store);
    await beside.snapshots.restore('one', store.snapshots);
    expect(await content(beside)).toEqual(again);

    // A restore during the replacement of a snapshot gets either copy. Later ones get the new copy.
    await WRITES.updateByAuthor(store, 1);
    await Promise.all([store.snapshots.save('one'), beside.snapshots.restore('one', store.snapshots)]);
    await beside.snapshots.restore('one', store.snapshots);
    expect(await content(beside)).toEqual(await content(store));
  } finally {
    await beside.drop();
    await store.drop();
    await store.close();
  }
});

test('a restore that was cut short after any of its writes is repeated at the next start', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-restore-'));
  const place = { uploads: path.join(folder, 'uploads'), pristine: '', snapshot: () => path.join(folder, 'kept') };
  const open = (): Promise<Store> => Store.open(uri, registry, `${name}_cut`);
  const read = async (): Promise<unknown> => {
    const store = await open();
    const found = await content(store);
    await store.close();
    return found;
  };
  const first = await open();
  try {
    await first.insert(
      'posts',
      Array.from({ length: 4 }, (_, i) => post(i + 1, `Post ${i + 1}`)),
    );
    await first.sequences.reserve('posts', 10);
    await first.snapshots.save('one');
    const kept = await read();
    let isOver = false;
    for (let count = 0; !isOver; count += 1) {
      const store = await open();
      await store.snapshots.restore('one');
      for (const each of ['insertOne', 'changePost', 'deleteOne', 'option']) await WRITES[each](store, 2);
      const written = await read();
      // Simulates the end of the process in the middle of a command.
      const cut = jest.spyOn(Writes.prototype, 'send');
      await new Promise<void>((resolve) => {
        cut.mockImplementation(async (steps) => {
          cut.mockRestore();
          isOver = count >= steps.length;
          if (count > 0) await new Writes(store.db).send(steps.slice(0, count));
          resolve();
          return new Promise(() => undefined);
        });
        void store.snapshots.restore('one');
      });
      await store.close();

      const next = await open();
      const found = await recoverWork(next, place);
      await next.close();
      expect(found).toEqual(count === 0 || isOver ? [] : ['A reset was interrupted: repeated it.']);
      expect(await read()).toEqual(count === 0 ? written : kept);
    }
  } finally {
    await first.drop();
    await first.close();
    rmSync(folder, { recursive: true });
  }
});

test.each([false, true])(
  'a restore that a crash of the database cut short is completed once that is back, with files: %s',
  async (hasFiles) => {
    const store = await Store.open(uri, registry, `${name}_back`);
    try {
      await store.insert(
        'posts',
        Array.from({ length: 4 }, (_, i) => post(i + 1, `Post ${i + 1}`)),
      );
      await store.snapshots.save('one');
      const kept = await content(store);
      await store.snapshots.restore('one');
      let files = 0;
      const options = hasFiles ? { alongside: () => Promise.resolve(void (files += 1)) } : {};
      for (let count = 1; count < 4; count += 1) {
        for (const each of ['insertOne', 'changePost', 'deleteOne', 'option']) await WRITES[each](store, 2);
        let left = count;
        const cut = jest.spyOn(Writes.prototype, 'send').mockImplementation(async (steps) => {
          cut.mockRestore();
          await new Writes(store.db).send(steps.slice(0, left));
          left -= steps.length;
          // If there are files, the start is recorded by a separate command.
          if (left <= 0 && !hasFiles) throw new MongoNetworkError('The connection ended.');
          const next = jest.spyOn(Writes.prototype, 'send').mockImplementation(() => {
            next.mockRestore();
            return Promise.reject(new MongoNetworkError('The connection ended.'));
          });
          return [];
        });
        await store.snapshots.restore('one', store.snapshots, options);
        expect(await content(store)).toEqual(kept);
        expect(await store.workLog.unfinished()).toEqual([]);
      }
      expect(files > 3).toBe(hasFiles);
    } finally {
      await store.drop();
      await store.close();
    }
  },
);

test('documents that have no room in one command are restored, and inserted, in several', async () => {
  const store = await Store.open(uri, registry, `${name}_wide`);
  try {
    const wide = Array.from({ length: 30 }, (_, i) => ({ ...post(i + 1, `Post ${i + 1}`), content: 'x'.repeat(1_000_000) }));
    await store.insert('posts', wide);
    await store.snapshots.save('one');
    const kept = await content(store);
    await clearStore(store);
    await store.snapshots.restore('one');
    expect(await content(store)).toEqual(kept);
  } finally {
    await store.drop();
    await store.close();
  }
});

test('a large snapshot is restored without being held in memory, by a process that knows nothing of the writes', async () => {
  const posts = 5_200;
  const before = await Store.open(uri, registry, `${name}_large`);
  try {
    await before.insert(
      'posts',
      Array.from({ length: posts }, (_, i) => post(i + 1, `Post ${i + 1}`)),
    );
    await before.sequences.reserve('posts', 10_000);
    await before.snapshots.save('one');
    const kept = await content(before);
    const after = await Store.open(uri, registry, `${name}_large`);
    try {
      for (const write of ['insertMany', 'updateOne', 'updateByAuthor', 'deleteOne']) await WRITES[write](after, posts - 1);
      await after.snapshots.restore('one');
      expect(await content(after)).toEqual(kept);
      await after.snapshots.restore('one');
      expect(await content(after)).toEqual(kept);
    } finally {
      await after.close();
    }
  } finally {
    await before.drop();
    await before.close();
  }
});
