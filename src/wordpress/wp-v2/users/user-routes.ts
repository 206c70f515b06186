import type { Route } from '../../rest/route.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, notBuilt, post, removal, route } from '../declare.js';
import { DELETION_ARGS } from './user-write.js';
import { USER_FIELDS, USER_SCHEMA, userFilters } from './user-args.js';
import * as handlers from './user-handlers.js';

const id = shared.id('user');
const { context } = shared;

/** Routes of the users: the collection, one by number, and the caller as `me`. Accounts are created by the command line. */
export const userRoutes = (registry: Registry): Route[] =>
  [
    batched(
      route(
        '/users',
        get(userFilters(registry), { permission: handlers.mayListUsers, handler: handlers.userList }),
        post(USER_FIELDS, { permission: handlers.mayCreateUser, handler: notBuilt }),
      ),
    ),
    batched(
      route(
        '/users/(?P<id>[\\d]+)',
        get({ id, context }, { permission: handlers.mayReadUser, handler: handlers.readUser(handlers.userNamed) }),
        edit(
          { id, ...editing(USER_FIELDS) },
          { permission: handlers.mayUpdateUser(handlers.userNamed), handler: handlers.updateUser(handlers.userNamed) },
        ),
        removal(
          { id, ...DELETION_ARGS },
          { permission: handlers.mayDeleteUser(handlers.userNamed), handler: handlers.removeUser(handlers.userNamed) },
        ),
      ),
    ),
    route(
      '/users/me',
      get({ context }, { permission: 'public', handler: handlers.readUser(handlers.me) }),
      edit(editing(USER_FIELDS), { permission: handlers.mayUpdateUser(handlers.me), handler: handlers.updateUser(handlers.me) }),
      removal(DELETION_ARGS, { permission: handlers.mayDeleteUser(handlers.me), handler: handlers.removeUser(handlers.me) }),
    ),
  ].map((each) => described(each, USER_SCHEMA));
