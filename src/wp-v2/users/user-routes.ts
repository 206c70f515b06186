import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, notBuilt, post, remove, route } from '../declare.js';
import { DELETION_ARGS, USER_FIELDS, USER_SCHEMA, userFilters } from './user-args.js';
import { listUsers, mayCreate, mayDelete, mayList, mayRead, mayUpdate, me, named, read, update } from './user-handlers.js';

const id = shared.id('user');
const { context } = shared;

/** Routes of the users: the collection, one by number, and the caller as `me`. Accounts come and go by the command line. */
export const userRoutes = (): Route[] =>
  [
    batched(
      route(
        '/users',
        get(userFilters(), { permission: mayList, handler: listUsers }),
        post(USER_FIELDS, { permission: mayCreate, handler: notBuilt }),
      ),
    ),
    batched(
      route(
        '/users/(?P<id>[\\d]+)',
        get({ id, context }, { permission: mayRead, handler: read(named) }),
        edit({ id, ...editing(USER_FIELDS) }, { permission: mayUpdate(named), handler: update(named) }),
        remove({ id, ...DELETION_ARGS }, { permission: mayDelete(named), handler: notBuilt }),
      ),
    ),
    route(
      '/users/me',
      get({ context }, { permission: 'public', handler: read(me) }),
      edit(editing(USER_FIELDS), { permission: mayUpdate(me), handler: update(me) }),
      remove(DELETION_ARGS, { permission: mayDelete(me), handler: notBuilt }),
    ),
  ].map((each) => described(each, USER_SCHEMA));
