import { parseDate } from '../base/php/strtotime.js';
import { newestZones } from '../base/php/zone-data.js';
import { offsetAt, UTC, type Zone, type Zones } from '../base/php/timezone.js';
import { lookup } from '../base/values/records.js';
import { isTimezoneOrEmpty, isUtcOffset, wallAt, zoneOf } from '../wordpress/timezones.js';
import type { Post } from '../wordpress/model.js';
import type { WallTimes } from './fields.js';
import type { Problems } from './source.js';

/** Base for reading dates: the current time in epoch seconds, the time zone of dates without one, and the time zones that exist. */
export interface DateBase {
  now: number;
  zone: string;
  zones: Zones;
  /** Receives a sentence about each date that may be meant differently. */
  warn?: ((line: string) => void) | undefined;
}

interface DatasetDate {
  /** Epoch seconds. */
  epoch: number;
  /** The time zone at the end of the text (`Europe/Berlin`, `UTC+5.5`), or null. ISO offsets and abbreviations only affect `epoch`. */
  region: string | null;
}

const UNITS: Readonly<Record<string, string>> = lookup({ y: 'year', m: 'month', M: 'month', w: 'week', d: 'day', h: 'hour' });
const SHIFT = /(?<!\d)([+-]\d+)([yMmwdh])(?![a-z])\s*/g;
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;
const TRAILING_ZONE = /\s+(UTC(?:[+-][\d.:]+)?|[A-Za-z]+\/[A-Za-z0-9_/+-]+)$/;
const UNKNOWN_UNIT = /(?<!\S)[+-]\d+[a-z](?![a-z])/i;
/** PHP reads `+3` as an offset from UTC. */
const NO_UNIT = /^([+-]\d+)(?=\s+(?![a-z])|$)/i;
/** Month and day, or day and month. */
const AMBIGUOUS = /^(0?[1-9]|1[0-2])\/(0?[1-9]|1[0-2])\/(\d{4})\b/;

/**
 * Expands short relative dates to PHP's grammar: `+3d 10:00` becomes `today +3 day 10:00`. Dates that start with days and longer units
 * start at midnight; if they include hours, at the current time.
 */
function expandShifts(text: string): string {
  const words = text.replace(SHIFT, (_, count: string, unit: string) => `${count} ${UNITS[unit]} `).trim();
  if (text.search(SHIFT) !== 0) return words;
  return `${/\dh(?![a-z])/.test(text) ? 'now' : 'today'} ${words}`;
}

// WP: time zones such as `UTC+5.5`; PHP's grammar does not accept them.
const zoneFor = (zoneText: string, zones: Zones): string => (isUtcOffset(zoneText) ? zoneOf(zones, zoneText).name : zoneText);

/**
 * Parses a date of a dataset. Returns null if it is invalid.
 *
 *     2026-08-01 19:30            absolute, in the zone of the event or site
 *     2026-08-01T19:30:00+02:00   absolute, with an offset
 *     +3d 10:00 Europe/Berlin     relative to the clock, in days (d), weeks (w), months (m) or years (y), at a time of day
 *     +1w +2d                     several steps; at midnight if there is no time of day
 *     -2h                         hours before or after the current time
 *     next friday 19:30           anything else that PHP's date grammar accepts
 */
export function readDatasetDate(text: string, { now, zone, zones, warn }: DateBase): DatasetDate | null {
  const region = TRAILING_ZONE.exec(text)?.[1] ?? null;
  const rest = expandShifts(text.replace(TRAILING_ZONE, '').trim());
  // PHP reads `+3x` as an offset and a military time zone.
  if (rest === '' || UNKNOWN_UNIT.test(rest) || NO_UNIT.test(rest) || (region !== null && !isTimezoneOrEmpty(zones, region))) return null;
  // PHP computes `today` in the default zone even if the text names another, so the zone is not part of the parsed text.
  const named = zoneFor(region ?? zone, zones);
  const date = parseDate(rest, { now, zones, zone: named });
  if (!date || !exists(rest, date.epoch, zoneOf(zones, named))) return null;
  const [found, month, day, year] = AMBIGUOUS.exec(rest) ?? [];
  const [read, other] = [`${month}-${day}`, `${day}-${month}`].map((each) => `${year}-${each.replace(/\b\d\b/g, '0$&')}`);
  if (read !== other) warn?.(`The date "${found}" is read as ${read}, with the month first. Write ${read} or ${other}`);
  return { epoch: date.epoch, region };
}

/** A day, and perhaps a local time, without words or an offset. */
const ABSOLUTE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(?!24)(\d?\d:\d\d)(:\d\d)?$)?/;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Whether a date exists. PHP reads 30 February as 2 March, and a time that clocks skip as a later one. */
function exists(text: string, epoch: number, zone: Zone): boolean {
  const [, year, month, day, time] = ABSOLUTE.exec(text) ?? [];
  if (day !== undefined && Number(day) > daysIn(Number(year), Number(month))) return false;
  return time === undefined || wallAt(epoch, zone).slice(11, 16) === time.padStart(5, '0');
}

export const DURATION = /^(?:\d+\s*(?:w|d|h|min)\s*)+$/;

/** Parses a duration such as `90min`, `2h`, `1h 30min`, `3d`, `1w`. @returns seconds, or null if it is invalid */
export function readDuration(text: string): number | null {
  if (!DURATION.test(text.trim())) return null;
  const seconds: Record<string, number> = { w: 604_800, d: 86_400, h: 3600, min: 60 };
  return [...text.matchAll(/(\d+)\s*(w|d|h|min)/g)].reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit], 0);
}

export interface EventTimesInput {
  start: string;
  end?: string;
  duration?: string;
  timezone?: string;
  allDay: boolean;
}

/** The invalid field, and the problem with it. */
interface TimesProblem {
  field: 'start' | 'end' | 'duration';
  message: string;
}

/** Describes why `readDate` rejects a text. */
export function invalidDate(text: string, { now, zone, zones }: DateBase): string {
  const count = NO_UNIT.exec(text.trim())?.[1];
  if (count !== undefined) return `invalid date "${text}": ${count} has no unit. Write ${text.trim().replace(count, `${count}d`)} for days`;
  const asTime = ABSOLUTE.test(text) && parseDate(text.replace(TRAILING_ZONE, ''), { now, zones, zone: zoneFor(zone, zones) });
  if (!asTime) return `invalid date "${text}". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin`;
  const [, year, month, day] = ABSOLUTE.exec(text) ?? [];
  const days = daysIn(Number(year), Number(month));
  if (Number(day) > days) return `invalid date "${text}": ${year}-${month} has ${days} days`;
  return `invalid date "${text}": clocks in ${TRAILING_ZONE.exec(text)?.[1] ?? zone} are set forward at that time`;
}
const invalidDuration = (text: string): string => `invalid duration "${text}". Use a duration such as 90min, 1h 30min or 2d`;

const isProblem = (value: number | TimesProblem): value is TimesProblem => typeof value === 'object';

/** The end in epoch seconds: a date, the start plus a duration, or the first occurrence of a time of day after the start. */
function readEnd(input: EventTimesInput, start: number, base: DateBase): number | TimesProblem {
  const { end, duration, allDay } = input;
  if (end !== undefined && duration !== undefined) return { field: 'duration', message: 'an event has an end or a duration, not both' };
  if (duration !== undefined) {
    const seconds = readDuration(duration);
    // An all-day event of one day ends on the day on which it starts.
    return seconds === null ? { field: 'duration', message: invalidDuration(duration) } : start + seconds - (allDay && seconds > 0 ? 1 : 0);
  }
  if (end === undefined) return allDay ? start : { field: 'end', message: 'an event needs an end or a duration, or all_day' };
  if (TIME_OF_DAY.test(end.trim())) return nextTimeOfDay(end.trim(), start, base);
  return readDatasetDate(end, base)?.epoch ?? { field: 'end', message: invalidDate(end, base) };
}

function nextTimeOfDay(time: string, start: number, { zone: zoneText, zones }: DateBase): number | TimesProblem {
  const zone = zoneOf(zones, zoneText);
  const day = wallAt(start, zone).slice(0, 10);
  const at = (date: string): number | undefined => parseDate(`${date} ${time}`, { now: start, zones, zone: zone.name })?.epoch;
  const same = at(day);
  if (same === undefined) return { field: 'end', message: invalidDate(time, { now: start, zones, zone: zoneText }) };
  return same >= start ? same : (at(`${day} +1 day`) ?? same);
}

/**
 * Computes the times of an event, or reports the invalid field. The time zone is `timezone`, or else in `start`, or else the site's. Dates
 * in another zone or with an offset are converted to it. All-day events last from 00:00:00 to 23:59:59.
 */
export function eventTimes(input: EventTimesInput, site: DateBase): WallTimes | TimesProblem {
  const { zone: siteZone, zones } = site;
  const base = { ...site, zone: input.timezone ?? siteZone };
  const start = readDatasetDate(input.start, base);
  if (!start) return { field: 'start', message: invalidDate(input.start, base) };
  const timezone = input.timezone ?? start.region ?? siteZone;
  const end = readEnd(input, start.epoch, { ...base, zone: timezone });
  if (isProblem(end)) return end;
  if (end < start.epoch) return { field: 'end', message: 'the event ends before it starts' };
  const [first, last] = [start.epoch, end].map((epoch) => wallAt(epoch, zoneOf(zones, timezone)));
  const { allDay } = input;
  if (!allDay) return { start: first, end: last, timezone, allDay };
  return { start: `${first.slice(0, 10)} 00:00:00`, end: `${last.slice(0, 10)} 23:59:59`, timezone, allDay };
}

/** Converts epoch seconds to a publication date in site time and in UTC. */
export function publicationDates(epoch: number, { zone, zones }: Omit<DateBase, 'now'>): { date: string; dateGmt: string } {
  return { date: wallAt(epoch, zoneOf(zones, zone)), dateGmt: wallAt(epoch, UTC) };
}

/** The dates of an item, as in the file. */
export interface DatedItem {
  date?: string | undefined;
  date_gmt?: string | undefined;
  modified?: string | undefined;
  modified_gmt?: string | undefined;
}

/**
 * The dates that WordPress stores for a post: local ones and UTC ones. They disagree where the site had another time zone when they were
 * stored (WP: the posts of its installation). `epoch`, in seconds, is the time of publication.
 *
 * Invalid dates are added to `problems`.
 */
export function postDates(
  item: DatedItem,
  at: string,
  base: DateBase,
  problems: Problems,
): Pick<Post, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'> & { epoch: number } {
  const utc = { ...base, zone: UTC.name };
  const read = (field: keyof DatedItem, otherwise: number): number => {
    const text = item[field];
    if (text === undefined) return otherwise;
    const zone = field.endsWith('_gmt') ? utc : base;
    const date = readDatasetDate(text, zone);
    if (!date) problems.add(`${at}.${field}`, invalidDate(text, zone));
    return date?.epoch ?? otherwise;
  };
  const local = read('date', read('date_gmt', base.now));
  const epoch = read('date_gmt', local);
  // An item that is published later was changed now.
  const isPast = epoch <= base.now;
  const changed = read('modified', isPast ? local : base.now);
  const changedUtc = read('modified_gmt', item.modified === undefined && isPast ? epoch : changed);
  return {
    epoch,
    date: publicationDates(local, base).date,
    dateGmt: publicationDates(epoch, base).dateGmt,
    modified: publicationDates(changed, base).date,
    modifiedGmt: publicationDates(changedUtc, base).dateGmt,
  };
}

/** The offset of a time zone of the form `UTC+5.5`, in hours east of UTC. */
export const utcOffsetHours = (zoneText: string): number => offsetAt(zoneOf(newestZones(), zoneText), 0) / 3600;

/** Base for reading the dates of a dataset. */
export interface DatasetBase extends Pick<DateBase, 'warn'> {
  /** Base of relative dates, epoch seconds. */
  now: number;
  /** The time zones of the target site; undefined: as the dataset says. */
  zones?: Zones | undefined;
}
