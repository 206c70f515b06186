import { createHash, randomBytes } from 'node:crypto';
import type { User } from '../model.js';
import { asCaller } from './capabilities.js';
import { isSame, signed } from './secrets.js';
import type { Site } from '../site.js';
import { pageCredentials } from './users.js';
import { ANY_CASE } from '../../database/store/indexes.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** WP: lifetime of a session, in seconds. */
const SHORT = 2 * DAY;
const REMEMBERED = 14 * DAY;
/** WP: the cookie of a remembered session outlives the session, so that the user is asked to sign in again. */
const COOKIE_GRACE = 12 * HOUR;

/** WP: half the lifetime of a nonce. Nonces change every tick and are valid for two ticks. */
const TICK = 12 * HOUR;

/** A session of a user who is signed in by cookie. */
export interface Session {
  user: User;
  token: string;
}

/** A cookie to set. Without `maxAge` it is a session cookie; 0 deletes it. */
export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** In seconds. Relative, since the site's clock may differ from the browser's. */
  maxAge?: number;
  /** Whether it is sent only over HTTPS. */
  secure: boolean;
}

/** The hash of the last URL, which every request needs. */
let hashed = { url: '', hash: '' };

/** WP: distinguishes the cookies of several sites on one host. */
function cookieHash({ url }: Site): string {
  if (url !== hashed.url) hashed = { url, hash: createHash('md5').update(url).digest('hex') };
  return hashed.hash;
}

const basePath = ({ url }: Site): string => new URL(url).pathname.replace(/\/+$/, '');

const isSecure = ({ url }: Site): boolean => url.startsWith('https:');

type Scheme = 'auth' | 'logged_in';

const nameOf = (site: Site, scheme: Scheme): string => `wordpress_${scheme === 'auth' ? '' : 'logged_in_'}${cookieHash(site)}`;

export const TEST_COOKIE = 'wordpress_test_cookie';

/** WP: tests whether the browser accepts cookies. */
export const testCookie = (site: Site): Cookie => ({
  name: TEST_COOKIE,
  value: 'WP Cookie check',
  path: `${basePath(site)}/`,
  secure: isSecure(site),
});

interface Signing {
  user: User;
  /** Hash of the password that started the session, so that another password ends it (WP). */
  credential: string;
  expiry: number;
  token: string;
}

const proofOf = (site: Site, scheme: Scheme, { user, credential, expiry, token }: Signing): Promise<string> =>
  signed(site, 'session', scheme, user._id, user.login, credential, expiry, token);

/** WP: the `auth` cookie is only for the administration, the other one for all paths. */
const pathsOf = (site: Site, scheme: Scheme): string[] =>
  scheme === 'auth' ? [`${basePath(site)}/wp-content/plugins`, `${basePath(site)}/wp-admin`] : [`${basePath(site)}/`];

/**
 * Starts a session and returns its cookies. It expires by the site's clock.
 * @param credential hash of the password that was sent (`pageCredentials`)
 * @param remember two weeks instead of two days
 */
export async function startSession(site: Site, user: User, credential: string, remember: boolean): Promise<Cookie[]> {
  const token = randomBytes(32).toString('base64url');
  const expiry = site.clock.seconds() + (remember ? REMEMBERED : SHORT);
  const cookies = (['auth', 'logged_in'] as const).map(async (scheme) => {
    const value = [user.login, expiry, token, await proofOf(site, scheme, { user, credential, expiry, token })].join('|');
    const age = remember ? { maxAge: REMEMBERED + COOKIE_GRACE } : {};
    return pathsOf(site, scheme).map((path) => ({ name: nameOf(site, scheme), value, path, secure: isSecure(site), ...age }));
  });
  return (await Promise.all(cookies)).flat();
}

export const clearedCookies = (site: Site): Cookie[] =>
  (['auth', 'logged_in'] as const).flatMap((scheme) =>
    pathsOf(site, scheme).map((path) => ({ name: nameOf(site, scheme), value: ' ', path, secure: isSecure(site), maxAge: 0 })),
  );

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Finds the session of a request. @param cookies decoded values by name */
export async function findSession(site: Site, cookies: Record<string, string>): Promise<Session | null> {
  const name = nameOf(site, 'logged_in');
  const value = Object.hasOwn(cookies, name) ? cookies[name] : '';
  const [, login, expiry, token, mac] = /^([^|]+)\|(\d{1,12})\|([\w-]+)\|([0-9a-f]+)$/.exec(value) ?? [];
  if (mac === undefined || Number(expiry) < site.clock.seconds()) return null;
  const user = await site.store.users.findOne({ login }, { collation: ANY_CASE });
  if (!user) return null;
  const signing = (credential: string): Signing => ({ user, credential, expiry: Number(expiry), token });
  const valid = await Promise.all(pageCredentials(user).map((each) => proofOf(site, 'logged_in', signing(each))));
  if (!valid.map((each) => isSame(mac, each)).includes(true)) return null;
  const ended = user.endedSessions?.some((session) => session.token === digest(token)) ?? false;
  return ended ? null : { user: asCaller(user, site), token };
}

/** Ends a session: its cookies become invalid. */
export async function endSession(site: Site, { user, token }: Session): Promise<void> {
  const now = site.clock.seconds();
  const still = (user.endedSessions ?? []).filter(({ expiry }) => expiry >= now);
  const endedSessions = [...still, { token: digest(token), expiry: now + REMEMBERED }];
  await site.store.users.updateOne({ _id: user._id }, { $set: { endedSessions } });
}

/** The number of the current tick. Responses with a nonce may be cached until the next one. */
function tick({ clock }: Site): number {
  const now = Math.ceil(Math.floor(clock.peek() / 1000) / TICK);
  clock.noteSpan(1000 * ((now - 1) * TICK + 1), 1000 * (now * TICK + 1));
  return now;
}

/** Whom a nonce is for: the user of a session, or without a token, one who signed in with an application password (WP). */
export interface NonceHolder {
  user: Pick<User, '_id'>;
  token: string;
}

/** WP: the nonces of all visitors are the same. */
export const VISITOR: NonceHolder = { user: { _id: 0 }, token: '' };

async function nonceAt(site: Site, { user, token }: NonceHolder, action: string, at: number): Promise<string> {
  return (await signed(site, 'nonce', at, action, user._id, token)).slice(-12, -2);
}

/** A nonce for an action of a user (WP: 10 hex digits, valid for 12 to 24 hours by the site's clock). */
export const createNonce = (site: Site, holder: NonceHolder, action: string): Promise<string> => nonceAt(site, holder, action, tick(site));

export async function verifyNonce(site: Site, holder: NonceHolder, action: string, nonce: string): Promise<boolean> {
  const now = tick(site);
  const valid = await Promise.all([now, now - 1].map((at) => nonceAt(site, holder, action, at)));
  return valid.map((each) => isSame(nonce, each)).includes(true);
}

/** WP: the action of the nonces for REST requests. */
export const REST_NONCE = 'wp_rest';
