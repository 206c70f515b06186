import { lookup } from '../../../base/values/records.js';
import { EventProblem, readMoment, type Moment } from './components.js';

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A day of the week; 0 is Sunday. */
export interface RuleDay {
  weekday: number;
  /** Which one of the month or year, from its end if negative; 0: each. */
  nth: number;
}

/** RFC 5545, 3.3.10: a rule of recurrence. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  count?: number;
  until?: Moment;
  /** 0 is Sunday. */
  weekStart: number;
  byDay?: RuleDay[];
  bySecond?: number[];
  byMinute?: number[];
  byHour?: number[];
  byMonthDay?: number[];
  byYearDay?: number[];
  byWeekNumber?: number[];
  byMonth?: number[];
  bySetPosition?: number[];
  /** Text as in the file, for messages. */
  text: string;
  /** A part that is ignored. */
  ignored?: string;
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The lists of numbers, with their largest value. `signed`: also from the end, and never 0. */
const LISTS = {
  BYSECOND: { key: 'bySecond', most: 60, signed: false },
  BYMINUTE: { key: 'byMinute', most: 59, signed: false },
  BYHOUR: { key: 'byHour', most: 23, signed: false },
  BYMONTHDAY: { key: 'byMonthDay', most: 31, signed: true },
  BYYEARDAY: { key: 'byYearDay', most: 366, signed: true },
  BYWEEKNO: { key: 'byWeekNumber', most: 53, signed: true },
  BYMONTH: { key: 'byMonth', most: 12, signed: false },
  BYSETPOS: { key: 'bySetPosition', most: 366, signed: true },
} as const;

/** Parts that change nothing in the Gregorian calendar (RFC 7529). */
const DEFAULTS: Readonly<Record<string, string>> = lookup({ RSCALE: 'GREGORIAN', SKIP: 'OMIT' });

const MAX_SHOWN = 100;

const isList = (name: string): name is keyof typeof LISTS => Object.hasOwn(LISTS, name);
const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Parses a RECUR value, in any case and with blanks. @throws EventProblem */
export function parseRule(value: string): Rule {
  const text = value.replace(/\s+/g, '').toUpperCase();
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const invalid = (why: string): EventProblem => new EventProblem(`invalid rule RRULE:${shown}: ${why}`);
  const positive = (name: string, given: string): number => {
    if (!/^\d{1,9}$/.test(given) || Number(given) === 0) throw invalid(`${name} must be a positive number`);
    return Number(given);
  };
  const day = (given: string): RuleDay => {
    const [, nth = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(given) ?? [];
    const weekday = WEEKDAYS.indexOf(name);
    if (weekday < 0 || Math.abs(Number(nth)) > 53 || /^[+-]?0+[A-Z]/.test(given)) throw invalid(`BYDAY has no day "${given}"`);
    return { weekday, nth: Number(nth) };
  };
  const rule: Rule = { frequency: 'DAILY', interval: 1, weekStart: 1, text: shown };
  let hasFrequency = false;
  for (const part of text.split(';').filter((each) => each !== '')) {
    const at = part.indexOf('=');
    if (at < 0) throw invalid(`"${part}" has no value`);
    const [name, given] = [part.slice(0, at), part.slice(at + 1)];
    if (given === '') continue;
    if (name === 'FREQ') {
      const frequency = FREQUENCIES.find((each) => each === given);
      if (!frequency) throw invalid(`unknown FREQ. Use ${FREQUENCIES.join(', ')}`);
      rule.frequency = frequency;
      hasFrequency = true;
    } else if (name === 'INTERVAL') rule.interval = positive(name, given);
    // Exchange, among others, writes COUNT=-1 beside UNTIL. Other programs ignore it.
    else if (name === 'COUNT' && /^-\d+$/.test(given)) rule.ignored = part;
    else if (name === 'COUNT') rule.count = positive(name, given);
    else if (name === 'UNTIL') rule.until = untilOf(given, invalid);
    else if (name === 'WKST') rule.weekStart = day(given).weekday;
    else if (name === 'BYDAY') rule.byDay = unique(given.split(',').filter((each) => each !== '')).map(day);
    else if (isList(name)) {
      const { key, most, signed } = LISTS[name];
      rule[key] = unique(
        given.split(',').map((each) => {
          const number = Number(each);
          const isIn = signed ? number !== 0 && Math.abs(number) <= most : number >= (name === 'BYMONTH' ? 1 : 0) && number <= most;
          if (!/^[+-]?\d{1,3}$/.test(each) || !isIn) throw invalid(`${name} has no value "${each}"`);
          return number;
        }),
      );
    } else if (!name.startsWith('X-') && DEFAULTS[name] !== given) throw invalid(`${name} is unknown`);
  }
  if (!hasFrequency) throw invalid('FREQ is missing');
  return rule;
}

function untilOf(given: string, invalid: (why: string) => EventProblem): Moment {
  try {
    return readMoment(given);
  } catch (error) {
    throw invalid(`UNTIL: ${(error as Error).message}`);
  }
}
