import { utc } from '../wp/utc.js';

const DAY = 86_400_000;

const momentOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** So many days after a date, `YYYY-MM-DD`. A month asks for this some forty times, which dayjs takes five times as long for. */
export const daysAfter = (date: string, days: number): string => new Date(momentOf(date) + days * DAY).toISOString().slice(0, -14);

/** The day of the week, 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(momentOf(date)).getUTCDay();

/** So many months after the first day of a month, `YYYY-MM-01`. */
export const monthsAfter = (first: string, months: number): string => utc(momentOf(first)).add(months, 'month').format('YYYY-MM-DD');

/** A date as the calendar has it: the 31st of June is the 1st of July. */
export const realDate = (date: string): string => daysAfter(`${date.slice(0, 8)}01`, Number(date.slice(8)) - 1);

/** The last day of a month that begins on a date. */
export const lastOfMonth = (first: string): string => utc(momentOf(first)).add(1, 'month').subtract(1, 'day').format('YYYY-MM-DD');
