import { isInSiteZone, pageSize } from '../model/options.js';
import { sanitizeTextField } from '../../../wordpress/formatting/sanitize.js';
import { TAG, type Post, type Term, type User } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { LINKED, LINKED_TYPES, type LinkedKind, isTruthy } from '../model/event.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { DateClause } from '../model/query.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import type { Site } from '../../../wordpress/site.js';
import { withDescendants } from '../../../wordpress/terms/terms.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { conversionZone, toLocal, toUtc } from '../../../wordpress/timezones.js';
import { startColumn } from '../model/event-queries.js';
import { isDay, isMonth, isOfCalendar, type ListView } from './address.js';
import { lastOfMonth, realDate } from '../../../wordpress/days.js';

/** The scope of a list: all events, featured events, or the events of a term, a venue or organizer, or an author. */
export type Scope =
  | { kind: 'all' }
  | { kind: 'featured' }
  /** Events of any of the terms. */
  | { kind: 'term'; term: Term; also?: readonly Term[]; isFeatured?: true }
  | { kind: 'linked'; linked: LinkedKind; post: Post }
  | { kind: 'author'; author: User };

/** A list of events, from its path and query parameters. */
export interface Listing {
  scope: Scope;
  view: ListView['kind'];
  /** `YYYY-MM-DD`: the first day of the month, the day, or the first day of a list. Null: now. */
  from: string | null;
  /** Lists: past events, the latest first, instead of upcoming ones. */
  past: boolean;
  /** Search text. */
  search: string;
  page: number;
  /** The view that its title is about, if that is another one. */
  titledAs?: ListView['kind'];
}

/** The id of a term that does not exist: no event has it. */
export const NO_TERM = -1;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const VIEWS: readonly string[] = ['list', 'month', 'day'] satisfies ListView['kind'][];

export const isView = (name: string): name is ListView['kind'] => VIEWS.includes(name);

/** Parses a day, or a month as its first day; null if invalid. */
const dayOf = (given: string): string | null => (isDay(given) ? realDate(given) : isMonth(given) ? `${given}-01` : null);

const number = (value: unknown): number | null => (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null);

/**
 * Parses a list from its path and query parameters. TEC: `eventDisplay` is a view or `past`, as is `tribe_event_display`; `eventDate` and
 * `tribe-bar-date` are a day, `tribe-bar-search` is a search; WP: `s`, `paged` and `page`. WP: the query overrides the path.
 */
export function readListing(scope: Scope, address: { view: ListView; page: number }, query: Params): Listing {
  const displays = [text(query.eventDisplay), text(query['tribe_event_display'])];
  const { view: named } = address;
  const view = displays.find(isView) ?? named.kind;
  const inAddress = named.kind === 'month' ? named.month : named.kind === 'day' ? named.day : undefined;
  return {
    scope: scope.kind === 'all' && isTruthy(query['featured']) ? { kind: 'featured' } : scope,
    view,
    from: dayOf(text(query['eventDate'])) ?? dayOf(text(query['tribe-bar-date'])) ?? dayOf(inAddress ?? ''),
    past: view === 'list' && displays.includes('past'),
    search: sanitizeTextField(text(query['tribe-bar-search']) || text(query.s)).slice(0, 200),
    page: address.page === 1 ? (number(query['tribe_paged']) ?? number(query.paged) ?? number(query['page']) ?? 1) : address.page,
  };
}

/** The first and last day of a month or day view. */
export function listedDays({ view, from }: Listing, site: Site): [first: string, last: string] {
  const day = from ?? site.today;
  const first = `${day.slice(0, 7)}-01`;
  return view === 'month' ? [first, lastOfMonth(first)] : [day, day];
}

/**
 * A condition on an end of events. TEC: their local times are compared with site time; UTC with UTC in the site's zone mode and, except for
 * feeds, on sites whose zone is UTC.
 * @param wall site time; null is now
 */
export function dateClause(
  edge: 'start' | 'end',
  operator: DateClause['operator'],
  wall: string | null,
  site: Site,
  isFeed = false,
): DateClause {
  const { zones, nowUtc, options } = site;
  const { timezone } = options;
  const isUtc = isInSiteZone(options) || (!isFeed && conversionZone(zones, timezone).name === 'UTC');
  if (isUtc) return { column: `${edge}Utc`, operator, value: wall === null ? nowUtc : toUtc(zones, wall, timezone) };
  return { column: edge, operator, value: wall ?? toLocal(zones, nowUtc, timezone) };
}

function datesOf(listing: Listing, site: Site, isFeed: boolean): DateClause[] {
  const { view, from, past } = listing;
  if (view === 'list') return [dateClause('end', past ? '$lt' : '$gte', from === null ? null : `${from} 00:00:00`, site, isFeed)];
  const [first, last] = listedDays(listing, site);
  return [dateClause('end', '$gte', `${first} 00:00:00`, site), dateClause('start', '$lte', `${last} 23:59:59`, site)];
}

/** The id of a term in a list. TEC: a slug of digits is taken for an id, except in feeds. */
const idOf = ({ _id, slug }: Term, { quirks }: Site, isFeed: boolean): number =>
  /^\d{1,15}$/.test(slug) && !isFeed && quirks.has('lists-take-slugs-for-ids') ? Number(slug) : _id;

async function scopeOf(scope: Scope, site: Site, isFeed: boolean): Promise<Partial<PostQuery>> {
  switch (scope.kind) {
    case 'all':
      return {};
    case 'featured':
      return { featured: true };
    case 'term': {
      const { term, also = [], isFeatured } = scope;
      const own = [term, ...also].map((each) => idOf(each, site, isFeed));
      const ids = term.taxonomy === TAG ? own : await withDescendants(site.store, term.taxonomy, own);
      return { terms: [{ taxonomy: term.taxonomy, ids }], ...(isFeatured ? { featured: true } : {}) };
    }
    case 'linked':
      return Object.fromEntries(
        Object.values(LINKED)
          .filter(({ type }) => type === scope.post.type)
          .map(({ column }) => [column, [scope.post._id]]),
      );
    case 'author':
      return { authors: [scope.author._id] };
  }
}

/** The query of a list, without its page. @param isFeed for RSS */
export async function listingQuery(listing: Listing, site: Site, isFeed = false): Promise<Omit<PostQuery, 'limit' | 'offset'>> {
  return {
    type: EVENT,
    statuses: ['publish'],
    listed: true,
    dates: datesOf(listing, site, isFeed),
    ...(await scopeOf(listing.scope, site, isFeed)),
    ...(!isSearched(listing.search) ? {} : { search: parseSearch(listing.search), withoutPassword: true }),
    sort: startColumn(site),
  };
}

/** Maximum number of events that a page of a list counts. TEC: unlimited. */
const MAX_OF_LIST = 500;

/** Maximum number of events that a page of a list or of a day shows. TEC: unlimited. */
const MAX_SHOWN = { list: 100, day: 50 };

/** Page size of lists, as feeds count. */
export const listedPerPage = ({ options }: Site): number => Math.min(pageSize(options), MAX_OF_LIST);

/** One page of a list. */
export interface Listed {
  events: Post[];
  total: number;
  pages: number;
}

export async function listEvents(
  listing: Listing,
  site: Site,
  size = listing.view === 'list' ? Math.min(listedPerPage(site), MAX_SHOWN.list) : MAX_SHOWN.day,
): Promise<Listed> {
  const query = { ...(await listingQuery(listing, site)), limit: size, offset: (listing.page - 1) * size };
  const total = await countPosts(site.store, query);
  const pages = Math.max(1, Math.ceil(total / size));
  if (!listing.past) return { events: await listPosts(site.store, query), total, pages };
  // The order by start is ascending: count from the end for the latest events.
  const end = total - query.offset;
  const backwards = { ...query, offset: Math.max(0, end - size), limit: Math.min(size, end) };
  return { events: end > 0 ? (await listPosts(site.store, backwards)).toReversed() : [], total, pages };
}

/** Whether a post is a venue or organizer. */
export const isLinked = ({ type }: Post): boolean => LINKED_TYPES.includes(type);

/** Whether a scope has month and day views and an RSS feed. TEC: the calendar, featured events and terms. */
export const hasViews = ({ kind }: Scope): boolean => kind === 'all' || kind === 'featured' || kind === 'term';

/**
 * Whether a list is a page of the plugin. TEC: lists at the addresses of tags, authors and searches of the site are pages of WordPress, with
 * their title, and without JSON-LD.
 */
export const isOfPlugin = (kind: Scope['kind'], { request, site }: Pick<Reading, 'request' | 'site'>): boolean =>
  kind !== 'author' && request.query.s === undefined && (kind !== 'term' || isOfCalendar(request, site) || EVENT_CATEGORY in request.query);
