import { UTC, type Zones } from '../../../base/php/timezone.js';
import { parseDate } from '../../../base/php/strtotime.js';
import { lookup } from '../../../base/values/records.js';
import { epochOf, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import letters from './date-letters.json' with { type: 'json' };

/** Parsers of cell values. They return undefined for invalid text. */

const YES = ['1', 'true', 'yes', 'on', 'y', 'x', 'ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero', 'sim', 'verdadeiro'];
const NO = ['', '0', 'false', 'no', 'off', 'n', 'nein', 'falsch', 'non', 'faux', 'falso', 'não', 'nao'];

export function readFlagText(text: string): boolean | undefined {
  const value = text.trim().toLowerCase();
  if (YES.includes(value)) return true;
  return NO.includes(value) ? false : undefined;
}

/** Parses comma-separated names; names that contain commas are quoted, as cells are. */
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

/** PHP: the supported letters of date formats. */
const LETTERS: Readonly<Record<string, string>> = lookup(letters);

/**
 * Converts a PHP date format (`d/m/Y`, `j. n. Y`, `F j, Y`) to a pattern for the date at the start of a text; a time may follow.
 * @returns undefined if the format lacks a day, a month or a year
 */
export function dateFormat(format: string): RegExp | undefined {
  const parts = Array.from(format, (letter) => LETTERS[letter] ?? (/\s/.test(letter) ? '\\s*' : letter.replace(/[^\w\s]/, '\\$&')));
  const source = parts.join('');
  const once = (group: string): boolean => source.split(`(?<${group}>`).length === 2;
  const complete = once('day') && once('year') && once('month') !== once('name');
  return complete ? new RegExp(`^\\s*${source}`, 'i') : undefined;
}

/** Converts a date of a given format to `YYYY-MM-DD`. @returns undefined if it does not match the format */
function fromFormat(text: string, format: RegExp): string | undefined {
  const found = format.exec(text);
  if (!found?.groups) return undefined;
  const { day, month, year, name } = found.groups as Record<string, string | undefined>;
  const number = month === undefined ? MONTHS.indexOf((name ?? '').toLowerCase()) + 1 : Number(month);
  // PHP: two-digit years are 1970 to 2069.
  const full = year?.length === 2 ? (Number(year) < 70 ? 2000 : 1900) + Number(year) : Number(year);
  const dayNumber = Number(day);
  const last = new Date(Date.UTC(full, number, 0)).getUTCDate();
  if (number < 1 || number > 12 || dayNumber < 1 || dayNumber > last) return undefined;
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${full}-${pad(number)}-${pad(dayNumber)}${text.slice(found[0].length)}`;
}

/** How to read the dates of a file. */
interface DateReading {
  now: number;
  timezone: string;
  zones: Zones;
  format?: RegExp;
}

/** Excludes text that PHP's grammar would read as a time zone or as the current time. */
const LOOKS_LIKE_DATE = /\d|\b(?:today|tomorrow|yesterday|next|last|first|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i;

/** Parses a date with or without a time of day. @returns local time or undefined. TEC: `8/1/2026` is month first, `1-8-2026` day first. */
export function readDay(text: string, { now, timezone, zones, format }: DateReading): string | undefined {
  const stated = format ? fromFormat(text, format) : text;
  if (stated === undefined || !LOOKS_LIKE_DATE.test(stated)) return undefined;
  const zone = zoneOf(zones, timezone);
  const date = parseDate(stated, { now, zones, zone: zone.name });
  return date ? wallAt(date.epoch, zone) : undefined;
}

const CLOCK_TIME = /^(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2}))?)? ?(?:h|uhr)? ?([ap])?\.? ?(?:m\.?)?$/i;

/** Parses a time of day, such as `19:30`, `7:30 pm`, `7pm`, `19.30 Uhr`, `19:30:15`. @returns `HH:MM:SS` */
export function readTime(text: string): string | undefined {
  // Spaces that several parts of the pattern could take would be tried in every combination.
  const found = CLOCK_TIME.exec(text.trim().replace(/\s+/g, ' '));
  if (!found) return undefined;
  const [, hourText, minute = '00', second = '00', half] = found;
  const hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const full = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (full > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${String(full).padStart(2, '0')}:${minute}:${second}`;
}

/** Whether a local time is valid and can be stored. */
export const isWall = (text: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) && epochOf(text, UTC) !== null;
