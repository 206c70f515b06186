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
  status: shared.text('Only comments with this status.', { default: 'approve' }),
  type: shared.text('Only comments of this type.', { default: 'comment' }),
  password: shared.text('Password of the post, if it has one.'),
};

const COMMENT_FIELDS: Args = {
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
  const password = shared.text('Password of the post of the comment, if it has one.');
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
