import { toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { ROLES } from '../../wp/users/capabilities.js';
import { capabilitiesOf } from '../../wp/users/roles.js';
import { ksesComment } from '../../wp/formatting/kses/kses.js';
import { sanitizeTextField } from '../../wp/formatting/sanitize.js';
import { sanitizeTitle } from '../../wp/formatting/slug.js';
import { ANY_CASE } from '../../store/indexes.js';
import { hashAccountPassword } from '../../wp/users/users.js';
import type { User } from '../../wp/model.js';
import type { CallContext } from '../../rest/route.js';

const badRequest = (code: string, message: string): RestError => new RestError(code, message, 400);

/** The text that a parameter was sent as; undefined when it was not. */
const sent = ({ request }: CallContext, name: string): string | undefined => {
  const value = request.get(name);
  return typeof value === 'string' ? value : undefined;
};

const line = (context: CallContext, name: string): string | undefined => {
  const text = sent(context, name);
  return text === undefined ? undefined : ksesComment(sanitizeTextField(text));
};

/** @throws RestError for an address that somebody else has */
async function emailOf(context: CallContext, user: User): Promise<string | undefined> {
  const email = sent(context, 'email');
  if (email === undefined || email === '') return undefined;
  const owner = await context.site.store.users.findOne({ email }, { collation: ANY_CASE });
  if (owner && owner._id !== user._id) throw badRequest('rest_user_invalid_email', 'Invalid email address.');
  return email;
}

/** WP: one that comes to nothing is made of the login anew. @throws RestError for a name in addresses that somebody else has */
async function slugOf(context: CallContext, user: User): Promise<string | undefined> {
  const slug = sent(context, 'slug');
  if (slug === undefined) return undefined;
  const nicename = sanitizeTitle(slug) || sanitizeTitle(user.login);
  const owner = await context.site.store.users.findOne({ nicename });
  if (owner && owner._id !== user._id) throw badRequest('rest_user_invalid_slug', 'Invalid slug.');
  return nicename;
}

/** WP: an empty list takes the role away. @throws RestError for a role that there is not, and for one with which one could not go back */
function roleOf({ request }: CallContext, user: User): string | undefined {
  const roles = request.get('roles');
  if (!Array.isArray(roles)) return undefined;
  const names = roles.map(toStr);
  const unknown = names.find((role) => !ROLES.includes(role));
  if (unknown !== undefined) throw badRequest('rest_user_invalid_role', `The role ${unknown} does not exist.`);
  if (request.user?._id === user._id && names.some((role) => !capabilitiesOf(role).includes('edit_users')))
    throw new RestError('rest_user_invalid_role', 'Sorry, you are not allowed to give users that role.', 403);
  return names[names.length - 1] ?? '';
}

async function passwordOf(context: CallContext): Promise<string | undefined> {
  const password = sent(context, 'password');
  return password === undefined ? undefined : hashAccountPassword(password);
}

/** WP: who takes a name away goes by their login. */
const orLogin = (name: string | undefined, { login }: User): string | undefined => (name === '' ? login : name);

/**
 * What a write changes of a user; fields that are undefined were not sent.
 * @throws RestError for what WordPress refuses
 */
export async function userChanges(user: User, context: CallContext): Promise<Partial<User>> {
  const username = sent(context, 'username');
  if (username !== undefined && username !== '' && username !== user.login)
    throw badRequest('rest_user_invalid_argument', 'Username is not editable.');
  const description = sent(context, 'description');
  const changes = {
    email: await emailOf(context, user),
    nicename: await slugOf(context, user),
    displayName: orLogin(line(context, 'name'), user),
    firstName: line(context, 'first_name'),
    lastName: line(context, 'last_name'),
    nickname: orLogin(line(context, 'nickname'), user),
    // WP: addresses of users are stored as they stand in a page.
    url: sent(context, 'url')?.replace(/&(?!amp;|#0?38;)/g, '&amp;'),
    description: description === undefined ? undefined : ksesComment(description),
    locale: sent(context, 'locale'),
    role: roleOf(context, user),
    passwordHash: await passwordOf(context),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
