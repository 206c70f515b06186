import { isEmpty } from '../base/php/cast.js';
import { mysqlDate, parseMysqlDate } from '../base/php/date.js';
import { abbreviationAt, localToUtc, offsetAt, UTC, utcToLocal, type Zone, type Zones } from '../base/php/timezone.js';
import { lookup } from '../base/values/records.js';
import REGIONS from './timezones.json' with { type: 'json' };

/** A fixed offset in WordPress's notation: `UTC+5.5`, `UTC-3`, `UTC+5:30`, `UTC 2`. The digits are optional. */
const UTC_OFFSET = /^\s*UTC(?=.)\s*([+-]?)(?:(\d+(?:\.\d*)?)(?::(\d+))?)?/s;

/**
 * TEC: conversions to UTC replace an offset in hours by a region that has or had it as standard time, with its daylight saving time.
 * Other offsets convert as UTC.
 */
const REGION_BY_OFFSET: Readonly<Record<string, string>> = lookup(REGIONS);

interface UtcOffset {
  hours: number;
  /** Whether it has minutes after a colon. */
  colon: boolean;
}

function parseUtcOffset(zoneText: string): UtcOffset | null {
  const match = UTC_OFFSET.exec(zoneText);
  if (!match) return null;
  const [, sign, whole = '0', minutes] = match;
  const size = Number(whole) + Number(minutes ?? 0) / 60;
  return { hours: sign === '-' ? -size : size, colon: minutes !== undefined };
}

/** Whether a zone text is an offset of the form `UTC±N`. Such zones have no daylight saving time and no abbreviation. */
export const isUtcOffset = (zoneText: string): boolean => parseUtcOffset(zoneText) !== null;

/**
 * Validates the time zone of an event: empty (the site's zone), `UTC` in upper case followed by text, or any name that PHP accepts.
 * TEC: a sign without digits (`UTC+`) is accepted and then crashes; here it is rejected.
 */
export function isTimezoneOrEmpty(zones: Zones, value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (typeof value !== 'string') return false;
  return isUtcOffset(value) ? !/^\s*UTC\s*[+-]\s*$/.test(value) : zones.has(value);
}

/** The zone of a zone text, with the actual offset for `UTC±N`. Unknown texts are UTC. */
export function zoneOf(zones: Zones, zoneText: string): Zone {
  const offset = parseUtcOffset(zoneText);
  if (!offset) return zones.resolve(zoneText) ?? UTC;
  return zones.resolve(offsetText(Math.round(offset.hours * 3600))) ?? UTC;
}

/** The zone for converting an event's local times to UTC: a region for `UTC±N` (see the table above), else the zone itself. */
export function conversionZone(zones: Zones, zoneText: string): Zone {
  const offset = parseUtcOffset(zoneText);
  if (!offset) return zones.resolve(zoneText) ?? UTC;
  // TEC: a negative offset with minutes after a colon is misread.
  if (offset.colon && offset.hours < 0) return UTC;
  return zones.resolve(REGION_BY_OFFSET[String(offset.hours)] ?? 'UTC') ?? UTC;
}

/** The zone of dates in filters of lists. TEC: as `conversionZone`, but the zone without an offset has the daylight saving time of London. */
export const filterZone = (zones: Zones, zoneText: string): Zone =>
  parseUtcOffset(zoneText)?.hours === 0 ? (zones.resolve('Europe/London') ?? UTC) : conversionZone(zones, zoneText);

/** Formats seconds east of UTC as `+05:30`. */
function offsetText(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Converts a local time `YYYY-MM-DD HH:MM:SS` (the time is optional) to epoch seconds; null if invalid. */
export function epochOf(wall: string, zone: Zone): number | null {
  const parsed = parseMysqlDate(wall);
  return parsed && localToUtc(parsed, zone);
}

/** Converts epoch seconds to a local time `YYYY-MM-DD HH:MM:SS`. */
export const wallAt = (epoch: number, zone: Zone): string => mysqlDate(utcToLocal(epoch, zone));

function convert(wall: string, from: Zone, to: Zone): string {
  const epoch = epochOf(wall, from);
  return epoch === null ? '' : wallAt(epoch, to);
}

/** Converts an event's local time to UTC, both `YYYY-MM-DD HH:MM:SS`; `''` if invalid. TEC: `UTC±N` as in `conversionZone`. */
export const toUtc = (zones: Zones, wall: string, zoneText: string): string => convert(wall, conversionZone(zones, zoneText), UTC);

/** The inverse of `toUtc`. */
export const toLocal = (zones: Zones, utc: string, zoneText: string): string => convert(utc, UTC, conversionZone(zones, zoneText));

/** Converts site time to UTC, as for the dates of posts (WP): with the actual offset for `UTC±N`. */
export const siteToUtc = (zones: Zones, wall: string, siteZone: string): string => convert(wall, zoneOf(zones, siteZone), UTC);

/** The inverse of `siteToUtc`. */
export const utcToSite = (zones: Zones, utc: string, siteZone: string): string => convert(utc, UTC, zoneOf(zones, siteZone));

/**
 * The `timezone_abbr` of an event that starts at a local time: `EDT`, `GMT+0200` for offsets, the zone text itself for `UTC±N`.
 * TEC: if the zone database has only a number, the alphabetically first abbreviation that the zone ever had.
 */
export function abbreviation(zones: Zones, zoneText: string, wallStart: string): string {
  if (isUtcOffset(zoneText)) return zoneText;
  const zone = zones.resolve(zoneText);
  if (!zone) return '';
  const abbr = abbreviationAt(zone, epochOf(wallStart, zone) ?? 0);
  if (!/^[+-]\d+$/.test(abbr)) return abbr;
  return zones.historicAbbreviations(zoneText.trim())[0] ?? abbr;
}

/** Formats a local time with the actual offset of its zone, `2026-08-01T10:00:00+05:30`; `''` if invalid. */
export function isoWithOffset(zones: Zones, wall: string, zoneText: string): string {
  const zone = zoneOf(zones, zoneText);
  const epoch = epochOf(wall, zone);
  if (epoch === null) return '';
  const offset = offsetAt(zone, epoch);
  return new Date((epoch + offset) * 1000).toISOString().slice(0, 19) + offsetText(offset);
}

/** The zone text of a site: `timezone_string`, else `gmt_offset` in hours as `UTC+5.5`, `UTC-3` or `UTC+0`. */
export function siteZoneText(options: { timezone_string?: unknown; gmt_offset?: unknown }): string {
  if (typeof options.timezone_string === 'string' && options.timezone_string !== '') return options.timezone_string;
  const hours = Number(options.gmt_offset ?? 0) || 0;
  return hours < 0 ? `UTC${hours}` : `UTC+${hours}`;
}

/** Upper bound of the offsets of all zones, past and present, in hours. */
export const MAX_OFFSET_HOURS = 16;

/** Adds hours to a date and time `YYYY-MM-DD HH:MM:SS`; null if it is invalid or the result does not have a four-digit year. */
export function shiftHours(text: string, hours: number): string | null {
  const time = Date.parse(`${text.replace(' ', 'T')}Z`) + hours * 3_600_000;
  const shifted = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^\d{4}-/.test(shifted) ? shifted.slice(0, 19).replace('T', ' ') : null;
}
