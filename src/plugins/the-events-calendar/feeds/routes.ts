import { feedEntries, feedEntry, feedFileName, feedText, type FeedEntry } from './feed.js';
import { stateOf } from './feed-event.js';
import { isTruthy } from '../model/field.js';
import { linkedPosts } from '../model/linked.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../../wordpress/rest/request.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { DateClause } from '../model/query.js';
import { addQueryArgs } from '../../../wordpress/posts/links.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { readPageAddress } from '../../../wordpress/views/address.js';
import { englishWord } from '../model/address-words.js';
import { usualView } from '../views/address.js';
import type { Shown, OtherForm, Reading } from '../../../wordpress/views/reading.js';
import { eventListOf, readCalendarQuery } from '../views/find.js';
import { dateClause, hasViews, listingQuery, listedPerPage, readListing, type Listing } from '../views/listing.js';

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

/** The events of a calendar, and whether its list has further ones. */
interface Part {
  entries: FeedEntry[];
  hasMore: boolean;
}

const positive = (value: unknown): number | null => (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null);

/** The number of a part that is requested by itself, apart from the page of the list. */
const partOf = ({ query }: PageRequest): number => positive(query.paged) ?? 1;

/** The part of a list that a calendar contains, since the cost of a request must not grow with the site. */
async function entriesOf(site: Site, listing: Listing, request: PageRequest): Promise<Part> {
  const isCut = site.quirks.has('ical-lists-stop-at-thirty');
  const size = isCut ? SIZE.plugin : Math.min(positive(request.query.per_page) ?? SIZE.usual, SIZE.most);
  // TEC: a page of the list starts at the same event as on the site, but is longer.
  const offset = isCut ? (listing.page - 1) * listedPerPage(site) : (partOf(request) - 1) * size;
  const query = await listingQuery(listing, site);
  const page = { limit: size + 1, offset, backwards: listing.past };
  const entries = await feedEntries(site, { ...query, dates: datesIn(listing, query, site), ...page });
  return { entries: entries.slice(0, size), hasMore: !isCut && entries.length > size };
}

/** The URL of the next part of a calendar. */
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
