import { intval, isEmpty } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { listResponse } from '../../rest/lists.js';
import { discussionOf } from '../../rest/posts/discussion.js';
import type { Args, Permission, Route } from '../../rest/route.js';
import { findPost } from '../../wp/posts.js';
import { can, canRead } from '../../wp/users/capabilities.js';
import * as shared from '../args.js';
import { edit, editing, get, notBuilt, post, remove, route, type Action } from '../declare.js';

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

/** The list of comments, which links of attachments embed. This server stores no comments: it is always empty. */
const LIST: Action<Args> = {
  permission: 'public',
  handler: (context) => listResponse(context, '/wp/v2/comments', { items: [], total: 0, pages: 0, page: 1 }),
};

const MODERATED = ['author', 'author_ip', 'status'] as const;

/** WP: who may comment on what. Filters of the list count as fields here: `status` has a default there. */
const mayComment: Permission = async ({ request, site }) => {
  const { user } = request;
  if (!user) return new RestError('rest_comment_login_required', 'Sorry, you must be logged in to comment.', 401);
  const isOwn = (name: string): boolean => name === 'author' && request.get(name) === user._id;
  const set = MODERATED.find((name) => request.get(name) !== undefined && !isOwn(name));
  if (set !== undefined && !can(user, 'moderate_comments'))
    return new RestError(`rest_comment_invalid_${set}`, `Sorry, you are not allowed to edit '${set}' for comments.`, 403);
  const sent = request.get('post');
  const post = isEmpty(sent) ? null : await findPost(site.store, intval(sent));
  const refused = (code: string, message: string): RestError => new RestError(code, `Sorry, ${message}`, 403);
  if (!post) return refused('rest_comment_invalid_post_id', 'you are not allowed to create this comment without a post.');
  if (post.status === 'draft' || post.status === 'trash')
    return refused(`rest_comment_${post.status}_post`, 'you are not allowed to create a comment on this post.');
  if (!canRead(user, post)) return refused('rest_cannot_read_post', 'you are not allowed to read the post for this comment.');
  return discussionOf(post, site).comments === 'open' || refused('rest_comment_closed', 'comments are closed for this item.');
};

/** A single comment, which is never there. */
const ABSENT: Action<Args> = {
  permission: () => new RestError('rest_comment_invalid_id', 'Invalid comment ID.', 404),
  handler: notBuilt,
};

/** Routes of the comments. */
export function commentRoutes(): Route[] {
  const id = shared.id('comment');
  const password = shared.text('Password of the post the comment is about, if it has one.');
  return [
    route('/comments', get(COMMENT_FILTERS, LIST), post(COMMENT_FIELDS, { permission: mayComment, handler: notBuilt })),
    route(
      '/comments/(?P<id>[\\d]+)',
      get({ id, context: shared.context, password }, ABSENT),
      edit({ id, ...editing(COMMENT_FIELDS) }, ABSENT),
      remove({ id, force: shared.force, password }, ABSENT),
    ),
  ];
}
