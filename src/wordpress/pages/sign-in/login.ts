import { html, trusted, type Html } from '../../views/html.js';
import { framed, redirect } from '../layout.js';
import { field, isForeignForm, ownAddress } from './own-address.js';
import { fillHtml, type Reading } from '../../views/reading.js';
import { siteName } from '../../views/texts.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/request.js';
import type { User, Post } from '../../model.js';
import {
  clearedCookies,
  createNonce,
  endSession,
  findSession,
  startSession,
  TEST_COOKIE,
  testCookie,
  verifyNonce,
  type Session,
  type Cookie,
} from '../../users/sessions.js';
import type { Site } from '../../site.js';
import {
  accountOf,
  findUser,
  firstStartCredential,
  hashAccountPassword,
  looksLikeEmail,
  verifyAccountPassword,
} from '../../users/users.js';
import { createHash } from 'node:crypto';
import { PostPassword, type PostOpener } from '../../users/post-password.js';
import { isSame, signed, signerOf } from '../../users/secrets.js';

/** WP: how long an entered password is remembered, seconds. */
const TEN_DAYS = 10 * 24 * 3600;

const cookieName = ({ url }: Site): string => `wp-postpass_${createHash('md5').update(url).digest('hex')}`;

const proofOf = (site: Site, password: string): Promise<string> => signed(site, 'post password', password);

/** The state of a reader's password for a post: none, wrong or right. */
export type Unlocking = 'open' | 'locked' | 'wrong';

/** The password in the cookies of a request; null: none. WP: they hold one at a time, for all posts with it. */
export async function cookiePassword(
  site: Site,
  { cookies, address }: Pick<PageRequest, 'cookies' | 'address'>,
): Promise<PostPassword | null> {
  const name = cookieName(site);
  if (!Object.hasOwn(cookies, name)) return null;
  const { [name]: sent } = cookies;
  const sign = await signerOf(site);
  return new PostPassword(site.chosen.guards.posts, address, sent, (right) => isSame(sent, sign('post password', right)));
}

/** Too many wrong passwords were sent for a post. */
class TooManyGuesses extends Error {
  /** @param wait seconds */
  constructor(readonly wait: number) {
    super('Too many wrong passwords.');
  }
}

/** The response to an error that may be `TooManyGuesses`; other errors are rethrown. */
export function refuseGuesses(error: unknown, reading: Reading): PageResponse {
  if (error instanceof TooManyGuesses) return tooManyAttempts(reading, error.wait);
  throw error;
}

/** Whether the cookies of a request unlock a post, and what opens it. @throws TooManyGuesses */
export async function unlocking(site: Site, post: Post, request: PageRequest): Promise<{ state: Unlocking; password: PostOpener | null }> {
  if (post.password === '') return { state: 'open', password: null };
  const password = await cookiePassword(site, request);
  if (password === null) return { state: 'locked', password };
  const state = password.opens(post) ? 'open' : 'wrong';
  const wait = password.waitAt(post);
  if (wait > 0) throw new TooManyGuesses(wait);
  return { state, password };
}

/** The form does not say which post its password is for. */
const ANY_POST = '';

/**
 * Counts a password that no post has. The right one of a post clears no count: it says nothing about guesses at others.
 * @returns seconds to wait until the password is checked
 */
async function waitAfter({ chosen, store }: Site, password: string, address: string): Promise<number> {
  const guard = chosen.guards.posts;
  const wait = guard.wait(ANY_POST, address);
  if (guard.attempts === 0 || wait > 0) return wait;
  if (!(await store.posts.findOne({ password }, { projection: { _id: 1 } }))) guard.failed(ANY_POST, address);
  return 0;
}

function tooManyAttempts(reading: Reading, wait: number): PageResponse {
  const main = html`<p class="alert" role="alert">${fillHtml(reading.texts.tooManyAttempts, { time: reading.dates.seconds(wait) })}</p>`;
  return framed(
    reading,
    429,
    { title: reading.texts.password, main, isPublic: false, isNarrow: true },
    { ...NO_CACHE, 'Retry-After': String(wait) },
  );
}

/** Stores the password of a form and redirects back to the post (WP: `wp-login.php?action=postpass`). */
async function takePassword(anonymous: Reading): Promise<PageResponse> {
  const { site, request } = anonymous;
  const { pathname } = new URL(`${site.url}/`);
  const back = ownAddress(site, field(request, 'redirect_to') || request.headers.referer, `${site.url}/`);
  const password = field(request, 'post_password');
  if (request.method !== 'POST' || isForeignForm(site, request) || password === '') return redirect(302, back, NO_CACHE);
  const { posts: guard } = site.chosen.guards;
  const wait = await guard.inTurn(ANY_POST, request.address, () => waitAfter(site, password, request.address));
  if (wait > 0) return tooManyAttempts(anonymous, wait);
  const cookie: Cookie = {
    name: cookieName(site),
    value: await proofOf(site, password),
    path: pathname,
    maxAge: TEN_DAYS,
    secure: site.url.startsWith('https:'),
  };
  return { ...redirect(302, back, NO_CACHE), cookies: [cookie] };
}

/** WP: the page must not be framed by other sites, nor cached. */
export const SIGN_IN_HEADERS = {
  ...NO_CACHE,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'SAMEORIGIN',
};

const LOG_OUT = 'log-out';

interface LoginForm {
  login: string;
  remember: boolean;
  redirectTo: string;
  error: Html | string;
  message: string;
}

function loginTemplate({ site, texts }: Reading, { login, remember, redirectTo, error, message }: LoginForm): Html {
  return html`<header class="page-head"><h1>${texts.logIn}</h1></header>
    ${error === '' ? null : html`<p class="alert" role="alert">${error}</p> `}${message === '' ? null : html`<p role="status">${message}</p> `}
    <form class="panel" method="post" action="${site.coreUrl}/wp-login.php">
      <p>
        <label for="user_login">${texts.logInName}</label>
        <input type="text" name="log" id="user_login" value="${login}" autocomplete="username" autocapitalize="off" required />
      </p>
      <p>
        <label for="user_pass">${texts.password}</label>
        <input type="password" name="pwd" id="user_pass" autocomplete="current-password" required />
      </p>
      <p>
        <input type="checkbox" name="rememberme" id="rememberme" value="forever" ${remember ? trusted(' checked') : null} />
        <label for="rememberme">${texts.rememberMe}</label>
      </p>
      <p>
        <button type="submit" name="wp-submit" value="Log In">${texts.logIn}</button>
        <input type="hidden" name="redirect_to" value="${redirectTo}" />
        <input type="hidden" name="testcookie" value="1" />
      </p>
    </form>`;
}

interface Answer {
  status?: number;
  error?: Html | string;
  message?: string;
}

function form(reading: Reading, { status = 200, error = '', message = '' }: Answer = {}): PageResponse {
  const { site, request, texts } = reading;
  const data = {
    login: request.method === 'POST' ? field(request, 'log') : '',
    remember: field(request, 'rememberme') !== '',
    redirectTo: ownAddress(site, field(request, 'redirect_to'), `${site.coreUrl}/wp-admin/`),
    error,
    message,
  };
  const content = { title: texts.logIn, main: loginTemplate(reading, data), isPublic: false, isNarrow: true };
  return { ...framed(reading, status, content, SIGN_IN_HEADERS), cookies: [testCookie(site)] };
}

let nobodysHash: Promise<string> | undefined;

/** WP: how errors are reported. */
const fault = ({ texts }: Reading, what: string): Html => html`<strong>${texts.error}</strong> ${what}`;

/** A login and account password, and the user with that login. */
interface Guess {
  login: string;
  user: User | null;
  password: string;
}

/** A user, and the hash of the password that was right. */
interface Right {
  user: User;
  credential: string;
}

/** The user of a login and account password, or an error. Unknown logins take as long as wrong passwords. */
async function check({ texts }: Reading, { login, user, password }: Guess): Promise<Right | string> {
  if (login.trim() === '') return texts.usernameEmpty;
  if (password === '') return texts.passwordEmpty;
  nobodysHash ??= hashAccountPassword('nobody');
  const isRight = await verifyAccountPassword(user?.passwordHash ?? (await nobodysHash), password);
  const credential = user && ((isRight ? user.passwordHash : undefined) ?? firstStartCredential(user, password));
  if (credential) return { user, credential };
  // WP: tells whether the login exists; here both failures have the same message.
  return looksLikeEmail(login) ? texts.wrongEmail : texts.wrongUsername;
}

const afterLogin = (site: Site, request: PageRequest): string =>
  ownAddress(site, field(request, 'redirect_to'), `${site.coreUrl}/wp-admin/`);

/** @param who key of the guessed account */
async function attempt(reading: Reading, who: string, guess: Guess): Promise<PageResponse> {
  const { site, request, texts } = reading;
  const guard = site.chosen.guards.page;
  const wait = guard.wait(who, request.address);
  if (wait > 0) {
    const refused = form(reading, { status: 429, error: fillHtml(texts.tooManyAttempts, { time: reading.dates.seconds(wait) }) });
    return { ...refused, headers: { ...refused.headers, 'Retry-After': String(wait) } };
  }
  const result = await check(reading, guess);
  if (typeof result === 'string') {
    guard.failed(who, request.address);
    return form(reading, { error: fault(reading, result) });
  }
  guard.succeeded(who, request.address);
  const cookies = await startSession(site, result.user, result.credential, field(request, 'rememberme') !== '');
  return { ...redirect(302, afterLogin(site, request), SIGN_IN_HEADERS), cookies };
}

async function logIn(reading: Reading): Promise<PageResponse> {
  const { site, request, texts } = reading;
  if (isForeignForm(site, request)) return form(reading, { status: 403, error: texts.foreignForm });
  // WP: requires the test cookie that the form has set, if the form says so.
  if (field(request, 'testcookie') !== '' && request.cookies[TEST_COOKIE] === undefined)
    return form(reading, { error: fault(reading, texts.cookiesBlocked) });

  const login = field(request, 'log');
  const user = login.trim() === '' ? null : await findUser(site.store, login);
  const who = accountOf(user, login);
  const guess = { login, user, password: field(request, 'pwd') };
  return site.chosen.guards.page.inTurn(who, request.address, () => attempt(reading, who, guess));
}

function askToLogOut(reading: Reading, redirectTo: string, nonce: string): PageResponse {
  const { site, texts } = reading;
  const main = html`<header class="page-head"><h1>${texts.logOut}</h1></header>
    <p>${fillHtml(texts.askLogOut, { name: siteName(site) })}</p>
    <form method="post" action="${site.coreUrl}/wp-login.php?action=logout">
      <p>
        <button type="submit">${texts.logOut}</button>
        <input type="hidden" name="redirect_to" value="${redirectTo}" />
        <input type="hidden" name="_wpnonce" value="${nonce}" />
      </p>
    </form>`;
  return framed(reading, 403, { title: texts.logOut, main, isPublic: false, isNarrow: true }, SIGN_IN_HEADERS);
}

/** WP: only with a nonce of the session; without one, the user has to confirm. */
async function logOut(reading: Reading, session: Session | null): Promise<PageResponse> {
  const { site, request } = reading;
  const target = ownAddress(site, field(request, 'redirect_to'), `${site.coreUrl}/wp-login.php?loggedout=true`);
  if (session && !(await verifyNonce(site, session, LOG_OUT, field(request, '_wpnonce'))))
    return askToLogOut(reading, field(request, 'redirect_to'), await createNonce(site, session, LOG_OUT));
  if (!session && request.method !== 'POST') return askToLogOut(reading, field(request, 'redirect_to'), '');
  if (session) await endSession(site, session);
  return { ...redirect(302, target, SIGN_IN_HEADERS), cookies: clearedCookies(site) };
}

export const logOutUrl = async (site: Site, session: Session): Promise<string> =>
  `${site.coreUrl}/wp-login.php?action=logout&_wpnonce=${await createNonce(site, session, LOG_OUT)}`;

/** `/wp-login.php`: the form, signing in, logging out, and the passwords of single posts. */
export async function serveLogin(anonymous: Reading): Promise<PageResponse> {
  const { site, request } = anonymous;
  if (field(request, 'action') === 'postpass') return takePassword(anonymous);
  const session = await findSession(site, request.cookies);
  const reading = { ...anonymous, reader: session?.user ?? null };
  if (field(request, 'action') === 'logout') return logOut(reading, session);
  if (request.method === 'POST') return logIn(reading);
  // WP: signed-in users are redirected, unless they must sign in again.
  if (session && field(request, 'reauth') === '') return redirect(302, afterLogin(site, request), SIGN_IN_HEADERS);
  return form(reading, { message: field(request, 'loggedout') === '' ? '' : reading.texts.loggedOut });
}
