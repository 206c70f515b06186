import { isEmpty } from '../../../base/php/cast.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import { fillHtml, apiHeaders, type Shown, type PagePlugin, type Reading } from '../../../wordpress/views/reading.js';
import type { PageRequest, PageResponse } from '../../../wordpress/rest/request.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { urlOfTerm, feedUrl } from '../../../wordpress/links.js';
import { siteName, lineOf } from '../../../wordpress/views/texts.js';
import { eventDate, eventFeed, mayMoveFeed, readFeedAddress, readCalendarForm } from '../feeds/routes.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasCalendarApi } from '../model/options.js';
import { readCalendarAddress, usualView } from '../views/address.js';
import { findEvents, linkedUrl, readCalendarQuery, eventListOf } from '../views/find.js';
import { eventsUrl, feedUrls, listingUrl } from '../views/links.js';
import { listedDays, readListing, isOfPlugin, type Listing } from '../views/listing.js';
import { missingTitle, currentMonthTitle } from '../views/title.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { corePath } from '../../../wordpress/terms/terms.js';
import { isEmbedPath } from '../../../wordpress/views/address.js';
import { eventPageData } from './event-data.js';
import { eventHead, eventPage } from './event-template.js';
import { authorFeed, authorPath, searchFeed, termFeed } from '../../../wordpress/pages/blog.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import { markedTitle } from '../../../wordpress/posts/rendered.js';
import { framed, type Layout, type PageFeed } from '../../../wordpress/pages/layout.js';
import { framedPost } from '../../../wordpress/pages/post.js';
import { frontPageData, linkedPageData, type ListFrame } from './list-data.js';
import { frontPage, linkedPage } from './list-template.js';
import { listView } from './views-route.js';

async function showEvent(post: Post, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const data = await eventPageData(post, await loadRelated(site.store, [post]), reading);
  // TEC: the title of the document keeps tags, as text.
  const own = data.unlocking === 'open' ? trusted(escHtml(markedTitle(post))) : NO_TITLE;
  const title = usualView(site.options).kind === 'month' ? currentMonthTitle(reading) : own;
  const { comments, teaser: description } = data;
  const layout = {
    title,
    main: eventPage(data, eventsUrl(site), reading),
    description,
    head: eventHead(data, isEmbedPath(reading.request.path)),
    comments,
  };
  return framedPost(post, data.url, layout, reading);
}

/** TEC: a protected event has no title in the head of its page. */
const NO_TITLE = '';

/** The feed of a list. WP: all lists of the calendar have the feed of the whole calendar. */
async function feedFor({ scope, search }: Listing, reading: Reading): Promise<PageFeed | null> {
  const { site, texts, request } = reading;
  if (scope.kind === 'author') return authorFeed(scope.author, reading);
  if (scope.kind === 'linked') return null;
  if (scope.kind === 'term' && !isOfPlugin(scope.kind, reading)) return termFeed(scope.term, reading);
  if (request.query.s !== undefined) return searchFeed(search, reading);
  return { title: fillHtml(texts.pageFeed, { site: siteName(site), name: html`${texts.events}` }), url: feedUrl(site, eventsUrl(site)) };
}

function titleFor({ listing, heading, title }: ListFrame, reading: Reading): Html {
  const { scope, search } = listing;
  const { texts, request } = reading;
  if (request.query.s !== undefined) return fillHtml(texts.searchTitle, { words: search });
  if (scope.kind === 'author') return html`${scope.author.displayName}`;
  if (scope.kind === 'linked') return heading;
  return scope.kind === 'term' && !isOfPlugin(scope.kind, reading) ? lineOf(scope.term.name) : title;
}

/** TEC: search engines leave out months, and lists and days that show no event. */
const robotsOf = ({ listing: { view, scope }, ids }: ListFrame, reading: Reading): string[] =>
  !isOfPlugin(scope.kind, reading) ? [] : view === 'month' ? ['noindex', 'nofollow'] : ids.length === 0 ? ['noindex'] : [];

type ListContent = Pick<Layout, 'title' | 'main' | 'isPublic' | 'robots' | 'description' | 'page' | 'head'>;

/** Renders a list, for a venue or organizer below its details. */
async function listContent(listing: Listing, reading: Reading): Promise<ListContent> {
  const { page } = listing;
  // WP: search engines leave out searches of the site.
  const isPublic = reading.request.query.s === undefined;
  if (listing.scope.kind === 'linked') {
    const data = await linkedPageData(listing.scope, listing, reading);
    const head = html`<link rel="canonical" href="${await listingUrl(listing, reading.site)}" />`;
    return { title: data.title, main: linkedPage(data, reading), isPublic, description: data.teaser, head };
  }
  const { main, frame } = await listView(listing, reading);
  return { title: titleFor(frame, reading), main, isPublic, robots: robotsOf(frame, reading), description: frame.description, page };
}

async function showList(listing: Listing, found: Shown, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const content = { ...(await listContent(listing, reading)), feed: await feedFor(listing, reading) };
  const { scope } = listing;
  const core = scope.kind === 'term' ? corePath(scope.term, site.registry) : scope.kind === 'author' ? authorPath(scope.author) : undefined;
  return framed(reading, 200, content, apiHeaders(found, reading, core === undefined ? {} : { core }));
}

async function showFront(found: Shown, reading: Reading): Promise<PageResponse> {
  const name = siteName(reading.site);
  const data = await frontPageData(reading);
  const main = frontPage(name, data, reading);
  const content = { title: name, isFront: true, main, isPublic: true, description: data.description };
  return framed(reading, 200, content, apiHeaders(found, reading));
}

/** The pages with events: events themselves, their lists, the front page, and searches, which have its URL (WP). */
async function calendarPage(found: Shown, reading: Reading): Promise<PageResponse | undefined> {
  const { query } = reading.request;
  if (found.kind === 'post') return found.post.type === EVENT ? showEvent(found.post, reading) : undefined;
  const list = eventListOf(found);
  if (list) return showList(readListing(list.scope, list, query), found, reading);
  if (found.kind !== 'front' || found.post) return undefined;
  const all = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, query);
  return typeof query.s === 'string' ? showList(all, found, reading) : showFront(found, reading);
}

/** TEC: the namespace in the headers of pages. */
const NAMESPACE = 'tribe/events/v1';

/** TEC: the path that has the same content in the API as a page, relative to the namespace. */
function pathInApi(found: Shown | null): string {
  if (found?.kind === 'post') return found.post.type === EVENT ? `events/${found.post._id}` : '';
  if (found?.kind === 'term') return found.term.taxonomy === TAG ? `events/?tags=${found.term.slug}` : '';
  if (found?.kind !== 'list') return '';
  const { scope } = found;
  if (scope.kind === 'featured') return 'events/?featured=1';
  return scope.kind === 'term' ? `events/?${scope.term.taxonomy === EVENT_CATEGORY ? 'categories' : 'tags'}=${scope.term.slug}` : '';
}

/** TEC: the calendar file that the head of a page links to: of the calendar, or of a day, also of a category, whose URL ends with a slash. */
async function calendarOf(found: Shown | null, { query }: PageRequest, site: Site): Promise<string> {
  const { isPlain } = site.options.rewrite;
  const all = isPlain ? `${site.url}?post_type=${EVENT}&ical=1` : feedUrls(eventsUrl(site).replace(/\/*$/, '/')).download;
  if (found?.kind !== 'list' || isPlain) return all;
  const { scope } = found;
  const listing = readListing(scope, found, query);
  if (listing.view !== 'day') return all;
  const base = scope.kind === 'term' && scope.term.taxonomy === EVENT_CATEGORY ? await urlOfTerm(scope.term, site) : eventsUrl(site);
  return `${feedUrls(`${base}${listedDays(listing, site)[0]}/`).download}/`;
}

const VERSION = 'v1';

const rootOf = (found: Shown | null, site: Site): string => site.restUrl(`/${NAMESPACE}/${pathInApi(found)}`);

/** Additions of the plugin to the pages of a site. */
export const CALENDAR_PAGES: PagePlugin = {
  readAddress: readCalendarAddress,
  find: findEvents,
  urlOf: linkedUrl,
  page: calendarPage,
  missingTitle,
  readForm: readCalendarForm,
  readQuery: readCalendarQuery,
  readFeedAddress,
  feed: eventFeed,
  mayMoveFeed,
  entryDate: eventDate,
  // TEC: lists of tags have events, too.
  typesIn: (taxonomy) => (taxonomy === TAG ? [EVENT] : []),
  typesInBlog: ({ calendar }) => (isEmpty(calendar.showEventsInMainLoop) ? [] : [EVENT]),
  termOf: (found) => (found.kind === 'list' && found.scope.kind === 'term' ? found.scope.term : undefined),
  menu: ({ site, texts }) => [{ text: texts.events, url: eventsUrl(site) }],
  footer: ({ site, texts }) => [{ text: texts.subscribe, url: feedUrls(eventsUrl(site)).subscribe }],
  headers: (found, site): Record<string, string> =>
    hasCalendarApi(site.options)
      ? { 'X-TEC-API-VERSION': VERSION, 'X-TEC-API-ROOT': rootOf(found, site), 'X-TEC-API-ORIGIN': site.url }
      : { 'X-TEC-API-VERSION': 'disabled' },
  head: async (found, { site, texts, request }) =>
    html`${
        hasCalendarApi(site.options) &&
        html`<meta name="tec-api-version" content="${VERSION}" />
          <meta name="tec-api-origin" content="${site.url}" />
          <link rel="alternate" href="${rootOf(found, site)}" />`
      }
      <link
        rel="alternate"
        type="text/calendar"
        title="${fillHtml(texts.calendarFeed, { site: siteName(site) })}"
        href="${await calendarOf(found, request, site)}"
      />`,
};
