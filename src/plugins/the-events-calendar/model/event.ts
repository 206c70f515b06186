import { namesOf, recordOf } from '../../../base/values/records.js';
import { ORGANIZER, VENUE } from './names.js';
import tables from './fields.json' with { type: 'json' };
import type { FieldTables } from './field-tables.js';
import { cleanMetaText } from '../../../wordpress/formatting/sanitize.js';
import { metaValue, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { toBool } from '../../../base/php/cast.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';

/**
 * A field of an event, a venue or an organizer: where it is stored, how it is cleaned on write and how it is read. The tables of fields are
 * in `fields.json`, in the order in which `tribe/events/v1` shows them. Interfaces, formats, search and documents are derived from
 * them, so a new field is a new row.
 */
export type Field = TextField | FlagField | CoordinateField | RowsField;

interface Stored {
  /** Meta key of its rows. */
  key: string;
  /** Description, for argument tables. */
  description?: string;
  /** Description, for the definitions of `/doc`. */
  definition?: string;
  /** A value of it, for documents. */
  example?: string | boolean;
  /** Its column in CSV files: the title that the plugin documents, then other accepted ones. */
  csv?: readonly [title: string, ...also: string[]];
  /** Its name in datasets, if that differs. */
  datasetName?: string;
}

/** A text in one row. Its kind decides how interfaces validate it. */
export interface TextField extends Stored {
  kind: 'text' | 'url' | 'email';
  /** How a text is sanitized, if not like other meta. */
  clean?: (text: string) => string;
  searched?: true;
  /** The texts of the request that its stored value is computed from. */
  derive?: { from: readonly string[]; by: (sent: SentTexts) => string };
  /** Its name in `tec/v1`, if that differs. */
  entity?: string;
  /** TEC: whether it is shown even if a password protects the post. */
  unprotected?: true;
  /** Its JSON Schema format in `tec/v1`. */
  format?: 'tel' | 'uri' | 'email';
}

/** The texts of a request by field; undefined for those that are not sent. */
export type SentTexts = Readonly<Record<string, string | undefined>>;

/** A flag in one row. */
export interface FlagField extends Stored {
  kind: 'flag';
  /** The value that the plugin's API stores for true. */
  yes: string;
  /** The value that it stores for false; null: no row. */
  no: string | null;
  /** Whether it is true by default. */
  default: boolean;
  /** A second meta key with the same value (TEC). */
  alias?: string;
  /** The value that the plugin's editor and importers store for true, if that differs. */
  edited?: string;
}

/** Degrees in one row. No interface writes them. */
interface CoordinateField extends Stored {
  kind: 'coordinate';
  /** Maximum absolute value. */
  most: number;
}

/** Further rows: dates, amounts, ids. */
interface RowsField extends Stored {
  kind: 'date' | 'number' | 'amounts' | 'ids';
  /** Whether a creation requires it. */
  required?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * TEC: websites are cleaned as texts, not as addresses, and so lose `%XX`, tags and backslashes; the importer accepts only the first title in
 * `csv`; both flags of venues are kept under the event's key as well. Of the fields without a description, `event_status` is `canceled`,
 * `postponed` or empty, and `global_id_lineage` has the global ids of the sites that an event was imported from.
 */
const FIELD_TABLES = tables as unknown as FieldTables satisfies Readonly<Record<keyof FieldTables, Fields>>;

type NamesOf<Table extends Fields, Kind extends Field['kind']> = {
  [Name in keyof Table & string]: Table[Name]['kind'] extends Kind ? Name : never;
}[keyof Table & string];

export type TextNames<Table extends Fields> = NamesOf<Table, TextField['kind']>;

export type FlagNames<Table extends Fields> = NamesOf<Table, 'flag'>;

const isText = (field: Field): field is TextField => field.kind === 'text' || field.kind === 'url' || field.kind === 'email';

type NamedFields<T extends Field> = readonly (readonly [name: string, field: T])[];

/** The fields of a table that are of a type, in its order: found once for each table. */
function fieldsOf<T extends Field>(isOne: (field: Field) => field is T): (table: Fields) => NamedFields<T> {
  const known = new WeakMap<Fields, NamedFields<T>>();
  const find = (table: Fields): NamedFields<T> => {
    const found = Object.entries(table).flatMap(([name, field]): NamedFields<T> => (isOne(field) ? [[name, field]] : []));
    known.set(table, found);
    return found;
  };
  return (table) => known.get(table) ?? find(table);
}

/** The texts of a table, in its order. */
export const textFields = fieldsOf(isText);

/** The flags of a table, in its order. */
export const flagFields = fieldsOf((field): field is FlagField => field.kind === 'flag');

type WithMeta = Pick<Post, 'meta'>;

/** The stored text of a field, empty where there is none. */
export const readText = (post: WithMeta, { key }: Field): string => metaValue(post, key) ?? '';

/** A record of a value for each text of a table, in its order. */
export const eachText = <Table extends Fields, Value>(table: Table, make: (field: TextField) => Value): Record<TextNames<Table>, Value> =>
  Object.fromEntries(textFields(table).map(([name, field]) => [name, make(field)])) as Record<TextNames<Table>, Value>;

/** All texts of a table as they are stored, empty where there is none. */
export const readTexts = <Table extends Fields>(post: WithMeta, table: Table): Record<TextNames<Table>, string> =>
  eachText(table, (field) => readText(post, field));

/** The text that a write stores. */
export const cleanText = ({ clean = cleanMetaText }: TextField, text: string): string => clean(text);

/** The meta after a write of some texts: sent ones are replaced, and derived ones recomputed. */
export function writeTexts(meta: MetaRow[], fields: NamedFields<TextField>, sent: SentTexts, clean = cleanText): MetaRow[] {
  return fields.reduce((next, [name, field]) => {
    const text = field.derive ? field.derive.by(sent) : sent[name];
    return text === undefined ? next : withMeta(next, field.key, [clean(field, text)]);
  }, meta);
}

/** The rows of a field, one per value; none for values that are absent or empty. */
export const rowsOf = ({ key }: Field, ...values: (string | number | undefined)[]): MetaRow[] =>
  values.filter((value) => value !== undefined && value !== '').map((value) => ({ key, value: String(value) }));

const TRUTHY = ['1', 'enable', 'enabled', 'on', 'y', 'yes', 'true'];

/** TEC: the strings that mean true; other values are true unless they are empty. */
export const isTruthy = (value: unknown): boolean => (typeof value === 'string' ? TRUTHY.includes(value.toLowerCase()) : toBool(value));

/** TEC: flags that are true by default are false only for the values `''`, `0` and `false`. */
export function readFlag(post: Pick<Post, 'meta'>, { key, default: shown }: FlagField): boolean {
  const value = metaValue(post, key);
  if (!shown) return isTruthy(value);
  return value === undefined || !['', '0', 'false'].includes(value);
}

/** TEC: some flags are set if a row exists, with any value. */
export const hasRow = (post: Pick<Post, 'meta'>, { key }: FlagField): boolean => metaValue(post, key) !== undefined;

const keysOf = ({ key, alias: twin }: FlagField): string[] => (twin === undefined ? [key] : [key, twin]);

const stored = ({ yes, no }: FlagField, value: boolean): string[] => (value ? [yes] : no === null ? [] : [no]);

/** The meta after a flag was written. */
export const writeFlag = (meta: MetaRow[], field: FlagField, value: boolean): MetaRow[] =>
  keysOf(field).reduce((next, key) => withMeta(next, key, stored(field, value)), meta);

/** The rows of a flag as the plugin's editor and importers store them. */
export const flagRows = (field: FlagField, value: boolean): MetaRow[] => {
  const { edited = field.yes } = field;
  return stored({ ...field, yes: edited }, value).flatMap((text) => keysOf(field).map((key) => ({ key, value: text })));
};

/**
 * State or province of a venue. The plugin has two rules, both recorded:
 *
 * - Stored, on every write through either interface: the region itself if it is sent; else the state, for venues without a country or with
 *   `US` or `United States`; else the province. Only values of the request count (case `write-venue-update`: `{"state":"NY"}` for a venue in
 *   Norway stores `NY`). `tec/v1` leaves the region as it is where none of the four is sent.
 * - Shown, in addresses (JSON-LD, directions, iCalendar): the stored region; else the state, for `United States` alone; else the province
 *   (the same case: Norway, `NY` and `Oslo` without a region show `Oslo`).
 */
const REGION_FIELDS = ['stateprovince', 'state', 'province', 'country'] as const;

type RegionTexts = Record<(typeof REGION_FIELDS)[number], string>;

const UNITED_STATES = 'United States';

const countsStates = (country: string): boolean => ['', 'US', UNITED_STATES].includes(country);

/** The region that a write stores. TEC: the state is ignored for any other country, including `USA`. */
function regionOf({ stateprovince = '', state = '', province = '', country = '' }: SentTexts): string {
  return stateprovince || (countsStates(country) && state) || province;
}

/** The region that addresses show, from the stored texts. TEC: an empty country does not count as the United States here. */
export const shownRegion = (venue: RegionTexts): string => venue.stateprovince || ownRegion(venue);

/** The same as HTML. TEC: the stored region is not escaped, the state and the province are. */
export const regionHtml = (venue: RegionTexts): string => venue.stateprovince || escHtml(ownRegion(venue));

const ownRegion = ({ state, province, country }: RegionTexts): string => (country === UNITED_STATES ? state : province);

/** Whether a region from formats without separate fields is a state or a province. Common spellings of the United States count, too. */
export const regionField = (country = ''): 'state' | 'province' =>
  ['', 'us', 'usa', 'united states'].includes(country.toLowerCase()) ? 'state' : 'province';

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
