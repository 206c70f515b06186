import { rawurlencode, urldecode } from '../../base/php/query-string.js';
import type { Language } from '../../base/locales/language.js';
import type { Params } from './request.js';
import type { Cookie } from '../users/sessions.js';

/** The parts of a request that pages read. */
export interface PageRequest {
  /** Method as sent, in capitals. */
  method: string;
  /** Path as sent, still encoded. */
  path: string;
  /** Path and query as sent. */
  url: string;
  query: Params;
  /** The body as a form, if its type is one (PHP: `$_POST`). */
  form: Params;
  /** The body as sent, up to `PUBLIC_BODY` bytes; empty without one (PHP: `php://input`). */
  body: Buffer;
  /** By name, decoded. */
  cookies: Record<string, string>;
  headers: Record<string, string | undefined>;
  /** Address of the caller. */
  address: string;
  language: Language;
}

/** The response to a request for a page. */
export interface PageResponse {
  /** Whether this redirects from a missing page to one whose URL has the same beginning. */
  isGuess?: boolean;
  status: number;
  headers: Record<string, string>;
  body: string;
  cookies?: Cookie[];
  /** Its language, if it depends on the language of the reader. */
  language?: Language;
  /** Whether it is the same for every anonymous reader until something changes. */
  cacheable?: boolean;
}

/** WP: headers of responses that browsers and proxies must not cache. */
export const NO_CACHE = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};

/** The cookies of a request. PHP: the first of two with the same name counts. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const [, name, value] = /^\s*([^=\s]+)=(.*?)\s*$/s.exec(pair) ?? [];
    if (name !== undefined && !cookies.has(name)) cookies.set(name, urldecode(value.replaceAll('+', '%2B')));
  }
  return Object.fromEntries(cookies);
}

/** A `Set-Cookie` line. Cookies of this server are not readable by scripts, and are not sent with requests from other sites. */
export function cookieLine({ name, value, path, maxAge, secure }: Cookie): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${rawurlencode(value)}; Path=${path}${age}${secure ? '; Secure' : ''}; HttpOnly; SameSite=Lax`;
}
