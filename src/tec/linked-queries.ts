import { ANY_TEXT } from '../store/indexes.js';
import { VENUE } from './names.js';
import type { Store } from '../wp/store.js';
import type { LinkColumn } from './linked.js';

/** Mean radius of the earth, metres. */
const EARTH_RADIUS = 6_371_008.8;

type EventFilter = Parameters<Store['posts']['countDocuments']>[0] & object;

/** Ids of what the events that meet a condition are linked to. */
export async function linkedTo(store: Store, column: LinkColumn, events: EventFilter): Promise<number[]> {
  const ids = await store.posts.distinct(column, events);
  return ids.filter((id) => id !== undefined);
}

/** Ids of all posts of a type, read from their index alone. */
export async function idsOfType(store: Store, type: string): Promise<number[]> {
  const found = await store.posts.find({ type, date: ANY_TEXT }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** When the last of the events that meet a condition starts, by the id of what they are linked to. */
export async function lastStarts(store: Store, column: LinkColumn, events: EventFilter): Promise<Map<number, string>> {
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
