import { rawurlencode } from '../php/query-string.js';
import type { PageResponse } from '../rest/page.js';
import { ICON, STYLES } from './assets.js';
import { html, type Html } from './html.js';
import { eventsUrl, feedUrls } from './links.js';
import type { Reading } from './reading.js';

/** What the frame of every page shows around its content. */
export interface Layout {
  /** The name of the site is added. */
  title: string | Html;
  main: Html;
  /** Whether search engines may list the page. */
  isPublic: boolean;
  /** What else stands in the head. */
  head?: Html | null;
  /** A narrow page, for one form. */
  isNarrow?: boolean;
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

function siteHeader({ site, texts }: Reading): Html {
  const { name } = site.options;
  const events = eventsUrl(site);
  return html`<header class="site">
    <div class="wrap">
      <p class="brand"><a href="${site.url}/">${name}</a></p>
      <nav aria-label="${texts.mainMenu}">
        <ul>
          <li><a href="${events}">${texts.events}</a></li>
          <li><a href="${events}month/">${texts.month}</a></li>
        </ul>
      </nav>
    </div>
  </header>`;
}

const siteFooter = ({ site, texts, reader }: Reading): Html =>
  html`<footer class="site">
    <div class="wrap">
      <p>${site.options.name}</p>
      <ul>
        <li><a href="${feedUrls(eventsUrl(site)).subscribe}">${texts.subscribe}</a></li>
        <li><a href="${site.restUrl('/')}">REST API</a></li>
        <li>
          ${
            reader
              ? html`<a href="${site.url}/wp-login.php?action=logout">${texts.logOut}</a>`
              : html`<a href="${site.url}/wp-login.php">${texts.logIn}</a>`
          }
        </li>
      </ul>
    </div>
  </footer>`;

const same = (title: string | Html, name: string): boolean => (typeof title === 'string' ? title : title.text) === name;

/** A whole HTML document. */
export function layout(reading: Reading, { title, main, isPublic, head, isNarrow }: Layout): string {
  const { site, language, texts } = reading;
  const { name } = site.options;
  const base = pathOf(site.url);
  const document = html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${isPublic ? null : html`<meta name="robots" content="noindex" /> `}
        <title>${same(title, name) || same(title, '') ? name : html`${title} – ${name}`}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${base}${STYLES.path}" />
        <link rel="icon" type="image/svg+xml" href="${base}${ICON.path}" />
        <link rel="https://api.w.org/" href="${site.restUrl('/')}" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">${texts.skipToContent}</a>
        ${siteHeader(reading)}
        <main id="content" class="${isNarrow ? 'wrap narrow' : 'wrap'}">${main}</main>
        ${siteFooter(reading)}
      </body>
    </html> `;
  return document.text;
}

export const HTML_TYPE = 'text/html; charset=UTF-8';

/** WP: what browsers and proxies must not keep. */
export const NO_CACHE = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};

/**
 * Nothing on a page runs scripts, and styles come from the stylesheet alone. Pictures, sound and film may come from anywhere, as their
 * authors put them in. Where forms lead is left open: an application is sent its password by the answer to one.
 */
const POLICY = "default-src 'none'; img-src * data:; media-src *; style-src 'self'; base-uri 'none'; frame-ancestors 'self'";

const COMMON = { 'Content-Type': HTML_TYPE, 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': POLICY };

/** A page as an answer. */
export const page = (status: number, body: string, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, ...headers },
  body,
});

/** A page in the frame of the site, in the language of its reader. */
export const framed = (reading: Reading, status: number, content: Layout, headers: Record<string, string> = {}): PageResponse => ({
  ...page(status, layout(reading, content), headers),
  language: reading.language,
});

/** WP: what does not belong into an address is encoded. */
const UNSAFE = /[^a-z0-9~+_.?#=&;,/:%!*[\]()@$'-]/giu;

/** An answer that sends on to another address. It must have been checked before: an absolute one, or one that starts with a slash. */
export const redirect = (status: 301 | 302, to: string, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, ...headers, Location: to.replace(UNSAFE, rawurlencode), 'X-Redirect-By': 'WordPress' },
  body: '',
});
