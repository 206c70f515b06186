import { buildQuery } from '../php/query-string.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import { EVENT, EVENT_CATEGORY, type Post } from '../wp/model.js';
import { loadRelated } from '../wp/related.js';
import { findSession } from '../wp/sessions.js';
import { corePath } from '../wp/term-links.js';
import type { Site } from '../wp/site.js';
import { readAddress } from './address.js';
import { apiHeaders } from './api-headers.js';
import { eventPageData, postPageData } from './event-data.js';
import { eventHead, eventPage, postPage } from './event-template.js';
import { inPlaceOfFeed, readWish, serveFeed, type FeedWish } from './feed.js';
import { find, findByNumber, numberOf, SETTLED, type Found } from './find.js';
import { html } from './html.js';
import { framed, NO_CACHE, redirect, type Layout } from './layout.js';
import { eventsUrl, listingUrl } from './links.js';
import { frontPageData, linkedPageData, listPageData, monthPageData } from './list-data.js';
import { frontPage, linkedPage, listPage, missingPage, monthPage } from './list-template.js';
import { readListing, type Listing } from './listing.js';
import { readingOf, type Reading } from './reading.js';

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

function missing(reading: Reading): PageResponse {
  const { site, texts } = reading;
  const content = { title: texts.notFound, main: missingPage(site.url, reading), isPublic: false };
  return framed(reading, 404, content, { ...apiHeaders(site), ...NO_CACHE });
}

async function showPost(post: Post, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const isEvent = post.type === EVENT;
  const headers = apiHeaders(site, {
    ...(isEvent ? { calendar: `events/${post._id}` } : {}),
    core: `/wp/v2/${isEvent ? EVENT : `${post.type}s`}/${post._id}`,
    shortlink: post._id,
  });
  const isPublic = post.status === 'publish';
  if (!isEvent) {
    const data = await postPageData(post, reading);
    return framed(reading, 200, { title: data.title, main: postPage(data, reading), isPublic }, headers);
  }
  const data = await eventPageData(post, await loadRelated(site.store, [post]), reading);
  const main = eventPage(data, eventsUrl(site), reading);
  return framed(reading, 200, { title: data.title, main, isPublic, head: eventHead(data) }, headers);
}

/** TEC: a list of a term leads to the same list in the API. */
function listHeaders(site: Site, { scope }: Listing): Record<string, string> {
  if (scope.kind !== 'term') return apiHeaders(site);
  const { term } = scope;
  const filter = term.taxonomy === EVENT_CATEGORY ? 'categories' : 'tags';
  return apiHeaders(site, { calendar: `events/?${filter}=${term.slug}`, core: corePath(term) });
}

/** What a list is shown as: that of a venue or organizer stands below what is known of it. */
async function listContent(listing: Listing, reading: Reading): Promise<Pick<Layout, 'title' | 'main'> & { feed: string }> {
  if (listing.scope.kind === 'linked') {
    const data = await linkedPageData(listing.scope.post, listing, reading);
    return { title: data.title, main: linkedPage(data, reading), feed: '' };
  }
  const isMonth = listing.view === 'month';
  const data = isMonth ? await monthPageData(listing, reading) : await listPageData(listing, reading);
  const main = 'weeks' in data ? monthPage(data, reading) : listPage(data, reading);
  return { title: data.heading, main, feed: data.feed.download };
}

async function showList(listing: Listing, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const { feed, ...content } = await listContent(listing, reading);
  const head = html`<link rel="canonical" href="${await listingUrl(listing, site)}" />
    ${feed === '' ? null : html`<link rel="alternate" type="text/calendar" href="${feed}" />`}`;
  return framed(reading, 200, { ...content, head, isPublic: listing.search === '' }, listHeaders(site, listing));
}

type Shown = Exclude<Found, { kind: 'elsewhere' }> | null;

async function show(found: Shown, reading: Reading): Promise<PageResponse> {
  if (!found) return missing(reading);
  const { site, request } = reading;
  if (found.kind === 'post') return showPost(found.post, reading);
  if (found.kind === 'list') return showList(readListing(found.scope, found, request.query), reading);
  // WP: a search stands at the front page.
  const search = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, request.query);
  if (typeof request.query.s === 'string') return showList(search, reading);
  const { name } = site.options;
  const main = frontPage(name, await frontPageData(reading), reading);
  return framed(reading, 200, { title: name, main, isPublic: true }, apiHeaders(site));
}

/** The calendar file of an address, or the page in its place where there is none. */
async function showFeed(found: Shown, wish: FeedWish, reading: Reading): Promise<PageResponse> {
  const { site, request, reader } = reading;
  const feed = await serveFeed(site, request, found, wish, reader);
  if (feed) return feed;
  return inPlaceOfFeed(site, await show(found, reading), wish);
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
  if (path === null) return missing(readingOf(site, request));
  // WP: the file that answers for all addresses is no address itself.
  const entry = /^\/index\.php(\/.*)?$/s.exec(request.path);
  const number = path === '/' || path === '/index.php' ? numberOf(request) : 0;
  if (entry && number === 0) return redirect(301, `${site.url}${entry[1] ?? '/'}${queryOf(request)}`);

  const session = await findSession(site, request.cookies);
  const reader = session?.user ?? null;
  const wish = readWish(site, request, path);
  const found = number > 0 ? await findByNumber(site, number, reader) : await find(site, readAddress(wish?.path ?? path, site), reader);
  if (found?.kind === 'elsewhere') return moved(request, found);
  if (found && !path.endsWith('/')) return redirect(301, `${site.url}${request.path}/${queryOf(request)}`);
  const reading = readingOf(site, request, reader);
  const shown = wish ? await showFeed(found, wish, reading) : await show(found, reading);
  if (!found) return shown;
  return { ...shown, reusable: session === null, ...(session ? { headers: { ...shown.headers, ...NO_CACHE } } : {}) };
}
