import { newestZones } from '../../../base/php/zone-data.js';
import { metaValue, type MetaRow, type Post } from '../../../wordpress/model.js';
import { MAX_OFFSET_HOURS, toUtc } from '../../../wordpress/timezones.js';
import { EVENT_FIELDS } from './event.js';

/** The occurrence of an event, which lists compare (TEC: its row in the occurrences table). Local times, `YYYY-MM-DD HH:MM:SS`. */
export interface Occurrence {
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
}

const { start_date, end_date, utc_start_date, utc_end_date, timezone } = EVENT_FIELDS;

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const milliseconds = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Whether a UTC time is within the offsets of all zones from a local time, or the local time is no date. */
function isNear(local: string, utc: string): boolean {
  const from = milliseconds(local);
  return Number.isNaN(from) || Math.abs(milliseconds(utc) - from) <= MAX_OFFSET_HOURS * 3_600_000;
}

/**
 * The occurrence of an event. TEC: there is none, so the event is in no list, if a date is missing or the end is before the start, in local
 * time or in UTC.
 */
export function occurrenceOf(post: Pick<Post, 'meta'>): Occurrence | undefined {
  const [start, end, startUtc, endUtc] = [start_date, end_date, utc_start_date, utc_end_date].map(({ key }) => metaValue(post, key) ?? '');
  const complete = [start, end, startUtc, endUtc].every((text) => DATE_TIME.test(text));
  if (!complete || start > end || startUtc > endUtc) return undefined;
  if (isNear(start, startUtc) && isNear(end, endUtc)) return { start, end, startUtc, endUtc };
  // Queries rely on UTC times within the offsets of zones; others are computed from the zone, by the newest data: columns belong to no site.
  const zone = metaValue(post, timezone.key) || 'UTC';
  return { start, end, startUtc: toUtc(newestZones(), start, zone), endUtc: toUtc(newestZones(), end, zone) };
}

/** The previous occurrence, for a write whose dates have none. TEC: writes that bypass the calendar API keep it. */
export const keptOccurrence = (before: Post, meta: readonly MetaRow[], keeps: boolean): Pick<Post, 'keptOccurrence'> => ({
  keptOccurrence: keeps && !occurrenceOf({ meta: [...meta] }) ? before.occurrence : undefined,
});
