import { serveAuthorize } from './authorize.js';
import { html } from '../../views/html.js';
import { framed, HTML_TYPE, redirect } from '../layout.js';
import { logOutUrl, SIGN_IN_HEADERS } from './login.js';
import { field, toLogin } from './own-address.js';
import { fillHtml, type Reading } from '../../views/reading.js';
import { siteName } from '../../views/texts.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/page.js';
import { createNonce, findSession, REST_NONCE, type Session } from '../../users/sessions.js';
import type { Site } from '../../site.js';

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
