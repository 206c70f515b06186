import ICAL from 'ical.js';
import type { Zones } from '../../../base/php/timezone.js';
import type { IcalRecur } from './steps.js';
import { floating, inZone, isUtc, shiftWall, wallOf, type IcalComponent, type IcalTime } from './zones.js';

/** The period for which a series is expanded, as local times. */
export interface Window {
  from: string;
  to: string;
  /** Maximum number of events per series. */
  most: number;
}

export interface Series {
  /** Local start times of the events in the period, sorted. */
  starts: string[];
  /** Whether `most` was exceeded. */
  cut: boolean;
}

/** What is taken for the duration of longer events, in seconds: 400 years, so that there is a year to compare. */
const LONGEST = 400 * 365 * 86_400;

/** Maximum number of dates of a rule to evaluate. */
const MAX_DATES = 200_000;

/** Converts a time to local time in the zone of the series. */
type ToWall = (time: IcalTime, tzid: string | undefined) => string;

function datesOf(component: IcalComponent, name: string, toWall: ToWall): { wall: string; isDate: boolean }[] {
  return component.getAllProperties(name).flatMap((property) => {
    const tzid: unknown = property.getParameter('tzid');
    return property.getValues().map((value: unknown) => {
      const time = value instanceof ICAL.Period ? value.start : (value as IcalTime);
      return { wall: toWall(time, typeof tzid === 'string' ? tzid : undefined), isDate: time.isDate };
    });
  });
}

/** Converts UNTIL to the zone of the series: ical.js compares it with times that have no zone. */
function withLocalEnd(rule: IcalRecur, { isDate, timezone, zones }: SeriesStart): IcalRecur {
  const until = rule.until;
  if (!until) return rule;
  const wall = isUtc(until) ? inZone(wallOf(until), 'UTC', timezone, zones) : wallOf(until);
  // A rule that ends on a date includes that whole day.
  rule.until = floating(until.isDate && !isDate ? `${wall.slice(0, 10)} 23:59:59` : wall, isDate);
  return rule;
}

/** Start of a series. */
interface SeriesStart {
  wall: string;
  isDate: boolean;
  timezone: string;
  zones: Zones;
}

/**
 * The local start times of a rule that counts its steps, from the start of a series on.
 * @param last local time at which to stop
 * @param most how many are wanted at most
 * @throws Error if the rule has too many dates before that, or takes too many steps
 */
export function* datesOfRule(
  rule: IcalRecur,
  start: string,
  last: string,
  most: number,
  { isDate = false, isWanted = () => true }: { isDate?: boolean; isWanted?: (wall: string) => boolean } = {},
): Generator<string> {
  const dates = rule.iterator(floating(start, isDate));
  let kept = 0;
  for (let looked = 0, time = dates.next(); time && wallOf(time) <= last && kept < most; looked += 1, time = dates.next()) {
    if (looked >= MAX_DATES) throw new Error(`the rule ${rule.toString()} has too many dates before ${last.slice(0, 10)}`);
    if (!isWanted(wallOf(time))) continue;
    kept += 1;
    yield wallOf(time);
  }
}

/**
 * The dates of a series within a period. RFC 5545: they always include the first event, unless it is excluded (EXDATE).
 * @param lasts duration of each event, in seconds
 * @throws Error for an invalid rule, or one with too many dates before the end of the period
 */
export function seriesOf(component: IcalComponent, first: SeriesStart, window: Window, lasts: number, toWall: ToWall): Series {
  const walls = new Set([first.wall, ...datesOf(component, 'rdate', toWall).map(({ wall }) => wall)]);
  const excluded = datesOf(component, 'exdate', toWall);
  const [out, outDays] = [
    new Set(excluded.map(({ wall }) => wall)),
    new Set(excluded.filter(({ isDate }) => isDate).map(({ wall }) => wall.slice(0, 10))),
  ];
  const isOut = (wall: string): boolean => out.has(wall) || outDays.has(wall.slice(0, 10));
  // Events in progress at the start of the period are included.
  const earliest = shiftWall(window.from, -Math.min(lasts, LONGEST));
  const within = (wall: string): boolean => wall >= earliest && wall <= window.to && !isOut(wall);
  for (const property of component.getAllProperties('rrule')) {
    const rule = withLocalEnd(property.getFirstValue() as IcalRecur, first);
    const dates = datesOfRule(rule, first.wall, window.to, window.most + 1, { isDate: first.isDate, isWanted: within });
    for (const wall of dates) walls.add(wall);
  }
  const starts = [...walls].filter(within).sort();
  return { starts: starts.slice(0, window.most), cut: starts.length > window.most };
}
