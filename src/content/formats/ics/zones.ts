import ICAL from 'ical.js';
import { mysqlDate, wallToSeconds } from '../../../php/date.js';
import { localToUtc } from '../../../php/timezone.js';
import { icsOffset } from '../../../feeds/ics.js';
import { epochOf, isTimezoneOrEmpty, isUtcOffset, toLocal, toUtc, wallAt, zoneOf } from '../../../wp/timezones.js';
import { WINDOWS_ZONES } from './windows-zones.js';

export type IcalTime = InstanceType<typeof ICAL.Time>;
export type IcalTimezone = InstanceType<typeof ICAL.Timezone>;
export type IcalComponent = InstanceType<typeof ICAL.Component>;
export type IcalProperty = InstanceType<typeof ICAL.Property>;

const UTC = zoneOf('UTC');

/** `YYYY-MM-DD HH:MM:SS` of a time, whatever its zone. */
export const wallOf = ({ year, month, day, hour, minute, second }: IcalTime): string =>
  mysqlDate({ year, month, day, hour, minute, second });

export const isUtc = (time: IcalTime): boolean => time.zone === ICAL.Timezone.utcTimezone;

/** A wall time as the library has it, without a zone: so it counts days and hours as clocks show them. */
export function floating(wall: string, isDate: boolean): IcalTime {
  const [year, month, day, hour, minute, second] = wall.split(/\D/).map(Number);
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate }, ICAL.Timezone.localTimezone);
}

/** A wall time moved by seconds of the clock. */
export const shiftWall = (wall: string, seconds: number): string => wallAt((epochOf(wall, UTC) ?? 0) + seconds, UTC);

/** A wall time of one zone as that of another: the same instant. */
export const inZone = (wall: string, from: string, to: string): string => (from === to ? wall : toLocal(toUtc(wall, from), to));

const isZoneName = (text: string): boolean => text !== '' && isTimezoneOrEmpty(text);

/** The rest of names such as `/mozilla.org/20050126_1/Europe/Berlin`. */
const REGION_AT_END = /(?:^|[/\s])([A-Za-z_]+\/[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)?)$/;

/** A zone of the database for the name that a calendar file uses, or undefined. */
export function zoneNamed(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"|"$/g, '');
  if (isZoneName(name)) return name;
  const region = REGION_AT_END.exec(name)?.[1];
  if (region !== undefined && isZoneName(region)) return region;
  return WINDOWS_ZONES.get(name.toLowerCase());
}

/** Wall times by which rules are compared: every ten days of a year and the next one, at noon. */
const samples = (year: number): { year: number; month: number; day: number; hour: number; minute: number; second: number }[] =>
  Array.from({ length: 72 }, (_, index) => ({
    year: year + Math.floor(index / 36),
    month: (Math.floor(index / 3) % 12) + 1,
    day: (index % 3) * 10 + 1,
    hour: 12,
    minute: 0,
    second: 0,
  }));

/** Tried first: elsewhere less known regions have the same clocks. */
const WELL_KNOWN = ['America/Los_Angeles', 'America/Sao_Paulo', 'Europe/Istanbul', 'Asia/Tokyo'];

/** The first region whose clocks go as those of a zone that a file describes, around a year. */
function regionLike(zone: IcalTimezone, year: number): string | undefined {
  const wanted = samples(year).map((wall) => ({ wall, offset: zone.utcOffset(new ICAL.Time(wall, ICAL.Timezone.localTimezone)) }));
  return [...WELL_KNOWN, ...WINDOWS_ZONES.values()].find((region) => {
    const candidate = zoneOf(region);
    return wanted.every(({ wall, offset }) => wallToSeconds(wall) - localToUtc(wall, candidate) === offset);
  });
}

/** The zones of a calendar file. */
export class CalendarZones {
  private readonly described = new Map<string, IcalTimezone>();
  private readonly found = new Map<string, string | null>();

  /** Zone that the whole calendar is said to be in, if it is. */
  calendar: string | undefined;

  /**
   * @param siteZone zone of times that have none
   * @param tell told once of each zone that goes by another name here
   */
  constructor(
    readonly siteZone: string,
    private readonly tell: (line: string) => void,
  ) {}

  /** Takes a VTIMEZONE. */
  describe(component: IcalComponent): void {
    const tzid = component.getFirstPropertyValue('tzid');
    if (typeof tzid === 'string') this.described.set(tzid, new ICAL.Timezone(component));
  }

  /** The zone of a time with a TZID, by a name of the database, or undefined when nothing tells what it is. */
  of(tzid: string, time: IcalTime): string | undefined {
    const key = `${tzid} ${time.year}`;
    const known = this.found.get(tzid) ?? this.found.get(key);
    if (known !== undefined && known !== null) return known;
    const named = zoneNamed(tzid) ?? this.located(tzid);
    if (named !== undefined && this.agrees(named, tzid, time)) {
      if (named !== tzid) this.tell(`The time zone "${tzid}" is taken for ${named}`);
      this.found.set(tzid, named);
      return named;
    }
    const zone = this.described.get(tzid);
    if (!zone) return undefined;
    const like = this.found.has(key) ? undefined : regionLike(zone, time.year);
    if (like !== undefined) this.tell(`The time zone "${tzid}" of the file goes like ${like} in ${time.year}`);
    this.found.set(key, like ?? null);
    return like ?? icsOffset(zone.utcOffset(time)).replace(/^(.\d\d)(\d\d)/, '$1:$2');
  }

  /**
   * TEC: `UTC+2` has the daylight saving time of a region, while for others it is a fixed offset; the file tells which one is meant.
   */
  private agrees(named: string, tzid: string, time: IcalTime): boolean {
    const zone = this.described.get(tzid);
    if (!zone || !isUtcOffset(named)) return true;
    const wall = wallOf(time);
    return (epochOf(wall, UTC) ?? 0) - (epochOf(toUtc(wall, named), UTC) ?? 0) === zone.utcOffset(time);
  }

  /** Some programs name the region in the description of the zone. */
  private located(tzid: string): string | undefined {
    const location: unknown = this.described.get(tzid)?.component.getFirstPropertyValue('x-lic-location');
    return typeof location === 'string' ? zoneNamed(location) : undefined;
  }
}
