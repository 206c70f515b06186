import { ATTACHMENT, PAGE, POST, metaValue, type Post } from './model.js';
import type { Site } from './site.js';
import { findPostType } from './types/registry.js';

/** Where the numbers of posts that live at the root of the site are asked for (WP). */
const NUMBER_QUERY: Record<string, string> = { [POST]: 'p', [PAGE]: 'page_id' };

/** Posts by id, those above a page among them. */
export type KnownPosts = ReadonlyMap<number, Post>;

const NONE: KnownPosts = new Map();

type Addressed = Pick<Post, '_id' | 'type' | 'slug'> & Partial<Pick<Post, 'parent'>>;

/** Slugs of what stands above a page, the topmost first. */
function slugsAbove({ _id, parent = 0 }: Addressed, known: KnownPosts): string[] {
  const slugs: string[] = [];
  const seen = new Set([_id]);
  for (let above = known.get(parent); above && !seen.has(above._id); above = known.get(above.parent)) {
    // WP: a draft that has no slug yet is passed over.
    if (above.slug !== '') slugs.unshift(above.slug);
    seen.add(above._id);
  }
  return slugs;
}

/** What the pretty address of a post has before its slug, as parts of a path. */
function folders(post: Addressed, site: Site, known: KnownPosts): string[] {
  if (post.type === PAGE) return slugsAbove(post, known);
  return post.type === POST ? [] : [findPostType(post.type)?.folder?.(site.options) ?? post.type];
}

/** The pretty address of a post below that of the site, with this in place of its slug. */
const prettyPath = (post: Addressed, site: Site, known: KnownPosts, slug: string): string =>
  `/${[...folders(post, site, known), slug].join('/')}/`;

function path(post: Addressed, site: Site, pretty: boolean, known: KnownPosts): string {
  if (pretty) return prettyPath(post, site, known, post.slug);
  const { type, _id } = post;
  return Object.hasOwn(NUMBER_QUERY, type) ? `/?${NUMBER_QUERY[type]}=${_id}` : `/?post_type=${type}&p=${_id}`;
}

/**
 * WP: the pretty address of what this caller may see, a query form for everything else.
 * @param known what stands above it, where it is a page
 */
export function permalink(post: Addressed & Pick<Post, 'status'>, site: Site, readable: boolean, known: KnownPosts = NONE): string {
  return `${site.url}${path(post, site, post.status === 'publish' || (post.status === 'private' && readable), known)}`;
}

/** The pattern of the address of a post, its slug left open. WP: a blog post in the trash has none. */
export function permalinkPattern(post: Post, site: Site, known: KnownPosts = NONE): string {
  if (post.type === POST && post.status === 'trash') return permalink(post, site, false);
  return `${site.url}${prettyPath(post, site, known, post.type === POST ? '%postname%' : '%pagename%')}`;
}

/** The address that a post has when it is made, below that of the site (WP: its `guid`). */
export const guidWhenMade = (post: Addressed & Pick<Post, 'status'>, site: Site, known: KnownPosts = NONE): string =>
  path(post, site, post.status === 'publish' || post.status === 'private', known);

/** WP: what is in the trash was published under the slug that it will have back. */
function guidBefore(post: Post, site: Site): string {
  if (post.status !== 'trash') return guidWhenMade(post, site);
  const slug = metaValue(post, '_wp_desired_post_slug') ?? post.slug.replace(/__trashed$/, '');
  return guidWhenMade({ ...post, slug, status: metaValue(post, '_wp_trash_meta_status') ?? 'publish' }, site);
}

/** What a site starts with: made by the installer as a draft, before it had a name (WP). */
const MADE_BY_NUMBER: readonly string[] = [POST, PAGE];

/** The `guid` of a post, below the address of the site. */
export function guidPath(post: Post, site: Site): string {
  if (post.guid !== undefined) return post.guid;
  if (MADE_BY_NUMBER.includes(post.type)) return path(post, site, false, NONE);
  return post.type === ATTACHMENT ? `/${post.slug}/` : guidBefore(post, site);
}

/** The `guid` of a post after it was changed. WP: every change escapes it. */
export const guidAfterChange = (post: Post, site: Site): string => guidPath(post, site).replace(/&(?!#038;)/g, '&#038;');
