import Busboy from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { parseQuery } from '../php/query-string.js';
import type { Params } from './request.js';

/** What a request body holds, once read. */
export interface Body {
  json: Params | null;
  form: Params;
  jsonError: string | null;
}

const EMPTY: Body = { json: null, form: {}, jsonError: null };

/** WP: `application/json` and every `application/<something>+json`. */
const isJson = (type: string): boolean => /^application\/([\w!#$&.^-]+\+)?json$/.test(type);

const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0].trim().toLowerCase();

const isObject = (value: unknown): value is Params => value !== null && typeof value === 'object' && !Array.isArray(value);

function parseJson(text: string): Body {
  if (text === '') return EMPTY;
  try {
    const value: unknown = JSON.parse(text);
    // PHP: a list has the keys 0, 1, …; no parameter is called like that. Anything but an object names nothing.
    return { ...EMPTY, json: isObject(value) ? Object.assign(Object.create(null) as Params, value) : {} };
  } catch {
    return { ...EMPTY, jsonError: 'Syntax error' };
  }
}

/** Field names and values of a multipart form, read as PHP reads them. */
function parseMultipart(raw: Buffer, contentType: string): Promise<Params> {
  return new Promise((resolve) => {
    const pairs: string[] = [];
    const done = (): void => resolve(parseQuery(pairs.join('&')) as Params);
    try {
      const parser = new Busboy.default({ headers: { 'content-type': contentType }, limits: { fields: 1000, parts: 1000 } });
      parser.on('field', (name, value) => pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`));
      parser.on('file', (_name, stream) => stream.resume());
      parser.on('finish', done);
      // PHP: a form that breaks off keeps what came before.
      parser.on('error', done);
      parser.end(raw);
    } catch {
      done();
    }
  });
}

/**
 * The parameters in a body. PHP reads multipart forms of real POST requests only; JSON is read whatever the method (WP).
 * @param method the method as sent, before any override
 */
export async function parseBody(raw: Buffer, headers: IncomingMessage['headers'], method: string): Promise<Body> {
  const contentType = headers['content-type'];
  const type = mediaType(contentType);
  if (isJson(type)) return parseJson(raw.toString('utf8'));
  if (type === 'application/x-www-form-urlencoded') return { ...EMPTY, form: parseQuery(raw.toString('utf8')) as Params };
  if (type === 'multipart/form-data' && method === 'POST') return { ...EMPTY, form: await parseMultipart(raw, contentType ?? '') };
  return EMPTY;
}
