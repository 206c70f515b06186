import { ATTACHMENT, type Post } from './model.js';
import { permalink } from './permalinks.js';
import type { Site } from './site.js';

/** WP: post types of a site that live at its root. */
const BLOG_TYPES = ['post', 'page'];

/** The address of the file of an attachment. */
export const fileUrl = ({ file = '' }: Pick<Post, 'file'>, site: Site): string => `${site.uploadsUrl}/${file}`;

/** Address of a post of any type that has pages. */
function parentUrl(parent: Post, site: Site): string {
  if (!BLOG_TYPES.includes(parent.type)) return permalink(parent, site, false);
  return parent.status === 'publish' ? `${site.url}/${parent.slug}/` : `${site.url}/?p=${parent._id}`;
}

/** What stands before the slug of an attachment, or null when its address is by number. WP: below what it is attached to, as long as that has an address by name. */
function folderOf(parent: Post | undefined, site: Site): string | null {
  if (!parent) return `${site.url}/`;
  const url = parent.type === ATTACHMENT ? `${site.url}/${parent.slug}/` : parentUrl(parent, site);
  return url.includes('?') ? null : url;
}

const byNumber = ({ _id }: Post, site: Site): string => `${site.url}/?attachment_id=${_id}`;

/** Address of the page of an attachment. @param parent what it is attached to, if that is still there */
export function attachmentUrl(post: Post, parent: Post | undefined, site: Site): string {
  const folder = folderOf(parent, site);
  return folder === null ? byNumber(post, site) : `${folder}${post.slug}/`;
}

/** Its pattern, for editors of its slug (WP: none for what is not attached). */
export function attachmentPattern(post: Post, parent: Post | undefined, site: Site): string {
  const folder = folderOf(parent, site);
  return folder === null || !parent ? byNumber(post, site) : `${folder}%postname%/`;
}

/** WP: an attachment is guarded by what it belongs to; one that belongs to nothing is public. */
export function effectiveStatus(post: Post, parent: Post | undefined): string {
  if (post.status !== 'inherit') return post.status;
  return parent ? parent.status : 'publish';
}
