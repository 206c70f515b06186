import { truncateSlug } from './formatting/slug.js';
import { ATTACHMENT, PAGE, POST, isDraftLike, type Post } from './model.js';
import type { Site } from './site.js';
import { postTypes } from './types/registry.js';
import { isDuplicate } from '../store/errors.js';

/** WP: slugs reserved for feeds and embeds. */
const RESERVED = ['rdf', 'rss', 'rss2', 'atom', 'feed', 'embed'];

/** WP: ambiguous slugs: years in URLs of blog posts, page numbers in URLs of pages. */
const AMBIGUOUS: Record<string, RegExp> = { [POST]: /^\d+$/, [PAGE]: /^(?:page)?\d+$/ };

/** WP: the types that share a namespace of slugs with a type: an attachment may have the URL of a post of any type. */
function typesSharingSlugs(type: string): string[] {
  if (type === PAGE) return [PAGE, ATTACHMENT];
  return type === ATTACHMENT ? postTypes().flatMap(({ name, searched }) => (searched ? [name] : [])) : [type];
}

/** Number of numbered slugs that are checked with one query: in total, and the minimum for each requested slug. */
const SLUG_BATCH = 100;
const MIN_EACH = 10;

const isReserved = (type: string, slug: string): boolean =>
  RESERVED.includes(slug) || (Object.hasOwn(AMBIGUOUS, type) && AMBIGUOUS[type].test(slug));

/** A requested slug. */
export interface SlugRequest {
  id: number;
  wanted: string;
  /** The parent of a page. WP: slugs of pages are unique only among siblings. */
  parent?: number;
}

/** Posts that have one of some slugs. */
export interface SlugHolders {
  found: readonly Pick<Post, '_id' | 'type' | 'status' | 'slug' | 'parent'>[];
}

/** The posts whose slugs a type shares and that have one of the given slugs. */
export async function slugHolders({ store }: Site, type: string, slugs: string[]): Promise<SlugHolders> {
  const projection = { type: 1, status: 1, slug: 1, parent: 1 };
  const types = { $in: typesSharingSlugs(type) };
  return { found: await store.posts.find<SlugHolders['found'][number]>({ type: types, slug: { $in: slugs } }, { projection }).toArray() };
}

/** Returns a function that tells whether a slug is taken by another post. */
function takenBy({ found }: SlugHolders, type: string): (request: SlugRequest, slug: string) => boolean {
  const bySlug = new Map<string, SlugHolders['found'][number][]>();
  for (const holder of found) bySlug.set(holder.slug, [...(bySlug.get(holder.slug) ?? []), holder]);
  return ({ id, parent = 0 }, slug) =>
    (bySlug.get(slug) ?? []).some((holder) => holder._id !== id && (type !== PAGE || holder.parent === parent));
}

/**
 * Finds free slugs for posts of a type, by id: the requested ones, or with `-2`, `-3`, … Usually a single query for all of them.
 * @param holders of the requested slugs, if known
 */
export async function freeSlugs(
  site: Site,
  type: string,
  requests: readonly SlugRequest[],
  holders?: SlugHolders,
): Promise<Map<number, string>> {
  const free = new Map<number, string>();
  let left = requests;
  const tryCandidates = async (candidates: (wanted: string) => string[], known?: SlugHolders): Promise<void> => {
    const slugs = [...new Set(left.map(({ wanted }) => wanted))].flatMap(candidates);
    const isTaken = takenBy(known ?? (await slugHolders(site, type, slugs)), type);
    for (const request of left) {
      const slug = candidates(request.wanted).find((each) => !isReserved(type, each) && !isTaken(request, each));
      if (slug !== undefined) free.set(request.id, slug);
    }
    left = left.filter(({ id }) => !free.has(id));
  };
  await tryCandidates((wanted) => [wanted], holders);
  for (let first = 2; left.length > 0;) {
    const [from, count] = [first, Math.max(MIN_EACH, Math.ceil(SLUG_BATCH / left.length))];
    await tryCandidates((wanted) => Array.from({ length: count }, (_, index) => truncateSlug(wanted, `-${from + index}`)));
    first += count;
  }
  return free;
}

/**
 * Finds a free slug: the requested one, or with `-2`, `-3`, … WP: slugs of drafts need not be free.
 * @param parent the parent of a page
 * @param holders of the requested slug, if known
 */
export async function freeSlug(
  site: Site,
  type: string,
  wanted: string,
  id: number,
  status: string,
  parent = 0,
  holders?: SlugHolders,
): Promise<string> {
  if (wanted === '' || isDraftLike(status)) return wanted;
  return (await freeSlugs(site, type, [{ id, wanted, parent }], holders)).get(id) ?? wanted;
}

/** Retries a write as long as it fails because a concurrent write has taken the slug. */
export async function withFreeSlug<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
    }
  }
}
