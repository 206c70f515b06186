import { daysFromCivil, wallToSeconds } from '../../../base/php/date.js';
import { lookup } from '../../../base/values/records.js';

export class EventProblem extends Error {}

export const DAY = 86_400;

/** A date or time as a file has it. */
export interface Moment {
  /** Seconds since 1970, local time or, with `isUtc`, UTC. */
  seconds: number;
  isDate: boolean;
  isUtc: boolean;
}

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;
const OFFSET = /^\d{8}T\d{4,6}[+-]\d\d:?\d\d$/i;

const daysIn = (year: number, month: number): number => daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);

/** Parses a DATE or DATE-TIME, by its form: VALUE is ignored. RFC 5545, 3.3.12: second 60 is read as 59. @throws EventProblem */
export function readMoment(text: string): Moment {
  const invalid = (why: string): EventProblem => new EventProblem(`invalid date or time "${text.slice(0, 40)}"${why}`);
  if (OFFSET.test(text)) throw invalid(': it has an offset. Write the time in UTC, with a Z, or name a zone with TZID');
  const match = TIME.exec(text);
  if (!match) throw invalid('. Use a form such as 20260801T193000');
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part?: string) => Number(part ?? 0));
  if (month < 1 || month > 12) throw invalid(`: there is no month ${month}`);
  const days = daysIn(year, month);
  if (day < 1 || day > days) throw invalid(`: ${text.slice(0, 4)}-${text.slice(4, 6)} has ${days} days`);
  if (hour > 23 || minute > 59 || second > 60) throw invalid(': there is no such time of day');
  const seconds = wallToSeconds({ year, month, day, hour, minute, second: Math.min(second, 59) });
  return { seconds, isDate: match[4] === undefined, isUtc: match[7] !== undefined };
}

/** Duration of an event: calendar days plus exact seconds. RFC 5545, 3.3.6. */
export interface Duration {
  days: number;
  seconds: number;
}

const DURATION = /^([+-]?)P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Parses a DURATION. @throws EventProblem also for a negative one */
export function readDuration(text: string): Duration {
  const match = DURATION.exec(text);
  if (!match) throw new EventProblem(`invalid DURATION "${text.slice(0, 40)}". Use a form such as PT1H30M or P2D`);
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part?: string) => Number(part ?? 0));
  const duration = { days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds };
  if (match[1] === '-' && duration.days + duration.seconds > 0) throw new EventProblem(`the DURATION ${text} is negative`);
  return duration;
}

const ESCAPES: Readonly<Record<string, string>> = lookup({ n: '\n', N: '\n' });

/** RFC 5545, 3.3.11: the text of a TEXT value. A backslash before another sign is one. */
export const textOf = (value: string): string => value.replace(/\\([nN,;\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** The texts of a list of TEXT values. */
export const textsOf = (value: string): string[] => (value.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).map(textOf);
