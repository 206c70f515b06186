import { UTC, type Zones } from '../base/php/timezone.js';
import { abbreviation, wallAt } from '../wordpress/timezones.js';
import type { MetaRow, Post } from '../wordpress/model.js';
import { utcTimes } from '../plugins/the-events-calendar/model/dates.js';
import {
  EVENT_FIELDS,
  LINKED,
  type LinkedKind,
  flagFields,
  readText,
  rowsOf,
  textFields,
  type Field,
  type Fields,
  type SentTexts,
  flagRows,
  hasRow,
  readFlag,
} from '../plugins/the-events-calendar/model/event.js';

/** Field values by field name; `fieldRows` converts them to meta rows. */
export type FieldValues = Readonly<Record<string, Value | readonly (string | number)[] | undefined>>;
export type Value = string | number | boolean;

export const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

/** Converts values to meta rows. Undefined and empty values have no row, except for derived texts. */
export const fieldRows = (table: Fields, values: FieldValues): MetaRow[] =>
  Object.entries(table).flatMap(([name, field]) => {
    const value = values[name];
    if (value === undefined) return [];
    if (typeof value === 'boolean') return field.kind === 'flag' ? flagRows(field, value) : [];
    if ('derive' in field) return [{ key: field.key, value: String(value) }];
    return rowsOf(field, ...[value].flat());
  });

/** Completes the values of a new post: default flags and derived texts. */
export function withFieldDefaults(table: Fields, values: FieldValues): FieldValues {
  const text = (name: string): string | undefined => (values[name] === undefined ? undefined : String(values[name]));
  const texts = textFields(table);
  const sent: SentTexts = Object.fromEntries(texts.map(([name]) => [name, text(name)]));
  return {
    ...Object.fromEntries(flagFields(table).map(([name, { default: shown }]) => [name, shown])),
    ...values,
    ...Object.fromEntries(texts.flatMap(([name, { derive }]) => (derive ? [[name, derive.by(sent)]] : []))),
  };
}

/** The fields of a table, with the name that formats use for each. */
export const formatFields = (table: Fields): { name: string; formatName: string; field: Field }[] =>
  Object.entries(table).map(([name, field]) => ({ name, formatName: field.datasetName ?? name, field }));

/** The fields that CSV and iCalendar files can contain. */
export const exchangedFields = (table: Fields): { name: string; formatName: string; field: Field }[] =>
  formatFields(table).filter(({ field }) => field.csv !== undefined);

/** Whether a flag is set. TEC: a flag that is off by default is on as soon as it has a row, with any value. */
export const isSet = (post: Pick<Post, 'meta'>, field: Extract<Field, { kind: 'flag' }>): boolean =>
  field.default ? readFlag(post, field) : hasRow(post, field);

/** The text of a field, derived from other fields if it has no row. */
export function fieldText(post: Pick<Post, 'meta'>, table: Fields, field: Field): string {
  const stored = readText(post, field);
  if (stored !== '' || !('derive' in field) || !field.derive) return stored;
  return field.derive.by(Object.fromEntries(textFields(table).map(([name, other]) => [name, readText(post, other)])));
}

/** Start and end of an event as local times, `YYYY-MM-DD HH:MM:SS`, in a time zone. */
export interface WallTimes {
  start: string;
  end: string;
  timezone: string;
  allDay: boolean;
  /** The same in UTC, epoch seconds, if the source says it: a local time can occur twice. Absent: as the zone data has it. */
  instants?: { start: number; end: number };
}

/** The event field values of start, end and time zone. */
export function timeValues({ start, end, timezone, allDay, instants }: WallTimes, zones: Zones): FieldValues {
  const { startUtc, endUtc, duration } = instants
    ? { startUtc: wallAt(instants.start, UTC), endUtc: wallAt(instants.end, UTC), duration: instants.end - instants.start }
    : utcTimes(start, end, timezone, zones);
  return {
    all_day: allDay,
    start_date: start,
    end_date: end,
    utc_start_date: startUtc,
    utc_end_date: endUtc,
    duration,
    timezone,
    timezone_abbr: abbreviation(zones, timezone, start),
  };
}

/** The local times of a stored event; empty strings if it has none. */
export const wallTimesOf = (post: Pick<Post, 'meta'>): WallTimes => ({
  start: readText(post, EVENT_FIELDS.start_date),
  end: readText(post, EVENT_FIELDS.end_date),
  timezone: readText(post, EVENT_FIELDS.timezone),
  allDay: readFlag(post, EVENT_FIELDS.all_day),
});

/** The name that formats use for a link of an event: `venue`, `organizers`. */
export function linkName(kind: LinkedKind): string {
  const link: Field = LINKED[kind].link;
  return link.datasetName ?? kind;
}

/** The currency of an item or of the site. */
export interface DatasetCurrencyOf {
  symbol?: string;
  code?: string;
  position?: 'prefix' | 'postfix';
}

/** A stored price: the cost rows, and the currency if known. */
interface Price extends DatasetCurrencyOf {
  values: string[];
}

const SYMBOL_FIRST = /(\p{Sc})\s*\d/u;
const SYMBOL_LAST = /\d\s*(\p{Sc})/u;

/**
 * Reads the price of an event: a number, a string or several of them. A currency symbol next to an amount (`€12`, `100 ₹`) sets the
 * currency unless `currency` does; other currencies (`kr`, `CHF`) are not recognized and must be set.
 */
export function readPrice(cost: unknown, currency: DatasetCurrencyOf = {}): Price {
  const values = [cost]
    .flat()
    .filter((value) => value !== undefined && value !== '')
    .map(String);
  const first = values.map((value) => SYMBOL_FIRST.exec(value)?.[1]).find((symbol) => symbol !== undefined);
  const last = values.map((value) => SYMBOL_LAST.exec(value)?.[1]).find((symbol) => symbol !== undefined);
  if (first !== undefined) return { values, symbol: first, position: 'prefix', ...currency };
  if (last !== undefined) return { values, symbol: last, position: 'postfix', ...currency };
  return { values, ...currency };
}

export function priceValues(cost: unknown, currency: DatasetCurrencyOf = {}): FieldValues {
  const { values, symbol, code, position } = readPrice(cost, currency);
  return { cost: values, currency_symbol: symbol, currency_code: code, currency_position: position };
}
