import { namedAttachments, namedPatterns, NO_REFERENCES, showsLibrary, showsNewest, type References } from '../formatting/references.js';
import { attachmentUrl } from '../media/attachments.js';
import { ATTACHMENT, BLOCK, POST, type Post } from '../model.js';
import { permalink } from './permalinks.js';
import { findPosts } from './posts.js';
import type { Site } from '../site.js';
import type { Store } from '../store.js';

/** Attachments and posts that the texts of some posts refer to. */
export interface LoadedReferences {
  /** Attachments by id, and what they are attached to. */
  posts: ReadonlyMap<number, Post>;
  /** Ids of attachments by what they are attached to. */
  attached: ReadonlyMap<number, readonly number[]>;
  latestPosts: readonly Post[];
}

export const NO_LOADED_REFERENCES: LoadedReferences = { posts: new Map(), attached: new Map(), latestPosts: [] };

/** WP: the most posts that the block of the newest posts can show. */
const MOST_POSTS = 100;

const idsOf = async (store: Store, name: string, filter: object, sort: Record<string, 1 | -1>, limit: number): Promise<number[]> => {
  const rows = await store.cache.remember(name, () => store.posts.find(filter, { sort, limit, projection: { _id: 1 } }).toArray(), 'posts');
  return rows.map(({ _id }) => _id);
};

/** WP: in the order of the menu, then as they were uploaded. */
const attachedIds = (store: Store, parent: number): Promise<number[]> =>
  idsOf(store, `attached ${parent}`, { type: ATTACHMENT, parent, status: { $ne: 'trash' } }, { menuOrder: 1, _id: 1 }, 0);

const newestIds = (store: Store): Promise<number[]> =>
  idsOf(store, 'newest posts', { type: POST, status: 'publish' }, { date: -1, _id: -1 }, MOST_POSTS);

/** Loads what the texts of some posts refer to; reads nothing where they refer to nothing. */
export async function loadReferences(store: Store, posts: readonly Pick<Post, '_id' | 'content' | 'excerpt'>[]): Promise<LoadedReferences> {
  const own = posts.flatMap(({ content, excerpt }) => [content, excerpt]);
  const patterns = await patternsIn(store, own);
  const texts = [...own, ...[...patterns.values()].map(({ content }) => content)];
  const named = texts.flatMap(namedAttachments);
  // TEC: the texts of its API belong to no post, and show what is attached to none.
  const parents = texts.some(showsLibrary) ? [0, ...posts.map(({ _id }) => _id)] : [];
  const isNewest = texts.some(showsNewest);
  if (own.every((text) => namedPatterns(text).length === 0) && named.length === 0 && parents.length === 0 && !isNewest)
    return NO_LOADED_REFERENCES;
  const lists = await Promise.all(parents.map(async (parent) => [parent, await attachedIds(store, parent)] as const));
  const attachments = await findPosts(store, [...new Set([...named, ...lists.flatMap(([, ids]) => ids)])]);
  const owners = await findPosts(
    store,
    [...new Set(attachments.map(({ parent }) => parent))].filter((id) => id > 0),
  );
  return {
    posts: new Map([...patterns.values(), ...owners, ...attachments].map((post) => [post._id, post])),
    attached: new Map(lists),
    latestPosts: isNewest ? await newestPosts(store) : [],
  };
}

/** The patterns that texts show, and those that these show. */
async function patternsIn(store: Store, texts: readonly string[]): Promise<Map<number, Post>> {
  const found = new Map<number, Post>();
  const seen = new Set<number>();
  for (let next = texts.flatMap(namedPatterns); next.length > 0;) {
    const ids = [...new Set(next)].filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const read = ids.length === 0 ? [] : (await findPosts(store, ids)).filter(({ type }) => type === BLOCK);
    for (const post of read) found.set(post._id, post);
    next = read.flatMap(({ content }) => namedPatterns(content));
  }
  return found;
}

async function newestPosts(store: Store): Promise<Post[]> {
  const ids = await newestIds(store);
  const found = new Map((await findPosts(store, ids)).map((post) => [post._id, post]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The references of texts as renderers ask for them. */
export function referencesOf({ posts, attached, latestPosts }: LoadedReferences, site: Site): References {
  if (posts.size === 0 && latestPosts.length === 0) return { ...NO_REFERENCES, quirks: site.quirks, blocks: site.registry.blocks };
  const attachment = (id: number): Post | undefined => {
    const post = posts.get(id);
    return post?.type === ATTACHMENT ? post : undefined;
  };
  return {
    quirks: site.quirks,
    uploadsUrl: site.uploadsUrl,
    blocks: site.registry.blocks,
    attachment,
    attachedTo: (id) => (attached.get(id) ?? []).flatMap((child) => attachment(child) ?? []),
    pattern: (id) => {
      const post = posts.get(id);
      return post?.type === BLOCK && post.status === 'publish' && post.password === '' ? post : undefined;
    },
    latestPosts,
    linkTo: (post) => (post.type === ATTACHMENT ? attachmentUrl(post, posts.get(post.parent), site, posts) : permalink(post, site, false)),
  };
}
