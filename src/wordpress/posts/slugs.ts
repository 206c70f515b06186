import { escapeRegExp } from '../../base/text/pattern.js';
import { ATTACHMENT, POST, isDraftLike } from '../model.js';
import type { Site } from '../site.js';
import type { Registry } from '../types/registry.js';
import { hasNestedSlugs } from './posts.js';
import { duplicateOf, isDuplicate } from '../../database/store/errors.js';
import type { Store } from '../store.js';
import { FIRST, MAX_DIGITS, numberedSlug, SlugFamily, stemsOf, type SlugHolder } from './slug-family.js';

/** WP: slugs reserved for feeds and embeds. */
const RESERVED = ['rdf', 'rss', 'rss2', 'atom', 'feed', 'embed'];

/** WP: ambiguous slugs: years in URLs of blog posts, page numbers in URLs of pages. */
const YEARS = /^\d+$/;
const PAGES = /^(?:page)?\d+$/;

/** WP: the types that share a namespace of slugs with a type: an attachment may have the URL of a post of any type. */
function typesSharingSlugs(type: string, registry: Registry): string[] {
  if (hasNestedSlugs(type, registry)) return [type, ATTACHMENT];
  return type === ATTACHMENT ? registry.postTypes.flatMap(({ name, searched }) => (searched ? [name] : [])) : [type];
}

const NUMBERED = new RegExp(`-[1-9][0-9]{0,${MAX_DIGITS - 1}}$`);

const FIRST_DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Up to this many texts are looked up with each of the first digits. */
const MAX_WITH_DIGITS = 10;

const isReserved = (type: string, slug: string, isNested: boolean): boolean =>
  RESERVED.includes(slug) || (isNested ? PAGES.test(slug) : type === POST && YEARS.test(slug));

interface SlugRequest {
  id: number;
  wanted: string;
  /** The parent of a page. WP: slugs of pages are unique only among siblings. */
  parent?: number;
}

/** Posts that have one of some slugs. */
interface SlugHolders {
  found: readonly SlugHolder[];
}

/** The posts whose slugs a type shares and that have one of the given slugs. */
export async function slugHolders(site: Site, type: string, slugs: string[]): Promise<SlugHolders> {
  const { store } = site;
  const possible = await store.possibleSlugs(slugs);
  if (possible.length === 0) return { found: [] };
  const family = possible.length === 1 && !store.hasClashed(possible[0]) ? await knownFamily(site, type, possible[0]) : null;
  return { found: family ? family.holders() : await holdersOf(site, type, possible) };
}

function holdersOf({ store }: Site, type: string, slugs: readonly string[]): Promise<SlugHolder[]> {
  const types = { $in: typesSharingSlugs(type, store.registry) };
  const projection = { type: 1, status: 1, slug: 1, parent: 1 };
  return store.posts.find<SlugHolder>({ type: types, slug: { $in: slugs } }, { projection }).toArray();
}

/** The numbered slugs in their order: `-2`, `-3`, … */
function* numbered(stems: readonly string[]): Generator<string> {
  for (let number = FIRST; number < 10 ** MAX_DIGITS; number += 1) yield numberedSlug(stems, number);
}

/** The prefixes of the numbered slugs of a requested one: one, unless they are encoded in different ways. */
function beginningsOf(stems: readonly string[]): string[] {
  const [longest, shortest] = [stems[0], stems[stems.length - 1]];
  if (longest === shortest) return [longest];
  const common = shortest.slice(0, -1);
  return stems.every((stem) => stem.startsWith(common)) ? [common] : [...new Set(stems)];
}

/**
 * Patterns that MongoDB reads as ranges of an index. With the first digit there are few other slugs in these, but each pattern takes time to
 * compile.
 */
function rangesOf(beginnings: readonly string[]): RegExp[] {
  const digits = beginnings.length <= MAX_WITH_DIGITS ? FIRST_DIGITS : [''];
  return beginnings.flatMap((text) => (text.endsWith('-') ? digits : ['']).map((digit) => new RegExp(`^${escapeRegExp(text)}${digit}`)));
}

/**
 * The posts whose slugs a type shares and that begin with one of some texts and end with a number. Reads only the index `posts_by_slug`,
 * except for pages, whose parents are not in it. The reply is a single document: the driver spends more on each document of a cursor than on
 * reading it.
 * @param parents of pages; null: any
 */
async function numberedHolders(
  { store }: Site,
  type: string,
  beginnings: readonly string[],
  parents: readonly number[] | null,
): Promise<SlugHolder[]> {
  const match = { type: { $in: typesSharingSlugs(type, store.registry) }, slug: { $in: rangesOf(beginnings), $regex: NUMBERED } };
  const isNested = hasNestedSlugs(type, store.registry);
  const ofParents = isNested && parents ? { parent: { $in: parents } } : {};
  const pushed = isNested ? { parents: { $push: { $ifNull: ['$parent', 0] } } } : {};
  const [found] = await store.aggregate<{ ids: number[]; slugs: string[]; parents?: number[] }>('posts', [
    { $match: { ...match, ...ofParents } },
    { $group: { _id: null, ids: { $push: '$_id' }, slugs: { $push: '$slug' }, ...pushed } },
  ]);
  return found?.slugs.map((slug, i) => ({ _id: found.ids[i], slug, parent: found.parents?.[i] ?? 0 })) ?? [];
}

const familyName = (type: string, wanted: string, { store }: Site): string =>
  [hasNestedSlugs(type, store.registry), ...typesSharingSlugs(type, store.registry), wanted].join(' ');

const knownFamily = async (site: Site, type: string, wanted: string): Promise<SlugFamily | null> =>
  (await site.store.slugFamilies?.readIfPresent(familyName(type, wanted, site))) ?? null;

/** The posts with a slug or the slug with a number, if they are in memory. */
async function familyOf(site: Site, type: string, wanted: string): Promise<SlugFamily | null> {
  const { registry, slugFamilies } = site.store;
  const types = typesSharingSlugs(type, registry);
  const all = async function* (): AsyncGenerator<readonly SlugHolder[]> {
    yield holdersOf(site, type, [wanted]);
    yield numberedHolders(site, type, beginningsOf(stemsOf(wanted)), null);
  };
  const some = (ids: number[]): Promise<SlugHolder[]> =>
    site.store.posts.find<SlugHolder>({ _id: { $in: ids } }, { projection: { type: 1, status: 1, slug: 1, parent: 1 } }).toArray();
  const make = (): SlugFamily => new SlugFamily(wanted, types, hasNestedSlugs(type, registry));
  return (await slugFamilies?.read(familyName(type, wanted, site), { all, some }, make)) ?? null;
}

/** Returns a function that tells whether a slug is taken by another post. @param isNested whether by a sibling */
function takenBy(found: readonly SlugHolder[], isNested: boolean): (request: SlugRequest, slug: string) => boolean {
  const bySlug = new Map<string, SlugHolder[]>();
  for (const holder of found) {
    const others = bySlug.get(holder.slug);
    if (others) others.push(holder);
    else bySlug.set(holder.slug, [holder]);
  }
  return ({ id, parent = 0 }, slug) =>
    (bySlug.get(slug) ?? []).some((holder) => holder._id !== id && (!isNested || holder.parent === parent));
}

/**
 * Finds free slugs for posts of a type, by id: the requested ones, or with `-2`, `-3`, … One query for all of them, and another one if any is
 * taken.
 * @param holders of the requested slugs, if known
 */
export async function freeSlugs(
  site: Site,
  type: string,
  requests: readonly SlugRequest[],
  holders?: SlugHolders,
): Promise<Map<number, string>> {
  const wanted = holders ?? (await slugHolders(site, type, [...new Set(requests.map((request) => request.wanted))]));
  const isNested = hasNestedSlugs(type, site.store.registry);
  const isTaken = takenBy(wanted.found, isNested);
  const isFree = (request: SlugRequest): boolean => !isReserved(type, request.wanted, isNested) && !isTaken(request, request.wanted);
  const free = new Map(requests.filter(isFree).map((request) => [request.id, request.wanted]));
  const left = requests.filter(({ id }) => !free.has(id));
  if (left.length === 0) return free;
  if (left.length === 1) {
    const [{ id, wanted: slug, parent = 0 }] = left;
    const found = (await familyOf(site, type, slug))?.firstFree(id, parent);
    if (found !== undefined && !site.store.hasClashed(found)) return free.set(id, found);
  }

  const stems = new Map(left.map((request) => [request.wanted, stemsOf(request.wanted)]));
  const parents = [...new Set(left.map(({ parent = 0 }) => parent))];
  const isNumberTaken = takenBy(await numberedHolders(site, type, [...stems.values()].flatMap(beginningsOf), parents), isNested);
  for (const request of left) {
    for (const slug of numbered(stems.get(request.wanted) ?? [])) {
      if (isReserved(type, slug, isNested) || isNumberTaken(request, slug)) continue;
      free.set(request.id, slug);
      break;
    }
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

const slugIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Retries a write as long as it fails because a concurrent write has taken the slug. */
export async function withFreeSlug<T>(store: Store, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
      store.slugIsTaken(slugIn(duplicateOf(error, 'slugKey')));
    }
  }
}
