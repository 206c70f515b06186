import { floatToJson } from './cast.js';

/** Options of `phpJson`. */
export interface PhpJsonOptions {
  /** Indents by four spaces per level, as with JSON_PRETTY_PRINT. */
  pretty?: boolean;
}

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUNS = /[\u0080-\uffff]+/g;
/** Numbers that PHP writes differently: exponents, fixed notation below 1e-4 and beyond PHP's integers. */
const FOREIGN_NUMBERS = [/\de[+-]\d/, /\b0\.0000/, /\d{19}/];
// One after the other: a search for alternatives takes several times as long.
const mayBeForeign = (text: string): boolean => FOREIGN_NUMBERS.some((pattern) => pattern.test(text));
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INT_MAX = 2 ** 63;

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

/**
 * PHP `json_encode` with default flags: `\/` for slashes, `\u` and four lower-case hex digits for every UTF-16 code unit outside
 * ASCII, floats such as `1.0e-5`. Undefined members are omitted, as in JSON.stringify; an undefined value is `null`.
 */
export const phpJson = (value: unknown, options: PhpJsonOptions = {}): string => {
  const text = JSON.stringify(value, null, options.pretty ? 4 : undefined) ?? 'null';
  const numbers = mayBeForeign(text) ? text.replace(TOKENS, respell) : text;
  const slashed = numbers.replaceAll('/', '\\/');
  return NON_ASCII.test(slashed) ? slashed.replace(NON_ASCII_RUNS, escapeRun) : slashed;
};
