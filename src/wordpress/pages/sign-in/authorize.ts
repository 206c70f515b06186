import { html, type Html } from '../../views/html.js';
import { framed, redirect, HTML_TYPE } from '../layout.js';
import { SIGN_IN_HEADERS, logOutUrl } from './login.js';
import { field, isForeignForm, toLogin } from './own-address.js';
import { fillHtml, type Reading } from '../../views/reading.js';
import { siteName } from '../../views/texts.js';
import { urlencode } from '../../../base/php/query-string.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/request.js';
import { sanitizeTextField } from '../../formatting/sanitize.js';
import { addQueryArgs } from '../../posts/links.js';
import { createNonce, verifyNonce, findSession, REST_NONCE, type Session } from '../../users/sessions.js';
import type { Site } from '../../site.js';
import { withLock } from '../../../database/store/locks.js';
import { inGroups, addApplicationPassword } from '../../users/users.js';

/** Whether a text is a UUID of any version. WP: only in lower case (`wp_is_uuid`). */
const isUuid = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

const ACTION = 'authorize_application_password';

interface AuthorizationRequest {
  name: string;
  appId: string;
  successUrl: string;
  rejectUrl: string;
}

const authorizationOf = (request: PageRequest): AuthorizationRequest => ({
  name: sanitizeTextField(field(request, 'app_name')),
  appId: field(request, 'app_id'),
  successUrl: field(request, 'success_url'),
  rejectUrl: field(request, 'reject_url'),
});

/** Schemes that browsers execute, or that lead to local files. */
const FORBIDDEN_SCHEMES = ['javascript', 'data', 'vbscript', 'blob', 'file', 'about', 'filesystem', 'view-source'];

/**
 * Why a password may not be sent to a URL, or null if it may. WP: custom schemes of applications are allowed, scripts are not, and plain
 * http only from a local site, which here is one without https.
 */
function faultOf({ site, texts }: Reading, url: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/[^/?#\\\s]/i.exec(url)?.[1].toLowerCase();
  if (scheme === undefined || /[\s\p{Cc}\\<>"']/u.test(url) || !URL.canParse(url)) return texts.invalidUrl;
  if (FORBIDDEN_SCHEMES.includes(scheme)) return texts.forbiddenScheme;
  if (scheme === 'http' && site.url.startsWith('https:')) return texts.insecureUrl;
  return null;
}

/** The problems of a request, one sentence each. */
function faults(reading: Reading, { appId, successUrl, rejectUrl }: AuthorizationRequest): string[] {
  const urls = [
    ['success_url', successUrl],
    ['reject_url', rejectUrl],
  ].flatMap(([name, url]) => {
    const fault = url === '' ? null : faultOf(reading, url);
    return fault === null ? [] : [`${name}: ${fault}`];
  });
  return appId === '' || isUuid(appId) ? urls : [...urls, `app_id: ${reading.texts.appIdNotUuid}`];
}

const answer = (reading: Reading, status: number, title: string, main: Html): PageResponse => {
  const whole = html`<header class="page-head"><h1>${title}</h1></header>
    ${main}`;
  return framed(reading, status, { title, main: whole, isPublic: false, isNarrow: true, formsLeadAway: true }, SIGN_IN_HEADERS);
};

const refuse = (reading: Reading, status: number, reasons: string[]): PageResponse =>
  answer(
    reading,
    status,
    reading.texts.cannotAuthorize,
    html`<p>${reading.texts.notAllowed}</p>
      <ul>
        ${reasons.map((reason) => html`<li>${reason}</li> `)}
      </ul>`,
  );

const hostOf = (url: string): string => new URL(url).host;

const strong = (text: string): Html => html`<strong>${text}</strong>`;

const outcome = ({ successUrl }: AuthorizationRequest, { texts }: Reading): Html =>
  successUrl === ''
    ? html`<p>${texts.passwordByHand}</p>`
    : html`<p>${fillHtml(texts.passwordSentTo, { host: strong(hostOf(successUrl)), url: successUrl })}</p>`;

/** The form that shows the application, its request and the user. */
function question({ site, texts }: Reading, { displayName, login, role }: Session['user'], authorization: AuthorizationRequest): Html {
  const app = authorization.name === '' ? texts.anApplication : fillHtml(texts.theApplication, { name: strong(authorization.name) });
  return fillHtml(texts.wouldConnect, { app, site: siteName(site), name: displayName, login, role });
}

async function form(reading: Reading, session: Session, authorization: AuthorizationRequest, error = ''): Promise<PageResponse> {
  const { site, texts } = reading;
  const nonce = await createNonce(site, session, ACTION);
  const main = html`${error === '' ? null : html`<p class="alert" role="alert">${error}</p> `}
    <p>${question(reading, session.user, authorization)}</p>
    ${outcome(authorization, reading)}
    <form class="panel" method="post" action="${site.coreUrl}/wp-admin/authorize-application.php">
      <input type="hidden" name="_wpnonce" value="${nonce}" />
      <input type="hidden" name="action" value="${ACTION}" />
      <input type="hidden" name="app_id" value="${authorization.appId}" />
      <input type="hidden" name="success_url" value="${authorization.successUrl}" />
      <input type="hidden" name="reject_url" value="${authorization.rejectUrl}" />
      <p>
        <label for="app_name">${texts.newPasswordName}</label>
        <input type="text" id="app_name" name="app_name" value="${authorization.name}" required />
      </p>
      <p>
        <button type="submit" name="approve" value="approve">${texts.approve}</button>
        <button type="submit" name="reject" value="reject" formnovalidate>${texts.reject}</button>
      </p>
    </form>`;
  return answer(reading, error === '' ? 200 : 400, texts.authorizeApplication, main);
}

function showPassword(reading: Reading, { name }: AuthorizationRequest, password: string): PageResponse {
  const { texts } = reading;
  const main = html`<p>${fillHtml(texts.newPasswordIs, { name })}</p>
    <p><code>${inGroups(password)}</code></p>
    <p>${texts.savePassword}</p>`;
  return answer(reading, 200, texts.authorizeApplication, main);
}

async function approve(reading: Reading, session: Session, authorization: AuthorizationRequest): Promise<PageResponse> {
  const { site, texts } = reading;
  if (authorization.name === '') return form(reading, session, authorization, texts.nameRequired);
  const made = await withLock(site.store, `application passwords of ${session.user._id}`, async () => {
    const current = await site.store.users.findOne({ _id: session.user._id });
    // WP: on this page names must be unique, unlike in the REST API.
    if (!current || current.applicationPasswords.some(({ name }) => name.toLowerCase() === authorization.name.toLowerCase())) return null;
    return addApplicationPassword(site.store, current._id, {
      name: authorization.name,
      appId: authorization.appId,
      created: site.clock.seconds(),
    });
  });
  if (!made) return form(reading, session, authorization, texts.nameTaken);
  if (authorization.successUrl === '') return showPassword(reading, authorization, made.password);
  const told = { site_url: urlencode(site.url), user_login: urlencode(session.user.login), password: urlencode(made.password) };
  return redirect(302, addQueryArgs(authorization.successUrl, told), NO_CACHE);
}

function reject(site: Site, { successUrl, rejectUrl }: AuthorizationRequest): PageResponse {
  const fallback = successUrl === '' ? `${site.coreUrl}/wp-admin/` : addQueryArgs(successUrl, { success: 'false' });
  return redirect(302, rejectUrl === '' ? fallback : rejectUrl, NO_CACHE);
}

/** `/wp-admin/authorize-application.php` for a signed-in user: the form, and its submission. */
async function serveAuthorize(reading: Reading, session: Session): Promise<PageResponse> {
  const { site, request, texts } = reading;
  const authorization = authorizationOf(request);
  const reasons = faults(reading, authorization);
  if (reasons.length > 0) return refuse(reading, 400, reasons);
  if (request.method !== 'POST' || field(request, 'action') !== ACTION) return form(reading, session, authorization);
  if (isForeignForm(site, request) || !(await verifyNonce(site, session, ACTION, field(request, '_wpnonce'))))
    return refuse(reading, 403, [texts.linkExpired]);
  if (Object.hasOwn(request.form, 'approve')) return approve(reading, session, authorization);
  return Object.hasOwn(request.form, 'reject') ? reject(site, authorization) : form(reading, session, authorization);
}

/** WP: responses of this file are plain text with the content type of HTML. */
const plain = (status: number, body: string): PageResponse => ({
  status,
  headers: { ...SIGN_IN_HEADERS, 'Content-Type': HTML_TYPE, 'X-Content-Type-Options': 'nosniff', 'X-Robots-Tag': 'noindex' },
  body,
});

/** WP: a heartbeat for editing screens. For users it requires a nonce, which no screen has here. */
const heartbeat = (site: Site, session: Session | null): PageResponse => ({
  ...plain(200, session ? '{"success":false}' : JSON.stringify({ server_time: site.clock.seconds() })),
  headers: { ...plain(200, '').headers, 'Content-Type': 'application/json; charset=UTF-8' },
});

/** WP: `admin-ajax.php` knows two actions here; unknown actions, and those not for this caller, result in 400 and `0`. */
async function serveAjax(site: Site, request: PageRequest, session: Session | null): Promise<PageResponse> {
  if (field(request, 'action') === 'heartbeat') return heartbeat(site, session);
  if (field(request, 'action') !== 'rest-nonce' || !session) return plain(400, '0');
  return plain(200, await createNonce(site, session, REST_NONCE));
}

const PAGES = ['/wp-admin/', '/wp-admin/index.php', '/wp-admin/profile.php'];

/** There is no administration: the page shows the signed-in user, and where to do its tasks. */
async function welcome(reading: Reading, session: Session): Promise<PageResponse> {
  const { site, texts } = reading;
  const { displayName: name, login, role } = session.user;
  const main = html`<header class="page-head"><h1>${siteName(site)}</h1></header>
    <p>${fillHtml(texts.signedInAs, { name, login, role })}</p>
    <p>${texts.noAdministration}</p>
    <p class="inline">
      <a class="button" href="${site.coreUrl}/wp-admin/authorize-application.php">${texts.makePassword}</a>
      <a href="${await logOutUrl(site, session)}">${texts.logOut}</a>
      <a href="${site.restUrl('/')}">REST API</a>
    </p>`;
  return framed(reading, 200, { title: texts.administration, main, isPublic: false, isNarrow: true }, SIGN_IN_HEADERS);
}

/** Everything below `/wp-admin`. */
export async function serveAdmin(anonymous: Reading): Promise<PageResponse> {
  const { site, request } = anonymous;
  const session = await findSession(site, request.cookies);
  if (request.path === '/wp-admin') return redirect(301, `${site.coreUrl}/wp-admin/`);
  if (request.path === '/wp-admin/admin-ajax.php') return serveAjax(site, request, session);
  if (!session) return toLogin(site, request);
  const reading = { ...anonymous, reader: session.user };
  if (request.path === '/wp-admin/authorize-application.php') return serveAuthorize(reading, session);
  if (PAGES.includes(request.path)) return welcome(reading, session);
  const { texts } = reading;
  const main = html`<header class="page-head"><h1>${texts.notFound}</h1></header>
    <p>${texts.notFoundText} <a href="${site.coreUrl}/wp-admin/">${texts.back}</a></p>`;
  return framed(reading, 404, { title: texts.notFound, main, isPublic: false, isNarrow: true }, NO_CACHE);
}
