import { LINKED_KINDS, type LinkedKind } from '../../tec/linked.js';
import type { Event } from '../../types.js';

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** What is linked to an event, as the calendar API shows it. */
export type Linked = ItemOf<Event[LinkedKind]>;

/** Behind a password the name of a venue or organizer is an empty list (TEC). */
export const nameOf = (item: Linked, kind: LinkedKind): unknown => Reflect.get(item, kind);

/** Whether a password keeps the contents of an item back. The flags of an event are null then (TEC). */
export const isWithheld = (item: Event | Linked): boolean =>
  'all_day' in item ? item.all_day === null : LINKED_KINDS.some((kind) => Array.isArray(nameOf(item, kind)));
