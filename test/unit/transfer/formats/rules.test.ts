import { datesOfRule, RuleSteps } from '../../../../src/transfer/formats/ics/expand.js';
import { parseRule } from '../../../../src/transfer/formats/ics/rule.js';

/** The dates of rules, with the start: most examples are the ones of RFC 5545, 3.8.5.3. */

const secondsOf = (wall: string): number => Date.parse(`${wall.length === 10 ? `${wall}T09:00` : wall.replace(' ', 'T')}:00Z`) / 1000;

function datesOf(text: string, start: string, most: number): string[] {
  const rule = parseRule(text);
  const first = secondsOf(start);
  const until = rule.until?.seconds;
  const dates = [first];
  for (const date of datesOfRule(rule, first, { from: first, to: secondsOf('2100-01-01'), until }, new RuleSteps().begin(rule))) {
    if (dates.length === most) break;
    dates.push(date);
  }
  return dates.map((date) => new Date(date * 1000).toISOString().slice(0, 16).replace('T', ' '));
}

/** Days such as `1997-09-02 04` of one month, `|` between months. */
const days = (text: string): string[] =>
  text.split(' | ').flatMap((month) =>
    month
      .slice(8)
      .split(' ')
      .map((day) => `${month.slice(0, 7)}-${day} 09:00`),
  );

const WORKDAYS = 'BYDAY=MO,TU,WE,TH,FR';

test.each([
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09 02 12 22 | 1997-10 02 12'],
  ['FREQ=WEEKLY;COUNT=3', '1997-09 02 09 16'],
  ['FREQ=WEEKLY;UNTIL=19971007T000000;WKST=SU;BYDAY=TU,TH', '1997-09 02 04 09 11 16 18 23 25 30 | 1997-10 02'],
  ['FREQ=WEEKLY;INTERVAL=2;UNTIL=19971028T000000;WKST=SU;BYDAY=MO,WE,FR', '1997-09 01 03 05 15 17 19 29 | 1997-10 01 03 13 15 17 27'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '1997-09 02 04 16 18 30 | 1997-10 02 14 16'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08 05 10 19 24'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08 05 17 19 31'],
  ['FREQ=MONTHLY;COUNT=6;BYDAY=1FR', '1997-09 05 | 1997-10 03 | 1997-11 07 | 1997-12 05 | 1998-01 02 | 1998-02 06'],
  ['FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU', '1997-09 07 28 | 1997-11 02 30 | 1998-01 04 25'],
  ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '1997-09 22 | 1997-10 20 | 1997-11 17 | 1997-12 22 | 1998-01 19 | 1998-02 16'],
  ['FREQ=MONTHLY;BYMONTHDAY=-3', '1997-09 28 | 1997-10 29 | 1997-11 28 | 1997-12 29 | 1998-01 29 | 1998-02 26'],
  ['FREQ=MONTHLY;COUNT=5;BYMONTHDAY=2,15', '1997-09 02 15 | 1997-10 02 15 | 1997-11 02'],
  ['FREQ=MONTHLY;COUNT=7;BYMONTHDAY=1,-1', '1997-09 30 | 1997-10 01 31 | 1997-11 01 30 | 1997-12 01 31'],
  ['FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15', '1997-09 10 11 12 13 14 15 | 1999-03 10 11 12 13'],
  ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU', '1997-09 02 09 16 23 30 | 1997-11 04 11 18 25 | 1998-01 06'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007-01 15 30 | 2007-02 15 | 2007-03 15 30'],
  ['FREQ=MONTHLY;COUNT=4', '2026-01 31 | 2026-03 31 | 2026-05 31 | 2026-07 31'],
  ['FREQ=YEARLY;COUNT=4;BYMONTH=6,7', '1997-06 10 | 1997-07 10 | 1998-06 10 | 1998-07 10'],
  ['FREQ=YEARLY;INTERVAL=2;COUNT=5;BYMONTH=1,2,3', '1997-03 10 | 1999-01 10 | 1999-02 10 | 1999-03 10 | 2001-01 10'],
  ['FREQ=YEARLY;INTERVAL=3;COUNT=6;BYYEARDAY=1,100,200', '1997-01 01 | 1997-04 10 | 1997-07 19 | 2000-01 01 | 2000-04 09 | 2000-07 18'],
  ['FREQ=YEARLY;BYDAY=20MO', '1997-05 19 | 1998-05 18 | 1999-05 17'],
  ['FREQ=YEARLY;BYDAY=-1MO', '1997-12 29 | 1998-12 28 | 1999-12 27'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05 12 | 1998-05 11 | 1999-05 17'],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '2025-12 29 | 2027-01 04 | 2028-01 03'],
  ['FREQ=YEARLY;BYWEEKNO=53', '2026-12 30 | 2032-12 29 | 2037-12 30'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03 13 20 27 | 1998-03 05 12 19 26'],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2026-11 26 | 2027-11 25 | 2028-11 23'],
  ['FREQ=YEARLY', '2024-02 29 | 2028-02 29 | 2032-02 29'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', '2026-02 28 | 2027-02 28 | 2028-02 29'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-02 13 | 1998-03 13 | 1998-11 13 | 1999-08 13 | 2000-10 13'],
  ['FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13', '1997-09 13 | 1997-10 11 | 1997-11 08 | 1997-12 13 | 1998-01 10 | 1998-02 07'],
  ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8', '1996-11 05 | 2000-11 07 | 2004-11 02'],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09 04 | 1997-10 07 | 1997-11 06'],
  [`FREQ=MONTHLY;${WORKDAYS};BYSETPOS=-2`, '1997-09 29 | 1997-10 30 | 1997-11 27 | 1997-12 30 | 1998-01 29'],
  [`FREQ=YEARLY;${WORKDAYS};BYSETPOS=-1`, '1997-12 31 | 1998-12 31 | 1999-12 31 | 2000-12 29'],
  ['FREQ=DAILY;BYMONTH=1;BYDAY=MO', '2026-01 05 12 19 26 | 2027-01 04'],
  ['freq=weekly; byday = mo , fr ;count=3', '2026-09 07 11 14'],
  // The start is the first of COUNT, even if it is outside of the rule.
  ['FREQ=WEEKLY;BYDAY=TH;COUNT=3', '2026-09 01 03 10'],
  // Numbers of weekdays mean nothing in a week.
  ['FREQ=WEEKLY;BYDAY=1MO;COUNT=2', '2026-09 07 14'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20260930T090000', '2026-09 07 08'],
])('%s: %s', (rule, expected) => {
  const wanted = days(expected);
  expect(datesOf(rule, wanted[0].slice(0, 10), wanted.length)).toEqual(wanted);
});

const times = (text: string): string[] => text.split(' ').map((time) => `1997-09-02 ${time}`);

test.each([
  ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000', '09:00 12:00 15:00'],
  ['FREQ=MINUTELY;INTERVAL=15;COUNT=6', '09:00 09:15 09:30 09:45 10:00 10:15'],
  ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', '09:00 10:30 12:00 13:30'],
  ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40', '09:00 09:20 09:40 10:00 10:20 10:40'],
  ['FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10', '09:00 09:20 09:40 10:00 10:20 10:40'],
  ['FREQ=HOURLY;BYMINUTE=0,30;BYHOUR=9,11', '09:00 09:30 11:00 11:30'],
  ['FREQ=DAILY;BYHOUR=9,10,11;BYSETPOS=1,-1', '09:00 11:00'],
  ['FREQ=SECONDLY;INTERVAL=1800;BYHOUR=9,12', '09:00 09:30 12:00 12:30'],
])('within a day: %s', (rule, expected) => {
  const wanted = times(expected);
  expect(datesOf(rule, '1997-09-02 09:00', wanted.length)).toEqual(wanted);
  expect(datesOf(rule, '1997-09-02 09:00', wanted.length + 1)[wanted.length]?.slice(0, 10)).not.toBe('1997-09-02');
});

test('what comes before a period is skipped, but counted', () => {
  const from = secondsOf('2026-09-07');
  const next = (text: string, start: string): string => {
    const rule = parseRule(text);
    for (const date of datesOfRule(rule, secondsOf(start), { from, to: from * 2 }, new RuleSteps().begin(rule)))
      if (date >= from) return new Date(date * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return 'none';
  };
  expect(next('FREQ=DAILY;INTERVAL=3', '1926-09-07')).toBe('2026-09-07 09:00');
  expect(next('FREQ=MONTHLY;INTERVAL=5', '1926-09-07')).toBe('2026-09-07 09:00');
  expect(next('FREQ=YEARLY;INTERVAL=7', '1927-09-07')).toBe('2032-09-07 09:00');
  expect(next('FREQ=WEEKLY;INTERVAL=2', '1926-09-07')).toBe('2026-09-08 09:00');
  expect(next('FREQ=SECONDLY;INTERVAL=7', '1926-09-07')).toMatch(/^2026-09-07 09:00/);
  expect(next('FREQ=DAILY;COUNT=36526', '1926-09-07')).toBe('2026-09-07 09:00');
  expect(next('FREQ=DAILY;COUNT=36525', '1926-09-07')).toBe('none');
});

test.each([
  ['', 'FREQ is missing'],
  ['COUNT=2', 'FREQ is missing'],
  ['FREQ=SOMETIMES', 'unknown FREQ. Use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be a positive number'],
  ['FREQ=DAILY;COUNT=0', 'COUNT must be a positive number'],
  ['FREQ=DAILY;BYDAY=XX', 'BYDAY has no day "XX"'],
  ['FREQ=YEARLY;BYDAY=54MO', 'BYDAY has no day "54MO"'],
  ['FREQ=DAILY;BYMONTH=13', 'BYMONTH has no value "13"'],
  ['FREQ=DAILY;BYMONTHDAY=0', 'BYMONTHDAY has no value "0"'],
  ['FREQ=DAILY;UNTIL=20260931', 'UNTIL: invalid date or time "20260931": 2026-09 has 30 days'],
  ['FREQ=DAILY;BYEASTER=1', 'BYEASTER is unknown'],
  ['FREQ=DAILY;COUNT', '"COUNT" has no value'],
])('the rule %j is invalid', (rule, why) =>
  expect(() => parseRule(rule)).toThrow(new RegExp(`^invalid rule RRULE:[^ ]*: ${why.replace(/[.()]/g, '\\$&')}$`)),
);

test('parts without a value, of others and with the default are ignored', () =>
  expect(parseRule('FREQ=DAILY;BYDAY=;X-NOTE=1;RSCALE=GREGORIAN;;SKIP=OMIT')).toEqual({
    frequency: 'DAILY',
    interval: 1,
    weekStart: 1,
    text: 'FREQ=DAILY;BYDAY=;X-NOTE=1;RSCALE=GREGORIAN;;SKIP=OMIT',
  }));
