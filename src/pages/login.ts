import { html, trusted, type Html } from './html.js';
import { layout, NO_CACHE, page, redirect } from './layout.js';
import type { LoginGuard } from './login-guard.js';
import { field, isForeignForm, ownAddress } from './own-address.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import type { User } from '../wp/model.js';
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
} from '../wp/sessions.js';
import type { Site } from '../wp/site.js';
import { findUser, hashAccountPassword, looksLikeEmail, verifyAccountPassword } from '../wp/users.js';

/** WP: the page must not be framed elsewhere, nor kept. */
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
  error: string;
  message: string;
}

function loginTemplate(site: Site, { login, remember, redirectTo, error, message }: LoginForm): Html {
  return html`<h1>Log in</h1>
    ${error === '' ? null : html`<p role="alert">${trusted(error)}</p> `}${message === '' ? null : html`<p>${message}</p> `}
    <form method="post" action="${site.url}/wp-login.php">
      <p>
        <label for="user_login">Username or Email Address</label>
        <input type="text" name="log" id="user_login" value="${login}" autocomplete="username" autocapitalize="off" required />
      </p>
      <p>
        <label for="user_pass">Password</label> <input type="password" name="pwd" id="user_pass" autocomplete="current-password" required />
      </p>
      <p>
        <input type="checkbox" name="rememberme" id="rememberme" value="forever" ${remember ? trusted(' checked') : null} />
        <label for="rememberme">Remember Me</label>
      </p>
      <p>
        <button type="submit" name="wp-submit" value="Log In">Log In</button>
        <input type="hidden" name="redirect_to" value="${redirectTo}" />
        <input type="hidden" name="testcookie" value="1" />
      </p>
    </form>`;
}

function form(site: Site, request: PageRequest, { status = 200, error = '', message = '' } = {}): PageResponse {
  const data = {
    login: request.method === 'POST' ? field(request, 'log') : '',
    remember: field(request, 'rememberme') !== '',
    redirectTo: ownAddress(site, field(request, 'redirect_to'), `${site.url}/wp-admin/`),
    error,
    message,
  };
  const body = layout(site, { title: 'Log in', main: loginTemplate(site, data), isPublic: false });
  return { ...page(status, body, SIGN_IN_HEADERS), cookies: [testCookie(site)] };
}

let nobodysHash: Promise<string> | undefined;

/** The user of a login and account password, or what is wrong. Unknown logins take as long as wrong passwords. */
async function check(site: Site, login: string, password: string): Promise<User | string> {
  if (login.trim() === '') return '<strong>Error:</strong> The username field is empty.';
  if (password === '') return '<strong>Error:</strong> The password field is empty.';
  const user = await findUser(site.store, login);
  nobodysHash ??= hashAccountPassword('nobody');
  const isRight = await verifyAccountPassword(user?.passwordHash ?? (await nobodysHash), password);
  if (user?.passwordHash !== undefined && isRight) return user;
  const what = looksLikeEmail(login) ? 'email address' : 'username';
  // WP: tells whether the login exists; here both failures read alike.
  return `<strong>Error:</strong> This ${what} and password do not go together.`;
}

const afterLogin = (site: Site, request: PageRequest): string => ownAddress(site, field(request, 'redirect_to'), `${site.url}/wp-admin/`);

async function logIn(site: Site, request: PageRequest, guard: LoginGuard): Promise<PageResponse> {
  if (isForeignForm(site, request)) return form(site, request, { status: 403, error: 'This form came from another site.' });
  // WP: asks for the cookie that the form had set, if the form says so.
  if (field(request, 'testcookie') !== '' && request.cookies[TEST_COOKIE] === undefined)
    return form(site, request, { error: '<strong>Error:</strong> Cookies are blocked or not supported by your browser.' });

  const login = field(request, 'log');
  const wait = guard.wait(login, request.address);
  if (wait > 0) {
    const refused = form(site, request, { status: 429, error: `Too many failed attempts. Try again in ${wait} seconds.` });
    return { ...refused, headers: { ...refused.headers, 'Retry-After': String(wait) } };
  }
  const result = await check(site, login, field(request, 'pwd'));
  if (typeof result === 'string') {
    guard.failed(login, request.address);
    return form(site, request, { error: result });
  }
  guard.succeeded(login, request.address);
  const cookies = await startSession(site, result, field(request, 'rememberme') !== '');
  return { ...redirect(302, afterLogin(site, request), SIGN_IN_HEADERS), cookies };
}

function askToLogOut(site: Site, redirectTo: string, nonce: string): PageResponse {
  const main = html`<h1>Log out</h1>
    <p>You are attempting to log out of ${site.options.name}.</p>
    <form method="post" action="${site.url}/wp-login.php?action=logout">
      <p>
        <button type="submit">Log out</button>
        <input type="hidden" name="redirect_to" value="${redirectTo}" />
        <input type="hidden" name="_wpnonce" value="${nonce}" />
      </p>
    </form>`;
  return page(403, layout(site, { title: 'Log out', main, isPublic: false }), SIGN_IN_HEADERS);
}

/** WP: only with a nonce of the session; without one, the user is asked. */
async function logOut(site: Site, request: PageRequest, session: Session | null): Promise<PageResponse> {
  const target = ownAddress(site, field(request, 'redirect_to'), `${site.url}/wp-login.php?loggedout=true`);
  if (session && !(await verifyNonce(site, session, LOG_OUT, field(request, '_wpnonce'))))
    return askToLogOut(site, field(request, 'redirect_to'), await createNonce(site, session, LOG_OUT));
  if (session) await endSession(site, session);
  return { ...redirect(302, target, SIGN_IN_HEADERS), cookies: clearedCookies(site) };
}

/** Address that logs a session out. */
export const logOutUrl = async (site: Site, session: Session): Promise<string> =>
  `${site.url}/wp-login.php?action=logout&_wpnonce=${await createNonce(site, session, LOG_OUT)}`;

/** `/wp-login.php`: the form, signing in, and logging out. */
export async function serveLogin(site: Site, request: PageRequest, guard: LoginGuard): Promise<PageResponse> {
  const session = await findSession(site, request.cookies);
  if (field(request, 'action') === 'logout') return logOut(site, request, session);
  if (request.method === 'POST') return logIn(site, request, guard);
  // WP: who is signed in already is sent on, unless asked to sign in again.
  if (session && field(request, 'reauth') === '') return redirect(302, afterLogin(site, request), SIGN_IN_HEADERS);
  return form(site, request, { message: field(request, 'loggedout') === '' ? '' : 'You are now logged out.' });
}
