import { newestZones, zonesOf } from '../../../../src/base/php/zone-data.js';
import fc from 'fast-check';
import { Dates, dateTag } from '../../../../src/wordpress/views/dates.js';
import { money } from '../../../../src/wordpress/views/money.js';
import { daysAfter, lastOfMonth, monthsAfter, realDate } from '../../../../src/wordpress/days.js';
import { monthDates, monthDays, monthEvent, type MonthEvent } from '../../../../src/plugins/the-events-calendar/pages/month.js';
import type { Site } from '../../../../src/wordpress/site.js';

const at = (id: number, start: string, end: string, allDay = false, cutoff = '00:00') => monthEvent(id, { start, end, allDay }, cutoff);

const long = at(1, '2026-05-29 00:00:00', '2026-06-09 23:59:59', true);
const night = at(2, '2026-06-02 22:00:00', '2026-06-03 02:00:00');
const noon = at(3, '2026-06-03 12:00:00', '2026-06-03 13:00:00');
const weekend = at(4, '2026-06-06 10:00:00', '2026-06-08 12:00:00');
const crowd = Array.from({ length: 12 }, (_, index) => at(10 + index, '2026-06-17 11:00:00', '2026-06-17 11:30:00'));

const june = (events: MonthEvent[], weekStart = 1) => monthDays('2026-06', monthDates('2026-06', weekStart), events);
const days = june([long, night, noon, weekend, ...crowd]);
const day = (date: string) => days.find((each) => each.date === date);

describe('the weeks of a month', () => {
  test.each([
    ['2026-06', 1, 5, '2026-06-01'],
    ['2026-06', 0, 5, '2026-05-31'],
    ['2026-02', 0, 4, '2026-02-01'],
    ['2026-08', 1, 6, '2026-07-27'],
    ['2024-02', 6, 5, '2024-01-27'],
  ])('%s from day %i: %i weeks from %s on', (month, weekStart, count, first) => {
    const made = monthDates(month, weekStart);
    expect([made.length, made[0]]).toEqual([7 * count, first]);
  });

  test('a multi-day event has one bar in each week, from its first day there on, and keeps its lane', () => {
    const bars = (wanted: MonthEvent) =>
      days.flatMap(({ date, bars: all }) =>
        all.flatMap(({ event, lane, days: length, begins, ends }) =>
          event === wanted && length > 0 ? [[date, lane, length, begins, ends]] : [],
        ),
      );
    expect(bars(weekend)).toEqual([
      ['2026-06-06', 1, 2, true, false],
      ['2026-06-08', 1, 1, false, true],
    ]);
    expect(bars(long)).toEqual([
      ['2026-06-01', 0, 7, false, false],
      ['2026-06-08', 0, 2, false, true],
    ]);
    expect([day('2026-06-07')?.bars.map(({ days: length }) => length), day('2026-06-07')?.lanes]).toEqual([[0, 0], 2]);
  });

  test.each([
    ['00:00', ['2026-06-02', '2026-06-03', true]],
    ['06:00', ['2026-06-02', '2026-06-02', false]],
  ])('days that begin at %s: an event past midnight', (cutoff, expected) => {
    const { first, last, isLong } = at(1, '2026-06-02 22:00:00', '2026-06-03 02:00:00', false, cutoff);
    expect([first, last, isLong]).toEqual(expected);
  });

  test('a day has ten events, and the number of the others', () => {
    expect(day('2026-06-17')).toMatchObject({ events: crowd.slice(0, 10), more: 2 });
  });

  test('the days around the month have their events, too', () => {
    expect(june([long], 0)[0]).toMatchObject({ date: '2026-05-31', inMonth: false, events: [long] });
  });

  const events = fc.array(
    fc.record({ offset: fc.integer({ min: -3, max: 33 }), hour: fc.integer({ min: 0, max: 23 }), hours: fc.integer({ min: 0, max: 400 }) }),
    { maxLength: 60 },
  );

  test('no two bars share a cell, each event has one bar a week, and every day adds up', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 0, max: 6 }), (given, weekStart) => {
        const base = Date.UTC(2026, 5, 1);
        const wall = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
        const made = given
          .map(({ offset, hour, hours }, id) => {
            const start = base + offset * 86_400_000 + hour * 3_600_000;
            return at(id, wall(start), wall(start + hours * 3_600_000));
          })
          .toSorted((a, b) => a.first.localeCompare(b.first));
        const shown = june(made, weekStart);
        const cells = new Set<string>();
        shown.forEach(({ bars, events: own, more, date }, index) => {
          const all = made.filter(({ first, last }) => first <= date && last >= date);
          expect([own.length + more, bars.map(({ event }) => event).toSorted((a, b) => a.id - b.id)]).toEqual([
            all.length,
            own.filter(({ isLong }) => isLong).toSorted((a, b) => a.id - b.id),
          ]);
          for (const { lane, days: length } of bars) {
            expect([lane < 10, (index % 7) + length <= 7]).toEqual([true, true]);
            for (let each = index; each < index + length; each += 1) {
              expect(cells.has(`${each} ${lane}`)).toBe(false);
              cells.add(`${each} ${lane}`);
            }
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});

const plain = (text: string): string => text.replace(/[\u2009\u202f\u00a0]/g, ' ');
const span = (start: string, end: string, allDay = false) => ({ start, end, allDay });
const evening = span('2026-06-17 18:30:00', '2026-06-17 20:30:00');

test.each([
  ['en', evening, /^Wed, Jun 17,? 6:30 – 8:30 PM$/],
  ['en-GB', evening, /^Wed,? 17 Jun,? 18:30 ?– ?20:30$/],
  ['de', evening, /^Mi\., 17\. Juni,? 18:30 ?– ?20:30 Uhr$/],
  ['en', span('2026-06-12 00:00:00', '2026-06-26 23:59:59', true), /^Fri, Jun 12 – Fri, Jun 26$/],
  ['en', span('2026-06-12 00:00:00', '2026-06-12 23:59:59', true), /^Fri, Jun 12$/],
  ['en', span('', ''), /^$/],
  ['en', span('soon', 'later'), /^soon$/],
  // The end is not after the start.
  ['en', span('2026-06-12 10:00:00', '2026-06-11 10:00:00'), /^Fri, Jun 12,? 10:00 AM$/],
])('%s: %j is %s', (tag, given, expected) => {
  // Versions of the locale data have different separators before the time.
  expect(plain(new Dates(tag).shortSpan(given))).toMatch(expected);
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
  [monthDates('9999-12', 1).length, 35],
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
