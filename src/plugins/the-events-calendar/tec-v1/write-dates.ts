import type { Zone } from '../../../base/php/timezone.js';
import { eventDates, type EventDates } from '../model/dates.js';
import { EVENT_FIELDS as STORED } from '../model/event.js';
import { storedTimes, timezoneOf, type EventTimes } from '../model/event-dates.js';
import { readFlag } from '../model/flags.js';
import type { Post } from '../../../wordpress/model.js';
import { conversionZone, epochOf, toLocal, wallAt } from '../../../wordpress/timezones.js';
import { writesLoosely, type EventCall } from './write.js';

/** The dates of an event that a write stores. */
interface FoundDates {
  /** Undefined: the stored ones stay. */
  dates?: EventDates;
  /** Undefined: the stored one stays. */
  duration?: number | undefined;
}

const DATE_PARAMS = ['start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'timezone', 'duration', 'all_day'] as const;

export const sendsDates = ({ params }: EventCall): boolean => DATE_PARAMS.some((name) => params[name] !== undefined);

/** The last second that a date in the database can express. */
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** The dates of a request, in the time zone of the event. */
interface Span {
  start: string | undefined;
  end: string | undefined;
  timezone: string;
  allDay: boolean;
}

/** Start or end of an event: as it is sent, or from its UTC variant. */
function wallOf({ params, site }: EventCall, edge: 'start_date' | 'end_date', zone: string): string | undefined {
  const utc = params[`${edge}_utc`];
  return params[edge] ?? (utc === undefined ? undefined : toLocal(site.zones, utc, zone));
}

/** The end of an event with a duration in seconds; undefined if it cannot be expressed. */
function endAfter(start: string, duration: number, zone: Zone): string | undefined {
  const end = secondsAt(start, zone) + duration;
  return end > LAST_SECOND ? undefined : wallAt(end, zone);
}

const secondsAt = (wall: string, zone: Zone): number => epochOf(wall, zone) ?? 0;

/** The dates and the time zone that are sent. TEC: an offset becomes the name of a region, that of the site included. */
function spanOf(call: EventCall, current: Post | null): Span {
  const { params, site } = call;
  const sent = params.timezone === '' ? undefined : params.timezone;
  const timezone =
    sent === undefined && current
      ? timezoneOf(current, site.options.timezone)
      : conversionZone(site.zones, sent ?? site.options.timezone).name;
  return {
    start: wallOf(call, 'start_date', timezone),
    end: wallOf(call, 'end_date', timezone),
    timezone,
    allDay: params.all_day ?? (current !== null && readFlag(current, STORED.all_day)),
  };
}

/** The dates to store for both ends. */
const made = ({ site }: EventCall, { timezone, allDay }: Span, start: string, end: string): EventDates =>
  eventDates(
    { start, end, timezone, allDay, cutoff: site.options.calendar.multiDayCutoff },
    { now: site.clock.seconds(), siteZone: site.options.timezone, zones: site.zones },
  );

/** Start and end, computed independently: an end may be before the start. */
function madeApart(call: EventCall, span: Span, start: string, end: string): EventDates {
  const [first, last] = [made(call, span, start, start), made(call, span, end, end)];
  if (!first.dates || !last.dates) return first;
  return { ...first, dates: { ...first.dates, end: last.dates.end, endUtc: last.dates.endUtc } };
}

/**
 * TEC: the duration is computed from the dates that are sent, before they are widened to whole days; a changed start alone leaves it as it is. A
 * duration alone changes only the duration, and dates with the end before the start are ignored.
 */
function looseDates(call: EventCall, current: Post | null): FoundDates | null {
  const span = spanOf(call, current);
  const { start } = span;
  const zone = conversionZone(call.site.zones, span.timezone);
  const { duration, end_date, end_date_utc } = call.params;
  const end = span.end ?? (start !== undefined && duration !== undefined ? endAfter(start, duration, zone) : undefined);
  const stored: Partial<EventTimes> = current ? storedTimes(current) : {};
  const [from, to] = [start ?? stored.start, end ?? stored.end];
  // TEC: all-day events without dates are today.
  const today = !current && span.allDay && !from && !to ? wallAt(call.site.clock.seconds(), zone) : undefined;
  if (today !== undefined) return { dates: madeApart(call, span, today, today) };
  if (!from || !to) return null;
  if (secondsAt(to, zone) < secondsAt(from, zone)) return current ? {} : null;
  // TEC: an end in UTC alone cannot be stored.
  if (end_date_utc !== undefined && end_date === undefined && start === undefined) return null;
  const lasting = start !== undefined && end !== undefined ? secondsAt(end, zone) - secondsAt(start, zone) : undefined;
  const dates = madeApart(call, span, from, to);
  return dates.dates ? { dates, duration: lasting ?? duration } : null;
}

/** Consistent dates and duration; null for an end before the start. */
function strictDates(call: EventCall, current: Post | null): FoundDates | null {
  const span = spanOf(call, current);
  const stored: Partial<EventTimes> = current ? storedTimes(current) : {};
  const start = span.start ?? stored.start;
  const { duration } = call.params;
  const end =
    span.end ??
    (duration !== undefined && start ? endAfter(start, duration, conversionZone(call.site.zones, span.timezone)) : undefined) ??
    stored.end;
  const dates = start && end ? made(call, span, start, end) : undefined;
  if (!dates?.dates || dates.dates.startUtc > dates.dates.endUtc) return null;
  return { dates, duration: span.allDay ? undefined : dates.dates.duration };
}

/** The dates to store for a write; null if they cannot be stored. */
export const datesOf = (call: EventCall, current: Post | null): FoundDates | null =>
  (writesLoosely(call) ? looseDates : strictDates)(call, current);
