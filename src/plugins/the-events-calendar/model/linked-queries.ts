import { LONGEST_SEARCH } from '../../../wordpress/query/search.js';
import { foldForSearch } from '../../../wordpress/formatting/accents.js';
import type { SearchClause } from '../../../wordpress/query/post-query.js';
import { ANY_TEXT } from '../../../database/store/indexes.js';
import { EVENT, VENUE } from './names.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { TYPE_OF_COLUMN, type LinkColumn } from './event.js';
import { pageSize } from './options.js';
import type { Site } from '../../../wordpress/site.js';
import type { Store } from '../../../wordpress/store.js';

/** Mean radius of the earth, metres. */
const EARTH_RADIUS = 6_371_008.8;

type EventFilter = Parameters<Store['posts']['countDocuments']>[0] & object;

/** Ids of the linked posts of the events that meet a condition. */
async function linkedTo(store: Store, column: LinkColumn, events: EventFilter): Promise<number[]> {
  const ids = await store.posts.distinct(column, events);
  return ids.filter((id) => id !== undefined);
}

/** Ids of all posts of a type, read from their index alone. */
async function idsOfType(store: Store, type: string): Promise<number[]> {
  const found = await store.posts.find({ type, date: ANY_TEXT }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** Start of the last event that meets a condition, by the id of the linked post. */
async function lastStarts(store: Store, column: LinkColumn, events: EventFilter): Promise<Map<number, string>> {
  const rows = await store.aggregate<{ _id: number; last: string | null }>('posts', [
    { $match: events },
    { $unwind: `$${column}` },
    { $group: { _id: `$${column}`, last: { $max: '$occurrence.start' } } },
  ]);
  return new Map(rows.map(({ _id, last }) => [_id, last ?? '']));
}

/** Ids of the venues around a point (degrees, metres), or without one of all that have coordinates. */
export async function venuesAround(store: Store, lat?: number, lng?: number, radius = 0): Promise<number[]> {
  const area =
    lat === undefined || lng === undefined ? { $exists: true } : { $geoWithin: { $centerSphere: [[lng, lat], radius / EARTH_RADIUS] } };
  const found = await store.posts.find({ type: VENUE, location: area } as EventFilter, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** Ids of linked posts with events. TEC: all events count but drafts and pending ones; also past, hidden and trashed ones. */
export const idsWithEvents = (store: Store, column: LinkColumn): Promise<number[]> =>
  store.cache.remember(`${column} with events`, () => linkedTo(store, column, { type: EVENT, status: { $nin: ['draft', 'pending'] } }));

/** The same with all events. TEC: as the lists of `tec/v1` count them. */
export const idsWithAnyEvents = (store: Store, column: LinkColumn): Promise<number[]> =>
  store.cache.remember(`${column} with any events`, () => linkedTo(store, column, { type: EVENT }));

/** Ids of those without events, which are usually fewer, so that a list need not skip the others. */
export const idsWithoutEvents = (store: Store, column: LinkColumn): Promise<number[]> =>
  store.cache.remember(`${column} without events`, async () => {
    const used = new Set(await idsWithEvents(store, column));
    return (await idsOfType(store, TYPE_OF_COLUMN[column])).filter((id) => !used.has(id));
  });

/** The linked posts of the first page of upcoming events. TEC: "now" is the time in UTC, read as site time. */
async function idsOnFirstPage(site: Site, column: LinkColumn, statuses: readonly string[]): Promise<number[]> {
  const events = await listPosts(site.store, {
    type: EVENT,
    listed: true,
    statuses,
    dates: [{ column: 'start', operator: '$gte', value: site.nowUtc }],
    sort: 'start',
    limit: pageSize(site.options),
    offset: 0,
  });
  return [...new Set(events.flatMap((event) => event[column] ?? []))];
}

/** Ids of the linked posts of upcoming events. @param statuses allowed statuses of the events */
export async function idsWithUpcoming(site: Site, column: LinkColumn, statuses: readonly string[]): Promise<number[]> {
  if (site.quirks.has('upcoming-looks-at-first-page')) return idsOnFirstPage(site, column, statuses);
  const { store } = site;
  const last = await store.cache.remember(`${column} until ${statuses.join()}`, () =>
    lastStarts(store, column, { type: EVENT, hidden: false, status: { $in: [...statuses] } }),
  );
  return [...last].filter(([, start]) => start >= site.nowLocal).map(([id]) => id);
}

/**
 * The terms of a search for venues or organizers (TEC): runs of ASCII letters, digits and hyphens, all in one field. Null if there is none,
 * or if they are longer than any search (WP): such a search finds nothing.
 */
export function parseLinkedSearch(input: string): SearchClause | null {
  const words = [...new Set(input.split(/[^A-Za-z0-9-]+/))].filter((word) => word !== '' && word !== '0');
  return words.length === 0 || words.join(' ').length > LONGEST_SEARCH
    ? null
    : { words: words.map(foldForSearch), without: [], inOneField: true };
}
