import { createHash } from 'node:crypto';
import { RestError, TooManyAttempts } from './route.js';
import { createNonce, findSession, REST_NONCE, verifyNonce } from '../users/sessions.js';
import { accountOf, findUser, looksLikeEmail, signIn, verifyAccountPassword, type SignIn, recordUse } from '../users/users.js';
import type { User } from '../model.js';
import type { Site } from '../site.js';
import type { Store } from '../store.js';
import type { RestRequest } from './request.js';

declare module '../types/hooks.js' {
  interface Hooks {
    /** Another way to sign in to the REST API. */
    authenticate: Authentication;
  }
}

/** How a plugin signs callers in, before WordPress does with an application password. A session takes precedence. */
export interface Authentication {
  /** Names of headers with credentials, in lower case, besides `authorization`: no cached response goes to their senders. */
  headers?: readonly string[];
  /**
   * Identifies the caller (WP: `determine_current_user`); null leaves it to the next. The body of a request is parsed by then, unless it is
   * larger than `PUBLIC_BODY`.
   * @throws RestError the response to the request, on every route (WP: `rest_authentication_errors`)
   */
  findUser: (request: RestRequest, site: Site) => Promise<User | null>;
  /** Signs a bearer token for a user. @throws RestError if the site is not set up for it */
  tokenFor?: (site: Site, user: User) => Promise<string>;
}

const REFUSALS = {
  incorrect_password: 'The provided password is an invalid application password.',
  invalid_username: '<strong>Error:</strong> Unknown username. Check again or try your email address.',
  invalid_email: '<strong>Error:</strong> Unknown email address. Check again or try your username.',
};

const INVALID_NONCE = new RestError('rest_cookie_invalid_nonce', 'Cookie check failed', 403);

interface Basic {
  login: string;
  password: string;
}

/** Login and password of a Basic header, which may be empty, or null without a valid one. */
export function parseBasic(header: string | undefined): Basic | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

interface SentCredentials {
  /** `X-WP-Nonce` or `_wpnonce`; undefined when neither was sent. */
  nonce: string | undefined;
  /** Cookies by name, decoded. */
  cookies: Record<string, string>;
}

interface Caller {
  user: User | null;
  /** Token of the session that signed them in; empty without one. */
  session: string;
  /** UUID of the application password, if that is what signed them in. */
  applicationPassword: string | null;
  /** A new nonce for callers who are signed in by cookie. */
  nonce: string | null;
}

type SignedIn = Exclude<SignIn, { refused: string }>;

const NOBODY: Caller = { user: null, session: '', applicationPassword: null, nonce: null };

/** WP: the errors of the form for signing in, which the API has as long as nobody has an application password. */
function formRefusal(site: Site, { login, password }: Basic, user: User | null): RestError {
  const refusal = (code: string, message: string): RestError => new RestError(code, message, 401);
  const error = '<strong>Error:</strong> ';
  const isEmail = looksLikeEmail(login);
  if (login === '') return refusal('empty_username', `${error}The username field is empty.`);
  if (password === '') return refusal('empty_password', `${error}The password field is empty.`);
  if (user) {
    const lost = `<a href="${site.coreUrl}/wp-login.php?action=lostpassword">Lost your password?</a>`;
    const who = `${isEmail ? 'email address' : 'username'} <strong>${login}</strong>`;
    return refusal('incorrect_password', `${error}The password you entered for the ${who} is incorrect. ${lost}`);
  }
  if (isEmail) return refusal('invalid_email', REFUSALS.invalid_email.replace(error, ''));
  const unsure = 'If you are unsure of your username, try your email address instead.';
  return refusal('invalid_username', `${error}The username <strong>${login}</strong> is not registered on this site. ${unsure}`);
}

/** Whether a password is the one of a user's account. The slow hash is computed once for each that is sent. */
async function hasAccountPassword(store: Store, { login, passwordHash }: User, password: string): Promise<boolean> {
  if (passwordHash === undefined) return false;
  const sent = createHash('sha256').update(password).digest('base64');
  return store.cache.remember(`account ${login} ${sent}`, () => verifyAccountPassword(passwordHash, password), 'users');
}

/** @param who key of the account @throws RestError 401 for a wrong password, 429 after too many of them */
async function attempt(site: Site, { login, password }: Basic, who: string, address: string): Promise<SignedIn> {
  const guard = site.chosen.guards.applications;
  const wait = guard.wait(who, address);
  if (wait > 0) throw new TooManyAttempts(wait);
  const result = await signIn(site.store, login, password);
  if ('refused' in result) {
    guard.failed(who, address);
    throw new RestError(result.refused, REFUSALS[result.refused], 401);
  }
  guard.succeeded(who, address);
  return result;
}

/** The user and the application password of a login and a password. @throws RestError 401 for a wrong one, 429 after too many of them */
async function signInByApplication(site: Site, basic: Basic, user: User | null, address: string): Promise<SignedIn> {
  const who = accountOf(user, basic.login);
  const result = await site.chosen.guards.applications.inTurn(who, address, () => attempt(site, basic, who, address));
  await recordUse(site.store, result.user, result.password, site.clock.seconds(), address);
  return result;
}

/**
 * The user of a login or email address and the password of the account, or an application password (WP: `wp_authenticate` in the API).
 * @param address of the caller
 * @throws RestError 401 for a wrong password, 429 after too many of them
 */
export async function signInByPassword(site: Site, basic: Basic, address: string): Promise<User> {
  const { store } = site;
  const { login, password } = basic;
  const user = login.trim() === '' ? null : await findUser(store, login);
  const guard = site.chosen.guards.applications;
  const who = accountOf(user, login);
  if (user && guard.wait(who, address) === 0 && (await hasAccountPassword(store, user, password))) {
    guard.succeeded(who, address);
    return user;
  }
  if (await applicationPasswordsInUse(store)) return (await signInByApplication(site, basic, user, address)).user;
  const wait = guard.wait(who, address);
  if (wait > 0) throw new TooManyAttempts(wait);
  guard.failed(who, address);
  throw formRefusal(site, basic, user);
}

/**
 * Identifies the caller: the user of a session, if a nonce of it is sent, the user that a plugin finds, the user of a valid application
 * password, or nobody. WP: a wrong password or an invalid nonce rejects any request. A session takes precedence over all others; cookies
 * without a nonce are ignored, since a page of another site may have sent them.
 * @throws RestError 401 for a failed sign-in, 403 for a failed nonce, and what plugins throw
 */
export async function authenticate(site: Site, request: RestRequest, { nonce, cookies }: SentCredentials): Promise<Caller> {
  const session = await findSession(site, cookies);
  if (!session) {
    for (const { findUser: ofPlugin } of site.registry.hooks('authenticate')) {
      const user = await ofPlugin(request, site);
      if (user) return { ...NOBODY, user };
    }
  }
  const { address } = request;
  const basic = session ? null : parseBasic(request.headers.authorization);
  // WP: an empty login or password is not an attempt to sign in.
  if (basic && basic.login !== '' && basic.password !== '' && (await applicationPasswordsInUse(site.store))) {
    const { user, password } = await signInByApplication(site, basic, await findUser(site.store, basic.login), address);
    return { ...NOBODY, user, applicationPassword: password.uuid };
  }
  if (nonce === undefined) return NOBODY;
  if (!session || !(await verifyNonce(site, session, REST_NONCE, nonce))) throw INVALID_NONCE;
  return { user: session.user, session: session.token, applicationPassword: null, nonce: await createNonce(site, session, REST_NONCE) };
}

// WP: Basic is ignored until somebody has an application password.
function applicationPasswordsInUse(store: Store): Promise<boolean> {
  return store.cache.remember(
    'application passwords in use',
    async () => (await store.users.findOne({ 'applicationPasswords.0': { $exists: true } }, { projection: { _id: 1 } })) !== null,
    'users',
  );
}
