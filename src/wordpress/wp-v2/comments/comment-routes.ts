import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, edit, editing, get, post, removal as removing, route } from '../declare.js';
import { COMMENT_FIELDS, COMMENT_FILTERS, commentSchema } from './comment-write.js';
import { createComment, commentList, showComment, removeComment, updateComment } from './comment-handlers.js';
import { mayComment, mayDeleteComment, mayListComments, mayReadComment, mayUpdateComment } from './comment-permissions.js';

export function commentRoutes(): Route[] {
  const id = shared.id('comment');
  const password = shared.text('Password of the post of the comment, if it has one.');
  return [
    route(
      '/comments',
      get(COMMENT_FILTERS, { permission: mayListComments, handler: commentList }),
      post(COMMENT_FIELDS, { permission: mayComment, handler: createComment }),
    ),
    route(
      '/comments/(?P<id>[\\d]+)',
      get({ id, context: shared.context, password }, { permission: mayReadComment, handler: showComment }),
      edit({ id, ...editing(COMMENT_FIELDS) }, { permission: mayUpdateComment, handler: updateComment }),
      removing({ id, force: shared.force, password }, { permission: mayDeleteComment, handler: removeComment }),
    ),
  ].map((each) => described(each, commentSchema));
}
