import { LINKED, LINKED_KINDS, eachLinked, type LinkColumn, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import type { Event, Term } from '../../../sdk/types/responses.js';
import { nameOf, type LinkedOnSite } from '../items.js';

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

export const LISTS: readonly ListName[] = ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column), 'categories', 'tags'];

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
export const samplesOf = (found: SiteSamples): Readonly<Record<ListName, Samples>> => ({
  events: eventSamples(found),
  ...eachLinked((kind) => linkedSamples(kind, found)),
  categories: termSamples(found.categories, found),
  tags: termSamples(found.tags, found),
});
