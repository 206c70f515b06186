import { ROLES, can } from '../../users/capabilities.js';
import { capabilitiesOf } from '../../users/roles.js';
import { ksesComment, ksesTermDescription, htmlRules, PAGE_RULES } from '../../formatting/kses/kses.js';
import { sanitizeTextField, sanitizeTitle } from '../../formatting/sanitize.js';
import { ANY_CASE } from '../../../database/store/indexes.js';
import { hashAccountPassword, reassignPosts } from '../../users/users.js';
import { ATTACHMENT, PAGE, POST, REVISION, type User } from '../../model.js';
import type { Site } from '../../site.js';
import type { ParamsOf, Context } from '../../rest/params.js';
import { Refused, type CallContext, type Json, RestError } from '../../rest/route.js';
import type { USER_FIELDS } from './user-args.js';
import { withoutUndefined } from '../../../base/values/records.js';
import { absint, isNumeric, isEmpty } from '../../../base/php/cast.js';
import { deleteAttachment } from '../../media/upload.js';
import { deletePost, trashPost } from '../../posts/post-save.js';
import * as shared from '../args.js';
import { authorUrl, avatarUrl, pictured } from '../../links.js';
import { allowHints } from '../posts/post-links.js';
import { AVATAR_SIZES } from '../declare.js';
import { withRestFields } from '../../rest/rest-fields/shown.js';

/** WP: pictures of users are at Gravatar, by the hash of their address. */
export const avatars = (address: string, sizes: readonly number[] = AVATAR_SIZES): Record<string, string> =>
  Object.fromEntries(sizes.map((size) => [size, avatarUrl(address, size)]));

/** WP: everybody edits themselves, administrators everybody. */
export const canEditUser = (caller: User | null, user: User): boolean => caller?._id === user._id || can(caller, 'edit_users');

export const canDeleteUser = (caller: User | null): boolean => can(caller, 'delete_users');

const flags = (names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const iso = (epoch: number): string => new Date(epoch * 1000).toISOString().replace('.000Z', '+00:00');

/** WP: the language of the site, unless users have chosen another one. */
export const localeOf = ({ locale }: User, { options }: Site): string => locale || options.locale || 'en_US';

/** WP: roles of a user. */
export const rolesOf = ({ role }: User): string[] => (role === '' ? [] : [role]);

/** Fields that only callers see who may edit the user. */
const ownFields = (user: User, site: Site): Record<string, Json> => ({
  username: user.login,
  first_name: user.firstName ?? '',
  last_name: user.lastName ?? '',
  email: user.email,
  locale: localeOf(user, site),
  nickname: user.nickname ?? user.login,
  roles: rolesOf(user),
  registered_date: iso(user.registered ?? 0),
  capabilities: flags(capabilitiesOf(user.role, site.registry)),
  extra_capabilities: user.role === '' ? {} : { [user.role]: true },
});

/** How a user is shown: in which context, and to whom. `isReadable` says that the caller may also read the user alone. */
export interface UserView {
  site: Site;
  context: Context;
  caller: User | null;
  isReadable: boolean;
}

/** A user as the core API shows them. */
export function presentUser(user: User, view: UserView): Record<string, Json> {
  const { site, context, caller, isReadable } = view;
  const base = site.restUrl('/wp/v2/users');
  const editing = context === 'edit';
  const allow = allowHints(canEditUser(caller, user), canDeleteUser(caller));
  const fields = {
    id: user._id,
    name: user.displayName,
    url: user.url,
    description: user.description ?? '',
    link: authorUrl(site, user),
    slug: user.nicename,
    ...(editing ? ownFields(user, site) : {}),
    ...(site.options.showsAvatars ? { avatar_urls: avatars(pictured(user)) } : {}),
    ...(context === 'embed' ? {} : { meta: editing ? { persisted_preferences: [] } : [] }),
  };
  return {
    ...withRestFields(fields, user, 'user', { site, context, user: caller }, () => canEditUser(caller, user)),
    _links: {
      self: [{ href: `${base}/${user._id}`, ...(isReadable ? { targetHints: { allow } } : {}) }],
      collection: [{ href: base }],
    },
  };
}

/** Values of an update: any of the fields. */
export type UserUpdate = CallContext & { params: Partial<ParamsOf<typeof USER_FIELDS>> };

const badRequest = (code: string, message: string): RestError => new RestError(code, message, 400);

const line = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : ksesComment(sanitizeTextField(text), PAGE_RULES);

/** @throws RestError for the email address of another user */
async function emailOf(email: string | undefined, user: User, { store }: Site): Promise<string | undefined> {
  if (email === undefined || email === '') return undefined;
  const owner = await store.users.findOne({ email }, { collation: ANY_CASE });
  if (owner && owner._id !== user._id) throw badRequest('rest_user_invalid_email', 'Invalid email address.');
  return email;
}

/** WP: an empty result is replaced by the login. @throws RestError for a name in addresses that somebody else has */
async function slugOf(slug: string | undefined, user: User, { store, quirks }: Site): Promise<string | undefined> {
  if (slug === undefined) return undefined;
  const nicename = sanitizeTitle(slug, quirks) || sanitizeTitle(user.login, quirks);
  const owner = await store.users.findOne({ nicename });
  if (owner && owner._id !== user._id) throw badRequest('rest_user_invalid_slug', 'Invalid slug.');
  return nicename;
}

/** WP: an empty list removes the role. @throws RestError for an unknown role, and for one by which callers would lose their permission */
function roleOf(names: string[] | undefined, user: User, { request: { user: caller }, site }: UserUpdate): string | undefined {
  if (names === undefined) return undefined;
  const unknown = names.find((role) => !ROLES.includes(role));
  if (unknown !== undefined) throw badRequest('rest_user_invalid_role', `The role ${unknown} does not exist.`);
  if (
    caller?._id === user._id &&
    caller.reach !== 'network' &&
    names.some((role) => !capabilitiesOf(role, site.registry).includes('edit_users'))
  )
    throw new RestError('rest_user_invalid_role', 'Sorry, you are not allowed to give users that role.', 403);
  return names[names.length - 1] ?? '';
}

/** WP: without a display name, the login is used. */
const orLogin = (name: string | undefined, { login }: User): string | undefined => (name === '' ? login : name);

/**
 * Computes the changes of a user by a write; undefined fields were not sent.
 * @throws RestError if WordPress rejects it
 */
export async function userChanges(user: User, update: UserUpdate): Promise<Partial<User>> {
  const { params, site } = update;
  const { username, description, password } = params;
  if (username !== undefined && username !== '' && username !== user.login)
    throw badRequest('rest_user_invalid_argument', 'Username is not editable.');
  const changes = {
    email: await emailOf(params.email, user, site),
    nicename: await slugOf(params.slug, user, site),
    displayName: orLogin(line(params.name), user),
    firstName: line(params.first_name),
    lastName: line(params.last_name),
    nickname: orLogin(line(params.nickname), user),
    // WP: addresses of users are stored as they stand in a page.
    url: params.url?.replace(/&(?!amp;|#0?38;)/g, '&amp;'),
    description: description === undefined ? undefined : ksesTermDescription(description, htmlRules(site.quirks)),
    locale: params.locale,
    role: roleOf(params.roles, user, update),
    passwordHash: password === undefined ? undefined : await hashAccountPassword(password),
  };
  return withoutUndefined(changes);
}

/** WP: any number is taken, and what is empty or `false` names nobody. */
function readHeir(value: Json): Json | Refused {
  const isNobody = isEmpty(value) || value === 'false';
  if (isNumeric(value)) return value;
  if (isNobody) return false;
  return new Refused({ code: 'rest_invalid_param', message: 'Invalid user parameter(s).', data: { status: 400 } });
}

export const DELETION_ARGS = {
  force: shared.flag('Must be true: users cannot be moved to the trash.', { default: false }),
  reassign: { ...shared.integer('ID of the user to reassign the posts to.', { required: true }), sanitize: readHeir },
};

/** The id of the user who gets the posts of a deleted one; null for nobody. @throws RestError for a user who cannot get them */
export async function heirOf(sent: Json, user: User, { site }: CallContext): Promise<number | null> {
  if (sent === false) return null;
  const heir = absint(sent);
  const isKnown = heir !== user._id && (await site.store.users.findOne({ _id: heir }, { projection: { _id: 1 } })) !== null;
  if (heir !== 0 && !isKnown) throw new RestError('rest_user_invalid_reassign', 'Invalid user ID for reassignment.', 400);
  return heir;
}

/**
 * Deletes a user with their sessions and passwords. WP: also the last administrator. Without an heir, their blog posts and pages go to the
 * trash, and everything else of types with authors is deleted.
 * @param heir id of the user who gets their posts; 0: they have no author
 * @param caller who does so
 */
export async function deleteUser(site: Site, { _id }: User, heir: number | null, caller: User | null): Promise<void> {
  const { store, registry } = site;
  if (heir === null) {
    const written = await store.posts.find({ author: _id }, { projection: { type: 1, status: 1 } }).toArray();
    for (const { _id: id, type, status } of written) {
      if ((type === POST || type === PAGE) && status !== 'trash') await trashPost(site, id, caller);
      else if (type === ATTACHMENT) await store.posts.findOne({ _id: id }).then((file) => file && deleteAttachment(site, file));
      else if (type === REVISION) await store.posts.deleteOne({ _id: id });
      else if (registry.findPostType(type)?.supports.includes('author')) await deletePost(site, id);
    }
  } else await reassignPosts(store, _id, heir);
  await store.users.deleteOne({ _id });
}
