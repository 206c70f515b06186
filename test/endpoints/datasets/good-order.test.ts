import { Store } from '../../../src/wordpress/store.js';
import { testDatabase } from '../../support/database.js';
import { registry } from '../../support/registry.js';

/* The content is checked on start, unless the last process shut the database down cleanly. */

const { uri, name } = testDatabase();
const CODE = 'build 1';

interface Session {
  /** The process's work with the store. */
  work?: (store: Store) => Promise<unknown>;
  code?: string;
  /** Whether the content was found to be consistent. */
  isChecked?: boolean;
  isKilled?: boolean;
  /** Whether other processes may write to the database too. */
  isShared?: boolean;
}

/** Opens the store like a process. @returns whether the check can be skipped */
async function session({ work, code = CODE, isChecked = true, isKilled = false, isShared = false }: Session = {}): Promise<boolean> {
  const store = await Store.open(uri, registry, name, isShared);
  const isInOrder = await store.openInOrder(code);
  if (isChecked) store.isConsistent = true;
  await work?.(store);
  if (isKilled) await store.db.client.close();
  else await store.close();
  return isInOrder;
}

const write = (store: Store): Promise<unknown> => store.options.replaceOne({ _id: 'blogname' }, { value: 'Town' }, { upsert: true });

beforeEach(async () => {
  await session({ isChecked: false });
  await session({ work: write });
});

test('a process after one that ended in good order', async () => {
  expect(await session()).toBe(true);
  expect(await session({ isChecked: false })).toBe(true);
  expect(await session()).toBe(true);
});

test.each<[string, Session]>([
  ['was killed', { isKilled: true }],
  ['was killed after writes', { work: write, isKilled: true }],
  ['shared the database', { work: write, isShared: true }],
  [
    'had a write that failed',
    {
      work: async (store) => {
        await expect(store.options.insertOne({ _id: 'x', value: 'x'.repeat(17_000_000) })).rejects.toThrow();
      },
    },
  ],
  [
    'had writes together that failed',
    {
      work: async (store) => {
        await expect(store.writeTogether([{ collection: 'options', update: 'blogname', change: { $nothing: 1 } }])).rejects.toThrow();
      },
    },
  ],
  ['has left unfinished work', { work: (store) => store.workLog.begin({ files: ['2026/07/poster.png'] }) }],
  ['had other code', { code: 'build 2' }],
])('a process after one that %s', async (_, before) => {
  await session(before);
  expect(await session({ isChecked: false })).toBe(false);
  expect(await session()).toBe(false);
  const store = await Store.open(uri, registry, name);
  for (const entry of await store.workLog.unfinished()) await store.workLog.end(entry);
  await store.close();
});

test('modules that were not built have no name: their processes always check', async () => {
  expect(await session()).toBe(true);
  const store = await Store.open(uri, registry, name);
  expect(await store.openInOrder(undefined)).toBe(false);
  store.isConsistent = true;
  await store.close();
  expect(await session()).toBe(false);
});

test('a slug that is taken is no failure', async () => {
  const twice = async (store: Store): Promise<void> => {
    await store.options.insertOne({ _id: 'once', value: 1 });
    await expect(store.options.insertOne({ _id: 'once', value: 1 })).rejects.toThrow(/duplicate/);
    await store.options.deleteOne({ _id: 'once' });
  };
  await session({ work: twice });
  expect(await session()).toBe(true);
});

describe('what was written since a snapshot', () => {
  const titleOf = async (store: Store): Promise<unknown> => (await store.options.findOne({ _id: 'blogname' }))?.value;
  const rename = (store: Store): Promise<unknown> => store.options.updateOne({ _id: 'blogname' }, { $set: { value: 'City' } });

  test('is known to the next process, whose first reset writes that alone', async () => {
    await session({ work: (store) => store.snapshots.save('kept') });
    await session({ work: rename });
    await session({
      work: async (store) => {
        expect(store.snapshots.since).toEqual({ snapshot: expect.any(String), written: [['options', ['blogname']]] });
        expect(await titleOf(store)).toBe('City');
        await store.snapshots.restore('kept');
        expect(await titleOf(store)).toBe('Town');
      },
    });
    await session({
      work: (store) => {
        expect(store.snapshots.since).toEqual({ snapshot: expect.any(String), written: [] });
        return store.snapshots.delete('kept');
      },
    });
    await session({ work: (store) => Promise.resolve(expect(store.snapshots.since).toBeNull()) });
  });

  test.each<[string, Session]>([
    ['was killed', { work: rename, isKilled: true }],
    ['had other code', { work: rename, code: 'build 2' }],
  ])('is unknown after a process that %s: the first reset compares everything', async (_, before) => {
    await session({ work: (store) => store.snapshots.save('kept') });
    await session(before);
    await session({
      work: async (store) => {
        expect(store.snapshots.since).toBeNull();
        await store.snapshots.restore('kept');
        expect(await titleOf(store)).toBe('Town');
      },
    });
  });
});
