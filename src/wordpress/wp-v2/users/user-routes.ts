import { type Route, RestResponse, type CallContext, type Permission, RestError, refusal } from '../../rest/route.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, notBuilt, post, removal, route } from '../declare.js';
import { DELETION_ARGS, deleteUser, heirOf, userChanges, canDeleteUser, canEditUser, presentUser } from './user-write.js';
import type { UserUpdate, UserView } from './user-write.js';
import { USER_FIELDS, USER_SCHEMA, userFilters } from './user-args.js';
import { intval, isEmpty, toStr } from '../../../base/php/cast.js';
import { withSentFields } from '../../rest/rest-fields/shown.js';
import { can, canWithPosts } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import { listResponse, pagingOf } from '../../rest/lists.js';
import { isEditing, switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { lookup } from '../../../base/values/records.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import { foldForSearch } from '../../formatting/accents.js';
import { capabilitiesOf } from '../../users/roles.js';
import type { Site } from '../../site.js';
import type { Store } from '../../store.js';
import { DocumentsInOrder, Mirror } from '../../../database/memory/mirror.js';
import { sourceOf } from '../../../database/store/scan.js';

/** WP: users who have published something are shown to everybody. */
const typesWithAuthors = ({ postTypes }: Registry): string[] => postTypes.map(({ name }) => name);

const published = (types: readonly string[]): object => ({ status: 'publish', type: { $in: [...types] } });

/** Ids of users who have published something. */
const authorsOf = (store: Store, types: readonly string[]): Promise<Set<number>> =>
  store.cache.remember(`authors of ${types.join()}`, async () => new Set<number>(await store.posts.distinct('author', published(types))));

/** Whether somebody has published anything: then everybody may see who they are. */
const hasPublished = (store: Store, id: number): Promise<boolean> =>
  store.cache.remember(`published by ${id}`, async () => {
    const filter = { author: id, ...published(typesWithAuthors(store.registry)) };
    return (await store.posts.findOne(filter, { projection: { _id: 1 } })) !== null;
  });

/** More users than this are read for each list. */
const MOST_KNOWN = 20_000;

const mirrors = new WeakMap<Store, Mirror<User, DocumentsInOrder<User>>>();

/** All users, in the order of ids, without what only signs them in. Callers do not modify them. */
async function allUsers(store: Store): Promise<User[]> {
  const { db, memory, state, users } = store;
  const projection = { passwordHash: 0, applicationPasswords: 0 };
  let mirror = mirrors.get(store);
  if (!mirror && !memory.keepsNothing) {
    mirror = new Mirror(state, 'users', sourceOf<User>(db, 'users', projection), () => new DocumentsInOrder<User>(MOST_KNOWN));
    mirrors.set(store, mirror);
  }
  const known = await mirror?.read();
  return known ? [...known.all.values()] : users.find({}, { sort: { _id: 1 }, projection }).toArray();
}

type ListCall = EndpointCall<ReturnType<typeof userFilters>>;

type Test = (user: User) => boolean;

const COLUMNS: Record<string, (user: User) => string> = lookup({
  id: ({ _id }) => String(_id),
  username: ({ login }) => login,
  slug: ({ nicename }) => nicename,
  email: ({ email }) => email,
  name: ({ displayName }) => displayName,
  url: ({ url }) => url,
});

/**
 * The columns of a search. WP: email addresses are searched for users who may list users; a text like an address is searched only there.
 */
function searchColumns(text: string, { params, request }: ListCall): string[] {
  const mayList = can(request.user, 'list_users');
  const named = params.search_columns.filter((column) => mayList || column !== 'email');
  if (named.length > 0) return named;
  if (!mayList) return ['id', 'username', 'slug', 'name'];
  if (text.includes('@')) return ['email'];
  if (/^\d+$/.test(text)) return ['username', 'id'];
  return /^https?:\/\//.test(text) ? ['url'] : ['username', 'url', 'email', 'slug', 'name'];
}

function searchTest(context: ListCall): Test[] {
  const text = context.params.search;
  if (!text) return [];
  // WP: asterisks at either end say what holds anyway.
  const wanted = foldForSearch(text.replace(/^\*+|\*+$/g, ''));
  const columns = searchColumns(text, context).map((name) => COLUMNS[name]);
  return [(user) => columns.some((column) => foldForSearch(column(user)).includes(wanted))];
}

/** Whose posts count for the one who asks. WP: who may not list users sees authors only. */
async function authorTest({ params, request, site }: ListCall): Promise<Test[]> {
  const given = params.has_published_posts;
  const types = Array.isArray(given) && given.length > 0 ? given.map(toStr) : typesWithAuthors(site.registry);
  // WP: so does who asks for those that count as authors.
  const seesAll = can(request.user, 'list_users') || params.who === 'authors';
  if (seesAll && isEmpty(given)) return [];
  const authors = await authorsOf(site.store, types);
  return [({ _id }) => authors.has(_id)];
}

function listTest(values: string[], of: (user: User) => string, negated = false): Test[] {
  const wanted = new Set(values);
  return values.length === 0 ? [] : [(user) => wanted.has(of(user)) !== negated];
}

/** WP: who may at least write drafts; who asks for them asks for no roles. */
const isAuthor: Test = ({ role }) => role !== '' && role !== 'subscriber';

/** WP: a requested role is enough instead of the capabilities, and the other way round. */
function rightsTest(roles: string[], capabilities: string[], registry: Registry): Test[] {
  if (roles.length === 0 && capabilities.length === 0) return [];
  return [({ role }) => roles.includes(role) || capabilities.some((name) => capabilitiesOf(role, registry).includes(name))];
}

async function testsOf(context: ListCall): Promise<Test[]> {
  const { include, exclude, slug = [], who, roles = [], capabilities = [] } = context.params;
  const id = ({ _id }: User): string => String(_id);
  return [
    ...listTest(include.map(String), id),
    ...(include.length > 0 ? [] : listTest(exclude.map(String), id, true)),
    ...listTest(
      slug.map((text) => sanitizeTitle(text)),
      ({ nicename }) => nicename,
    ),
    ...(who === 'authors' ? [isAuthor] : rightsTest(roles, capabilities, context.site.registry)),
    ...searchTest(context),
    ...(await authorTest(context)),
  ];
}

const registered = ({ registered: at = 0 }: User): number => at;

type Key = (user: User) => string | number;

function keyOf({ include, orderby, slug = [] }: ListCall['params']): Key {
  // WP: where none is named, the users come by the names with which they sign in.
  const position = (values: string[], of: (user: User) => string): Key =>
    values.length === 0 ? ({ login }) => login : (user) => values.indexOf(of(user));
  switch (orderby) {
    case 'id':
      return ({ _id }) => _id;
    case 'include':
      return position(include.map(String), ({ _id }) => String(_id));
    case 'include_slugs':
      return position(
        slug.map((text) => sanitizeTitle(text)),
        ({ nicename }) => nicename,
      );
    case 'registered_date':
      return registered;
    case 'slug':
      return ({ nicename }) => nicename;
    case 'email':
      return ({ email }) => foldForSearch(email);
    case 'url':
      return ({ url }) => foldForSearch(url);
    case 'name':
      return ({ displayName }) => foldForSearch(displayName);
  }
}

/** WP: in a network of sites, a site has the users with a role there. */
const isMember = ({ role }: User, { options }: Site): boolean => role !== '' || !options.isInNetwork;

/** The users of a list, all of them, sorted. */
async function findUsers(context: ListCall): Promise<User[]> {
  const { params, site } = context;
  const { store } = site;
  const all = await allUsers(store);
  const tests = await testsOf(context);
  const key = keyOf(params);
  // WP: slugs that are named come in that order, for both directions.
  const isGiven = params.orderby === 'include_slugs' && (params.slug ?? []).length > 0;
  const direction = params.order === 'desc' && !isGiven ? -1 : 1;
  type Keyed = readonly [key: string | number, user: User];
  const compare = ([a, { _id }]: Keyed, [b, other]: Keyed): number => (a < b ? -1 : a > b ? 1 : _id - other._id);
  const found = all.filter((user) => isMember(user, site) && tests.every((test) => test(user))).map((user) => [key(user), user] as const);
  return found.sort((a, b) => direction * compare(a, b)).map(([, user]) => user);
}

/** The part of some users that a list shows, and where that is. */
function pageOfUsers(users: User[], params: ListCall['params']): { users: User[]; pages: number; page: number } {
  const { page, perPage, offset, skips } = pagingOf(params);
  return {
    users: users.slice(offset, offset + perPage),
    pages: Math.ceil(users.length / perPage),
    // WP: an offset is converted to a page.
    page: skips ? Math.ceil((params.offset ?? 0) / perPage) + 1 : page,
  };
}

export const notLoggedIn = (): RestError => new RestError('rest_not_logged_in', 'You are not currently logged in.', 401);

export const invalidUser = (): RestError => new RestError('rest_user_invalid_id', 'Invalid user ID.', 404);

async function userById({ site: { store } }: CallContext, id: number): Promise<User | null> {
  if (id <= 0) return null;
  const load = async (ids: number[]): Promise<ReadonlyMap<number, User>> =>
    new Map((await store.users.find({ _id: { $in: ids } }).toArray()).map((user) => [user._id, user]));
  return (await store.cache.lookUp('users', id, load)) ?? null;
}

/** The user that a request is about. */
type Finder = (context: CallContext) => Promise<User | null>;

/** WP: in a network of sites, only members have a number. */
const userNamed: Finder = async (context) => {
  const user = await userById(context, intval(context.request.get('id')));
  return user && isMember(user, context.site) ? user : null;
};

/** WP: the caller is read again, because they may have changed since they signed in. */
const me: Finder = (context) => userById(context, context.request.user?._id ?? 0);

/** WP: users who may not list users cannot use filters that reveal more than the list. */
const mayListUsers: Permission = (context) => {
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

const mayReadUser: Permission = async (context) => {
  const user = await userNamed(context);
  const { user: caller } = context.request;
  if (!user) return invalidUser();
  if (canEditUser(caller, user)) return true;
  if (isEditing(context)) return refusal(caller, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this user.');
  if (await hasPublished(context.site.store, user._id)) return true;
  return refusal(caller, 'rest_user_cannot_view', 'Sorry, you are not allowed to list users.');
};

const mayUpdateUser =
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

const mayDeleteUser =
  (find: Finder): Permission =>
  async (context) => {
    const { user: caller } = context.request;
    if (!(await find(context))) return invalidUser();
    return canDeleteUser(caller) || refusal(caller, 'rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.');
  };

const mayCreateUser: Permission = ({ request: { user } }) =>
  can(user, 'create_users') || refusal(user, 'rest_cannot_create_user', 'Sorry, you are not allowed to create new users.');

/** WP: a user is readable by users who can edit them, and by everybody once they have published something. */
async function viewOf(user: User, { site, request: { user: caller } }: CallContext, context: Context): Promise<UserView> {
  return { site, context, caller, isReadable: canEditUser(caller, user) || (await hasPublished(site.store, user._id)) };
}

async function userList(context: EndpointCall<ReturnType<typeof userFilters>>): Promise<RestResponse> {
  const { params } = context;
  const found = await findUsers(context);
  const { users: all, pages, page } = pageOfUsers(found, params);
  // WP: the number of users counts also those that the caller may not edit.
  const users = params.context === 'edit' ? all.filter((user) => canEditUser(context.request.user, user)) : all;
  const view = (user: User) => viewOf(user, context, params.context);
  const items = await Promise.all(users.map(async (user) => presentUser(user, await view(user))));
  return listResponse(context, '/wp/v2/users', { items, total: found.length, pages, page });
}

const readUser =
  (find: Finder) =>
  async (context: CallContext & { params: { context: Context } }): Promise<RestResponse> => {
    const user = await find(context);
    if (!user) throw find === me ? notLoggedIn() : invalidUser();
    return new RestResponse(presentUser(user, await viewOf(user, context, context.params.context)));
  };

const updateUser =
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

const removeUser =
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
