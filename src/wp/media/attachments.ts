import { ATTACHMENT, type Post } from '../model.js';
import { permalink, type KnownPosts } from '../permalinks.js';
import type { Site } from '../site.js';
import { findPostType } from '../types/registry.js';

/** The address of the file of an attachment. */
export const fileUrl = ({ file = '' }: Pick<Post, 'file'>, site: Site): string => `${site.uploadsUrl}/${file}`;

/** What stands before the slug of an attachment, or null when its address is by number. WP: below what it is attached to, as long as that is there and has a page by name. */
function folderOf(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string | null {
  if (!parent) return post.parent === 0 ? `${site.url}/` : null;
  if (findPostType(parent.type)?.viewable === false) return null;
  const url =
    parent.type === ATTACHMENT ? `${site.url}/${parent.slug}/` : permalink(parent, site, isReader && parent.status === 'private', known);
  return url.includes('?') ? null : url;
}

const byNumber = ({ _id }: Post, site: Site): string => `${site.url}/?attachment_id=${_id}`;

/**
 * Address of the page of an attachment.
 * @param parent what it is attached to, if that is still there
 * @param known what stands above that
 * @param isReader what is private has its address by name for those who may read it (WP)
 */
export function attachmentUrl(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string {
  const folder = folderOf(post, parent, site, known, isReader);
  return folder === null ? byNumber(post, site) : `${folder}${post.slug}/`;
}

/** Its pattern, for editors of its slug (WP: none for what is not attached). */
export function attachmentPattern(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string {
  const folder = folderOf(post, parent, site, known, isReader);
  return folder === null || !parent ? byNumber(post, site) : `${folder}%postname%/`;
}

/** WP: an attachment is guarded by what it belongs to; one that belongs to nothing is public. */
export function effectiveStatus(post: Post, parent: Post | undefined): string {
  if (post.status !== 'inherit') return post.status;
  return parent ? parent.status : 'publish';
}
