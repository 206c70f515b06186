import { feedEntries, feedEntry, feedFileName, feedText, type FeedEntry } from './feed.js';
import { stateOf } from './feed-event.js';
import { isTruthy } from '../tec/flags.js';
import { linkedPosts } from '../tec/linked.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../rest/page.js';
import { canRead } from '../wp/users/capabilities.js';
import type { Post, User } from '../wp/model.js';
import { EVENT } from '../tec/index.js';
import type { PostQuery } from '../wp/query/post-query.js';
import type { DateClause } from '../tec/query.js';
import { listPosts } from '../wp/posts.js';
import { loadRelated } from '../wp/related.js';
import type { Site } from '../wp/site.js';
import { readAddress } from '../views/address.js';
import type { Found } from '../views/find.js';
import { hasViews, listingQuery, perPage, readListing, type Listing } from '../views/listing.js';

/** The request for an iCalendar file, and its form. */
export interface FeedWish {
  /** Path of the page whose events it is to hold. */
  path: string;
  /** Whether it was requested with a value that has a meaning. TEC: only then there are headers for search engines. */
  told: boolean;
  /** TEC: an event is exported alone only for this very value. */
  isOne: boolean;
  forOutlook: boolean;
}

/** The path before a last part that requests the calendar of what is before it, and is not a slug; null if there is none. */
function pathBeforeIcal(path: string, site: Site): string | null {
  const parts = path.split('/').filter((part) => part !== '');
  const { eventsSlug, singleEventSlug } = site.options.calendar;
  const [first, second] = parts;
  const isEvent = first === singleEventSlug && parts.length === 3;
  const isTerm = second === 'category' || second === 'tag';
  const isList = first === eventsSlug && parts.length >= (isTerm ? 4 : 2);
  return parts.at(-1) === 'ical' && (isEvent || isList) ? `/${parts.slice(0, -1).join('/')}/` : null;
}

/**
 * The wish of a request for a calendar (`?ical=1`, `?outlook-ical=1`, `…/ical/`), or null when it has none.
 * TEC: the presence of a parameter is enough, with any value.
 * @param path of the request, decoded
 */
export function readWish(site: Site, { query }: PageRequest, path: string): FeedWish | null {
  const before = pathBeforeIcal(path, site);
  const sent = ['ical', 'outlook-ical'].filter((name) => query[name] !== undefined);
  const isSet = (name: string): boolean => typeof query[name] !== 'string' || !['', '0'].includes(query[name]);
  const told = sent.some(isSet);
  const isFlagged = sent.some((name) => query[name] === '' || isTruthy(query[name]));
  const isWanted = before !== null || (site.quirks.has('ical-of-anything-is-a-list') ? sent.length > 0 : isFlagged);
  const forOutlook = query['outlook-ical'] !== undefined;
  return isWanted ? { path: before ?? path, told, isOne: query.ical === '1', forOutlook } : null;
}

/** What a calendar holds, and where that comes from. */
interface Chosen {
  entries: FeedEntry[];
  /** TEC: what the page is about, in whose place events without a venue are. */
  current: Post | null;
}

/** The newest event of a page of a list. WP: the post that a page without a post is about. */
async function newest(site: Site, listing: Listing): Promise<Post | null> {
  const size = perPage(site);
  const query = { ...(await listingQuery({ ...listing, search: '' }, site)), dates: [], listed: false };
  return (await listPosts(site.store, { ...query, sort: 'newest', limit: 1, offset: (listing.page - 1) * size })).at(0) ?? null;
}

type Shown = Exclude<Found, { kind: 'elsewhere' }> | null;

const GENERAL = { view: { kind: 'list' }, page: 1 } as const;

/** The list whose events a calendar holds that is not that of one event. TEC: venues and organizers have no separate calendar. */
function listingOf(site: Site, { query }: PageRequest, found: Shown): Listing {
  const isGeneral = found?.kind !== 'list' || (!hasViews(found.scope) && site.quirks.has('ical-of-venues-is-general'));
  return isGeneral ? readListing({ kind: 'all' }, GENERAL, query) : readListing(found.scope, found, query);
}

/** The dates of a calendar. TEC: that of the current month, where no month is named, leaves out what is over. */
function datesIn(listing: Listing, { dates = [] }: Pick<PostQuery, 'dates'>, site: Site): DateClause[] {
  if (listing.view !== 'month' || listing.from !== null) return dates;
  return [...dates.filter(({ column }) => column !== 'end'), { column: 'end', operator: '$gte', value: site.nowLocal }];
}

const PER_PAGE = 30;
const ALL = 2 ** 31 - 1;

/** The entries of a list. TEC: thirty on a page of it. */
async function entriesOf(site: Site, listing: Listing): Promise<FeedEntry[]> {
  const isCut = site.quirks.has('ical-lists-stop-at-thirty');
  // TEC: a page of the list starts where the page on the site starts, and holds more.
  const page = isCut ? { limit: PER_PAGE, offset: (listing.page - 1) * perPage(site) } : { limit: ALL, offset: 0 };
  const query = await listingQuery(listing, site);
  return feedEntries(site, { ...query, dates: datesIn(listing, query, site), ...page, backwards: listing.past });
}

async function choose(site: Site, request: PageRequest, found: Shown, wish: FeedWish): Promise<Chosen | null> {
  const isList = site.quirks.has('ical-of-anything-is-a-list');
  const post = found?.kind === 'post' ? found.post : null;
  if (post?.type === EVENT && (wish.isOne || !isList)) return { entries: [feedEntry(post, site)], current: null };
  // What has no events: posts, pages, what is not there. TEC: of that only unknown terms have none.
  if (isList ? !found && readAddress(wish.path, site).kind === 'list' : post || !found) return null;
  const listing = listingOf(site, request, found);
  const borrows = found?.kind === 'list' && hasViews(found.scope) && site.quirks.has('ical-borrows-states');
  return { entries: await entriesOf(site, listing), current: post ?? (borrows ? await newest(site, listing) : null) };
}

async function stateAt(site: Site, current: Post | null, reader: User | null): Promise<string> {
  if (current?.type !== EVENT || !site.quirks.has('ical-borrows-states')) return '';
  const [venue] = linkedPosts(current, 'venue', await loadRelated(site.store, [current]));
  return venue && (canRead(reader, venue) || site.quirks.has('linked-posts-ignore-status')) ? stateOf(venue) : '';
}

const ROBOTS = { 'X-Robots-Tag': 'noindex, nofollow' };

/** The headers for search engines of everything that is requested as a calendar. */
export const robots = (site: Site, { told }: FeedWish): Record<string, string> =>
  told || !site.quirks.has('ical-of-anything-is-a-list') ? ROBOTS : {};

/**
 * The calendar of an address, by what the address shows (null: nothing). Null when it has none and the page is sent instead.
 * @param reader whose session it is; null for everybody
 */
export async function serveFeed(
  site: Site,
  request: PageRequest,
  found: Shown,
  wish: FeedWish,
  reader: User | null,
): Promise<PageResponse | null> {
  const chosen = await choose(site, request, found, wish);
  if (!chosen || (chosen.entries.length === 0 && site.quirks.has('ical-of-nothing-is-a-page'))) return null;
  const { entries, current } = chosen;
  const borrowedState = await stateAt(site, current, reader);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Content-Disposition': `attachment; filename="${feedFileName(site, entries, wish.forOutlook ? 'outlook' : 'ical')}"`,
      'X-Content-Type-Options': 'nosniff',
      ...robots(site, wish),
      // TEC: the headers of the page in whose place the calendar is sent: of one that is missing, or that a password protects.
      ...(!found || (found.kind === 'post' && found.post.password !== '') ? NO_CACHE : {}),
    },
    body: await feedText(site, entries, { reader, named: !wish.forOutlook, borrowedState }),
  };
}

/** The page that is sent where there is no calendar. TEC: it says nothing of the API. */
export function inPlaceOfFeed(site: Site, page: PageResponse, wish: FeedWish): PageResponse {
  const isOfApi = (name: string): boolean => name === 'Link' || name.startsWith('X-TEC-');
  const kept = Object.entries(page.headers).filter(([name]) => !isOfApi(name) || !site.quirks.has('ical-of-nothing-is-a-page'));
  return { ...page, headers: { ...Object.fromEntries(kept), ...robots(site, wish) } };
}
