import { LINKED_KINDS, type LinkedKind } from '../../plugins/the-events-calendar/model/event.js';
import type { Event } from '../../sdk/types/responses.js';

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** A linked post of an event, as the calendar API shows it. */
export type LinkedOnSite = ItemOf<Event[LinkedKind]>;

/** The name of a linked post. TEC: an empty array if it is password-protected. */
export const nameOf = (item: LinkedOnSite, kind: LinkedKind): unknown => Reflect.get(item, kind);

/** Whether the content of an item is withheld because of a password. TEC: the flags of such an event are null. */
export const isWithheldItem = (item: Event | LinkedOnSite): boolean =>
  'all_day' in item ? item.all_day === null : LINKED_KINDS.some((kind) => Array.isArray(nameOf(item, kind)));
