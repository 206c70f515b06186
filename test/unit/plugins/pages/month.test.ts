import { newestZones, zonesOf } from '../../../../src/base/php/zone-data.js';
import fc from 'fast-check';
import { Dates, dateTag } from '../../../../src/wordpress/views/dates.js';
import { money } from '../../../../src/wordpress/views/money.js';
import { daysAfter, lastOfMonth, monthsAfter, realDate } from '../../../../src/wordpress/views/days.js';
import { agendaOf, LANES, monthWeeks } from '../../../../src/plugins/the-events-calendar/pages/month.js';
import type { Site } from '../../../../src/wordpress/site.js';

const event = (name: string, start: string, end: string, allDay = false) => ({ name, span: { start, end, allDay } });

const long = event('long', '2026-05-29 00:00:00', '2026-06-09 23:59:59', true);
const night = event('night', '2026-06-02 22:00:00', '2026-06-03 02:00:00');
const noon = event('noon', '2026-06-03 12:00:00', '2026-06-03 13:00:00');
const weekend = event('weekend', '2026-06-06 10:00:00', '2026-06-08 12:00:00');
const crowd = Array.from({ length: 6 }, (_, index) => event(`crowd ${index}`, `2026-06-17 1${index}:00:00`, `2026-06-17 1${index}:30:00`));

const weeks = monthWeeks('2026-06', 1, [long, night, noon, weekend, ...crowd]);
const day = (date: string) => weeks.flat().find((each) => each.date === date);
const names = (date: string) => day(date)?.bars.map(({ event: { name } }) => name);

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

  test('a multi-day event has one bar in each week, from its first day there on', () => {
    const bars = (wanted: object) =>
      weeks
        .flat()
        .flatMap(({ date, bars: all }) =>
          all.flatMap((bar) => (bar.event === wanted ? [[date, bar.lane, bar.days, bar.begins, bar.ends]] : [])),
        );
    expect(bars(weekend)).toEqual([
      ['2026-06-06', 1, 2, true, false],
      ['2026-06-08', 1, 1, false, true],
    ]);
    expect(bars(long)).toEqual([
      ['2026-06-01', 0, 7, false, false],
      ['2026-06-08', 0, 2, false, true],
    ]);
  });

  test('an event past midnight belongs to the day it starts', () => {
    expect([names('2026-06-02'), names('2026-06-03')]).toEqual([['night'], ['noon']]);
  });

  test('events that do not fit are counted', () => {
    expect(day('2026-06-17')).toMatchObject({ more: 1, count: 6, news: crowd });
    expect(names('2026-06-17')).toEqual(['crowd 0', 'crowd 1', 'crowd 2', 'crowd 3', 'crowd 4']);
  });

  test('events of several days leave lanes to the others', () => {
    const fair = Array.from({ length: 6 }, (_, index) => event(`fair ${index}`, `2026-06-1${index} 10:00:00`, '2026-06-19 12:00:00'));
    const [, , week] = monthWeeks('2026-06', 1, [...fair, ...crowd]);
    const shown = week.flatMap(({ bars }) => bars.map(({ event: { name } }) => name));
    expect(shown).toEqual(['fair 0', 'fair 1', 'fair 2', 'crowd 0', 'crowd 1']);
    expect(week.map(({ more }) => more)).toEqual([3, 3, 7, 3, 3, 0, 0]);
  });

  test('the days around the month are empty', () => {
    expect(monthWeeks('2026-06', 0, [long])[0][0]).toMatchObject({ date: '2026-05-31', inMonth: false, bars: [], count: 0 });
    expect([day('2026-06-01')?.news, day('2026-06-05')?.news]).toEqual([[long], []]);
  });

  test('an agenda shows what begins on a day, and leaves at least two events to the page of the day', () => {
    const agenda = (events: typeof crowd) => agendaOf(monthWeeks('2026-06', 1, [long, ...events]).flat()[16]);
    expect([2, 3, 6].map((count) => agenda(crowd.slice(0, count)))).toEqual([
      { shown: crowd.slice(0, 2), more: 0 },
      { shown: crowd.slice(0, 3), more: 0 },
      { shown: crowd.slice(0, 3), more: 3 },
    ]);
    expect(agendaOf(monthWeeks('2026-06', 1, crowd.slice(0, 4)).flat()[16])).toEqual({ shown: crowd.slice(0, 4), more: 0 });
  });
});

describe('the lanes of random months', () => {
  const MONTHS = ['2024-02', '2026-02', '2026-03', '2026-08', '2026-10', '2027-11'];
  const pad = (number: number): string => String(number).padStart(2, '0');

  /** Events around a month, most of them short, ordered by start. */
  const events = fc
    .record({
      month: fc.constantFrom(...MONTHS),
      weekStart: fc.integer({ min: 0, max: 6 }),
      each: fc.array(
        fc.record({
          day: fc.integer({ min: -70, max: 40 }),
          hour: fc.integer({ min: 0, max: 23 }),
          hours: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 2_000 })),
          allDay: fc.boolean(),
        }),
        { maxLength: 120 },
      ),
    })
    .map(({ month, weekStart, each }) => {
      const made = each.map(({ day: offset, hour, hours, allDay }, index) => {
        const first = `${daysAfter(`${month}-01`, offset)} ${allDay ? '00' : pad(hour)}:00:00`;
        const after = hour + hours;
        const last = daysAfter(first.slice(0, 10), Math.floor(after / 24));
        return event(String(index), first, `${last} ${allDay ? '23:59:59' : `${pad(after % 24)}:00:00`}`, allDay);
      });
      return { month, weekStart, made: made.toSorted((a, b) => a.span.start.localeCompare(b.span.start)) };
    });

  test('no two bars share a cell, each event has one bar a week, and every day adds up', () => {
    fc.assert(
      fc.property(events, ({ month, weekStart, made }) => {
        for (const week of monthWeeks(month, weekStart, made)) {
          const cells = new Set<string>();
          const drawn = new Set<string>();
          const covered = week.map(() => 0);
          week.forEach(({ bars }, column) => {
            for (const {
              event: { name },
              lane,
              days,
            } of bars) {
              expect([lane >= 0 && lane < LANES, days >= 1, column + days <= 7, drawn.has(name)]).toEqual([true, true, true, false]);
              drawn.add(name);
              for (let each = column; each < column + days; each += 1) {
                expect(cells.has(`${each} ${lane}`)).toBe(false);
                cells.add(`${each} ${lane}`);
                covered[each] += 1;
                expect(week[each].inMonth).toBe(true);
              }
            }
          });
          expect(week.map(({ more }, column) => covered[column] + more)).toEqual(week.map(({ count }) => count));
        }
      }),
      { numRuns: 60 },
    );
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
  // The end is not after the start.
  ['en', span('2026-06-12 10:00:00', '2026-06-11 10:00:00'), /^Friday, June 12, 2026(?:,| at) 10:00 AM$/],
])('%s: %j is %s', (tag, given, expected) => {
  // Versions of the locale data have different separators before the time.
  expect(plain(new Dates(tag).span(given))).toMatch(expected);
});

test.each([
  ['Europe/Berlin', '2026-06-17 18:30:00', 'Central European Summer Time'],
  ['Europe/Berlin', '2026-12-17 18:30:00', 'Central European Standard Time'],
  ['UTC+5.5', '2026-06-17 18:30:00', 'UTC+5.5'],
  ['Nowhere/Else', '', 'Nowhere/Else'],
])('%s at %s is %s', (zone, wall, expected) => {
  expect(new Dates('en').zone(zone, wall, newestZones())).toBe(expected);
});

test('a zone is not named by the data of Node.js where that of the site has another offset', () => {
  const name = (release: string): string => new Dates('en').zone('America/Vancouver', '2026-12-15 19:30:00', zonesOf(release));
  expect(name('2026f')).not.toBe('Pacific Standard Time');
  expect(name('2025b')).not.toBe(name('2026f'));
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

test('an amount is not taken for another one whose symbol begins with a number', () => {
  expect(plain(money('en', [5], { symbol: '20 €', code: 'EUR' }))).toBe('20 €5');
  expect(plain(money('en', [5, 20], { symbol: '€', code: 'EUR' }))).toBe('€5 – €20');
});
