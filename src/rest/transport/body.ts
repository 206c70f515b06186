import Busboy from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { decodeJson } from '../../php/json-decode.js';
import { parseQuery } from '../../php/query-string.js';
import type { JsonError, Params, UploadedFile } from '../request.js';

/** The content of a request body. */
export interface Body {
  json: Params | null;
  form: Params;
  jsonError: JsonError | null;
  files: readonly UploadedFile[];
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

const boundaryOf = (contentType: string): string => /boundary="?([^";]*)/i.exec(contentType)?.[1] ?? '';

/** Fields and files of a multipart form, read as PHP reads them. */
function parseMultipart(raw: Buffer, contentType: string): Promise<Pick<Body, 'form' | 'files'>> {
  return new Promise((resolve) => {
    const pairs: string[] = [];
    const files: UploadedFile[] = [];
    const done = (): void => resolve({ form: parseQuery(pairs.join('&')), files });
    try {
      const parser = new Busboy.default({
        headers: { 'content-type': contentType },
        limits: { fields: 1000, parts: 1000, fieldSize: Infinity },
      });
      parser.on('field', (name, value) => pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`));
      parser.on('file', (field, stream, filename: string | undefined) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => files.push({ field, filename: filename ?? '', bytes: Buffer.concat(chunks) }));
      });
      parser.on('finish', done);
      parser.on('error', done);
      // PHP: a truncated form keeps what came before, including the last, partial value.
      parser.end(Buffer.concat([raw, Buffer.from(`\r\n--${boundaryOf(contentType)}--\r\n`)]));
    } catch {
      done();
    }
  });
}

/**
 * The parameters in a body. PHP reads forms of real POST requests; WP reads URL-encoded ones of other writing methods, too, and treats a
 * body without a type as one. JSON is read for every method.
 * @param sent the method as sent
 * @param method what it was overridden to, if so
 */
export async function parseBody(raw: Buffer, headers: IncomingMessage['headers'], sent: string, method: string): Promise<Body> {
  const contentType = headers['content-type'];
  const type = mediaType(contentType);
  if (isJson(type)) return parseJson(raw);
  if (type === 'multipart/form-data') return sent === 'POST' ? { ...NO_BODY, ...(await parseMultipart(raw, contentType ?? '')) } : NO_BODY;
  const isForm = type === 'application/x-www-form-urlencoded' || (type === '' && sent !== 'POST');
  if (!isForm || (method === 'POST' && sent !== 'POST')) return NO_BODY;
  return { ...NO_BODY, form: parseQuery(raw.toString('utf8')) };
}
