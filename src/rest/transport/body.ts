import type { IncomingMessage } from 'node:http';
import { decodeJson } from '../../php/json-decode.js';
import { parseMultipart, type FilePart } from '../../php/multipart.js';
import { parseQuery } from '../../php/query-string.js';
import type { JsonError, Params } from '../request.js';

/** The content of a request body. */
export interface Body {
  json: Params | null;
  form: Params;
  jsonError: JsonError | null;
  files: readonly FilePart[];
  /** Names whose JSON number is written as a float. */
  floats: ReadonlySet<string>;
}

/** The body of a request without one. */
export const NO_BODY: Body = { json: null, form: {}, jsonError: null, files: [], floats: new Set() };

/** WP: `application/json` and every `application/<something>+json`, also as one of several; `&-^` is a range of characters there. */
const isJson = (type: string): boolean => /(^|\s|,)application\/([\w!#$&-^.+]+\+)?json(\+oembed)?($|\s|,)/.test(type);

/** WP: a type needs a slash. */
function mediaType(header: string | undefined): string {
  const type = (header ?? '').split(';')[0].trim().toLowerCase();
  return type.includes('/') ? type : '';
}

const isObject = (value: unknown): value is Params => value !== null && typeof value === 'object' && !Array.isArray(value);

function parseJson(raw: Buffer): Body {
  if (raw.length === 0) return NO_BODY;
  const decoded = decodeJson(raw);
  if ('code' in decoded) return { ...NO_BODY, jsonError: decoded };
  // PHP: a list has the keys 0, 1, …, which are not parameters. Only objects have named parameters.
  return { ...NO_BODY, json: isObject(decoded.value) ? decoded.value : {}, floats: decoded.floats };
}

/**
 * The parameters in a body. PHP reads forms of real POST requests; WP reads URL-encoded ones of other writing methods, too, and treats a
 * body without a type as one. JSON is read for every method.
 * @param sent the method as sent
 * @param method what it was overridden to, if so
 */
export function parseBody(raw: Buffer, headers: IncomingMessage['headers'], sent: string, method: string): Body {
  const contentType = headers['content-type'];
  const type = mediaType(contentType);
  if (isJson(type)) return parseJson(raw);
  if (type === 'multipart/form-data') return sent === 'POST' ? { ...NO_BODY, ...parseMultipart(raw, contentType ?? '') } : NO_BODY;
  const isForm = type === 'application/x-www-form-urlencoded' || (type === '' && sent !== 'POST');
  if (!isForm || (method === 'POST' && sent !== 'POST')) return NO_BODY;
  return { ...NO_BODY, form: parseQuery(raw.toString('utf8')) };
}
