import { nextPublication } from '../../../src/wp/next-publication.js';
import { Store } from '../../../src/wp/store.js';
import { Memory } from '../../../src/memory/index.js';
import type { Post } from '../../../src/wp/model.js';
import { testDatabase } from '../../support/database.js';
import { storedPost } from '../../support/posts.js';

const { uri, name } = testDatabase();

/** Imported sites may have scheduled posts without a UTC date. */
const undated = (id: number): Post => {
  const { dateGmt: _, ...post } = storedPost(id, { status: 'future' });
  return post as Post;
};

test.each([
  ['memory', 100],
  ['the database', 0],
])('the next publication is that of posts with a date, from %s', async (_, megabytes) => {
  const store = await Store.open(uri, `${name}_${megabytes}`, false, new Memory(megabytes));
  try {
    await store.insert('posts', [undated(1)]);
    expect(await nextPublication(store)).toBeNull();
    await store.insert('posts', [storedPost(2, { status: 'future', dateGmt: '2027-01-01 10:00:00' }), undated(3)]);
    expect(await nextPublication(store)).toBe('2027-01-01 10:00:00');
    await store.snapshots.save('one');
    await store.posts.deleteMany({});
    expect(await nextPublication(store)).toBeNull();
    await store.snapshots.restore('one');
    expect(await nextPublication(store)).toBe('2027-01-01 10:00:00');
  } finally {
    await store.drop();
    await store.close();
  }
});
