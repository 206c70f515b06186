import { html, type Html } from './html.js';
import { rawurlencode } from '../php/query-string.js';
import type { PageResponse } from '../rest/page.js';
import type { Site } from '../wp/site.js';

/** What the frame of every page shows around its content. */
export interface Layout {
  /** Plain text; the name of the site is added. */
  title: string;
  main: Html;
  /** Whether search engines may list the page. */
  isPublic: boolean;
}

/** A whole HTML document. */
export function layout(site: Site, { title, main, isPublic }: Layout): string {
  const { name, calendar } = site.options;
  const full = title === '' || title === name ? name : `${title} – ${name}`;
  const document = html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${isPublic ? null : html`<meta name="robots" content="noindex" /> `}
        <title>${full}</title>
        <link rel="https://api.w.org/" href="${site.restUrl('/')}" />
      </head>
      <body>
        <header>
          <p><a href="${site.url}/">${name}</a> <a href="${site.url}/${calendar.eventsSlug}/">Events</a></p>
        </header>
        <main>${main}</main>
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

/** Nothing on a page runs scripts. Pictures, sound and film may come from anywhere, as their authors put them in. */
const POLICY =
  "default-src 'none'; img-src * data:; media-src *; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'";

const COMMON = { 'Content-Type': HTML_TYPE, 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': POLICY };

/** A page as an answer. */
export const page = (status: number, body: string, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, ...headers },
  body,
});

/** WP: what does not belong into an address is encoded. */
const UNSAFE = /[^a-z0-9~+_.?#=&;,/:%!*[\]()@$'-]/giu;

/** An answer that sends on to another address. It must have been checked before: an absolute one, or one that starts with a slash. */
export const redirect = (status: 301 | 302, to: string, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, ...headers, Location: to.replace(UNSAFE, rawurlencode), 'X-Redirect-By': 'WordPress' },
  body: '',
});
