import fc from 'fast-check';
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { freeSlugs, withFreeSlug } from '../../src/wordpress/posts/slugs.js';
import { withDerivedColumns } from '../../src/wordpress/posts/posts.js';
import { truncateSlug } from '../../src/wordpress/formatting/sanitize.js';
import type { Post } from '../../src/wordpress/model.js';
import { Store } from '../../src/wordpress/store.js';
import type { Site } from '../../src/wordpress/site.js';
import { clearStore, testDatabase } from '../support/database.js';
import { EFFORT } from '../support/effort.js';
import { registry } from '../support/registry.js';

/* The first free number of a slug, which is known after it was searched for twice, is the one that a search finds. */

const { uri, name } = testDatabase();
/** Two servers over one database. */
let stores: Store[];

beforeAll(async () => {
  const monitored = `${uri}${uri.includes('?') ? '&' : uri.endsWith('/') ? '?' : '/?'}monitorCommands=true`;
  stores = [await Store.open(monitored, registry, name, true), await Store.open(uri, registry, name, true)];
});
afterAll(() => Promise.all(stores.map((store) => store.close())));
beforeEach(() => clearStore(stores[0]));

const TYPES = ['post', 'page', 'attachment', 'tribe_events'] as const;
const SHARED: Record<string, readonly string[]> = {
  page: ['page', 'attachment'],
  attachment: registry.postTypes.flatMap(({ name: type, searched }) => (searched ? [type] : [])),
};
const LONG = 'y'.repeat(200);
const WANTED = ['a', 'a-2', LONG] as const;

type Request = Pick<Post, 'type' | 'slug' | 'parent'> & { id: number };

/** WP: `wp_unique_post_slug`, one query after another. */
async function bySearch({ id, type, slug: wanted, parent }: Request): Promise<string> {
  const types = { $in: SHARED[type] ?? [type] };
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : truncateSlug(wanted, `-${number}`);
    const place = type === 'page' ? { parent } : {};
    const [other] = await stores[0].posts.find({ type: types, slug, _id: { $ne: id }, ...place }).toArray();
    if (!other) return slug;
  }
}

const found = async (store: Store, { id, type, slug: wanted, parent }: Request): Promise<string> => {
  await store.current();
  return (await freeSlugs({ store } as Site, type, [{ id, wanted, parent }])).get(id) ?? '';
};

const postOf = (id: number, { type, slug, parent }: Omit<Request, 'id'>, status = 'publish', version = 1): Post =>
  withDerivedColumns(
    { _id: id, type, slug, parent, status, version, title: '', content: '', excerpt: '', meta: [], terms: {} } as never,
    registry,
  );

async function insert(store: Store, request: Request): Promise<string> {
  let slug = '';
  await withFreeSlug(store, async () => {
    slug = await found(store, request);
    await store.writeTogether([{ collection: 'posts', insert: postOf(request.id, { ...request, slug }) }]);
  });
  return slug;
}

const request = fc.record({ type: fc.constantFrom(...TYPES), slug: fc.constantFrom(...WANTED), parent: fc.constantFrom(0, 7) });
const by = fc.nat(1);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ by, insert: request }) },
  { weight: 2, arbitrary: fc.record({ by, nth: fc.nat(), change: fc.constantFrom('delete', 'trash', 'move', 'draft') }) },
  { weight: 2, arbitrary: fc.record({ by, nth: fc.nat(), update: request }) },
);

test('random writes by two servers', async () => {
  let id = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60 }), async (steps) => {
      await clearStore(stores[0]);
      await stores[1].current();
      const ids: number[] = [];
      for (const each of steps) {
        const store = stores[each.by];
        if ('insert' in each) {
          const wanted = { ...each.insert, id: (id += 1) };
          const expected = await bySearch(wanted);
          expect(await insert(store, wanted)).toBe(expected);
          ids.push(id);
          continue;
        }
        const post = ids.length === 0 ? null : await store.posts.findOne({ _id: ids[each.nth % ids.length] });
        if (!post) continue;
        if ('update' in each) {
          const wanted = { ...each.update, type: post.type, id: post._id };
          expect(await found(store, wanted)).toBe(await bySearch(wanted));
        } else if (each.change === 'delete') await store.posts.deleteMany({ _id: { $in: [post._id] } });
        else {
          const changed = {
            delete: {},
            trash: { slug: truncateSlug(`${post._id}-${post.slug}`, '__trashed') },
            move: { parent: 7 - post.parent, slug: `${post._id}-moved` },
            draft: { status: 'draft' },
          }[each.change];
          const after = { ...post, ...changed };
          await store.changePost(post._id, () => postOf(post._id, after, after.status));
        }
      }
    }),
    { numRuns: 12 * EFFORT, endOnFailure: true },
  );
});

test('the same title by many requests at once to two servers: every number once', async () => {
  const requests = Array.from({ length: 40 }, (_, i) => ({ id: 1_000 + i, type: 'post', slug: 'a', parent: 0 }));
  const slugs = await Promise.all(requests.map((each, i) => insert(stores[i % 2], each)));
  expect(slugs.toSorted()).toEqual(['a', ...Array.from({ length: 39 }, (_, i) => `a-${i + 2}`)].toSorted());
});

test('a number that is known takes no query, also after others were deleted', async () => {
  const [store] = stores;
  // Slugs that clashed in other tests are searched for.
  const posts = Array.from({ length: 300 }, (_, i) => postOf(i + 1, { type: 'post', slug: i === 0 ? 'b' : `b-${i + 1}`, parent: 0 }));
  await store.insert('posts', posts);
  await store.rows?.read();
  const ask = (): Promise<string> => found(store, { id: 0, type: 'post', slug: 'b', parent: 0 });
  expect([await ask(), await ask(), await ask()]).toEqual(['b-301', 'b-301', 'b-301']);
  const reads: string[] = [];
  const { client } = store.db as unknown as { client: MongoClient };
  client.on('commandStarted', ({ command, commandName }: CommandStartedEvent) => {
    if (command[commandName] === 'posts') reads.push(commandName);
  });
  await insert(store, { id: 1_000, type: 'post', slug: 'b', parent: 0 });
  expect(await ask()).toBe('b-302');
  await store.writeTogether([{ collection: 'posts', delete: { _id: 17 }, isOne: true }]);
  expect(await ask()).toBe('b-17');
  await insert(store, { id: 1_001, type: 'post', slug: 'b', parent: 0 });
  expect(await ask()).toBe('b-302');
  expect(reads).toEqual([]);
  await found(store, { id: 0, type: 'page', slug: 'b-5', parent: 0 });
  expect(reads).toEqual(['find']);
});
