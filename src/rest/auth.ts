import { RestError } from './error.js';
import { signIn } from '../wp/users.js';
import type { User } from '../wp/model.js';
import type { Store } from '../wp/store.js';

const REFUSALS = {
  incorrect_password: 'The provided password is an invalid application password.',
  invalid_username: '<strong>Error:</strong> Unknown username. Check again or try your email address.',
  invalid_email: '<strong>Error:</strong> Unknown email address. Check again or try your username.',
};

const INVALID_NONCE = new RestError('rest_cookie_invalid_nonce', 'Cookie check failed', 403);

/** Login and password of a Basic header, or null when there is none to speak of. */
export function parseBasic(header: string | undefined): { login: string; password: string } | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  // WP: an empty login or password is no attempt to sign in.
  return colon > 0 && colon < text.length - 1 ? { login: text.slice(0, colon), password: text.slice(colon + 1) } : null;
}

/**
 * Who makes a request: the user of a valid application password, or nobody.
 * WP: a wrong password or a nonce that does not hold refuses the request, whatever it asks for.
 * @throws RestError 401 for a failed sign-in, 403 for a failed nonce
 */
export async function authenticate(store: Store, authorization: string | undefined, nonce: string | undefined): Promise<User | null> {
  const basic = parseBasic(authorization);
  if (basic && (await applicationPasswordsInUse(store))) {
    const result = await signIn(store, basic.login, basic.password);
    if ('user' in result) return result.user;
    throw new RestError(result.refused, REFUSALS[result.refused], 401);
  }
  if (nonce !== undefined) throw INVALID_NONCE;
  return null;
}

// WP: as long as nobody has an application password, Basic is not looked at.
function applicationPasswordsInUse(store: Store): Promise<boolean> {
  return store.remember(
    'application passwords in use',
    async () => (await store.users.findOne({ 'applicationPasswords.0': { $exists: true } }, { projection: { _id: 1 } })) !== null,
  );
}
