import type { Event, Term } from '../../../sdk/types/responses.js';
import { LINKED, LINKED_KINDS, eachLinked, type LinkColumn, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import { isWithheldItem, nameOf, type LinkedOnSite } from '../items.js';
import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { DatasetError } from '../../source.js';
import { SiteClient, routeUrl, withQuery, type LiveClientOptions, responseProblem, type SiteResponse } from '../client/client.js';
import { findSite, type LiveSite } from '../client/find.js';
import { membersOf } from '../../../base/values/records.js';

/** Content of a site to derive requests from. */
export interface SiteSamples extends Record<LinkColumn, LinkedOnSite[]> {
  events: Event[];
  categories: Term[];
  tags: Term[];
  totals: Record<ListName, number>;
  /** Values of plugins for parameters of the list of events. */
  eventSamples: Samples;
}

export type ListName = 'events' | LinkColumn | 'categories' | 'tags';

const LISTS: readonly ListName[] = ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column), 'categories', 'tags'];

/** The first longer word of a text; undefined if it has none. */
export const firstWord = (text: string): string | undefined => /[\p{L}\d]{4,}/u.exec(text.replace(/<[^>]*>|&[^;]+;/g, ' '))?.[0];

/** Sample values for the parameters of a list. A parameter without values is not requested. */
export type Samples = Readonly<Record<string, readonly (string | number)[]>>;

const some = <T>(...values: (T | undefined)[]): T[] => values.filter((value) => value !== undefined);

// TEC: a number is always read as an id, even if it is the slug of a term.
const slugsOf = (terms: readonly Term[]): string[] => {
  const slugs = terms.map(({ slug }) => slug).filter((slug) => !/^\d+$/.test(slug));
  return [...new Set([...slugs.slice(0, 1), ...slugs.slice(-1)])];
};

/** The first id, the last id, and two ids at once. */
const idSamples = (items: readonly { id: number }[]): (string | number)[] => [
  ...some<number>(items[0]?.id, items.at(-1)?.id),
  ...(items.length > 1 ? [`${items[0].id},${items[1].id}`] : []),
];

function eventSamples(found: SiteSamples): Samples {
  const { events, categories, tags } = found;
  const [first] = events;
  const last = events.at(-1);
  const middle = events.at(Math.floor(events.length / 2));
  const day = (event: Event | undefined): string | undefined => event?.start_date?.slice(0, 10);
  const word = events.map(({ title }) => firstWord(title)).find((text) => text !== undefined);
  return {
    page: [2],
    per_page: [1, 7, 1000],
    start_date: some(day(middle), day(first)),
    end_date: some(day(middle), day(last)),
    starts_before: some(day(middle)),
    starts_after: some(middle?.start_date ?? undefined, day(middle)),
    ends_before: some(middle?.end_date ?? undefined, day(middle)),
    ends_after: some(day(middle)),
    strict_dates: ['true'],
    search: some(word, word && `"${word}"`, 'no such words anywhere'),
    categories: [
      ...some<string | number>(...slugsOf(categories), categories[0]?.id),
      ...(categories.length > 1 ? [`${categories[0].id},${categories[1].id}`] : []),
    ],
    tags: some<string | number>(...slugsOf(tags), tags[0]?.id),
    ...Object.fromEntries(LINKED_KINDS.map((kind) => [kind, idSamples(found[LINKED[kind].column])])),
    featured: ['true', 'false'],
    status: ['publish'],
    geoloc: ['false'],
    geoloc_lat: [],
    geoloc_lng: [],
    include: [...some<number>(first?.id), ...(middle && last ? [`${last.id},${middle.id}`] : [])],
    post_parent: some(middle?.id),
    ticketed: ['false'],
    ...found.eventSamples,
  };
}

function linkedSamples(kind: LinkedKind, { events, ...found }: SiteSamples): Samples {
  const names = found[LINKED[kind].column].map((item) => nameOf(item, kind));
  const word = names.map((name) => (typeof name === 'string' ? firstWord(name) : undefined)).find((text) => text !== undefined);
  return {
    page: [2],
    per_page: [1, 7, 1000],
    search: some(word, 'no such words anywhere'),
    event: some(events[0]?.id, events.at(-1)?.id),
    has_events: ['true', 'false'],
    only_with_upcoming: ['true'],
    status: ['publish'],
  };
}

function termSamples(terms: readonly Term[], { events }: SiteSamples): Samples {
  const [first] = terms;
  const last = terms.at(-1);
  return {
    page: [2],
    per_page: [1, 7, 1000],
    search: some(first && firstWord(first.name), 'no such words anywhere'),
    exclude: some(first?.id),
    include: [...some<number>(last?.id), ...(first && last ? [`${last.id},${first.id}`] : [])],
    order: ['asc', 'desc'],
    orderby: ['name', 'slug', 'id', 'count', 'include'],
    hide_empty: ['0', '1'],
    parent: some(terms.find(({ parent = 0 }) => parent !== 0)?.parent),
    post: some(events[0]?.id),
    event: some(events.at(-1)?.id),
    slug: some(first?.slug, last?.slug),
  };
}

/** Sample values by list and parameter. */
const samplesOf = (found: SiteSamples): Readonly<Record<ListName, Samples>> => ({
  events: eventSamples(found),
  ...eachLinked((kind) => linkedSamples(kind, found)),
  categories: termSamples(found.categories, found),
  tags: termSamples(found.tags, found),
});

/** A read-only request. */
export interface CheckRequest {
  /** One of `GROUPS`. */
  group: string;
  method: 'GET' | 'HEAD' | 'OPTIONS';
  /** Relative to the namespace: `events/12?context=view`. */
  route: string;
  /** Default: the calendar's; empty: the route is relative to the REST root. */
  namespace?: string;
  /** The status code that the published API specifies. */
  status: number;
  /** Set if the response depends on the current time. */
  clock?: true;
}

/** Includes all events: without dates, lists have a default date range. One day on each side is left for time zones. */
export const ALL_TIME = 'start_date=1000-01-02&end_date=9999-12-30';
const CHECK_PAGE = 50;

export const query = (parameters: Record<string, string | number>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

export const get = (group: string, route: string, status = 200, more: Partial<CheckRequest> = {}): CheckRequest => ({
  group,
  method: 'GET',
  route,
  status,
  ...more,
});

/** Parameters whose responses depend on the clock. */
const BY_CLOCK = new Set(['include', 'only_with_upcoming']);
const DATES = new Set(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']);

function* listRequests(list: ListName, total: number): Generator<CheckRequest> {
  const isEvents = list === 'events';
  const isTerms = list === 'categories' || list === 'tags';
  yield get('lists', list, 200, isEvents ? { clock: true } : {});
  const everything = isEvents ? `${ALL_TIME}&` : isTerms ? 'hide_empty=0&' : '';
  const pages = Math.max(1, Math.ceil(total / CHECK_PAGE));
  for (let page = 1; page <= pages; page += 1) yield get('lists', `${list}?${everything}per_page=${CHECK_PAGE}&page=${page}`);
  yield get('errors', `${list}?${everything}per_page=${CHECK_PAGE}&page=${pages + 1}`, isTerms ? 200 : 404);
}

function* filterRequests(list: ListName, samples: Samples): Generator<CheckRequest> {
  for (const [name, values] of Object.entries(samples)) {
    for (const value of values) {
      const asked = query({ [name]: value });
      const isDated = list === 'events' && !BY_CLOCK.has(name);
      const window = isDated && !DATES.has(name) ? `&${ALL_TIME}` : '';
      // Without an explicit value, the other date would depend on the clock.
      const other = name === 'start_date' ? '&end_date=9999-12-30' : name === 'end_date' ? '&start_date=1000-01-02' : '';
      const group = list === 'categories' || list === 'tags' ? 'terms' : 'filters';
      yield get(
        group,
        `${list}?${asked}${window}${other}`,
        200,
        BY_CLOCK.has(name) && list !== 'categories' && list !== 'tags' ? { clock: true } : {},
      );
    }
  }
}

/** Selects items to request one by one: all, or `most` of them, evenly spread. */
export function spread<T>(items: readonly T[], most: number): T[] {
  if (most <= 0 || items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]);
}

const LINKED_LISTS = LINKED_KINDS.map((kind) => LINKED[kind].column);

export const NOWHERE = 999_999_999;

function* singleRequests(found: SiteSamples, most: number): Generator<CheckRequest> {
  for (const list of ['events', ...LINKED_LISTS] as const) {
    for (const item of spread<Event | LinkedOnSite>(found[list], most)) {
      const status = list === 'events' && isWithheldItem(item) ? 403 : 200;
      yield get('singles', `${list}/${item.id}`, status);
      if (item.slug) yield get('singles', `${list}/by-slug/${item.slug}`, status);
    }
  }
  for (const list of ['categories', 'tags'] as const) for (const { id } of spread(found[list], most)) yield get('terms', `${list}/${id}`);
}

function* errorRequests(): Generator<CheckRequest> {
  yield get('errors', `events/${NOWHERE}`, 404);
  yield get('errors', 'events/by-slug/no-such-event-anywhere', 400);
  for (const list of LINKED_LISTS) {
    yield get('errors', `${list}/${NOWHERE}`, 400);
    yield get('errors', `${list}/by-slug/no-such-item-anywhere`, 400);
  }
  for (const list of ['categories', 'tags'] as const) yield get('errors', `${list}/${NOWHERE}`, 400);
  for (const list of LISTS)
    for (const bad of ['page=0', 'per_page=0', 'per_page=none', 'page=-1']) yield get('errors', `${list}?${bad}`, 400);
  for (const bad of [
    'start_date=none',
    'search=',
    'categories=no-such-term',
    'tags=no-such-term',
    ...LINKED_KINDS.map((kind) => `${kind}=${NOWHERE}`),
    'status=draft',
  ])
    yield get('errors', `events?${bad}`, 400);
  for (const list of LINKED_LISTS) yield get('errors', `${list}?event=${NOWHERE}`, 400);
  yield get('errors', 'no-such-route', 404);
}

function* optionRequests({ events, venues }: SiteSamples): Generator<CheckRequest> {
  const ask = (route: string, method: 'OPTIONS' | 'HEAD'): CheckRequest => ({ group: 'options', method, route, status: 200 });
  for (const list of LISTS) yield ask(list, 'OPTIONS');
  for (const { id } of events.slice(0, 1)) yield ask(`events/${id}`, 'OPTIONS');
  for (const { id } of venues.slice(0, 1)) yield ask(`venues/${id}`, 'HEAD');
  yield ask(`events?${ALL_TIME}`, 'HEAD');
}

const IDS = 50;
/** The compared fields of comments. Avatars depend on email addresses, which the API does not show. */
const COMMENT_FIELDS = 'id,post,parent,author,author_name,author_url,date,date_gmt,content,status,type';

function* commentRequests({ events }: SiteSamples): Generator<CheckRequest> {
  const ids = events.filter((event) => !isWithheldItem(event)).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += IDS) {
    const asked = { post: ids.slice(from, from + IDS).join(','), per_page: 100, orderby: 'id', order: 'asc', _fields: COMMENT_FIELDS };
    yield get('comments', `comments?${query(asked)}`, 200, { namespace: 'wp/v2' });
  }
}

/**
 * Yields all requests for a site with this content. All are read-only.
 * @param most maximum number of single items of each kind; 0: all
 */
export function* checkRequests(found: SiteSamples, most: number): Generator<CheckRequest> {
  const samples = samplesOf(found);
  for (const list of LISTS) yield* listRequests(list, found.totals[list]);
  for (const list of LISTS) yield* filterRequests(list, samples[list]);
  yield* singleRequests(found, most);
  yield* errorRequests();
  yield* optionRequests(found);
  yield get('doc', 'doc');
  yield* commentRequests(found);
}

export interface Side {
  client: SiteClient;
  live: LiveSite;
}

/** Finds a site. @throws DatasetError if it cannot be reached or has no calendar */
export async function sideOf(url: string, options: LiveClientOptions): Promise<Side> {
  const client = new SiteClient(options, url);
  return { client, live: await findSite(client, url) };
}

/** The URL of a route with its query. @param route relative to the REST root */
export function routeUrlOf({ live }: Side, route: string): string {
  const [path, asked] = route.split('?');
  return withQuery(routeUrl(live.root, path), asked);
}

const calendarUrl = (side: Side, route: string): string => routeUrlOf(side, `${side.live.namespace}/${route}`);

/** Sends a request to the calendar, or to another namespace. */
export const ask = (
  side: Side,
  { route, method, namespace }: Pick<CheckRequest, 'route' | 'method' | 'namespace'>,
): Promise<SiteResponse> =>
  side.client.fetch(
    namespace === undefined ? calendarUrl(side, route) : routeUrlOf(side, [namespace, route].filter((part) => part !== '').join('/')),
    {
      method,
      ...(namespace === TEC_NAMESPACE ? { headers: ACKNOWLEDGED } : {}),
    },
  );

/** Reads the lists of a site; the requests are derived from its content. */
export async function readLists(side: Side, progress: (what: string, done: number, total?: number) => void): Promise<SiteSamples> {
  const found: SiteSamples = {
    ...eachLinked(() => []),
    events: [],
    categories: [],
    tags: [],
    totals: { ...eachLinked(() => 0), events: 0, categories: 0, tags: 0 },
    eventSamples: {},
  };
  for (const list of LISTS) {
    const more = list === 'events' ? ALL_TIME : list === 'categories' || list === 'tags' ? 'hide_empty=0' : '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const route = `${list}?${more}${more === '' ? '' : '&'}per_page=${CHECK_PAGE}&page=${page}`;
      const response = await ask(side, { route, method: 'GET' });
      if (response.status !== 200) throw new DatasetError(calendarUrl(side, route), [responseProblem(response)]);
      const body = membersOf(response.json) ?? {};
      pages = Number(body['total_pages'] ?? 0);
      found.totals[list] = Number(body['total'] ?? 0);
      (found[list] as unknown[]).push(...[body[list] ?? []].flat());
      progress(`Reading ${list}`, found[list].length, found.totals[list]);
    }
  }
  return found;
}
