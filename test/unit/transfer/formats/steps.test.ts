import { datesOfRule, RuleSteps, TooMuch } from '../../../../src/transfer/formats/ics/expand.js';
import { parseRule } from '../../../../src/transfer/formats/ics/rule.js';

/** The guard of rules. Its limits are small here: rules are used whose next date is far away, but found. Each row is for another loop. */

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000;
const START = seconds('2026-01-05T10:00:00');
const limits = (rule: number, file = Infinity): RuleSteps => new RuleSteps({ rule, file });

function dates(text: string, steps: RuleSteps, most = 2): number[] {
  const rule = parseRule(text);
  const found: number[] = [];
  for (const date of datesOfRule(rule, START, { from: START, to: seconds('2099-12-31T00:00:00') }, steps.begin(rule))) {
    found.push(date);
    if (found.length === most) break;
  }
  return found;
}

const FAR = [
  ['a day that is not of the months', 'FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1'],
  ['a minute', 'FREQ=MINUTELY;BYMONTH=3;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
  ['a second', 'FREQ=SECONDLY;INTERVAL=7;BYSECOND=3'],
  ['an hour', 'FREQ=HOURLY;BYMONTH=3;BYMONTHDAY=1'],
  ['a week', 'FREQ=WEEKLY;BYMONTH=12;BYDAY=MO'],
  ['a weekday that few months have', 'FREQ=MONTHLY;BYMONTH=2;BYDAY=5MO'],
  ['a weekday on a day', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
  ['a day that few years have', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA'],
  ['a week that few years have', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO'],
  ['a count of what comes before', 'FREQ=SECONDLY;COUNT=100'],
] as const;

test.each(FAR)('%s: found within the limit, and given up above it', (_, rule) => {
  expect(dates(rule, limits(1_000_000), 50).length).toBeGreaterThan(1);
  expect(() => dates(rule, limits(50), 200)).toThrow(/^the rule FREQ=.* takes too many steps/);
});

test.each(['FREQ=DAILY;INTERVAL=9000', 'FREQ=HOURLY;INTERVAL=200000', 'FREQ=SECONDLY;INTERVAL=999999999'])(
  '%s: a long interval costs nothing',
  (rule) => expect(dates(rule, limits(50)).length).toBeGreaterThan(0),
);

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
  const rule = parseRule(`FREQ=WEEKLY;BYDAY=${Array(500).fill('MO,TU').join(',')}`);
  expect(rule.byDay?.map(({ weekday }) => weekday)).toEqual([1, 2]);
});
