import { isRecord } from '../../../base/values/records.js';
import type { IncomingMessage } from 'node:http';
import { decodeJson } from '../../../base/php/json-decode.js';
import { parseMultipart } from '../../../base/php/multipart.js';
import { parseQuery } from '../../../base/php/query-string.js';
import type { Json, Body } from '../request.js';

/**
 * The longest body that is read of a caller without an account, and the longest form of a page, in bytes. The longest comment that WordPress
 * takes fits in, in any encoding.
 */
export const PUBLIC_BODY = 256 * 1024;

/** The body of a request without one. */
const NO_BODY: Body = { json: null, form: {}, jsonError: null, files: [], floats: new Set() };

/** WP: `application/json` and every `application/<something>+json`, also as one of several; `&-^` is a range of characters there. */
const isJson = (type: string): boolean => /(^|\s|,)application\/([\w!#$&-^.+]+\+)?json(\+oembed)?($|\s|,)/.test(type);

/** WP: a type needs a slash. */
function mediaType(header: string | undefined): string {
  const type = (header ?? '').split(';')[0].trim().toLowerCase();
  return type.includes('/') ? type : '';
}

function parseJson(raw: Buffer): Body {
  if (raw.length === 0) return NO_BODY;
  const decoded = decodeJson(raw);
  if ('code' in decoded) return { ...NO_BODY, jsonError: decoded };
  // PHP: a list has the keys 0, 1, …, which are not parameters. Only objects have named parameters.
  return { ...NO_BODY, json: isRecord<Json>(decoded.value) ? decoded.value : {}, floats: decoded.floats };
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
