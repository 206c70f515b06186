import { parseDate } from '../../base/php/strtotime.js';
import type { Zones } from '../../base/php/timezone.js';
import { readDuration } from '../../transfer/dates.js';
import { zoneOf } from '../../wordpress/timezones.js';
import { utc } from '../../wordpress/utc.js';

const MS = { week: 604_800_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 };

const ISO = /^([+-])?P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

const part = (text: string | undefined): number => Number(text ?? 0);

/** Adds an ISO 8601 duration. Days beyond the end of a month become its last day. */
function addIso(from: number, [, sign, years, months, weeks, days, hours, minutes, seconds]: RegExpExecArray): number {
  const direction = sign === '-' ? -1 : 1;
  const moved = utc(from).add(direction * (part(years) * 12 + part(months)), 'month');
  const rest = part(weeks) * MS.week + part(days) * MS.day + part(hours) * MS.hour + part(minutes) * MS.minute + part(seconds) * MS.second;
  return moved.valueOf() + direction * rest;
}

/**
 * Adds a duration to a time.
 * @param from ms since 1970 UTC
 * @param by milliseconds, an ISO 8601 duration (`P1DT2H`), a duration as in datasets (`2h 30min`), or a relative format of PHP
 *   (`2 days`, `-1 week`, `next monday 09:00`), which keeps the local time of day
 * @param zone time zone of the site
 * @param zones the zones that it knows
 * @returns ms since 1970 UTC; null if the duration is invalid
 */
export function moveBy(from: number, by: number | string, zone: string, zones: Zones): number | null {
  if (typeof by === 'number') return Number.isFinite(by) ? from + by : null;
  const text = by.trim();
  if (/^[+-]?\d+$/.test(text)) return from + Number(text);
  const iso = ISO.exec(text);
  if (iso) return addIso(from, iso);
  const length = readDuration(text);
  if (length !== null) return from + length * 1000;
  // Reject absolute dates.
  if (text === '' || /\d{4}-\d\d/.test(text)) return null;
  const moved = parseDate(text, { now: Math.floor(from / 1000), zones, zone: zoneOf(zones, zone).name });
  // PHP: single letters are military time zones.
  if (!moved || moved.explicitZone !== null) return null;
  return moved.epoch * 1000 + (((from % 1000) + 1000) % 1000);
}
