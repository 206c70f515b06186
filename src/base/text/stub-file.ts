import type { Json } from '../values/records.js';
import { parseSentJson } from '../values/nesting.js';

/** Response that is sent instead of that of the site. */
export interface StubResponse {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** A text, or a value that is sent as JSON. */
  body?: Json;
  /** Instead of `body`: bytes. */
  bodyBase64?: string;
}

/** Types of text files, by extension. */
const TEXTS: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  graphql: 'application/graphql',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  js: 'text/javascript',
  md: 'text/markdown',
  rss: 'application/rss+xml',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  xml: 'application/xml',
};

/** Types of other files. */
const BYTES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  zip: 'application/zip',
};

/** The response with a file: JSON as a value and other texts as such, so that they can be templates. @throws SyntaxError for invalid JSON */
function fileResponse(name: string, content: Uint8Array): StubResponse {
  const extension = /\.(\w+)$/.exec(name)?.[1].toLowerCase() ?? '';
  const bytes = Buffer.from(content);
  if (extension === 'json') return { body: parseSentJson(bytes.toString('utf8')) };
  if (extension in TEXTS) return { headers: { 'Content-Type': `${TEXTS[extension]}; charset=UTF-8` }, body: bytes.toString('utf8') };
  return { headers: { 'Content-Type': BYTES[extension] ?? 'application/octet-stream' }, bodyBase64: bytes.toString('base64') };
}

export const hasType = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');

/** A response with a file, whose path is relative to a folder. */
export interface WithFile extends StubResponse {
  file?: string;
}

/** The response of a stub with the content of its file instead of the name. @throws SyntaxError for invalid JSON */
export function withContent({ file = '', headers = {}, ...response }: WithFile, content: Uint8Array): StubResponse {
  const { headers: type = {}, ...body } = fileResponse(file, content);
  const all = hasType(headers) ? headers : { ...type, ...headers };
  return { ...response, ...body, ...(Object.keys(all).length > 0 ? { headers: all } : {}) };
}
