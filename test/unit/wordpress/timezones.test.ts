import { zonesOf } from '../../../src/base/php/zone-data.js';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  abbreviation,
  isoWithOffset,
  isTimezoneOrEmpty,
  isUtcOffset,
  siteToUtc,
  siteZoneText,
  toLocal,
  toUtc,
  utcToSite,
} from '../../../src/wordpress/timezones.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(here, '../..', file), 'utf8'));

interface Season {
  timezone: string;
  timezone_abbr: string;
  utc_start_date: string;
}
interface ZoneRow {
  input: string;
  output: { status: number } | { summer: Season; winter: Season };
}
interface OffsetRow {
  input: string;
  output: { utc_of_2026_08_01_12_00: string; utc_of_2027_01_10_12_00: string };
}
interface WorldEvent {
  id: number;
  meta: Record<string, string[]>;
}

// The release of the recorded sites.
const zones = zonesOf('2025b');

const SITE_ZONE = 'America/New_York';

describe('measured zones', () => {
  test.each(readJson('examples/timezones.json') as ZoneRow[])('$input', ({ input, output }) => {
    expect(isTimezoneOrEmpty(zones, input)).toBe(!('status' in output));
    if ('status' in output) return;
    const zone = input === '0' ? SITE_ZONE : input;
    for (const [season, wall] of [
      [output.summer, '2026-08-01 10:00:00'],
      [output.winter, '2027-01-10 10:00:00'],
    ] as const) {
      expect(toUtc(zones, wall, zone)).toBe(season.utc_start_date);
      expect(abbreviation(zones, zone, wall)).toBe(season.timezone_abbr);
    }
  });
});

describe('offsets convert as regions', () => {
  test.each(readJson('examples/utc-offset-zones.json') as OffsetRow[])('$input', ({ input, output }) => {
    expect(toUtc(zones, '2026-08-01 12:00:00', input)).toBe(output.utc_of_2026_08_01_12_00);
    expect(toUtc(zones, '2027-01-10 12:00:00', input)).toBe(output.utc_of_2027_01_10_12_00);
    expect(toLocal(zones, output.utc_of_2026_08_01_12_00, input)).toBe('2026-08-01 12:00:00');
  });
});

describe('dates of the recorded world', () => {
  const { events } = readJson('conformance/world.json') as { events: WorldEvent[] };
  const rows = events
    .map(({ id, meta }) => ({ id, get: (key: string) => meta[key]?.[0] ?? '' }))
    .filter(({ get }) => get('_EventStartDateUTC') !== '' && get('_EventTimezone') !== '');
  test.each(rows)('event $id', ({ get }) => {
    expect(toUtc(zones, get('_EventStartDate'), get('_EventTimezone'))).toBe(get('_EventStartDateUTC'));
    expect(toUtc(zones, get('_EventEndDate'), get('_EventTimezone'))).toBe(get('_EventEndDateUTC'));
    expect(abbreviation(zones, get('_EventTimezone'), get('_EventStartDate'))).toBe(get('_EventTimezoneAbbr'));
  });
});

test.each([
  ['', true],
  [null, true],
  ['UTC', true],
  ['UTC+3', true],
  ['UTC-5:30', true],
  [' UTC+2', true],
  ['UTC+', false],
  ['-0530', true],
  ['US/Eastern', true],
  ['W-SU', true],
  [12, false],
  [['UTC'], false],
])('zone or empty: %j is %j', (value, expected) => {
  expect(isTimezoneOrEmpty(zones, value)).toBe(expected);
});

test.each([
  ['UTC', false],
  ['UTC+0', true],
  ['UTC 2', true],
  ['Europe/Paris', false],
])('%s is an offset: %j', (zone, expected) => {
  expect(isUtcOffset(zone)).toBe(expected);
});

test.each([
  ['UTC-3:30', '2026-08-01 12:00:00'],
  ['UTC-5:30', '2026-08-01 12:00:00'],
  ['UTC+5:45', '2026-08-01 06:15:00'],
  ['Nowhere/Else', '2026-08-01 12:00:00'],
])('noon in %s is %s', (zone, expected) => {
  expect(toUtc(zones, '2026-08-01 12:00:00', zone)).toBe(expected);
});

test.each([
  ['America/Argentina/Buenos_Aires', 'CMT'],
  ['Australia/Lord_Howe', 'AEST'],
  ['Brazil/East', '-03'],
  ['Asia/Kathmandu', '+0545'],
  ['-0530', 'GMT-0530'],
  ['UTC+', 'UTC+'],
])('abbreviation of %s is %s', (zone, expected) => {
  expect(abbreviation(zones, zone, '2027-01-10 10:00:00')).toBe(expected);
});

test.each([
  ['2026-08-01 10:00:00', 'UTC+5.5', '2026-08-01T10:00:00+05:30'],
  ['2026-08-01 10:00:00', 'UTC-3', '2026-08-01T10:00:00-03:00'],
  ['2026-08-01 10:00:00', 'UTC+2', '2026-08-01T10:00:00+02:00'],
  ['2026-08-01 10:00:00', 'America/New_York', '2026-08-01T10:00:00-04:00'],
  ['2026-08-01 23:59:59', 'UTC', '2026-08-01T23:59:59+00:00'],
  ['', 'UTC', ''],
])('%s in %s is %s', (wall, zone, expected) => {
  expect(isoWithOffset(zones, wall, zone)).toBe(expected);
});

test.each([
  [{ timezone_string: 'Europe/Berlin', gmt_offset: 5 }, 'Europe/Berlin'],
  [{ timezone_string: '', gmt_offset: '5.5' }, 'UTC+5.5'],
  [{ gmt_offset: -3 }, 'UTC-3'],
  [{}, 'UTC+0'],
])('site zone of %j is %s', (options, expected) => {
  expect(siteZoneText(options)).toBe(expected);
});

test.each([
  ['UTC+2', '2026-08-01 12:00:00', '2026-08-01 10:00:00'],
  ['Europe/Paris', '2026-08-01 12:00:00', '2026-08-01 10:00:00'],
  ['UTC-9.5', '2026-08-01 20:00:00', '2026-08-02 05:30:00'],
])('a post on a %s site at %s is of %s UTC', (zone, wall, utc) => {
  expect(siteToUtc(zones, wall, zone)).toBe(utc);
  expect(utcToSite(zones, utc, zone)).toBe(wall);
});
