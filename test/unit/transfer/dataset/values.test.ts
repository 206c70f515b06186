import { newestZones } from '../../../../src/base/php/zone-data.js';
import { readMoment } from '../../../../src/base/text/moment.js';
import { timeValues, readPrice, type WallTimes } from '../../../../src/transfer/fields.js';
import { eventTimes, invalidDate, readDatasetDate, readDuration, type EventTimesInput } from '../../../../src/transfer/dates.js';
import { NOW, BASE } from './read.js';

describe('dates', () => {
  test.each([
    ['2026-08-01 19:30', '2026-08-01T17:30:00Z', null],
    ['2026-08-01', '2026-07-31T22:00:00Z', null],
    ['2026-08-01T19:30:00+05:30', '2026-08-01T14:00:00Z', null],
    ['2026-08-01T19:30:00Z', '2026-08-01T19:30:00Z', null],
    ['2026-08-01 19:30 America/New_York', '2026-08-01T23:30:00Z', 'America/New_York'],
    ['2026-08-01 19:30 UTC+5.5', '2026-08-01T14:00:00Z', 'UTC+5.5'],
    ['+3d 10:00 UTC', '2026-06-18T10:00:00Z', 'UTC'],
    ['-2h Asia/Tokyo', '2026-06-15T10:00:00Z', 'Asia/Tokyo'],
    ['next friday 19:30 Europe/Dublin', '2026-06-19T18:30:00Z', 'Europe/Dublin'],
    ['+3d 10:00', '2026-06-18T08:00:00Z', null],
    ['+3d 10:00 Europe/Berlin', '2026-06-18T08:00:00Z', 'Europe/Berlin'],
    ['+3d 10:00 Asia/Tokyo', '2026-06-18T01:00:00Z', 'Asia/Tokyo'],
    ['+3d 10:00:30', '2026-06-18T08:00:30Z', null],
    ['+3d', '2026-06-17T22:00:00Z', null],
    ['-2w', '2026-05-31T22:00:00Z', null],
    ['+1m 09:00', '2026-07-15T07:00:00Z', null],
    ['+1y 09:00', '2027-06-15T07:00:00Z', null],
    ['+1w +2d 18:15', '2026-06-24T16:15:00Z', null],
    ['+1w-1d 18:15', '2026-06-21T16:15:00Z', null],
    ['+0d 23:00', '2026-06-15T21:00:00Z', null],
    ['-2h', '2026-06-15T10:00:00Z', null],
    ['+1d +2h', '2026-06-16T14:00:00Z', null],
    ['next friday 19:30', '2026-06-19T17:30:00Z', null],
    // The first Saturday from now, and those of months.
    ['first sat 10:00', '2026-06-20T08:00:00Z', null],
    ['first sat of next month 10:00', '2026-07-04T08:00:00Z', null],
    ['last fri of july 2026 19:00', '2026-07-31T17:00:00Z', null],
    ['first sat of +1m 10:00', '2026-07-04T08:00:00Z', null],
    // Shifts after other words: PHP would read them as an offset and a military time zone.
    ['next friday +1w 10:00', '2026-06-26T08:00:00Z', null],
    ['2026-06-16 +3d', '2026-06-18T22:00:00Z', null],
    ['+3d 10:00 +2h', '2026-06-18T10:00:00Z', null],
    ['2026-06-16 10:00 +2h', '2026-06-16T10:00:00Z', null],
    ['tomorrow noon', '2026-06-16T10:00:00Z', null],
    ['+3 days 10:00', '2026-06-18T08:00:00Z', null],
    // The clock change in October is in between.
    ['+20w 10:00', '2026-11-02T09:00:00Z', null],
  ])('reads %j as %s', (text, moment, region) => {
    expect(readDatasetDate(text, BASE)).toEqual({ epoch: Date.parse(moment) / 1000, region });
  });

  test('counts days in the time zone of the site: late evening in Tokyo is the next day', () => {
    const late = { now: Date.parse('2026-06-15T18:00:00Z') / 1000, zone: 'Europe/Berlin', zones: newestZones() };
    expect(readDatasetDate('+1d 10:00 Asia/Tokyo', late)?.epoch).toBe(Date.parse('2026-06-17T01:00:00Z') / 1000);
  });

  test.each([
    '',
    '  ',
    'soon',
    '+3x 10:00',
    '+3d 25:00',
    '+3d 10:00 Mars/Base',
    '2026-13-01',
    '+3',
    '+3 10:00',
    '-14 09:00 UTC',
    'next friday +3x 10:00',
  ])('rejects %j', (text) => {
    expect(readDatasetDate(text, BASE)).toBeNull();
  });

  test('says that a number has no unit', () => {
    expect(invalidDate('+3 10:00', BASE)).toBe('invalid date "+3 10:00": +3 has no unit. Write +3d 10:00 for days');
  });

  test.each([
    ['05/06/2026 10:00', ['The date "05/06/2026" is read as 2026-05-06, with the month first. Write 2026-05-06 or 2026-06-05']],
    ['5/6/2026', ['The date "5/6/2026" is read as 2026-05-06, with the month first. Write 2026-05-06 or 2026-06-05']],
    ['05/26/2026', []],
    ['05/05/2026', []],
    ['2026/05/06', []],
  ])('warns of %s, unless it has one meaning: %j', (text, wanted) => {
    const warnings: string[] = [];
    expect(readDatasetDate(text, { ...BASE, warn: (line) => void warnings.push(line) })).not.toBeNull();
    expect(warnings).toEqual(wanted);
  });

  // WP: PHP does not accept the offset as a time zone.
  test.each(['UTC+2', 'UTC-3.5', 'Europe/Berlin'])('says why a day does not exist, in the zone %s', (zone) => {
    expect(invalidDate('2026-02-30 19:00', { ...BASE, zone })).toBe('invalid date "2026-02-30 19:00": 2026-02 has 28 days');
  });

  test.each([
    ['90min', 5400],
    ['2h', 7200],
    ['1h 30min', 5400],
    ['1h30min', 5400],
    ['2 d', 172_800],
    ['1w', 604_800],
    ['', null],
    ['90', null],
    ['1.5h', null],
    ['-1h', null],
    ['2m', null],
  ])('%j lasts %j seconds', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each([
    ['2026-06-15T12:00:00Z', NOW],
    ['2026-06-15 12:00:00', NOW],
    ['2026-06-15T14:00:00+02:00', NOW],
    ['tomorrow', null],
    ['2026-06-99', null],
    ['2026-02-29', null],
    ['2024-02-29', Date.parse('2024-02-29T00:00:00Z')],
    ['2026-06-15T12:00', NOW],
    ['2026-06-15T25:00:00Z', null],
    ['2026-06-15T14:00+02', NOW],
  ])('a clock of %j', (text, at) => {
    expect(readMoment(text)).toBe(at);
  });

  const times = (input: Partial<EventTimesInput>) => eventTimes({ start: '+3d 10:00', allDay: false, ...input }, BASE);

  test.each<[Partial<EventTimesInput>, [string, string, string, string, number, string, string]]>([
    [
      { end: '12:00' },
      ['2026-06-18 10:00:00', '2026-06-18 12:00:00', '2026-06-18 08:00:00', '2026-06-18 10:00:00', 7200, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d 22:00', end: '02:00' },
      ['2026-06-18 22:00:00', '2026-06-19 02:00:00', '2026-06-18 20:00:00', '2026-06-19 00:00:00', 14_400, 'Europe/Berlin', 'CEST'],
    ],
    [
      { end: '10:00' },
      ['2026-06-18 10:00:00', '2026-06-18 10:00:00', '2026-06-18 08:00:00', '2026-06-18 08:00:00', 0, 'Europe/Berlin', 'CEST'],
    ],
    [
      { duration: '90min' },
      ['2026-06-18 10:00:00', '2026-06-18 11:30:00', '2026-06-18 08:00:00', '2026-06-18 09:30:00', 5400, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d 10:00 Asia/Tokyo', end: '11:00' },
      ['2026-06-18 10:00:00', '2026-06-18 11:00:00', '2026-06-18 01:00:00', '2026-06-18 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { timezone: 'Asia/Tokyo', duration: '1h' },
      ['2026-06-18 10:00:00', '2026-06-18 11:00:00', '2026-06-18 01:00:00', '2026-06-18 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '2026-08-01T10:00:00Z', timezone: 'Asia/Tokyo', duration: '1h' },
      ['2026-08-01 19:00:00', '2026-08-01 20:00:00', '2026-08-01 10:00:00', '2026-08-01 11:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '2026-08-01 10:00 Asia/Tokyo', end: '2026-08-01 04:00 Europe/Berlin' },
      ['2026-08-01 10:00:00', '2026-08-01 11:00:00', '2026-08-01 01:00:00', '2026-08-01 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '+3d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-18 23:59:59', '2026-06-17 22:00:00', '2026-06-18 21:59:59', 86_399, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d', end: '+5d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-20 23:59:59', '2026-06-17 22:00:00', '2026-06-20 21:59:59', 259_199, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d', duration: '2d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-19 23:59:59', '2026-06-17 22:00:00', '2026-06-19 21:59:59', 172_799, 'Europe/Berlin', 'CEST'],
    ],
  ])('an event with %j', (input, [start, end, startUtc, endUtc, duration, timezone, abbr]) => {
    expect(timeValues(times(input) as WallTimes, newestZones())).toEqual({
      all_day: input.allDay ?? false,
      start_date: start,
      end_date: end,
      utc_start_date: startUtc,
      utc_end_date: endUtc,
      duration,
      timezone,
      timezone_abbr: abbr,
    });
  });

  test.each<[Partial<EventTimesInput>, string, RegExp]>([
    [{ start: 'soon', end: '12:00' }, 'start', /invalid date "soon"/],
    [{ end: 'later' }, 'end', /invalid date "later"/],
    [{ end: '25:00' }, 'end', /invalid date "25:00"/],
    [{ end: '+2d 10:00' }, 'end', /ends before it starts/],
    [{ duration: 'long' }, 'duration', /invalid duration "long"/],
    [{ end: '12:00', duration: '1h' }, 'duration', /not both/],
    [{}, 'end', /needs an end or a duration/],
  ])('rejects an event with %j', (input, field, message) => {
    expect(times(input)).toEqual({ field, message: expect.stringMatching(message) as string });
  });
});

test.each<[unknown, Parameters<typeof readPrice>[1], ReturnType<typeof readPrice>]>([
  [undefined, undefined, { values: [] }],
  ['', undefined, { values: [] }],
  [0, undefined, { values: ['0'] }],
  [12, undefined, { values: ['12'] }],
  ['Free', undefined, { values: ['Free'] }],
  ['€12', undefined, { values: ['€12'], symbol: '€', position: 'prefix' }],
  ['12,50 €', undefined, { values: ['12,50 €'], symbol: '€', position: 'postfix' }],
  [['$5', '$10'], undefined, { values: ['$5', '$10'], symbol: '$', position: 'prefix' }],
  [['Free', '£5'], undefined, { values: ['Free', '£5'], symbol: '£', position: 'prefix' }],
  [100, { symbol: 'kr', position: 'postfix' }, { values: ['100'], symbol: 'kr', position: 'postfix' }],
  ['$10', { code: 'CAD' }, { values: ['$10'], symbol: '$', position: 'prefix', code: 'CAD' }],
])('a cost of %j with %j', (cost, currency, price) => {
  expect(readPrice(cost, currency)).toEqual(price);
});
