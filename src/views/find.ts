import { intval } from '../php/cast.js';
import type { PageRequest } from '../rest/page.js';
import { fileUrl } from '../wp/media/attachments.js';
import { canRead } from '../wp/users/capabilities.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { ATTACHMENT, CATEGORY, PAGE, POST, type Post, type Term, type User } from '../wp/model.js';
import { EVENT } from '../tec/index.js';
import { LINKED } from '../tec/linked.js';
import { permalink } from '../wp/permalinks.js';
import { findPost, findPosts, pagesAbove } from '../wp/posts.js';
import type { Site } from '../wp/site.js';
import type { Address, ListView } from './address.js';
import { isLinked, type Scope } from './listing.js';

/** What an address turns out to show, once the database was asked. */
export type Found =
  | { kind: 'front' }
  | { kind: 'post'; post: Post }
  | { kind: 'list'; view: ListView; page: number; scope: Scope }
  | { kind: 'category'; term: Term; page: number }
  | { kind: 'elsewhere'; url: string; isGuess: boolean };

/** WP: types whose posts live at the root of the site. */
const TOP_TYPES = [POST, PAGE];

/** Statuses that may have an address by name. */
const NAMED = ['publish', 'private'];

/** Posts of this slug that a reader may see, the oldest first. */
async function allBySlug(site: Site, types: string[], slug: string, reader: User | null): Promise<Post[]> {
  if (slug === '') return [];
  const filter = { type: { $in: types }, slug, status: { $in: NAMED } };
  const found = await site.store.posts.find(filter, { projection: { _id: 1 } }).toArray();
  const ids = found.map(({ _id }) => _id);
  const posts = await findPosts(site.store, ids);
  return posts.filter((post) => canRead(reader, post)).sort((a, b) => a._id - b._id);
}

const bySlug = async (...asked: Parameters<typeof allBySlug>): Promise<Post | null> => (await allBySlug(...asked)).at(0) ?? null;

/** The post or page that has exactly this address. WP: a page has those above it in its own. */
async function byPath(site: Site, slugs: string[], reader: User | null): Promise<Post | null> {
  const posts = await allBySlug(site, TOP_TYPES, slugs.at(-1) ?? '', reader);
  const known = await pagesAbove(site.store, posts);
  return posts.find((post) => permalink(post, site, true, known) === `${site.url}/${slugs.join('/')}/`) ?? null;
}

/** WP: attachments have no pages any more; their address leads to the file. */
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

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** WP: an address that begins like that of something published leads there. */
async function guess(site: Site, address: Address): Promise<Found | null> {
  const types = address.kind === 'single' ? [EVENT] : [EVENT, ...TOP_TYPES];
  if ((address.kind !== 'single' && address.kind !== 'top') || address.slug === '' || ('below' in address && address.below)) return null;
  const [post] = await site.store.posts
    .find({ type: { $in: types }, status: 'publish', slug: { $regex: `^${escapePattern(address.slug)}` } })
    .sort({ slug: 1, _id: 1 })
    .limit(1)
    .toArray();
  return post ? { kind: 'elsewhere', url: await urlOf(post, site), isGuess: true } : null;
}

/** Address by name of what is published. */
export const urlOf = async (post: Post, site: Site): Promise<string> => permalink(post, site, false, await pagesAbove(site.store, [post]));

async function underneath(site: Site, slugs: string[], reader: User | null): Promise<Found | null> {
  const post = await byPath(site, slugs, reader);
  return post ? { kind: 'post', post } : attachment(site, slugs.at(-1) ?? '', slugs.at(-2));
}

async function category(site: Site, { slug, page }: Address & { kind: 'category' }): Promise<Found | null> {
  const term = slug === '' ? null : await site.store.terms.findOne({ taxonomy: CATEGORY, slug });
  return term && { kind: 'category', term, page };
}

async function list(site: Site, address: Address & { kind: 'list' }): Promise<Found | null> {
  const { view, page, taxonomy, slug, isFeatured } = address;
  if (taxonomy === undefined) return { kind: 'list', view, page, scope: { kind: isFeatured ? 'featured' : 'all' } };
  const term = slug === undefined || slug === '' ? null : await site.store.terms.findOne({ taxonomy, slug });
  return term && { kind: 'list', view, page, scope: { kind: 'term', term } };
}

const inList = (scope: Scope): Found => ({ kind: 'list', view: { kind: 'list' }, page: 1, scope });

/** TEC: these types have no pages of their own; whatever the slug, a general page answers. */
async function linkedList(site: Site, { linked, slug }: Address & { kind: 'linked' }, reader: User | null): Promise<Found | null> {
  const post = await bySlug(site, [LINKED[linked].type], slug, reader);
  if (post) return inList({ kind: 'linked', linked, post });
  return site.quirks.has('venues-have-no-pages') ? { kind: 'front' } : null;
}

/** WP: whoever has published something has a page. */
async function author(site: Site, { nicename }: Address & { kind: 'author' }): Promise<Found | null> {
  const user = await site.store.users.findOne({ nicename });
  if (!user) return null;
  const published = await site.store.posts.findOne({ author: user._id, status: 'publish' }, { projection: { _id: 1 } });
  return published ? inList({ kind: 'author', author: user }) : null;
}

/** What an address shows to a reader; null when that is nothing. */
export async function find(site: Site, address: Address, reader: User | null): Promise<Found | null> {
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
    case 'below':
      return underneath(site, address.slugs, reader);
    case 'category':
      return category(site, address);
    case 'unknown':
      return null;
  }
}

const NUMBERS = ['p', 'page_id', 'attachment_id'];

/** The number by which the front page was asked for something else; 0 when it was not (WP: `?p=35`). */
export function numberOf({ query }: PageRequest): number {
  const given = NUMBERS.map((name) => query[name]).find((value) => typeof value === 'string');
  return intval(given ?? 0);
}

/** The slug of the event that the front page was asked for (TEC: `?tribe_events=bake-sale`); null when it was not. */
export const eventSlugOf = ({ query }: PageRequest): string | null => {
  const slug = query[EVENT];
  return typeof slug === 'string' && slug !== '' ? sanitizeTitle(slug) : null;
};

/** Parameters that are settled once the number has found its post (WP). */
export const SETTLED = [...NUMBERS, 'post_type'];

/**
 * What a number stands for: the address by name of what is published, the post itself for those who may see it otherwise, nothing for
 * all others. TEC: types without pages of their own, as venues and organizers, have none by number either.
 */
export async function findByNumber(site: Site, number: number, reader: User | null): Promise<Found | null> {
  const post = await findPost(site.store, number);
  if (!post) return null;
  if (isLinked(post) && !site.quirks.has('venues-have-no-pages'))
    return canRead(reader, post) && NAMED.includes(post.status)
      ? { kind: 'elsewhere', url: permalink(post, site, true), isGuess: true }
      : null;
  if (![EVENT, ATTACHMENT, ...TOP_TYPES].includes(post.type)) return null;
  if (post.type === ATTACHMENT) {
    const parent = post.parent === 0 ? null : await findPost(site.store, post.parent);
    const isPublic = post.status === 'inherit' && (!parent || parent.status === 'publish');
    return isPublic && post.file !== undefined ? { kind: 'elsewhere', url: fileUrl(post, site), isGuess: true } : null;
  }
  if (post.status === 'publish') return { kind: 'elsewhere', url: await urlOf(post, site), isGuess: true };
  return canRead(reader, post) && post.status !== 'trash' ? { kind: 'post', post } : null;
}
