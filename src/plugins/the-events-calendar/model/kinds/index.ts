import { ORGANIZER_KIND } from './organizer.js';
import { VENUE_KIND } from './venue.js';
import type { Linked } from './kind.js';
import { namesOf, recordOf } from '../../../../base/values/records.js';

/** The linked kinds. TEC: events name them in this order. Interfaces, formats, columns and indexes are made from these rows. */
export const LINKED = {
  venue: VENUE_KIND,
  organizer: ORGANIZER_KIND,
} as const satisfies Record<string, Linked>;

export type LinkedKind = keyof typeof LINKED;

export const LINKED_KINDS = namesOf(LINKED);

/** A record of a value for each linked kind, by its name. */
export const eachKind = <Value>(make: (kind: LinkedKind) => Value): Record<LinkedKind, Value> => recordOf(LINKED_KINDS, make);

/** A record of a value for each linked kind, by its collection. */
export const eachLinked = <Value>(make: (kind: LinkedKind) => Value, kinds = LINKED_KINDS): Record<LinkColumn, Value> =>
  Object.fromEntries(kinds.map((kind) => [LINKED[kind].column, make(kind)])) as Record<LinkColumn, Value>;

export const LINKED_TYPES: readonly string[] = LINKED_KINDS.map((kind) => LINKED[kind].type);

/** The column of an event with the ids of its linked posts. */
export type LinkColumn = (typeof LINKED)[LinkedKind]['column'];

/** The post type behind each column. */
export const TYPE_OF_COLUMN: Record<LinkColumn, string> = eachLinked((kind) => LINKED[kind].type);

/** The rows of an event that hold the ids, by the kind that they link to. */
export const LINK_FIELDS = recordOf(LINKED_KINDS, (kind) => LINKED[kind].link) as {
  [Kind in LinkedKind]: (typeof LINKED)[Kind]['link'];
};
