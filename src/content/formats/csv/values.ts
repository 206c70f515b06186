import { parseDate } from '../../../php/strtotime.js';
import { epochOf, wallAt, zoneOf } from '../../../wp/timezones.js';

/** Values of cells. Readers give undefined for what they do not understand. */

const YES = ['1', 'true', 'yes', 'on', 'y', 'x'];
const NO = ['', '0', 'false', 'no', 'off', 'n'];

export function readFlag(text: string): boolean | undefined {
  const value = text.trim().toLowerCase();
  if (YES.includes(value)) return true;
  return NO.includes(value) ? false : undefined;
}

/** Names with commas between them; one that has a comma itself stands in quotes, as cells do. */
export function readList(text: string): string[] {
  const items = text.match(/\s*(?:"(?:[^"]|"")*"\s*(?=,|$)|[^,]*)(?:,|$)/g) ?? [];
  return items
    .map((item) => item.replace(/,$/, '').trim())
    .map((item) => (/^"[^]*"$/.test(item) && item.length > 1 ? item.slice(1, -1).replaceAll('""', '"') : item))
    .filter((item) => item !== '');
}

export const writeList = (items: readonly string[]): string =>
  items.map((item) => (/[,"]|^\s|\s$/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(', ');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Letters of PHP's date formats, as far as dates in tables use them. */
const LETTERS: Readonly<Record<string, string>> = {
  d: '(?<day>\\d{1,2})',
  j: '(?<day>\\d{1,2})',
  m: '(?<month>\\d{1,2})',
  n: '(?<month>\\d{1,2})',
  M: '(?<name>[a-z]{3})[a-z]*\\.?',
  F: '(?<name>[a-z]{3})[a-z]*\\.?',
  Y: '(?<year>\\d{4})',
  y: '(?<year>\\d{2})',
  D: '[a-z]+\\.?',
  l: '[a-z]+\\.?',
  S: '(?:st|nd|rd|th)',
};

/**
 * A date format in PHP's letters (`d/m/Y`, `j. n. Y`, `F j, Y`) as a pattern for the date at the start of a text; a time may follow.
 * Undefined when it does not name a day, a month and a year.
 */
export function dateFormat(format: string): RegExp | undefined {
  const parts = Array.from(format, (letter) => LETTERS[letter] ?? (/\s/.test(letter) ? '\\s*' : letter.replace(/[^\w\s]/, '\\$&')));
  const source = parts.join('');
  const once = (group: string): boolean => source.split(`(?<${group}>`).length === 2;
  const complete = once('day') && once('year') && once('month') !== once('name');
  return complete ? new RegExp(`^\\s*${source}`, 'i') : undefined;
}

/** Puts a date of a format into the form that all readers understand; undefined when it is not of the format. */
export function fromFormat(text: string, format: RegExp): string | undefined {
  const found = format.exec(text);
  if (!found?.groups) return undefined;
  const { day, month, year, name } = found.groups as Record<string, string | undefined>;
  const number = month === undefined ? MONTHS.indexOf((name ?? '').toLowerCase()) + 1 : Number(month);
  // WP: years of two digits are those of PHP, 70 to 69.
  const full = year?.length === 2 ? (Number(year) < 70 ? 2000 : 1900) + Number(year) : Number(year);
  const dayNumber = Number(day);
  const last = new Date(Date.UTC(full, number, 0)).getUTCDate();
  if (number < 1 || number > 12 || dayNumber < 1 || dayNumber > last) return undefined;
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${full}-${pad(number)}-${pad(dayNumber)}${text.slice(found[0].length)}`;
}

/** The reader of dates of a file. */
export interface DateReading {
  now: number;
  timezone: string;
  format?: RegExp;
}

/** What PHP's grammar would take for zones or for the present is no date in a table. */
const LOOKS_LIKE_DATE = /\d|\b(?:today|tomorrow|yesterday|next|last|first|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i;

/** The wall time of a date, with or without a time of day in it, or undefined. TEC: `8/1/2026` has the month first, `1-8-2026` the day. */
export function readDay(text: string, { now, timezone, format }: DateReading): string | undefined {
  const stated = format ? fromFormat(text, format) : text;
  if (stated === undefined || !LOOKS_LIKE_DATE.test(stated)) return undefined;
  const zone = zoneOf(timezone);
  const date = parseDate(stated, { now, zone: zone.name });
  return date ? wallAt(date.epoch, zone) : undefined;
}

const CLOCK_TIME = /^\s*(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2}))?)?\s*(?:h|uhr)?\s*([ap])?\.?\s*(?:m\.?)?\s*$/i;

/** A time of day as `HH:MM:SS`: `19:30`, `7:30 pm`, `7pm`, `19.30 Uhr`, `19:30:15`. */
export function readTime(text: string): string | undefined {
  const found = CLOCK_TIME.exec(text);
  if (!found) return undefined;
  const [, hourText, minute = '00', second = '00', half] = found;
  const hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const full = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (full > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${String(full).padStart(2, '0')}:${minute}:${second}`;
}

/** Whether a wall time is one that the database can hold. */
export const isWall = (text: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) && epochOf(text, zoneOf('UTC')) !== null;
