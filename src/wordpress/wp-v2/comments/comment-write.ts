import { isEmpty, toStr } from '../../../base/php/cast.js';
import { lookup } from '../../../base/values/records.js';
import { readSentDate } from '../../rest/posts/dates.js';
import { type CallContext, type Arg, type Args, type Json, type Schema, RestError } from '../../rest/route.js';
import { ANY_CASE } from '../../../database/store/indexes.js';
import { APPROVED, HELD, withStatus } from '../../query/comments.js';
import { relUgc } from '../../formatting/comments/clickable.js';
import { renderComment } from '../../formatting/comments/comment-text.js';
import { escUrlRaw } from '../../formatting/entities.js';
import { sanitizeTextField, saveTermName, sanitizeKey } from '../../formatting/sanitize.js';
import { ksesComment, ksesMentions, htmlRules, PAGE_RULES } from '../../formatting/kses/kses.js';
import { stripAllTags } from '../../formatting/strip-tags.js';
import { NOTE_STATUSES, type Comment, type Post, type User } from '../../model.js';
import type { Site } from '../../site.js';
import { can } from '../../users/capabilities.js';
import { argsUnder } from '../../rest/schema.js';
import * as shared from '../args.js';
import { AVATAR_URLS, EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema } from '../declare.js';

const bad = (code: string, message: string, status = 400): RestError => new RestError(code, message, status);

const TEXTS = [
  ['author_name', 'authorName'],
  ['author_email', 'authorEmail'],
  ['author_url', 'authorUrl'],
  ['author_user_agent', 'agent'],
] as const;

/** The fields that a request sets. @throws RestError for an unknown author */
export async function sentFields({ request, site }: CallContext): Promise<Partial<Comment>> {
  const data: Partial<Comment> = {};
  const content = request.get('content');
  if (typeof content === 'string') data.content = content.trim();
  else if (content && typeof content === 'object' && !Array.isArray(content) && typeof content.raw === 'string')
    data.content = content.raw.trim();
  for (const name of ['post', 'parent'] as const) if (request.isGiven(name)) data[name] = Number(request.get(name));
  if (request.isGiven('author')) {
    const user = await site.store.users.findOne({ _id: Number(request.get('author')) });
    if (!user) throw bad('rest_comment_author_invalid', 'Invalid comment author ID.');
    Object.assign(data, writtenBy(user));
  }
  for (const [name, field] of TEXTS) if (request.isGiven(name)) data[field] = toStr(request.get(name));
  const ip = request.get('author_ip');
  data.authorIp = typeof ip === 'string' && ip !== '' ? ip : request.address.replace(/^::ffff:/, '').replace(/^::1$/, '127.0.0.1');
  for (const [name, isUtc] of [
    ['date', false],
    ['date_gmt', true],
  ] as const) {
    const sent = request.get(name);
    if (typeof sent !== 'string' || sent === '') continue;
    Object.assign(data, readSentDate(sent, isUtc, site));
    break;
  }
  return data;
}

export const writtenBy = (user: User): Partial<Comment> => ({
  author: user._id,
  authorName: user.displayName,
  authorEmail: user.email,
  authorUrl: user.url,
});

const LENGTHS = [
  ['authorName', 245, 'comment_author_column_length'],
  ['authorEmail', 100, 'comment_author_email_column_length'],
  ['authorUrl', 200, 'comment_author_url_column_length'],
  ['content', 65_525, 'comment_content_column_length'],
] as const;

/** @throws RestError for values too long for their columns (WP) */
export function checkLengths(data: Partial<Comment>): void {
  const long = LENGTHS.find(([field, most]) => Array.from(data[field] ?? '').length > most);
  if (long) throw bad(long[2], 'Comment field exceeds maximum length allowed.');
}

const sanitized = (html: string, { quirks }: Site): string =>
  (quirks.has('no-note-mentions') ? ksesComment : ksesMentions)(html, htmlRules(quirks));

type Filtered = Pick<Comment, 'content' | 'authorName' | 'authorUrl' | 'agent'>;

/**
 * A comment as it is stored. WP: HTML is sanitized by the permissions of the authors, and links are marked as user-generated.
 * @param authors users whose permissions apply: the caller, and the author of a stored comment
 */
export const filteredComment = (
  { content, authorName, authorUrl, agent }: Filtered,
  authors: readonly (User | null)[],
  { site }: CallContext,
): Filtered => ({
  content: relUgc(authors.every((user) => can(user, 'unfiltered_html')) ? content : sanitized(content, site), site.storedUrl),
  authorName: saveTermName(authorName),
  // WP: a URL is sanitized like HTML, which escapes `&`.
  authorUrl: ksesComment(escUrlRaw(stripAllTags(authorUrl)), PAGE_RULES),
  agent: sanitizeTextField(agent),
});

/** WP: minimum number of seconds between two comments of one author. */
const PAUSE_SECONDS = 15;

const epoch = (gmt: string): number => Date.parse(`${gmt.replace(' ', 'T')}Z`) / 1000;

/** @throws RestError for duplicates, and for authors who write too fast (WP) */
export async function checkRepetition(data: Omit<Comment, '_id'>, { request, site }: CallContext): Promise<void> {
  const { comments } = site.store;
  const { post, parent, author, authorName, authorEmail, authorIp, content, dateGmt } = data;
  const by = authorEmail === '' ? { authorName } : { $or: [{ authorName }, { authorEmail }] };
  if (await comments.findOne({ post, parent, content, approved: { $ne: 'trash' }, ...by }, { projection: { _id: 1 } }))
    throw bad('comment_duplicate', 'Duplicate comment detected; it looks as though you&#8217;ve already said that!', 409);
  if (can(request.user, 'moderate_comments')) return;
  const same = author > 0 ? { author } : { $or: [{ authorIp }, { authorEmail }] };
  const last = await comments.findOne(same, { sort: { dateGmt: -1 }, projection: { dateGmt: 1 } });
  if (last && Math.abs(epoch(dateGmt) - epoch(last.dateGmt)) < PAUSE_SECONDS)
    throw bad('comment_flood', 'You are posting comments too quickly. Slow down.');
}

/** Whether a comment has one of the words of a list, also within other words. */
function hasWord(
  { authorName, authorEmail, authorUrl, authorIp, agent, content }: Omit<Comment, '_id'>,
  words: readonly string[],
): boolean {
  if (words.length === 0) return false;
  const texts = [authorName, authorEmail, authorUrl, authorIp, agent, content, stripAllTags(content)].map((text) => text.toLowerCase());
  return words.some((word) => texts.some((text) => text.includes(word.toLowerCase())));
}

/** WP: comments with disallowed words go to the trash; some others wait for a moderator. */
export async function approvalOf(data: Omit<Comment, '_id'>, post: Post, call: CallContext): Promise<string> {
  const { site } = call;
  const { author } = data;
  const user = author > 0 ? await site.store.users.findOne({ _id: author }) : null;
  if (user && (user._id === post.author || can(user, 'moderate_comments'))) return APPROVED;
  return hasWord(data, site.options.comments.disallowed) ? 'trash' : heldOrApproved(data, call);
}

/** Whether a new comment waits for a moderator. WP: not if the author was approved before. */
async function heldOrApproved(data: Omit<Comment, '_id'>, { site }: CallContext): Promise<string> {
  const { authorName, authorEmail, content } = data;
  const { areModerated, maxLinks, held, areKnownApproved } = site.options.comments;
  if (areModerated) return HELD;
  if (maxLinks > 0 && (renderComment(content, site.storedUrl).match(/<a [^>]*href/gi) ?? []).length >= maxLinks) return HELD;
  if (hasWord(data, held)) return HELD;
  if (!areKnownApproved) return APPROVED;
  if (isEmpty(authorName) || isEmpty(authorEmail)) return HELD;
  // WP: compares the email address, not the user.
  const known = await site.store.users.findOne({ email: authorEmail }, { collation: ANY_CASE, projection: { _id: 1 } });
  const before = known ? { author: known._id } : { authorName, authorEmail };
  return (await site.store.comments.findOne({ ...before, approved: APPROVED }, { projection: { _id: 1 } })) ? APPROVED : HELD;
}

const STATUS: Record<string, string> = lookup({ approved: APPROVED, approve: APPROVED, '1': APPROVED, hold: HELD, '0': HELD });
const OTHERS: ReadonlySet<string> = new Set(['spam', 'unspam', 'trash', 'untrash']);

/** The changes for a requested status; none if it is unknown (WP). */
export function statusChange(comment: Comment, { request }: CallContext): Partial<Comment> {
  const wanted = request.isGiven('status') ? toStr(request.get('status')) : '';
  const status = STATUS[wanted] ?? (OTHERS.has(wanted) ? wanted : undefined);
  return status === undefined || status === comment.approved ? {} : withStatus(comment, status);
}

const cleanKey = { sanitize: (value: Json): string => (typeof value === 'string' ? sanitizeKey(value) : '') };

export const COMMENT_FILTERS = {
  ...shared.paged(10),
  search: shared.search,
  after: shared.after,
  author: shared.ids('Only comments by these users, by ID.'),
  author_exclude: shared.ids('Exclude comments by these users, by ID.'),
  author_email: shared.text('Only comments from this email address.', { default: null, format: 'email' }),
  before: shared.before,
  exclude: shared.exclude,
  include: shared.include,
  offset: shared.offset,
  order: shared.order('desc'),
  orderby: shared.orderby('date_gmt', ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type']),
  parent: shared.idFilter('Only replies to these comments, by ID.'),
  parent_exclude: shared.idFilter('Exclude replies to these comments, by ID.'),
  post: shared.idFilter('Only comments on these posts, by ID.'),
  status: shared.checkedFirst('status', shared.text('Only comments with this status.', { default: 'approve', ...cleanKey })),
  type: shared.checkedFirst('type', shared.text('Only comments of this type.', { default: 'comment', ...cleanKey })),
  password: shared.text('Password of the post, if it has one.'),
} satisfies Args;

/** WP: the registered meta of comments. A comment without a status shows null, although null is not a choice. */
export const COMMENT_META = {
  _wp_note_status: { type: 'string', title: '', description: 'Status of a note.', default: '', enum: NOTE_STATUSES },
} satisfies Record<string, Schema>;

export const COMMENT_FIELDS: Args = {
  author: shared.integer('ID of the author, if the author is a user.'),
  author_email: shared.text('Email address of the author.', { format: 'email' }),
  author_ip: shared.text('IP address of the author.', { format: 'ip' }),
  author_name: shared.text('Name of the author.'),
  author_url: shared.text('URL of the author.', { format: 'uri' }),
  author_user_agent: shared.text('User agent of the author.'),
  content: shared.textParts('Content', { raw: ['edit'], rendered: shared.ALL_CONTEXTS }),
  date: shared.instant('Date of the comment, in the time zone of the site.'),
  date_gmt: shared.instant('Date of the comment, in UTC.'),
  parent: shared.integer('ID of the parent comment.', { default: 0 }),
  post: shared.integer('ID of the post of the comment.', { default: 0 }),
  status: shared.text('Status of the comment.'),
  meta: { ...shared.metaField(COMMENT_META), under: { 'no-notes': { properties: shared.metaField({}).properties } } },
};

const shownArg = (description: string, more: Partial<Arg>): Arg => ({ type: 'string', ...more, description, readonly: true });

const HIDDEN = Object.fromEntries(['author_email', 'author_ip', 'author_user_agent'].map((name) => [name, EDIT_ONLY]));
const NOT_IN_EMBEDS = Object.fromEntries(['date_gmt', 'post', 'status', 'meta'].map((name) => [name, NOT_EMBEDDED]));

const SHOWN: Args = {
  ...COMMENT_FIELDS,
  id: shownArg('ID of the comment.', { type: 'integer' }),
  link: shownArg('URL of the object.', { format: 'uri' }),
  type: shownArg('Type of the object.', { default: 'comment', under: { 'no-notes': { default: undefined } } }),
  author_avatar_urls: shownArg('Avatar URLs of the user by size.', AVATAR_URLS),
};

/** A comment, as OPTIONS describes it. */
export const commentSchema = ({ quirks }: Site): Record<string, Json> =>
  resourceSchema('comment', argsUnder(quirks, SHOWN), { ...HIDDEN, ...NOT_IN_EMBEDS }, EVERYWHERE);
