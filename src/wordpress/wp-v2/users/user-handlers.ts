import { intval, isEmpty } from '../../../base/php/cast.js';
import { RestError, refusal } from '../../rest/error.js';
import { RestResponse, type CallContext, type Permission } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/writes.js';
import { can, canWithPosts } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import { listResponse } from '../../rest/lists.js';
import { isEditing, switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { findUsers, isMember, hasPublished, pageOfUsers } from './user-list.js';
import { canDeleteUser, canEditUser, presentUser, type UserView } from './user-present.js';
import { deleteUser, heirOf, userChanges, type DELETION_ARGS, type UserUpdate } from './user-write.js';
import type { userFilters } from './user-args.js';

const notLoggedIn = (): RestError => new RestError('rest_not_logged_in', 'You are not currently logged in.', 401);

const invalidUser = (): RestError => new RestError('rest_user_invalid_id', 'Invalid user ID.', 404);

async function userById({ site: { store } }: CallContext, id: number): Promise<User | null> {
  if (id <= 0) return null;
  const load = async (ids: number[]): Promise<ReadonlyMap<number, User>> =>
    new Map((await store.users.find({ _id: { $in: ids } }).toArray()).map((user) => [user._id, user]));
  return (await store.cache.lookUp('users', id, load)) ?? null;
}

/** The user that a request is about. */
type Finder = (context: CallContext) => Promise<User | null>;

/** WP: in a network of sites, only members have a number. */
export const userNamed: Finder = async (context) => {
  const user = await userById(context, intval(context.request.get('id')));
  return user && isMember(user, context.site) ? user : null;
};

/** WP: the caller is read again, because they may have changed since they signed in. */
export const me: Finder = (context) => userById(context, context.request.user?._id ?? 0);

/** WP: users who may not list users cannot use filters that reveal more than the list. */
export const mayListUsers: Permission = (context) => {
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
  if (isEditing(context)) return refusal(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit users.');
  if (orderby === 'email' || orderby === 'registered_date')
    return refusal(user, 'rest_forbidden_orderby', 'Sorry, you are not allowed to order users by this parameter.');
  if (request.get('who') === 'authors' && !canWithPosts(user, 'edit'))
    return refusal(user, 'rest_forbidden_who', 'Sorry, you are not allowed to query users by this parameter.');
  return true;
};

export const mayReadUser: Permission = async (context) => {
  const user = await userNamed(context);
  const { user: caller } = context.request;
  if (!user) return invalidUser();
  if (canEditUser(caller, user)) return true;
  if (isEditing(context)) return refusal(caller, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this user.');
  if (await hasPublished(context.site.store, user._id)) return true;
  return refusal(caller, 'rest_user_cannot_view', 'Sorry, you are not allowed to list users.');
};

export const mayUpdateUser =
  (find: Finder): Permission =>
  async (context) => {
    const user = await find(context);
    const { user: caller } = context.request;
    if (!user) return invalidUser();
    const roles = context.request.get('roles');
    if (!isEmpty(roles) && !can(caller, 'promote_users'))
      return refusal(caller, 'rest_cannot_edit_roles', 'Sorry, you are not allowed to edit roles of this user.');
    // WP: a request for nothing but roles needs no other permission.
    const { path, query, form, json } = context.request.sources;
    const sent = new Set([path, query, form, json ?? {}].flatMap((source) => Object.keys(source)));
    if (!isEmpty(roles) && sent.size === 2 && sent.has('id')) return true;
    return canEditUser(caller, user) || refusal(caller, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this user.');
  };

export const mayDeleteUser =
  (find: Finder): Permission =>
  async (context) => {
    const { user: caller } = context.request;
    if (!(await find(context))) return invalidUser();
    return canDeleteUser(caller) || refusal(caller, 'rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.');
  };

export const mayCreateUser: Permission = ({ request: { user } }) =>
  can(user, 'create_users') || refusal(user, 'rest_cannot_create_user', 'Sorry, you are not allowed to create new users.');

/** WP: a user is readable by users who can edit them, and by everybody once they have published something. */
async function viewOf(user: User, { site, request: { user: caller } }: CallContext, context: Context): Promise<UserView> {
  return { site, context, caller, isReadable: canEditUser(caller, user) || (await hasPublished(site.store, user._id)) };
}

export async function userList(context: EndpointCall<ReturnType<typeof userFilters>>): Promise<RestResponse> {
  const { params } = context;
  const found = await findUsers(context);
  const { users: all, pages, page } = pageOfUsers(found, params);
  // WP: the number of users counts also those that the caller may not edit.
  const users = params.context === 'edit' ? all.filter((user) => canEditUser(context.request.user, user)) : all;
  const view = (user: User) => viewOf(user, context, params.context);
  const items = await Promise.all(users.map(async (user) => presentUser(user, await view(user))));
  return listResponse(context, '/wp/v2/users', { items, total: found.length, pages, page });
}

export const readUser =
  (find: Finder) =>
  async (context: CallContext & { params: { context: Context } }): Promise<RestResponse> => {
    const user = await find(context);
    if (!user) throw find === me ? notLoggedIn() : invalidUser();
    return new RestResponse(presentUser(user, await viewOf(user, context, context.params.context)));
  };

export const updateUser =
  (find: Finder) =>
  async (context: UserUpdate): Promise<RestResponse> => {
    const { site } = context;
    const user = await find(context);
    if (!user) throw invalidUser();
    const changes = await userChanges(user, context);
    if (Object.keys(changes).length > 0) {
      await site.store.users.updateOne({ _id: user._id }, { $set: changes });
    }
    const changed = await withSentFields({ ...user, ...changes }, 'user', context);
    switchToEditing(context);
    return new RestResponse(presentUser(changed, await viewOf(user, context, 'edit')));
  };

export const removeUser =
  (find: Finder) =>
  async (context: EndpointCall<typeof DELETION_ARGS>): Promise<RestResponse> => {
    const { params, request, site } = context;
    const user = await find(context);
    if (!user) throw invalidUser();
    if (site.options.isInNetwork) throw new RestError('rest_cannot_delete', 'The user cannot be deleted.', 501);
    if (!params.force) throw new RestError('rest_trash_not_supported', "Users do not support trashing. Set 'force=true' to delete.", 501);
    const heir = await heirOf(params.reassign ?? false, user, context);
    switchToEditing(context);
    const { _links, ...previous } = presentUser(user, await viewOf(user, context, 'edit'));
    await deleteUser(site, user, heir, request.user);
    return new RestResponse({ deleted: true, previous });
  };
