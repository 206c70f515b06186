/** The members of a stub as texts of a form, and back. */
import { pretty } from '../format.js';

/** Lines such as `Retry-After: 60`. */
const linesOf = (values = {}) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Values of such lines by name; undefined for no lines. */
function valuesIn(lines = '') {
  const pairs = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.split(':', 1)[0].trim(), line.includes(':') ? line.slice(line.indexOf(':') + 1).trim() : '']);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

const textOf = (value) => (value === undefined ? '' : pretty(value));

const isStructured = (text) => /^\s*(?:\[|\{(?!\{))/.test(text);

/** JSON of a text, or the text itself where it does not look like an object or a list. @throws Error for broken JSON */
function jsonOrText(text, advice) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isStructured(text)) throw new Error(`This is not JSON: ${error.message}. ${advice}`, { cause: error });
    return text;
  }
}

/** A text is sent as it is where it is not JSON, and where the headers name another type. */
function bodyIn(text, headers = {}) {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (type !== undefined && !/\bjson\b/i.test(type)) return text;
  return jsonOrText(text, 'To send it as a text, add a header such as Content-Type: text/plain.');
}

/** A number; any other text as it is, which the API rejects. */
const numberIn = (text) => (Number.isNaN(Number(text)) ? text : Number(text));

/** Each field of the form: the member of the API that it is, its text for a stub, and its value for a text. */
const FIELDS = {
  method: {
    at: ['match', 'method'],
    text: (method) => [method ?? []].flat().join(', '),
    value: (text) => {
      const methods = text.split(/[\s,]+/).filter(Boolean);
      return methods.length > 1 ? methods : methods[0];
    },
  },
  path: { at: ['match', 'path'] },
  regex: { at: ['match', 'regex'] },
  query: { at: ['match', 'query'], text: linesOf, value: valuesIn },
  requestHeaders: { at: ['match', 'headers'], text: linesOf, value: valuesIn },
  requestBody: { at: ['match', 'body'], text: textOf, value: (text) => jsonOrText(text, 'For a part of a text, begin with *.') },
  status: { at: ['respond', 'status'], value: numberIn },
  headers: { at: ['respond', 'headers'], text: linesOf, value: valuesIn },
  body: { at: ['respond', 'body'], text: textOf, value: (text, { headers }) => bodyIn(text, valuesIn(headers)) },
  delay: {
    at: ['delay'],
    text: (delay) => (delay === undefined ? '' : JSON.stringify(delay)),
    value: (text) => jsonOrText(text, 'Use milliseconds, or a distribution.'),
  },
  skip: { at: ['skip'], value: numberIn },
  times: { at: ['times'], value: numberIn },
  priority: { at: ['priority'], value: numberIn },
};

const memberOf = (stub, path) => path.reduce((value, name) => value?.[name], stub);

const asText = (value) => (value === undefined ? '' : String(value));

/** The fields of a stub as texts. */
export const textsOf = (stub) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, { at, text = asText }]) => [name, text(memberOf(stub, at))]));

/**
 * The stub of a form. What has not been changed keeps its value, since a text does not say all about it.
 * @param before the stub that the form began with
 * @param texts the fields, by name
 * @returns the stub, and what is wrong by field
 */
export function stubIn(before, texts, template) {
  const was = textsOf(before);
  const errors = {};
  const stub = { match: {}, respond: {} };
  const set = ([first, second], value) => {
    if (value === undefined) return;
    if (second === undefined) stub[first] = value;
    else stub[first][second] = value;
  };
  for (const [name, { at, value = (text) => text }] of Object.entries(FIELDS)) {
    const text = texts[name] ?? '';
    try {
      set(at, text === was[name] ? memberOf(before, at) : text === '' ? undefined : value(text, texts));
    } catch (error) {
      errors[name] = error.message;
    }
  }
  if (stub.respond.body === undefined && before.respond.bodyBase64 !== undefined) stub.respond.bodyBase64 = before.respond.bodyBase64;
  if (!template) stub.template = false;
  return { stub, errors };
}

/** The field that a message of the API is about: `respond[status] must be …`, or the member that it is listed under. */
function fieldOf(member, message) {
  const named = /^\w+(?:\[\w+\])*/.exec(message)?.[0] ?? '';
  const path = (named.startsWith(member) ? named : member).split(/[[\]]+/).filter(Boolean);
  const isIn = (at) => at.every((part, index) => path[index] === part) || (path.length === 1 && at.at(-1) === path[0]);
  const [name] = Object.entries(FIELDS).find(([, { at }]) => isIn(at)) ?? [];
  return name;
}

/** Messages of an error of the API, by field; `''` has the others. */
export function errorsByField({ message, data }) {
  const params = Object.entries(data?.params ?? {});
  if (params.length === 0) return { '': message };
  return Object.fromEntries(params.map(([member, text]) => [fieldOf(member, text) ?? '', text]));
}
