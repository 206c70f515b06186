import { buildQuery } from '../../../base/php/query-string.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../../wordpress/rest/page.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { findSession } from '../../../wordpress/users/sessions.js';
import { corePath } from '../../../wordpress/terms/term-links.js';
import type { Site } from '../../../wordpress/site.js';
import { isEmbedPath, readPageAddress, type PageAddress } from '../views/address.js';
import { apiHeaders } from '../../../wordpress/views/api-headers.js';
import { blogPage, blogPageData, blogUrl, datesPageData } from './blog.js';
import { eventPageData, postPageData } from './event-data.js';
import { eventHead, eventPage, postPage } from './event-template.js';
import { inPlaceOfFeed, readWish, robots, serveFeed, type FeedWish } from '../feeds/routes.js';
import {
  eventSlugOf,
  find,
  findByNumber,
  inCategory,
  numberOf,
  ID_PARAMETERS,
  urlOfPublished,
  type Found,
  findByTerm,
} from '../views/find.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import { framed, redirect, type Layout } from './layout.js';
import { eventsUrl, listingUrl, rssUrl } from '../views/links.js';
import { frontPageData, linkedPageData, listPageData } from './list-data.js';
import { frontPage, linkedPage, listPage, missingPage, pageOfPages } from './list-template.js';
import { monthPageData } from './month-data.js';
import { monthPage } from './month-template.js';
import { hasViews, readListing, type Listing } from '../views/listing.js';
import { isPreview, previewed, rejectPreview } from './preview.js';
import { refuseGuesses } from './sign-in/passwords.js';
import { readingOf, type Reading } from '../../../wordpress/views/reading.js';
import { oembedUrls } from '../feeds/oembed.js';
import { isCommentFeed, readRssWish, serveRss, settledFeed, type RssWish } from '../feeds/rss.js';
import { siteName } from '../../../wordpress/views/texts.js';

/** The decoded path, or null if it is invalid. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The query as sent, for redirects. */
const queryOf = ({ url }: PageRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

function missing(reading: Reading): PageResponse {
  const { site, texts } = reading;
  const content = { title: texts.notFound, main: missingPage(site.url, reading), isPublic: false };
  return framed(reading, 404, content, { ...apiHeaders(site), ...NO_CACHE });
}

/** Links for sites that embed a page (https://oembed.com, discovery). */
function oembedLinks(url: string, site: Site): Html {
  const { json, xml } = oembedUrls(url, site);
  return html`<link rel="alternate" type="application/json+oembed" href="${json}" />
    <link rel="alternate" type="text/xml+oembed" href="${xml}" />`;
}

async function showPost(post: Post, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const isEvent = post.type === EVENT;
  const headers = apiHeaders(site, {
    ...(isEvent ? { calendar: `events/${post._id}` } : {}),
    core: `/wp/v2/${isEvent ? EVENT : `${post.type}s`}/${post._id}`,
    shortlink: post._id,
  });
  const isEmbed = isEmbedPath(reading.request.path);
  // An embed duplicates the content of a page that search engines index.
  const isPublic = post.status === 'publish' && !isEmbed;
  // Unlocked content must not be cached for other readers.
  if (post.password !== '') Object.assign(headers, NO_CACHE);
  if (!isEvent) {
    const data = await postPageData(post, reading);
    const url = await urlOfPublished(post, site);
    const head = html`<link rel="canonical" href="${url}" />`;
    const embeds = isPublic ? oembedLinks(url, site) : null;
    return framed(reading, 200, { title: data.title, main: postPage(data, reading), isPublic, embeds, head, isEmbed }, headers);
  }
  const data = await eventPageData(post, await loadRelated(site.store, [post]), reading);
  const main = eventPage(data, eventsUrl(site), reading);
  const embeds = isPublic ? oembedLinks(data.url, site) : null;
  const head = eventHead(data);
  return framed(reading, 200, { title: data.title, main, isPublic, description: data.teaser, embeds, head, isEmbed }, headers);
}

/** TEC: a list of a term links to the same list in the API. */
function listHeaders(site: Site, { scope }: Listing): Record<string, string> {
  if (scope.kind === 'featured') return apiHeaders(site, { calendar: 'events/?featured=1' });
  if (scope.kind !== 'term') return apiHeaders(site);
  const { term } = scope;
  const filter = term.taxonomy === EVENT_CATEGORY ? 'categories' : 'tags';
  return apiHeaders(site, { calendar: `events/?${filter}=${term.slug}`, core: corePath(term, site.registry) });
}

/** The calendar file and the RSS feed that belong to a list, for programs that look for them. */
async function feedLinks({ scope }: Listing, calendar: string, { site, texts }: Reading): Promise<Html> {
  const ics = calendar === '' ? null : html`<link rel="alternate" type="text/calendar" href="${calendar}" /> `;
  if (!hasViews(scope)) return html`${ics}`;
  const { feed } = await rssUrl(scope, site);
  return html`${ics}<link rel="alternate" type="application/rss+xml" title="${siteName(site)}: ${texts.rssFeed}" href="${feed}" /> `;
}

type ListContent = Pick<Layout, 'title' | 'main' | 'isPublic' | 'description'> & { calendar: string };

/** Renders a list, for a venue or organizer below its details. */
async function listContent(listing: Listing, reading: Reading): Promise<ListContent> {
  const { view, page, from, search } = listing;
  if (listing.scope.kind === 'linked') {
    const data = await linkedPageData(listing.scope, listing, reading);
    return { title: data.title, main: linkedPage(data, reading), isPublic: search === '', description: data.teaser, calendar: '' };
  }
  const data = view === 'month' ? await monthPageData(listing, reading) : await listPageData(listing, reading);
  const title = page > 1 ? html`${data.heading} – ${pageOfPages(data, reading)}` : data.heading;
  const main = 'weeks' in data ? monthPage(data, reading) : listPage(data, reading);
  // There are infinitely many months and days, so search engines must not index those without events.
  const isStart = view === 'list' && page === 1 && from === null;
  const isPublic = search === '' && (data.total > 0 || isStart);
  return { title, main, isPublic, description: data.description, calendar: data.feed.download };
}

async function showList(listing: Listing, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const { calendar, ...content } = await listContent(listing, reading);
  const head = html`<link rel="canonical" href="${await listingUrl(listing, site)}" /> ${await feedLinks(listing, calendar, reading)}`;
  return framed(reading, 200, { ...content, head }, listHeaders(site, listing));
}

type Shown = Exclude<Found, { kind: 'elsewhere' }> | null;

async function show(found: Shown, reading: Reading): Promise<PageResponse> {
  if (!found) return missing(reading);
  const { request } = reading;
  if (found.kind === 'post') return showPost(found.post, reading);
  if (found.kind === 'list') return showList(readListing(found.scope, found, request.query), reading);
  if (found.kind === 'category') return showCategory(found, reading);
  if (found.kind === 'dates') return showDates(found, reading);
  // WP: searches have the URL of the front page.
  const search = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, request.query);
  if (typeof request.query.s === 'string') return showList(search, reading);
  return showFront(search, reading);
}

async function showCategory({ term, page }: Found & { kind: 'category' }, reading: Reading): Promise<PageResponse> {
  const data = await blogPageData(term, page, reading);
  if (!data) return missing(reading);
  const head = html`<link rel="canonical" href="${blogUrl(data)}" />`;
  const content = { title: data.heading, main: blogPage(data, reading), isPublic: true, description: data.description, head };
  return framed(reading, 200, content, apiHeaders(reading.site, { core: corePath(term, reading.site.registry) }));
}

async function showDates({ dates, page }: Found & { kind: 'dates' }, reading: Reading): Promise<PageResponse> {
  const data = await datesPageData(dates, page, reading);
  if (!data) return missing(reading);
  const head = html`<link rel="canonical" href="${blogUrl(data)}" />`;
  const content = { title: data.heading, main: blogPage(data, reading), isPublic: true, description: null, head };
  return framed(reading, 200, content, apiHeaders(reading.site));
}

async function showFront(listing: Listing, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const name = siteName(site);
  const data = await frontPageData(reading);
  const head = html`<link rel="canonical" href="${site.url}/" /> ${await feedLinks(listing, data.feed.download, reading)}`;
  const main = frontPage(name, data, reading);
  return framed(reading, 200, { title: name, main, isPublic: true, description: data.description, head }, apiHeaders(site));
}

/** The calendar file of a URL, or the page if there is none. */
async function showFeed(found: Shown, wish: FeedWish, reading: Reading): Promise<PageResponse> {
  const { site, request, reader } = reading;
  const feed = await serveFeed(site, request, found, wish, reader);
  if (feed) return feed;
  return inPlaceOfFeed(site, await show(found, reading), wish);
}

/** The redirect to the address of a feed; the other parameters are kept. */
async function toFeed(site: Site, request: PageRequest, wish: RssWish, found: Found | null): Promise<PageResponse> {
  const query = buildQuery(Object.fromEntries(Object.entries(request.query).filter(([name]) => name !== 'feed')));
  return redirect(301, `${await settledFeed(site, wish, found)}${query === '' ? '' : `?${query}`}`);
}

/** Redirects a plain permalink to the pretty one, with the other parameters (WP). */
function moved(request: PageRequest, { url, isGuess }: Found & { kind: 'elsewhere' }): PageResponse {
  const rest = Object.fromEntries(Object.entries(request.query).filter(([name]) => !ID_PARAMETERS.includes(name)));
  const query = buildQuery(rest);
  return redirect(301, query === '' ? url : `${url}?${query}`, isGuess ? NO_CACHE : {});
}

/** Redirects a query for a term to the list of the term, with the other parameters (WP). */
function toTerm(request: PageRequest, { url, parameter }: { url: string; parameter: string }): PageResponse {
  const query = buildQuery(Object.fromEntries(Object.entries(request.query).filter(([name]) => name !== parameter)));
  return redirect(301, query === '' ? url : `${url}?${query}`);
}

/** The requested form of the content at a URL: its feed, its calendar file, or its page. */
async function answer(
  found: Shown,
  { rss, wish }: { rss: RssWish | null; wish: FeedWish | null },
  reading: Reading,
): Promise<PageResponse> {
  const feed = rss && (await serveRss(reading.site, reading.request, found, rss));
  if (feed) return feed;
  if (rss) return missing(reading);
  return wish ? showFeed(found, wish, reading) : show(found, reading);
}

/** WP: paths that redirect to sign-in and administration, unless a page has this URL. */
function shortcut(site: Site, path: string): PageResponse | null {
  const word = path.replace(/\/$/, '');
  const headers = { ...apiHeaders(site), ...NO_CACHE };
  if (word === '/login') return redirect(302, `${site.url}/wp-login.php`, headers);
  return word === '/admin' || word === '/dashboard' ? redirect(302, `${site.url}/wp-admin/`, headers) : null;
}

const withHeaders = (page: PageResponse, headers: Record<string, string>): PageResponse => ({
  ...page,
  headers: { ...page.headers, ...headers },
});

/** All other URLs of the site: pages, and redirects between them. */
export async function serveContent(site: Site, request: PageRequest): Promise<PageResponse> {
  const path = decode(request.path);
  if (path === null) return missing(readingOf(site, request));
  // WP: the file that serves all URLs is not part of one.
  const entry = /^\/index\.php(\/.*)?$/s.exec(request.path);
  const number = path === '/' || path === '/index.php' ? numberOf(request) : 0;
  if (entry && number === 0) return redirect(301, `${site.url}${entry[1] ?? '/'}${queryOf(request)}`);

  const session = await findSession(site, request.cookies);
  const reader = session?.user ?? null;
  const reading = readingOf(site, request, reader);
  const rejected = await rejectPreview(session, reading);
  if (rejected) return rejected;
  const rss = readRssWish(site, request, path);
  const wish = rss ? null : readWish(site, request, path);
  const slug = path === '/' ? eventSlugOf(request) : null;
  const address: PageAddress = slug === null ? readPageAddress((rss ?? wish)?.path ?? path, site) : { kind: 'single', slug };
  const preview = isPreview(request);
  const at =
    number !== 0
      ? await findByNumber(site, number, reader, preview)
      : await inCategory(await find(site, address, reader), site, request.query);
  const found = preview && at?.kind === 'post' ? { ...at, post: await previewed(at.post, request, session, site) } : at;
  // TEC: a redirect to a calendar has the header of the calendar.
  const extra = wish ? robots(site, wish) : {};
  const term = path === '/' && number === 0 && !rss && !wish ? await findByTerm(site, request.query) : null;
  if (term) return toTerm(request, term);
  if (found?.kind === 'elsewhere') return { ...withHeaders(moved(request, found), extra), isGuess: number === 0 && found.isGuess };
  if (rss?.isSettled === false && (found || isCommentFeed(rss, found))) return toFeed(site, request, rss, found);
  if (found && !preview && !path.endsWith('/')) return redirect(301, `${site.url}${request.path}/${queryOf(request)}`, extra);
  const shown = await answer(found, { rss, wish }, reading).catch((error: unknown) => refuseGuesses(error, reading));
  if (!found) return shortcut(site, path) ?? shown;
  return { ...shown, cacheable: session === null, ...(session ? { headers: { ...shown.headers, ...NO_CACHE } } : {}) };
}
