import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mysqlDate } from '../../../src/php/date.js';
import { parseDate, strtotime } from '../../../src/php/strtotime.js';

interface Case {
  input: string;
  now: number;
  zone: string;
  epoch: number | null;
  wall?: string;
  explicitZone?: string | null;
}

// Measured with PHP 8.2: strtotime(input, now) under the zone, and the reading in the zone the input names.
const file = path.join(path.dirname(fileURLToPath(import.meta.url)), 'strtotime.cases.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];

describe('strtotime', () => {
  test('the table is long enough to mean something', () => {
    expect(cases.length).toBeGreaterThan(500);
    expect(cases.filter((row) => row.epoch === null).length).toBeGreaterThan(80);
  });

  test.each(cases)('$input in $zone at $now', ({ input, now, zone, epoch }) => {
    expect(strtotime(input, { now, zone })).toBe(epoch);
  });

  test('an empty text is invalid, spaces mean now', () => {
    expect(strtotime('', { now: 1781524800, zone: 'UTC' })).toBeNull();
    expect(strtotime(' \n', { now: 1781524800, zone: 'UTC' })).toBe(1781524800);
  });

  test('a long text is parsed in reasonable time', () => {
    const start = performance.now();
    strtotime('+1 day '.repeat(2000), { now: 0, zone: 'UTC' });
    strtotime('1'.repeat(20000), { now: 0, zone: 'UTC' });
    strtotime(`${'-'.repeat(20000)}1 day`, { now: 0, zone: 'UTC' });
    strtotime(`may${' '.repeat(300000)}x`, { now: 0, zone: 'UTC' });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('huge counts of working days do not take one step each', () => {
    const now = 1781524800;
    expect(strtotime('+1000000000 weekdays', { now, zone: 'UTC' })).toBe(now + 1400000000 * 86400);
  });

  test('an unknown default zone throws', () => {
    expect(() => strtotime('now', { now: 0, zone: 'Mars/Base' })).toThrow(RangeError);
  });
});

describe('parseDate', () => {
  test.each(cases)('$input in $zone at $now', ({ input, now, zone, epoch, wall, explicitZone }) => {
    const parsed = parseDate(input, { now, zone });
    const expected = epoch === null ? null : { epoch, wall, explicitZone };
    expect(parsed && { ...parsed, wall: mysqlDate(parsed.wall) }).toEqual(expected);
  });
});
