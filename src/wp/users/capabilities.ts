import { CATEGORY, PAGE, POST, TAG, metaValue, type Post, type User } from '../model.js';
import { findTaxonomy } from '../types/registry.js';

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

/** What each role may do with posts. TEC: every one of its post types has a capability family of its own, all given alike. */
export const ROLE_VERBS: Record<string, readonly string[]> = {
  administrator: ALL,
  editor: ALL,
  author: ['edit', 'edit_published', 'publish', 'delete', 'delete_published'],
  contributor: ['edit', 'delete'],
  subscriber: [],
};

/** Capabilities that belong to no post type. */
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
  ],
  editor: ['read', 'upload_files', 'moderate_comments', 'manage_categories', 'unfiltered_html'],
  author: ['read', 'upload_files'],
  contributor: ['read'],
  subscriber: ['read'],
};

export const ROLES = Object.keys(ROLE_VERBS);

export type PostVerb = 'edit' | 'edit_others' | 'publish' | 'delete' | 'read_private';

/** WP: pages are for those who may do everything with posts. */
export const WITH_PAGES: ReadonlySet<string> = new Set(['administrator', 'editor']);

/** Whether a role has a capability of the family of a post type. WP: pages have one of their own, which is not given like that of posts. */
const hasVerb = (user: User | null, verb: string, type: string): boolean =>
  user !== null && (type !== PAGE || WITH_PAGES.has(user.role)) && (ROLE_VERBS[user.role] ?? []).includes(verb);

/** A capability that is about no particular post: `edit_posts` of a type, `upload_files`, … */
export function can(user: User | null, capability: string): boolean {
  return user !== null && (ROLE_CAPABILITIES[user.role] ?? []).includes(capability);
}

/**
 * The general capability, about no particular post: `edit` stands for `edit_posts` and its siblings.
 * @param type post type whose capabilities count
 */
export const canWithPosts = (user: User | null, verb: PostVerb, type: string = POST): boolean => hasVerb(user, verb, type);

/** WP: a trashed post is guarded by the status that it had before. */
const effectiveStatus = (post: Post): string =>
  post.status === 'trash' ? (metaValue(post, '_wp_trash_meta_status') ?? 'draft') : post.status;

function canObject(user: User | null, verb: 'edit' | 'delete', post: Post): boolean {
  if (!user) return false;
  const published = ['publish', 'future'].includes(effectiveStatus(post));
  if (post.author === user._id) return hasVerb(user, published ? `${verb}_published` : verb, post.type);
  if (!hasVerb(user, `${verb}_others`, post.type)) return false;
  if (published) return hasVerb(user, `${verb}_published`, post.type);
  return effectiveStatus(post) === 'private' ? hasVerb(user, `${verb}_private`, post.type) : true;
}

export const canEdit = (user: User | null, post: Post): boolean => canObject(user, 'edit', post);
export const canDelete = (user: User | null, post: Post): boolean => canObject(user, 'delete', post);

/** WP: `read_post`. Published things are everybody's; private ones take a right of their own; the rest is for those who may edit. */
export function canRead(user: User | null, post: Post): boolean {
  if (post.status === 'publish') return true;
  if (!user) return false;
  if (post.author === user._id) return true;
  return post.status === 'private' ? hasVerb(user, 'read_private', post.type) : canEdit(user, post);
}

/** Taxonomies of blog posts, which are managed together (WP). */
const BLOG_TAXONOMIES: readonly string[] = [TAG, CATEGORY];

/** TEC: terms are managed by whoever may edit posts and manages the taxonomy. */
export function canManageTerms(user: User | null, taxonomy: string): boolean {
  if (!canWithPosts(user, 'edit')) return false;
  if (findTaxonomy(taxonomy)?.capabilities[0].startsWith('publish_')) return canWithPosts(user, 'publish');
  return BLOG_TAXONOMIES.includes(taxonomy) && can(user, 'manage_categories');
}
