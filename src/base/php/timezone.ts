import { findAbbreviation } from './abbreviations.js';
import { secondsToWall, wallToSeconds, type Wall } from './date.js';

/**
 * A time zone of PHP's DateTimeZone: an offset (`+02:00`), an abbreviation (`EST`: also a fixed offset) or an identifier
 * (`Europe/Paris`). Compare zones by `name`.
 */
export interface Zone {
  readonly kind: 'offset' | 'abbreviation' | 'identifier';
  /** The result of DateTimeZone::getName; identifiers keep the caller's case. */
  readonly name: string;
  /** Periods in chronological order; the first has no beginning. */
  readonly periods: Periods;
}

export interface Periods {
  /** Epoch second at which each period ends. The last period has no end. */
  readonly ends: Float64Array;
  readonly offsets: Int32Array;
  readonly abbreviations: readonly string[];
  /** Index of the most recent lookup, since subsequent lookups are often nearby. */
  recent: number;
}

const DAY = 86400;

const constantPeriods = (offset: number, abbreviation: string): Periods => ({
  ends: new Float64Array(0),
  offsets: Int32Array.of(offset),
  abbreviations: [abbreviation],
  recent: 0,
});

/** The zones that a release of the time zone database has. Keys are identifiers in lower case. */
export interface ZoneCatalog {
  /** The release, such as `2026f`; files of unknown origin: their folder. */
  readonly release: string;
  /** Names the data: the same for the same content only. */
  readonly identity: string;
  /** Keys to their canonical spelling. */
  readonly spelling: ReadonlyMap<string, string>;
  /** @returns null for a name that it does not have */
  periods(key: string): Periods | null;
}

const pad = (value: number): string => String(value).padStart(2, '0');

const offsetZone = (offset: number): Zone => {
  const sign = offset < 0 ? '-' : '+';
  const size = Math.abs(offset);
  const [hours, minutes, seconds] = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map(pad);
  return {
    kind: 'offset',
    name: `${sign}${hours}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`,
    periods: constantPeriods(offset, `GMT${sign}${hours}${minutes}`),
  };
};

/** 99:59:59. */
const MAX_OFFSET = 359999;

const leadingInt = (text: string): number => Number(/^\d*/.exec(text)![0]);

/** PHP: the length determines how the digits are interpreted, and an unexpected colon ends the number. */
const offsetSize = (text: string): number | null => {
  const whole = leadingInt(text);
  const clock = (colon: number): number => whole * 3600 + leadingInt(text.slice(colon + 1)) * 60;
  switch (text.length) {
    case 1:
    case 2:
      return whole * 3600;
    case 3:
    case 4:
      if (text[1] === ':') return clock(1);
      return text[2] === ':' ? clock(2) : Math.floor(whole / 100) * 3600 + (whole % 100) * 60;
    case 5:
      return text[2] === ':' ? clock(2) : null;
    case 6:
      return Math.floor(whole / 10000) * 3600 + (Math.floor(whole / 100) % 100) * 60 + (whole % 100);
    case 8:
      return text[2] === ':' && text[5] === ':' ? clock(2) + leadingInt(text.slice(6)) : null;
    default:
      return null;
  }
};

/**
 * Parses an offset such as `+2`, `-0530`, `+05:30`, `GMT+2` (upper case only) or `+023045` to seconds east of UTC; null if invalid.
 * PHP: hours and minutes may exceed 23 and 59, up to a total of 99:59:59.
 */
const parseOffset = (text: string): number | null => {
  const match = /^(?:GMT(?=[+-]))?([+-])([\d:]+)$/.exec(text);
  const size = match && offsetSize(match[2]);
  if (!match || size === null || size > MAX_OFFSET) return null;
  return match[1] === '-' ? 0 - size : size;
};

export const UTC: Zone = { kind: 'identifier', name: 'UTC', periods: constantPeriods(0, 'UTC') };

const abbreviationZone = (name: string): Zone | null => {
  const found = findAbbreviation(name);
  return found && { kind: 'abbreviation', name: found.name, periods: constantPeriods(found.offset, found.name) };
};

const bareName = (name: string): string => {
  const inner = name.replace(/^[ \t]*\(*/, '');
  const close = inner.indexOf(')');
  return close >= 0 && /^\)*$/.test(inner.slice(close)) ? inner.slice(0, close) : inner;
};

/** Identifiers without a slash that PHP's abbreviation list contains. */
const LISTED_SHORT_NAMES = new Set(['GB', 'MET', 'NZ', 'PRC', 'ROC', 'ROK', 'UTC']);

/** Zones without an alphabetic abbreviation in PHP's list, although the zone database has one. */
const UNLISTED = new Set([
  'america/ciudad_juarez',
  'america/coyhaique',
  'europe/kirov',
  'europe/kyiv',
  'europe/volgograd',
  'indian/christmas',
  'indian/cocos',
  'indian/kerguelen',
]);

/** Abbreviations of the zone database that are not in PHP's list: local mean time, and some newer ones. */
const UNLISTED_ABBREVIATIONS = new Set(['LMT', 'PMMT', 'HKWT']);

/** The time zones of a site: what its PHP knows. */
export class Zones {
  private readonly known = new Map<string, Zone>([['UTC', UTC]]);

  constructor(readonly catalog: ZoneCatalog) {}

  /** The release of the time zone database, such as `2026f`. */
  get release(): string {
    return this.catalog.release;
  }

  /** Names the data: the same for the same content only. Results that are kept depend on it, since files may name any release. */
  get identity(): string {
    return this.catalog.identity;
  }

  /**
   * Resolves a name like PHP's DateTimeZone: an offset, an abbreviation, or an identifier including backward-compatible names, in any
   * case; null if PHP rejects it. Whitespace and `(` before the name and `)` after it are ignored.
   * PHP: abbreviations take precedence over identifiers (`EST`, `CET`), except for `UTC` in upper case.
   */
  resolve(name: string): Zone | null {
    const cached = this.known.get(name);
    if (cached) return cached;
    const core = bareName(name);
    const offset = parseOffset(core);
    if (offset !== null) return offsetZone(offset);
    return this.known.get(core) ?? abbreviationZone(core) ?? this.identifier(core);
  }

  private identifier(name: string): Zone | null {
    const key = name.toLowerCase();
    const periods = this.catalog.periods(key);
    if (!periods) return null;
    const zone: Zone = { kind: 'identifier', name, periods };
    // Cache only canonical spellings: the number of spellings in mixed case is unbounded.
    if (this.catalog.spelling.get(key) === name) this.known.set(name, zone);
    return zone;
  }

  /** Whether PHP's DateTimeZone accepts the name. */
  has(name: string): boolean {
    return this.resolve(name) !== null;
  }

  /** The canonical spelling of a zone's name. PHP keeps the caller's spelling. */
  spelled({ name }: Zone): string {
    return this.catalog.spelling.get(name.toLowerCase()) ?? name;
  }

  /** The names of all zones in their canonical spelling. */
  names(): string[] {
    return [...this.catalog.spelling.values()].toSorted();
  }

  /**
   * The alphabetic abbreviations that PHP's DateTimeZone::listAbbreviations has for an identifier, in upper case, sorted. The identifier
   * must have its canonical spelling. Local mean time is not included.
   */
  historicAbbreviations(identifier: string): string[] {
    const key = identifier.toLowerCase();
    if (this.catalog.spelling.get(key) !== identifier || UNLISTED.has(key) || key.startsWith('us/')) return [];
    if (!identifier.includes('/') && !LISTED_SHORT_NAMES.has(identifier)) return [];
    const names = new Set((this.catalog.periods(key)?.abbreviations ?? []).map((name) => name.toUpperCase()));
    return [...names].filter((name) => /^[A-Z]/.test(name) && !UNLISTED_ABBREVIATIONS.has(name)).sort();
  }
}

/** Index of the period that contains an instant. */
const periodAt = (periods: Periods, epochSeconds: number): number => {
  const { ends } = periods;
  const last = ends.length;
  if (last === 0) return 0;
  const recent = periods.recent;
  if ((recent === last || epochSeconds < ends[recent]) && (recent === 0 || epochSeconds >= ends[recent - 1])) return recent;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (epochSeconds < ends[middle]) high = middle;
    else low = middle + 1;
  }
  return (periods.recent = low);
};

/** Seconds in 400 Gregorian years, after which dates and weekdays repeat. */
const CYCLE = 146097 * DAY;

/** PHP: rules that are still in force at the end of the data, in 2499, continue forever. Maps later instants to an earlier cycle. */
const withinData = (periods: Periods, epochSeconds: number): number => {
  const last = periods.ends[periods.ends.length - 1];
  if (last === undefined || epochSeconds < last || last < CYCLE) return epochSeconds;
  return epochSeconds - Math.ceil((epochSeconds - last + 1) / CYCLE) * CYCLE;
};

const indexAt = (zone: Zone, epochSeconds: number): number => periodAt(zone.periods, withinData(zone.periods, epochSeconds));

/** The period of a zone at an instant: its offset, and the epoch seconds at which it begins and ends. */
export function offsetSpanAt({ periods }: Zone, epochSeconds: number): { offset: number; from: number; until: number } {
  const at = withinData(periods, epochSeconds);
  const index = periodAt(periods, at);
  const moved = epochSeconds - at;
  const end = (place: number): number | undefined => periods.ends[place];
  return { offset: periods.offsets[index], from: (end(index - 1) ?? -Infinity) + moved, until: (end(index) ?? Infinity) + moved };
}

/** Seconds east of UTC at an instant. */
export const offsetAt = (zone: Zone, epochSeconds: number): number => zone.periods.offsets[indexAt(zone, epochSeconds)];

/**
 * PHP's `T` letter at an instant: `EDT`, a number such as `-03` if the zone has no alphabetic abbreviation, `GMT+0200` for offset zones.
 */
export const abbreviationAt = (zone: Zone, epochSeconds: number): string => zone.periods.abbreviations[indexAt(zone, epochSeconds)];

/**
 * Converts local seconds, since 1970-01-01 00:00:00 local time, to epoch seconds.
 * PHP: tries the offset that would be in force if the local time were UTC. So, where clocks are set back, zones east of Greenwich get
 * the second occurrence and zones west of it the first. Where clocks are set forward, skipped times move forward by the gap.
 */
export const localSecondsToUtc = (localSeconds: number, zone: Zone): number => {
  const guess = offsetAt(zone, localSeconds);
  const first = localSeconds - guess;
  const actual = offsetAt(zone, first);
  if (actual === guess) return first;
  const second = localSeconds - actual;
  return offsetAt(zone, second) === actual ? second : localSeconds - Math.min(guess, actual);
};

/** Zones whose winter (or Ramadan) time is the daylight saving time in the zone database, with a negative shift. */
const NEGATIVE_SAVING = new Set(['africa/casablanca', 'africa/el_aaiun', 'eire', 'europe/dublin']);

/**
 * Like `localSecondsToUtc`, for a zone named in the text of a date. PHP: then zones east of Greenwich get the first occurrence too, if
 * the change is less than two hours before the second one, except where winter time is the daylight saving time.
 */
export const namedLocalSecondsToUtc = (localSeconds: number, zone: Zone): number => {
  const instant = localSecondsToUtc(localSeconds, zone);
  const offset = offsetAt(zone, instant);
  if (offset < 0 || NEGATIVE_SAVING.has(zone.name.toLowerCase())) return instant;
  const before = offsetAt(zone, instant - 7200);
  const earlier = localSeconds - before;
  return before > offset && offsetAt(zone, earlier) === before ? earlier : instant;
};

/** Converts a local date and time to epoch seconds, like `localSecondsToUtc`. Out-of-range members roll over. */
export const localToUtc = (wall: Wall, zone: Zone): number => localSecondsToUtc(wallToSeconds(wall), zone);

/** Converts epoch seconds to the local date and time. */
export const utcToLocal = (epochSeconds: number, zone: Zone): Wall => secondsToWall(epochSeconds + offsetAt(zone, epochSeconds));

/** A period between two changes of a zone. */
export interface Period {
  /** Epoch second at which it begins. */
  at: number;
  /** Seconds east of UTC. */
  offset: number;
  abbreviation: string;
  /** Whether it is daylight saving time, as a heuristic: a larger offset than before and after, for less than a year. */
  daylight: boolean;
}

const YEAR = 366 * DAY;

/**
 * The period at `from` and all changes after it up to `to`, both in epoch seconds. Includes changes of the abbreviation alone. There are
 * no changes after the end of the data, in 2499.
 */
export const transitionsOf = (zone: Zone, from: number, to: number): { beginning: Period; changes: Period[] } => {
  const { ends, offsets, abbreviations } = zone.periods;
  const period = (index: number): Period => {
    const [at, end] = [index === 0 ? -Infinity : ends[index - 1], ends[index] ?? Infinity];
    const isLater = (other: number): boolean => offsets[other] === undefined || offsets[index] > offsets[other];
    const daylight = end - at < YEAR && isLater(index - 1) && isLater(index + 1);
    return { at, offset: offsets[index], abbreviation: abbreviations[index], daylight };
  };
  const first = indexAt(zone, from);
  const changes: Period[] = [];
  for (let index = first + 1; index < offsets.length && ends[index - 1] <= to; index++) changes.push(period(index));
  return { beginning: { ...period(first), at: from }, changes };
};
