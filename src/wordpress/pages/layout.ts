import { rawurlencode } from '../../base/php/query-string.js';
import type { PageResponse } from '../rest/request.js';
import { ICON, styles } from './assets.js';
import { Html, html } from '../views/html.js';
import { dateTag } from '../views/dates.js';
import { fillHtml, type LayoutLink, type PagePlugin, type Reading } from '../views/reading.js';
import type { Site } from '../site.js';
import { feedUrl } from '../links.js';
import { siteDescription, siteName } from '../views/texts.js';

export interface PageFeed {
  title: Html;
  url: string;
}

/** The layout data of every page. */
export interface Layout {
  /** The name of the site is added, unless it is the front page's; empty: only the name. */
  title: string | Html;
  /** Number of the page, if it is one of several; it is a part of the title from 2 on. */
  page?: number;
  /** Whether this is the front page, whose title has the description of the site (WP: the tagline). */
  isFront?: boolean;
  main: Html;
  /** Whether search engines may list the page. */
  isPublic: boolean;
  /** Further directives for search engines (WP: `wp_robots`). */
  robots?: readonly string[];
  /** The description for search engines. */
  description?: string | Html | null;
  /** The feed of what the page shows. */
  feed?: PageFeed | null;
  /** Links for sites that embed the page. */
  embeds?: Html | null;
  /** Further elements of the head. */
  head?: Html | null;
  /** Shown in a frame of another site, without the header and footer of this one. */
  isEmbed?: boolean;
  /** A narrow page, for one form. */
  isNarrow?: boolean;
  /** Whether the response to a form may redirect to another site, as when an application receives its password. */
  formsLeadAway?: boolean;
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

/** The links that plugins add to a part of the layout. */
const linksOf = (part: keyof Pick<PagePlugin, 'menu' | 'footer'>, reading: Reading): Html[] =>
  reading.plugins
    .flatMap((plugin): LayoutLink[] => plugin[part]?.(reading) ?? [])
    .map(({ url, text }) => html`<li><a href="${url}">${text}</a></li> `);

function siteHeader(reading: Reading): Html {
  const { site, texts } = reading;
  const name = siteName(site);
  const links = linksOf('menu', reading);
  return html`<header class="site">
    <div class="wrap">
      <p class="brand"><a href="${site.url}/">${name}</a></p>
      ${
        links.length === 0
          ? null
          : html`<nav aria-label="${texts.mainMenu}">
              <ul>
                ${links}
              </ul>
            </nav>`
      }
    </div>
  </header>`;
}

function siteFooter(reading: Reading): Html {
  const { site, texts, reader } = reading;
  return html`<footer class="site" id="site-footer">
    <div class="wrap">
      <p>${siteName(site)}</p>
      <ul>
        ${linksOf('footer', reading)}
        <li><a href="${site.restUrl('/')}">REST API</a></li>
        <li>
          ${
            reader
              ? html`<a href="${site.coreUrl}/wp-login.php?action=logout">${texts.logOut}</a>`
              : html`<a href="${site.coreUrl}/wp-login.php">${texts.logIn}</a>`
          }
        </li>
      </ul>
    </div>
  </footer>`;
}

/** Delays the first paint until the page is complete, so that the toolbar does not shift. */
const WHOLE = html`<link rel="expect" href="#site-footer" blocking="render" />`;

const textOf = (text: string | Html | null | undefined): string => (text instanceof Html ? text.text : (text ?? ''));

/** WP: a site that names no language speaks American English. */
const isAmerican = ({ site, language }: Reading): boolean => site.options.locale === '' && language === 'en';

/** Languages that are written from right to left, as the subtags of locales of WordPress. */
const RIGHT_TO_LEFT = /^(?:ar|ary|arz|azb|bal|ckb|dv|fa|haz|he|ks|ps|sd|skr|snd|ug|ur|yi)(?:_|-|$)/;

/** The language of a page. WP: the layout turns with the language of the site. */
function languageOf(reading: Reading): Html {
  const { site, language } = reading;
  const tag = isAmerican(reading) ? 'en-US' : dateTag(site, language);
  return RIGHT_TO_LEFT.test(site.options.locale) ? html`lang="${tag}" dir="rtl"` : html`lang="${tag}"`;
}

/** The links to the API and the shortlink of the page, for programs that read its head (WP: not of embeds), and what plugins add. */
function apiHead({ Link: links }: Record<string, string | undefined>, { site, head }: Reading): Html {
  const [, core] = /<([^>]*)>; rel="alternate"; title="JSON"/.exec(links ?? '') ?? [];
  const [, short] = /<([^>]*)>; rel=shortlink/.exec(links ?? '') ?? [];
  return html`<link rel="https://api.w.org/" href="${site.restUrl('/')}" />
    <link rel="EditURI" type="application/rsd+xml" title="RSD" href="${site.coreUrl}/xmlrpc.php?rsd" />
    ${links === undefined ? null : html`<meta name="generator" content="WordPress ${site.wordpressRelease}" /> ${head}`}
    ${core === undefined ? null : html`<link rel="alternate" title="JSON" type="application/json" href="${core}" />`}
    ${short === undefined ? null : html`<link rel="shortlink" href="${short}" />`}`;
}

/** The title of a document. WP: its own, the page, then the name of the site, or its description on the front page. */
export function documentTitle(
  { title, page = 1, isFront = false }: Pick<Layout, 'title' | 'page' | 'isFront'>,
  { site, texts, dates }: Reading,
): Html {
  const number = page < 2 ? '' : texts.pageNumber.replace('{page}', dates.number(page));
  const parts = isFront ? [siteName(site), number, siteDescription(site)] : [title, number, siteName(site)];
  const shown = parts.filter((part) => textOf(part) !== '');
  return html`${shown.map((part, index) => html`${index === 0 ? null : ' – '}${part}`)}`;
}

/** The feeds of the site and of the page, for programs that look for them. WP: on all pages, missing ones included. */
function feedLinks({ feed }: Layout, { site, texts }: Reading): Html {
  const named = (text: string): Html => fillHtml(text, { site: siteName(site) });
  const feeds: PageFeed[] = [
    { title: named(texts.siteFeed), url: feedUrl(site) },
    { title: named(texts.siteCommentsFeed), url: feedUrl(site, undefined, 'comments/feed') },
    ...(feed ? [feed] : []),
  ];
  return html`${feeds.map(({ title, url }) => html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${url}" /> `)}`;
}

/** The directives of a page that search engines leave out. */
const HIDDEN = ['noindex', 'follow'];

/** WP: crawlers of a site that is not public are sent away from every page. */
const NOT_PUBLIC = 'noindex, nofollow';

/** An HTML document. @param headers headers of the response, some of which its head repeats */
function layout(reading: Reading, content: Layout, headers: Record<string, string> = {}): string {
  const { site, texts } = reading;
  const { main, isPublic, robots = [], description, embeds, head, isNarrow, isEmbed = false } = content;
  const base = pathOf(site.url);
  const embedsLast = site.quirks.has('embed-links-come-last');
  const document = html`<!DOCTYPE html>
    <html ${languageOf(reading)}>
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="robots"
          content="${site.options.isPublic ? [...new Set([...(isPublic ? [] : HIDDEN), 'max-image-preview:large', ...robots])].join(', ') : NOT_PUBLIC}"
        />
        ${textOf(description).trim() === '' ? null : html`<meta name="description" content="${description}" /> `}
        <title>${documentTitle(content, reading)}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${base}${styles().path}" />
        ${isEmbed ? null : WHOLE}
        <link rel="icon" type="image/svg+xml" href="${base}${ICON.path}" />
        ${isEmbed || headers.Link === undefined ? null : feedLinks(content, reading)} ${embedsLast ? null : embeds}
        ${isEmbed ? null : apiHead(headers, reading)} ${head} ${embedsLast ? embeds : null}
      </head>
      <body>
        <a class="skip" href="#content">${texts.skipToContent}</a>
        ${isEmbed ? null : siteHeader(reading)}
        <main id="content" class="${isNarrow ? 'wrap narrow' : 'wrap'}">${main}</main>
        ${isEmbed ? null : siteFooter(reading)}
      </body>
    </html> `;
  return document.text;
}

export const HTML_TYPE = 'text/html; charset=UTF-8';

/** Pages run no scripts, and styles come from the stylesheet only. Images, audio and video may come from anywhere. */
const POLICY = "default-src 'none'; img-src * data:; media-src *; style-src 'self'; base-uri 'none'; frame-ancestors 'self'";

/** The policy of a page whose forms lead to the site only, whose URL may differ from that in the browser. */
const withOwnForms = ({ url }: Site): string => `${POLICY}; form-action 'self' ${new URL(url).origin}`;

/** The policy of a page that other sites may embed in a frame. */
const EMBED_POLICY = POLICY.replace("frame-ancestors 'self'", 'frame-ancestors *');

function policyOf({ isEmbed = false, formsLeadAway = false }: Layout, site: Site): string {
  if (isEmbed) return EMBED_POLICY;
  return formsLeadAway ? POLICY : withOwnForms(site);
}

const COMMON = { 'Content-Type': HTML_TYPE, 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': POLICY };

/** A page in the frame of the site, in the language of its reader. */
export const framed = (reading: Reading, status: number, content: Layout, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, 'Content-Security-Policy': policyOf(content, reading.site), ...headers },
  body: layout(reading, content, headers),
  language: reading.language,
});

/** WP: characters that are invalid in URLs are encoded. */
const UNSAFE = /[^a-z0-9~+_.?#=&;,/:%!*[\]()@$'-]/giu;

/** A redirect to another address. It must have been checked before: an absolute one, or one that starts with a slash. */
export const redirect = (status: 301 | 302, to: string, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: { ...COMMON, ...headers, Location: to.replace(UNSAFE, rawurlencode), 'X-Redirect-By': 'WordPress' },
  body: '',
});
