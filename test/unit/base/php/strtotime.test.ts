import { zonesOf } from '../../../../src/base/php/zone-data.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { mysqlDate } from '../../../../src/base/php/date.js';
import { parseDate, strtotime } from '../../../../src/base/php/strtotime.js';
import { spentSince } from '../../../support/cpu.js';

interface Case {
  input: string;
  now: number;
  zone: string;
  epoch: number | null;
  wall?: string;
  explicitZone?: string | null;
}

const zones = zonesOf('2025b');

// Measured with PHP 8.2: strtotime(input, now) in the default zone, and the result in the zone that the input names.
const file = path.join(path.dirname(fileURLToPath(import.meta.url)), 'strtotime.cases.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];

describe('strtotime', () => {
  test('the table is long enough to mean something', () => {
    expect(cases.length).toBeGreaterThan(500);
    expect(cases.filter((row) => row.epoch === null).length).toBeGreaterThan(80);
  });

  test.each(cases)('$input in $zone at $now', ({ input, now, zone, epoch }) => {
    expect(strtotime(input, { now, zone, zones })).toBe(epoch);
  });

  test('dates as the database has them are read as all others are', () => {
    const part = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
    const text = fc
      .tuple(fc.integer({ min: 900, max: 9999 }), part(13), part(32), part(25), part(61), part(61))
      .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day} ${hour}:${minute}:${second}`);
    const check = (source: string): void => {
      for (const zone of ['UTC', 'Europe/Berlin'])
        expect(strtotime(source, { now: 1_790_000_000, zone, zones })).toBe(
          parseDate(source, { now: 1_790_000_000, zone, zones })?.epoch ?? null,
        );
    };
    fc.assert(fc.property(text, check), { numRuns: 1_000, examples: [['2026-02-30 23:59:59'], ['2026-06-15 12:00:00\n']] });
  });

  test('an empty text is invalid, spaces mean now', () => {
    expect(strtotime('', { now: 1781524800, zone: 'UTC', zones })).toBeNull();
    expect(strtotime(' \n', { now: 1781524800, zone: 'UTC', zones })).toBe(1781524800);
  });

  test('a long text is parsed in reasonable time', () => {
    const spent = spentSince();
    strtotime('+1 day '.repeat(2000), { now: 0, zone: 'UTC', zones });
    strtotime('1'.repeat(20000), { now: 0, zone: 'UTC', zones });
    strtotime(`${'-'.repeat(20000)}1 day`, { now: 0, zone: 'UTC', zones });
    strtotime(`may${' '.repeat(300000)}x`, { now: 0, zone: 'UTC', zones });
    expect(spent()).toBeLessThan(2000);
  });

  test('huge counts of working days do not take one step each', () => {
    const now = 1781524800;
    expect(strtotime('+1000000000 weekdays', { now, zone: 'UTC', zones })).toBe(now + 1400000000 * 86400);
  });

  test('an unknown default zone throws', () => {
    expect(() => strtotime('now', { now: 0, zone: 'Mars/Base', zones })).toThrow(RangeError);
  });
});

describe('parseDate', () => {
  test.each(cases)('$input in $zone at $now', ({ input, now, zone, epoch, wall, explicitZone }) => {
    const parsed = parseDate(input, { now, zone, zones });
    const expected = epoch === null ? null : { epoch, wall, explicitZone };
    expect(parsed && { ...parsed, wall: mysqlDate(parsed.wall) }).toEqual(expected);
  });
});
