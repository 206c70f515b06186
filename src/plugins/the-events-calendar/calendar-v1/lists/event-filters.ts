import { asSent, filters, listAddress, clausesOf, withClause, type EchoOrder, type ListCallContext } from './list-args.js';
import { pagingFilters, searchArg, statusArg, listPaging, shownStatuses } from './list-args.js';
import { coordinate, event, filterDate, positiveIntList, strictFlag, termList, ticketed, type ArgsOf } from '../validators.js';
import { listOf, postList } from '../../../../wordpress/rest/checks.js';
import { intText, filterBoolean } from '../../../../base/php/cast.js';
import { TAG } from '../../../../wordpress/model.js';
import { EVENT_CATEGORY, EVENT } from '../../model/index.js';
import { isSearched, parseSearch } from '../../../../wordpress/query/search.js';
import { withDescendants, type ResolvedTerm } from '../../../../wordpress/terms/terms.js';
import { defaultWindow, filterValue, type DateFilter } from '../../model/dates.js';
import { dateClauses, readerOf, startColumn, type DateValues } from '../../model/event-queries.js';
import { LINKED, LINKED_KINDS, eachKind, type LinkedKind } from '../../model/event.js';
import { venuesAround } from '../../model/linked-queries.js';
import type { PostQuery } from '../../../../wordpress/query/post-query.js';
import type { CallContext } from '../../../../wordpress/rest/route.js';
import type { EventFilters } from '../../../../sdk/types/params.js';
import type { Json } from '../../../../wordpress/rest/request.js';
import type { QueryValue } from '../../../../base/php/query-string.js';
import type { Site } from '../../../../wordpress/site.js';
import type { ListPlan } from '../resource.js';
import { withParams, type EndpointCall } from '../../../../wordpress/rest/params.js';
import type { Clock } from '../../../../wordpress/clock.js';

declare module '../../../../wordpress/types/hooks.js' {
  interface Hooks {
    /** The condition of events with tickets, or of those without (TEC: the filter `ticketed` needs a plugin). */
    ticketedEvents: (isWanted: boolean, site: Site) => Promise<Partial<PostQuery>>;
    /** Changes the query of a list of events (TEC: `tribe_events_query`). */
    eventQuery: (query: PostQuery, context: CallContext) => PostQuery;
  }
}

interface EventListing extends ListCallContext {
  /** The effective values of the date parameters. */
  dates: DateValues;
}

const ids = { items: { type: 'integer' } } as const;
const csv = { type: 'array', items: { type: 'integer' }, style: 'form' } as const;
const text = { type: 'string' } as const;

const row = filters<PostQuery, EventListing>();

/** Where the window has a meaning, what of it depends on the time is noted: `argEntry`, `effectiveDates`. */
const windowOf = ({ clock, options, zones }: Site) =>
  defaultWindow({ now: Math.floor(clock.peek() / 1000), siteZone: options.timezone, zones });

/** The date filters add to the query together (src/plugins/the-events-calendar/calendar-v1/event-plan.ts): they override each other. */
const date = (name: DateFilter, description: string) =>
  row({ description, validate: filterDate, doc: text }, { echo: (_sent, { dates }) => dates[name] });

/** TEC: a value is looked up as slug, then as id, but not as name. */
const foundIds = (terms: readonly ResolvedTerm[], { quirks }: Site): number[] =>
  terms
    .map(({ bySlug, byId, byName }) => (bySlug ?? byId ?? (quirks.has('term-names-find-nothing') ? undefined : byName))?._id)
    .filter((id) => id !== undefined);

/** The point is shown with the area that it is the center of. */
const ofArea = (sent: Json | undefined, { request }: EventListing): QueryValue =>
  request.get('geoloc') === true ? (sent ?? '') : undefined;

const FORGOTTEN = { hiddenBy: 'next-pages-forget-filters' } as const;

function linkFilter(kind: LinkedKind) {
  const { type, column, filter } = LINKED[kind];
  return row(
    { ...ids, description: filter, validate: postList(type), doc: csv },
    { clause: (posts) => ({ [column]: posts.map(({ _id }) => _id) }) },
  );
}

/** Parameters of the event list, in the order of the wire. */
export const EVENT_FILTERS = {
  ...pagingFilters('events'),
  start_date: { ...date('start_date', 'Only events that start on or after this date.'), default: (site: Site) => windowOf(site).start },
  end_date: { ...date('end_date', 'Only events that end on or before this date.'), default: (site: Site) => windowOf(site).end },
  starts_before: date('starts_before', 'Only events that start before this date.'),
  starts_after: date('starts_after', 'Only events that start after this date.'),
  ends_before: date('ends_before', 'Only events that end before this date.'),
  ends_after: date('ends_after', 'Only events that end after this date.'),
  strict_dates: row(
    {
      default: 'false',
      description: 'Whether dates are exact to the second. By default, a date means the whole day.',
      validate: strictFlag,
      doc: text,
    },
    FORGOTTEN,
  ),
  search: row(searchArg('the title, excerpt and description'), {
    // WP: searches of anonymous callers exclude password-protected posts.
    clause: (words, { request }) =>
      isSearched(words) ? { search: parseSearch(words), withoutPassword: request.user === null || undefined } : {},
    echo: asSent,
  }),
  // Categories include their descendants.
  categories: row(
    {
      ...ids,
      description: 'Only events in any of these categories or their subcategories, by ID or slug.',
      validate: termList(EVENT_CATEGORY),
      doc: csv,
    },
    {
      clause: async (terms, { site }) => ({
        terms: [{ taxonomy: EVENT_CATEGORY, ids: await withDescendants(site.store, EVENT_CATEGORY, foundIds(terms, site)) }],
      }),
      ...FORGOTTEN,
    },
  ),
  tags: row(
    { ...ids, description: 'Only events with any of these tags, by ID or slug.', validate: termList(TAG), doc: csv },
    {
      clause: (terms, { site }) => {
        const counting = site.quirks.has('only-first-tag-counts') ? terms.slice(0, 1) : terms;
        return { terms: [{ taxonomy: TAG, ids: foundIds(counting, site) }] };
      },
      ...FORGOTTEN,
    },
  ),
  ...eachKind(linkFilter),
  featured: row(
    { type: 'boolean', description: 'Only featured events (true), or only other events (false).' },
    { clause: (featured) => ({ featured }), echo: asSent },
  ),
  status: statusArg(),
  geoloc: row(
    { type: 'boolean', description: 'Only events whose venue has coordinates. The plugin requires Events Calendar Pro for this.' },
    {
      clause: async (wanted, { request, site }) =>
        wanted && request.get('geoloc_lat') === undefined && !site.quirks.has('geoloc-is-ignored')
          ? { venues: await venuesAround(site.store) }
          : {},
      echo: (wanted) => (wanted === true ? true : undefined),
    },
  ),
  geoloc_lat: row(
    {
      format: 'double',
      validate: coordinate('geoloc_lng', 90),
      description: 'Latitude of the center of the search area; requires `geoloc_lng`.',
      doc: { type: 'number' },
    },
    {
      clause: async (lat, { request, site }) =>
        site.quirks.has('geoloc-is-ignored')
          ? {}
          : { venues: await venuesAround(site.store, Number(lat), Number(request.get('geoloc_lng')), site.chosen.geoRadius) },
      echo: ofArea,
    },
  ),
  geoloc_lng: row(
    {
      format: 'double',
      validate: coordinate('geoloc_lat', 180),
      description: 'Longitude of the center of the search area; requires `geoloc_lat`.',
      doc: { type: 'number' },
    },
    { echo: ofArea },
  ),
  include: row(
    { ...ids, description: 'Only these events, by ID.', validate: positiveIntList, doc: csv },
    { clause: (wanted) => ({ ids: wanted }), echo: (sent) => (sent === undefined ? undefined : listOf(sent).map(intText).join(',')) },
  ),
  post_parent: row(
    { type: 'integer', description: 'Only child events of this event, by ID.', validate: event },
    { clause: (parent) => ({ parent: parent._id }), echo: asSent },
  ),
  ticketed: row(
    { type: 'boolean', description: 'Only events with tickets (true), or only events without tickets (false).', validate: ticketed },
    {
      clause: async (wanted, { site }) => {
        const [ofPlugin] = site.registry.hooks('ticketedEvents');
        if (ofPlugin) return ofPlugin(wanted, site);
        return site.quirks.has('ticketed-needs-plugin') ? {} : { ticketed: wanted };
      },
      echo: asSent,
    },
  ),
} satisfies ArgsOf<EventFilters>;

/** The order in which the address of a list names its filters. TEC: it differs from the order of the table. */
const EVENT_ORDER: EchoOrder<typeof EVENT_FILTERS> = [
  [
    'page',
    'per_page',
    'start_date',
    'end_date',
    'search',
    'geoloc',
    'geoloc_lat',
    'geoloc_lng',
    'status',
    'post_parent',
    'include',
    'starts_before',
    'starts_after',
    'ends_before',
    'ends_after',
    'ticketed',
  ],
  [...LINKED_KINDS, 'featured', 'categories', 'tags', 'strict_dates'],
];

const DAY = 86_400_000;

const EXTRA_DATES = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;

function effectiveDates({ params, request, site }: EndpointCall<typeof EVENT_FILTERS>): DateValues {
  const { options, clock, quirks } = site;
  const context = {
    get now() {
      return clock.seconds();
    },
    siteZone: options.timezone,
    zones: site.zones,
    cutoff: options.calendar.multiDayCutoff,
    // TEC: the words of the other flags, such as `y`, do not make dates strict.
    strict: filterBoolean(params.strict_dates) === true,
  };
  const values: DateValues = {};
  for (const name of EXTRA_DATES) {
    const given = params[name];
    if (given !== undefined) values[name] = filterValue(name, given, context);
  }
  const hasInclude = request.isGiven('include');
  if (hasInclude && !quirks.has('include-keeps-default-window')) return {};
  const hasExtra = Object.keys(values).length > 0;
  for (const [name, edge] of [
    ['start_date', 'start'],
    ['end_date', 'end'],
  ] as const) {
    // TEC: beside the other date parameters, only the query string sets the window.
    if (hasExtra && !request.inQuery(name)) continue;
    // TEC: with `include`, the requested window is ignored and the default one applies, to the second.
    values[name] = hasInclude ? defaultWindow(context)[edge] : filterValue(name, params[name], context);
    if (request.isGiven(name)) continue;
    // Only the day in UTC of the default counts.
    if (context.strict) clock.now();
    else noteDay(clock);
  }
  return values;
}

/** Notes that something depends on the day in UTC. */
function noteDay(clock: Clock): void {
  const from = DAY * Math.floor(clock.peek() / DAY);
  clock.noteSpan(from, from + DAY);
}

/** Converts the parameters of a list request to a query. Only reads from the database to resolve names. */
export const planEvents = withParams(EVENT_FILTERS, async (call): Promise<ListPlan> => {
  const { params, request, site } = call;
  const paging = listPaging(params);
  const listing: EventListing = { request, site, paging, statuses: shownStatuses(call, params), dates: effectiveDates(call) };
  const query: PostQuery = {
    type: EVENT,
    listed: true,
    statuses: listing.statuses.wanted,
    dates: dateClauses(listing.dates, site),
    terms: [],
    readableBy: readerOf({ site, user: request.user }, listing.statuses),
    // TEC: events requested by id are in order of publication.
    sort: request.isGiven('include') ? { by: 'date', descending: false } : startColumn(site),
    limit: paging.limit,
    offset: paging.offset,
  };
  const clauses = await clausesOf(EVENT_FILTERS, params, listing);
  return {
    query: site.registry.hooks('eventQuery').reduce((changed, change) => change(changed, call), clauses.reduce(withClause, query)),
    page: paging.page,
    perPage: paging.perPage,
    restUrl: listAddress(site.restUrl(`/${request.namespace}/events/`), EVENT_FILTERS, EVENT_ORDER, listing),
  };
});
