import { lookup } from '../../../base/values/records.js';
import { isNoteStatus, type Comment } from '../../../wordpress/model.js';
import type { CoreComment, Summary } from './summary.js';
import { storedComment } from './unrender.js';

const STATUS: Readonly<Record<string, string>> = lookup({ approved: '1', hold: '0' });

/** Whether the post of a comment is copied. */
export const isOnCopied = ({ post = 0 }: CoreComment, { ids, embedded, images, others, unlisted }: Summary): boolean =>
  embedded.has(post) || images.has(post) || others.has(post) || unlisted.has(post) || Object.values(ids).some((each) => each.has(post));

/** Converts a comment of the core API. */
export function commentDocument(comment: CoreComment, siteUrl: string): Comment {
  const { content = {}, status = 'approved', date = '', date_gmt = date } = comment;
  const noteStatus = comment.meta?._wp_note_status;
  return {
    _id: comment.id,
    post: comment.post ?? 0,
    parent: comment.parent ?? 0,
    author: comment.author ?? 0,
    authorName: comment.author_name ?? '',
    authorEmail: comment.author_email ?? '',
    authorUrl: comment.author_url ?? '',
    authorIp: comment.author_ip ?? '',
    agent: comment.author_user_agent ?? '',
    date: date.replace('T', ' '),
    dateGmt: date_gmt.replace('T', ' '),
    content: storedComment(content.rendered ?? '', content.raw, siteUrl),
    approved: STATUS[status] ?? status,
    type: comment.type || 'comment',
    ...(isNoteStatus(noteStatus) ? { noteStatus } : {}),
  };
}
