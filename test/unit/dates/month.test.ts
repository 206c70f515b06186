import { Dates, dateTag } from '../../../src/views/dates.js';
import { daysAfter, lastOfMonth, monthsAfter, realDate } from '../../../src/views/days.js';
import { monthWeeks } from '../../../src/pages/month.js';
import type { Site } from '../../../src/wp/site.js';

const event = (name: string, start: string, end: string, allDay = false) => ({ name, span: { start, end, allDay } });

const long = event('long', '2026-05-29 00:00:00', '2026-06-09 23:59:59', true);
const night = event('night', '2026-06-02 22:00:00', '2026-06-03 02:00:00');
const noon = event('noon', '2026-06-03 12:00:00', '2026-06-03 13:00:00');
const weekend = event('weekend', '2026-06-06 10:00:00', '2026-06-08 12:00:00');
const crowd = Array.from({ length: 6 }, (_, index) => event(`crowd ${index}`, `2026-06-17 1${index}:00:00`, `2026-06-17 1${index}:30:00`));

const weeks = monthWeeks('2026-06', 1, [long, night, noon, weekend, ...crowd]);
const day = (date: string) => weeks.flat().find((each) => each.date === date);
const names = (date: string) => day(date)?.slots.map((slot) => slot?.event.name ?? null);

describe('the weeks of a month', () => {
  test.each([
    ['2026-06', 1, 5, '2026-06-01'],
    ['2026-06', 0, 5, '2026-05-31'],
    ['2026-02', 0, 4, '2026-02-01'],
    ['2026-08', 1, 6, '2026-07-27'],
    ['2024-02', 6, 5, '2024-01-27'],
  ])('%s from day %i: %i weeks from %s on', (month, weekStart, count, first) => {
    const made = monthWeeks(month, weekStart, []);
    expect([made.length, made[0][0].date, made.every((week) => week.length === 7)]).toEqual([count, first, true]);
  });

  test('a multi-day event keeps its lane and frees it afterwards', () => {
    expect(['2026-06-01', '2026-06-03', '2026-06-06', '2026-06-08', '2026-06-10'].map(names)).toEqual([
      ['long'],
      ['long', 'noon'],
      ['long', 'weekend'],
      ['long', 'weekend'],
      [],
    ]);
  });

  test('a multi-day event is named at its start and once a week, with its number of days in that week', () => {
    const slots = weeks
      .flat()
      .flatMap(({ date, slots: all }) => all.flatMap((slot) => (slot?.event === weekend ? [[date, slot] as const] : [])));
    expect(slots.map(([date, { begins, ends, isNamed, days }]) => [date, begins, ends, isNamed, days])).toEqual([
      ['2026-06-06', true, false, true, 2],
      ['2026-06-07', false, false, false, 1],
      ['2026-06-08', false, true, true, 1],
    ]);
  });

  test('an event past midnight belongs to the day it starts', () => {
    expect([names('2026-06-02')?.includes('night'), names('2026-06-03')?.includes('night')]).toEqual([true, false]);
  });

  test('events that do not fit are counted', () => {
    expect(day('2026-06-17')).toMatchObject({ more: 2, count: 6, hasNews: true });
    expect(names('2026-06-17')).toEqual(['crowd 0', 'crowd 1', 'crowd 2', 'crowd 3']);
  });

  test('the days around the month are empty', () => {
    expect(monthWeeks('2026-06', 0, [long])[0][0]).toMatchObject({ date: '2026-05-31', inMonth: false, slots: [], count: 0 });
    expect([day('2026-06-01')?.hasNews, day('2026-06-05')?.hasNews]).toEqual([true, false]);
  });
});

const plain = (text: string): string => text.replace(/[\u2009\u202f\u00a0]/g, ' ');
const span = (start: string, end: string, allDay = false) => ({ start, end, allDay });
const evening = span('2026-06-17 18:30:00', '2026-06-17 20:30:00');

test.each([
  ['en', evening, /^Wednesday, June 17, 2026(?:,| at) 6:30 – 8:30 PM$/],
  ['en-GB', evening, /^Wednesday,? 17 June 2026(?:,| at) 18:30 ?– ?20:30$/],
  ['de', evening, /^Mittwoch, 17\. Juni 2026(?:,| um) 18:30 ?– ?20:30 Uhr$/],
  ['en', span('2026-06-12 00:00:00', '2026-06-26 23:59:59', true), /^Friday, June 12 – Friday, June 26, 2026$/],
  ['en', span('2026-06-12 00:00:00', '2026-06-12 23:59:59', true), /^Friday, June 12, 2026$/],
  ['en', span('', ''), /^$/],
  ['en', span('soon', 'later'), /^soon$/],
  // Not after it begins.
  ['en', span('2026-06-12 10:00:00', '2026-06-11 10:00:00'), /^Friday, June 12, 2026(?:,| at) 10:00 AM$/],
])('%s: %j is %s', (tag, given, expected) => {
  // Editions of the language data differ in what stands before the time.
  expect(plain(new Dates(tag).span(given))).toMatch(expected);
});

test.each([
  ['Europe/Berlin', '2026-06-17 18:30:00', 'Central European Summer Time'],
  ['Europe/Berlin', '2026-12-17 18:30:00', 'Central European Standard Time'],
  ['UTC+5.5', '2026-06-17 18:30:00', 'UTC+5.5'],
  ['Nowhere/Else', '', 'Nowhere/Else'],
])('%s at %s is %s', (zone, wall, expected) => {
  expect(new Dates('en').zone(zone, wall)).toBe(expected);
});

test.each([
  ['en_GB', 'en', 'en-GB'],
  ['de_DE_formal', 'de', 'de-DE'],
  ['de_AT', 'fr', 'fr'],
  ['', 'ja', 'ja'],
  ['nonsense!', 'en', 'en'],
] as const)('a site in %s shows dates for readers of %s as %s', (locale, language, expected) => {
  expect(dateTag({ options: { locale } } as Site, language)).toBe(expected);
});

test.each([
  [daysAfter('2026-02-28', 1), '2026-03-01'],
  [daysAfter('0001-01-01', -1), '0000-12-31'],
  [monthsAfter('2026-01-01', -1), '2025-12-01'],
  [monthsAfter('0099-12-01', 1), '0100-01-01'],
  [lastOfMonth('2024-02-01'), '2024-02-29'],
  [lastOfMonth('0050-12-01'), '0050-12-31'],
  [lastOfMonth('2023-02-01'), '2023-02-28'],
  [lastOfMonth('9999-12-01'), '9999-12-31'],
  [monthWeeks('9999-12', 1, []).at(-1)?.at(-1)?.inMonth, false],
  [realDate('2026-06-31'), '2026-07-01'],
  [realDate('2026-06-30'), '2026-06-30'],
])('%s is %s', (made, expected) => {
  expect(made).toBe(expected);
});

test('weeks start on the requested day', () => {
  expect(new Dates('en').weekdays(1).map(({ short }) => short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  expect(new Dates('de').weekdays(0)[0]).toEqual({ long: 'Sonntag', short: 'So' });
});
