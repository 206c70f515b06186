import { intval, toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { RestResponse } from '../../rest/response.js';
import type { CallContext, Json, Permission } from '../../rest/route.js';
import {
  addApplicationPassword,
  deleteApplicationPassword,
  deleteApplicationPasswords,
  renameApplicationPassword,
} from '../../wp/users/application-passwords.js';
import { can } from '../../wp/users/capabilities.js';
import { inGroups } from '../../wp/users/users.js';
import { sanitizeTextField } from '../../wp/formatting/sanitize.js';
import type { ApplicationPassword, User } from '../../wp/model.js';
import type { Answers } from '../declare.js';
import { refusal } from '../../rest/permissions.js';
import type { ApplicationPasswordOperation } from './users.js';

const notLoggedIn = (): RestError => new RestError('rest_not_logged_in', 'You are not currently logged in.', 401);
const noUser = (): RestError => new RestError('rest_user_invalid_id', 'Invalid user ID.', 404);
const notFound = (): RestError => new RestError('rest_application_password_not_found', 'Application password not found.', 404);

/** Whose passwords the route is about. @throws RestError when that is nobody */
async function ownerOf({ request, site }: CallContext): Promise<User> {
  const id = request.get('user_id');
  if (id === 'me' && !request.user) throw notLoggedIn();
  const number = id === 'me' ? request.user?._id : intval(id);
  const owner = number === undefined || number <= 0 ? null : await site.store.users.findOne({ _id: number });
  if (!owner) throw noUser();
  return owner;
}

/** WP: everybody has their own application passwords, administrators those of all. */
const mayManage = (caller: User | null, owner: User): boolean =>
  caller !== null && (caller._id === owner._id || can(caller, 'manage_options'));

const guarded =
  (code: string, message: string): Permission =>
  async (context) => {
    const owner = await ownerOf(context).catch((error: unknown) => error as Error);
    if (owner instanceof RestError) return owner;
    if (owner instanceof Error) throw owner;
    return mayManage(context.request.user, owner) || refusal(context.request.user, code, message);
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

function fieldsOf({ request }: CallContext, entry: ApplicationPassword): Record<string, Json> {
  const { uuid, appId = '', name, created, lastUsed, lastIp } = entry;
  if (request.get('context') === 'embed') return { app_id: appId, name, uuid };
  return {
    uuid,
    app_id: appId,
    name,
    created: date(created),
    last_used: lastUsed === undefined ? null : date(lastUsed),
    last_ip: lastIp ?? null,
  };
}

/** An application password as it is shown. @param secret it in clear text, only at its creation */
function present(context: CallContext, owner: User, entry: ApplicationPassword, secret?: string): Record<string, Json> {
  return {
    ...fieldsOf(context, entry),
    ...(secret === undefined ? {} : { password: inGroups(secret) }),
    _links: { self: [{ href: context.site.restUrl(pathOf(owner, entry)), targetHints: { allow: HINTS } }] },
  };
}

/** WP: a name is plain text, and one that comes to nothing is none. PHP: `0` is nothing. */
function nameOf({ request }: CallContext): string {
  const name = sanitizeTextField(toStr(request.get('name')));
  if (name === '' || name === '0')
    throw new RestError('application_password_empty_name', 'An application name is required to create an application password.', 400);
  return name;
}

async function list(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  return new RestResponse(owner.applicationPasswords.map((entry) => present(context, owner, entry)));
}

async function create(context: CallContext): Promise<RestResponse> {
  const { site, request } = context;
  const owner = await ownerOf(context);
  const wanted = { name: nameOf(context), appId: toStr(request.get('app_id') ?? ''), created: site.clock.seconds() };
  const { entry, password } = await addApplicationPassword(site.store, owner._id, wanted);
  // WP: the answer to a creation shows everything.
  request.sources.query = { ...request.sources.query, context: 'edit' };
  return new RestResponse(present(context, owner, entry, password), 201, { Location: site.restUrl(pathOf(owner, entry)) });
}

async function read(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  return new RestResponse(present(context, owner, named(context, owner)));
}

async function update(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const entry = named(context, owner);
  const sent = context.request.get('name');
  const name = sent === undefined ? '' : sanitizeTextField(toStr(sent));
  if (name !== '' && name !== '0') await renameApplicationPassword(context.site.store, owner._id, entry.uuid, name);
  return new RestResponse(present(context, owner, { ...entry, ...(name === '' || name === '0' ? {} : { name }) }));
}

async function remove(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const entry = named(context, owner);
  await deleteApplicationPassword(context.site.store, owner._id, entry.uuid);
  return new RestResponse({ deleted: true, previous: fieldsOf(context, entry) });
}

async function removeAll(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  await deleteApplicationPasswords(context.site.store, owner._id);
  return new RestResponse({ deleted: true, count: owner.applicationPasswords.length });
}

/** WP: which password signed the caller in is told to the caller only. */
const mayIntrospect: Permission = async (context) => {
  const owner = await ownerOf(context).catch((error: unknown) => error as Error);
  if (owner instanceof RestError) return owner;
  if (owner instanceof Error) throw owner;
  const message = 'The authenticated application password can only be introspected for the current user.';
  const { user } = context.request;
  return user?._id === owner._id || refusal(user, 'rest_cannot_introspect_app_password_for_non_authenticated_user', message);
};

async function introspect(context: CallContext): Promise<RestResponse> {
  const owner = await ownerOf(context);
  const { applicationPassword } = context.request;
  if (applicationPassword === null)
    throw new RestError('rest_no_authenticated_app_password', 'Cannot introspect application password.', 404);
  return new RestResponse(present(context, owner, oneOf(owner, applicationPassword)));
}

const cannot = (code: string, what: string): Permission => guarded(`rest_cannot_${code}`, `Sorry, you are not allowed to ${what}.`);

/** Listing, making and taking away the application passwords of a user. */
export const applicationPasswordAnswers = (): Answers<ApplicationPasswordOperation> => ({
  list: { permission: cannot('list_application_passwords', 'list application passwords for this user'), handler: list },
  create: { permission: cannot('create_application_passwords', 'create application passwords for this user'), handler: create },
  read: { permission: cannot('read_application_password', 'read this application password'), handler: read },
  update: { permission: cannot('edit_application_password', 'edit this application password'), handler: update },
  delete: { permission: cannot('delete_application_password', 'delete this application password'), handler: remove },
  deleteAll: { permission: cannot('delete_application_passwords', 'delete application passwords for this user'), handler: removeAll },
  introspect: { permission: mayIntrospect, handler: introspect },
});
