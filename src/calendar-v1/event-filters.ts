import { filterBoolean } from '../php/cast.js';
import { MOST_PER_PAGE, listUrl } from './collection.js';
import { defaultWindow, filterValue, type DateFilter } from '../tec/dates.js';
import { coordinate, eventId, listOf, positiveIntList, postIds, strictFlag, termList, ticketed, time } from './validators.js';
import { pagingArgs, searchArg, statusArg } from './list-args.js';
import { canEdit, canRead, canWithPosts } from '../wp/users/capabilities.js';
import { ANY_STATUS, TAG, type Post } from '../wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../tec/index.js';
import { findPost, findPosts } from '../wp/posts.js';
import { parseSearch } from '../wp/query/search.js';
import { resolveTerms, withDescendants } from '../wp/terms.js';
import { siteToUtc } from '../wp/timezones.js';
import { venuesAround } from '../tec/linked-queries.js';
import type { ListPlan } from './resource.js';
import type { PostQuery } from '../wp/query/post-query.js';
import type { DateClause } from '../tec/query.js';
import type { ArgsOf } from './contract.js';
import type { EventFilters } from '../params.js';
import type { CallContext, Json } from '../rest/route.js';
import type { RestRequest } from '../rest/request.js';
import type { Site } from '../wp/site.js';
import type { QueryValue } from '../php/query-string.js';

const ids = { items: { type: 'integer' } } as const;
const csv = { type: 'array', items: { type: 'integer' }, style: 'form' } as const;
const text = { type: 'string' } as const;

const dateArg = (description: string) => ({ description, validate: time, doc: text });

/** Parameters of the event list, in the order of the wire. */
export const EVENT_FILTERS: ArgsOf<EventFilters> = {
  ...pagingArgs('events'),
  start_date: {
    ...dateArg('Events that start on this day or later.'),
    default: (site) => defaultWindow(site.clock.seconds(), site.options.timezone).start,
  },
  end_date: {
    ...dateArg('Events that end on this day or earlier.'),
    default: (site) => defaultWindow(site.clock.seconds(), site.options.timezone).end,
  },
  starts_before: dateArg('Events that start before this date.'),
  starts_after: dateArg('Events that start after this date.'),
  ends_before: dateArg('Events that end before this date.'),
  ends_after: dateArg('Events that end after this date.'),
  strict_dates: {
    default: 'false',
    description: 'Whether dates count to the second; otherwise they stand for whole days.',
    validate: strictFlag,
    doc: text,
  },
  search: searchArg('title, excerpt and description'),
  categories: {
    ...ids,
    description: 'Events in any of these categories or below them, by id or slug.',
    validate: termList(EVENT_CATEGORY),
    doc: csv,
  },
  tags: { ...ids, description: 'Events with any of these tags, by id or slug.', validate: termList(TAG), doc: csv },
  venue: { ...ids, description: 'Events at any of these venues, by id.', validate: postIds(VENUE), doc: csv },
  organizer: { ...ids, description: 'Events of any of these organizers, by id.', validate: postIds(ORGANIZER), doc: csv },
  featured: { type: 'boolean', description: 'Only featured events, or only those that are not.' },
  status: statusArg('events'),
  geoloc: { type: 'boolean', description: 'Only events whose venue has coordinates; needs the pro extension.' },
  geoloc_lat: {
    format: 'double',
    validate: coordinate('geoloc_lng', 90),
    description: 'Latitude to look around; goes with `geoloc_lng`.',
    doc: { type: 'number' },
  },
  geoloc_lng: {
    format: 'double',
    validate: coordinate('geoloc_lat', 180),
    description: 'Longitude to look around; goes with `geoloc_lat`.',
    doc: { type: 'number' },
  },
  include: { ...ids, description: 'Only these events, by id.', validate: positiveIntList, doc: csv },
  post_parent: { type: 'integer', description: 'Only events below this one.', validate: eventId },
  ticketed: { type: 'boolean', description: 'Only events with tickets, or only those without.', validate: ticketed },
};

const BOUNDS: Record<DateFilter, Pick<DateClause, 'operator'> & { edge: 'start' | 'end' }> = {
  start_date: { edge: 'start', operator: '$gte' },
  end_date: { edge: 'end', operator: '$lte' },
  starts_before: { edge: 'start', operator: '$lt' },
  starts_after: { edge: 'start', operator: '$gt' },
  ends_before: { edge: 'end', operator: '$lt' },
  ends_after: { edge: 'end', operator: '$gt' },
};

const EXTRA_DATES = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;

/** The values that the date parameters come to, site time, `YYYY-MM-DD HH:MM:SS`. */
export type DateValues = Partial<Record<DateFilter, string>>;

function effectiveDates({ request, site }: CallContext): DateValues {
  const { options, clock, quirks } = site;
  const context = {
    now: clock.seconds(),
    siteZone: options.timezone,
    cutoff: options.calendar.multiDayCutoff,
    // TEC: the words of the other flags, such as `y`, do not make dates strict.
    strict: filterBoolean(request.get('strict_dates')) === true,
  };
  const values: DateValues = {};
  for (const name of EXTRA_DATES) {
    const given = request.get(name);
    if (given !== undefined) values[name] = filterValue(name, given, context);
  }
  if (request.isGiven('include')) {
    // TEC: the caller's window is ignored, the default one stays, to the second.
    const { start, end } = defaultWindow(context.now, context.siteZone);
    return quirks.has('include-keeps-default-window') ? { start_date: start, end_date: end, ...values } : {};
  }
  const hasExtra = Object.keys(values).length > 0;
  for (const name of ['start_date', 'end_date'] as const) {
    // TEC: next to the other date parameters only a query string still sets the window.
    if (!hasExtra || request.inQuery(name)) values[name] = filterValue(name, request.get(name), context);
  }
  return values;
}

/** TEC: next to its stricter sibling a date is shown in the address of the list, but not looked at. */
const OVERRIDDEN: Partial<Record<DateFilter, DateFilter>> = { start_date: 'starts_after', end_date: 'ends_before' };

function withoutOverridden(values: DateValues, { quirks }: Site): DateValues {
  const overridden = (name: DateFilter): boolean =>
    quirks.has('sibling-dates-override') && OVERRIDDEN[name] !== undefined && values[OVERRIDDEN[name]] !== undefined;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !overridden(name as DateFilter)));
}

/** TEC: wall-clock times are compared; UTC ones in the site's zone mode, and on sites whose zone is UTC. */
export function dateClauses(values: DateValues, { options }: Site): DateClause[] {
  const bySite = options.calendar.tribe_events_timezone_mode === 'site';
  const utc = bySite || options.timezone === 'UTC';
  return (Object.keys(values) as DateFilter[]).map((name) => {
    const { edge, operator } = BOUNDS[name];
    const value = values[name] ?? '';
    return { column: utc ? `${edge}Utc` : edge, operator, value: bySite ? siteToUtc(value, options.timezone) : value };
  });
}

interface Terms {
  taxonomy: string;
  ids: number[];
}

/** TEC: a value is a slug first, then an id; one that is only a name finds nothing. Categories take in what is below them. */
async function termClause(name: 'categories' | 'tags', { request, site }: CallContext): Promise<Terms[]> {
  const value = request.get(name);
  if (value === undefined) return [];
  const taxonomy = name === 'categories' ? EVENT_CATEGORY : TAG;
  const all = listOf(value).map(String);
  const wanted = name === 'tags' && site.quirks.has('only-first-tag-counts') ? all.slice(0, 1) : all;
  const resolved = await resolveTerms(site.store, taxonomy, wanted);
  const found = resolved
    .map(({ bySlug, byId, byName }) => (bySlug ?? byId ?? (site.quirks.has('term-names-find-nothing') ? undefined : byName))?._id)
    .filter((id) => id !== undefined);
  return [{ taxonomy, ids: name === 'categories' ? await withDescendants(site.store, taxonomy, found) : found }];
}

const numbers = (value: Json): number[] => [...new Set(listOf(value).map(Number))];

/** TEC: a venue or organizer in the trash finds nothing, any other whatever its status. */
export async function linkedClause(name: 'venue' | 'organizer', { request, site }: CallContext): Promise<number[] | undefined> {
  const value = request.get(name);
  if (value === undefined) return undefined;
  const type = name === 'venue' ? VENUE : ORGANIZER;
  const found = await findPosts(site.store, numbers(value));
  return found.filter((post) => post.type === type && post.status !== 'trash').map(({ _id }) => _id);
}

/** Ids of the venues in the area asked for: all with coordinates, or those around a point. Undefined when no area is asked for. */
async function venuesNearby({ request, site }: CallContext): Promise<number[] | undefined> {
  if (site.quirks.has('geoloc-is-ignored')) return undefined;
  const [lat, lng] = [request.get('geoloc_lat'), request.get('geoloc_lng')];
  if (lat !== undefined && lng !== undefined) return venuesAround(site.store, Number(lat), Number(lng), site.geoRadius);
  return request.get('geoloc') === true ? venuesAround(site.store) : undefined;
}

const intersect = (a: number[] | undefined, b: number[] | undefined): number[] | undefined =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);

/** The caller whose own items alone are shown besides what is published; undefined where everything asked for may be read. */
export function readerOf({ request, site }: CallContext): number | undefined {
  if (site.quirks.has('lists-show-what-one-may-not-read') || canWithPosts(request.user, 'read_private')) return undefined;
  return request.user?._id;
}

/** The event whose venues, organizers or terms are asked for; null when there is none that the caller may see into. */
export async function askedEvent({ request: { user }, site }: CallContext, id: number): Promise<Post | null> {
  const event = await findPost(site.store, id);
  if (!event || site.quirks.has('lists-follow-unreadable-events')) return event;
  const isOpen = event.password === '' || canEdit(user, event);
  return isOpen && canRead(user, event) ? event : null;
}

const csvOf = (value: Json | undefined): string | undefined => (value === undefined ? undefined : listOf(value).map(String).join(','));

/** Statuses that a list shows, and how its address names them. TEC: those who may edit see everything but the trash. */
export function listStatuses(request: RestRequest): { statuses: readonly string[]; shown: string } {
  const given = request.get('status');
  const named = (status: string): readonly string[] => (status === 'any' ? ANY_STATUS : [status]);
  if (given !== undefined) return { statuses: [...new Set(listOf(given).map(String).flatMap(named))], shown: csvOf(given) ?? '' };
  return canWithPosts(request.user, 'edit') ? { statuses: ANY_STATUS, shown: 'any' } : { statuses: ['publish'], shown: 'publish' };
}

const booleanOf = (value: Json | undefined): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function restUrl(context: CallContext, dates: DateValues, paging: Paging, status: string): string {
  const { request, site } = context;
  const { start_date, end_date, ...extra } = dates;
  const scalar = (name: string): QueryValue => request.get(name);
  const geoloc = request.get('geoloc') === true;
  const main: Record<string, QueryValue> = {
    page: paging.page,
    per_page: paging.perPage,
    start_date,
    end_date,
    search: scalar('search'),
    ...(geoloc ? { geoloc: true, geoloc_lat: scalar('geoloc_lat') ?? '', geoloc_lng: scalar('geoloc_lng') ?? '' } : {}),
    status,
    post_parent: scalar('post_parent'),
    include: csvOf(request.get('include')),
    starts_before: extra.starts_before,
    starts_after: extra.starts_after,
    ends_before: extra.ends_before,
    ends_after: extra.ends_after,
    ticketed: scalar('ticketed'),
  };
  // TEC: these three are added in a second step, which encodes what the first one left as it was.
  const forgotten = site.quirks.has('next-pages-forget-filters') ? [] : ['categories', 'tags', 'strict_dates'];
  const later = ['venue', 'organizer', 'featured', ...forgotten].filter((name) => request.isGiven(name));
  const second = Object.fromEntries(later.map((name) => [name, name === 'featured' ? scalar(name) : csvOf(request.get(name))]));
  return listUrl(site.restUrl(`/${request.namespace}/events/`), main, second);
}

export interface Paging {
  page: number;
  perPage: number;
  limit: number;
  offset: number;
}

/** A number that was checked to be positive. PHP: one beyond its integers has wrapped around since; it stands for more than there is. */
const counted = (value: Json | undefined): number => (Number(value) > 0 ? Number(value) : Number.MAX_SAFE_INTEGER);

/** The page that is asked for, cut to what one may hold. */
export function pagingOf(request: RestRequest): Paging {
  const page = counted(request.get('page'));
  const perPage = Math.min(counted(request.get('per_page')), MOST_PER_PAGE);
  return { page, perPage, limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

/** From the parameters of a list request to its query: plain data, nothing is asked of the database but what names stand for. */
export async function planEvents(context: CallContext): Promise<ListPlan> {
  const { request, site } = context;
  const paging = pagingOf(request);
  const dates = effectiveDates(context);
  const { statuses, shown } = listStatuses(request);
  const [categories, tags, venues, organizers, nearby] = await Promise.all([
    termClause('categories', context),
    termClause('tags', context),
    linkedClause('venue', context),
    linkedClause('organizer', context),
    venuesNearby(context),
  ]);
  const search = request.get('search');
  const include = request.get('include');
  const parent = request.get('post_parent');
  const query: PostQuery = {
    type: EVENT,
    listed: true,
    statuses,
    dates: dateClauses(withoutOverridden(dates, site), site),
    terms: [...categories, ...tags],
    venues: intersect(venues, nearby),
    organizers,
    featured: booleanOf(request.get('featured')),
    parent: parent === undefined ? undefined : Number(parent),
    ids: include === undefined ? undefined : numbers(include),
    ticketed: site.quirks.has('ticketed-needs-plugin') ? undefined : booleanOf(request.get('ticketed')),
    readableBy: readerOf(context),
    search: typeof search === 'string' ? parseSearch(search) : undefined,
    withoutPassword: (search !== undefined && request.user === null) || undefined,
    sort: site.options.calendar.tribe_events_timezone_mode === 'site' ? 'startUtc' : 'start',
    limit: paging.limit,
    offset: paging.offset,
  };
  return { query, page: paging.page, perPage: paging.perPage, restUrl: restUrl(context, dates, paging, shown) };
}
