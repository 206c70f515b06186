import { jsonOr } from '../../base/values/records.js';
import { parseQuery } from '../../base/php/query-string.js';
import { findRestPath } from '../../wordpress/rest/transport/transport.js';
import type { Rewrite } from '../../wordpress/rewrite.js';
import type { Match } from '../../sdk/types/qa.js';
import type { Params } from '../../wordpress/rest/request.js';
import type { Args, Json } from '../../wordpress/rest/route.js';
import { maskHeader } from '../../base/text/secrets.js';
import { glob, valueGlob, type Glob } from '../../base/text/glob.js';
import { qaError } from './api/route.js';
import { messageOf } from '../../base/values/errors.js';
import { isDeepStrictEqual } from 'node:util';
import { parseBody } from '../../wordpress/rest/transport/body.js';

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

/** Reads a body. curl sends JSON with the type of a form. */
export function readBody(raw: Buffer | null | undefined, type: string | undefined): MatchedBody {
  if (!raw || raw.length === 0) return NOTHING_SENT;
  const text = raw.toString('utf8');
  const value = jsonOr(text, undefined);
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

/** The parts of a request that rules can match. */
export interface MatchedRequest {
  method: string;
  /** URL as sent, without the path prefix of the sandbox. */
  url: string;
  header: (name: string) => string | undefined;
  body: MatchedBody;
  /** How the site makes addresses. */
  rewrite?: Rewrite;
}

export const MATCH_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: { type: ['string', 'array'], items: { type: 'string' } },
    path: { type: 'string', pattern: '^[/*?]' },
    regex: { type: 'string' },
    query: { type: 'object' },
    headers: { type: 'object' },
    body: {},
  },
} satisfies Partial<Args[string]>;

export const MATCH_HELP =
  'Which requests to match: `method` (one or several), `path` (`*` matches within a segment, `**` across segments) or `regex` (tested against the URL with its query), `query` and `headers` (name to value, with `*` as wildcard; after `!`, the value must be another or absent), `body` (a text for the body as sent, with `*` as wildcard, or members that its JSON or form must have).';

interface Reading {
  pathname: string;
  restPath: string | null;
  query: Params;
}

/** Parses a URL: the path as sent, the path below the REST root, and the query. */
export function readRequestUrl(url: string, rewrite?: Rewrite): Reading {
  const cut = url.indexOf('?');
  const pathname = cut < 0 ? url : url.slice(0, cut);
  const query = cut < 0 ? {} : parseQuery(url.slice(cut + 1));
  return { pathname, restPath: findRestPath(pathname, query, rewrite), query };
}

/** A value of a query as text; undefined if there is none. */
export const textOf = (value: Json | undefined): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

type Test = (request: MatchedRequest, reading: () => Reading) => string | string[] | null;

const differs = (what: string, wanted: unknown, was: unknown): string =>
  `${what}: expected ${JSON.stringify(wanted)}, was ${was === undefined ? 'absent' : JSON.stringify(was)}`;

function pathTest(pattern: Glob, wanted: string): Test {
  return (_request, reading) => {
    const { pathname, restPath } = reading();
    // A rule may name the path, or the route below the REST root however it was requested.
    const fits = pattern.test(pathname) || (restPath !== null && (pattern.test(restPath) || pattern.test(`/wp-json${restPath}`)));
    return fits ? null : differs('path', wanted, pathname);
  };
}

function regexOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    const problem = `"regex" is not a regular expression: ${messageOf(error)}`;
    throw qaError('invalid_match', problem, 400, { params: { regex: problem } });
  }
}

/** Whether a value is wanted. After `!`: whether it is not. */
function valueTest(wanted: string): (value: string | undefined) => boolean {
  const isNegated = wanted.startsWith('!');
  const pattern = valueGlob(isNegated ? wanted.slice(1) : wanted);
  return (value) => (value !== undefined && pattern.test(value)) !== isNegated;
}

function testsOf({ method, path, regex, query = {}, headers = {}, body }: Match): Test[] {
  const tests: Test[] = [];
  const methods = method === undefined ? null : [method].flat().map((name) => name.toUpperCase());
  if (methods) tests.push((request) => (methods.includes(request.method) ? null : differs('method', methods.join(', '), request.method)));
  if (path !== undefined) tests.push(pathTest(glob(path), path));
  if (regex !== undefined) {
    const pattern = regexOf(regex);
    tests.push(({ url }) => (pattern.test(url) ? null : differs('URL', regex, url)));
  }
  for (const [name, wanted] of Object.entries(query)) {
    const fits = valueTest(String(wanted));
    tests.push((_request, reading) => {
      const value = textOf(reading().query[name]);
      return fits(value) ? null : differs(`query ${name}`, wanted, value);
    });
  }
  for (const [name, wanted] of Object.entries(headers)) {
    const fits = valueTest(String(wanted));
    tests.push((request) => {
      const value = request.header(name.toLowerCase());
      return fits(value) ? null : differs(`header ${name}`, wanted, value && maskHeader(name, value));
    });
  }
  if (body !== undefined) {
    const differences = bodyMatcher(body);
    tests.push((request) => differences(request.body));
  }
  return tests;
}

/** A compiled `Match`. Returns the differences of a request; empty if it matches. */
export type Matcher = (request: MatchedRequest) => string[];

/** Compiles a `Match`. @throws RestError for an invalid pattern */
export function matcher(match: Match): Matcher {
  const tests = testsOf(match);
  return (request) => {
    let known: Reading | undefined;
    const reading = (): Reading => (known ??= readRequestUrl(request.url, request.rewrite));
    return tests.flatMap((test) => test(request, reading) ?? []);
  };
}
