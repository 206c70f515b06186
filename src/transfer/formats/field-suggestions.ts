import { suggest } from '../../base/text/suggest.js';
import MEANINGS from './field-suggestions.json' with { type: 'json' };

/** Normalizes the spelling of a name: `endDate`, `end_date` and `End date` are the same. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The names of fields in other calendars and APIs. */
const FIELDS: Readonly<Record<string, string>> = MEANINGS.fields;

/** The field names for a name in the table, the likeliest first. */
const MEANT = new Map<string, string[]>();
for (const [field, others] of Object.entries(FIELDS))
  for (const other of others.split(' ')) MEANT.set(other, [...(MEANT.get(other) ?? []), field]);

/** The field that was most likely meant by an unknown one. @param known the existing fields */
export const fieldMeant = (name: string, known: readonly string[]): string | undefined => {
  const key = plain(name);
  return known.find((field) => plain(field) === key) ?? MEANT.get(key)?.find((field) => known.includes(field)) ?? suggest(name, known);
};

/** The right form of a list, an object, a reference or a status, to append to a message. Those below an item or the site have a period before their names. */
export function formHint(path: string, message: string): string {
  const other = /^must be one of publish, .* not "(\w+)"$/.exec(message)?.[1] ?? '';
  if (Object.hasOwn(MEANINGS.values, other)) return `. For an event, write ${(MEANINGS.values as Record<string, string>)[other]}`;
  const name = path.slice(Math.max(0, path.lastIndexOf('.'))).replace(/\[\d+\]$/, '[]');
  const isForm = /^must be (?:a list|an object|a string)$/.test(message) && Object.hasOwn(MEANINGS.forms, name);
  return isForm ? `, such as ${(MEANINGS.forms as Record<string, string>)[name]}` : '';
}

/** The suggestion for an unknown field, to append to the message. @param isOfFile whether it is beside the lists of a file */
export function fieldHint(name: string, known: readonly string[], isOfFile = false): string {
  if (isOfFile && Object.hasOwn(MEANINGS.elsewhere, name)) return `. Write ${(MEANINGS.elsewhere as Record<string, string>)[name]}`;
  const meant = fieldMeant(name, known);
  return meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
}

/** Cities without a time zone of the same name, and other names of cities. */
const CITIES: Readonly<Record<string, string>> = MEANINGS.cities;

const ZONE_OF_CITY = new Map(Object.entries(CITIES).flatMap(([zone, cities]) => cities.split(' ').map((city) => [city, zone] as const)));

/** The time zone that was most likely meant by a name or a city. @param zones the existing names */
export function zoneMeant(name: string, zones: readonly string[]): string | undefined {
  const city = plain(name.split('/').at(-1) ?? '');
  const sameCity = zones.find((zone) => plain(zone.split('/').at(-1) ?? '') === city);
  return ZONE_OF_CITY.get(city) ?? sameCity ?? suggest(name, zones);
}
