import type { Zones } from '../../base/php/timezone.js';
import { toUtc, wallAt, zoneOf } from '../../wordpress/timezones.js';
import { readDuration } from '../dates.js';

/** Base for writing the dates of a file, like `DateBase`. */
export interface WriteBase {
  /** The time that relative dates refer to, epoch seconds. */
  now: number;
  zone: string;
  zones: Zones;
}

const DAY_MS = 86_400_000;
const TIME_OF_DAY = /^\d{1,2}:\d\d(?::\d\d)?$/;
const ABSOLUTE = /^\d{4}-\d\d-\d\d/;
const ZONE = /\s(?:UTC(?:[+-][\d.:]+)?|[A-Za-z]+\/[A-Za-z0-9_/+-]+)$/;

/** Whether a date of a file depends on the clock: `+3d 19:00`, `next friday`. */
export const isRelative = (text: unknown): text is string => typeof text === 'string' && !ABSOLUTE.test(text) && !TIME_OF_DAY.test(text);

const dayOf = (wall: string): number => Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) / DAY_MS;

/** A time of day without what is 0. */
const timeOf = (wall: string): string => wall.slice(11).replace(/:00$/, '');

/** A local time as a file has it: without seconds that are 0. */
const plain = (wall: string): string => (wall.length > 10 ? `${wall.slice(0, 10)} ${timeOf(wall)}` : wall);

/** A local time relative to the clock: `+3d 19:00`; a day: `+3d`. @param zone the time zone of the local time */
function relative(wall: string, { now, zones }: WriteBase, zone: string): string {
  const days = dayOf(wall) - dayOf(wallAt(now, zoneOf(zones, zone)));
  return `${days < 0 ? '-' : '+'}${Math.abs(days)}d${wall.length > 10 ? ` ${timeOf(wall)}` : ''}`;
}

/**
 * A date as the file writes it: relative dates stay relative, with their zone.
 * @param wall local time, or a day; a text with an offset stays as it is
 * @param before what the file has
 */
export function writtenDate(wall: string, before: unknown, base: WriteBase, zone: string): string {
  if (!/^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/.test(wall)) return wall;
  return isRelative(before) ? `${relative(wall, base, zone)}${ZONE.exec(before)?.[0] ?? ''}` : plain(wall);
}

/** A duration: `2h`, `1h 30min`, `3d`. Undefined if it has seconds. */
function durationText(seconds: number): string | undefined {
  if (seconds < 0 || seconds % 60 !== 0) return undefined;
  const minutes = seconds / 60;
  if (minutes > 0 && minutes % 1440 === 0) return `${minutes / 1440}d`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest}min`;
  return rest === 0 ? `${hours}h` : `${hours}h ${rest}min`;
}

/** The times of an event in an export. */
export interface ExportedTimes {
  start: string;
  end: string;
  all_day?: boolean;
  timezone?: string;
}

const secondsOf = (text: string, zone: string, zones: Zones): number =>
  Date.parse(/[Z+]/.test(text) ? text : `${toUtc(zones, text.length > 10 ? text : `${text} 00:00:00`, zone).replace(' ', 'T')}Z`) / 1000;

/** How long an event lasts, in seconds. One of whole days ends on its last day. */
export function lengthOf({ start, end, all_day: allDay, timezone }: ExportedTimes, { zone, zones }: WriteBase): number {
  const zoneText = timezone ?? zone;
  return secondsOf(end, zoneText, zones) - secondsOf(start, zoneText, zones) + (allDay === true ? DAY_MS / 1000 : 0);
}

/** The end of an event as the file says it: `duration`, a time of day, or a date; the other of `end` and `duration` goes. */
export function writtenEnd(
  times: ExportedTimes,
  file: { start?: unknown; end?: unknown; duration?: unknown },
  base: WriteBase,
): { end?: string | undefined; duration?: string | undefined } {
  const zone = times.timezone ?? base.zone;
  const { start, end } = times;
  const asDuration = typeof file.duration === 'string' ? durationText(lengthOf(times, base)) : undefined;
  if (asDuration !== undefined) {
    const isSame = readDuration(String(file.duration)) === readDuration(asDuration);
    return { duration: isSame ? String(file.duration) : asDuration };
  }
  if (times.all_day === true && end === start && file.end === undefined) return {};
  const isNext = dayOf(end) - dayOf(start) <= 1 && lengthOf(times, base) < DAY_MS / 1000;
  if (typeof file.end === 'string' && TIME_OF_DAY.test(file.end.trim()) && isNext && end.length > 10) return { end: timeOf(end) };
  return {
    end: writtenDate(
      end,
      file.end === undefined || (typeof file.end === 'string' && TIME_OF_DAY.test(file.end)) ? file.start : file.end,
      base,
      zone,
    ),
  };
}
