import { newestZones, withoutOlderNames } from '../../../base/php/zone-data.js';
import { offsetAt, type Zone, type Zones } from '../../../base/php/timezone.js';
import { lookup } from '../../../base/values/records.js';
import { isTimezoneOrEmpty, isUtcOffset, zoneOf } from '../../../wordpress/timezones.js';
import { DISPLAYED, REGIONS, WINDOWS_ZONES } from './windows-zones.js';

/** The zone that a name in a calendar file means. */
export interface NamedZone {
  /** Its name on the site: an identifier of the zone data, or an offset such as `-03:30`. */
  text: string;
  zone: Zone;
}

export const isZoneName = (text: string, zones: Zones): boolean => text !== '' && isTimezoneOrEmpty(zones, text);

/** PHP reads these names as abbreviations, without the summer time that they have in the zone data. */
const WITH_SUMMER_TIME: Readonly<Record<string, string>> = lookup({
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  WET: 'Europe/Lisbon',
});

/** Tried before other zones with the same rules or name. */
export const WELL_KNOWN = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Sao_Paulo'],
  ...['Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Athens', 'Europe/Istanbul', 'Asia/Kolkata', 'Asia/Tokyo'],
];

const OFFSET = /^(?:UTC|GMT|Z)?\s*([+\-\u2212])\s*(\d{1,2})(?:[:.]?(\d\d))?$/i;

const pad = (value: number): string => String(value).padStart(2, '0');

/** `+05:30` from seconds east of UTC. */
export function offsetName(seconds: number): string {
  const size = Math.abs(seconds);
  const rest = size % 60;
  return `${seconds < 0 ? '-' : '+'}${pad(Math.floor(size / 3600))}:${pad(Math.floor(size / 60) % 60)}${rest === 0 ? '' : `:${pad(rest)}`}`;
}

/** Seconds east of UTC of a name such as `UTC-02`, `GMT+5:30` or `-0330`. */
function offsetNamed(name: string): number | undefined {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(name) ?? [];
  if (sign === undefined || Number(hours) > 15 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '+' ? size : -size;
}

const startOf = (region: string): string => region.split('/')[0];

/** The name that a zone has today, if zone data has its name for compatibility only: `Asia/Kolkata` for `Asia/Calcutta`. */
function todaysName(name: string, zones: Zones): string | undefined {
  if (isZoneName(name, zones)) return name;
  const { catalog } = newestZones();
  const periods = catalog.periods(name.toLowerCase());
  if (!periods) return undefined;
  const same = withoutOlderNames(newestZones())
    .names()
    .filter((each) => each.includes('/') && isZoneName(each, zones) && catalog.periods(each.toLowerCase()) === periods);
  return same.find((each) => WELL_KNOWN.includes(each)) ?? same.find((each) => startOf(each) === startOf(name)) ?? same[0];
}

/** 2026: a day in winter and one in summer, in either hemisphere. */
const SEASONS = [Date.UTC(2026, 0, 15) / 1000, Date.UTC(2026, 6, 15) / 1000];

/** Whether a zone has an offset as its standard time. */
const isStandard = (region: string, offset: number | undefined): boolean =>
  offset === undefined || Math.min(...SEASONS.map((at) => offsetAt(zoneOf(newestZones(), region), at))) === offset;

let cities: Map<string, string[]> | undefined;

/** The zones by their cities, in lower case. */
function citiesOfZones(): Map<string, string[]> {
  if (cities) return cities;
  cities = new Map();
  for (const name of newestZones().names()) {
    const city = name
      .slice(name.lastIndexOf('/') + 1)
      .replaceAll('_', ' ')
      .toLowerCase();
    if (name.includes('/') && startOf(name) !== 'Etc') cities.set(city, [...(cities.get(city) ?? []), name]);
  }
  return cities;
}

/** A zone by its name in Windows, such as `W. Europe Standard Time`, also that of its summer time, or the start of it. */
function windowsZone(name: string): string | undefined {
  const standard = name.replace(/ (?:daylight|summer) time\b/, ' standard time');
  return WINDOWS_ZONES.get(standard) ?? WINDOWS_ZONES.get(`${standard.replace(/ time$/, '')} standard time`);
}

const DISPLAY = /^\(?\s*(?:UTC|GMT)\s*(?:([+\-\u2212]\d{1,2}(?:[:.]?\d\d)?))?\s*\)?\s+(\S.*)$/i;

/** A zone by its display name in Windows: `(UTC+01:00) Amsterdam, Berlin, …`, `Eastern Time (US & Canada)`. The offset is the one of winter. */
function displayedZone(name: string): string | undefined {
  const [, given, places = name] = DISPLAY.exec(name) ?? [];
  const offset = given === undefined ? undefined : offsetNamed(given);
  if (/^(?:coordinated universal time|international date line west)/i.test(places)) return offsetName(offset ?? 0);
  const whole = places.trim().toLowerCase();
  const bare = whole
    .replace(/\s*\(.*\)$/, '')
    .replace(/^city of /, '')
    .replace(/ - old$/, '')
    .replace(/ islands?$/, '');
  const names = (DISPLAYED[whole] ?? DISPLAYED[bare.split(',')[0]] ?? bare).split(',');
  const named = names.flatMap((each) => windowsZone(each) ?? []);
  const regions = bare.split(given === undefined ? ',' : /[,/]/).flatMap((place) => citiesOfZones().get(place.trim()) ?? []);
  const all = [...named, ...regions];
  return all.find((region) => isStandard(region, offset)) ?? all[0];
}

/** The languages whose names of zones are known: the ones of Node.js, from CLDR. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'];
const byLanguage = new Map<string, Map<string, string>>();

const folded = (name: string): string => name.toLowerCase().replaceAll('\u2019', "'");

/** The names of a zone: in general, in winter and in summer. */
const namesIn = (language: string, timeZone: string): string[] =>
  (['longGeneric', 'long'] as const).flatMap((timeZoneName) => {
    const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName });
    return SEASONS.map((at) => folded(format.formatToParts(at * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''));
  });

function zonesInLanguage(language: string): Map<string, string> {
  let names = byLanguage.get(language);
  if (names) return names;
  names = new Map();
  // Regions that share their names in English do so in all languages.
  const regions = language === 'en' ? [...WELL_KNOWN, ...REGIONS] : new Set(zonesInLanguage('en').values());
  for (const region of regions)
    for (const name of namesIn(language, region)) if (!names.has(name) && !/\d/.test(name)) names.set(name, region);
  byLanguage.set(language, names);
  return names;
}

/** A zone by the name that people know it by: `Mitteleuropäische Zeit`. */
function translatedZone(name: string): string | undefined {
  if (!/^[\p{L}\p{M}'\u2019.]+(?:[ -][\p{L}\p{M}'\u2019.]+)+$/u.test(name)) return undefined;
  for (const language of LANGUAGES) {
    const region = zonesInLanguage(language).get(folded(name));
    if (region !== undefined) return region;
  }
  return undefined;
}

/** Longer names are not the name of a zone. */
const MAX_NAME = 200;

/** Matches the zone in names such as `/mozilla.org/20050126_1/Europe/Berlin`. */
const REGION_AT_END = /(?:^|[/\s])([A-Za-z_]+\/[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)?)$/;

/**
 * The zone that a name in a calendar file means, or undefined.
 * @param zones the zones that the site has
 * @param isDescribed whether the file describes the zone: then its name need not be one that people use
 */
export function zoneNamed(tzid: string, zones: Zones, isDescribed = false): NamedZone | undefined {
  const name = tzid
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/^\(([^()]+)\)$/, '$1')
    .replace(/^tzone:\/\/microsoft\//i, '');
  if (name.length > MAX_NAME) return undefined;
  const of = (text: string | undefined): NamedZone | undefined => (text === undefined ? undefined : { text, zone: zoneOf(zones, text) });
  const offset = offsetNamed(name);
  if (offset !== undefined) return of(offset === 0 ? 'UTC' : offsetName(offset));
  if (/^(?:utc|gmt|z)$/i.test(name)) return of('UTC');
  const summer = WITH_SUMMER_TIME[name.toUpperCase()];
  if (summer !== undefined) return of(todaysName(summer, zones));
  const direct = isUtcOffset(name) ? undefined : (todaysName(name, zones) ?? todaysName(name.replaceAll(' ', '_'), zones));
  if (direct !== undefined) return of(direct.includes('/') ? (zones.catalog.spelling.get(direct.toLowerCase()) ?? direct) : direct);
  const region = REGION_AT_END.exec(name)?.[1];
  const atEnd = region === undefined ? undefined : todaysName(region, zones);
  if (atEnd !== undefined) return of(atEnd);
  const found = windowsZone(name.toLowerCase()) ?? displayedZone(name) ?? (isDescribed ? undefined : translatedZone(name));
  if (found === undefined) return undefined;
  // Many sites do not have the older names that Windows and CLDR use.
  return of(found.includes('/') ? todaysName(found, withoutOlderNames(zones)) : found);
}
