import { NOTE_STATUSES } from '../../model.js';
import type { Arg, Args, Json, Schema } from '../../rest/route.js';
import { argsUnder } from '../../rest/schema.js';
import { sanitizeKey } from '../../formatting/sanitize.js';
import type { Site } from '../../site.js';
import * as shared from '../args.js';
import { AVATAR_URLS, EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema } from '../schemas.js';

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
