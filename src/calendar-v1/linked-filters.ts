import { listUrl } from './collection.js';
import { askedEvent, listStatuses, pagingOf, readerOf } from './event-filters.js';
import { pagingArgs, searchArg, statusArg } from './list-args.js';
import { eventId } from './validators.js';
import { isTruthy } from '../tec/flags.js';
import { EVENT, ORGANIZER, VENUE } from '../tec/index.js';
import { countPosts, listPosts } from '../wp/posts.js';
import { parseLinkedSearch } from '../tec/search.js';
import { idsOfType, lastStarts, linkedTo } from '../tec/linked-queries.js';
import type { ListPlan } from './resource.js';
import type { PostQuery, SearchClause } from '../wp/query/post-query.js';
import type { ArgsOf } from './contract.js';
import type { LinkedFilters } from '../params.js';
import type { CallContext } from '../rest/route.js';
import type { RestRequest } from '../rest/request.js';
import type { QueryValue } from '../php/query-string.js';

/** The column of an event that holds the ids of what is linked to it. */
export type Link = 'venues' | 'organizers';

export const LINKS: Record<Link, string> = { venues: VENUE, organizers: ORGANIZER };

/** Parameters of the lists of venues and organizers. */
export const linkedFilters = (what: Link): ArgsOf<LinkedFilters> => ({
  ...pagingArgs(what),
  search: searchArg('title, description and single fields'),
  event: { type: 'integer', description: `Only ${what} of this event.`, validate: eventId },
  has_events: { description: `Only ${what} with events, or only those without.`, doc: { type: 'boolean' } },
  only_with_upcoming: { default: false, description: `Only ${what} with upcoming events.`, doc: { type: 'boolean' } },
  status: statusArg(what),
});

/** Ids to which a list is narrowed: those that every filter given allows. */
class Candidates {
  private allowed: Set<number> | null = null;

  allow(ids: Iterable<number>): void {
    const these = new Set(ids);
    this.allowed = this.allowed ? new Set([...this.allowed].filter((id) => these.has(id))) : these;
  }

  get ids(): number[] | undefined {
    return this.allowed ? [...this.allowed] : undefined;
  }
}

/** TEC: an event counts unless it is a draft or pending, past, hidden and trashed ones among them. */
export const idsWithEvents = ({ site: { store } }: CallContext, link: Link): Promise<number[]> =>
  store.cache.remember(`${link} with events`, () => linkedTo(store, link, { type: EVENT, status: { $nin: ['draft', 'pending'] } }));

/** The rest, which is mostly the smaller part: told by name, so that a list of it need not pass over all the others. */
const idsWithoutEvents = (context: CallContext, link: Link): Promise<number[]> =>
  context.site.store.cache.remember(`${link} without events`, async () => {
    const used = new Set(await idsWithEvents(context, link));
    return (await idsOfType(context.site.store, LINKS[link])).filter((id) => !used.has(id));
  });

/**
 * What upcoming events are linked to. TEC: "now" is the UTC clock read as site time, and only the first page of upcoming events
 * (the default posts per page) is looked at.
 */
async function idsWithUpcoming({ request, site }: CallContext, link: Link): Promise<number[]> {
  const query: PostQuery = {
    type: EVENT,
    listed: true,
    statuses: listStatuses(request).statuses,
    dates: [{ column: 'start', operator: '$gte', value: site.quirks.has('upcoming-looks-at-first-page') ? site.nowUtc : site.nowLocal }],
    sort: 'start',
    limit: site.options.pageSize,
    offset: 0,
  };
  if (site.quirks.has('upcoming-looks-at-first-page')) return (await listPosts(site.store, query)).flatMap((event) => event[link] ?? []);
  const { statuses } = query;
  const last = await site.store.cache.remember(`${link} until ${statuses.join()}`, () =>
    lastStarts(site.store, link, { type: EVENT, hidden: false, status: { $in: [...statuses] } }),
  );
  return [...last].filter(([, start]) => start >= site.nowLocal).map(([id]) => id);
}

/** Ids to which `event`, `has_events` and `only_with_upcoming` narrow a list; undefined where none is given. */
export async function narrowed(context: CallContext, link: Link): Promise<number[] | undefined> {
  const { request } = context;
  const candidates = new Candidates();
  const event = request.get('event');
  if (event !== undefined) candidates.allow((await askedEvent(context, Number(event)))?.[link] ?? []);
  const hasEvents = request.get('has_events');
  if (hasEvents !== undefined) candidates.allow(await (isTruthy(hasEvents) ? idsWithEvents : idsWithoutEvents)(context, link));
  if (isTruthy(request.get('only_with_upcoming'))) candidates.allow(await idsWithUpcoming(context, link));
  return candidates.ids;
}

/** Whether a search finds anything at all outside the trash, whatever the other filters say. */
async function findsAnything({ site }: CallContext, link: Link, search: SearchClause): Promise<boolean> {
  const everything: PostQuery = {
    type: LINKS[link],
    statuses: ['publish', 'future', 'draft', 'pending', 'private'],
    search,
    sort: 'newest',
    limit: 1,
    offset: 0,
  };
  return (await countPosts(site.store, everything)) > 0;
}

/** Whether a search leaves out what has a password. TEC: it does not, as a search for events does. */
const hidesProtected = ({ site, request }: CallContext): true | undefined =>
  (!site.quirks.has('search-looks-behind-passwords') && request.user === null) || undefined;

/** What the plugin leaves out of the addresses of other pages. */
const forgottenArgs = (request: RestRequest): Record<string, QueryValue> =>
  Object.fromEntries(
    ['search', 'only_with_upcoming'].filter((name) => request.isGiven(name)).map((name) => [name, request.get(name) as QueryValue]),
  );

/** From the parameters of a list of venues or organizers to its query. */
export const planLinked =
  (link: Link) =>
  async (context: CallContext): Promise<ListPlan> => {
    const { request, site } = context;
    const paging = pagingOf(request);
    const { statuses, shown } = listStatuses(request);
    const ids = await narrowed(context, link);
    const query: PostQuery = {
      type: LINKS[link],
      statuses,
      ids,
      readableBy: readerOf(context),
      sort: 'newest',
      limit: paging.limit,
      offset: paging.offset,
    };
    const args: Record<string, QueryValue> = {
      page: paging.page,
      per_page: paging.perPage,
      event: request.get('event'),
      has_events: request.get('has_events'),
      status: shown,
      ...(site.quirks.has('next-pages-forget-filters') ? {} : forgottenArgs(request)),
    };
    const plan: ListPlan = {
      query,
      page: paging.page,
      perPage: paging.perPage,
      restUrl: listUrl(site.restUrl(`/${request.namespace}/${link}/`), args),
    };
    if (ids?.length === 0) return { ...plan, nothing: true };

    const text = request.get('search');
    if (typeof text !== 'string') return plan;
    const search = parseLinkedSearch(text);
    if (search && (await findsAnything(context, link, search)))
      return { ...plan, query: { ...query, search, withoutPassword: hidesProtected(context) } };
    // TEC: a search that finds nothing shows nothing, but counts what the other filters leave.
    return { ...plan, nothing: true, totalOf: site.quirks.has('empty-search-counts-everything') ? query : undefined };
  };
