const DAY = 86_400_000;

// The libraries at hand take the years before 100 for those of the last century.
const momentOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** So many days after a date, `YYYY-MM-DD`. */
export const daysAfter = (date: string, days: number): string => new Date(momentOf(date) + days * DAY).toISOString().slice(0, -14);

/** The day of the week, 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(momentOf(date)).getUTCDay();

/** So many months after the first day of a month, `YYYY-MM-01`. */
export function monthsAfter(first: string, months: number): string {
  const [year, month] = first.split('-').map(Number);
  const count = year * 12 + month - 1 + months;
  const pad = (value: number, size: number): string => String(value).padStart(size, '0');
  return `${pad(Math.floor(count / 12), 4)}-${pad((count % 12) + 1, 2)}-01`;
}

/** A date as the calendar has it: the 31st of June is the 1st of July. */
export const realDate = (date: string): string => daysAfter(`${date.slice(0, 8)}01`, Number(date.slice(8)) - 1);

/** The last day of a month that begins on a date. */
export const lastOfMonth = (first: string): string =>
  ['31', '30', '29'].map((day) => first.slice(0, 8) + day).find((date) => realDate(date) === date) ?? `${first.slice(0, 8)}28`;
