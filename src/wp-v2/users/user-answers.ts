import { intval, isEmpty, toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { RestResponse } from '../../rest/response.js';
import { can, canWithPosts } from '../../wp/users/capabilities.js';
import type { User } from '../../wp/model.js';
import { NOT_BUILT, type Answers } from '../declare.js';
import { listResponse } from '../../rest/lists.js';
import { refusal } from '../../rest/permissions.js';
import { findUsers, hasPublished, pageOf } from './user-list.js';
import { canDeleteUser, canEditUser, presentUser } from './user-present.js';
import { userChanges } from './user-write.js';
import type { UserOperation } from './users.js';
import type { CallContext, Permission } from '../../rest/route.js';

const notLoggedIn = (): RestError => new RestError('rest_not_logged_in', 'You are not currently logged in.', 401);

const invalidUser = (): RestError => new RestError('rest_user_invalid_id', 'Invalid user ID.', 404);

const userById = ({ site }: CallContext, id: number): Promise<User | null> =>
  id > 0 ? site.store.users.findOne({ _id: id }) : Promise.resolve(null);

/** Who a request is about. */
type Finder = (context: CallContext) => Promise<User | null>;

const named: Finder = (context) => userById(context, intval(context.request.get('id')));

/** WP: the caller is read anew, for they may have changed since they signed in. */
const me: Finder = (context) => userById(context, context.request.user?._id ?? 0);

const contextOf = ({ request }: CallContext): string => toStr(request.get('context') ?? 'view');

/** WP: who may not list users cannot ask for what would tell more than the list does. */
const mayList: Permission = (context) => {
  const { request } = context;
  const { user } = request;
  const orderby = request.get('orderby');
  if (can(user, 'list_users')) return true;
  for (const [name, what] of [
    ['roles', 'role'],
    ['capabilities', 'capability'],
  ] as const) {
    if (!isEmpty(request.get(name)))
      return refusal(user, 'rest_user_cannot_view', `Sorry, you are not allowed to filter users by ${what}.`);
  }
  if (contextOf(context) === 'edit') return refusal(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit users.');
  if (orderby === 'email' || orderby === 'registered_date')
    return refusal(user, 'rest_forbidden_orderby', 'Sorry, you are not allowed to order users by this parameter.');
  if (request.get('who') === 'authors' && !canWithPosts(user, 'edit'))
    return refusal(user, 'rest_forbidden_who', 'Sorry, you are not allowed to query users by this parameter.');
  return true;
};

const mayRead: Permission = async (context) => {
  const user = await named(context);
  const { user: caller } = context.request;
  if (!user) return invalidUser();
  if (canEditUser(caller, user)) return true;
  if (contextOf(context) === 'edit') return refusal(caller, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this user.');
  if (await hasPublished(context.site.store, user._id)) return true;
  return refusal(caller, 'rest_user_cannot_view', 'Sorry, you are not allowed to list users.');
};

const mayUpdate =
  (find: Finder): Permission =>
  async (context) => {
    const user = await find(context);
    const { user: caller } = context.request;
    if (!user) return invalidUser();
    const roles = context.request.get('roles');
    if (!isEmpty(roles) && !can(caller, 'promote_users'))
      return refusal(caller, 'rest_cannot_edit_roles', 'Sorry, you are not allowed to edit roles of this user.');
    return canEditUser(caller, user) || refusal(caller, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this user.');
  };

const mayDelete =
  (find: Finder): Permission =>
  async (context) => {
    const { user: caller } = context.request;
    if (!(await find(context))) return invalidUser();
    return canDeleteUser(caller) || refusal(caller, 'rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.');
  };

const mayCreate: Permission = ({ request: { user } }) =>
  can(user, 'create_users') || refusal(user, 'rest_cannot_create_user', 'Sorry, you are not allowed to create new users.');

async function list(context: CallContext): Promise<RestResponse> {
  const { site, request } = context;
  const found = await findUsers(context);
  const { users, pages, page } = pageOf(found, context);
  const items = users.map((user) => presentUser(user, contextOf(context), site, request.user));
  return listResponse(context, '/wp/v2/users', { items, total: found.length, pages, page });
}

const read =
  (find: Finder) =>
  async (context: CallContext): Promise<RestResponse> => {
    const user = await find(context);
    if (!user) throw find === me ? notLoggedIn() : invalidUser();
    return new RestResponse(presentUser(user, contextOf(context), context.site, context.request.user));
  };

/** WP: the answer to a write is in the edit context, which from then on is that of the request. */
const update =
  (find: Finder) =>
  async (context: CallContext): Promise<RestResponse> => {
    const { site, request } = context;
    const user = await find(context);
    if (!user) throw invalidUser();
    const changes = await userChanges(user, context);
    if (Object.keys(changes).length > 0) {
      await site.store.users.updateOne({ _id: user._id }, { $set: changes });
    }
    request.sources.query = { ...request.sources.query, context: 'edit' };
    return new RestResponse(presentUser({ ...user, ...changes }, 'edit', site, request.user));
  };

/** What is built of the core routes of users: reading them and changing them; accounts come and go by the command line. */
export const userAnswers: Answers<UserOperation> = {
  list: { permission: mayList, handler: list },
  create: { ...NOT_BUILT, permission: mayCreate },
  read: { permission: mayRead, handler: read(named) },
  update: { permission: mayUpdate(named), handler: update(named) },
  delete: { ...NOT_BUILT, permission: mayDelete(named) },
  readMe: { permission: 'public', handler: read(me) },
  updateMe: { permission: mayUpdate(me), handler: update(me) },
  deleteMe: { ...NOT_BUILT, permission: mayDelete(me) },
};
