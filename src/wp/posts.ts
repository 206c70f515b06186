import { foldForEquality, foldForSearch } from './formatting/accents.js';
import { sanitizeTitle } from './formatting/slug.js';
import { PAGE, isDraftLike, metaValue, type Post } from './model.js';
import { countPipeline, fewPipeline, inOrder, pagePipeline, unboundedColumn, withRange, type Counted } from './query/query.js';
import type { PostQuery, Stage } from './query/post-query.js';
import { findPostType } from './types/registry.js';
import type { Store } from './store.js';

/** Text as compared for equality: folded, trailing blanks ignored (MySQL's collation). The look behind keeps long runs of blanks from taking long. */
export const equalityKey = (text: string): string => foldForEquality(text).replace(/(?<! ) +$/, '');

/** What nobody else of the type may have: the slug, of pages together with where they stand (WP). */
export function slugKeyOf({ type, status, slug, parent }: Pick<Post, 'type' | 'status' | 'slug' | 'parent'>): string | undefined {
  if (slug === '' || isDraftLike(status)) return undefined;
  return type === PAGE ? `${parent}/${slug}` : slug;
}

/** Columns that filters, sorts and searches use, of posts of every type. */
const SEARCHED = ['slugKey', 'search', 'titleKey'];

const columnsOf = (type: string) => Object.entries(findPostType(type)?.columns ?? {});

/** Computes the columns that filters, sorts and searches use. To be applied to every post that is stored. */
export function derive(post: Post): Post {
  const slugKey = slugKeyOf(post);
  const searched = findPostType(post.type)?.searched;
  if (!searched) return { ...post, slugKey };
  const texts = [post.title, post.excerpt, post.content, ...searched.map((key) => metaValue(post, key) ?? '')];
  const columns = Object.fromEntries(columnsOf(post.type).map(([name, compute]) => [name, compute(post)]));
  return { ...post, slugKey, search: texts.map(foldForSearch), titleKey: equalityKey(post.title), ...columns };
}

/** A stored post without the columns that `derive` computes. */
export function withoutDerived(post: Post): Post {
  const derived = [...SEARCHED, ...columnsOf(post.type).map(([name]) => name)];
  return Object.fromEntries(Object.entries(post).filter(([name]) => !derived.includes(name))) as unknown as Post;
}

/** A post by id, as it is shown: without what only queries use. Not to be modified. */
export const findPost = async (store: Store, id: number): Promise<Post | null> => (await findPosts(store, [id])).at(0) ?? null;

/** Posts by id, as they are shown: without what only queries use. */
export const findPosts = (store: Store, wanted: number[]): Promise<Post[]> =>
  store.cache.recall('post', wanted, (missing) =>
    store.posts.find({ _id: { $in: missing } }, { projection: { search: 0, titleKey: 0, slugKey: 0 } }).toArray(),
  );

/** What stands above some posts, where they are pages, level by level; by id. */
export async function pagesAbove(store: Store, posts: readonly Pick<Post, 'type' | 'parent'>[]): Promise<Map<number, Post>> {
  const known = new Map<number, Post>();
  let level = posts.filter(({ type }) => type === PAGE);
  while (level.length > 0) {
    const missing = [...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0 && !known.has(id));
    level = missing.length === 0 ? [] : await findPosts(store, missing);
    for (const post of level as Post[]) known.set(post._id, post);
  }
  return known;
}

/** The post of a type whose slug is the slug form of a text. WP: a path of one part leads to no child. */
export async function findBySlug(store: Store, type: string, text: string): Promise<Post | null> {
  const slug = sanitizeTitle(text);
  if (slug === '') return null;
  const found = await store.cache.remember(`slug ${type} ${slug}`, () =>
    store.posts.findOne({ type, slug, parent: 0 }, { sort: { _id: 1 }, projection: { _id: 1 } }),
  );
  return found && findPost(store, found._id);
}

/** Of some ids, those that belong to posts of a type, whatever their status. */
export async function existingIds(store: Store, type: string, wanted: number[]): Promise<Set<number>> {
  const found = await findPosts(store, wanted);
  return new Set(found.filter((post) => post.type === type).map(({ _id }) => _id));
}

async function pageOf(store: Store, query: PostQuery): Promise<Stage[]> {
  // Where nothing is remembered, the count would cost more than it saves.
  const bounded = unboundedColumn(query) !== null && !store.shared ? withRange(query, await counted(store, query)) : query;
  return pagePipeline(bounded);
}

/** One page of what a query finds. */
export async function listPosts(store: Store, query: PostQuery): Promise<Post[]> {
  const few = fewPipeline(query);
  if (!few) return store.aggregate<Post>('posts', await pageOf(store, query));
  return inOrder(await store.aggregate<Post>('posts', few.stages), few.order).slice(query.offset, query.offset + query.limit);
}

/** The same with some fields only, for lists that are too long to be held whole; `fields` is the argument of `$project`. */
export const listFields = async <T extends object>(store: Store, query: PostQuery, fields: Stage): Promise<T[]> =>
  store.aggregate<T>('posts', [...(await pageOf(store, query)), { $project: fields }]);

/** How many posts a query finds in all; remembered until something changes. */
export const countPosts = async (store: Store, query: PostQuery): Promise<number> => (await counted(store, query)).total;

const counted = (store: Store, query: PostQuery): Promise<Counted> =>
  store.cache.remember(`count ${JSON.stringify({ ...query, limit: 0, offset: 0 })}`, async () => {
    const [row] = await store.aggregate<Counted>('posts', countPipeline(query));
    return row ?? { total: 0 };
  });
