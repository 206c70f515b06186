import ICAL from 'ical.js';
import { mysqlDate, wallToSeconds } from '../../../base/php/date.js';
import { localToUtc, offsetAt, UTC, type Zones } from '../../../base/php/timezone.js';
import { icsOffset } from '../../../wordpress/ics/write.js';
import { conversionZone, epochOf, isTimezoneOrEmpty, isUtcOffset, toLocal, toUtc, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import { WINDOWS_ZONES } from './windows-zones.js';

export type IcalTime = InstanceType<typeof ICAL.Time>;
type IcalTimezone = InstanceType<typeof ICAL.Timezone>;
export type IcalComponent = InstanceType<typeof ICAL.Component>;
export type IcalProperty = InstanceType<typeof ICAL.Property>;

const DAY = 86_400;

/** The local time `YYYY-MM-DD HH:MM:SS` of a time, regardless of its zone. */
export const wallOf = ({ year, month, day, hour, minute, second }: IcalTime): string =>
  mysqlDate({ year, month, day, hour, minute, second });

export const isUtc = (time: IcalTime): boolean => time.zone === ICAL.Timezone.utcTimezone;

/** Converts a local time to an ical.js time without a zone, for calculations in local time. */
export function floating(wall: string, isDate: boolean): IcalTime {
  const [year, month, day, hour, minute, second] = wall.split(/\D/).map(Number);
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate }, ICAL.Timezone.localTimezone);
}

/** Shifts a local time by seconds. */
export const shiftWall = (wall: string, seconds: number): string => wallAt((epochOf(wall, UTC) ?? 0) + seconds, UTC);

/** Converts a local time to another time zone. */
export const inZone = (wall: string, from: string, to: string, zones: Zones): string =>
  from === to ? wall : toLocal(zones, toUtc(zones, wall, from), to);

const isZoneName = (text: string, zones: Zones): boolean => text !== '' && isTimezoneOrEmpty(zones, text);

/** Matches the zone in names such as `/mozilla.org/20050126_1/Europe/Berlin`. */
const REGION_AT_END = /(?:^|[/\s])([A-Za-z_]+\/[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)?)$/;

/** The IANA zone for a name in a calendar file, or undefined. */
export function zoneNamed(tzid: string, zones: Zones): string | undefined {
  const name = tzid.trim().replace(/^"|"$/g, '');
  if (isZoneName(name, zones)) return name;
  const region = REGION_AT_END.exec(name)?.[1];
  if (region !== undefined && isZoneName(region, zones)) return region;
  return WINDOWS_ZONES.get(name.toLowerCase());
}

/** Local times to compare the rules of zones by: every ten days of a year and the next, at noon. */
const samples = (year: number): { year: number; month: number; day: number; hour: number; minute: number; second: number }[] =>
  Array.from({ length: 72 }, (_, index) => ({
    year: year + Math.floor(index / 36),
    month: (Math.floor(index / 3) % 12) + 1,
    day: (index % 3) * 10 + 1,
    hour: 12,
    minute: 0,
    second: 0,
  }));

/** Tried before other zones with the same rules. */
const WELL_KNOWN = ['America/Los_Angeles', 'America/Sao_Paulo', 'Europe/Istanbul', 'Asia/Tokyo'];

/** The first IANA zone with the same offsets as a VTIMEZONE in a year and the next. */
function regionLike(zone: IcalTimezone, year: number, zones: Zones): string | undefined {
  const wanted = samples(year).map((wall) => ({ wall, offset: zone.utcOffset(new ICAL.Time(wall, ICAL.Timezone.localTimezone)) }));
  return [...WELL_KNOWN, ...WINDOWS_ZONES.values()].find((region) => {
    const candidate = zoneOf(zones, region);
    return wanted.every(({ wall, offset }) => wallToSeconds(wall) - localToUtc(wall, candidate) === offset);
  });
}

/** The local time at which the description of a zone begins. */
const beginningOf = (component: IcalComponent): string =>
  component
    .getAllSubcomponents()
    .flatMap((each) => {
      const start: unknown = each.getFirstPropertyValue('dtstart');
      return start instanceof ICAL.Time ? [wallOf(start)] : [];
    })
    .toSorted()[0] ?? '9999';

/** The zones of a calendar file. */
export class CalendarZones {
  private readonly described = new Map<string, IcalTimezone>();
  private readonly found = new Map<string, string | null>();

  /** Time zone of the calendar (X-WR-TIMEZONE), if set. */
  calendar: string | undefined;

  /**
   * @param siteZone time zone of times without one
   * @param data the zones that exist
   * @param notify receives a note for each zone that is replaced by another
   */
  constructor(
    readonly siteZone: string,
    readonly data: Zones,
    private readonly notify: (line: string) => void,
  ) {}

  /** Adds a VTIMEZONE. */
  describe(component: IcalComponent): void {
    const tzid = component.getFirstPropertyValue('tzid');
    if (typeof tzid === 'string') this.described.set(tzid, new ICAL.Timezone(component));
  }

  /** The IANA zone or offset of a time with a TZID, or undefined if it is unknown. */
  of(tzid: string, time: IcalTime): string | undefined {
    const key = `${tzid} ${time.year}`;
    const known = this.found.get(tzid) ?? this.found.get(key);
    if (known !== undefined && known !== null) return known;
    const named = zoneNamed(tzid, this.data) ?? this.located(tzid);
    if (named !== undefined && this.agrees(named, tzid, time)) {
      if (named !== tzid) this.notify(`The time zone "${tzid}" is read as ${named}`);
      // An offset may agree in winter only.
      if (!isUtcOffset(named)) this.found.set(tzid, named);
      return named;
    }
    const zone = this.described.get(tzid);
    if (!zone) return undefined;
    const like = this.found.has(key) ? undefined : regionLike(zone, time.year, this.data);
    if (like !== undefined) this.notify(`The time zone "${tzid}" of the file has the same rules as ${like} in ${time.year}`);
    this.found.set(key, like ?? null);
    return like ?? icsOffset(zone.utcOffset(time)).replace(/^(.\d\d)(\d\d)/, '$1:$2');
  }

  /**
   * The UTC times of local times of a zone that the file describes otherwise than the zone data: the file decides on its own events. Undefined
   * for a zone that it does not describe, and for times for which both agree or the description has not begun.
   */
  utcOf(tzid: string, timezone: string): ((wall: string) => string | undefined) | undefined {
    const described = this.described.get(tzid);
    if (!described) return undefined;
    const zone = conversionZone(this.data, timezone);
    const begins = beginningOf(described.component);
    return (wall) => {
      const local = epochOf(wall, UTC);
      if (local === null || wall < begins) return undefined;
      const own = described.utcOffset(floating(wall, false));
      const offsets = [local - DAY, local, local + DAY].map((at) => offsetAt(zone, at - own));
      // Near a change both may read a time that occurs twice, or never, as another one.
      const isNearChange = new Set(offsets).size > 1;
      return isNearChange || offsets[1] === own ? undefined : wallAt(local - own, UTC);
    };
  }

  /** TEC: `UTC+2` follows the daylight saving time of a region; other programs use it as a fixed offset. The VTIMEZONE decides. */
  private agrees(named: string, tzid: string, time: IcalTime): boolean {
    const zone = this.described.get(tzid);
    if (!zone || !isUtcOffset(named)) return true;
    const at = time.clone();
    // A time that is left out when daylight saving time begins has two offsets: the day before decides.
    if (toLocal(this.data, toUtc(this.data, wallOf(at), named), named) !== wallOf(at)) at.adjust(-1, 0, 0, 0);
    const wall = wallOf(at);
    return (epochOf(wall, UTC) ?? 0) - (epochOf(toUtc(this.data, wall, named), UTC) ?? 0) === zone.utcOffset(at);
  }

  /** Some programs name the IANA zone in the VTIMEZONE (X-LIC-LOCATION). */
  private located(tzid: string): string | undefined {
    const location: unknown = this.described.get(tzid)?.component.getFirstPropertyValue('x-lic-location');
    return typeof location === 'string' ? zoneNamed(location, this.data) : undefined;
  }
}
