import { createHash, randomBytes } from 'node:crypto';
import type { User } from '../model.js';
import { isSame, signature, siteSecret } from './secrets.js';
import type { Site } from '../site.js';
import { ANY_CASE } from '../../store/indexes.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** WP: how long a sign-in holds, seconds. */
const SHORT = 2 * DAY;
const REMEMBERED = 14 * DAY;
/** WP: a remembered cookie outlives the sign-in, so that a late caller is asked to sign in again. */
const COOKIE_GRACE = 12 * HOUR;

/** WP: a nonce changes with every half of its life, and holds for two of them. */
const TICK = 12 * HOUR;

/** Somebody who is signed in by cookie. */
export interface Session {
  user: User;
  token: string;
}

/** A cookie to be set. Without `maxAge` it ends with the browser; 0 takes it away. */
export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** Seconds. Relative, since the clock of the site may not be that of the browser. */
  maxAge?: number;
  /** Only to be sent by https. */
  secure: boolean;
}

/** WP: cookies of two sites on one host differ by the address of the site. */
const cookieHash = ({ url }: Site): string => createHash('md5').update(url).digest('hex');

const basePath = ({ url }: Site): string => new URL(url).pathname.replace(/\/+$/, '');

const isSecure = ({ url }: Site): boolean => url.startsWith('https:');

type Scheme = 'auth' | 'logged_in';

const nameOf = (site: Site, scheme: Scheme): string => `wordpress_${scheme === 'auth' ? '' : 'logged_in_'}${cookieHash(site)}`;

export const TEST_COOKIE = 'wordpress_test_cookie';

/** WP: shows that the browser takes cookies at all. */
export const testCookie = (site: Site): Cookie => ({
  name: TEST_COOKIE,
  value: 'WP Cookie check',
  path: `${basePath(site)}/`,
  secure: isSecure(site),
});

/** What a session is signed with: another password of the account ends all of its sessions (WP). */
const signedParts = (user: User, scheme: Scheme, expiry: number, token: string): (string | number)[] => [
  'session',
  scheme,
  user._id,
  user.login,
  user.passwordHash ?? '',
  expiry,
  token,
];

async function cookieValue(site: Site, user: User, scheme: Scheme, expiry: number, token: string): Promise<string> {
  const mac = signature(await siteSecret(site.store), ...signedParts(user, scheme, expiry, token));
  return [user.login, expiry, token, mac].join('|');
}

/** WP: the cookie of the administration goes to its pages only, the other one everywhere. */
const pathsOf = (site: Site, scheme: Scheme): string[] =>
  scheme === 'auth' ? [`${basePath(site)}/wp-content/plugins`, `${basePath(site)}/wp-admin`] : [`${basePath(site)}/`];

/** The cookies of a new session. It holds until a moment on the site's clock. @param remember for two weeks instead of two days */
export async function startSession(site: Site, user: User, remember: boolean): Promise<Cookie[]> {
  const token = randomBytes(32).toString('base64url');
  const expiry = site.clock.seconds() + (remember ? REMEMBERED : SHORT);
  const cookies = (['auth', 'logged_in'] as const).map(async (scheme) => {
    const value = await cookieValue(site, user, scheme, expiry, token);
    const age = remember ? { maxAge: REMEMBERED + COOKIE_GRACE } : {};
    return pathsOf(site, scheme).map((path) => ({ name: nameOf(site, scheme), value, path, secure: isSecure(site), ...age }));
  });
  return (await Promise.all(cookies)).flat();
}

/** Cookies that take those of a session away. */
export const clearedCookies = (site: Site): Cookie[] =>
  (['auth', 'logged_in'] as const).flatMap((scheme) =>
    pathsOf(site, scheme).map((path) => ({ name: nameOf(site, scheme), value: ' ', path, secure: isSecure(site), maxAge: 0 })),
  );

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Who is signed in by the cookies of a request, if anybody. @param cookies by name, decoded */
export async function findSession(site: Site, cookies: Record<string, string>): Promise<Session | null> {
  const name = nameOf(site, 'logged_in');
  const value = Object.hasOwn(cookies, name) ? cookies[name] : '';
  const [, login, expiry, token, mac] = /^([^|]+)\|(\d{1,12})\|([\w-]+)\|([0-9a-f]+)$/.exec(value) ?? [];
  if (mac === undefined || Number(expiry) < site.clock.seconds()) return null;
  const user = await site.store.users.findOne({ login }, { collation: ANY_CASE });
  if (!user) return null;
  const right = signature(await siteSecret(site.store), ...signedParts(user, 'logged_in', Number(expiry), token));
  if (!isSame(mac, right)) return null;
  const ended = user.endedSessions?.some((session) => session.token === digest(token)) ?? false;
  return ended ? null : { user, token };
}

/** Ends a session for good: its cookies are worth nothing any more, wherever they are. */
export async function endSession(site: Site, { user, token }: Session): Promise<void> {
  const now = site.clock.seconds();
  const still = (user.endedSessions ?? []).filter(({ expiry }) => expiry >= now);
  const endedSessions = [...still, { token: digest(token), expiry: now + REMEMBERED }];
  await site.store.users.updateOne({ _id: user._id }, { $set: { endedSessions } });
}

const tick = (site: Site): number => Math.ceil(site.clock.seconds() / TICK);

async function nonceAt(site: Site, { user, token }: Session, action: string, at: number): Promise<string> {
  return signature(await siteSecret(site.store), 'nonce', at, action, user._id, token).slice(-12, -2);
}

/** A nonce for one kind of action in a session (WP: 10 hex digits, good for 12 to 24 hours of the site's clock). */
export const createNonce = (site: Site, session: Session, action: string): Promise<string> => nonceAt(site, session, action, tick(site));

/** Whether a nonce holds for an action. */
export async function verifyNonce(site: Site, session: Session, action: string, nonce: string): Promise<boolean> {
  const now = tick(site);
  const right = await Promise.all([now, now - 1].map((at) => nonceAt(site, session, action, at)));
  return right.map((each) => isSame(nonce, each)).includes(true);
}

/** WP: the action of the nonces that go with REST requests. */
export const REST_NONCE = 'wp_rest';
