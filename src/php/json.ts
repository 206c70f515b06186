import { floatToJson } from './cast.js';

/** Options of `phpJson`. */
export interface PhpJsonOptions {
  /** Indents by four spaces per level, as with JSON_PRETTY_PRINT. */
  pretty?: boolean;
}

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUNS = /[\u0080-\uffff]+/g;
/** Numbers that PHP writes differently: exponents, fixed notation below 1e-4 and beyond PHP's integers. */
const EXPONENT = /\de[+-]\d/;
const SMALL = /\b0\.0000/;
/** The fewest digits of an integer that PHP may not have. */
const LONG = 19;
// One after the other, and the texts first: a search for alternatives takes several times as long.
const mayBeForeign = (text: string): boolean =>
  ((text.includes('e-') || text.includes('e+')) && EXPONENT.test(text)) ||
  (text.includes('0.0000') && SMALL.test(text)) ||
  hasDigits(text, LONG);
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INT_MAX = 2 ** 63;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether there are so many digits in a row. Every n-th character is looked at: such a row has one of these, and the others around it. */
export function hasDigits(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1;
    let end = at + 1;
    while (end - from < length && isDigit(text.charCodeAt(end))) end += 1;
    if (end - from >= length) return true;
  }
  return false;
}

/** The same ASCII text in one byte per character: what was made of wider text keeps two. */
const narrow = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const escapes: string[] = [];

const escapeRun = (run: string): string => {
  let text = '';
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i);
    text += escapes[code] ??= `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return text;
};

const respellNumber = (token: string): string => {
  const value = Number(token);
  return Number.isInteger(value) && Math.abs(value) <= INT_MAX ? token : floatToJson(value);
};

const respell = (token: string): string => (token.startsWith('"') || !mayBeForeign(token) ? token : respellNumber(token));

const escaped = (text: string): string => {
  const numbers = mayBeForeign(text) ? text.replace(TOKENS, respell) : text;
  const slashed = numbers.replaceAll('/', '\\/');
  return NON_ASCII.test(slashed) ? narrow(slashed.replace(NON_ASCII_RUNS, escapeRun)) : slashed;
};

/** Stands for a value whose JSON is known. A text may be the same: then there are more of these than values. */
const PLACE = '\u0001';
const WRITTEN_PLACE = JSON.stringify(PLACE);

/** The known JSON of the values that the text being written has places for; null: values are written as they are. */
let known: string[] | null = null;

/** Lets `phpJson` write a value as the JSON that it has given for it before. Other writers of JSON see the value as it is. */
export const withKnownJson = <T extends object>(value: T, json: string): T =>
  Object.defineProperty(value, 'toJSON', {
    value: () => {
      if (known === null) return value;
      known.push(json);
      return PLACE;
    },
  });

/** A text with places, and what goes there. */
function writeWithPlaces(value: unknown): { text: string; inserts: string[] } {
  const inserts: string[] = [];
  known = inserts;
  try {
    return { text: JSON.stringify(value) ?? 'null', inserts };
  } finally {
    known = null;
  }
}

/** The JSON of a value in pieces; those that were known are the same strings. */
function piecesOf(value: unknown): readonly string[] {
  const { text, inserts } = writeWithPlaces(value);
  if (inserts.length === 0) return [escaped(text)];
  const between = escaped(text).split(WRITTEN_PLACE);
  if (between.length !== inserts.length + 1) return [escaped(JSON.stringify(value))];
  return between.flatMap((piece, i) => (i === 0 ? [piece] : [inserts[i - 1], piece]));
}

/**
 * PHP `json_encode` with default flags: `\/` for slashes, `\u` and four lower-case hex digits for every UTF-16 code unit outside
 * ASCII, floats such as `1.0e-5`. Undefined members are omitted, as in JSON.stringify; an undefined value is `null`.
 */
export const phpJson = (value: unknown, options: PhpJsonOptions = {}): string => {
  if (options.pretty) return escaped(JSON.stringify(value, null, 4) ?? 'null');
  const pieces = piecesOf(value);
  return pieces.length === 1 ? pieces[0] : pieces.join('');
};

/** What `phpJson` gives, as the bytes that are sent. They lie outside of the heap, where the garbage collector does not move them. */
export function phpJsonBytes(value: unknown): Buffer {
  const pieces = piecesOf(value);
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at, 'latin1');
  return bytes;
}
