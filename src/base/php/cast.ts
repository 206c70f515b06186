/** The bounds of PHP's 64-bit integer, as the nearest doubles. */
const INT_MAX = 2 ** 63;
const INT_MIN = -(2 ** 63);

const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
const INTEGER_PREFIX = /^[ \t\n\r\v\f]*[+-]?\d+/;
const NUMBER_PREFIX = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/;

/** PHP: a float beyond the integer range wraps around modulo 2^64; NAN and INF are 0. */
const truncate = (value: number): number => {
  if (!Number.isFinite(value)) return 0;
  const whole = Math.trunc(value) + 0;
  // A saturated string stays the largest integer when it is cast again.
  if (whole === INT_MAX) return INT_MAX;
  return Math.abs(whole) < INT_MAX ? whole : Number(BigInt.asIntN(64, BigInt(whole)));
};

const saturate = (value: number): number => Math.max(INT_MIN, Math.min(INT_MAX, value));

const stringToInt = (value: string): number => {
  const match = NUMBER_PREFIX.exec(value);
  if (!match) return 0;
  const number = Number(match[0].trim());
  const isInteger = INTEGER_PREFIX.exec(value)?.[0].length === match[0].length;
  // PHP: integer strings saturate, float strings that overflow to INF are 0.
  return isInteger || Number.isFinite(number) ? Math.trunc(saturate(number)) + 0 : 0;
};

/**
 * PHP `intval`: casts a value to an integer. Strings: the numeric prefix (`'12abc'` 12, `'1e3'` 1000, `'0x1A'` 0). Arrays and
 * objects (which represent PHP arrays): 0 if empty, else 1.
 */
export const intval = (value: unknown): number => {
  if (typeof value === 'number') return truncate(value);
  if (typeof value === 'string') return stringToInt(value);
  if (typeof value === 'bigint') return Number(value);
  return isEmpty(value) ? 0 : 1;
};

/** WordPress `absint`: casts a value to a non-negative integer. */
export const absint = (value: unknown): number => Math.abs(intval(value));

/** PHP 8 `is_numeric`: numbers, and decimal strings with optional surrounding whitespace; not hexadecimal. */
export const isNumeric = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(value));

/** PHP `empty`: `''`, `'0'`, 0, false, null, undefined, and empty arrays or objects (which represent PHP arrays). */
export const isEmpty = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === '' || value === '0') return true;
  if (typeof value === 'number') return value === 0;
  if (typeof value === 'bigint') return value === 0n;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
};

/** PHP `(bool)`. NAN is true. */
export const toBool = (value: unknown): boolean => !isEmpty(value);

/** PHP's exponent notation (`1.0E+25`, `1.0e-7`): `marker` is the exponent letter, `digits` the significant digits. */
const exponential = (digits: string, exponent: number, marker: string): string => {
  const sign = exponent < 0 ? '-' : '+';
  const fraction = digits.slice(1) || '0';
  return `${digits[0]}.${fraction}${marker}${sign}${Math.abs(exponent)}`;
};

const fixed = (digits: string, exponent: number): string => {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction ? `${whole}.${fraction}` : whole;
};

const floatDigits = (value: number, scientific: string, limit: number, marker: string): string => {
  const [mantissa = '0', power = '0'] = scientific.split('e');
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  const exponent = Number(power);
  const text = exponent < -4 || exponent >= limit ? exponential(digits, exponent, marker) : fixed(digits, exponent);
  return value < 0 ? `-${text}` : text;
};

/** PHP `(string)` of a float: 14 significant digits (ini `precision`), `INF`, `-INF`, `NAN`. */
const floatToStr = (value: number): string => {
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  return floatDigits(value, Math.abs(value).toExponential(13), 14, 'E');
};

/** Writes a finite float as `json_encode` does: the shortest digits that round-trip, exponents as `1.0e+25`. */
export const floatToJson = (value: number): string => floatDigits(value, Math.abs(value).toExponential(), 17, 'e');

/** PHP `(string)`: true `'1'`, false and null `''`, 1.0 `'1'`, arrays and objects `'Array'`. */
export const toStr = (value: unknown): string => {
  if (typeof value === 'string') return value;
  // No double represents PHP_INT_MAX exactly.
  if (value === INT_MAX) return '9223372036854775807';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= INT_MAX ? String(BigInt(value)) : floatToStr(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  if (value === null || value === undefined) return '';
  return typeof value === 'bigint' ? value.toString() : 'Array';
};

const LONG_INTEGER = /^[ \t\n\r\v\f]*([+-]?\d{16,})(?![\d.eE])/;
const BIGGEST = 2n ** 63n - 1n;

/** PHP `(string) (int) value`, with all digits of an integer that a double does not hold exactly. */
export const intText = (value: unknown): string => {
  const digits = typeof value === 'string' ? LONG_INTEGER.exec(value.slice(0, 100))?.[1] : undefined;
  if (digits === undefined) return toStr(intval(value));
  const exact = BigInt(digits.replace('+', ''));
  if (exact > BIGGEST) return String(BIGGEST);
  return String(exact < -BIGGEST - 1n ? -BIGGEST - 1n : exact);
};

/** PHP `trim` with a list of characters. Runs in linear time, unlike a regular expression that is anchored only at the end. */
export const trimCharacters = (text: string, characters: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

const TRUE_WORDS = new Set(['1', 'true', 'on', 'yes']);
const FALSE_WORDS = new Set(['', '0', 'false', 'off', 'no']);

/** PHP `filter_var(…, FILTER_VALIDATE_BOOLEAN, FILTER_NULL_ON_FAILURE)`. */
export const filterBoolean = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object' && value !== null) return null;
  const word = trimCharacters(toStr(value), ' \t\n\r\v').toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
};

/** A word with a capital first letter (PHP: `ucfirst`). */
export const ucfirst = <Word extends string>(word: Word): Capitalize<Word> =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}` as Capitalize<Word>;
