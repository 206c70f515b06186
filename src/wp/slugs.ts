import { truncateSlug } from './formatting/slug.js';
import { ATTACHMENT, PAGE, POST, isDraftLike, type Post } from './model.js';
import type { Site } from './site.js';
import { postTypes } from './types/registry.js';
import { isDuplicate } from '../store/errors.js';

/** WP: names that addresses of feeds and embeds need. */
const RESERVED = ['rdf', 'rss', 'rss2', 'atom', 'feed', 'embed'];

/** WP: names that would read as something else: in an address of a blog post as a year, in that of a page as a number of a page. */
const MISREAD: Record<string, RegExp> = { [POST]: /^\d+$/, [PAGE]: /^(?:page)?\d+$/ };

/** WP: types that share their slugs; an attachment could stand at an address of any of these. */
function neighbours(type: string): string[] {
  if (type === PAGE) return [PAGE, ATTACHMENT];
  return type === ATTACHMENT ? postTypes().flatMap(({ name, searched }) => (searched ? [name] : [])) : [type];
}

/** How many numbered slugs are asked for at once, in all, and at least for each that is wanted. */
const SLUG_BATCH = 100;
const LEAST_EACH = 10;

const isReserved = (type: string, slug: string): boolean =>
  RESERVED.includes(slug) || (Object.hasOwn(MISREAD, type) && MISREAD[type].test(slug));

/** The slug that a post would like to have. */
export interface SlugWish {
  id: number;
  wanted: string;
  /** What a page stands below: its name has to be free only there (WP). */
  parent?: number;
}

type Holder = Pick<Post, '_id' | 'slug' | 'parent'>;

/** Whether a slug is somebody else's, found for all of some slugs at once. */
async function takenAmong(site: Site, type: string, slugs: string[]): Promise<(wish: SlugWish, slug: string) => boolean> {
  const types = { $in: neighbours(type) };
  const projection = { slug: 1, parent: 1 };
  const found = await site.store.posts.find<Holder>({ type: types, slug: { $in: slugs } }, { projection }).toArray();
  const bySlug = new Map<string, Holder[]>();
  for (const holder of found) bySlug.set(holder.slug, [...(bySlug.get(holder.slug) ?? []), holder]);
  return ({ id, parent = 0 }, slug) =>
    (bySlug.get(slug) ?? []).some((holder) => holder._id !== id && (type !== PAGE || holder.parent === parent));
}

/** The first free slugs of posts of a type, by id: those that are wanted, or with `-2`, `-3`, … One query for all of them, as a rule. */
export async function freeSlugs(site: Site, type: string, wishes: readonly SlugWish[]): Promise<Map<number, string>> {
  const free = new Map<number, string>();
  let left = wishes;
  const settle = async (candidates: (wanted: string) => string[]): Promise<void> => {
    const isTaken = await takenAmong(site, type, [...new Set(left.map(({ wanted }) => wanted))].flatMap(candidates));
    for (const wish of left) {
      const slug = candidates(wish.wanted).find((each) => !isReserved(type, each) && !isTaken(wish, each));
      if (slug !== undefined) free.set(wish.id, slug);
    }
    left = left.filter(({ id }) => !free.has(id));
  };
  await settle((wanted) => [wanted]);
  for (let first = 2; left.length > 0;) {
    const [from, count] = [first, Math.max(LEAST_EACH, Math.ceil(SLUG_BATCH / left.length))];
    await settle((wanted) => Array.from({ length: count }, (_, index) => truncateSlug(wanted, `-${from + index}`)));
    first += count;
  }
  return free;
}

/**
 * The first free slug of a type: the wanted one, or with `-2`, `-3`, … WP: drafts may have what they want.
 * @param parent what a page stands below
 */
export async function freeSlug(site: Site, type: string, wanted: string, id: number, status: string, parent = 0): Promise<string> {
  if (wanted === '' || isDraftLike(status)) return wanted;
  return (await freeSlugs(site, type, [{ id, wanted, parent }])).get(id) ?? wanted;
}

/** Runs a write anew as long as another one was quicker with the same slug. */
export async function withFreeSlug<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
    }
  }
}
