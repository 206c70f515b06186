import { offsetAt, UTC, type Zones } from '../../../base/php/timezone.js';
import { conversionZone, epochOf, isUtcOffset, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import type { Component } from './components.js';
import { DescribedZone, instantOf, type OffsetAt } from './described.js';
import type { RuleSteps } from './expand.js';
import { textOf, DAY } from './values.js';
import { isZoneName, offsetName, WELL_KNOWN, zoneNamed, type NamedZone } from './zone-names.js';
import { REGIONS } from './windows-zones.js';

/** Shifts a local time by seconds. */
export const shiftWall = (wall: string, seconds: number): string => wallAt((epochOf(wall, UTC) ?? 0) + seconds, UTC);

/** A zone that times of a file are in. Local times are in seconds since 1970. */
export class SourceZone {
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
