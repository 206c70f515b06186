import { UTC } from '../../../base/php/timezone.js';
import { wallAt } from '../../../wordpress/timezones.js';
import type { WallTimes } from '../../fields.js';
import type { Component, Property } from './components.js';
import { DAY, EventProblem, readDuration, readMoment, type Duration, type Moment } from './values.js';
import type { CalendarZones, SourceZone } from './zones.js';

export interface ZonedTime {
  isDate: boolean;
  /** Local time in `zone`, in seconds since 1970. */
  wall: number;
  /** The zone that the time is in: a series recurs in it. */
  zone: SourceZone;
  /** The zone that the event gets: UTC times are converted to the zone of the calendar if it has one. */
  shown: SourceZone;
}

/** Seconds since 1970 as `YYYY-MM-DD HH:MM:SS`. */
export const wallText = (seconds: number): string => wallAt(seconds, UTC);

/** The instant of a time; of a date, its local time. */
export const instantOfTime = ({ isDate, wall, zone }: Pick<ZonedTime, 'isDate' | 'wall' | 'zone'>): number =>
  isDate ? wall : zone.utcOf(wall);

/** The time of a value of a property. @throws EventProblem */
export function zonedTime({ seconds: wall, isDate, isUtc }: Moment, { name, params }: Property, zones: CalendarZones): ZonedTime {
  if (isUtc)
    return { isDate, wall, zone: zones.utc, shown: params.has('X-ZONE') ? shownZone(params, zones) : (zones.calendar ?? zones.utc) };
  const tzid = params.get('TZID') ?? '';
  // A date is not an instant, so its zone only names the event's.
  const zone = isDate ? shownZone(params, zones) : tzid === '' ? zones.local : zones.ofTimes(tzid);
  if (!zone) throw new EventProblem(`${name}: unknown time zone "${tzid}", which the file does not define (VTIMEZONE)`);
  return { isDate, wall, zone, shown: zone };
}

const shownZone = (params: Property['params'], zones: CalendarZones): SourceZone => {
  const name = params.get('X-ZONE') ?? params.get('TZID') ?? '';
  return (name === '' ? undefined : zones.named(name)) ?? zones.local;
};

/** The time of a property, or undefined if the component does not have it. @throws EventProblem */
export function timeOf(component: Component, name: string, zones: CalendarZones): ZonedTime | undefined {
  const property = component.first(name);
  if (!property) return undefined;
  try {
    return zonedTime(readMoment(property.value), property, zones);
  } catch (error) {
    if (error instanceof EventProblem && !error.message.startsWith(name)) throw new EventProblem(`${name}: ${error.message}`);
    throw error;
  }
}

/** How long an event lasts. */
export interface EventSpan extends Duration {
  /** The end of the first event as the file has it, local time: it may occur twice, or never. */
  endWall?: number;
}

const described = ({ wall, zone }: ZonedTime): string => `${wallText(wall)} ${zone.nameAt(wall)}`;

/**
 * RFC 5545, 3.6.1: without an end, an all-day event lasts one day and a timed event has no duration.
 * @param note receives what was changed
 * @throws EventProblem for a timed event that ends before it starts
 */
export function eventSpan(component: Component, start: ZonedTime, zones: CalendarZones, note: (text: string) => void): EventSpan {
  const end = timeOf(component, 'DTEND', zones);
  if (!end) {
    const text = component.value('DURATION');
    const { days, seconds } = text === '' ? { days: 0, seconds: 0 } : readDuration(text);
    return start.isDate ? { days: Math.max(1, days + Math.ceil(seconds / DAY)), seconds: 0 } : { days, seconds };
  }
  if (start.isDate) {
    const days = Math.ceil((end.wall - start.wall) / DAY);
    if (days < 0)
      note(`the event ends (${described(end).slice(0, 10)}) before it starts (${described(start).slice(0, 10)}): it lasts one day`);
    return { days: Math.max(1, days), seconds: 0 };
  }
  const timed: ZonedTime = end.isDate ? { ...start, wall: end.wall } : end;
  const seconds = instantOfTime(timed) - instantOfTime(start);
  if (seconds < 0) throw new EventProblem(`the event ends (${described(timed)}) before it starts (${described(start)})`);
  return { days: 0, seconds, ...(timed.zone === start.zone ? { endWall: timed.wall } : {}) };
}

/**
 * The times of an event of a series: at a local time in the zone of its start. All-day events end at 23:59:59 on their last day.
 * RFC 5545, 3.3.6: days are calendar days, seconds are exact.
 */
export function timesAt(wall: number, start: ZonedTime, { days, seconds, endWall }: EventSpan, timezone: string): WallTimes {
  const { zone, shown, isDate } = start;
  if (isDate) {
    const day = Math.floor(wall / DAY) * DAY;
    return { start: wallText(day), end: wallText(day + days * DAY - 1), timezone, allDay: true };
  }
  const utc = zone.utcOf(wall);
  const later = wall + days * DAY;
  const endUtc = zone.utcOf(later) + seconds;
  const isSame = zone === shown;
  const first = isSame ? wall : shown.wallOf(utc);
  const asGiven = isSame && seconds === 0 ? later : shown.wallOf(endUtc);
  const last = isSame && endWall !== undefined && wall === start.wall ? endWall : asGiven;
  return {
    start: wallText(first),
    // A later time may be an earlier one on the clock.
    end: wallText(Math.max(first, last)),
    timezone,
    allDay: false,
    instants: { start: utc, end: endUtc },
  };
}
