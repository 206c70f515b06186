import { buildQuery } from '../php/query-string.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import { EVENT, EVENT_CATEGORY, type Post, type Term, type User } from '../wp/model.js';
import { loadRelated } from '../wp/related.js';
import { findSession } from '../wp/sessions.js';
import { corePath } from '../wp/term-links.js';
import { stripAllTags } from '../wp/formatting/sanitize.js';
import type { Site } from '../wp/site.js';
import { readAddress } from './address.js';
import { apiHeaders } from './api-headers.js';
import { eventData, frontData, listData, postData, titleOf } from './data.js';
import { find, findByNumber, numberOf, SETTLED, type Found } from './find.js';
import type { Html } from './html.js';
import { layout, NO_CACHE, page, redirect } from './layout.js';
import { eventPage, frontPage, listPage, missingPage, postPage } from './templates.js';

/** The path as text, or null when it is none. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The query as sent, to go along with a redirect. */
const queryOf = ({ url }: PageRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

function missing(site: Site): PageResponse {
  const body = layout(site, { title: 'Not found', main: missingPage(site.url), isPublic: false });
  return page(404, body, { ...apiHeaders(site), ...NO_CACHE });
}

/** Text of a heading without its markup, for the title of the document. */
const plain = (heading: Html): string => stripAllTags(heading.text).replace(/&(?:amp|#0?38);/g, '&');

async function showPost(site: Site, post: Post, reader: User | null): Promise<PageResponse> {
  const isEvent = post.type === EVENT;
  const main = isEvent ? eventPage(eventData(post, await loadRelated(site.store, [post]), site, reader)) : postPage(postData(post, site));
  const base = isEvent ? EVENT : `${post.type}s`;
  const headers = apiHeaders(site, {
    ...(isEvent ? { calendar: `events/${post._id}` } : {}),
    core: `/wp/v2/${base}/${post._id}`,
    shortlink: post._id,
  });
  return page(200, layout(site, { title: plain(titleOf(post)), main, isPublic: post.status === 'publish' }), headers);
}

/** TEC: a list of a term leads to the same list in the API. */
function listHeaders(site: Site, term: Term | null): Record<string, string> {
  if (!term) return apiHeaders(site);
  const filter = term.taxonomy === EVENT_CATEGORY ? 'categories' : 'tags';
  return apiHeaders(site, { calendar: `events/?${filter}=${term.slug}`, core: corePath(term) });
}

async function show(site: Site, found: Exclude<Found, { kind: 'elsewhere' }>, reader: User | null): Promise<PageResponse> {
  if (found.kind === 'post') return showPost(site, found.post, reader);
  if (found.kind === 'front') {
    const main = frontPage(await frontData(site));
    return page(200, layout(site, { title: site.options.name, main, isPublic: true }), apiHeaders(site));
  }
  const data = await listData(site, found.view, found.page, found.term);
  const body = layout(site, { title: plain(data.heading), main: listPage(data), isPublic: true });
  return page(200, body, listHeaders(site, found.term));
}

/** What was asked for by number moves to its address by name; the other parameters go along (WP). */
function moved(request: PageRequest, { url, isGuess }: Found & { kind: 'elsewhere' }): PageResponse {
  const rest = Object.fromEntries(Object.entries(request.query).filter(([name]) => !SETTLED.includes(name)));
  const query = buildQuery(rest);
  return redirect(301, query === '' ? url : `${url}?${query}`, isGuess ? NO_CACHE : {});
}

/** Everything else below the site's address: its pages, and the redirects between them. */
export async function serveContent(site: Site, request: PageRequest): Promise<PageResponse> {
  const path = decode(request.path);
  if (path === null) return missing(site);
  // WP: the file that answers for all addresses is no address itself.
  const entry = /^\/index\.php(\/.*)?$/s.exec(request.path);
  const number = path === '/' || path === '/index.php' ? numberOf(request) : 0;
  if (entry && number === 0) return redirect(301, `${site.url}${entry[1] ?? '/'}${queryOf(request)}`);

  const session = await findSession(site, request.cookies);
  const reader = session?.user ?? null;
  const found = number > 0 ? await findByNumber(site, number, reader) : await find(site, readAddress(path, site), reader);
  if (!found) return missing(site);
  if (found.kind === 'elsewhere') return moved(request, found);
  if (!path.endsWith('/')) return redirect(301, `${site.url}${request.path}/${queryOf(request)}`);
  const shown = await show(site, found, reader);
  return { ...shown, reusable: session === null, ...(session ? { headers: { ...shown.headers, ...NO_CACHE } } : {}) };
}
