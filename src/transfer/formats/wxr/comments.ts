import { isNoteStatus, type Comment, type Post } from '../../../wordpress/model.js';
import { xmlCdata as cdata } from '../../../wordpress/formatting/xml.js';
import { invalidDate, storedDate } from './dates.js';
import type { WxrComment } from './scan.js';

/** The comments of an item of an export. */

/** WP: the status of a comment before it went to the trash or to spam. */
const STATUS_BEFORE = '_wp_trash_meta_status';

const NOTE_STATUS = '_wp_note_status';

const whole = (text: string | undefined): number => (/^\s*\d+\s*$/.test(text ?? '') ? Number(text) : 0);

const NAMES = { approve: '1', approved: '1', hold: '0', '': '0' } as const;

/** The status as it is stored. WP: importers accept the names of statuses, too. */
const statusOf = (text: string): string => (Object.hasOwn(NAMES, text) ? NAMES[text as keyof typeof NAMES] : text);

/** The id of a comment in its file; 0: none. */
export const idOfComment = ({ fields }: WxrComment): number => whole(fields['wp:comment_id']);

/**
 * Converts a comment of an export.
 * @param post its post, whose date is the default
 * @param userIds ids of the authors of the file
 * @param ids its id, and the ones of earlier comments of the post, by their ids in the file
 * @returns the comment, or the problem
 */
export function readComment(
  { fields, meta }: WxrComment,
  post: Pick<Post, '_id' | 'date' | 'dateGmt'>,
  userIds: ReadonlySet<number>,
  ids: { own: number; others: ReadonlyMap<number, number> },
): Comment | string {
  const text = (name: string): string => fields[`wp:comment_${name}`] ?? '';
  const author = whole(text('user_id'));
  const own = storedDate(text('date'));
  const date = own === '' ? post.date : own;
  const dateGmt = storedDate(text('date_gmt')) || (own === '' ? post.dateGmt : date);
  if (date === undefined || dateGmt === undefined) return `comment ${ids.own}: ${invalidDate(text('date'))}`;
  const { [STATUS_BEFORE]: before, [NOTE_STATUS]: noteStatus } = meta;
  return {
    _id: ids.own,
    post: post._id,
    parent: ids.others.get(whole(text('parent'))) ?? 0,
    author: userIds.has(author) ? author : 0,
    authorName: text('author'),
    authorEmail: text('author_email'),
    authorUrl: text('author_url'),
    authorIp: text('author_IP'),
    agent: text('agent'),
    date,
    dateGmt,
    content: text('content'),
    approved: statusOf(text('approved').trim()),
    type: text('type').trim() || 'comment',
    ...(before === undefined ? {} : { previous: statusOf(before) }),
    ...(isNoteStatus(noteStatus) ? { noteStatus } : {}),
  };
}

const element = (name: string, text: string | number): string =>
  `<wp:comment_${name}>${typeof text === 'number' ? text : cdata(text)}</wp:comment_${name}>`;

const metaElement = (key: string, value: string): string =>
  `<wp:commentmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:commentmeta>`;

/** A comment as an element of its item. WP: has no user agent there; importers skip the element, and an import here keeps it. */
export const commentElement = (comment: Comment): string =>
  `<wp:comment>${[
    element('id', comment._id),
    element('author', comment.authorName),
    element('author_email', comment.authorEmail),
    element('author_url', comment.authorUrl),
    element('author_IP', comment.authorIp),
    ...(comment.agent === '' ? [] : [element('agent', comment.agent)]),
    element('date', comment.date),
    element('date_gmt', comment.dateGmt),
    element('content', comment.content),
    element('approved', comment.approved),
    element('type', comment.type),
    element('parent', comment.parent),
    element('user_id', comment.author),
    ...(comment.previous === undefined ? [] : [metaElement(STATUS_BEFORE, comment.previous)]),
    ...(comment.noteStatus === undefined ? [] : [metaElement(NOTE_STATUS, comment.noteStatus)]),
  ].join('')}</wp:comment>`;
