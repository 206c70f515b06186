import { CATEGORY, PAGE, POST, TAG, metaValue, type Post, type User } from '../model.js';
import { findPostType, findTaxonomy } from '../types/registry.js';

const ALL = [
  'edit',
  'edit_others',
  'edit_published',
  'edit_private',
  'publish',
  'delete',
  'delete_others',
  'delete_published',
  'delete_private',
  'read_private',
];

/** The capabilities of each role for posts. TEC: each of its post types has its own capabilities, granted in the same way. */
export const ROLE_VERBS: Record<string, readonly string[]> = {
  administrator: ALL,
  editor: ALL,
  author: ['edit', 'edit_published', 'publish', 'delete', 'delete_published'],
  contributor: ['edit', 'delete'],
  subscriber: [],
};

/** The capabilities of each role that are independent of post types. */
const ROLE_CAPABILITIES: Record<string, readonly string[]> = {
  administrator: [
    'read',
    'upload_files',
    'moderate_comments',
    'manage_categories',
    'unfiltered_html',
    'manage_options',
    'list_users',
    'edit_users',
    'delete_users',
    'create_users',
    'promote_users',
    'switch_themes',
    'edit_theme_options',
  ],
  editor: ['read', 'upload_files', 'moderate_comments', 'manage_categories', 'unfiltered_html'],
  author: ['read', 'upload_files'],
  contributor: ['read'],
  subscriber: ['read'],
};

export const ROLES = Object.keys(ROLE_VERBS);

type PostVerb = 'edit' | 'edit_others' | 'publish' | 'delete' | 'read_private';

/** WP: the roles with capabilities for pages. */
export const WITH_PAGES: ReadonlySet<string> = new Set(['administrator', 'editor']);

/** WP: types that define the appearance of a site require the permission to change its theme. */
const THEME_RIGHT = 'edit_theme_options';

/**
 * Whether a user has a capability for a post type. WP: pages have their own capabilities, which only some roles have; types name others for
 * some of theirs.
 */
function hasVerb(user: User | null, verb: string, type: string): boolean {
  if (!user) return false;
  if (findPostType(type)?.rights?.[`${verb}_posts`] === THEME_RIGHT) return can(user, THEME_RIGHT);
  return (type !== PAGE || WITH_PAGES.has(user.role)) && (ROLE_VERBS[user.role] ?? []).includes(verb);
}

/** Whether a user has a capability that is independent of post types, such as `upload_files`. */
export function can(user: User | null, capability: string): boolean {
  return user !== null && (ROLE_CAPABILITIES[user.role] ?? []).includes(capability);
}

/**
 * Whether a user has a general capability for posts of a type, such as `edit` for `edit_posts`.
 * @param type post type
 */
export const canWithPosts = (user: User | null, verb: PostVerb, type: string = POST): boolean => hasVerb(user, verb, type);

/** WP: permissions for a trashed post depend on its previous status. */
const effectiveStatus = (post: Post): string =>
  post.status === 'trash' ? (metaValue(post, '_wp_trash_meta_status') ?? 'draft') : post.status;

/** WP: a page with this slug is installed, which only users who manage the site may edit and delete. */
const isPrivacyPolicy = ({ type, slug }: Post): boolean => type === PAGE && slug === 'privacy-policy';

function canObject(user: User | null, verb: 'edit' | 'delete', post: Post): boolean {
  if (!user || (isPrivacyPolicy(post) && !can(user, 'manage_options'))) return false;
  const published = ['publish', 'future'].includes(effectiveStatus(post));
  if (post.author === user._id) return hasVerb(user, published ? `${verb}_published` : verb, post.type);
  if (!hasVerb(user, `${verb}_others`, post.type)) return false;
  if (published) return hasVerb(user, `${verb}_published`, post.type);
  return effectiveStatus(post) === 'private' ? hasVerb(user, `${verb}_private`, post.type) : true;
}

export const canEdit = (user: User | null, post: Post): boolean => canObject(user, 'edit', post);
export const canDelete = (user: User | null, post: Post): boolean => canObject(user, 'delete', post);

/** Whether a user may create posts of a type. */
export const canCreate = (user: User | null, type: string): boolean =>
  hasVerb(user, findPostType(type)?.rights?.create_posts === 'publish_posts' ? 'publish' : 'edit', type);

/** WP: patterns may be read by users who may write posts. */
const mayReadType = (user: User | null, type: string): boolean =>
  findPostType(type)?.rights?.read !== 'edit_posts' || hasVerb(user, 'edit', type);

/** WP: `read_post`. Everybody may read published posts; private posts require `read_private`; others require the right to edit. */
export function canRead(user: User | null, post: Post): boolean {
  if (!mayReadType(user, post.type)) return false;
  if (post.status === 'publish') return true;
  if (!user) return false;
  if (post.author === user._id) return true;
  return post.status === 'private' ? hasVerb(user, 'read_private', post.type) : canEdit(user, post);
}

/** Taxonomies of blog posts and patterns, which share their capabilities (WP). */
const isBlogTaxonomy = (taxonomy: string): boolean =>
  [TAG, CATEGORY].includes(taxonomy) || findTaxonomy(taxonomy)?.capabilities[0] === 'manage_categories';

/** TEC: managing terms requires both the right to edit posts and the right to manage the taxonomy. */
export function canManageTerms(user: User | null, taxonomy: string): boolean {
  if (findTaxonomy(taxonomy)?.capabilities[0] === THEME_RIGHT) return can(user, THEME_RIGHT);
  if (!canWithPosts(user, 'edit')) return false;
  if (findTaxonomy(taxonomy)?.capabilities[0].startsWith('publish_')) return canWithPosts(user, 'publish');
  return isBlogTaxonomy(taxonomy) && can(user, 'manage_categories');
}

/** Whether a user may give terms of a taxonomy to posts. WP: taxonomies of the site's appearance require the right to change it. */
export const canAssignTerms = (user: User | null, taxonomy: string): boolean =>
  findTaxonomy(taxonomy)?.capabilities[3] === THEME_RIGHT ? can(user, THEME_RIGHT) : canWithPosts(user, 'edit');
