import { invalidUser, notLoggedIn } from './user-routes.js';
import { type Permission, type Route, RestResponse, type CallContext, type Json, RestError, refusal } from '../../rest/route.js';
import { described, edit, editing, get, post, removal, route } from '../declare.js';
import { APPLICATION_PASSWORD_FIELDS, applicationPasswordSchema, CONTEXT } from './application-password-args.js';
import { intval, toStr } from '../../../base/php/cast.js';
import { sentContext, switchToEditing, type EndpointCall, type Context } from '../../rest/params.js';
import { canEditUser } from './user-write.js';
import {
  inGroups,
  addApplicationPassword,
  deleteApplicationPassword,
  deleteApplicationPasswords,
  renameApplicationPassword,
} from '../../users/users.js';
import { sanitizeTextField } from '../../formatting/sanitize.js';
import type { ApplicationPassword, User } from '../../model.js';

const notFound = (): RestError => new RestError('rest_application_password_not_found', 'Application password not found.', 404);

/** The user whose passwords the route manages. @throws RestError if there is none */
async function ownerOf({ request, site }: CallContext): Promise<User> {
  const id = request.get('user_id');
  if (id === 'me' && !request.user) throw notLoggedIn();
  const number = id === 'me' ? request.user?._id : intval(id);
  const owner = number === undefined || number <= 0 ? null : await site.store.users.findOne({ _id: number });
  if (!owner) throw invalidUser();
  return owner;
}

/** The permission to manage the passwords of the user in the path. */
const mayManagePasswords =
  (code: string, message: string): Permission =>
  async (context) => {
    const owner = await ownerOf(context);
    return canEditUser(context.request.user, owner) || refusal(context.request.user, code, message);
  };

const oneOf = (owner: User, uuid: string): ApplicationPassword => {
  const found = owner.applicationPasswords.find((password) => password.uuid === uuid);
  if (!found) throw notFound();
  return found;
};

const named = (context: CallContext, owner: User): ApplicationPassword => oneOf(owner, toStr(context.request.get('uuid')));

const date = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

const HINTS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const pathOf = (owner: User, { uuid }: ApplicationPassword): string => `/wp/v2/users/${owner._id}/application-passwords/${uuid}`;

function fieldsOf(entry: ApplicationPassword, context: Context = 'view'): Record<string, Json> {
  const { uuid, appId = '', name, created, lastUsed, lastIp } = entry;
  if (context === 'embed') return { app_id: appId, name, uuid };
  return {
    uuid,
    app_id: appId,
    name,
    created: date(created),
    last_used: lastUsed === undefined ? null : date(lastUsed),
    last_ip: lastIp ?? null,
  };
}

/** An application password as it is shown. @param secret the plain text, only on creation */
function present(entry: ApplicationPassword, owner: User, { site }: CallContext, context?: Context, secret?: string): Record<string, Json> {
  return {
    ...fieldsOf(entry, context),
    ...(secret === undefined ? {} : { password: inGroups(secret) }),
    _links: { self: [{ href: site.restUrl(pathOf(owner, entry)), targetHints: { allow: HINTS } }] },
  };
}

/** WP: a name is plain text. PHP: `0` is empty. */
function nameOf(sent: string): string {
  const name = sanitizeTextField(sent);
  return name === '0' ? '' : name;
}

type Reading = EndpointCall<typeof CONTEXT>;
type Creating = EndpointCall<typeof APPLICATION_PASSWORD_FIELDS>;
type Editing = CallContext & { params: Partial<Creating['params']> };

async function passwordList(context: Reading): Promise<RestResponse> {
  const owner = await ownerOf(context);
  return new RestResponse(owner.applicationPasswords.map((entry) => present(entry, owner, context, context.params.context)));
}

async function createPassword(context: Creating): Promise<RestResponse> {
  const { site, params } = context;
  const owner = await ownerOf(context);
  const name = nameOf(params.name);
  if (name === '')
    throw new RestError('application_password_empty_name', 'An application name is required to create an application password.', 400);
  const wanted = { name, appId: params.app_id ?? '', created: site.clock.seconds() };
  const { entry, password } = await addApplicationPassword(site.store, owner._id, wanted);
  switchToEditing(context);
  return new RestResponse(present(entry, owner, context, 'edit', password), 201, { Location: site.restUrl(pathOf(owner, entry)) });
}

async function readAppPassword(context: Reading): Promise<RestResponse> {
  const owner = await ownerOf(context);
  return new RestResponse(present(named(context, owner), owner, context, context.params.context));
}

async function updatePassword(context: Editing): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const entry = named(context, owner);
  const name = nameOf(context.params.name ?? '') || entry.name;
  if (name !== entry.name) await renameApplicationPassword(context.site.store, owner._id, entry.uuid, name);
  return new RestResponse(present({ ...entry, name }, owner, context, sentContext(context)));
}

async function removePassword(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const entry = named(context, owner);
  await deleteApplicationPassword(context.site.store, owner._id, entry.uuid);
  return new RestResponse({ deleted: true, previous: fieldsOf(entry, sentContext(context)) });
}

async function removeAll(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  await deleteApplicationPasswords(context.site.store, owner._id);
  return new RestResponse({ deleted: true, count: owner.applicationPasswords.length });
}

/** WP: which password signed the caller in is shown to the caller only. */
const mayIntrospect: Permission = async (context) => {
  const owner = await ownerOf(context);
  const message = 'The authenticated application password can only be introspected for the current user.';
  const { user } = context.request;
  return user?._id === owner._id || refusal(user, 'rest_cannot_introspect_app_password_for_non_authenticated_user', message);
};

async function introspect(context: Reading): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const { applicationPassword } = context.request;
  if (applicationPassword === null)
    throw new RestError('rest_no_authenticated_app_password', 'Cannot introspect application password.', 404);
  return new RestResponse(present(oneOf(owner, applicationPassword), owner, context, context.params.context));
}

const may = (code: string, what: string): Permission => mayManagePasswords(`rest_cannot_${code}`, `Sorry, you are not allowed to ${what}.`);

/** Routes of a user's application passwords. WP: the captures `user_id` and `uuid` are not declared arguments. */
export function applicationPasswordRoutes(): Route[] {
  const path = '/users/(?P<user_id>(?:[\\d]+|me))/application-passwords';
  return [
    route(
      path,
      get(CONTEXT, {
        permission: may('list_application_passwords', 'list application passwords for this user'),
        handler: passwordList,
      }),
      post(APPLICATION_PASSWORD_FIELDS, {
        permission: may('create_application_passwords', 'create application passwords for this user'),
        handler: createPassword,
      }),
      removal({}, { permission: may('delete_application_passwords', 'delete application passwords for this user'), handler: removeAll }),
    ),
    route(`${path}/introspect`, get(CONTEXT, { permission: mayIntrospect, handler: introspect })),
    route(
      `${path}/(?P<uuid>[\\w\\-]+)`,
      get(CONTEXT, { permission: may('read_application_password', 'read this application password'), handler: readAppPassword }),
      edit(editing(APPLICATION_PASSWORD_FIELDS), {
        permission: may('edit_application_password', 'edit this application password'),
        handler: updatePassword,
      }),
      removal({}, { permission: may('delete_application_password', 'delete this application password'), handler: removePassword }),
    ),
  ].map((each) => described(each, applicationPasswordSchema));
}
