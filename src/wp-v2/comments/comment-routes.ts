import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, edit, editing, get, post, remove as removing, route } from '../declare.js';
import { COMMENT_FIELDS, COMMENT_FILTERS, COMMENT_SCHEMA } from './comment-args.js';
import { create, list, read, remove, update } from './comment-handlers.js';
import { mayComment, mayDelete, mayList, mayRead, mayUpdate } from './comment-permissions.js';

/** Routes of the comments. */
export function commentRoutes(): Route[] {
  const id = shared.id('comment');
  const password = shared.text('Password of the post of the comment, if it has one.');
  return [
    route(
      '/comments',
      get(COMMENT_FILTERS, { permission: mayList, handler: list }),
      post(COMMENT_FIELDS, { permission: mayComment, handler: create }),
    ),
    route(
      '/comments/(?P<id>[\\d]+)',
      get({ id, context: shared.context, password }, { permission: mayRead, handler: read }),
      edit({ id, ...editing(COMMENT_FIELDS) }, { permission: mayUpdate, handler: update }),
      removing({ id, force: shared.force, password }, { permission: mayDelete, handler: remove }),
    ),
  ].map((each) => described(each, COMMENT_SCHEMA));
}
