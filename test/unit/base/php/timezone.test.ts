import { zonesOf } from '../../../../src/base/php/zone-data.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mysqlDate, parseMysqlDate } from '../../../../src/base/php/date.js';
import { abbreviationAt, localToUtc, namedLocalSecondsToUtc, offsetAt, utcToLocal } from '../../../../src/base/php/timezone.js';
import type { Zone } from '../../../../src/base/php/timezone.js';

interface Table {
  instants: number[];
  zones: Record<string, string>;
  local: [zone: string, wall: string, epoch: number][];
  names: [text: string, name: string | null, offset: number | null, abbreviation: string | null][];
}

// Measured with PHP 8.2 and the zone database 2025b.
const zones = zonesOf('2025b');
const file = path.join(path.dirname(fileURLToPath(import.meta.url)), 'timezone.cases.json');
const table = JSON.parse(readFileSync(file, 'utf8')) as Table;

const zone = (name: string): Zone => {
  const found = zones.resolve(name);
  if (!found) throw new Error(`no zone ${name}`);
  return found;
};

describe('zones', () => {
  test('all identifiers that PHP lists are there', () => {
    expect(Object.keys(table.zones).length).toBeGreaterThan(590);
    expect(Object.keys(table.zones).filter((name) => !zones.has(name))).toEqual([]);
  });

  test.each(Object.entries(table.zones))('offsets and abbreviations of %s', (name, expected) => {
    const found = zone(name);
    expect(table.instants.map((instant) => `${offsetAt(found, instant)} ${abbreviationAt(found, instant)}`).join(', ')).toBe(expected);
  });

  test('look-ups do not depend on the order of the instants', () => {
    const found = zone('America/New_York');
    const instants = Array.from({ length: 500 }, (_, i) => ((i * 7919) % 500) * 4_000_000);
    const offsets = new Map(instants.map((instant) => [instant, offsetAt(found, instant)]));
    for (const instant of [...instants].sort((a, b) => a - b)) expect(offsetAt(found, instant)).toBe(offsets.get(instant));
  });

  test.each(table.names)('%j as PHP takes it', (text, name, offset, abbreviation) => {
    const found = zones.resolve(text);
    expect(zones.has(text)).toBe(name !== null);
    expect(found?.name ?? null).toBe(name);
    expect(found && offsetAt(found, 1785600000)).toBe(offset);
    expect(found && abbreviationAt(found, 1785600000)).toBe(abbreviation);
  });

  test.each(table.local)('%s %s', (name, wall, epoch) => {
    expect(localToUtc(parseMysqlDate(wall)!, zone(name))).toBe(epoch);
  });

  test('members of a reading roll over', () => {
    const wall = { year: 2026, month: 13, day: 32, hour: 24, minute: 61, second: 0 };
    expect(mysqlDate(utcToLocal(localToUtc(wall, zone('Asia/Tokyo')), zone('Asia/Tokyo')))).toBe('2027-02-02 01:01:00');
  });

  test.each([
    ['Europe/Paris', '2026-10-25 02:30:00', 1792888200],
    ['Europe/Dublin', '2026-10-25 01:30:00', 1792891800],
    ['America/New_York', '2026-11-01 01:30:00', 1793511000],
    ['Europe/Paris', '2027-03-28 02:30:00', 1806197400],
  ])('a zone named in the text: %s %s', (name, wall, epoch) => {
    const { year, month, day, hour, minute, second } = parseMysqlDate(wall)!;
    expect(namedLocalSecondsToUtc(Date.UTC(year, month - 1, day, hour, minute, second) / 1000, zone(name))).toBe(epoch);
  });
});

describe('historicAbbreviations', () => {
  test.each([
    ['Asia/Saigon', 'PLMT'],
    ['America/Argentina/Buenos_Aires', 'CMT'],
    ['Australia/Lord_Howe', 'AEST'],
    ['America/Bogota', 'BMT'],
    ['Atlantic/Azores', 'HMT'],
    ['Africa/Windhoek', 'CAT'],
    ['Brazil/East', undefined],
    ['Pacific/Chatham', undefined],
    ['Asia/Kathmandu', undefined],
    ['Etc/GMT+5', undefined],
    ['Pacific/Port_Moresby', undefined],
    ['Indian/Christmas', undefined],
    ['Turkey', undefined],
    ['Mars/Base', undefined],
    ['GMT+2', undefined],
  ])('the first of %s is %s', (name, first) => {
    expect(zones.historicAbbreviations(name)[0]).toBe(first);
  });

  test('are sorted and unique', () => {
    expect(zones.historicAbbreviations('America/New_York')).toEqual(['EDT', 'EPT', 'EST', 'EWT']);
  });
});
