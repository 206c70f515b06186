import { isInSiteZone, pageSize } from '../model/options.js';
import { sanitizeTextField, escHtml } from '../../../wordpress/formatting/sanitize.js';
import { TAG, type Post, type Term, type User } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { LINKED, LINKED_TYPES, type LinkedKind, isTruthy, EVENT_FIELDS, readText, readFlag } from '../model/event.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { DateClause } from '../model/query.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import type { Site } from '../../../wordpress/site.js';
import { withDescendants } from '../../../wordpress/terms/terms.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Reading, NamedLink } from '../../../wordpress/views/reading.js';
import { conversionZone, toLocal, toUtc, isoWithOffset } from '../../../wordpress/timezones.js';
import { startColumn } from '../model/event-queries.js';
import { isDay, isMonth, isOfCalendar, type ListView } from './address.js';
import { lastOfMonth, realDate } from '../../../wordpress/days.js';
import { lookup } from '../../../base/values/records.js';
import { findLanguage } from '../../../base/locales/index.js';
import { linkedPosts } from '../model/linked.js';
import { eventUrl, isWithheld, zoneOf } from '../calendar-v1/event-present.js';
import { presentLinked } from '../calendar-v1/linked/resource.js';
import { imageOf, isWithheldFrom, type View } from '../calendar-v1/view.js';
import { costBounds, currencyOf } from '../model/cost.js';
import { costMeta, currencyDefaults, shownCost, shownTimes, zoneLabel } from '../model/event-dates.js';
import { termsOf, thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { Span } from '../../../wordpress/views/dates.js';
import { trusted, type Html } from '../../../wordpress/views/html.js';
import { excerptOf, EXCERPT_WORDS } from '../../../wordpress/formatting/content.js';
import { markedTitle, renderOptions, shownExcerpt } from '../../../wordpress/posts/rendered.js';
import { lineOf, pictureOf, titleOf, type Picture } from '../../../wordpress/views/texts.js';
import type { Venue } from '../../../sdk/types/responses.js';

/** TEC: the namespace whose data the plugin uses in its pages. */
const NAMESPACE = 'tribe/events/v1';

export type EventStatus = 'scheduled' | 'cancelled' | 'postponed';

export interface EventCard extends NamedLink {
  id: number;
  span: Span;
  /** ISO 8601 with offset. */
  startsAt: string;
  /** Abbreviation of the time zone, if it differs from the site's. */
  zone: string;
  /** Its title in full, with the tags in it, for attributes. */
  fullTitle: Html;
  /** The venue, unless its address is hidden or missing without one. */
  place: { name: Html; address: Html | null; shortAddress: Html | null } | null;
  cost: Html | null;
  picture: Picture | null;
  featured: boolean;
  status: EventStatus;
  isPast: boolean;
  /** Whether a password hides it. TEC: then its dates are written nowhere but in lists of days. */
  isHidden: boolean;
  /** Its excerpt, or the beginning of its description. */
  teaser: Html | null;
  /** The classes of its element (WP: `post_class`). */
  classNames: string;
}

export const viewFor = ({ site, reader }: Reading, related: Related, options: Partial<View> = {}): View => ({
  site,
  namespace: NAMESPACE,
  user: reader,
  password: null,
  editing: false,
  single: false,
  related,
  ...options,
});

/** The state or province of a venue, as it is written. */
export const regionOf = ({ stateprovince, province, state }: Venue): string | undefined => stateprovince ?? province ?? state;

const STATUS: Record<string, EventStatus> = lookup({ canceled: 'cancelled', postponed: 'postponed' });

/** Whether pages write dates and prices as the settings of the site say (TEC: in all languages), instead of as their readers do. */
export const isAsSet = ({ site: { options, quirks }, language }: Reading): boolean =>
  language === 'en' || (quirks.has('no-language-negotiation') && findLanguage(options.locale) === language);

/** The price as the API has it, or as the language of the reader writes it; words as they are stored. */
function costOf(post: Post, shown: string, reading: Reading): Html | null {
  if (isAsSet(reading)) return lineOf(shown);
  const { site, texts, dates } = reading;
  const meta = costMeta(post);
  const bounds = costBounds(meta.costs);
  const currency = currencyOf(meta, currencyDefaults(site));
  const amounts = bounds.filter((bound) => typeof bound === 'number');
  if (amounts.length === bounds.length && amounts.every((amount) => amount > 0))
    return amounts.length === 0 ? null : lineOf(dates.money(amounts, currency));
  const written = bounds.map((bound) => (typeof bound === 'string' ? bound : bound === 0 ? texts.free : dates.money([bound], currency)));
  return lineOf([...new Set(written)].join(' – '));
}

/** The venue of an event in a list. TEC: lists have the address without the zip; days have the street, and the city or else the region. */
function placeOf(venue: Post, view: View): EventCard['place'] {
  const shown = presentLinked('venue', venue, view, null);
  const joined = (parts: (string | undefined)[]): Html | null => {
    const filled = parts.filter((part) => part !== undefined && part !== '');
    return filled.length === 0 ? null : lineOf(filled.join(', '));
  };
  const { address, city, country } = shown;
  const region = regionOf(shown);
  return { name: titleOf(venue), address: joined([address, city, region, country]), shortAddress: joined([address, city ?? region]) };
}

const isOver = (end: string, { site }: Reading): boolean => end !== '' && site.isOver(end);

/** WP: the id, type and status of a post, and its terms. TEC: also the categories by another name. @param isHidden whether a password hides it */
function classesOf(post: Post, related: Related, isHidden: boolean): string {
  const slugs = (taxonomy: string): string[] =>
    isHidden ? [] : termsOf(post, taxonomy, related).map(({ slug, _id }) => (slug.includes('%') ? String(_id) : slug));
  return [
    `post-${post._id}`,
    post.type,
    `type-${post.type}`,
    `status-${post.status}`,
    ...(post.password === '' ? [] : [isHidden ? 'post-password-required' : 'post-password-protected']),
    ...(!isHidden && thumbnail(post, related) ? ['has-post-thumbnail'] : []),
    'hentry',
    ...slugs(TAG).map((slug) => `tag-${slug}`),
    ...slugs(EVENT_CATEGORY).flatMap((slug) => [`${EVENT_CATEGORY}-${slug}`, `cat_${slug}`]),
  ].join(' ');
}

/** Makes a value at the first call, and keeps it. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Creates the card of an event. What only some lists show is computed when it is read. */
export function eventCard(post: Post, related: Related, reading: Reading, view = viewFor(reading, related)): EventCard {
  const { site, reader } = reading;
  const { start, end } = shownTimes(post, site);
  const own = zoneOf(post, site);
  const timezone = isInSiteZone(site.options) ? site.options.timezone : own.timezone;
  const label = zoneLabel(post, site);
  const venue = linkedPosts(post, 'venue', related).find((each) => canRead(reader, each, site.registry));
  const isHidden = isWithheldFrom(post, view);
  const place = once(() => (venue && !isHidden ? placeOf(venue, view) : null));
  const isOpen = !isWithheld(post, view);
  const cost = once(() => {
    const shown = isOpen ? shownCost(post, view).cost : '';
    return shown === '' ? null : costOf(post, shown, reading);
  });
  const classNames = once(() => classesOf(post, related, isHidden));
  return {
    id: post._id,
    title: lineOf(markedTitle(post)),
    fullTitle: trusted(escHtml(markedTitle(post))),
    url: eventUrl(post, view),
    span: { start, end, allDay: readFlag(post, EVENT_FIELDS.all_day), zone: label },
    startsAt: isoWithOffset(site.zones, start, timezone),
    zone: timezone === site.options.timezone || label !== undefined ? '' : own.timezone_abbr,
    get place() {
      return place();
    },
    get cost() {
      return cost();
    },
    picture: pictureOf(isOpen && imageOf(post, view), thumbnail(post, related), view.single ? 'large' : 'full'),
    isHidden,
    // TEC: a password does not hide it.
    featured: readFlag(post, EVENT_FIELDS.featured),
    status: STATUS[readText(post, EVENT_FIELDS.event_status)] ?? 'scheduled',
    isPast: isOver(end, reading),
    get classNames() {
      return classNames();
    },
    get teaser() {
      const text = isHidden
        ? ''
        : shownExcerpt(post, view) || excerptOf(post.content, EXCERPT_WORDS, renderOptions({ site, related }, post));
      return text === '' ? null : lineOf(text);
    },
  };
}

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
