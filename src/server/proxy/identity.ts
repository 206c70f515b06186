import { createHash } from 'node:crypto';
import { phpJson } from '../../base/php/json.js';
import type { LinkExchange } from './links.js';
import { isText, type ProxiedRequest } from './request.js';
import { maskJson, maskParts, maskQuery, maskText } from '../../base/text/secrets.js';
import { parseJson } from '../../base/values/records.js';

/** Identity of a request in a cassette. It contains no secrets, and no URL of this server or of the site. */
export interface Identity {
  method: string;
  path: string;
  /** Sorted by name. */
  query: string;
  /** Text of the body; of any other, its digest. */
  body: string;
  /** Name of the files, without extension. */
  name: string;
}

/** Parameters of a name keep their order: PHP makes a list of them. */
const sortedQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => ({ pair, name: pair.split('=', 1)[0] }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ pair }) => pair)
    .join('&');

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Clients choose another boundary for every request. */
function withFixedBoundary(text: string, type: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}

function maskedBody(text: string, type: string): string {
  if (/^multipart\//i.test(type)) return withFixedBoundary(maskParts(text, type), type);
  try {
    return phpJson(maskJson(parseJson(text), maskText));
  } catch {
    return maskText(text);
  }
}

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8')).equals(bytes);

function bodyOf({ body, headers }: ProxiedRequest, move: (text: string) => string): string {
  if (body.length === 0) return '';
  const type = String(headers['content-type'] ?? '');
  const isReadable = isText(type) || type === '' || /^multipart\//i.test(type);
  if (!isReadable) return `sha256:${digestOf(body)}`;
  if (isUtf8(body)) return maskedBody(move(body.toString('utf8')), type);
  // A form with files, or text in another encoding.
  return `sha256:${digestOf(maskedBody(move(body.toString('latin1')), type))}`;
}

const MAX_NAME = 80;

const readable = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');

/** Identifies a request: by method, path, sorted query and body. */
export function identify(request: ProxiedRequest, links: LinkExchange): Identity {
  const inward = links.inward(request.ownUrl);
  const move = (text: string): string => links.store(inward(text));
  const { method, path } = request;
  const query = maskQuery(sortedQuery(move(request.query)));
  const body = bodyOf(request, move);
  const name = `${readable(`${method} ${path} ${query}`)}-${digestOf([method, path, query, body].join('\n')).slice(0, 12)}`;
  return { method, path, query, body, name };
}
