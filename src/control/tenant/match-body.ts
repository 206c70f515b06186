import { isDeepStrictEqual } from 'node:util';
import { parseBody } from '../../wordpress/rest/transport/body.js';
import type { Json } from '../../wordpress/rest/route.js';
import { valueGlob } from '../../base/text/glob.js';
import { parseJson } from '../../base/values/json.js';

/** The body of a request, as rules compare it. */
export interface MatchedBody {
  /** Body as sent. */
  text: string;
  /** The value of JSON, or the fields of a form; undefined for any other body. */
  value: Json | undefined;
  /** Whether it is a form, whose values are texts. */
  isForm: boolean;
}

export const NOTHING_SENT: MatchedBody = { text: '', value: undefined, isForm: false };

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The value of JSON; undefined for any other text. */
export function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Reads a body. curl sends JSON with the type of a form. */
export function readBody(raw: Buffer | null | undefined, type: string | undefined): MatchedBody {
  if (!raw || raw.length === 0) return NOTHING_SENT;
  const text = raw.toString('utf8');
  const value = jsonOf(text);
  const isForm = type !== undefined && FORM.test(type) && (value === null || typeof value !== 'object');
  if (!isForm) return { text, value, isForm };
  return { text, value: parseBody(raw, { 'content-type': type }, 'POST', 'POST').form, isForm };
}

const show = (value: Json | undefined): string => (value === undefined ? 'absent' : JSON.stringify(value));

const expected = (at: string, wanted: Json, given: Json | undefined): string[] => [`${at}: expected ${show(wanted)}, was ${show(given)}`];

function isEqual(wanted: Json, given: Json | undefined, isForm: boolean): boolean {
  if (typeof wanted === 'string') return typeof given === 'string' && valueGlob(wanted).test(given);
  return isForm && typeof given === 'string' ? given === JSON.stringify(wanted) : isDeepStrictEqual(wanted, given);
}

/** The differences from an expected value. Objects may have further members. */
function missing(wanted: Json, given: Json | undefined, at: string, isForm: boolean): string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length) return expected(at, wanted, given);
    return wanted.flatMap((item, index) => missing(item, given[index], `${at}[${index}]`, isForm));
  }
  if (wanted === null || typeof wanted !== 'object') return isEqual(wanted, given, isForm) ? [] : expected(at, wanted, given);
  if (given === undefined || given === null || typeof given !== 'object' || Array.isArray(given))
    return [`${at}: expected an object, was ${show(given)}`];
  return Object.entries(wanted).flatMap(([name, value]) => missing(value, given[name], `${at}.${name}`, isForm));
}

/** Number of characters of a body in a message. */
const SHOWN = 200;

/** Compiles what a body has to be. Returns the differences of a body; empty if there are none. */
export function bodyMatcher(wanted: Json): (body: MatchedBody) => string[] {
  if (typeof wanted !== 'string') return ({ value, isForm }) => missing(wanted, value, 'body', isForm);
  const pattern = valueGlob(wanted);
  return ({ text }) => (pattern.test(text) ? [] : expected('body', wanted, text === '' ? undefined : text.slice(0, SHOWN)));
}
