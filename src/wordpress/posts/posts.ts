import { rawurlencode, urldecode } from '../../base/php/query-string.js';
import { foldForEquality, foldForSearch } from '../formatting/accents.js';
import { sanitizeSlug } from '../formatting/sanitize.js';
import { PAGE, REVISION, isDraftLike, metaValue, type Post } from '../model.js';
import { isOneOf } from '../../base/values/records.js';
import { inOrder } from '../query/term-query.js';
import { columnOrder, countPipeline, fewPipeline, matchStage, pagePipeline, ranksOf, withRange } from '../query/query.js';
import type { Counted, Rank } from '../query/query.js';
import { ORDER_COLUMNS, type PostQuery, type Stage } from '../query/post-query.js';
import type { Registry } from '../types/registry.js';
import type { TablePage } from '../../database/memory/table/rows.js';
import type { QuirkName } from '../quirks.js';
import type { Store } from '../store.js';
import type { Momentary } from '../../database/memory/mirror.js';
import type { Matches } from '../../database/memory/text-index.js';

/** Up to so many posts that a search has found in memory are handed to the database by id. */
const FEW = 200;

/** At most so many posts are read to rank them. */
const MOST_READ = 500;

/**
 * Finds the matches of a search in the texts that are held in memory, regardless of all conditions but the types and `withoutPassword`. Null: the
 * texts are not in memory, or do not tell.
 */
export async function matchesOf(store: Store, { type, search, withoutPassword = false }: PostQuery): Promise<Momentary<Matches> | null> {
  const { texts: all } = store;
  if (!search || !all) return null;
  const texts = await Promise.all([type].flat().map((each) => all.of(each)));
  const found = texts.map((each) => each?.find(search, withoutPassword) ?? null).filter((each) => each !== null);
  if (found.length < texts.length) return null;
  return {
    ids: () => (found.length === 1 ? found[0].ids() : Int32Array.from(found.flatMap(({ ids }) => [...ids()]))),
    isExact: found.every(({ isExact }) => isExact),
  };
}

/** Restricts a search that the database performs to the posts that were found in memory, if these are few. */
async function narrowedToMatches(store: Store, query: PostQuery): Promise<PostQuery> {
  const found = await matchesOf(store, query);
  const all = found?.ids() ?? [];
  if (!found || all.length > FEW) return query;
  const few = [...all];
  const { ids } = query;
  return { ...query, ids: ids ? few.filter((id) => ids.includes(id)) : few };
}

/** Key for equality of texts: folded, without trailing spaces (MySQL's collation). The lookbehind avoids quadratic time on long runs of spaces. */
export const equalityKey = (text: string): string => foldForEquality(text).replace(/(?<! ) +$/, '');

/**
 * The key that must be unique within a type: the slug, and for pages also the parent (WP). Autosaves of a post share theirs.
 * @param isNested whether slugs of the type are unique among siblings only
 */
export function slugKeyOf(
  { type, status, slug, parent }: Pick<Post, 'type' | 'status' | 'slug' | 'parent'>,
  isNested = type === PAGE,
): string | undefined {
  if (slug === '' || type === REVISION || isDraftLike(status)) return undefined;
  return isNested ? `${parent}/${slug}` : slug;
}

/** Whether the slugs of a type are unique among siblings only, as the ones of pages. */
export const hasNestedSlugs = (type: string, registry: Registry): boolean => registry.findPostType(type)?.nestedSlugs === true;

/** The derived columns of all searchable types. */
const SEARCHED = ['slugKey', 'search', 'titleKey'];

const columnsOf = (type: string, registry: Registry) => Object.entries(registry.findPostType(type)?.columns ?? {});

/** Computes the derived columns, which filters, sorts and searches use. Call it for every post before it is stored. */
export function withDerivedColumns(post: Post, registry: Registry): Post {
  const slugKey = slugKeyOf(post, hasNestedSlugs(post.type, registry));
  const searched = registry.findPostType(post.type)?.searched;
  if (!searched) return { ...post, slugKey };
  const texts = [post.title, post.excerpt, post.content, ...searched.map((key) => metaValue(post, key) ?? '')];
  const columns = Object.fromEntries(columnsOf(post.type, registry).map(([name, compute]) => [name, compute(post)]));
  return { ...post, slugKey, search: texts.map(foldForSearch), titleKey: equalityKey(post.title), ...columns };
}

export function withoutDerived(post: Post, registry: Registry): Post {
  const derived = [...SEARCHED, ...columnsOf(post.type, registry).map(([name]) => name)];
  return Object.fromEntries(Object.entries(post).filter(([name]) => !derived.includes(name))) as object as Post;
}

/** Finds posts by id, without derived columns, and caches them. Do not modify them. */
export const findPosts = (store: Store, wanted: number[]): Promise<Post[]> =>
  store.cache.recall('posts', wanted, (missing) => store.loadPosts(missing));

/** Finds a post by id, without derived columns, and caches it. Do not modify it. */
export const findPost = async (store: Store, id: number): Promise<Post | null> => (await findPosts(store, [id])).at(0) ?? null;

/** Finds posts without caching them: a list has many, and most of them are read once. */
export const readPosts = (store: Store, wanted: number[]): Promise<Post[]> =>
  store.cache.read('posts', wanted, (missing) => store.loadPosts(missing));

/** The ancestors of pages, and of posts of other types whose addresses contain theirs, by id. One query per level. */
export async function pagesAbove(store: Store, posts: readonly Pick<Post, 'type' | 'parent'>[]): Promise<Map<number, Post>> {
  const known = new Map<number, Post>();
  let level = posts.filter(({ type }) => hasNestedSlugs(type, store.registry));
  while (level.length > 0) {
    const missing = [...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0 && !known.has(id));
    level = missing.length === 0 ? [] : await findPosts(store, missing);
    for (const post of level as Post[]) known.set(post._id, post);
  }
  return known;
}

/** A site, as far as slugs need it. */
export interface SlugPlace {
  store: Store;
  quirks: ReadonlySet<QuirkName>;
}

/**
 * The post of a type whose slug is the slug form of a text, which may be encoded. WP: the text is a path, and a path of one part leads to
 * no child. A text without letters leads to a draft without a slug.
 */
export async function findBySlug({ store, quirks }: SlugPlace, type: string, text: string): Promise<Post | null> {
  const path = rawurlencode(urldecode(text))
    .replaceAll('%2F', '/')
    .replaceAll('%20', ' ')
    .replace(/^\/+|\/+$/g, '');
  if (path.includes('/')) return null;
  const slug = sanitizeSlug(path, quirks);
  const found = await store.cache.remember(
    `slug ${type} ${slug}`,
    () => store.posts.findOne({ type, slug, parent: 0 }, { sort: { _id: 1 }, projection: { _id: 1 } }),
    'posts',
  );
  return found && findPost(store, found._id);
}

/** The ids that exist as posts of a type with any status. */
export async function existingIds(store: Store, type: string, wanted: number[]): Promise<Set<number>> {
  const found = await findPosts(store, wanted);
  return new Set(found.filter((post) => post.type === type).map(({ _id }) => _id));
}

async function pageOf(store: Store, query: PostQuery): Promise<Stage[]> {
  const { queries } = store.registry;
  const bounded = queries.unboundedColumn(query) !== null ? withRange(query, await counted(store, query), queries) : query;
  return pagePipeline(bounded, queries);
}

/** Orders that no column in memory has. */
const OTHER_ORDERS = ['author', 'menu_order', 'parent', 'slug', 'title'] as const;

/** From this offset on, a database takes longer to skip posts in an order of texts than to list all of their ids by an index. */
const FAR = 500;

/**
 * All posts that a query may find, of which the ids in an order are few, and stay until a write: a database in memory has no index, and others
 * read all that comes before a page. Null: the query is better left to the database.
 */
function amongAll({ isLocal }: Store, { type, statuses, offset }: PostQuery, by: (typeof OTHER_ORDERS)[number]): Stage | null {
  if (isLocal) return { [ORDER_COLUMNS[by]]: { $exists: true } };
  if (offset < FAR || (by !== 'slug' && by !== 'title')) return null;
  const types = { type: { $in: [type].flat() } };
  return by === 'slug' ? types : { ...types, status: { $in: [...statuses] }, titleKey: { $gte: '' } };
}

/** Like `findInMemory`, in such an order. */
async function findInOtherOrder(store: Store, query: PostQuery): Promise<TablePage | null> {
  const { sort, offset, limit } = query;
  if (typeof sort !== 'object' || !('descending' in sort) || !isOneOf(OTHER_ORDERS, sort.by)) return null;
  const column = ORDER_COLUMNS[sort.by];
  const among = amongAll(store, query, sort.by);
  if (!among) return null;
  const find = () => store.posts.find(among, { sort: { [column]: 1, _id: 1 }, projection: { _id: 1 } }).toArray();
  const name = `order by ${column} ${JSON.stringify(among)}`;
  const order = await store.cache.remember(name, async () => (await find()).map(({ _id }) => _id), 'posts');
  const found = await findInMemory(store, { ...query, sort: { by: 'id', descending: false }, offset: 0, limit: Infinity });
  const wanted = new Set(found?.ids);
  const ids = order.filter((id) => wanted.has(id));
  // Every type with texts to search has all of the columns.
  if (!found || (sort.by !== 'title' && ids.length < wanted.size)) return null;
  return { ids: (sort.descending ? ids.toReversed() : ids).slice(offset, offset + limit), total: ids.length };
}

/** Finds the posts that contain words of a rank, as the texts in memory tell. */
const matchesOfRank = (store: Store, query: PostQuery, field: number, words: readonly string[]): Promise<Momentary<Matches> | null> =>
  matchesOf(store, { ...query, search: { words: [...words], without: [], inOneField: false, fields: [field] }, withoutPassword: false });

/** Which of some posts have a rank; null if the texts in memory do not tell, and too many posts would have to be read. */
async function withRank(
  store: Store,
  query: PostQuery,
  { field, words, isAny }: Rank,
  among: readonly number[],
): Promise<Set<number> | null> {
  let all: number[] = [];
  for (const each of isAny ? words.map((word) => [word]) : [words]) {
    const found = await matchesOfRank(store, query, field, each);
    if (!found) return null;
    const ids = new Set(found.ids());
    const some = among.filter((id) => ids.has(id));
    if (!found.isExact && some.length > MOST_READ) return null;
    const read = found.isExact ? [] : await store.posts.find({ _id: { $in: some } }, { projection: { search: 1 } }).toArray();
    const holding = read.filter(({ search }) => each.every((word) => search?.[field]?.includes(word)));
    all = all.concat(found.isExact ? some : holding.map(({ _id }) => _id));
  }
  return new Set(all);
}

/** Like `findInMemory`, of a search by relevance: a database computes the ranks of all that it finds, not only up to the end of the page. */
async function findByRank(store: Store, query: PostQuery): Promise<TablePage | null> {
  const { sort, search, offset, limit } = query;
  if (typeof sort !== 'object' || sort.by !== 'relevance' || !search) return null;
  const ranks = ranksOf(sort.phrase, search.words);
  // The highest rank often decides that a database has to.
  const highest = await matchesOfRank(store, query, ranks[0].field, ranks[0].words);
  if (!highest || (!highest.isExact && highest.ids().length > MOST_READ)) return null;
  const found = await findInMemory(store, { ...query, sort: { by: 'date', descending: sort.descending }, offset: 0, limit: Infinity });
  if (!found) return null;
  let [ranked, others]: number[][] = [[], found.ids];
  for (const rank of ranks) {
    if (ranked.length >= offset + limit) break;
    const held = await withRank(store, query, rank, others);
    if (!held) return null;
    ranked = ranked.concat(others.filter((id) => held.has(id)));
    others = others.filter((id) => !held.has(id));
  }
  return { ids: ranked.concat(others).slice(offset, offset + limit), total: found.total };
}

/** The ids of a page of results and their total, found in memory; null if that is not possible. */
async function findInMemory(store: Store, query: PostQuery): Promise<TablePage | null> {
  const { queries } = store.registry;
  const other = (await findInOtherOrder(store, query)) ?? (await findByRank(store, query));
  if (other) return other;
  const order = columnOrder(query, queries);
  const rows = order && (await store.rows?.readIfPresent());
  if (!rows) return null;
  const { offset, limit } = query;
  if (!query.search) return rows.find({ conditions: matchStage(query, queries), order, offset, limit });
  const found = await matchesOf(store, query);
  if (!found?.isExact) return null;
  const conditions = matchStage({ ...query, search: undefined, withoutPassword: undefined }, queries);
  return rows.find({ conditions, order, offset, limit, only: found.ids() });
}

/**
 * The ids out of many whose posts meet conditions, in the order of ids: from memory, or with the ids alone from the database.
 * @param conditions argument of `$match`, on columns
 */
export async function idsAmong(store: Store, wanted: readonly number[], conditions: Stage): Promise<number[]> {
  if (wanted.length === 0) return [];
  const rows = await store.rows?.readIfPresent();
  const known = rows?.find({ conditions, order: { _id: 1 }, offset: 0, limit: wanted.length, only: wanted });
  if (known) return known.ids;
  const found = await store.posts
    .find({ _id: { $in: [...wanted] }, ...conditions }, { projection: { _id: 1 }, sort: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Posts by id, in the order of the ids. */
async function postsInOrder(store: Store, ids: number[]): Promise<Post[]> {
  const found = new Map((await readPosts(store, ids)).map((post) => [post._id, post]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** One page of the results of a query. */
export async function listPosts(store: Store, query: PostQuery): Promise<Post[]> {
  const known = await findInMemory(store, query);
  return known ? postsInOrder(store, known.ids) : listFromDatabase(store, query);
}

async function listFromDatabase(store: Store, asked: PostQuery): Promise<Post[]> {
  const query = await narrowedToMatches(store, asked);
  const few = fewPipeline(query, store.registry.queries);
  if (!few) return store.aggregate<Post>('posts', await pageOf(store, query));
  return inOrder(await store.aggregate<Post>('posts', few.stages), few.order).slice(query.offset, query.offset + query.limit);
}

/** Like `listPosts`, but only some fields, for long lists. @param fields argument of `$project` */
export async function listFields<T extends object>(store: Store, query: PostQuery, fields: Stage): Promise<T[]> {
  const known = await findInMemory(store, query);
  if (!known) return store.aggregate<T>('posts', [...(await pageOf(store, query)), { $project: fields }]);
  const rows = await store.aggregate<T & { _id: number }>('posts', [{ $match: { _id: { $in: known.ids } } }, { $project: fields }]);
  const found = new Map(rows.map((row) => [row._id, row]));
  return known.ids.flatMap((id) => found.get(id) ?? []);
}

/** The total number of results of a query. Cached. */
export const countPosts = async (store: Store, query: PostQuery): Promise<number> =>
  ((await findInMemory(store, { ...query, limit: 0 })) ?? (await counted(store, query))).total;

/** One page of the results of a query: the ids, the total number, and where the ids alone would cost as much, the posts too. */
export async function findPage(store: Store, query: PostQuery): Promise<TablePage & { posts: Post[] | null }> {
  const known = await findInMemory(store, query);
  if (known) return { ...known, posts: null };
  // The total is known more often than not, and then says whether there is anything on the page.
  const { total } = await counted(store, query);
  const posts = total <= query.offset ? [] : await listFromDatabase(store, query);
  return { ids: posts.map(({ _id }) => _id), total, posts };
}

const counted = (store: Store, query: PostQuery): Promise<Counted> =>
  store.cache.remember(`count ${JSON.stringify({ ...query, limit: 0, offset: 0 })}`, async () => {
    const [row] = await store.aggregate<Counted>('posts', countPipeline(await narrowedToMatches(store, query), store.registry.queries));
    return row ?? { total: 0 };
  });
