import { truncateSlug } from '../../wordpress/formatting/sanitize.js';
import type { Comment, Post, Term, User } from '../../wordpress/model.js';
import { hasNestedSlugs, slugKeyOf, withDerivedColumns } from '../../wordpress/posts/posts.js';
import type { Staging } from '../../database/store/staging.js';
import { isDuplicate } from '../../database/store/errors.js';
import { ANY_CASE } from '../../database/store/indexes.js';
import { insertsOf } from '../../database/store/writes.js';
import type { Store } from '../../wordpress/store.js';
import { recountTerms } from '../../wordpress/terms/term-save.js';

/** How many posts to insert at a time. */
const BATCH = 500;

/** Documents that were created concurrently and replace documents of the load: from the id in the load to the existing id. */
type Replaced = Map<number, number>;

async function addUsers(store: Store, staging: Staging): Promise<Replaced> {
  const replaced: Replaced = new Map();
  for await (const user of staging.documents<User>('users')) {
    const known = await store.users.findOne({ login: user.login }, { collation: ANY_CASE, projection: { _id: 1 } });
    if (known) replaced.set(user._id, known._id);
    else await store.users.insertOne(user);
  }
  return replaced;
}

async function addTerms(store: Store, staging: Staging): Promise<Replaced> {
  const replaced: Replaced = new Map();
  for await (const term of staging.documents<Term>('terms')) {
    const { taxonomy, slug } = term;
    const known = await store.terms.findOne({ taxonomy, slug }, { projection: { _id: 1 } });
    if (known) replaced.set(term._id, known._id);
    else await store.terms.insertOne({ ...term, parent: replaced.get(term.parent) ?? term.parent });
  }
  return replaced;
}

const replaceIds = (terms: Post['terms'], replaced: Replaced): Post['terms'] =>
  Object.fromEntries(Object.entries(terms).map(([taxonomy, ids]) => [taxonomy, ids.map((id) => replaced.get(id) ?? id)]));

async function addPosts(store: Store, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return;
  // An earlier run, before a crash, may have added some of them.
  const ids = posts.map(({ _id }) => _id);
  const present = new Set((await store.posts.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
  const missing = posts.filter(({ _id }) => !present.has(_id));
  if (missing.length === 0) return;
  // A second round for slugs that a concurrent write has taken.
  for (let left = missing; left.length > 0;) {
    const rejected = await insertAll(store, await withFreeSlugs(store, left));
    left = left.filter(({ _id }) => rejected.has(_id));
  }
}

/** Inserts posts. @returns the ids of those that were rejected because their slug is in use */
async function insertAll(store: Store, posts: readonly Post[]): Promise<Set<unknown>> {
  const rejected = new Set<unknown>();
  for (const part of insertsOf('posts', posts))
    for (let left = part; left.length > 0;) {
      try {
        await store.writeTogether(left);
        break;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const { idx } = error as { idx: number };
        rejected.add(left[idx].insert._id);
        left = left.slice(idx + 1);
      }
    }
  return rejected;
}

/** How many numbered slugs to look up at a time. */
const NUMBERS = 10;

/** Gives each post its slug if it is free, or else the first free one with `-2`, `-3`, … One query for all, and one for ten numbers. */
async function withFreeSlugs({ posts: stored, registry }: Store, posts: readonly Post[]): Promise<Post[]> {
  const types = [...new Set(posts.map(({ type }) => type))];
  const keyOf = (post: Post, slug: string): string | undefined => slugKeyOf({ ...post, slug }, hasNestedSlugs(post.type, registry));
  // Drafts need no slug of their own.
  const placeOf = (post: Post, slug: string): string => `${post.type} ${keyOf(post, slug) ?? `of ${post._id}`}`;
  const given = new Set<string>();
  const free: Post[] = [];
  let left = posts.map((post) => ({ post, slugs: [post.slug] }));
  for (let first = 2; left.length > 0; first += NUMBERS) {
    const keys = new Set(left.flatMap(({ post, slugs }) => slugs.flatMap((slug) => keyOf(post, slug) ?? [])));
    const holders = stored.find({ type: { $in: types }, slugKey: { $in: [...keys] } }, { projection: { type: 1, slugKey: 1 } });
    for (const { type, slugKey } of await holders.toArray()) given.add(`${type} ${slugKey}`);
    left = left.flatMap(({ post, slugs }) => {
      const slug = slugs.find((candidate) => !given.has(placeOf(post, candidate)));
      if (slug === undefined)
        return [{ post, slugs: Array.from({ length: NUMBERS }, (_, index) => truncateSlug(post.slug, `-${first + index}`)) }];
      given.add(placeOf(post, slug));
      free.push(slug === post.slug ? post : withDerivedColumns({ ...post, slug }, registry));
      return [];
    });
  }
  return free;
}

/** Adds comments, without those that an earlier run, before a crash, has added. */
async function addComments(store: Store, comments: readonly Comment[]): Promise<void> {
  if (comments.length === 0) return;
  const ids = comments.map(({ _id }) => _id);
  const present = await store.comments.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const there = new Set(present.map(({ _id }) => _id));
  const missing = comments.filter(({ _id }) => !there.has(_id));
  await store.insert('comments', missing);
}

/** Adds the staged documents to the content. Can be repeated after a crash. */
export async function addAll(store: Store, staging: Staging): Promise<void> {
  const users = await addUsers(store, staging);
  const terms = await addTerms(store, staging);
  const inPlace = (post: Post): Post =>
    users.size === 0 && terms.size === 0
      ? post
      : { ...post, author: users.get(post.author) ?? post.author, terms: replaceIds(post.terms, terms) };
  let batch: Post[] = [];
  for await (const post of staging.documents<Post>('posts')) {
    batch.push(inPlace(post));
    if (batch.length < BATCH) continue;
    await addPosts(store, batch);
    batch = [];
  }
  await addPosts(store, batch);
  let comments: Comment[] = [];
  for await (const comment of staging.documents<Comment>('comments')) {
    comments.push({ ...comment, author: users.get(comment.author) ?? comment.author });
    if (comments.length < BATCH) continue;
    await addComments(store, comments);
    comments = [];
  }
  await addComments(store, comments);
  await recountTerms(store);
}
