import { toStr } from '../php/cast.js';
import { RestError } from '../rest/error.js';
import { ROLES } from '../wp/capabilities.js';
import { ksesComment } from '../wp/formatting/kses.js';
import { sanitizeTextField } from '../wp/formatting/sanitize.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { ANY_CASE } from '../wp/indexes.js';
import { hashAccountPassword } from '../wp/users.js';
import type { User } from '../wp/model.js';
import type { CallContext } from '../rest/route.js';

const badRequest = (code: string, message: string): RestError => new RestError(code, message, 400);

/** The text that a parameter was sent as; undefined when it was not. */
const sent = ({ request }: CallContext, name: string): string | undefined => {
  const value = request.get(name);
  return typeof value === 'string' ? value : undefined;
};

const line = (context: CallContext, name: string): string | undefined => {
  const text = sent(context, name);
  return text === undefined ? undefined : sanitizeTextField(text);
};

/** @throws RestError for an address that somebody else has */
async function emailOf(context: CallContext, user: User): Promise<string | undefined> {
  const email = sent(context, 'email');
  if (email === undefined || email === '') return undefined;
  const owner = await context.site.store.users.findOne({ email }, { collation: ANY_CASE });
  if (owner && owner._id !== user._id) throw badRequest('rest_user_invalid_email', 'Invalid email address.');
  return email;
}

/** @throws RestError for a name in addresses that somebody else has */
async function slugOf(context: CallContext, user: User): Promise<string | undefined> {
  const slug = sent(context, 'slug');
  if (slug === undefined) return undefined;
  const nicename = sanitizeTitle(slug);
  const owner = await context.site.store.users.findOne({ nicename });
  if (nicename === '' || (owner && owner._id !== user._id)) throw badRequest('rest_user_invalid_slug', 'Invalid slug.');
  return nicename;
}

/** @throws RestError for a role that there is not */
function roleOf({ request }: CallContext): string | undefined {
  const roles = request.get('roles');
  if (!Array.isArray(roles) || roles.length === 0) return undefined;
  const names = roles.map(toStr);
  const unknown = names.find((role) => !ROLES.includes(role));
  if (unknown !== undefined) throw badRequest('rest_user_invalid_role', `The role ${unknown} does not exist.`);
  return names[names.length - 1];
}

async function passwordOf(context: CallContext): Promise<string | undefined> {
  const password = sent(context, 'password');
  if (password === undefined) return undefined;
  if (password === '' || password.includes('\\'))
    throw badRequest('rest_user_invalid_password', 'Passwords cannot be empty or contain the "\\" character.');
  return hashAccountPassword(password);
}

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
    displayName: line(context, 'name'),
    firstName: line(context, 'first_name'),
    lastName: line(context, 'last_name'),
    nickname: line(context, 'nickname') || undefined,
    url: sent(context, 'url'),
    description: description === undefined ? undefined : ksesComment(description),
    locale: sent(context, 'locale'),
    role: roleOf(context),
    passwordHash: await passwordOf(context),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
