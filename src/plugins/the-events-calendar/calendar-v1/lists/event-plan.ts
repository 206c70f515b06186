import { listAddress, clausesOf, withClause } from './filters.js';
import { EVENT_FILTERS, EVENT_ORDER, type EventListing } from './event-filters.js';
import { listPaging, shownStatuses } from './list-args.js';
import { filterBoolean } from '../../../../base/php/cast.js';
import { defaultWindow, filterValue } from '../../model/dates.js';
import { dateClauses, readerOf, startColumn, type DateValues } from '../../model/event-queries.js';
import { EVENT } from '../../model/index.js';
import type { ListPlan } from '../resource.js';
import type { PostQuery } from '../../../../wordpress/query/post-query.js';
import { withParams, type EndpointCall } from '../../../../wordpress/rest/params.js';
import type { Clock } from '../../../../wordpress/clock.js';

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
