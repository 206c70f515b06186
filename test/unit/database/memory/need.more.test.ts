import { Memory } from '../../../../src/database/memory/index.js';
import { Store } from '../../../../src/wordpress/store.js';
import { withDerivedColumns } from '../../../../src/wordpress/posts/posts.js';
import { PAGE, type Post } from '../../../../src/wordpress/model.js';
import { testDatabase } from '../../../support/database.js';
import { storedPost } from '../../../support/posts.js';
import { registry } from '../../../support/registry.js';

const { uri, name } = testDatabase();

const page = (_id: number): Post => withDerivedColumns(storedPost(_id, { type: PAGE }), registry);

/** How much memory a store recommends, in MB. Undefined if its own is sufficient. */
async function needWith(megabytes: number): Promise<number | undefined> {
  const memory = new Memory(megabytes);
  let need: number | undefined;
  memory.onTooSmall = (all) => (need = all);
  const store = await Store.open(uri, registry, name, false, memory);
  try {
    if ((await store.posts.estimatedDocumentCount()) === 0)
      await store.insert(
        'posts',
        Array.from({ length: 5_000 }, (_, i) => page(i + 1)),
      );
    await store.rows?.read();
    for (let left = 50; left > 0 && need === undefined; left -= 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(memory.needed).toBe(need ?? 0);
    return need;
  } finally {
    await store.close();
  }
}

test('memory that is too small for the columns of all posts says how much would do, and that much does', async () => {
  const need = await needWith(1);
  expect(need).toBeGreaterThan(1);
  expect(await needWith(need!)).toBeUndefined();
  expect(await needWith(0)).toBeUndefined();
});

test('what the bytes of documents do not need is left to rendered parts', async () => {
  const POSTS = 500;
  const memory = new Memory(1);
  const store = await Store.open(uri, registry, `${name}-unused`, false, memory);
  try {
    expect(memory.unused()).toBe(0);
    await store.insert('posts', [page(POSTS + 1)]);
    await store.rows!.read();
    expect(memory.unused()).toBeGreaterThan(0);
    expect(memory.unused()).toBeLessThan(5_000);
    await store.insert(
      'posts',
      Array.from({ length: POSTS }, (_, i) => page(i + 1)),
    );
    // Documents may take what columns leave, too.
    const columns = (await store.rows!.read())!.unused;
    expect(memory.unused()).toBe(memory.raw);
    for (let left = 50; left > 0 && memory.unused() === memory.raw; left -= 1) {
      await store.loadPosts([1]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(memory.unused()).toBeLessThan(Math.min(memory.raw, memory.raw + columns - POSTS * 200));
  } finally {
    await store.close();
  }
});
