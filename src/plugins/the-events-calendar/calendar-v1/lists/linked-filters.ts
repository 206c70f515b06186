import { listAddress, asSent, clausesOf, filters, withClause, type EchoOrder, type ListCallContext } from './list-args.js';
import { pagingFilters, listPaging, searchArg, shownStatuses, statusArg } from './list-args.js';
import { event, type ArgsOf } from '../validators.js';
import { openEvent, readerOf } from '../../model/event-queries.js';
import { TYPE_OF_COLUMN, type LinkColumn, isTruthy } from '../../model/event.js';
import { idsWithEvents, idsWithoutEvents, idsWithUpcoming, parseLinkedSearch } from '../../model/linked-queries.js';
import { countPosts } from '../../../../wordpress/posts/posts.js';
import type { ListPlan } from '../resource.js';
import type { PostQuery, SearchClause } from '../../../../wordpress/query/post-query.js';
import type { LinkedFilters } from '../../../../sdk/types/params.js';
import { withParams } from '../../../../wordpress/rest/params.js';
import type { CallContext } from '../../../../wordpress/rest/route.js';

const row = filters<PostQuery, ListCallContext>();

const FORGOTTEN = { hiddenBy: 'next-pages-forget-filters', echo: asSent } as const;

/** Parameters of the lists of venues and organizers. */
export const linkedFilters = (what: LinkColumn) =>
  ({
    ...pagingFilters(what),
    search: row(searchArg('the title, description and other fields'), FORGOTTEN),
    event: row(
      { type: 'integer', description: `Only ${what} of this event, by ID.`, validate: event },
      {
        clause: (post, { request: { user }, site }) => ({ ids: openEvent(post, { site, user })?.[what] ?? [] }),
        echo: asSent,
      },
    ),
    has_events: row(
      { description: `Only ${what} with events (true), or only ${what} without events (false).`, doc: { type: 'boolean' } },
      {
        clause: async (wanted, { site }) => ({ ids: await (isTruthy(wanted) ? idsWithEvents : idsWithoutEvents)(site.store, what) }),
      },
    ),
    only_with_upcoming: row(
      { default: false, description: `Only ${what} with upcoming events.`, doc: { type: 'boolean' } },
      {
        clause: async (wanted, { site, statuses }) => (isTruthy(wanted) ? { ids: await idsWithUpcoming(site, what, statuses.wanted) } : {}),
        ...FORGOTTEN,
      },
    ),
    status: statusArg(),
  }) satisfies ArgsOf<LinkedFilters>;

const LINKED_ORDER: EchoOrder<ReturnType<typeof linkedFilters>> = [
  ['page', 'per_page', 'event', 'has_events', 'status', 'search', 'only_with_upcoming'],
  [],
];

/** Whether a search finds anything outside the trash, regardless of other filters. */
async function findsAnything({ site }: CallContext, type: string, search: SearchClause): Promise<boolean> {
  const everything: PostQuery = {
    type,
    statuses: ['publish', 'future', 'draft', 'pending', 'private'],
    search,
    sort: 'newest',
    limit: 1,
    offset: 0,
  };
  return (await countPosts(site.store, everything)) > 0;
}

/** Whether a search excludes password-protected posts. TEC: it does not, unlike a search for events. */
const hidesProtected = ({ site, request }: CallContext): true | undefined =>
  (!site.quirks.has('search-looks-behind-passwords') && request.user === null) || undefined;

/** A plan with a search. TEC: a search without results has no items, but the total of the other filters. */
async function searched(plan: ListPlan, words: string, call: CallContext): Promise<ListPlan> {
  const { query } = plan;
  const search = parseLinkedSearch(words);
  if (search && (await findsAnything(call, String(query.type), search)))
    return { ...plan, query: { ...query, search, withoutPassword: hidesProtected(call) } };
  return { ...plan, nothing: true, totalOf: call.site.quirks.has('empty-search-counts-everything') ? query : undefined };
}

/** Converts the parameters of a list of venues or organizers to a query. */
export function planLinked(what: LinkColumn): (context: CallContext) => Promise<ListPlan> {
  const table = linkedFilters(what);
  return withParams(table, async (call) => {
    const { params, request, site } = call;
    const paging = listPaging(params);
    const listing: ListCallContext = { request, site, paging, statuses: shownStatuses(call, params) };
    const everything: PostQuery = {
      type: TYPE_OF_COLUMN[what],
      statuses: listing.statuses.wanted,
      readableBy: readerOf({ site, user: request.user }, listing.statuses),
      sort: 'newest',
      limit: paging.limit,
      offset: paging.offset,
    };
    const query = (await clausesOf(table, params, listing)).reduce(withClause, everything);
    const plan: ListPlan = {
      query,
      page: paging.page,
      perPage: paging.perPage,
      restUrl: listAddress(site.restUrl(`/${request.namespace}/${what}/`), table, LINKED_ORDER, listing),
    };
    if (query.ids?.length === 0) return { ...plan, nothing: true };
    return params.search === undefined ? plan : searched(plan, params.search, call);
  });
}
