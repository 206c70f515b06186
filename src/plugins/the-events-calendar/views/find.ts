import { intval } from '../../../base/php/cast.js';
import type { PageRequest } from '../../../wordpress/rest/page.js';
import type { Params } from '../../../wordpress/rest/request.js';
import { fileUrl } from '../../../wordpress/media/attachments.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { escapeRegExp } from '../../../wordpress/formatting/pattern.js';
import { sanitizeTitle } from '../../../wordpress/formatting/slug.js';
import { ATTACHMENT, CATEGORY, PAGE, POST, TAG, type Post, type Term, type User } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { LINKED } from '../model/linked.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { countPosts, findPost, findPosts, pagesAbove } from '../../../wordpress/posts/posts.js';
import type { Site } from '../../../wordpress/site.js';
import type { PublishedClause } from '../../../wordpress/query/post-query.js';
import type { PageAddress, ListView } from './address.js';
import { urlOfTerm } from './links.js';
import { isLinked, type Scope } from './listing.js';

/** The content at an address. */
export type Found =
  | { kind: 'front' }
  | { kind: 'post'; post: Post }
  | { kind: 'list'; view: ListView; page: number; scope: Scope }
  | { kind: 'category'; term: Term; page: number }
  | { kind: 'dates'; dates: string; page: number }
  | { kind: 'elsewhere'; url: string; isGuess: boolean };

/** WP: types whose posts have URLs at the root of the site. */
const TOP_TYPES = [POST, PAGE];

/** Statuses with pretty permalinks. */
const WITH_PERMALINK = ['publish', 'private'];

/** The posts with a slug that a reader may see, the oldest first. */
async function allBySlug(site: Site, types: string[], slug: string, reader: User | null): Promise<Post[]> {
  if (slug === '') return [];
  const filter = { type: { $in: types }, slug, status: { $in: WITH_PERMALINK } };
  const found = await site.store.posts.find(filter, { projection: { _id: 1 } }).toArray();
  const ids = found.map(({ _id }) => _id);
  const posts = await findPosts(site.store, ids);
  return posts.filter((post) => canRead(reader, post, site.registry)).sort((a, b) => a._id - b._id);
}

const bySlug = async (...args: Parameters<typeof allBySlug>): Promise<Post | null> => (await allBySlug(...args)).at(0) ?? null;

/** The post or page with exactly this path. WP: the path of a page includes its ancestors. */
async function byPath(site: Site, slugs: string[], reader: User | null): Promise<Post | null> {
  const posts = await allBySlug(site, TOP_TYPES, slugs.at(-1) ?? '', reader);
  const known = await pagesAbove(site.store, posts);
  return posts.find((post) => permalink(post, site, true, known) === `${site.url}/${slugs.join('/')}/`) ?? null;
}

/** WP: attachments have no pages; their URLs redirect to the file. */
async function attachment(site: Site, slug: string, below: string | undefined): Promise<Found | null> {
  const post = slug === '' ? null : await site.store.posts.findOne({ type: ATTACHMENT, slug, status: 'inherit' });
  if (!post?.file) return null;
  const parent = post.parent === 0 ? null : await findPost(site.store, post.parent);
  if (parent && parent.status !== 'publish') return null;
  return (parent?.slug ?? undefined) === below ? { kind: 'elsewhere', url: fileUrl(post, site), isGuess: false } : null;
}

async function top(site: Site, { slug, below }: { slug: string; below?: string }, reader: User | null): Promise<Found | null> {
  const post = below === undefined ? await byPath(site, [slug], reader) : null;
  return post ? { kind: 'post', post } : attachment(site, slug, below);
}

/** WP: redirects to a published post whose slug starts with the requested slug. */
async function guess(site: Site, address: PageAddress): Promise<Found | null> {
  const types = address.kind === 'single' ? [EVENT] : [EVENT, ...TOP_TYPES];
  if ((address.kind !== 'single' && address.kind !== 'top') || address.slug === '' || ('below' in address && address.below)) return null;
  const [post] = await site.store.posts
    .find({ type: { $in: types }, status: 'publish', slug: { $regex: `^${escapeRegExp(address.slug)}` } })
    .sort({ slug: 1, _id: 1 })
    .limit(1)
    .toArray();
  return post ? { kind: 'elsewhere', url: await urlOfPublished(post, site), isGuess: true } : null;
}

/** The pretty permalink of a published post. */
export const urlOfPublished = async (post: Post, site: Site): Promise<string> =>
  permalink(post, site, false, await pagesAbove(site.store, [post]));

async function underneath(site: Site, slugs: string[], reader: User | null): Promise<Found | null> {
  const post = await byPath(site, slugs, reader);
  return post ? { kind: 'post', post } : attachment(site, slugs.at(-1) ?? '', slugs.at(-2));
}

async function category(site: Site, { slug, page }: PageAddress & { kind: 'category' }): Promise<Found | null> {
  const term = slug === '' ? null : await site.store.terms.findOne({ taxonomy: CATEGORY, slug });
  return term && { kind: 'category', term, page };
}

/** WP: dates on which nothing was published have no page. */
async function dated({ store }: Site, { dates, page }: PageAddress & { kind: 'dates' }): Promise<Found | null> {
  const published = await countPosts(store, {
    type: POST,
    statuses: ['publish'],
    published: publishedWithin(dates),
    sort: 'newest',
    limit: 0,
    offset: 0,
  });
  return published > 0 ? { kind: 'dates', dates, page } : null;
}

/** The condition for posts published in a year, a month or on a day. */
export const publishedWithin = (dates: string): PublishedClause[] => [
  { column: 'date', operator: '$gt', value: dates },
  { column: 'date', operator: '$lt', value: `${dates}~` },
];

const QUERY_TAXONOMIES: readonly (readonly [name: string, taxonomy: string])[] = [
  [EVENT_CATEGORY, EVENT_CATEGORY],
  ['tag', TAG],
  ['category_name', CATEGORY],
];

/** The list of a term that the query of the front page names, and the parameter that names it (WP: `?tag=live`); null if there is none. */
export async function findByTerm(site: Site, query: Params): Promise<{ url: string; parameter: string } | null> {
  if (query.s !== undefined || query.post_type !== undefined) return null;
  for (const [parameter, taxonomy] of QUERY_TAXONOMIES) {
    const slug = query[parameter];
    const term =
      typeof slug === 'string' && slug !== '' ? await site.store.terms.findOne({ taxonomy, slug: sanitizeTitle(slug, site.quirks) }) : null;
    if (term) return { url: await urlOfTerm(term, site), parameter };
  }
  return null;
}

async function list(site: Site, address: PageAddress & { kind: 'list' }): Promise<Found | null> {
  const { view, page, taxonomy, slug, isFeatured } = address;
  if (taxonomy === undefined) return { kind: 'list', view, page, scope: { kind: isFeatured ? 'featured' : 'all' } };
  const term = slug === undefined || slug === '' ? null : await site.store.terms.findOne({ taxonomy, slug });
  return term && { kind: 'list', view, page, scope: { kind: 'term', term } };
}

/** Limits a list to the category in the query (WP: the query variable of the taxonomy). Null if there is no such category. */
export async function inCategory(found: Found | null, site: Site, { [EVENT_CATEGORY]: slug }: Params): Promise<Found | null> {
  const isAll = found?.kind === 'list' && found.scope.kind === 'all';
  if (!isAll || typeof slug !== 'string' || slug === '') return found;
  const term = await site.store.terms.findOne({ taxonomy: EVENT_CATEGORY, slug: sanitizeTitle(slug, site.quirks) });
  return term && { ...found, scope: { kind: 'term', term } };
}

const inList = (scope: Scope): Found => ({ kind: 'list', view: { kind: 'list' }, page: 1, scope });

/** TEC: these types have no pages; every slug shows a general page. */
async function linkedList(site: Site, { linked, slug }: PageAddress & { kind: 'linked' }, reader: User | null): Promise<Found | null> {
  const post = await bySlug(site, [LINKED[linked].type], slug, reader);
  if (post) return inList({ kind: 'linked', linked, post });
  return site.quirks.has('venues-have-no-pages') ? { kind: 'front' } : null;
}

/** WP: users with published posts have a page. */
async function author(site: Site, { nicename }: PageAddress & { kind: 'author' }): Promise<Found | null> {
  const user = await site.store.users.findOne({ nicename });
  if (!user) return null;
  const published = await site.store.posts.findOne({ author: user._id, status: 'publish' }, { projection: { _id: 1 } });
  return published ? inList({ kind: 'author', author: user }) : null;
}

/** Finds the content at an address that a reader may see; null if there is none. */
export async function find(site: Site, address: PageAddress, reader: User | null): Promise<Found | null> {
  switch (address.kind) {
    case 'front':
      return { kind: 'front' };
    case 'linked':
      return linkedList(site, address, reader);
    case 'author':
      return author(site, address);
    case 'list':
      return list(site, address);
    case 'single': {
      const post = await bySlug(site, [EVENT], address.slug, reader);
      return post ? { kind: 'post', post } : guess(site, address);
    }
    case 'top':
      return (await top(site, address, reader)) ?? guess(site, address);
    case 'below': {
      const found = await underneath(site, address.slugs, reader);
      const [first, slug, ...rest] = address.slugs;
      const isGuessed = !found && first === site.options.calendar.eventsSlug && rest.length === 0;
      return isGuessed ? guess(site, { kind: 'top', slug }) : found;
    }
    case 'category':
      return category(site, address);
    case 'dates':
      return dated(site, address);
    case 'unknown':
      return null;
  }
}

const NUMBERS = ['p', 'page_id', 'attachment_id'];

/** The id in a plain permalink (WP: `?p=35`); 0 if absent. */
export function numberOf({ query }: PageRequest): number {
  const given = NUMBERS.map((name) => query[name]).find((value) => typeof value === 'string');
  return intval(given ?? 0);
}

/** The slug of an event in the query of the front page (TEC: `?tribe_events=bake-sale`); null if absent. */
export const eventSlugOf = ({ query }: PageRequest): string | null => {
  const slug = query[EVENT];
  return typeof slug === 'string' && slug !== '' ? sanitizeTitle(slug) : null;
};

/** WP: parameters that a redirect from a plain permalink drops. */
export const ID_PARAMETERS = [...NUMBERS, 'post_type'];

/**
 * Finds the content of a plain permalink: a redirect to the pretty permalink of a published post, or the post itself if the reader may
 * see it. TEC: types without pages, such as venues and organizers, have no plain permalinks either.
 * @param isPreview a published post itself, too
 */
export async function findByNumber(site: Site, number: number, reader: User | null, isPreview = false): Promise<Found | null> {
  const post = await findPost(site.store, number);
  if (!post) return null;
  if (isLinked(post) && !site.quirks.has('venues-have-no-pages'))
    return canRead(reader, post, site.registry) && WITH_PERMALINK.includes(post.status)
      ? { kind: 'elsewhere', url: permalink(post, site, true), isGuess: true }
      : null;
  if (![EVENT, ATTACHMENT, ...TOP_TYPES].includes(post.type)) return null;
  if (post.type === ATTACHMENT) {
    const parent = post.parent === 0 ? null : await findPost(site.store, post.parent);
    const isPublic = post.status === 'inherit' && (!parent || parent.status === 'publish');
    return isPublic && post.file !== undefined ? { kind: 'elsewhere', url: fileUrl(post, site), isGuess: true } : null;
  }
  if (post.status === 'publish' && !isPreview) return { kind: 'elsewhere', url: await urlOfPublished(post, site), isGuess: true };
  return canRead(reader, post, site.registry) && post.status !== 'trash' ? { kind: 'post', post } : null;
}
