import { feedEntries, feedEntry, feedFileName, feedText, type FeedEntry } from './feed.js';
import { stateOf } from './feed-event.js';
import { LINKED_KINDS, isTruthy } from '../model/event.js';
import { linkedPosts } from '../model/linked.js';
import { NO_CACHE, type PageRequest, type PageResponse, type Params } from '../../../wordpress/rest/request.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { DateClause } from '../model/query.js';
import { addQueryArgs } from '../../../wordpress/posts/links.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { readPageAddress, UNKNOWN } from '../../../wordpress/views/address.js';
import { englishWord, addressWord } from '../model/address-words.js';
import { usualView, isOfCalendar, slugsIn, type ListView } from '../views/address.js';
import type { Shown, OtherForm, Reading, FeedContent, FeedEnding, PageAddress } from '../../../wordpress/views/reading.js';
import { eventListOf, readCalendarQuery, feedTitle } from '../views/find.js';
import { dateClause, hasViews, listingQuery, listedPerPage, readListing, listEvents, type Listing, type Scope } from '../views/listing.js';
import { shownSpan } from '../model/event-dates.js';
import { siteToUtc } from '../../../wordpress/timezones.js';
import { trusted, type Html } from '../../../wordpress/views/html.js';
import { escapeRegExp } from '../../../base/text/pattern.js';
import { sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';

/** The request for an iCalendar file, and its form. */
interface FeedWish {
  /** Path of the page whose events it contains. */
  path: string;
  /** Whether it was requested with a known value. TEC: only then are there headers for search engines. */
  told: boolean;
  /** TEC: an event is exported alone only for this very value. */
  isOne: boolean;
  forOutlook: boolean;
}

/** TEC: which lists have a calendar as their last segment: all or featured events, a day, a tag, and a category, whose own slug alone matters. */
const LIST_WITH_ICAL =
  /^(?:(featured\/|\d{4}-\d\d-\d\d\/|tag\/[^/]+\/(?:featured\/)?)?|category\/(?:[^/]+\/)*?([^/]+\/(?:featured\/)?))ical$/;

/** The path without a last segment that requests the calendar and is not a slug; null if there is none. */
function pathBeforeIcal(path: string, { options }: Site): string | null {
  const { eventsSlug, singleEventSlug } = options.calendar;
  const [first, ...rest] = path.split('/').filter((part) => part !== '');
  if (first === singleEventSlug) return rest.length === 2 && rest[1] === 'ical' ? `/${first}/${rest[0]}/` : null;
  const [word = '', ...below] = rest;
  const found = first === eventsSlug ? LIST_WITH_ICAL.exec([englishWord(word, options), ...below].join('/')) : null;
  if (!found) return null;
  const [, list = '', category] = found as (string | undefined)[];
  return `/${first}/${category === undefined ? list : `category/${category}`}`;
}

/**
 * Parses a request for a calendar (`?ical=1`, `?outlook-ical=1`, `…/ical/`); null for other requests. TEC: the parameter may have any
 * value.
 * @param path of the request, decoded
 */
function readWish(site: Site, { query }: PageRequest, path: string): FeedWish | null {
  const before = pathBeforeIcal(path, site);
  const sent = ['ical', 'outlook-ical'].filter((name) => query[name] !== undefined);
  const isSet = (name: string): boolean => typeof query[name] !== 'string' || !['', '0'].includes(query[name]);
  const told = sent.some(isSet);
  const isFlagged = sent.some((name) => query[name] === '' || isTruthy(query[name]));
  const isWanted = before !== null || (site.quirks.has('ical-of-anything-is-a-list') ? sent.length > 0 : isFlagged);
  const forOutlook = query['outlook-ical'] !== undefined;
  return isWanted ? { path: before ?? path, told, isOne: query.ical === '1', forOutlook } : null;
}

/** The content of a calendar. */
interface Chosen {
  entries: FeedEntry[];
  /** TEC: the subject of the page, whose state events without a venue get. */
  current: Post | null;
  /** URL of the events that follow; null for none. */
  next: string | null;
}

/** The newest event on a page of a list. WP: it is the current post of that page. */
async function newest(site: Site, listing: Listing): Promise<Post | null> {
  const size = listedPerPage(site);
  const query = { ...(await listingQuery({ ...listing, search: '' }, site)), dates: [], listed: false };
  return (await listPosts(site.store, { ...query, sort: 'newest', limit: 1, offset: (listing.page - 1) * size })).at(0) ?? null;
}

/** The list of the events in a calendar, unless it is the calendar of one event. TEC: venues and organizers have no separate calendar. */
function listingOf(site: Site, { query }: PageRequest, found: Shown | null): Listing {
  const list = eventListOf(found);
  const isGeneral = !list || (!hasViews(list.scope) && site.quirks.has('ical-of-venues-is-general'));
  return isGeneral ? readListing({ kind: 'all' }, { view: usualView(site.options), page: 1 }, query) : readListing(list.scope, list, query);
}

/** The dates of a calendar. TEC: without a named month, past events of the current month are excluded. */
function datesIn(listing: Listing, { dates = [] }: Pick<PostQuery, 'dates'>, site: Site): DateClause[] {
  if (listing.view !== 'month' || listing.from !== null) return dates;
  return [...dates.filter(({ operator }) => operator !== '$gte'), dateClause('end', '$gte', null, site)];
}

/** Number of events in the calendar of a list. TEC: as in the plugin, and no parameter changes it. */
const SIZE = { plugin: 30, usual: 250, most: 500 };

const positive = (value: unknown): number | null => (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null);

/** The number of a part that is requested by itself, apart from the page of the list. */
const partOf = ({ query }: PageRequest): number => positive(query.paged) ?? 1;

/** The part of a list that a calendar contains, since the cost of a request must not grow with the site. */
async function entriesOf(site: Site, listing: Listing, request: PageRequest) {
  const isCut = site.quirks.has('ical-lists-stop-at-thirty');
  const size = isCut ? SIZE.plugin : Math.min(positive(request.query.per_page) ?? SIZE.usual, SIZE.most);
  // TEC: a page of the list starts at the same event as on the site, but is longer.
  const offset = isCut ? (listing.page - 1) * listedPerPage(site) : (partOf(request) - 1) * size;
  const query = await listingQuery(listing, site);
  const page = { limit: size + 1, offset, backwards: listing.past };
  const entries = await feedEntries(site, { ...query, dates: datesIn(listing, query, site), ...page });
  return { entries: entries.slice(0, size), hasMore: !isCut && entries.length > size };
}

const nextUrl = (site: Site, request: PageRequest): string => addQueryArgs(`${site.url}${request.url}`, { paged: partOf(request) + 1 });

async function choose({ site, request, plugins }: Reading, found: Shown | null, wish: FeedWish): Promise<Chosen | null> {
  const isList = site.quirks.has('ical-of-anything-is-a-list');
  const post = found?.kind === 'post' ? found.post : null;
  if (post?.type === EVENT && (wish.isOne || !isList)) return { entries: [feedEntry(post, site)], current: null, next: null };
  // Content without a calendar: posts, pages, missing pages. TEC: only unknown terms have none.
  const isUnknownList = (): boolean =>
    (readCalendarQuery(request.query, site) ?? readPageAddress(wish.path, site, plugins)).kind === 'list';
  if (isList ? !found && isUnknownList() : post || !found) return null;
  const listing = listingOf(site, request, found);
  const borrows = found?.kind === 'list' && hasViews(found.scope) && site.quirks.has('ical-borrows-states');
  const { entries, hasMore } = await entriesOf(site, listing, request);
  const current = post ?? (borrows ? await newest(site, listing) : null);
  return { entries, current, next: hasMore ? nextUrl(site, request) : null };
}

async function stateAt(current: Post | null, { site, reader }: Reading): Promise<string> {
  if (current?.type !== EVENT || !site.quirks.has('ical-borrows-states')) return '';
  const [venue] = linkedPosts(current, 'venue', await loadRelated(site.store, [current]));
  return venue && (canRead(reader, venue, site.registry) || site.quirks.has('linked-posts-ignore-status')) ? stateOf(venue) : '';
}

const ROBOTS = { 'X-Robots-Tag': 'noindex, nofollow' };

/** The headers for search engines of requests for a calendar. */
const robots = (site: Site, { told }: FeedWish): Record<string, string> =>
  told || !site.quirks.has('ical-of-anything-is-a-list') ? ROBOTS : {};

/** The calendar of a URL, by the content at the URL (null: none). Null if it has none and the page is sent instead. */
async function serveFeed(found: Shown | null, wish: FeedWish, reading: Reading): Promise<PageResponse | null> {
  const { site, reader } = reading;
  const chosen = await choose(reading, found, wish);
  if (!chosen || (chosen.entries.length === 0 && site.quirks.has('ical-of-nothing-is-empty'))) return null;
  const { entries, current, next } = chosen;
  const borrowedState = await stateAt(current, reading);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Content-Disposition': `attachment; filename="${feedFileName(site, entries, wish.forOutlook ? 'outlook' : 'ical')}"`,
      'X-Content-Type-Options': 'nosniff',
      ...robots(site, wish),
      ...(next === null ? {} : { Link: `<${next}>; rel="next"` }),
      // TEC: the headers of the page that the calendar replaces, which may be missing or password-protected.
      ...(!found || (found.kind === 'post' && found.post.password !== '') ? NO_CACHE : {}),
    },
    body: await feedText(site, entries, { reader, named: !wish.forOutlook, borrowedState }),
  };
}

/** Response if there is no calendar. TEC: an empty one, with the status of the page and without its headers of the API. */
function inPlaceOfFeed(site: Site, page: PageResponse, wish: FeedWish): PageResponse {
  const { status, headers } = page;
  if (!site.quirks.has('ical-of-nothing-is-empty')) return { ...page, headers: { ...headers, ...robots(site, wish) } };
  const isOfApi = (name: string): boolean => name === 'Link' || /^X-\w+-API-/.test(name);
  const kept = Object.entries(headers).filter(([name]) => !isOfApi(name));
  return { status, headers: { ...Object.fromEntries(kept), ...robots(site, wish) }, body: '' };
}

/** A request for the calendar of a page. TEC: a redirect to a calendar has the header of the calendar. */
export function readCalendarForm(request: PageRequest, path: string, site: Site): OtherForm | undefined {
  const wish = readWish(site, request, path);
  if (!wish) return undefined;
  return {
    path: wish.path,
    headers: robots(site, wish),
    serve: async (found, reading, page) => (await serveFeed(found, wish, reading)) ?? inPlaceOfFeed(site, await page(), wish),
  };
}

const LIST: ListView = { kind: 'list' };
const WHOLE = { kind: 'list', view: LIST, page: 1 } as const;

const isFeatured = (word: string | undefined): boolean => word === 'featured';

/** The list of a term. TEC: in a feed, a view behind a category is taken for a subcategory. */
function termOfFeed(taxonomy: string, parts: readonly string[]): PageAddress {
  const featured = parts.length > 1 && isFeatured(parts.at(-1));
  const slugs = featured ? parts.slice(0, -1) : parts;
  const isTree = taxonomy === EVENT_CATEGORY;
  if (slugs.length === 0 || (!isTree && slugs.length > 1)) return UNKNOWN;
  return { ...WHOLE, taxonomy, slug: slugsIn(slugs.at(-1) ?? ''), ...(featured ? { isFeatured: true } : {}) };
}

function inCalendar(parts: readonly string[], ending: FeedEnding): PageAddress {
  const [, first, ...rest] = parts as (string | undefined)[];
  if (first === undefined) return WHOLE;
  if (first === 'category' && ending !== 'short') return termOfFeed(EVENT_CATEGORY, parts.slice(2));
  if (first === 'tag' && ending !== 'short') return termOfFeed(TAG, parts.slice(2));
  if (rest.length > 0) return UNKNOWN;
  if (isFeatured(first) && ending !== 'long') return { ...WHOLE, isFeatured: true };
  // WP: as an attachment of a page would have it.
  return { kind: 'below', slugs: parts.map((part) => sanitizeTitle(part)) };
}

/** The addresses of feeds. TEC: lists have one, their views have none; of venues and organizers, the feed is the site's. */
export function readFeedAddress(parts: readonly string[], ending: FeedEnding, site: Site, query: Params): PageAddress | undefined {
  const [first, second] = parts;
  if (first === site.options.calendar.eventsSlug)
    return inCalendar(
      parts.map((part, at) => (at === 1 ? englishWord(part, site.options) : part)),
      ending,
    );
  if (first === 'tag' && query.post_type === EVENT) return termOfFeed(TAG, parts.slice(1));
  if (first === 'tag') return parts.length === 2 ? { kind: 'term', taxonomy: TAG, slug: sanitizeTitle(second), page: 1 } : UNKNOWN;
  const isLinked = LINKED_KINDS.some((kind) => decodeURIComponent(addressWord(kind, site.options)) === first) && parts.length === 2;
  if (!isLinked) return undefined;
  return site.quirks.has('venues-have-no-pages') ? { kind: 'front', page: 1 } : UNKNOWN;
}

/** WP: the typographic pass makes signs of a title references. */
const asReferences = ({ text }: Html): Html => trusted(text.replaceAll(' – ', ' &#8211; ').replaceAll('›', '&#8250;'));

/** The events of a feed, and the conditions of all. TEC: the next ones, including events hidden from lists; the query changes nothing. */
async function eventsOf(listing: Listing, { site }: Reading): Promise<Pick<FeedContent, 'posts' | 'filter'>> {
  const limit = site.options.postsPerFeed;
  if (!site.quirks.has('rss-ignores-its-query')) {
    const list = { ...listing, view: 'list' } as const;
    return { posts: (await listEvents(list, site, limit)).events, filter: await listingQuery(list, site) };
  }
  const query = await listingQuery({ ...listing, view: 'list', from: null, past: false, search: '' }, site, true);
  const filter = { ...query, listed: false, scheduled: true };
  return { filter, posts: await listPosts(site.store, { ...filter, limit, offset: (listing.page - 1) * limit }) };
}

export async function eventFeed(
  { found, address, page }: { found: Shown | null; address: PageAddress; page: number },
  reading: Reading,
): Promise<FeedContent | undefined> {
  if (address.kind !== 'list' && found?.kind !== 'list') return undefined;
  const scope: Scope = found?.kind === 'list' ? found.scope : { kind: 'all' };
  if (!hasViews(scope)) return undefined;
  const listing = { ...readListing(scope, WHOLE, reading.request.query), page };
  const events = found ? await eventsOf(listing, reading) : { posts: [], filter: null };
  return { title: asReferences(await feedTitle(listing, reading)), ...events, keepsTitle: true };
}

/** The date of an event as an entry: its start. TEC: local times of all zones are read in the zone of the site. */
export function eventDate({ type, occurrence }: Post, site: Site): string | undefined {
  if (type !== EVENT || !occurrence) return undefined;
  if (!site.quirks.has('rss-reads-starts-in-site-zone')) return occurrence.startUtc;
  const { timezone } = site.options;
  const { start } = shownSpan(occurrence, site);
  return /^UTC[+-]/.test(timezone) ? start : siteToUtc(site.zones, start, timezone);
}

/** The view that the rule for a path names; undefined: none. TEC: `default` is not the same as the default view. */
function viewOfPath(path: string, { options }: Site): string | undefined {
  const [, rest] = new RegExp(`^/${escapeRegExp(options.calendar.eventsSlug)}/(.*?)/?$`).exec(path) ?? [];
  if (rest === undefined) return undefined;
  if (/^(?:(?:(?:category|tag)\/.+|featured)\/)?feed$|^(?:featured\/)?(?:rdf|rss2?|atom)$/.test(rest)) return 'list';
  if (/(?:^|\/)feed(?:\/\w+)?$/.test(rest)) return undefined;
  if (rest === '' || /^(?:category|tag)\//.test(rest)) return 'default';
  return (
    /^(?:list|month)/.exec(rest)?.[0] ?? (/^today|^\d{4}-\d\d-\d\d/.test(rest) ? 'day' : /^\d{4}-\d\d/.test(rest) ? 'month' : undefined)
  );
}

/** TEC: the parameters that name a view. */
const VIEW_PARAMETERS = ['view', 'tribe_view', 'tribe_event_display', 'eventDisplay'];

/** TEC: from a list of the calendar, only redirects to the same view are followed, and those that only add a slash. */
export function mayMoveFeed(to: string, { site, request: { path, query } }: Reading): boolean {
  const isEvents = isOfCalendar({ path }, site) || query.post_type === EVENT;
  if (!isEvents || `${site.url}${path}/` === to.replace(/\?.*/, '')) return true;
  const named = VIEW_PARAMETERS.map((name) => query[name]).find((value) => value !== undefined);
  const view = viewOfPath(path, site) ?? named ?? 'list';
  return (
    view === (query.eventDisplay ?? viewOfPath(new URL(to).pathname.slice(new URL(site.url).pathname.replace(/\/$/, '').length), site))
  );
}
