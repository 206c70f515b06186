import { newestZones } from '../../base/php/zone-data.js';
import { sanitizeTitle } from '../../wordpress/formatting/sanitize.js';
import { abbreviation, toUtc } from '../../wordpress/timezones.js';

const DAY_MS = 86_400_000;

/** Memoizes a function: dates and names occur many times. */
function memoize<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = compute(key);
    known.set(key, made);
    return made;
  };
}

const dayTextOf = memoize((day) => new Date(Number(day) * DAY_MS).toISOString().slice(0, 10));
/** Converts a date, `YYYY-MM-DD`, to days since 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayText = (day: number): string => dayTextOf(String(day));

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

const slugOf = memoize(sanitizeTitle);

export const epochMs = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Converts local times to UTC. Offsets are cached per hour: no zone in the table of places changes its offset within an hour. */
class ZoneClock {
  private readonly offset: (hour: string) => number;
  readonly abbreviation: (wall: string) => string;

  constructor(zone: string) {
    this.offset = memoize((hour) => epochMs(`${hour}:00:00`) - epochMs(toUtc(newestZones(), `${hour}:00:00`, zone)));
    const byHour = memoize((hour) => abbreviation(newestZones(), zone, `${hour}:00:00`));
    this.abbreviation = (wall) => byHour(wall.slice(0, 13));
  }

  toUtc(wall: string): string {
    return new Date(epochMs(wall) - this.offset(wall.slice(0, 13))).toISOString().slice(0, 19).replace('T', ' ');
  }
}

export const clockOf = memoize((zone) => new ZoneClock(zone));

/** The slugs of one post type. WP: duplicates get a number. */
export class Slugs {
  private readonly taken = new Map<string, number>();

  free(name: string, fallback: string): string {
    const wanted = slugOf(name) || fallback;
    let slug = wanted;
    let number = this.taken.get(wanted) ?? 1;
    for (; this.taken.has(slug); slug = `${wanted}-${number}`) number += 1;
    this.taken.set(wanted, number);
    if (slug !== wanted) this.taken.set(slug, 1);
    return slug;
  }
}
