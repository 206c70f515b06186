import { truncateSlug } from '../../wordpress/formatting/slug.js';
import type { Comment, Post, Term, User } from '../../wordpress/model.js';
import { withDerivedColumns } from '../../wordpress/posts/posts.js';
import type { Staging } from '../../database/store/staging.js';
import { isDuplicate } from '../../database/store/errors.js';
import { ANY_CASE } from '../../database/store/indexes.js';
import { insertsOf } from '../../database/store/writes.js';
import type { Store } from '../../wordpress/store.js';
import { recountTerms } from '../../wordpress/terms/term-counts.js';

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
  let rejected = await insertAll(store, missing);
  for (let first = 2; rejected.size > 0; first += NUMBERS) {
    const retried = missing.filter(({ _id }) => rejected.has(_id));
    rejected = await insertAll(store, await withOtherSlugs(store, retried, first));
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

/** How many numbered slugs to check at a time. */
const NUMBERS = 10;

const slugKeyOf = ({ type }: Post, slug: string): string => `${type} ${slug}`;

/** Gives each post the first free one of ten numbered slugs; if none is free, the last one, which is then rejected again. */
async function withOtherSlugs(store: Store, posts: readonly Post[], first: number): Promise<Post[]> {
  const numbered = ({ slug }: Post): string[] => Array.from({ length: NUMBERS }, (_, index) => truncateSlug(slug, `-${first + index}`));
  const wanted = [...new Set(posts.flatMap(numbered))];
  const types = [...new Set(posts.map(({ type }) => type))];
  const holders = await store.posts.find({ type: { $in: types }, slug: { $in: wanted } }, { projection: { type: 1, slug: 1 } }).toArray();
  const taken = new Set(holders.map((post) => slugKeyOf(post, post.slug)));
  return posts.map((post) => {
    const slugs = numbered(post);
    const slug = slugs.find((candidate) => !taken.has(slugKeyOf(post, candidate))) ?? slugs[NUMBERS - 1];
    taken.add(slugKeyOf(post, slug));
    return withDerivedColumns({ ...post, slug }, store.registry);
  });
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
