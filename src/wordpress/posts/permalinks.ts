import { ATTACHMENT, BLOCK, MENU_ITEM, NAVIGATION, PAGE, POST, metaValue, type Known, type Post } from '../model.js';
import type { Site } from '../site.js';

/** WP: the query parameter of plain permalinks, for types at the root of the site. */
const ID_PARAMETER: Record<string, string> = { [POST]: 'p', [PAGE]: 'page_id', [BLOCK]: 'p', [NAVIGATION]: 'p', [MENU_ITEM]: 'p' };

/** WP: built-in types have the addresses of blog posts, with or without a page there. */
const AT_THE_TOP = [POST, PAGE, BLOCK, NAVIGATION, MENU_ITEM];

/** Posts by id, including the ancestors of pages. */
export type KnownPosts = Known<Post>;

const NONE: KnownPosts = new Map();

type Addressed = Pick<Post, '_id' | 'type' | 'slug'> & Partial<Pick<Post, 'parent'>>;

/** The slugs of a page's ancestors, the topmost first. */
function slugsAbove({ _id, parent = 0 }: Addressed, known: KnownPosts): string[] {
  const slugs: string[] = [];
  const seen = new Set([_id]);
  for (let above = known.get(parent); above && !seen.has(above._id); above = known.get(above.parent)) {
    // WP: ancestors without a slug are skipped.
    if (above.slug !== '') slugs.unshift(above.slug);
    seen.add(above._id);
  }
  return slugs;
}

/** The path segments before the slug. */
function folders(post: Addressed, site: Site, known: KnownPosts): string[] {
  const type = site.registry.findPostType(post.type);
  const own = AT_THE_TOP.includes(post.type) ? [] : [type?.folder?.(site.options) ?? post.type];
  return type?.nestedSlugs ? [...own, ...slugsAbove(post, known)] : own;
}

/** The pretty permalink of a post, relative to the site's URL, with the given slug. */
const prettyPath = (post: Addressed, site: Site, known: KnownPosts, slug: string): string =>
  `/${[...folders(post, site, known), slug].join('/')}/`;

const hasPlainLinks = ({ type }: Addressed, { registry }: Site): boolean => registry.findPostType(type)?.plainLinks === true;

function path(post: Addressed, site: Site, pretty: boolean, known: KnownPosts): string {
  if (pretty && !hasPlainLinks(post, site)) return prettyPath(post, site, known, post.slug);
  const { type, _id } = post;
  return Object.hasOwn(ID_PARAMETER, type) ? `/?${ID_PARAMETER[type]}=${_id}` : `/?post_type=${type}&p=${_id}`;
}

/**
 * The URL of a post. WP: drafts, and private posts that the caller may not read, have plain permalinks (`/?p=1`).
 * @param readable whether the caller may read it if it is private
 * @param known the ancestors of a page
 */
export function permalink(post: Addressed & Pick<Post, 'status'>, site: Site, readable: boolean, known: KnownPosts = NONE): string {
  return `${site.url}${path(post, site, post.status === 'publish' || (post.status === 'private' && readable), known)}`;
}

/** The permalink template, with a placeholder for the slug. WP: blog posts in the trash have none. */
export function permalinkPattern(post: Post, site: Site, known: KnownPosts = NONE): string {
  if (post.type === POST && post.status === 'trash') return permalink(post, site, false);
  return `${site.url}${prettyPath(post, site, known, post.type === POST ? '%postname%' : '%pagename%')}`;
}

/** The `guid` of a new post, relative to the site's URL (WP). */
export function initialGuid(post: Addressed & Pick<Post, 'status'>, site: Site, known: KnownPosts = NONE): string {
  const guid = path(post, site, post.status === 'publish' || post.status === 'private', known);
  // WP: it is stored escaped.
  return hasPlainLinks(post, site) ? guid.replace('&', '&#038;') : guid;
}

/** The original `guid`. WP: in the trash, a post keeps the one with its previous slug. */
function originalGuid(post: Post, site: Site): string {
  if (post.status !== 'trash') return initialGuid(post, site);
  const slug = metaValue(post, '_wp_desired_post_slug') ?? post.slug.replace(/__trashed$/, '');
  return initialGuid({ ...post, slug, status: metaValue(post, '_wp_trash_meta_status') ?? 'publish' }, site);
}

/** WP: types whose posts start as drafts without a slug, so that the `guid` is a plain permalink. */
const PLAIN_GUIDS: readonly string[] = [POST, PAGE];

/** The `guid` of a post, relative to the site's URL. */
export function guidPath(post: Post, site: Site): string {
  if (post.guid !== undefined) return post.guid;
  if (PLAIN_GUIDS.includes(post.type) || hasPlainLinks(post, site)) return path(post, site, false, NONE);
  return post.type === ATTACHMENT ? `/${post.slug}/` : originalGuid(post, site);
}

/** The `guid` after an update. WP: every update escapes it. */
export const guidAfterChange = (post: Post, site: Site): string => guidPath(post, site).replace(/&(?!#038;)/g, '&#038;');
