import { isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { mysqlDate, secondsToWall, wallToSeconds, type Wall } from '../../../base/php/date.js';
import { parseDate, strtotime } from '../../../base/php/strtotime.js';
import type { Zone, Zones } from '../../../base/php/timezone.js';
import {
  abbreviation,
  conversionZone,
  epochOf,
  filterZone,
  siteToUtc,
  toUtc,
  utcToSite,
  wallAt,
  zoneOf,
} from '../../../wordpress/timezones.js';

const DAY = 86400;

/** The moment of a request: epoch seconds, the zone text of the site, and the zones that it knows. */
export interface DateContext {
  /** It is read only where a date depends on it: `momentAt`. */
  readonly now: number;
  siteZone: string;
  zones: Zones;
}

type Moment = Pick<DateContext, 'now' | 'zones'>;

/** The moment of a site. */
export const momentAt = ({ clock, zones }: { clock: { seconds: () => number }; zones: Zones }): Moment => ({
  get now() {
    return clock.seconds();
  },
  zones,
});

/** The same, with a zone for dates without one. */
export const inZone = (moment: Moment, zone: string) => ({
  get now() {
    return moment.now;
  },
  zones: moment.zones,
  zone,
});

export interface EventDatesInput {
  start: unknown;
  end: unknown;
  /** Empty: the site's zone. */
  timezone?: string | null;
  allDay: boolean;
  /** Site option: the time of day, `HH:MM`, at which a day ends. */
  cutoff: string;
}

/** The dates an event write stores: local times `YYYY-MM-DD HH:MM:SS` and seconds. */
interface StoredDates {
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
  duration: number;
}

export interface EventDates {
  /** Null if a date is missing or `0`. TEC: all stored dates then stay unchanged. */
  dates: StoredDates | null;
  timezone: string;
  abbr: string;
}

/** Bounds of times with years of at most four digits, which the database can store. */
const FIRST_SECOND = wallToSeconds({ year: -9999, month: 1, day: 1, hour: 0, minute: 0, second: 0 });
const LAST_SECOND = wallToSeconds({ year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59 });

/** The last instant that JavaScript can represent; PHP has no such limit. */
const LAST_INSTANT = 8.64e12;

/** The timestamp of a time; null for an invalid one. TEC: the epoch itself (`@0`) counts as invalid. */
function secondsOf(value: unknown, moment: Moment): number | null {
  if (isNumeric(value)) return Number(value);
  return typeof value === 'string' && value !== '' ? strtotime(value, inZone(moment, 'UTC')) || null : null;
}

/** The nearest time that the database can store, in epoch seconds. */
export const storable = (seconds: number): number => Math.max(FIRST_SECOND, Math.min(LAST_SECOND, seconds));

/** Whether a value is a number, a numeric text, or a text that `strtotime` reads as any instant but the epoch itself. */
export const isInstant = (value: unknown, moment: Moment): boolean => secondsOf(value, moment) !== null;

/** The validator of times: instants (`isInstant`) that the database can store. WordPress fails with an error at the others. */
export function isTime(value: unknown, moment: Moment): boolean {
  const seconds = secondsOf(value, moment);
  return seconds !== null && storable(seconds) === seconds;
}

const wallOf = (text: string, zone: Zone, moment: Moment): Wall | null => parseDate(text, inZone(moment, zone.name))?.wall ?? null;

/**
 * The local time of an event or publication date, or null for an invalid date. TEC: an offset or zone within the value is ignored; numbers
 * are timestamps, read in UTC.
 */
function givenWall(value: unknown, zone: Zone, moment: Moment): Wall | null {
  if (isEmpty(value)) return null;
  if (!isNumeric(value)) return typeof value === 'string' ? wallOf(value, zone, moment) : null;
  const seconds = Number(value);
  // TEC: a number with a fraction is text to `strtotime`: `2026.214` is the 214th day of 2026.
  return Number.isInteger(seconds) ? secondsToWall(seconds) : wallOf(toStr(value), zone, moment);
}

/** A date of the site as text, where a Unix time is an instant instead of a wall time in UTC. Other values are returned as they are. */
export function instantAsDate(value: unknown, { siteZone, zones }: DateContext): unknown {
  const seconds = !isEmpty(value) && isNumeric(value) ? Number(value) : Number.NaN;
  return Number.isInteger(seconds) ? wallAt(seconds, zoneOf(zones, siteZone)) : value;
}

/** The UTC time of a publication. TEC: an explicit zone counts, unlike in other dates. */
function givenUtc(value: unknown, moment: Moment): Wall | null {
  if (isEmpty(value)) return null;
  const seconds = secondsOf(value, moment);
  return seconds === null ? null : secondsToWall(Math.floor(seconds));
}

/** The dates to store for an event, from validated input. */
export function eventDates(input: EventDatesInput, ctx: DateContext): EventDates {
  const timezone = isEmpty(input.timezone) ? ctx.siteZone : toStr(input.timezone);
  const zone = zoneOf(ctx.zones, timezone);
  const start = givenWall(input.start, zone, ctx);
  const end = givenWall(input.end, zone, ctx);
  if (!start || !end) return { dates: null, timezone, abbr: abbreviation(ctx.zones, timezone, wallAt(ctx.now, zone)) };
  const dates = input.allDay
    ? storedDates(dayStart(start, input.cutoff), dayEnd(end, input.cutoff), timezone, ctx.zones)
    : storedDates(mysqlDate(start), mysqlDate(end), timezone, ctx.zones);
  return { dates, timezone, abbr: abbreviation(ctx.zones, timezone, dates.start) };
}

/** Computes the values that are stored beside the local times of an event. */
export function utcTimes(
  start: string,
  end: string,
  timezone: string,
  zones: Zones,
): Pick<StoredDates, 'startUtc' | 'endUtc' | 'duration'> {
  const zone = conversionZone(zones, timezone);
  const seconds = (epochOf(end, zone) ?? 0) - (epochOf(start, zone) ?? 0);
  return { startUtc: toUtc(zones, start, timezone), endUtc: toUtc(zones, end, timezone), duration: Math.max(0, seconds) };
}

/** TEC: an end before the start becomes the start, but the UTC end stays the requested one. */
const storedDates = (start: string, end: string, timezone: string, zones: Zones): StoredDates => ({
  start,
  end: end < start ? start : end,
  ...utcTimes(start, end, timezone, zones),
});

/** Seconds of the day at which it begins: 0, or the site's end-of-day cutoff `HH:MM`. */
function cutoffSeconds(cutoff: string): number {
  const match = /^(\d{1,2}):(\d{2})/.exec(cutoff);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 : 0;
}

/** The first second of the calendar day of a local time, the last one of it: `D 00:00:00` and `D 23:59:59` without a cutoff. */
export const dayStart = (wall: Wall, cutoff: string): string => startOfDay(midnight(wall), cutoff);
export const dayEnd = (wall: Wall, cutoff: string): string => endOfDay(midnight(wall), cutoff);

const startOfDay = (day: number, cutoff: string): string => mysqlDate(secondsToWall(day + cutoffSeconds(cutoff)));
const endOfDay = (day: number, cutoff: string): string => startOfDay(day + DAY - 1, cutoff);

const midnight = (wall: Wall): number => wallToSeconds({ ...wall, hour: 0, minute: 0, second: 0 });

/** The date parameters of the event list. */
export type DateFilter = 'start_date' | 'end_date' | 'starts_before' | 'starts_after' | 'ends_before' | 'ends_after';

interface FilterContext extends DateContext {
  strict: boolean;
  cutoff: string;
}

export interface FilterDate {
  /** TEC: values without a zone are read as UTC. Null for a number that is not a date. */
  epoch: number | null;
  /** PHP: `0` is empty. */
  isEmpty: boolean;
}

/**
 * Reads a date parameter; null for an invalid time. TEC: whole numbers are timestamps; `1.5` is parsed by `strtotime`, as five past one.
 */
export function readFilterDate(value: unknown, moment: Moment): FilterDate | null {
  const seconds = secondsOf(value, moment);
  if (seconds === null || Math.abs(seconds) > LAST_INSTANT) return null;
  const isText = isNumeric(value) && !Number.isInteger(seconds);
  return { epoch: isText ? strtotime(toStr(value), inZone(moment, 'UTC')) : seconds, isEmpty: isEmpty(value) };
}

/** The first second of a day in UTC. TEC: it is read again from its text, where a year of five digits begins with the hour. */
function dayOf(epoch: number, ctx: DateContext): number {
  const wall = secondsToWall(epoch);
  const reread = wall.year > 9999 ? strtotime(mysqlDate(wall).split(' ')[0], inZone(ctx, 'UTC')) : null;
  return reread ?? midnight(wall);
}

/**
 * The effective value of a date parameter, a local time of the site. Strict: the instant on the site's clock. Otherwise its UTC day,
 * of which `start_date` is the first second and every other parameter the last; `0` is today.
 */
export function filterValue(param: DateFilter, date: FilterDate, ctx: FilterContext): string {
  if (ctx.strict) return wallAt(date.epoch ?? ctx.now, filterZone(ctx.zones, ctx.siteZone));
  const epoch = date.isEmpty ? ctx.now : (date.epoch ?? ctx.now);
  return (param === 'start_date' ? startOfDay : endOfDay)(dayOf(epoch, ctx), ctx.cutoff);
}

interface DateWindow {
  readonly start: string;
  readonly end: string;
}

/** The last default window, which a request needs several times. */
let latest: { now: number; siteZone: string; zones: Zones | null; window: DateWindow } = {
  now: Number.NaN,
  siteZone: '',
  zones: null,
  window: { start: '', end: '' },
};

/** The defaults of `start_date` and `end_date` before `filterValue`: yesterday 23:59 UTC on the site's clock, and in 24 months in UTC. */
export function defaultWindow({ now, siteZone, zones }: DateContext): DateWindow {
  if (latest.now === now && latest.siteZone === siteZone && latest.zones === zones) return latest.window;
  const today = secondsToWall(now);
  const start = midnight(today) - 60;
  const end = wallToSeconds({ ...today, month: today.month + 24 });
  const window = { start: wallAt(start, filterZone(zones, siteZone)), end: mysqlDate(secondsToWall(end)) };
  latest = { now, siteZone, zones, window };
  return window;
}

/**
 * The publication date from the parameters `date` (site time) and `date_utc`, each derived from the other when alone. Null if neither is a
 * date, which means now.
 */
export function publicationDate(
  params: { date?: unknown; date_utc?: unknown },
  ctx: DateContext,
): { date: string; dateGmt: string } | null {
  const local = givenWall(params.date, zoneOf(ctx.zones, ctx.siteZone), ctx);
  const utc = givenUtc(params.date_utc, ctx);
  if (!local && !utc) return null;
  const date = local ? mysqlDate(local) : '';
  const dateGmt = utc ? mysqlDate(utc) : '';
  return { date: date || utcToSite(ctx.zones, dateGmt, ctx.siteZone), dateGmt: dateGmt || siteToUtc(ctx.zones, date, ctx.siteZone) };
}
