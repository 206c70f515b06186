/** The value of a missing member: below all others. */
export const MISSING = -2;
export const EMPTY_TEXT = -1;

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** The digits of a time as a number; null for other texts. */
function digitsOf(text: string): number | null {
  if (!DATE_TIME.test(text)) return null;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit < 10) number = 10 * number + digit;
  }
  return number;
}

/** A number that sorts like a value does: integers that are not negative, and times as text (`YYYY-MM-DD HH:MM:SS`). Null for others. */
export function sortable(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (value === '') return EMPTY_TEXT;
  return typeof value === 'string' ? digitsOf(value) : null;
}

/** The parts of a time in its digits, from the last one, and how many values each has in a code: months and days begin with 1. */
const PARTS = [
  { first: 0, count: 60 },
  { first: 0, count: 60 },
  { first: 0, count: 24 },
  { first: 1, count: 31 },
  { first: 1, count: 12 },
] as const;

/** The codes of 32 bits: first the codes of small numbers, such as ids, then the codes of times in this year and the 124 after it. */
const LOWEST = -(2 ** 31);
const FIRST_TIME = LOWEST + 2 ** 28;
const FIRST_YEAR = 1950;

/** A code of 32 bits for what `sortable` returns, in the same order. Null if there is none. */
export function pack(value: number): number | null {
  const small = value - MISSING + LOWEST;
  if (small < FIRST_TIME) return small;
  let rest = value;
  let code = 0;
  let unit = 1;
  for (const { first, count } of PARTS) {
    const part = (rest % 100) - first;
    if (part < 0 || part >= count) return null;
    code += part * unit;
    unit *= count;
    rest = Math.floor(rest / 100);
  }
  code += (rest - FIRST_YEAR) * unit + FIRST_TIME;
  return code >= FIRST_TIME && code < -LOWEST ? code : null;
}

export function unpack(code: number): number {
  if (code < FIRST_TIME) return code - LOWEST + MISSING;
  let rest = code - FIRST_TIME;
  let value = 0;
  let unit = 1;
  for (const { first, count } of PARTS) {
    value += ((rest % count) + first) * unit;
    unit *= 100;
    rest = Math.floor(rest / count);
  }
  return value + (rest + FIRST_YEAR) * unit;
}
