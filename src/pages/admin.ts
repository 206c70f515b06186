import { serveAuthorize } from './authorize.js';
import { html } from './html.js';
import { HTML_TYPE, layout, NO_CACHE, page, redirect } from './layout.js';
import { logOutUrl, SIGN_IN_HEADERS } from './login.js';
import { field, toLogin } from './own-address.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import { createNonce, findSession, REST_NONCE, type Session } from '../wp/sessions.js';
import type { Site } from '../wp/site.js';

/** WP: answers of this file are plain text under the type of a page. */
const plain = (status: number, body: string): PageResponse => ({
  status,
  headers: { ...SIGN_IN_HEADERS, 'Content-Type': HTML_TYPE, 'X-Content-Type-Options': 'nosniff', 'X-Robots-Tag': 'noindex' },
  body,
});

/** WP: `admin-ajax.php` knows one action here; whatever it does not know, or not for this caller, is 400 and `0`. */
async function serveAjax(site: Site, request: PageRequest, session: Session | null): Promise<PageResponse> {
  if (field(request, 'action') !== 'rest-nonce' || !session) return plain(400, '0');
  return plain(200, await createNonce(site, session, REST_NONCE));
}

const PAGES = ['/wp-admin/', '/wp-admin/index.php', '/wp-admin/profile.php'];

/** There is no administration here: the page says who is signed in, and where its work is done. */
async function welcome(site: Site, session: Session): Promise<PageResponse> {
  const main = html`<h1>${site.options.name}</h1>
    <p>You are signed in as ${session.user.displayName} (${session.user.login}, ${session.user.role}).</p>
    <p>This server has no administration pages. Content is changed through the <a href="${site.restUrl('/')}">REST API</a>.</p>
    <ul>
      <li><a href="${site.url}/wp-admin/authorize-application.php">Make an application password</a></li>
      <li><a href="${await logOutUrl(site, session)}">Log out</a></li>
    </ul>`;
  return page(200, layout(site, { title: 'Administration', main, isPublic: false }), SIGN_IN_HEADERS);
}

/** Everything below `/wp-admin`. */
export async function serveAdmin(site: Site, request: PageRequest): Promise<PageResponse> {
  const session = await findSession(site, request.cookies);
  if (request.path === '/wp-admin') return redirect(301, `${site.url}/wp-admin/`);
  if (request.path === '/wp-admin/admin-ajax.php') return serveAjax(site, request, session);
  if (!session) return toLogin(site, request);
  if (request.path === '/wp-admin/authorize-application.php') return serveAuthorize(site, request, session);
  if (PAGES.includes(request.path)) return welcome(site, session);
  const main = html`<h1>Not found</h1>
    <p>There is no such page here. <a href="${site.url}/wp-admin/">Back</a></p>`;
  return page(404, layout(site, { title: 'Not found', main, isPublic: false }), NO_CACHE);
}
