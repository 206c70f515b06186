import type { CommandStartedEvent, Document } from 'mongodb';
import { nextPublication } from '../../../src/wordpress/schedule.js';
import { Store } from '../../../src/wordpress/store.js';
import { Memory } from '../../../src/database/memory/index.js';
import type { Post } from '../../../src/wordpress/model.js';
import { testDatabase } from '../../support/database.js';
import { storedPost } from '../../support/posts.js';
import { registry } from '../../support/registry.js';

const { uri, name, address } = testDatabase();

/** Imported sites may have scheduled posts without a UTC date. */
const undated = (id: number): Post => {
  const { dateGmt: _, ...post } = storedPost(id, { status: 'future' });
  return post as Post;
};

test.each([
  ['memory', 100],
  ['the database', 0],
])('the next publication is that of posts with a date, from %s', async (_, megabytes) => {
  const store = await Store.open(uri, registry, `${name}_${megabytes}`, false, new Memory(megabytes));
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

test('after writes of others, only posts whose columns say that they are scheduled are read', async () => {
  const monitored = new URL(address);
  monitored.searchParams.set('monitorCommands', 'true');
  const store = await Store.open(monitored.href, registry);
  try {
    const finds: Document[] = [];
    // Others read all posts in the background.
    const isById = ({ find, filter }: Document): boolean => find === 'posts' && '$in' in ((filter as Document)['_id'] ?? {});
    store.db.client.on('commandStarted', ({ command }: CommandStartedEvent) => void (isById(command) && finds.push(command)));
    await store.insert('posts', [storedPost(1), storedPost(2)]);
    await store.rows?.read();
    expect(await nextPublication(store)).toBeNull();
    const posts = store.db.collection<Post>('posts');
    /** Like a write of another server. */
    const writeElsewhere = async (post: Post): Promise<string | null> => {
      finds.length = 0;
      await posts.replaceOne({ _id: post._id }, post, { upsert: true });
      store.beginWrite([['posts', [post._id]]]);
      store.endWrite([['posts', [post._id]]]);
      return nextPublication(store);
    };
    expect([await writeElsewhere(storedPost(2, { title: 'New' })), finds.length]).toEqual([null, 1]);
    const dateGmt = '2027-01-01 10:00:00';
    expect([await writeElsewhere(storedPost(3, { status: 'future', dateGmt })), finds.length]).toEqual([dateGmt, 2]);
    expect([await writeElsewhere(storedPost(1, { status: 'draft' })), finds.length]).toEqual([dateGmt, 1]);
    expect([await writeElsewhere(storedPost(3, { status: 'publish' })), finds.length]).toEqual([null, 1]);
  } finally {
    await store.drop();
    await store.close();
  }
});
