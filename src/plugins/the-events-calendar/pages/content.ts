import type { PageResponse } from '../../../wordpress/rest/request.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { corePath } from '../../../wordpress/terms/terms.js';
import { isEmbedPath } from '../../../wordpress/views/address.js';
import { feedUrl } from '../../../wordpress/links.js';
import { apiHeaders, fillHtml, type Reading, type Shown } from '../../../wordpress/views/reading.js';
import { eventPageData } from './event-data.js';
import { eventHead, eventPage } from './event-template.js';
import { eventListOf } from '../views/find.js';
import { authorFeed, authorPath, searchFeed, termFeed } from '../../../wordpress/pages/blog.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import { markedTitle } from '../../../wordpress/posts/rendered.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { framed, type Layout, type PageFeed } from '../../../wordpress/pages/layout.js';
import { framedPost } from '../../../wordpress/pages/post.js';
import { eventsUrl, listingUrl } from '../views/links.js';
import { frontPageData, linkedPageData, type ListFrame } from './list-data.js';
import { frontPage, linkedPage } from './list-template.js';
import { listView } from './views-route.js';
import { usualView } from '../views/address.js';
import { currentMonthTitle } from '../views/title.js';
import { isOfPlugin, readListing, type Listing } from '../views/listing.js';
import { lineOf, siteName } from '../../../wordpress/views/texts.js';

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

/** The title of a list in its head. */
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
export async function calendarPage(found: Shown, reading: Reading): Promise<PageResponse | undefined> {
  const { query } = reading.request;
  if (found.kind === 'post') return found.post.type === EVENT ? showEvent(found.post, reading) : undefined;
  const list = eventListOf(found);
  if (list) return showList(readListing(list.scope, list, query), found, reading);
  if (found.kind !== 'front' || found.post) return undefined;
  const all = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, query);
  return typeof query.s === 'string' ? showList(all, found, reading) : showFront(found, reading);
}
