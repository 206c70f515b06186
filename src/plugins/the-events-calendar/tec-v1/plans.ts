import { isEmpty } from '../../../base/php/cast.js';
import { offsetOf } from '../../../wordpress/rest/lists.js';
import { withParams, type EndpointCall } from '../../../wordpress/rest/params.js';
import {
  DATE_FILTERS,
  dateClauses,
  idsOutsideTrash,
  intersect,
  openEvent,
  readerOf,
  startColumn,
  type DateValues,
} from '../model/event-queries.js';
import { storable } from '../model/dates.js';
import { TYPE_OF_COLUMN, eachLinked, type LinkColumn } from '../model/event.js';
import { idsWithAnyEvents, idsWithEvents, idsWithoutEvents, idsWithUpcoming } from '../model/linked-queries.js';
import { canWithPosts } from '../../../wordpress/users/capabilities.js';
import { ANY_STATUS, TAG, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { foldForSearch } from '../../../wordpress/formatting/accents.js';
import { findPost } from '../../../wordpress/posts/posts.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import { withDescendants } from '../../../wordpress/terms/terms.js';
import { wallAt, zoneOf } from '../../../wordpress/timezones.js';
import { momentOnSite, EVENT_LIST_PARAMS, linkedListParams } from './args.js';
import { isOrderColumn, type PostQuery, type TermClause } from '../../../wordpress/query/post-query.js';
import type { CallContext } from '../../../wordpress/rest/route.js';

export interface Plan {
  query: PostQuery;
  page: number;
  perPage: number;
}

/** TEC: half of the filters do nothing, or ignore their value. */
const filtersFail = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-filters-do-nothing');

type LinkedTable = ReturnType<typeof linkedListParams>;
type EventCall = EndpointCall<typeof EVENT_LIST_PARAMS>;
type LinkedCall = EndpointCall<LinkedTable>;

/** TEC: callers who may not edit get published items, for all statuses that they name. */
function statusesOf({ request, params: { status } }: EventCall | LinkedCall): string[] {
  if (!canWithPosts(request.user, 'edit')) return ['publish'];
  return status.includes('any') ? [...new Set([...ANY_STATUS, ...status])] : status;
}

/** The search text; empty for none. PHP: `0` counts as empty. */
const searchOf = ({ params: { search } }: EventCall | LinkedCall): string => (isEmpty(search) || !isSearched(search) ? '' : search);

/** WP: results on a page. */
type Common = Pick<PostQuery, 'statuses' | 'search' | 'withoutPassword' | 'readableBy' | 'limit' | 'offset'>;

/** The query parts of all lists. */
function commonOf(call: EventCall | LinkedCall): Common & { page: number; perPage: number } {
  const { params, request, site } = call;
  const { page } = params;
  // WP: 0, which only unchecked parameters can have, means the default, and the sign is ignored.
  const perPage = Math.abs(params.per_page) || Math.trunc(Number(site.options.postsPerPage)) || 10;
  const search = searchOf(call);
  return {
    page,
    perPage,
    statuses: statusesOf(call),
    ...(search === '' ? {} : { search: { ...parseSearch(search), fields: [0, 1, 2] } }),
    // WP: searches of anonymous callers exclude password-protected posts.
    withoutPassword: (search !== '' && request.user === null) || undefined,
    readableBy: readerOf({ site, user: request.user }),
    limit: perPage,
    offset: offsetOf(Math.max(Math.abs(page), 1), perPage),
  };
}

const planOf = ({ page, perPage, ...common }: ReturnType<typeof commonOf>, own: Omit<PostQuery, keyof Common>): Plan => ({
  query: { ...own, ...common },
  page,
  perPage,
});

/** The times of the date parameters, in site time. PHP: `0` is empty, which means now. */
function datesOf({ params, site }: EventCall): DateValues {
  const values: DateValues = {};
  for (const name of DATE_FILTERS) {
    const given = params[name];
    if (given === undefined) continue;
    const moment = isEmpty(given) ? site.clock.seconds() : momentOnSite(given, site);
    if (moment !== null) values[name] = wallAt(storable(moment), zoneOf(site.zones, site.options.timezone));
  }
  return values;
}

async function termsOf(call: EventCall): Promise<TermClause[]> {
  if (filtersFail(call)) return [];
  const { params, site } = call;
  const { categories = [], tags = [] } = params;
  return [
    ...(categories.length > 0 ? [{ taxonomy: EVENT_CATEGORY, ids: await withDescendants(site.store, EVENT_CATEGORY, categories) }] : []),
    ...(tags.length > 0 ? [{ taxonomy: TAG, ids: tags }] : []),
  ];
}

function orderOf({ params: { orderby, order }, site }: EventCall): Pick<PostQuery, 'sort' | 'backwards'> {
  const descending = order.toUpperCase() === 'DESC';
  if (isOrderColumn(orderby)) return { sort: { by: orderby, descending } };
  return { sort: startColumn(site), ...(descending ? { backwards: true } : {}) };
}

const linkedIds = (posts: readonly Post[] | undefined): number[] | undefined => posts && idsOutsideTrash(posts);

/** Converts the parameters of a list of events to its query. TEC: includes hidden and past events. */
export const planEventList = withParams(EVENT_LIST_PARAMS, async (call): Promise<Plan> => {
  const { params, site } = call;
  return planOf(commonOf(call), {
    type: EVENT,
    scheduled: true,
    dates: dateClauses(datesOf(call), site),
    terms: await termsOf(call),
    ...eachLinked((kind) => linkedIds(params[kind])),
    featured: params.featured,
    ticketed: filtersFail(call) ? undefined : params.ticketed,
    parent: params.post_parent,
    ...orderOf(call),
  });
});

/** The ids linked to the requested event; none for an event that the caller may not see. TEC: an unknown event does not filter. */
async function idsOfEvent(call: LinkedCall, column: LinkColumn): Promise<number[] | undefined> {
  const { event: id } = call.params;
  if (id === undefined) return undefined;
  const { site, request } = call;
  const post = await findPost(site.store, id);
  const event = post?.type === EVENT ? post : null;
  if (!event && filtersFail(call)) return undefined;
  return openEvent(event, { site, user: request.user })?.[column] ?? [];
}

/** The ids that `has_events` restricts a list to. TEC: its value is ignored, and drafts count. */
async function idsByUse(call: LinkedCall, column: LinkColumn): Promise<number[] | undefined> {
  const { has_events: hasEvents } = call.params;
  if (hasEvents === undefined) return undefined;
  const idsFor = filtersFail(call) ? idsWithAnyEvents : hasEvents ? idsWithEvents : idsWithoutEvents;
  return idsFor(call.site.store, column);
}

/** The ids that a list of venues or organizers is restricted to; undefined without restriction. */
async function idsOf(call: LinkedCall, column: LinkColumn): Promise<number[] | undefined> {
  const { params, site } = call;
  const upcoming = params.only_with_upcoming && !filtersFail(call) ? await idsWithUpcoming(site, column, params.status) : undefined;
  return intersect(intersect(await idsOfEvent(call, column), await idsByUse(call, column)), upcoming);
}

/** WP: search results are sorted by relevance. */
function linkedOrder(call: LinkedCall): PostQuery['sort'] {
  const search = searchOf(call);
  return search === '' ? 'newest' : { by: 'relevance', phrase: foldForSearch(search), descending: true };
}

/** Converts the parameters of a list of venues or organizers to its query. */
export const planLinkedList = (column: LinkColumn): ((context: CallContext) => Promise<Plan>) =>
  withParams(linkedListParams(column), async (call) =>
    planOf(commonOf(call), { type: TYPE_OF_COLUMN[column], ids: await idsOf(call, column), sort: linkedOrder(call) }),
  );
