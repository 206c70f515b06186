import { html, type Html } from './html.js';
import { layout, NO_CACHE, page, redirect } from './layout.js';
import { SIGN_IN_HEADERS } from './login.js';
import { field, isForeignForm } from './own-address.js';
import { urlencode } from '../php/query-string.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import { addApplicationPassword } from '../wp/application-passwords.js';
import { sanitizeTextField } from '../wp/formatting/sanitize.js';
import { addQueryArgs } from '../wp/links.js';
import { createNonce, verifyNonce, type Session } from '../wp/sessions.js';
import type { Site } from '../wp/site.js';
import { inTurn } from '../wp/turns.js';
import { inGroups } from '../wp/users.js';
import { isUuid } from '../wp/uuid.js';

const ACTION = 'authorize_application_password';

/** What an application asks for. */
interface Wish {
  name: string;
  appId: string;
  successUrl: string;
  rejectUrl: string;
}

const wishOf = (request: PageRequest): Wish => ({
  name: sanitizeTextField(field(request, 'app_name')),
  appId: field(request, 'app_id'),
  successUrl: field(request, 'success_url'),
  rejectUrl: field(request, 'reject_url'),
});

/** Schemes that browsers run, or that lead into the machine. */
const FORBIDDEN_SCHEMES = ['javascript', 'data', 'vbscript', 'blob', 'file', 'about', 'filesystem', 'view-source'];

/**
 * Why an address may not be sent a password to, or null when it may. WP: any scheme of an application's own is fine, scripts are not,
 * and plain http only from a site that itself is for local use, which here is one without https.
 */
function faultOf(site: Site, url: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/[^/?#\\\s]/i.exec(url)?.[1].toLowerCase();
  if (scheme === undefined || /[\s\p{Cc}\\<>"']/u.test(url) || !URL.canParse(url)) return 'Invalid URL format.';
  if (FORBIDDEN_SCHEMES.includes(scheme)) return 'The URL must not be of this scheme.';
  if (scheme === 'http' && site.url.startsWith('https:')) return 'The URL must be served over a secure connection.';
  return null;
}

/** What is wrong with a wish, a sentence each. */
function faults(site: Site, { appId, successUrl, rejectUrl }: Wish): string[] {
  const urls = [
    ['success_url', successUrl],
    ['reject_url', rejectUrl],
  ].flatMap(([name, url]) => {
    const fault = url === '' ? null : faultOf(site, url);
    return fault === null ? [] : [`${name}: ${fault}`];
  });
  return appId === '' || isUuid(appId) ? urls : [...urls, 'app_id: The application ID must be a UUID.'];
}

const answer = (site: Site, status: number, title: string, main: Html): PageResponse =>
  page(status, layout(site, { title, main, isPublic: false }), SIGN_IN_HEADERS);

const refuse = (site: Site, status: number, reasons: string[]): PageResponse =>
  answer(
    site,
    status,
    'Cannot authorize application',
    html`<h1>Cannot authorize application</h1>
      <p>The Authorize Application request is not allowed.</p>
      <ul>
        ${reasons.map((reason) => html`<li>${reason}</li> `)}
      </ul>`,
  );

const hostOf = (url: string): string => new URL(url).host;

const outcome = ({ successUrl }: Wish): Html =>
  successUrl === ''
    ? html`<p>You will be given a password to enter in the application by hand.</p>`
    : html`<p>The new password will be sent to <strong>${hostOf(successUrl)}</strong> (${successUrl}).</p>`;

async function form(site: Site, session: Session, wish: Wish, error = ''): Promise<PageResponse> {
  const { user } = session;
  const nonce = await createNonce(site, session, ACTION);
  const main = html`<h1>Authorize Application</h1>
    ${error === '' ? null : html`<p role="alert">${error}</p> `}
    <p>
      ${wish.name === '' ? 'An application' : html`The application <strong>${wish.name}</strong>`} would like to connect to
      ${site.options.name} as ${user.displayName} (${user.login}, ${user.role}). It will be able to do everything that you can do here.
    </p>
    ${outcome(wish)}
    <form method="post" action="${site.url}/wp-admin/authorize-application.php">
      <input type="hidden" name="_wpnonce" value="${nonce}" />
      <input type="hidden" name="action" value="${ACTION}" />
      <input type="hidden" name="app_id" value="${wish.appId}" />
      <input type="hidden" name="success_url" value="${wish.successUrl}" />
      <input type="hidden" name="reject_url" value="${wish.rejectUrl}" />
      <p>
        <label for="app_name">New Application Password Name</label>
        <input type="text" id="app_name" name="app_name" value="${wish.name}" required />
      </p>
      <p>
        <button type="submit" name="approve" value="approve">Yes, I approve of this connection</button>
        <button type="submit" name="reject" value="reject" formnovalidate>No, I do not approve of this connection</button>
      </p>
    </form>`;
  return answer(site, error === '' ? 200 : 400, 'Authorize Application', main);
}

function showPassword(site: Site, { name }: Wish, password: string): PageResponse {
  const main = html`<h1>Authorize Application</h1>
    <p>Your new password for ${name} is:</p>
    <p><code>${inGroups(password)}</code></p>
    <p>Be sure to save this in a safe location. You will not be able to retrieve it.</p>`;
  return answer(site, 200, 'Authorize Application', main);
}

async function approve(site: Site, session: Session, wish: Wish): Promise<PageResponse> {
  if (wish.name === '') return form(site, session, wish, 'An application name is required to create an application password.');
  const made = await inTurn(site, `application passwords of ${session.user._id}`, async () => {
    const current = await site.store.users.findOne({ _id: session.user._id });
    // WP: on this page names are unique, other than in the REST API.
    if (!current || current.applicationPasswords.some(({ name }) => name.toLowerCase() === wish.name.toLowerCase())) return null;
    return addApplicationPassword(site.store, current._id, { name: wish.name, appId: wish.appId, created: site.clock.seconds() });
  });
  if (!made) return form(site, session, wish, 'Each application name should be unique.');
  if (wish.successUrl === '') return showPassword(site, wish, made.password);
  const told = { site_url: urlencode(site.url), user_login: urlencode(session.user.login), password: urlencode(made.password) };
  return redirect(302, addQueryArgs(wish.successUrl, told), NO_CACHE);
}

function reject(site: Site, { successUrl, rejectUrl }: Wish): PageResponse {
  const fallback = successUrl === '' ? `${site.url}/wp-admin/` : addQueryArgs(successUrl, { success: 'false' });
  return redirect(302, rejectUrl === '' ? fallback : rejectUrl, NO_CACHE);
}

/** `/wp-admin/authorize-application.php` for somebody who is signed in: the question of an application, and the answer to it. */
export async function serveAuthorize(site: Site, request: PageRequest, session: Session): Promise<PageResponse> {
  const wish = wishOf(request);
  const reasons = faults(site, wish);
  if (reasons.length > 0) return refuse(site, 400, reasons);
  if (request.method !== 'POST' || field(request, 'action') !== ACTION) return form(site, session, wish);
  if (isForeignForm(site, request) || !(await verifyNonce(site, session, ACTION, field(request, '_wpnonce'))))
    return refuse(site, 403, ['The link you followed has expired. Go back to the application and start again.']);
  if (Object.hasOwn(request.form, 'approve')) return approve(site, session, wish);
  return Object.hasOwn(request.form, 'reject') ? reject(site, wish) : form(site, session, wish);
}
