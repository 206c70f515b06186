import { isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { TAG, type Post, type Term } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import { fillHtml, apiHeaders, type Shown, type PagePlugin, type Reading, readingOf } from '../../../wordpress/views/reading.js';
import { type PageRequest, type PageResponse, parseCookies, type Params } from '../../../wordpress/rest/request.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { urlOfTerm, feedUrl } from '../../../wordpress/links.js';
import { siteName, lineOf } from '../../../wordpress/views/texts.js';
import { eventDate, eventFeed, mayMoveFeed, readFeedAddress, readCalendarForm } from '../feeds/routes.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasCalendarApi } from '../model/options.js';
import { readCalendarAddress, usualView } from '../views/address.js';
import { findEvents, linkedUrl, readCalendarQuery, eventListOf, eventsAt, missingTitle, currentMonthTitle } from '../views/find.js';
import type { EventList } from '../views/find.js';
import { eventsUrl, feedUrls, listingUrl } from '../views/links.js';
import { listedDays, readListing, isOfPlugin, type Listing, isView } from '../views/listing.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { corePath } from '../../../wordpress/terms/terms.js';
import { isEmbedPath, readPageAddress } from '../../../wordpress/views/address.js';
import { eventPageData } from './event-data.js';
import { eventHead, eventPage } from './event-template.js';
import { authorFeed, authorPath, searchFeed, termFeed } from '../../../wordpress/pages/blog.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import { markedTitle } from '../../../wordpress/posts/rendered.js';
import { framed, type Layout, type PageFeed } from '../../../wordpress/pages/layout.js';
import { framedPost } from '../../../wordpress/pages/content.js';
import { frontPageData, linkedPageData, type ListFrame, listPageData } from './list-data.js';
import { frontPage, linkedPage, listPage } from './list-template.js';
import { parseQuery } from '../../../base/php/query-string.js';
import { phpJson } from '../../../base/php/json.js';
import { endpoint, type EndpointCall } from '../../../wordpress/rest/params.js';
import { RestResponse, type Arg, type Json, type Namespace } from '../../../wordpress/rest/route.js';
import { hasViewNonce } from '../views/nonces.js';
import { monthPageData } from './month-data.js';
import { monthPage } from './month-template.js';

/** A list of events with what leads to others, for people and programs. */
async function listView(listing: Listing, reading: Reading): Promise<{ main: Html; frame: ListFrame }> {
  if (listing.view === 'month') {
    const frame = await monthPageData(listing, reading);
    return { frame, main: await monthPage(frame, reading) };
  }
  const frame = await listPageData(listing, reading);
  return { frame, main: listPage(frame, reading) };
}

const isText = (value: Json): boolean => typeof value === 'string';
const plain = (more: Partial<Arg> = {}): Arg => ({ description: '', validate: isText, ...more });

const VIEW_ARGS = {
  u: plain({ required: true }),
  view: plain(),
  tvn1: plain(),
  tvn2: plain(),
  view_data: plain({ validate: (value) => typeof value === 'object' && value !== null }),
  action: plain(),
};

/** The decoded path and the query of a URL, whose site does not matter (TEC). */
function partsOf(url: string, site: Site): { path: string; query: Params } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(url.startsWith(site.url) ? url.slice(site.url.length) : url) ?? [];
  const below = path.replace(/^https?:\/\/[^/]*/i, '');
  try {
    return { path: decodeURIComponent(`/${below.replace(/^\/+/, '')}`), query: parseQuery(query) };
  } catch {
    return { path: '/', query: parseQuery(query) };
  }
}

const objectOf = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {};

const ALL: EventList = { kind: 'list', view: { kind: 'list' }, page: 1, scope: { kind: 'all' } };

/** TEC: the list at a URL, or else all events, in the view at the URL or another one. The title is that of the view at the URL. */
async function listingFor(view: string | undefined, reading: Reading): Promise<Listing> {
  const { site, plugins, request } = reading;
  const at = (await eventsAt(readPageAddress(request.path, site, plugins), site, request.query)) ?? ALL;
  const listing = readListing(at.scope, at, request.query);
  const shown = view === undefined ? listing.view : isView(view) ? view : 'list';
  return { ...listing, view: shown, past: listing.past && shown === 'list', titledAs: listing.view };
}

/** TEC: a view for tests, which shows the query that others would read. */
function reflection({ site, plugins, request: { path } }: Reading, query: Params): string {
  const at = readPageAddress(path, site, plugins);
  if (at.kind !== 'list') return phpJson(query, { pretty: true });
  const { view, page, taxonomy, slug, isFeatured } = at;
  const date = view.kind === 'month' ? view.month : view.kind === 'day' ? view.day : undefined;
  return phpJson(
    {
      ...query,
      ...(taxonomy === undefined ? {} : { [taxonomy === TAG ? 'tag' : taxonomy]: slug }),
      post_type: EVENT,
      eventDisplay: view.kind === 'list' && page === 1 && !/\/list\/?$/.test(path) ? 'default' : view.kind,
      ...(date === undefined ? {} : { eventDate: date }),
      ...(page === 1 ? {} : { paged: String(page) }),
      ...(isFeatured ? { featured: '1' } : {}),
    },
    { pretty: true },
  );
}

/** TEC: what selects events may be in the URL, in `view_data`, which overrides it, or beside it. The URL alone says that they are past. */
async function respond({ params, site, request }: EndpointCall<typeof VIEW_ARGS>, plugins: readonly PagePlugin[]): Promise<RestResponse> {
  const url = toStr(params.u);
  const { path, query } = partsOf(url, site);
  const others = Object.assign({}, ...request.orderedSources.toReversed()) as Params;
  const asked = { ...query, ...objectOf(params.view_data) };
  const page: PageRequest = {
    method: 'GET',
    path,
    url,
    query: { ...others, ...asked, eventDisplay: query.eventDisplay },
    form: {},
    body: Buffer.alloc(0),
    cookies: parseCookies(request.headers.cookie),
    headers: {},
    address: '',
    language: request.language,
  };
  const reading = { ...readingOf(site, page, plugins), reader: request.user, isPart: true };
  const view = params.view === undefined ? undefined : toStr(params.view);
  if (view === 'reflector') return new RestResponse({ html: reflection(reading, asked) });
  const { main } = await listView(await listingFor(view, reading), reading);
  return new RestResponse({ html: main.text });
}

/**
 * The namespace from which pages of the calendar get other parts of it, and programs lists of events (TEC).
 * @param plugins what has addresses on the site
 */
export const calendarViews = (plugins: readonly PagePlugin[]): Namespace => ({
  name: 'tribe/views/v2',
  routes: [
    {
      path: '/tribe/views/v2/html',
      endpoints: [
        endpoint({ methods: ['GET', 'POST'], permission: hasViewNonce, args: VIEW_ARGS, handler: (call) => respond(call, plugins) }),
      ],
    },
  ],
});

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

/** The path of the events of a term in the API. TEC: by its slug, although one that is a number is read as an id. */
function termInApi({ _id, slug, taxonomy }: Term, { quirks }: Site): string {
  const isById = isNumeric(slug) && !quirks.has('lists-take-slugs-for-ids');
  return `events/?${taxonomy === EVENT_CATEGORY ? 'categories' : 'tags'}=${isById ? _id : slug}`;
}

/** TEC: the path that has the same content in the API as a page, relative to the namespace. */
function pathInApi(found: Shown | null, site: Site): string {
  if (found?.kind === 'post') return found.post.type === EVENT ? `events/${found.post._id}` : '';
  if (found?.kind === 'term') return found.term.taxonomy === TAG ? termInApi(found.term, site) : '';
  if (found?.kind !== 'list') return '';
  const { scope } = found;
  if (scope.kind === 'featured') return 'events/?featured=1';
  return scope.kind === 'term' ? termInApi(scope.term, site) : '';
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

const rootOf = (found: Shown | null, site: Site): string => site.restUrl(`/${NAMESPACE}/${pathInApi(found, site)}`);

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
