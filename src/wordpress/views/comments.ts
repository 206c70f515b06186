import { decodeEntities } from '../formatting/decode-entities.js';
import { renderComment } from '../formatting/comments/comment-text.js';
import { ksesPost, PAGE_RULES } from '../formatting/kses/kses.js';
import { attachmentUrl } from '../media/attachments.js';
import { ATTACHMENT, type Comment, type Post } from '../model.js';
import { atComment } from '../links.js';
import { permalink, type KnownPosts } from '../posts/permalinks.js';
import { APPROVED, withoutNotes } from '../query/comments.js';
import type { Site } from '../site.js';
import { trusted, type Html } from './html.js';
import type { Reading } from './reading.js';

/** Comments as a reader sees them. */

/** The name of an author. WP: one without a name is anonymous. */
export const commentAuthor = ({ authorName }: Comment, { texts }: Reading): string => decodeEntities(authorName) || texts.anonymous;

/** The content of a comment, sanitized. */
export const commentText = ({ content }: Comment, { site }: Reading): Html =>
  trusted(ksesPost(renderComment(content, site.storedUrl), PAGE_RULES));

/** The address of a comment on the page of its post. */
export function commentUrl({ _id }: Comment, post: Post, site: Site, known: KnownPosts): string {
  const page = post.type === ATTACHMENT ? attachmentUrl(post, known.get(post.parent), site, known) : permalink(post, site, false, known);
  return atComment(page, _id, site);
}

/** The approved comments of a post, the oldest first. */
export const commentsOn = ({ _id }: Post, { store, quirks }: Site): Promise<Comment[]> =>
  store.comments.find({ post: _id, approved: APPROVED, ...withoutNotes(quirks) }, { sort: { dateGmt: 1, _id: 1 } }).toArray();
