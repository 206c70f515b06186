import { FIELD_TABLES, REGION_FIELDS, regionOf, type Fields, type RowsField } from './field.js';
import { namesOf, recordOf } from '../../../base/values/records.js';
import { ORGANIZER, VENUE } from './names.js';

/** The fields of an event that are kept in its meta. */
export const EVENT_FIELDS = FIELD_TABLES.event;

export const VENUE_FIELDS = {
  ...FIELD_TABLES.venue,
  stateprovince: { ...FIELD_TABLES.venue.stateprovince, derive: { from: REGION_FIELDS, by: regionOf } },
} as const satisfies Fields;

export const ORGANIZER_FIELDS = FIELD_TABLES.organizer;

/** A linked post type, and how events and the interfaces refer to it. */
interface Linked {
  type: string;
  /** Name of its collection, and of the column of an event that holds the ids. */
  column: string;
  /** Whether an event can have several. */
  many: boolean;
  /** The rows of an event that hold the ids. */
  link: RowsField;
  /** Description of the filter of events by it, for argument tables. */
  filter: string;
  fields: Fields;
  /** Meta key of the origin of a post. */
  origin: string;
}

/** The linked kinds. TEC: events name them in this order. Interfaces, formats, columns and indexes are made from these rows. */
export const LINKED = {
  // TEC: an event has one venue.
  venue: {
    type: VENUE,
    column: 'venues',
    many: false,
    link: EVENT_FIELDS.venue,
    filter: 'Only events at any of these venues, by ID.',
    fields: VENUE_FIELDS,
    origin: '_VenueOrigin',
  },
  organizer: {
    type: ORGANIZER,
    column: 'organizers',
    many: true,
    link: EVENT_FIELDS.organizer,
    filter: 'Only events of any of these organizers, by ID.',
    fields: ORGANIZER_FIELDS,
    origin: '_OrganizerOrigin',
  },
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

/** Where an event came from (TEC). */
export const EVENT_ORIGIN = '_EventOrigin';

/** The origin of items that were created by hand. */
export const OWN_ORIGIN = 'events-calendar';

/** How many tickets an event has. */
export const TICKET_CAPACITY = '_tribe_ticket_capacity';
export const UNLIMITED = '-1';

/** Rows that the ticket plugin keeps with events that have tickets. */
export const TICKET_KEYS = ['_tribe_default_ticket_provider', TICKET_CAPACITY, '_tribe_ticket_use_global_stock'] as const;
