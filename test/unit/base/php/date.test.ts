import {
  civilFromDays,
  daysFromCivil,
  formatWall,
  isoWeek,
  mysqlDate,
  parseMysqlDate,
  secondsToWall,
  wallToSeconds,
  weekday,
} from '../../../../src/base/php/date.js';
import type { Wall } from '../../../../src/base/php/date.js';

const wall = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Wall => ({
  year,
  month,
  day,
  hour,
  minute,
  second,
});

describe('formatWall', () => {
  // Measured with PHP 8.2.
  test.each([
    ['d|D|j|l|N|S|w|z', '01|Sat|1|Saturday|6|st|6|212'],
    ['W|o|F|m|M|n|t|L', '31|2026|August|08|Aug|8|31|0'],
    ['Y|y|a|A|g|G|h|H|i|s', '2026|26|pm|PM|3|15|03|15|04|05'],
    ['e|T|P|p|O|Z|U', 'UTC|UTC|+00:00|Z|+0000|0|1785596645'],
    ['c', '2026-08-01T15:04:05+00:00'],
    ['r', 'Sat, 01 Aug 2026 15:04:05 +0000'],
    ['u|v', '000000|000'],
    ['\\Y\\m Y k \\', 'Ym 2026 k \\'],
  ])('%s', (format, expected) => {
    expect(formatWall(format, wall(2026, 8, 1, 15, 4, 5))).toBe(expected);
  });

  test.each([
    [1, 'st'],
    [2, 'nd'],
    [3, 'rd'],
    [4, 'th'],
    [11, 'th'],
    [12, 'th'],
    [13, 'th'],
    [21, 'st'],
    [22, 'nd'],
    [23, 'rd'],
    [31, 'st'],
  ])('day %d has the suffix %s', (day, suffix) => {
    expect(formatWall('S', wall(2026, 8, day))).toBe(suffix);
  });

  test.each([
    [0, '12 12 am'],
    [1, '1 01 am'],
    [12, '12 12 pm'],
    [13, '1 01 pm'],
  ])('hour %d on a twelve hour clock', (hour, expected) => {
    expect(formatWall('g h a', wall(2026, 8, 1, hour))).toBe(expected);
  });

  test('leap years', () => {
    expect([1900, 2000, 2024, 2026].map((year) => formatWall('L t', wall(year, 2, 1)))).toEqual(['0 28', '1 29', '1 29', '0 28']);
  });
});

describe('days and seconds', () => {
  test.each([
    [1970, 1, 1, 0],
    [2000, 2, 29, 11016],
    [1969, 12, 31, -1],
    [-1, 11, 30, -719560],
    [9999, 12, 31, 2932896],
  ])('%d-%d-%d is day %d', (year, month, day, days) => {
    expect(daysFromCivil(year, month, day)).toBe(days);
    expect(civilFromDays(days)).toEqual({ year, month, day });
  });

  test('fields out of range roll over', () => {
    expect(secondsToWall(wallToSeconds(wall(2026, 14, 0, 25, -1, 60)))).toEqual(wall(2027, 2, 1, 1, 0, 0));
    expect(civilFromDays(daysFromCivil(2026, 0, 31))).toEqual({ year: 2025, month: 12, day: 31 });
  });

  test('every day of four centuries round-trips', () => {
    for (let days = -80000; days < 70000; days += 1) {
      const { year, month, day } = civilFromDays(days);
      if (daysFromCivil(year, month, day) !== days) throw new Error(`day ${days}`);
    }
    expect(weekday(wall(2026, 8, 1))).toBe(6);
    expect(weekday(wall(1969, 12, 28))).toBe(0);
  });

  test.each([
    [2021, 1, 3, 2020, 53],
    [2026, 1, 1, 2026, 1],
    [2027, 1, 3, 2026, 53],
    [1997, 12, 31, 1998, 1],
  ])('%d-%d-%d lies in ISO week %d-W%d', (year, month, day, isoYear, week) => {
    expect(isoWeek(wall(year, month, day))).toEqual({ year: isoYear, week });
  });
});

describe('mysqlDate', () => {
  test.each([
    ['2026-08-01 10:00:05', wall(2026, 8, 1, 10, 0, 5)],
    ['0123-01-02 03:04:05', wall(123, 1, 2, 3, 4, 5)],
    ['-0002-07-26 00:00:00', wall(-2, 7, 26)],
    ['12345-01-01 00:00:00', wall(12345, 1, 1)],
  ])('%s round-trips', (text, reading) => {
    expect(mysqlDate(reading)).toBe(text);
    expect(parseMysqlDate(text)).toEqual(reading);
  });

  test.each([
    ['2026-08-01', wall(2026, 8, 1)],
    ['2026-08-01T10:00', wall(2026, 8, 1, 10)],
    ['2026-8-1 10:00:00', null],
    ['2026-08-01 10:00:00 ', null],
    ['', null],
    ['tomorrow', null],
  ])('%j is read as %j', (text, reading) => {
    expect(parseMysqlDate(text)).toEqual(reading);
  });
});
