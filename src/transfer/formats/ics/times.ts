import { UTC, offsetAt, type Zones } from '../../../base/php/timezone.js';
import { wallAt, conversionZone, epochOf, isUtcOffset, zoneOf } from '../../../wordpress/timezones.js';
import type { WallTimes } from '../../fields.js';
import { DAY, EventProblem, readDuration, readMoment, textOf } from './components.js';
import type { Component, Property, Duration, Moment } from './components.js';
import { DescribedZone, instantOf, type OffsetAt } from './described.js';
import type { RuleSteps } from './expand.js';
import { isZoneName, offsetName, WELL_KNOWN, zoneNamed, type NamedZone } from './zone-names.js';
import { REGIONS } from './windows-zones.js';

/** Shifts a local time by seconds. */
export const shiftWall = (wall: string, seconds: number): string => wallAt((epochOf(wall, UTC) ?? 0) + seconds, UTC);

/** A zone that times of a file are in. Local times are in seconds since 1970. */
class SourceZone {
  /**
   * @param offset seconds east of UTC at an instant
   * @param nameAt the name of the zone on the site, for an event at a local time
   */
  constructor(
    readonly offset: OffsetAt,
    readonly nameAt: (wall: number) => string,
  ) {}

  utcOf(wall: number): number {
    return instantOf(wall, this.offset);
  }

  wallOf(utc: number): number {
    return utc + this.offset(utc);
  }
}

const utcZone = new SourceZone(
  () => 0,
  () => 'UTC',
);

/** Names for a zone that somebody has defined elsewhere, as Exchange and Outlook write them: `Customized Time Zone`. */
const OWN = /custom|benutzerdefinier|personnalis|personali[sz]|unknown|undefined|floating/i;

const yearOf = (wall: number): number => new Date(wall * 1000).getUTCFullYear();

/** Local times to compare the rules of zones by: every ten days of a year and the next, at noon. */
const samples = (year: number): number[] =>
  Array.from({ length: 72 }, (_, index) => Date.UTC(year, Math.floor(index / 3), (index % 3) * 10 + 1, 12) / 1000);

/** The first IANA zone with the same offsets as a described one in a year and the next. */
function regionLike({ offsetAt: own }: DescribedZone, year: number, zones: Zones): string | undefined {
  const wanted = samples(year).map((wall) => ({ wall, utc: instantOf(wall, own) }));
  return [...WELL_KNOWN, ...REGIONS].find((region) => {
    const zone = zones.resolve(region);
    return zone !== null && wanted.every(({ wall, utc }) => offsetAt(zone, utc) === wall - utc);
  });
}

/** The zones of a calendar. RFC 5545, 3.2.19: a name is valid in its calendar; a description there decides on it. */
export class CalendarZones {
  private readonly described = new Map<string, DescribedZone>();
  private readonly found = new Map<string, SourceZone | null>();

  /** Zone of the calendar (X-WR-TIMEZONE), if it has one. */
  calendar: SourceZone | undefined;
  readonly utc = utcZone;
  private readonly site: SourceZone;

  /**
   * @param siteZone zone of times without one
   * @param data the zones that exist
   * @param notify receives a note for each zone that is replaced by another
   * @param doubt receives a note for each zone that is unknown
   */
  constructor(
    siteZone: string,
    readonly data: Zones,
    private readonly notify: (line: string) => void,
    private readonly doubt: (line: string) => void,
  ) {
    const zone = conversionZone(data, siteZone);
    this.site = new SourceZone(
      (utc) => offsetAt(zone, utc),
      () => siteZone,
    );
  }

  /** Adds a VTIMEZONE. @throws EventProblem for one that cannot be read */
  describe(component: Component, steps: RuleSteps): void {
    const tzid = textOf(component.value('TZID')).replace(/^"(.*)"$/, '$1');
    if (tzid !== '') this.described.set(tzid, DescribedZone.of(component, steps));
  }

  /** The zone of times without one. */
  get local(): SourceZone {
    return this.calendar ?? this.site;
  }

  /** The zone with a TZID, or undefined if it is unknown. */
  of(text: string): SourceZone | undefined {
    const tzid = text.trim();
    let zone = this.found.get(tzid);
    if (zone === undefined) this.found.set(tzid, (zone = this.find(tzid) ?? null));
    return zone ?? undefined;
  }

  /** The zone of times with a TZID. Other programs, too, read times in a zone of somebody's own as local ones. */
  ofTimes(tzid: string): SourceZone | undefined {
    const zone = this.of(tzid);
    if (zone || !OWN.test(tzid)) return zone;
    const name = this.local.nameAt(0);
    this.doubt(`unknown time zone "${tzid}", which the file does not define (VTIMEZONE): its times are read as times in ${name}`);
    this.found.set(tzid.trim(), this.local);
    return this.local;
  }

  /** The zone that a name means, without its description in the file: for dates, which are not instants. */
  named(text: string): SourceZone | undefined {
    // TEC: `UTC+2` has the summer time of a region.
    const named = isZoneName(text, this.data) ? { text, zone: conversionZone(this.data, text) } : zoneNamed(text, this.data);
    return named && this.plain(named, text);
  }

  private plain({ text, zone }: NamedZone, tzid: string): SourceZone {
    if (text !== tzid) this.notify(`The time zone "${tzid}" is read as ${text}`);
    return new SourceZone(
      (utc) => offsetAt(zone, utc),
      () => text,
    );
  }

  private find(tzid: string): SourceZone | undefined {
    const described = this.described.get(tzid);
    const named = zoneNamed(tzid, this.data, described !== undefined);
    if (!described) return named && this.plain(named, tzid);
    // Some programs name the IANA zone in the description.
    const location = described.component.value('X-LIC-LOCATION');
    const located = location === '' ? undefined : zoneNamed(location, this.data, true);
    const known = named ?? located;
    const texts = [...(isZoneName(tzid, this.data) ? [tzid] : []), ...[named, located].flatMap((each) => each?.text ?? [])];
    const zone = new SourceZone(
      (utc) => (known && utc < described.begins ? offsetAt(known.zone, utc) : described.offsetAt(utc)),
      (wall) => this.nameOf(tzid, described, texts, wall),
    );
    return zone;
  }

  /** Names by year and TZID; null: none, so an offset. */
  private readonly names = new Map<string, string | null>();

  /** The name of a described zone on the site, by year: the same zone, one with the same rules, or the offset at a time. */
  private nameOf(tzid: string, described: DescribedZone, texts: readonly string[], wall: number): string {
    const year = yearOf(wall);
    const key = `${year} ${tzid}`;
    let name = this.names.get(key);
    if (name === undefined) this.names.set(key, (name = this.regionOf(tzid, described, texts, wall) ?? null));
    return name ?? offsetName(described.offsetAt(instantOf(wall, described.offsetAt)));
  }

  private regionOf(tzid: string, described: DescribedZone, texts: readonly string[], wall: number): string | undefined {
    const isRegion = (text: string): boolean => text.includes('/') && !isUtcOffset(text);
    const text = texts.find((each) => this.agrees(each, described, wall)) ?? texts.find(isRegion);
    if (text !== undefined) {
      if (text !== tzid) this.notify(`The time zone "${tzid}" is read as ${text}`);
      return text;
    }
    const like = regionLike(described, yearOf(wall), this.data);
    if (like !== undefined) this.notify(`The time zone "${tzid}" of the file has the same rules as ${like} in ${yearOf(wall)}`);
    return like;
  }

  /** Whether a zone of the site has the same offset at noon of a day, and half a year later. TEC: `UTC+2` has the summer time of a region. */
  private agrees(text: string, { offsetAt: own }: DescribedZone, wall: number): boolean {
    const zone = isUtcOffset(text) ? conversionZone(this.data, text) : zoneOf(this.data, text);
    const noon = Math.floor(wall / DAY) * DAY + DAY / 2;
    return [noon, noon + 182 * DAY].every((at) => {
      const utc = instantOf(at, own);
      return offsetAt(zone, utc) === at - utc;
    });
  }
}

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
