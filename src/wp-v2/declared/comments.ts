import { listResponse } from '../../rest/lists.js';
import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { edit, editing, get, post, remove, route, type Action } from '../declare.js';

const COMMENT_FILTERS: Args = {
  ...shared.paged(10),
  search: shared.search,
  after: shared.after,
  author: shared.ids('IDs of users whose comments to keep.'),
  author_exclude: shared.ids('IDs of users whose comments to leave out.'),
  author_email: shared.text('Keep comments from this email address.', { default: null, format: 'email' }),
  before: shared.before,
  exclude: shared.exclude,
  include: shared.include,
  offset: shared.offset,
  order: shared.order('desc'),
  orderby: shared.orderby('date_gmt', ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type']),
  parent: shared.idFilter('IDs of comments whose replies to keep.'),
  parent_exclude: shared.idFilter('IDs of comments whose replies to leave out.'),
  post: shared.idFilter('IDs of posts whose comments to keep.'),
  status: shared.text('Status to keep.', { default: 'approve' }),
  type: shared.text('Type of comment to keep.', { default: 'comment' }),
  password: shared.text('Password of the post, if it has one.'),
};

const COMMENT_FIELDS: Args = {
  author: shared.integer('ID of the user who wrote it, if it was a user.'),
  author_email: shared.text('Email address of the author.', { format: 'email' }),
  author_ip: shared.text('IP address of the author.', { format: 'ip' }),
  author_name: shared.text('Name of the author.'),
  author_url: shared.text('Website of the author.', { format: 'uri' }),
  author_user_agent: shared.text('Browser of the author.'),
  content: shared.textParts('Content', { raw: ['edit'], rendered: shared.ALL_CONTEXTS }),
  date: shared.instant('Date of the comment, in the time of the site.'),
  date_gmt: shared.instant('Date of the comment, in UTC.'),
  parent: shared.integer('ID of the comment it replies to.', { default: 0 }),
  post: shared.integer('ID of the post it is about.', { default: 0 }),
  status: shared.text('Status of the comment.'),
  meta: shared.metaField({}),
};

/** The list of comments, which is what links of attachments embed. This server takes no comments, so nothing is ever in it. */
const LIST: Action<Args> = {
  permission: 'public',
  handler: (context) => listResponse(context, '/wp/v2/comments', { items: [], total: 0, pages: 0, page: 1 }),
};

/** Routes of the comments. */
export function commentRoutes(): Route[] {
  const id = shared.id('comment');
  const password = shared.text('Password of the post the comment is about, if it has one.');
  return [
    route('/comments', get(COMMENT_FILTERS, LIST), post(COMMENT_FIELDS)),
    route(
      '/comments/(?P<id>[\\d]+)',
      get({ id, context: shared.context, password }),
      edit({ id, ...editing(COMMENT_FIELDS) }),
      remove({ id, force: shared.force, password }),
    ),
  ];
}
