import { sanitizeTitle } from '../../wp/formatting/slug.js';
import { abbreviation, toUtc } from '../../wp/timezones.js';

const DAY_MS = 86_400_000;

/** What is computed from a key, kept: dates and names come up again and again. */
function kept<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = compute(key);
    known.set(key, made);
    return made;
  };
}

const dayTextOf = kept((day) => new Date(Number(day) * DAY_MS).toISOString().slice(0, 10));
/** Days since 1970 of a day, `YYYY-MM-DD`, and back. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayText = (day: number): string => dayTextOf(String(day));

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

const slugOf = kept(sanitizeTitle);

export const epochMs = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Wall times of a zone in UTC. Offsets are those of whole hours: no zone of the table of places changes its clock within one. */
class ZoneClock {
  private readonly offset: (hour: string) => number;
  readonly abbreviation: (wall: string) => string;

  constructor(zone: string) {
    this.offset = kept((hour) => epochMs(`${hour}:00:00`) - epochMs(toUtc(`${hour}:00:00`, zone)));
    const byHour = kept((hour) => abbreviation(zone, `${hour}:00:00`));
    this.abbreviation = (wall) => byHour(wall.slice(0, 13));
  }

  toUtc(wall: string): string {
    return new Date(epochMs(wall) - this.offset(wall.slice(0, 13))).toISOString().slice(0, 19).replace('T', ' ');
  }
}

export const clockOf = kept((zone) => new ZoneClock(zone));

/** Slugs of one kind of thing; what is taken gets a number (WP). */
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
