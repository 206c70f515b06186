import type { PageResponse } from '../../../wordpress/rest/page.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { corePath } from '../../../wordpress/terms/term-links.js';
import { apiHeaders } from '../../../wordpress/views/api-headers.js';
import type { Shown } from '../../../wordpress/views/content.js';
import { eventPageData } from './event-data.js';
import { eventHead, eventPage } from './event-template.js';
import { eventListOf } from '../views/find.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import { framed, type Layout } from '../../../wordpress/pages/layout.js';
import { framedPost } from '../../../wordpress/pages/post.js';
import { eventsUrl, listingUrl, rssUrl } from '../views/links.js';
import { frontPageData, linkedPageData, listPageData } from './list-data.js';
import { frontPage, linkedPage, listPage, pageOfPages } from './list-template.js';
import { monthPageData } from './month-data.js';
import { monthPage } from './month-template.js';
import { hasViews, readListing, type Listing } from '../views/listing.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { siteName } from '../../../wordpress/views/texts.js';

async function showEvent(post: Post, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const data = await eventPageData(post, await loadRelated(site.store, [post]), reading);
  const layout = { title: data.title, main: eventPage(data, eventsUrl(site), reading), description: data.teaser, head: eventHead(data) };
  return framedPost(post, data.url, layout, reading);
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

async function showList(listing: Listing, found: Shown, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const { calendar, ...content } = await listContent(listing, reading);
  const head = html`<link rel="canonical" href="${await listingUrl(listing, site)}" /> ${await feedLinks(listing, calendar, reading)}`;
  const { scope } = listing;
  const core = scope.kind === 'term' ? { core: corePath(scope.term, site.registry) } : {};
  return framed(reading, 200, { ...content, head }, apiHeaders(found, reading, core));
}

async function showFront(listing: Listing, found: Shown, reading: Reading): Promise<PageResponse> {
  const { site } = reading;
  const name = siteName(site);
  const data = await frontPageData(reading);
  const head = html`<link rel="canonical" href="${site.url}/" /> ${await feedLinks(listing, data.feed.download, reading)}`;
  const main = frontPage(name, data, reading);
  return framed(reading, 200, { title: name, main, isPublic: true, description: data.description, head }, apiHeaders(found, reading));
}

/** The pages with events: events themselves, their lists, the front page, and searches, which have its URL (WP). */
export async function calendarPage(found: Shown, reading: Reading): Promise<PageResponse | undefined> {
  const { query } = reading.request;
  if (found.kind === 'post') return found.post.type === EVENT ? showEvent(found.post, reading) : undefined;
  const list = eventListOf(found);
  if (list) return showList(readListing(list.scope, list, query), found, reading);
  if (found.kind !== 'front') return undefined;
  const all = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, query);
  return typeof query.s === 'string' ? showList(all, found, reading) : showFront(all, found, reading);
}
