import { ATTACHMENT, type Post } from '../model.js';
import { permalink, type KnownPosts } from '../posts/permalinks.js';
import type { Site } from '../site.js';

export const fileUrl = ({ file = '' }: Pick<Post, 'file'>, site: Site): string => `${site.uploadsUrl}/${file}`;

/** WP: the segment before the slug of an attachment, where that alone could mean something else. */
export const MARK = 'attachment';

/** The part of an attachment's URL before the slug, or null for a URL by id. WP: the URL of its parent, if that exists and has a pretty permalink. */
function folderOf(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string | null {
  const { rewrite } = site.options;
  if (rewrite.isPlain) return null;
  if (!parent) return post.parent === 0 ? `${site.url}/` : null;
  if (site.registry.findPostType(parent.type)?.viewable === false) return null;
  const url =
    parent.type === ATTACHMENT
      ? `${site.url}${rewrite.ended(`/${parent.slug}`)}`
      : permalink(parent, site, isReader && parent.status === 'private', known);
  return url.includes('?') ? null : url;
}

const byNumber = ({ _id }: Post, site: Site): string => `${site.url}/?attachment_id=${_id}`;

/**
 * The URL of an attachment's page.
 * @param parent the post that it is attached to, if that exists
 * @param known the ancestors of the parent
 * @param isReader whether the caller may read private posts. WP: only then a private parent has a pretty permalink.
 */
export function attachmentUrl(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string {
  const folder = folderOf(post, parent, site, known, isReader);
  if (folder === null) return byNumber(post, site);
  // WP: a number, and what is below categories, could be another page.
  const isMarked = parent !== undefined && (/^\d+$/.test(post.slug) || site.options.rewrite.has('category'));
  return site.options.rewrite.below(folder, isMarked ? `${MARK}/${post.slug}` : post.slug);
}

/** The URL of the page of a post of any type. @param known its ancestors @param isReader as for attachments, of the post itself */
export const anyPermalink = (post: Post, site: Site, known: KnownPosts, isReader = false): string =>
  post.type === ATTACHMENT ? attachmentUrl(post, known.get(post.parent), site, known, isReader) : permalink(post, site, isReader, known);

/** The permalink template for editors (WP: none if it is not attached). */
export function attachmentPattern(post: Post, parent: Post | undefined, site: Site, known?: KnownPosts, isReader = false): string {
  const folder = folderOf(post, parent, site, known, isReader);
  return folder === null || !parent ? byNumber(post, site) : site.options.rewrite.below(folder, '%postname%');
}

/** WP: an attachment has the status of its parent. Without a parent it is public. */
export function effectiveStatus(post: Post, parent: Post | undefined): string {
  if (post.status !== 'inherit') return post.status;
  return parent ? parent.status : 'publish';
}
