import { ATTACHMENT, thumbnailOf, type Known, type Post, type Term } from '../model.js';
import { findPosts, pagesAbove } from './posts.js';
import { loadReferences, type LoadedReferences } from './references.js';
import type { Store } from '../store.js';
import { findTerms } from '../terms/terms.js';
import type { Registry } from '../types/registry.js';

declare module '../types/hooks.js' {
  interface Hooks {
    /** Loads what a plugin shows with posts, for a page of them at once: further members of `Related`. */
    related: (store: Store, page: readonly Post[]) => Promise<Partial<Related>>;
  }
}

/** The posts and terms that a page of posts refers to, loaded in batches instead of one query per post. */
export interface Related {
  posts: Known<Post>;
  terms: Known<Term>;
  /** Content that the texts refer to. */
  references: LoadedReferences;
}

/** The ids of the featured images of posts. */
const imageIds = (posts: readonly Post[]): number[] => [...new Set(posts.map(thumbnailOf))].filter((id) => id > 0);

/** The featured image of a post, if it exists. */
export function thumbnail(post: Post, { posts }: Related): Post | undefined {
  const image = posts.get(thumbnailOf(post));
  return image?.type === ATTACHMENT ? image : undefined;
}

export const termsOf = (post: Post, taxonomy: string, { terms }: Related): Term[] =>
  (post.terms[taxonomy] ?? []).map((id) => terms.get(id)).filter((term): term is Term => term?.taxonomy === taxonomy);

const referencesOf = (post: Post, registry: Registry): number[] =>
  (registry.findPostType(post.type)?.references ?? []).flatMap((column) => post[column] ?? []);

/** Loads what pages of posts refer to, and what plugins show with them. @param find as in `loadLinked` */
export async function loadRelated(store: Store, page: readonly Post[], find?: (ids: number[]) => Promise<Post[]>): Promise<Related> {
  const [related, ...further] = await Promise.all([
    loadLinked(store, page, find),
    ...store.registry.hooks('related').map((load) => load(store, page)),
  ]);
  return { ...related, ...(Object.assign({}, ...further) as Partial<Related>) };
}

/**
 * Loads the referenced posts, featured images and terms of posts, and the ancestors of pages.
 * @param find finds referenced posts and images by id, in any order
 */
export async function loadLinked(
  store: Store,
  page: readonly Post[],
  find = (ids: number[]): Promise<Post[]> => findPosts(store, ids),
): Promise<Related> {
  const linkedIds = [...new Set(page.flatMap((post) => referencesOf(post, store.registry)))];
  const termIds = [...new Set(page.flatMap(({ terms }) => Object.values(terms).flat()))];
  // Images that the page shows itself are loaded with what it is linked to.
  const firstIds = [...new Set([...linkedIds, ...imageIds(page)])];
  const [first, terms, above] = await Promise.all([find(firstIds), findTerms(store, termIds), pagesAbove(store, page)]);
  const linked = first.filter(({ _id }) => linkedIds.includes(_id));
  const [images, references] = await Promise.all([find(imageIds(linked)), loadReferences(store, [...page, ...linked])]);
  return {
    posts: new Map([...above.values(), ...first, ...images].map((post) => [post._id, post])),
    terms: new Map(terms.map((term) => [term._id, term])),
    references,
  };
}
