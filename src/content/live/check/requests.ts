import type { Event, Organizer, Term, Venue } from '../../../types.js';

/** A request that only reads. */
export interface CheckRequest {
  group: CheckGroup;
  method: 'GET' | 'HEAD' | 'OPTIONS';
  /** Below the namespace of the calendar: `events/12?context=view`. */
  route: string;
  /** What it must be answered with, by the published rules. */
  status: number;
  /** The answer depends on the moment of asking. */
  clock?: true;
}

export const GROUPS = ['lists', 'filters', 'singles', 'terms', 'errors', 'options', 'doc'] as const;
export type CheckGroup = (typeof GROUPS)[number];

/** Content of a site from which requests are made. */
export interface Found {
  events: Event[];
  venues: Venue[];
  organizers: Organizer[];
  categories: Term[];
  tags: Term[];
  totals: Record<ListName, number>;
}

export const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
export type ListName = (typeof LISTS)[number];

/** Dates that leave nothing out: without them lists of events have a window of their own. A day is left for zones on either side. */
export const ALL_TIME = 'start_date=1000-01-02&end_date=9999-12-30';
export const PAGE = 50;

const query = (parameters: Record<string, string | number>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const firstWord = (text: string): string | undefined => /[\p{L}\d]{4,}/u.exec(text.replace(/<[^>]*>|&[^;]+;/g, ' '))?.[0];

/** Values worth asking for, for every parameter of the lists. A parameter without any is asked for with none. */
export type Samples = Readonly<Record<string, readonly (string | number)[]>>;

const some = <T>(...values: (T | undefined)[]): T[] => values.filter((value) => value !== undefined);

// TEC: a number is always an id, also where it is the slug of a term.
const slugsOf = (terms: readonly Term[]): string[] => {
  const slugs = terms.map(({ slug }) => slug).filter((slug) => !/^\d+$/.test(slug));
  return [...new Set([...slugs.slice(0, 1), ...slugs.slice(-1)])];
};

function eventSamples({ events, venues, organizers, categories, tags }: Found): Samples {
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
    venue: [...some<number>(venues[0]?.id, venues.at(-1)?.id), ...(venues.length > 1 ? [`${venues[0].id},${venues[1].id}`] : [])],
    organizer: some<number>(organizers[0]?.id, organizers.at(-1)?.id),
    featured: ['true', 'false'],
    status: ['publish'],
    geoloc: ['false'],
    geoloc_lat: [],
    geoloc_lng: [],
    include: [...some<number>(first?.id), ...(middle && last ? [`${last.id},${middle.id}`] : [])],
    post_parent: some(middle?.id),
    ticketed: ['false'],
  };
}

function linkedSamples(items: readonly (Venue | Organizer)[], { events }: Found): Samples {
  const names = items.map((item) => ('venue' in item ? item.venue : (item as Organizer).organizer));
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

function termSamples(terms: readonly Term[], { events }: Found): Samples {
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
export const samplesOf = (found: Found): Readonly<Record<ListName, Samples>> => ({
  events: eventSamples(found),
  venues: linkedSamples(found.venues, found),
  organizers: linkedSamples(found.organizers, found),
  categories: termSamples(found.categories, found),
  tags: termSamples(found.tags, found),
});

const get = (group: CheckGroup, route: string, status = 200, more: Partial<CheckRequest> = {}): CheckRequest => ({
  group,
  method: 'GET',
  route,
  status,
  ...more,
});

/** Parameters whose answers follow the clock, or have a window of dates that does. */
const BY_CLOCK = new Set(['include', 'only_with_upcoming']);
const DATES = new Set(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']);

function* listRequests(list: ListName, total: number): Generator<CheckRequest> {
  const isEvents = list === 'events';
  const isTerms = list === 'categories' || list === 'tags';
  yield get('lists', list, 200, isEvents ? { clock: true } : {});
  const everything = isEvents ? `${ALL_TIME}&` : isTerms ? 'hide_empty=0&' : '';
  const pages = Math.max(1, Math.ceil(total / PAGE));
  for (let page = 1; page <= pages; page += 1) yield get('lists', `${list}?${everything}per_page=${PAGE}&page=${page}`);
  yield get('errors', `${list}?${everything}per_page=${PAGE}&page=${pages + 1}`, isTerms ? 200 : 404);
}

function* filterRequests(list: ListName, samples: Samples): Generator<CheckRequest> {
  for (const [name, values] of Object.entries(samples)) {
    for (const value of values) {
      const asked = query({ [name]: value });
      const isDated = list === 'events' && !BY_CLOCK.has(name);
      const window = isDated && !DATES.has(name) ? `&${ALL_TIME}` : '';
      // One end of the window alone leaves the other to the clock.
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

/** Which of some items are looked at one by one: all, or so many spread over them. */
export function spread<T>(items: readonly T[], most: number): T[] {
  if (most <= 0 || items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]);
}

const NOWHERE = 999_999_999;

const isOpen = (item: Event | Venue | Organizer): boolean =>
  'all_day' in item ? item.all_day !== null : !Array.isArray('venue' in item ? item.venue : (item as Organizer).organizer);

function* singleRequests(found: Found, most: number): Generator<CheckRequest> {
  for (const list of ['events', 'venues', 'organizers'] as const) {
    for (const item of spread<Event | Venue | Organizer>(found[list], most)) {
      const status = list === 'events' && !isOpen(item) ? 403 : 200;
      yield get('singles', `${list}/${item.id}`, status);
      if (item.slug) yield get('singles', `${list}/by-slug/${item.slug}`, status);
    }
  }
  for (const list of ['categories', 'tags'] as const) for (const { id } of spread(found[list], most)) yield get('terms', `${list}/${id}`);
}

function* errorRequests(): Generator<CheckRequest> {
  yield get('errors', `events/${NOWHERE}`, 404);
  yield get('errors', 'events/by-slug/no-such-event-anywhere', 400);
  for (const list of ['venues', 'organizers'] as const) {
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
    `venue=${NOWHERE}`,
    `organizer=${NOWHERE}`,
    'status=draft',
  ])
    yield get('errors', `events?${bad}`, 400);
  for (const list of ['venues', 'organizers'] as const) yield get('errors', `${list}?event=${NOWHERE}`, 400);
  yield get('errors', 'no-such-route', 404);
}

function* optionRequests({ events, venues }: Found): Generator<CheckRequest> {
  const ask = (route: string, method: 'OPTIONS' | 'HEAD'): CheckRequest => ({ group: 'options', method, route, status: 200 });
  for (const list of LISTS) yield ask(list, 'OPTIONS');
  for (const { id } of events.slice(0, 1)) yield ask(`events/${id}`, 'OPTIONS');
  for (const { id } of venues.slice(0, 1)) yield ask(`venues/${id}`, 'HEAD');
  yield ask(`events?${ALL_TIME}`, 'HEAD');
}

/**
 * Everything that is asked of a site that has this content. Nothing of it changes anything.
 * @param most single items of each kind at most; 0: all
 */
export function* checkRequests(found: Found, most: number): Generator<CheckRequest> {
  const samples = samplesOf(found);
  for (const list of LISTS) yield* listRequests(list, found.totals[list]);
  for (const list of LISTS) yield* filterRequests(list, samples[list]);
  yield* singleRequests(found, most);
  yield* errorRequests();
  yield* optionRequests(found);
  yield get('doc', 'doc');
}
