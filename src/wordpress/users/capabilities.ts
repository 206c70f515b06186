import { lookup } from '../../base/values/records.js';
import { CATEGORY, PAGE, POST, TAG, metaValue, type Post, type User } from '../model.js';
import type { PostType, Registered } from '../types/post-type.js';
import RIGHTS from './capabilities.json' with { type: 'json' };

/** The capabilities of each role for posts. TEC: each of its post types has its own capabilities, granted in the same way. */
export const ROLE_VERBS: Record<string, readonly string[]> = lookup(RIGHTS.verbs);

/** The capabilities of each role that are independent of post types. */
const ROLE_CAPABILITIES: Record<string, readonly string[]> = lookup(RIGHTS.capabilities);

export const ROLES = Object.keys(ROLE_VERBS);

type PostVerb = 'edit' | 'edit_others' | 'publish' | 'delete' | 'read_private';

/** WP: the roles with capabilities for pages. */
export const WITH_PAGES: ReadonlySet<string> = new Set(['administrator', 'editor']);

/** WP: types that define the appearance of a site require the permission to change its theme. */
const THEME_RIGHT = 'edit_theme_options';

/** Members of a post type that its capabilities depend on. */
export type TypeRights = Pick<PostType, 'name' | 'rights'>;

/** WP: none of their capabilities has another name. */
const BLOG_POSTS: TypeRights = { name: POST };

/** The rights of a post's type. WP: posts whose type is not registered stay. */
const typeOf = ({ type }: Post, registry: Registered): TypeRights => registry.findPostType(type) ?? { name: type };

/** The role by which a caller has rights. WP: super admins of a network may do everything, also where they are no members. */
const roleOf = ({ role, reach }: User): string => (reach === 'network' ? 'administrator' : role);

export const asCaller = <Known extends User | null>(user: Known, { options }: { options: { isInNetwork: boolean } }): Known =>
  user && options.isInNetwork ? { ...user, reach: user.superAdmin ? 'network' : 'site' } : user;

/**
 * Whether a user has a capability for a post type. WP: pages have their own capabilities, which only some roles have; types name others for
 * some of theirs.
 */
function hasVerb(user: User | null, verb: string, { name, rights }: TypeRights): boolean {
  if (!user) return false;
  if (rights?.[`${verb}_posts`] === THEME_RIGHT) return can(user, THEME_RIGHT);
  const role = roleOf(user);
  return (name !== PAGE || WITH_PAGES.has(role)) && (ROLE_VERBS[role] ?? []).includes(verb);
}

/** Whether a user has a capability that is independent of post types, such as `upload_files`. */
export function can(user: User | null, capability: string): boolean {
  if (user === null || (user.reach === 'site' && RIGHTS.ofNetwork.includes(capability))) return false;
  return (ROLE_CAPABILITIES[roleOf(user)] ?? []).includes(capability);
}

/**
 * Whether a user has a general capability for posts of a type, such as `edit` for `edit_posts`.
 * @param type default: blog posts
 */
export const canWithPosts = (user: User | null, verb: PostVerb, type = BLOG_POSTS): boolean => hasVerb(user, verb, type);

/** WP: permissions for a trashed post depend on its previous status. */
const effectiveStatus = (post: Post): string =>
  post.status === 'trash' ? (metaValue(post, '_wp_trash_meta_status') ?? 'draft') : post.status;

/** WP: a page with this slug is installed, which only users who manage the site may edit and delete. */
const isPrivacyPolicy = ({ type, slug }: Post): boolean => type === PAGE && slug === 'privacy-policy';

function canObject(user: User | null, verb: 'edit' | 'delete', post: Post, registry: Registered): boolean {
  if (!user || (isPrivacyPolicy(post) && !can(user, 'manage_privacy_options'))) return false;
  const type = typeOf(post, registry);
  const published = ['publish', 'future'].includes(effectiveStatus(post));
  if (post.author === user._id) return hasVerb(user, published ? `${verb}_published` : verb, type);
  if (!hasVerb(user, `${verb}_others`, type)) return false;
  if (published) return hasVerb(user, `${verb}_published`, type);
  return effectiveStatus(post) === 'private' ? hasVerb(user, `${verb}_private`, type) : true;
}

export const canEdit = (user: User | null, post: Post, registry: Registered): boolean => canObject(user, 'edit', post, registry);
export const canDelete = (user: User | null, post: Post, registry: Registered): boolean => canObject(user, 'delete', post, registry);

export const canCreate = (user: User | null, type: TypeRights): boolean =>
  hasVerb(user, type.rights?.create_posts === 'publish_posts' ? 'publish' : 'edit', type);

/** WP: patterns may be read by users who may write posts. */
const mayReadType = (user: User | null, type: TypeRights): boolean => type.rights?.read !== 'edit_posts' || hasVerb(user, 'edit', type);

/** WP: `read_post`. Everybody may read published posts; private posts require `read_private`; others require the right to edit. */
export function canRead(user: User | null, post: Post, registry: Registered): boolean {
  const type = typeOf(post, registry);
  if (!mayReadType(user, type)) return false;
  if (post.status === 'publish') return true;
  if (!user) return false;
  if (post.author === user._id) return true;
  return post.status === 'private' ? hasVerb(user, 'read_private', type) : canEdit(user, post, registry);
}

/** Taxonomies of blog posts and patterns, which share their capabilities (WP). */
const isBlogTaxonomy = (taxonomy: string, manage: string | undefined): boolean =>
  [TAG, CATEGORY].includes(taxonomy) || manage === 'manage_categories';

/** TEC: managing terms requires both the right to edit posts and the right to manage the taxonomy. */
export function canManageTerms(user: User | null, taxonomy: string, registry: Registered): boolean {
  const manage = registry.findTaxonomy(taxonomy)?.capabilities[0];
  if (manage === THEME_RIGHT) return can(user, THEME_RIGHT);
  if (!canWithPosts(user, 'edit')) return false;
  if (manage?.startsWith('publish_')) return canWithPosts(user, 'publish');
  return isBlogTaxonomy(taxonomy, manage) && can(user, 'manage_categories');
}

/** Whether a user may give terms of a taxonomy to posts. WP: taxonomies of the site's appearance require the right to change it. */
export const canAssignTerms = (user: User | null, taxonomy: string, registry: Registered): boolean =>
  registry.findTaxonomy(taxonomy)?.capabilities[3] === THEME_RIGHT ? can(user, THEME_RIGHT) : canWithPosts(user, 'edit');
