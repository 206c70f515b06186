import ICAL from 'ical.js';
import { countRules, counting, RuleSteps, TooMuch } from '../../../../src/transfer/formats/ics/steps.js';
import { datesOfRule } from '../../../../src/transfer/formats/ics/recur.js';

/**
 * The guard of rules. Its limits are small here: rules are used whose next date is far away, but found. Each row is for another loop of
 * ical.js, which must go through a method that counts.
 */

const START = '2026-01-05 10:00:00';
const limits = (rule: number, file = Infinity): RuleSteps => new RuleSteps({ rule, file });
const dates = (rule: string, steps: RuleSteps, start = START): string[] => [
  ...datesOfRule(counting(ICAL.Recur.fromString(rule), steps), start, '2099-12-31 00:00:00', 2),
];

const FAR = [
  ['a day that is not of the months', 'FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1'],
  ['a minute', 'FREQ=MINUTELY;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
  ['an hour', 'FREQ=HOURLY;BYMONTH=3;BYMONTHDAY=1'],
  ['a week', 'FREQ=WEEKLY;BYMONTH=12;BYDAY=MO'],
  ['a weekday that few months have', 'FREQ=MONTHLY;BYMONTH=2;BYDAY=5MO'],
  ['a weekday on a day', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
  ['a day that few years have', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA'],
  ['a large interval of days', 'FREQ=DAILY;INTERVAL=9000'],
  ['a large interval of hours', 'FREQ=HOURLY;INTERVAL=200000'],
] as const;

test.each(FAR)('%s: found within the limit, and given up above it', (_, rule) => {
  expect(dates(rule, limits(1_000_000))).toHaveLength(2);
  expect(() => dates(rule, limits(100))).toThrow(/^the rule FREQ=.* takes too many steps/);
});

test('the steps of all rules of a file are added up', () => {
  const steps = limits(1_000_000, 20_000);
  const [, rule] = FAR[0];
  const evaluated = (): number => {
    for (let count = 0; ; count += 1) {
      try {
        dates(rule, steps);
      } catch (error) {
        expect(error).toBeInstanceOf(TooMuch);
        expect(String(error)).toContain(`the rules up to FREQ=DAILY`);
        return count;
      }
    }
  };
  expect(evaluated()).toBeGreaterThan(0);
  // Nothing further is evaluated.
  expect(evaluated()).toBe(0);
});

test('the more values a rule has, the fewer dates it may look at', () => {
  const many = Array.from({ length: 60 }, (_, second) => second).join(',');
  const taken = (rule: string): number => {
    let limit = 100;
    for (; ; limit *= 2) {
      try {
        dates(rule, limits(limit));
        return limit;
      } catch {
        continue;
      }
    }
  };
  expect(taken(`FREQ=DAILY;BYMONTH=1;BYSECOND=${many};BYMINUTE=${many}`)).toBeGreaterThan(taken('FREQ=DAILY;BYMONTH=1'));
});

test('repeated values cost nothing', () => {
  const rule = counting(ICAL.Recur.fromString(`FREQ=WEEKLY;BYDAY=${Array(500).fill('MO,TU').join(',')}`), limits(1_000));
  expect(rule.parts.BYDAY).toEqual(['MO', 'TU']);
});

test('rules count that ical.js evaluates itself, to find the offset of a time zone', () => {
  const zone = (steps: RuleSteps) => {
    const lines = [
      'BEGIN:DAYLIGHT',
      'DTSTART:20000102T020000',
      'RRULE:FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
    ];
    const component = new ICAL.Component(
      ICAL.parse(['BEGIN:VTIMEZONE', 'TZID:Here', ...lines, 'END:DAYLIGHT', 'END:VTIMEZONE'].join('\r\n')) as unknown[],
    );
    countRules(component, steps);
    return new ICAL.Timezone(component).utcOffset(new ICAL.Time({ year: 2003, month: 5, day: 1 }, ICAL.Timezone.localTimezone));
  };
  expect(zone(limits(1_000_000))).toBe(7200);
  expect(() => zone(limits(1_000))).toThrow(/FREQ=DAILY.*takes too many steps/);
});
