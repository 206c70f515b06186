import type { Route } from '../../rest/route.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, notBuilt, post, removal, route } from '../declare.js';
import { DELETION_ARGS } from './user-write.js';
import { USER_FIELDS, USER_SCHEMA, userFilters } from './user-args.js';
import {
  userList,
  mayCreateUser,
  mayDeleteUser,
  mayListUsers,
  mayReadUser,
  mayUpdateUser,
  me,
  userNamed,
  readUser,
  removeUser,
  updateUser,
} from './user-handlers.js';

const id = shared.id('user');
const { context } = shared;

/** Routes of the users: the collection, one by number, and the caller as `me`. Accounts are created by the command line. */
export const userRoutes = (registry: Registry): Route[] =>
  [
    batched(
      route(
        '/users',
        get(userFilters(registry), { permission: mayListUsers, handler: userList }),
        post(USER_FIELDS, { permission: mayCreateUser, handler: notBuilt }),
      ),
    ),
    batched(
      route(
        '/users/(?P<id>[\\d]+)',
        get({ id, context }, { permission: mayReadUser, handler: readUser(userNamed) }),
        edit({ id, ...editing(USER_FIELDS) }, { permission: mayUpdateUser(userNamed), handler: updateUser(userNamed) }),
        removal({ id, ...DELETION_ARGS }, { permission: mayDeleteUser(userNamed), handler: removeUser(userNamed) }),
      ),
    ),
    route(
      '/users/me',
      get({ context }, { permission: 'public', handler: readUser(me) }),
      edit(editing(USER_FIELDS), { permission: mayUpdateUser(me), handler: updateUser(me) }),
      removal(DELETION_ARGS, { permission: mayDeleteUser(me), handler: removeUser(me) }),
    ),
  ].map((each) => described(each, USER_SCHEMA));
