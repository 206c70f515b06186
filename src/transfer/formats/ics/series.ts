import { type Component, type Property, DAY, EventProblem, readDuration, readMoment, type Moment } from './components.js';
import { datesOfRule, type RuleSteps } from './expand.js';
import { parseRule, type Rule } from './rule.js';
import { instantOfTime, timeOf, zonedTime, type EventSpan, type ZonedTime, type CalendarZones } from './times.js';

/** The period for which a series is expanded, as local times in seconds since 1970. */
export interface Window {
  from: number;
  to: number;
  /** Maximum number of events per series. */
  most: number;
}

export interface Occurrence {
  /** Local time in the zone of the series. */
  wall: number;
  /** Key for comparisons: the instant; of dates, the local time. */
  key: number;
  /** RFC 5545, 3.8.5.2: the duration of a period. */
  span?: EventSpan;
}

export interface Series {
  /** The dates in the period, sorted. */
  dates: Occurrence[];
  /** Whether `most` was exceeded. */
  cut: boolean;
  /** Doubts about its rules, one sentence each. */
  doubts: string[];
  /** Whether a date is excluded (EXDATE). */
  isExcluded: (date: Occurrence) => boolean;
}

/** How dates of a series are read. */
export interface SeriesReader {
  zones: CalendarZones;
  steps: RuleSteps;
  /** Receives a value that cannot be read, and is left out. */
  onProblem: (problem: string, line: number) => void;
}

/** Duration that longer events count as, in seconds: 400 years, so that there is a year to compare. */
const LONGEST = 400 * 365 * DAY;

const CENTURY = 36_525 * DAY;

/** The local time, in the zone of a series, of a time in another. A date among times is the day, at the time of the start. */
function wallIn(start: ZonedTime, moment: Moment, property: Property, zones: CalendarZones): number {
  if (start.isDate) return Math.floor(moment.seconds / DAY) * DAY;
  if (moment.isDate) return moment.seconds + (((start.wall % DAY) + DAY) % DAY);
  // RFC 5545: these times have the form of the start. Without a zone, they are meant in its zone.
  if (!moment.isUtc && !property.params.has('TZID')) return moment.seconds;
  const time = zonedTime(moment, property, zones);
  return time.zone === start.zone ? time.wall : start.zone.wallOf(time.zone.utcOf(time.wall));
}

const occurrenceAt = (start: ZonedTime, wall: number): Occurrence => ({ wall, key: instantOfTime({ ...start, wall }) });

/** Which date of a series a component changes (RECURRENCE-ID). @throws EventProblem */
export function recurrenceOf(component: Component, start: ZonedTime, zones: CalendarZones): Occurrence {
  const property = component.first('RECURRENCE-ID')!;
  try {
    return occurrenceAt(start, wallIn(start, readMoment(property.value), property, zones));
  } catch (error) {
    throw error instanceof EventProblem ? new EventProblem(`RECURRENCE-ID: ${error.message}`) : error;
  }
}

/** The values of a property with dates, each with what `read` makes of it. */
function valuesOf<T>(component: Component, name: string, { onProblem }: SeriesReader, read: (value: string, property: Property) => T): T[] {
  return component.all(name).flatMap((property) =>
    property.value.split(',').flatMap((each) => {
      const value = each.trim();
      try {
        return value === '' ? [] : [read(value, property)];
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error;
        onProblem(error.message.startsWith(name) ? error.message : `${name}: ${error.message}`, property.line);
        return [];
      }
    }),
  );
}

/** The dates that a series lists (RDATE): times, days, or periods. */
const listed = (component: Component, start: ZonedTime, reader: SeriesReader): Occurrence[] =>
  valuesOf(component, 'RDATE', reader, (value, property) => {
    const [first, last] = value.split('/');
    const occurrence = occurrenceAt(start, wallIn(start, readMoment(first), property, reader.zones));
    if (last === undefined || start.isDate) return occurrence;
    if (/^[+-]?P/i.test(last)) return { ...occurrence, span: readDuration(last) };
    const end = zonedTime(readMoment(last), property, reader.zones);
    const seconds = instantOfTime(end) - occurrence.key;
    if (seconds < 0) throw new EventProblem(`the period ${value} ends before it starts`);
    return { ...occurrence, span: { days: 0, seconds } };
  });

/** RFC 5545, 3.3.10: UNTIL is the last date, as local time; a day includes all of it. */
function untilOf({ until }: Rule, { zone, isDate, shown }: ZonedTime): number | undefined {
  if (!until) return undefined;
  const wall = until.isUtc ? (isDate ? shown : zone).wallOf(until.seconds) : until.seconds;
  return until.isDate || isDate ? Math.floor(wall / DAY) * DAY + DAY - 1 : wall;
}

/**
 * The dates of a series within a period. RFC 5545: they always include the start, unless it is excluded (EXDATE).
 * @param lasts duration of each event, in seconds
 * @throws EventProblem for an invalid rule, or one that takes too many steps
 */
export function seriesOf(component: Component, start: ZonedTime, window: Window, lasts: number, reader: SeriesReader): Series {
  const days = new Set<number>();
  const out = new Set<number>();
  for (const { moment, wall } of valuesOf(component, 'EXDATE', reader, (value, property) => {
    const read = readMoment(value);
    return { moment: read, wall: wallIn(start, read, property, reader.zones) };
  })) {
    if (moment.isDate) days.add(Math.floor(wall / DAY));
    out.add(occurrenceAt(start, wall).key);
  }
  // Events in progress at the start of the period are included.
  const from = window.from - Math.min(lasts, LONGEST);
  const isExcluded = ({ wall, key }: Occurrence): boolean => out.has(key) || days.has(Math.floor(wall / DAY));
  const isIn = (date: Occurrence): boolean => date.wall >= from && date.wall <= window.to && !isExcluded(date);
  const rules = (name: string): Rule[] => component.all(name).map(({ value }) => parseRule(value));
  const datesOf = (rule: Rule): Iterable<number> =>
    datesOfRule(rule, start.wall, { from, to: window.to, until: untilOf(rule, start), isDate: start.isDate }, reader.steps.begin(rule));
  for (const rule of rules('EXRULE')) for (const wall of datesOf(rule)) out.add(occurrenceAt(start, wall).key);
  const all = new Map<number, Occurrence>();
  for (const occurrence of [occurrenceAt(start, start.wall), ...listed(component, start, reader)]) all.set(occurrence.key, occurrence);
  const doubts: string[] = [];
  for (const rule of rules('RRULE')) {
    let [kept, any] = [0, false];
    for (const wall of datesOf(rule)) {
      any = true;
      const occurrence = occurrenceAt(start, wall);
      if (!isIn(occurrence)) continue;
      if (!all.has(occurrence.key)) all.set(occurrence.key, occurrence);
      kept += 1;
      if (kept > window.most) break;
    }
    const until = untilOf(rule, start);
    const never =
      until !== undefined && until < start.wall
        ? 'ends before the event starts (UNTIL)'
        : !any && isNever(rule, start, reader.steps) && 'never has a date besides the start';
    if (never) doubts.push(`the rule RRULE:${rule.text} ${never}, so it makes no further dates`);
    if (rule.ignored !== undefined) doubts.push(`the rule RRULE:${rule.text} is read without ${rule.ignored}`);
  }
  const dates = [...all.values()].filter(isIn).sort((a, b) => a.wall - b.wall);
  return { dates: dates.slice(0, window.most), cut: dates.length > window.most, doubts, isExcluded };
}

/** Whether a rule has no date besides the start, even without its end. */
function isNever({ count: _count, until: _until, ...rule }: Rule, { wall, isDate }: ZonedTime, steps: RuleSteps): boolean {
  return datesOfRule(rule, wall, { from: wall, to: wall + CENTURY, isDate }, steps.begin(rule)).next().done === true;
}

/** A change of a date of a series, or of all later ones. */
export interface DateChange {
  /** The date that it names. */
  from: Occurrence;
  start: ZonedTime;
}

/** RFC 5545, 3.2.13: the difference to the named date applies to all later ones. @returns local time in the zone of the change */
export const changedWall = ({ from, start }: DateChange, { wall }: Occurrence): number => start.wall + (wall - from.wall);

/** The last change of all later dates that applies to a date. @param changes sorted by the keys of the dates that they name */
export function lastChange<T extends DateChange>(changes: readonly T[], key: number): T | undefined {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle].from.key <= key) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1];
}

export const isForLater = (component: Component): boolean =>
  /^thisandfuture$/i.test(component.first('RECURRENCE-ID')?.params.get('RANGE') ?? '');

/** Start of a component. @throws EventProblem */
export function startOf(component: Component, zones: CalendarZones): ZonedTime {
  const start = timeOf(component, 'DTSTART', zones);
  if (!start) throw new EventProblem('DTSTART is missing');
  return start;
}
