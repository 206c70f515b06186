import { ATTACHMENT, BLOCK, CATEGORY, MENU_ITEM, NAVIGATION, PAGE, POST, metaValue, type Known, type Post } from '../model.js';
import { USUAL, type Rewrite } from '../rewrite.js';
import type { Site } from '../site.js';
import { copiedPath } from '../stored-fields.js';

/** WP: the query parameter of plain permalinks, for types at the root of the site. */
const ID_PARAMETER: Record<string, string> = { [POST]: 'p', [PAGE]: 'page_id', [BLOCK]: 'p', [NAVIGATION]: 'p', [MENU_ITEM]: 'p' };

/** WP: built-in types have the addresses of blog posts, with or without a page there. */
const AT_THE_TOP = [POST, PAGE, BLOCK, NAVIGATION, MENU_ITEM];

/** Posts by id, including the ancestors of pages. */
export type KnownPosts = Known<Post>;

/** Members of a site from which addresses follow. */
type AddressedSite = Pick<Site, 'url' | 'options' | 'registry'>;

const NONE: KnownPosts = new Map();

type Addressed = Pick<Post, '_id' | 'type' | 'slug'> & Pick<Post, 'date' | 'author'> & Partial<Pick<Post, 'parent' | 'terms' | 'fields'>>;

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
function folders(post: Addressed, site: AddressedSite, known: KnownPosts, rewrite: Rewrite): string[] {
  const type = site.registry.findPostType(post.type);
  const usual = rewrite === USUAL ? type?.usualFolder : undefined;
  const own = AT_THE_TOP.includes(post.type) ? [] : [usual ?? type?.folder?.(site.options) ?? post.type];
  return type?.nestedSlugs ? [...own, ...slugsAbove(post, known)] : own;
}

/** The path of the category that addresses of a post name. WP: the oldest one of its own, else the default one without its ancestors. */
function categoryOf({ terms }: Addressed, { defaultCategory, rewrite: { named } }: AddressedSite['options']): string {
  const ids = (terms?.[CATEGORY] ?? []).filter((id) => named.categories.has(id));
  return named.categories.get(Math.min(...ids)) ?? named.categories.get(defaultCategory)?.replace(/^.*\//, '') ?? '';
}

/** Values of the tags in the structure of permalinks (WP: `get_permalink`). */
function tagsOf(
  post: Addressed,
  slug: string,
  options: AddressedSite['options'],
  { named, namesOthers }: Rewrite,
): (name: string) => string {
  const { _id, date, author } = post;
  const [year = '', monthnum = '', day = '', hour = '', minute = '', second = ''] = date.split(/[- :]/);
  const values = new Map(Object.entries({ year, monthnum, day, hour, minute, second, post_id: String(_id), postname: slug }));
  if (namesOthers) values.set('category', categoryOf(post, options)).set('author', named.authors.get(author) ?? '');
  return (name) => values.get(name) ?? '';
}

/** WP: types that plugins register are below the folder of blog posts, unless the plugin says otherwise, as TEC does. */
const isInFront = ({ type }: Addressed, { registry }: AddressedSite): boolean => Object.hasOwn(registry.declarations.types ?? {}, type);

/** The pretty permalink of a post, relative to the site's URL, with the given slug. */
function prettyPath(post: Addressed, site: AddressedSite, known: KnownPosts, slug: string, rewrite = site.options.rewrite): string {
  if (AT_THE_TOP.includes(post.type) && post.type !== PAGE) return rewrite.ofPost(tagsOf(post, slug, site.options, rewrite));
  return rewrite.path([...folders(post, site, known, rewrite), slug], isInFront(post, site));
}

/** Whether the settings make a page the front page of the site. */
export const isFrontPage = ({ type, _id }: Addressed, { options: { front } }: AddressedSite): boolean =>
  type === PAGE && front.show_on_front === 'page' && front.page_on_front === _id;

/** Whether the settings make a page the one that lists the blog posts. */
export const isPostsPage = ({ type, _id }: Addressed, { options: { front } }: AddressedSite): boolean =>
  type === PAGE && front.show_on_front === 'page' && front.page_for_posts === _id;

const hasPlainLinks = ({ type }: Addressed, { registry }: AddressedSite): boolean => registry.findPostType(type)?.plainLinks === true;

/** The plain permalink. WP: published posts of types that plugins register are named by their slug. */
function plainPath(post: Addressed, site: AddressedSite, isNamed: boolean, known: KnownPosts): string {
  const { type, _id } = post;
  if (Object.hasOwn(ID_PARAMETER, type)) return `/?${ID_PARAMETER[type]}=${_id}`;
  const slugs = site.registry.findPostType(type)?.nestedSlugs ? [...slugsAbove(post, known), post.slug] : [post.slug];
  return isNamed ? `/?${type}=${slugs.join('/')}` : `/?post_type=${type}&p=${_id}`;
}

function path(post: Addressed, site: AddressedSite, pretty: boolean, known: KnownPosts, rewrite = site.options.rewrite): string {
  const hasPath = pretty && !hasPlainLinks(post, site);
  return hasPath && !rewrite.isPlain ? prettyPath(post, site, known, post.slug, rewrite) : plainPath(post, site, hasPath, known);
}

/** The path of a post with a pretty permalink, also of the one that is the front page. */
export const pathOf = (post: Addressed, site: AddressedSite, known: KnownPosts): string =>
  copiedPath(post, site) ?? path(post, site, true, known);

/**
 * The URL of a post. WP: drafts, and private posts that the caller may not read, have plain permalinks (`/?p=1`).
 * @param readable whether the caller may read it if it is private
 * @param known the ancestors of a page
 */
export function permalink(
  post: Addressed & Pick<Post, 'status'>,
  site: AddressedSite,
  readable: boolean,
  known: KnownPosts = NONE,
): string {
  if (isFrontPage(post, site)) return `${site.url}/`;
  const isPretty = post.status === 'publish' || (post.status === 'private' && readable);
  return `${site.url}${isPretty ? pathOf(post, site, known) : path(post, site, false, known)}`;
}

/** The permalink template, with a placeholder for the slug. WP: blog posts in the trash have none. */
export function permalinkPattern(post: Post, site: AddressedSite, known: KnownPosts = NONE): string {
  if (post.type === POST && post.status === 'trash') return permalink(post, site, false);
  if (isFrontPage(post, site)) return `${site.url}/`;
  if (site.options.rewrite.isPlain) return `${site.url}${plainPath(post, site, true, known)}`;
  return `${site.url}${prettyPath(post, site, known, post.type === POST ? '%postname%' : '%pagename%')}`;
}

/** The `guid` of a new post, relative to the site's URL (WP). */
export function initialGuid(
  post: Addressed & Pick<Post, 'status'>,
  site: AddressedSite,
  known: KnownPosts = NONE,
  rewrite = site.options.rewrite,
): string {
  const guid = path(post, site, post.status === 'publish' || post.status === 'private', known, rewrite);
  // WP: it is stored escaped.
  return hasPlainLinks(post, site) ? guid.replace('&', '&#038;') : guid;
}

/** The original `guid`, which does not follow the settings. WP: in the trash, a post keeps the one with its previous slug. */
function originalGuid(post: Post, site: AddressedSite): string {
  if (post.status !== 'trash') return initialGuid(post, site, NONE, USUAL);
  const slug = metaValue(post, '_wp_desired_post_slug') ?? post.slug.replace(/__trashed$/, '');
  return initialGuid({ ...post, slug, status: metaValue(post, '_wp_trash_meta_status') ?? 'publish' }, site, NONE, USUAL);
}

/** WP: types whose posts start as drafts without a slug, so that the `guid` is a plain permalink. */
const PLAIN_GUIDS: readonly string[] = [POST, PAGE];

/** The `guid` of a post, relative to the site's URL. */
export function guidPath(post: Post, site: AddressedSite): string {
  if (post.guid !== undefined) return post.guid;
  if (PLAIN_GUIDS.includes(post.type) || hasPlainLinks(post, site)) return path(post, site, false, NONE);
  return post.type === ATTACHMENT ? `/${post.slug}/` : originalGuid(post, site);
}

/** The `guid` after an update. WP: every update escapes it. */
export const guidAfterChange = (post: Post, site: AddressedSite): string => guidPath(post, site).replace(/&(?!#038;)/g, '&#038;');
