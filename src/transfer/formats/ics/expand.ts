import { civilFromDays, daysFromCivil } from '../../../base/php/date.js';
import type { Frequency, Rule, RuleDay } from './rule.js';
import { DAY, EventProblem } from './components.js';

/*
 * The dates of rules (RFC 5545, 3.3.10), in seconds of local time since 1970. Rules may have no dates, or rare ones: steps are counted.
 * Libraries do less: of the 48 rules in test/unit/transfer/formats/rules.test.ts, ical.js 2.2 finds the dates of 39, and rrule 2.8 of 45; neither counts steps.
 */

/** Maximum numbers of steps: a step is a day to check or a date. It takes about 0.1 µs. */
export interface StepLimits {
  /** For one rule, each time that it is evaluated. */
  rule: number;
  /** For all rules of a file. */
  file: number;
}

export const STEP_LIMITS: StepLimits = { rule: 1_000_000, file: 10_000_000 };

/** A file requires too much as a whole: nothing further can be read of it. */
export class TooMuch extends Error {}

type Step = (steps: number) => void;

/** Counts the steps of the rules of a file. */
export class RuleSteps {
  private taken = 0;

  constructor(private readonly limits: StepLimits = STEP_LIMITS) {}

  /** Begins to evaluate a rule. @returns a function that adds steps; it throws EventProblem above the limit of the rule, TooMuch of the file */
  begin({ text }: Rule): Step {
    let own = 0;
    return (steps) => {
      own += steps;
      this.taken += steps;
      if (own > this.limits.rule)
        throw new EventProblem(
          `the rule ${text} takes too many steps: its dates are rare, or too many. Correct it, or list the dates (RDATE)`,
        );
      if (this.taken > this.limits.file)
        throw new TooMuch(
          `the rules up to ${text} take too many steps, so the events from here on were not read. Split the file, or let series start later`,
        );
    };
  }
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;
const yearOf = (day: number): number => civilFromDays(day).year;
const firstOf = (year: number): number => daysFromCivil(year, 1, 1);
/** 0 is Sunday. 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => mod(day + 4, 7);
const weekOf = (day: number, weekStart: number): number => day - mod(weekdayOf(day) - weekStart, 7);
/** The first day of week 1: the week that has at least four days in the year. */
const firstWeek = (year: number, weekStart: number): number => weekOf(firstOf(year) + 3, weekStart);
/** The year that a week belongs to. */
const weekYear = (day: number, weekStart: number): number => yearOf(weekOf(day, weekStart) + 3);

/** A period that a rule recurs in. */
interface Periods {
  indexOf: (day: number) => number;
  /** Ranges of days of a period, first and behind the last. */
  ranges: (index: number) => [from: number, to: number][];
}

type DailyOrRarer = Extract<Frequency, 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY'>;

const monthRange = (index: number): [number, number] => [daysFromCivil(0, index + 1, 1), daysFromCivil(0, index + 2, 1)];

const PERIODS: Readonly<Record<DailyOrRarer, (rule: Rule) => Periods>> = {
  YEARLY: ({ byWeekNumber, byMonth, weekStart }) =>
    byWeekNumber
      ? { indexOf: (day) => weekYear(day, weekStart), ranges: (year) => [[firstWeek(year, weekStart), firstWeek(year + 1, weekStart)]] }
      : {
          indexOf: yearOf,
          ranges: (year) =>
            byMonth
              ? byMonth.toSorted((a, b) => a - b).map((month) => monthRange(year * 12 + month - 1))
              : [[firstOf(year), firstOf(year + 1)]],
        },
  MONTHLY: () => ({
    indexOf: (day) => {
      const { year, month } = civilFromDays(day);
      return year * 12 + month - 1;
    },
    ranges: (index) => [monthRange(index)],
  }),
  WEEKLY: ({ weekStart }) => {
    const first = weekOf(0, weekStart);
    return {
      indexOf: (day) => Math.floor((day - first) / 7),
      ranges: (index) => [[first + index * 7, first + index * 7 + 7]],
    };
  },
  DAILY: () => ({ indexOf: (day) => day, ranges: (index) => [[index, index + 1]] }),
};

/** Seconds of the shorter periods. */
const UNITS = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 } as const;

/** RFC 5545: what the rule does not say is as in the start. */
function completed(rule: Rule, start: number): Rule {
  const day = Math.floor(start / DAY);
  const { month, day: monthDay } = civilFromDays(day);
  const { byDay, byMonthDay, byYearDay, byWeekNumber, byMonth = [month], frequency } = rule;
  const weekday: RuleDay[] = [{ weekday: weekdayOf(day), nth: 0 }];
  if (byDay ?? byMonthDay ?? byYearDay) return rule;
  if (frequency === 'YEARLY') return byWeekNumber ? { ...rule, byDay: weekday } : { ...rule, byMonth, byMonthDay: [monthDay] };
  if (frequency === 'MONTHLY') return { ...rule, byMonthDay: [monthDay] };
  return frequency === 'WEEKLY' ? { ...rule, byDay: weekday } : rule;
}

/** Whether a list has the nth of something, counted from its start or end. */
const hasNth = (list: readonly number[], nth: number, length: number): boolean => list.includes(nth) || list.includes(nth - length - 1);

/** Checks days against the parts of a rule about days. */
function dayFilter(rule: Rule): (day: number) => boolean {
  const { byDay, byMonthDay, byYearDay, byWeekNumber, byMonth, frequency, weekStart } = rule;
  // Numbers of weekdays mean nothing in weeks and days.
  const isCounted = frequency === 'MONTHLY' || (frequency === 'YEARLY' && !byWeekNumber);
  const isOfMonth = frequency === 'MONTHLY' || byMonth !== undefined;
  return (day) => {
    const { year, month, day: monthDay } = civilFromDays(day);
    if (byMonth && !byMonth.includes(month)) return false;
    if (byDay) {
      const weekday = weekdayOf(day);
      const [first, end] = isOfMonth ? monthRange(year * 12 + month - 1) : [firstOf(year), firstOf(year + 1)];
      const [nth, last] = [Math.floor((day - first) / 7) + 1, -(Math.floor((end - 1 - day) / 7) + 1)];
      if (!byDay.some((each) => each.weekday === weekday && (!isCounted || each.nth === 0 || each.nth === nth || each.nth === last)))
        return false;
    }
    if (byMonthDay) {
      const [first, end] = monthRange(year * 12 + month - 1);
      if (!hasNth(byMonthDay, monthDay, end - first)) return false;
    }
    if (byYearDay && !hasNth(byYearDay, day - firstOf(year) + 1, firstOf(year + 1) - firstOf(year))) return false;
    if (!byWeekNumber) return true;
    const ofYear = weekYear(day, weekStart);
    const [first, end] = [firstWeek(ofYear, weekStart), firstWeek(ofYear + 1, weekStart)];
    return hasNth(byWeekNumber, Math.floor((day - first) / 7) + 1, (end - first) / 7);
  };
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** RFC 5545: BYSETPOS selects from the dates of one period. */
const selected = (set: number[], positions: readonly number[] | undefined): number[] =>
  positions ? set.filter((_, index) => hasNth(positions, index + 1, set.length)) : set;

/** The times of day of a rule, in seconds. */
function timesOfDay({ byHour, byMinute, bySecond }: Rule, start: number): number[] {
  const time = mod(start, DAY);
  const hours = sorted(byHour ?? [Math.floor(time / 3600)]);
  return hours.flatMap((hour) => minutesAndSeconds({ byMinute, bySecond }, time).map((rest) => hour * 3600 + rest));
}

const minutesAndSeconds = ({ byMinute, bySecond }: Pick<Rule, 'byMinute' | 'bySecond'>, time: number): number[] =>
  sorted(byMinute ?? [Math.floor(time / 60) % 60]).flatMap((minute) => secondsOf(bySecond, time).map((second) => minute * 60 + second));

const secondsOf = (bySecond: number[] | undefined, time: number): number[] => [
  ...new Set(sorted(bySecond ?? [time % 60]).map((second) => Math.min(second, 59))),
];

/** The sets of a rule of days and longer periods, from the period of `from` on. */
function* setsOfDays(rule: Rule, frequency: DailyOrRarer, start: number, from: number, to: number, step: Step): Iterable<number[]> {
  const { indexOf, ranges } = PERIODS[frequency](rule);
  const { interval, bySetPosition } = rule;
  const first = indexOf(Math.floor(start / DAY));
  const skipped = Math.max(0, Math.floor((indexOf(Math.floor(from / DAY)) - first) / interval));
  const isOn = dayFilter(rule);
  const times = timesOfDay(rule, start);
  for (let index = first + skipped * interval; ; index += interval) {
    const parts = ranges(index);
    if (parts[0][0] * DAY > to) return;
    const set: number[] = [];
    for (const [begin, end] of parts) {
      step(end - begin);
      for (let day = begin; day < end; day += 1) {
        if (!isOn(day)) continue;
        step(times.length);
        for (const time of times) set.push(day * DAY + time);
      }
    }
    yield selected(set, bySetPosition);
  }
}

/** The ranges of a day, in seconds, in which a rule of hours, minutes or seconds recurs. */
function rangesOfDay({ frequency, byHour, byMinute }: Rule): [from: number, to: number][] {
  const hours = byHour ? sorted(byHour).map((hour): [number, number] => [hour * 3600, hour * 3600 + 3600]) : [[0, DAY] as [number, number]];
  if (!byMinute || frequency === 'HOURLY') return hours;
  const all = byHour ? sorted(byHour) : Array.from({ length: 24 }, (_, hour) => hour);
  return all.flatMap((hour) =>
    sorted(byMinute).map((minute): [number, number] => [hour * 3600 + minute * 60, hour * 3600 + minute * 60 + 60]),
  );
}

/** The sets of a rule of hours, minutes or seconds. */
function* setsOfTimes(rule: Rule, unit: number, start: number, from: number, to: number, step: Step): Iterable<number[]> {
  const { interval, bySetPosition, bySecond, frequency } = rule;
  const isOn = dayFilter(rule);
  const ranges = rangesOfDay(rule);
  const first = Math.floor(start / unit);
  const within =
    frequency === 'HOURLY'
      ? minutesAndSeconds(rule, mod(start, DAY))
      : frequency === 'MINUTELY'
        ? secondsOf(bySecond, mod(start, DAY))
        : [0];
  const isSecond = (second: number): boolean => frequency !== 'SECONDLY' || !bySecond || secondsOf(bySecond, 0).includes(mod(second, 60));
  /** The first period at or after a time. */
  const next = (seconds: number): number => first + Math.max(0, Math.ceil((Math.ceil(seconds / unit) - first) / interval)) * interval;
  for (let day = Math.floor(Math.max(start, from) / DAY); day * DAY <= to;) {
    step(1);
    if (!isOn(day)) {
      day += 1;
      continue;
    }
    for (const [begin, end] of ranges) {
      step(1);
      for (let index = next(day * DAY + begin); index * unit < day * DAY + end; index += interval) {
        step(within.length);
        if (isSecond(index))
          yield selected(
            within.map((rest) => index * unit + rest),
            bySetPosition,
          );
      }
    }
    // A long interval skips days.
    day = Math.max(day + 1, Math.floor((next((day + 1) * DAY) * unit) / DAY));
  }
}

/** Where to look for the dates of a series. */
export interface Span {
  /** Seconds, as `to`. Dates before may be among the result. */
  from: number;
  to: number;
  /** The local time of UNTIL, if the rule has one. */
  until?: number | undefined;
  isDate?: boolean;
  /** RFC 5545: whether the start is the first of the dates, and of COUNT, even if it is outside of the rule. Default: true. */
  hasStart?: boolean;
}

/**
 * The dates of a rule from the start of its series on, without the start if it is the first anyway.
 * @param start local time of the start, in seconds
 * @throws EventProblem, TooMuch as `step` does
 */
export function* datesOfRule(
  given: Rule,
  start: number,
  { from, to, until = Infinity, isDate = false, hasStart = true }: Span,
  step: Step,
): Generator<number> {
  if (isDate && given.frequency in UNITS) throw new EventProblem(`the rule ${given.text} requires a start with a time`);
  const { byHour: _h, byMinute: _m, bySecond: _s, ...ofDays } = given;
  const rule = completed(isDate ? ofDays : given, start);
  const { frequency, count = Infinity } = rule;
  // Earlier dates are only needed to count them.
  const begin = count === Infinity ? from : start;
  const last = Math.min(to, until);
  const sets =
    frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY'
      ? setsOfTimes(rule, UNITS[frequency], start, begin, last, step)
      : setsOfDays(rule, frequency, start, begin, last, step);
  let left = hasStart ? count - 1 : count;
  for (const set of sets)
    for (const date of set) {
      if (date < start || (hasStart && date === start)) continue;
      if (date > last || left <= 0) return;
      left -= 1;
      yield date;
    }
}
