import { intval, toStr } from '../php/cast.js';
import { dateClauses, askedEvent, linkedClause, readerOf, type DateValues } from '../calendar-v1/event-filters.js';
import { idsWithEvents, LINKS, narrowed, type Link } from '../calendar-v1/linked-filters.js';
import { canWithPosts } from '../wp/users/capabilities.js';
import { TAG } from '../wp/model.js';
import { EVENT, EVENT_CATEGORY } from '../tec/index.js';
import { parseSearch } from '../wp/query/search.js';
import { withDescendants } from '../wp/terms.js';
import { wallAt, zoneOf } from '../wp/timezones.js';
import { momentOf } from './args.js';
import type { PostOrder, PostQuery, TermClause } from '../wp/query/post-query.js';
import type { CallContext, Json } from '../rest/route.js';

/** What a list came to. */
export interface Plan {
  query: PostQuery;
  page: number;
  perPage: number;
}

/** TEC: half of the filters do nothing, or not what they are told. */
const filtersFail = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-filters-do-nothing');

const numbers = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** TEC: who may not edit sees what is published, whatever was asked for. */
function statusesOf({ request }: CallContext): string[] {
  const given = request.get('status');
  return canWithPosts(request.user, 'edit') && Array.isArray(given) ? given.map(toStr) : ['publish'];
}

type Common = Pick<PostQuery, 'statuses' | 'search' | 'withoutPassword' | 'readableBy' | 'limit' | 'offset'>;

/** What every list is asked for alike. */
function commonOf(context: CallContext): Common & { page: number; perPage: number } {
  const { request } = context;
  const [page, perPage] = [intval(request.get('page')), intval(request.get('per_page'))];
  const search = toStr(request.get('search') ?? '');
  return {
    page,
    perPage,
    statuses: statusesOf(context),
    ...(search === '' ? {} : { search: { ...parseSearch(search), fields: [0, 1, 2] } }),
    // WP: a search of anonymous callers does not look behind passwords.
    withoutPassword: (search !== '' && request.user === null) || undefined,
    readableBy: readerOf(context),
    limit: perPage,
    offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER),
  };
}

const planOf = ({ page, perPage, ...common }: ReturnType<typeof commonOf>, own: Omit<PostQuery, keyof Common>): Plan => ({
  query: { ...own, ...common },
  page,
  perPage,
});

const DATES = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;

/** The moments that the date parameters name, on the clock of the site. */
function datesOf({ request, site }: CallContext): DateValues {
  const values: DateValues = {};
  for (const name of DATES) {
    const given = request.get(name);
    const moment = given === undefined ? null : momentOf(toStr(given), site);
    if (moment !== null) values[name] = wallAt(moment, zoneOf(site.options.timezone));
  }
  return values;
}

async function termsOf(context: CallContext): Promise<TermClause[]> {
  if (filtersFail(context)) return [];
  const { request, site } = context;
  const [categories, tags] = [numbers(request.get('categories')), numbers(request.get('tags'))];
  return [
    ...(categories.length > 0 ? [{ taxonomy: EVENT_CATEGORY, ids: await withDescendants(site.store, EVENT_CATEGORY, categories) }] : []),
    ...(tags.length > 0 ? [{ taxonomy: TAG, ids: tags }] : []),
  ];
}

function featuredOf(context: CallContext): boolean | undefined {
  const given = context.request.get('featured');
  // TEC: whoever asks for those that are not gets those that are.
  return given === undefined ? undefined : filtersFail(context) || given === true;
}

const ticketedOf = (context: CallContext): boolean | undefined => {
  const given = context.request.get('ticketed');
  return filtersFail(context) || typeof given !== 'boolean' ? undefined : given;
};

function orderOf({ request, site }: CallContext): Pick<PostQuery, 'sort' | 'backwards'> {
  const orderby = toStr(request.get('orderby'));
  const descending = request.get('order') === 'DESC';
  if (orderby !== 'event_date') return { sort: { by: orderby as 'title', descending } satisfies PostOrder };
  const sort = site.options.calendar.tribe_events_timezone_mode === 'site' ? 'startUtc' : 'start';
  return { sort, ...(descending ? { backwards: true } : {}) };
}

/** From the parameters of a list of events to its query. TEC: hidden and past ones are in it. */
export async function planEvents(context: CallContext): Promise<Plan> {
  const { request, site } = context;
  const parent = request.get('post_parent');
  const [terms, venues, organizers] = await Promise.all([
    termsOf(context),
    linkedClause('venue', context),
    linkedClause('organizer', context),
  ]);
  return planOf(commonOf(context), {
    type: EVENT,
    scheduled: true,
    dates: dateClauses(datesOf(context), site),
    terms,
    venues,
    organizers,
    featured: featuredOf(context),
    ticketed: ticketedOf(context),
    parent: parent === undefined ? undefined : intval(parent),
    ...orderOf(context),
  });
}

/** Ids to which a list of venues or organizers is narrowed. TEC: an event without any, or none at all, narrows nothing. */
async function idsOf(context: CallContext, link: Link): Promise<number[] | undefined> {
  if (!filtersFail(context)) return narrowed(context, link);
  const { request } = context;
  const event = request.get('event');
  const ofEvent = event === undefined ? [] : ((await askedEvent(context, intval(event)))?.[link] ?? []);
  // TEC: whoever asks for those without events gets those with them.
  const used = request.get('has_events') === undefined ? undefined : await idsWithEvents(context, link);
  if (ofEvent.length === 0) return used;
  return used ? ofEvent.filter((id) => used.includes(id)) : ofEvent;
}

/** From the parameters of a list of venues or organizers to its query. */
export const planLinked =
  (link: Link) =>
  async (context: CallContext): Promise<Plan> =>
    planOf(commonOf(context), { type: LINKS[link], ids: await idsOf(context, link), sort: 'newest' });
