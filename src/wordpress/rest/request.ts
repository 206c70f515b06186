import type { IncomingHttpHeaders } from 'node:http';
import type { FilePart } from '../../base/php/multipart.js';
import type { Language } from '../../base/locales/index.js';
import type { User } from '../model.js';
import type { PostPassword } from '../users/post-password.js';
import type { Json } from '../../base/values/records.js';
import { rawurlencode, urldecode } from '../../base/php/query-string.js';
import type { Cookie } from '../users/sessions.js';

export type { Json } from '../../base/values/records.js';

/** A value that was sent. WP: null counts as not sent. */
export type Given = Exclude<Json, null>;

/** A parameter as it arrives: JSON types from a JSON body, text and nested lists from a query string or a form. */
export type Param = Given | undefined;

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export type Params = Record<string, Json>;

/** The sources of parameters; the first one takes precedence (WP: parameter order). */
export interface ParamSources {
  /** `null`: no JSON body. A body that is not an object has no named parameters. */
  json: Params | null;
  form: Params;
  query: Params;
  path: Params;
  defaults: Params;
}

/** Why a body is not valid JSON: PHP's number and words for it. */
interface JsonError {
  code: number;
  message: string;
}

export interface Body {
  json: Params | null;
  form: Params;
  jsonError: JsonError | null;
  files: readonly FilePart[];
  /** Names whose JSON number is written as a float. */
  floats: ReadonlySet<string>;
}

/** Headers as they are read. Node gives lists for one alone that no request has, `set-cookie`. */
export const textHeaders = (headers: IncomingHttpHeaders): Record<string, string | undefined> =>
  headers as Record<string, string | undefined>;

const NONE: ReadonlySet<string> = new Set();
const NOTHING = Buffer.alloc(0);

/** A request after the method override and before any check. */
export class RestRequest {
  user: User | null = null;
  /** The token of the session that signed the caller in; empty without one. */
  session = '';
  /** The requested `Host`; empty for requests of the server itself. */
  host = '';
  /** IP address of the client; empty for requests of the server itself. */
  address = '';
  /** The language of descriptions. */
  language: Language = 'en';
  /** UUID of the application password that signed the caller in; null for other callers. */
  applicationPassword: string | null = null;
  /** The path that was requested, with its query, as sent; empty for requests of the server itself. */
  url = '';
  /** The namespace of the requested route, for self-links. */
  namespace = '';
  routePath = '';
  /** Names whose number in the JSON body is a float, whole or not. PHP: `1.0` is not 1. */
  floats: ReadonlySet<string> = NONE;
  /** The values of parameters as resolved by their checks. */
  readonly resolved = new Map<string, unknown>();
  /** The passwords for posts that it contains, as far as one was needed (`sentPassword`). */
  readonly passwords = new Map<string, PostPassword>();
  /** The raw body, and the files in it if it is a multipart form. */
  raw: Buffer = NOTHING;
  files: readonly FilePart[] = [];

  /** Whether its method is HEAD, which counts as GET. */
  isHead = false;

  /** Whether it has a body that was not read, since it is too large for a caller without an account. */
  isUnread = false;

  /** All sources with values, by precedence; the last has the defaults. */
  orderedSources: readonly Params[];

  constructor(
    readonly method: Method | 'OPTIONS',
    /** Path below the REST root, decoded, with its leading slash. */
    readonly path: string,
    readonly headers: Record<string, string | undefined>,
    readonly sources: ParamSources,
    public jsonError: JsonError | null = null,
  ) {
    this.orderedSources = this.sourcesWithValues();
  }

  private sourcesWithValues(): Params[] {
    const { json, form, query, path, defaults } = this.sources;
    // WP: form bodies are read for writing methods only.
    const takesForm = this.method !== 'GET' && this.method !== 'OPTIONS';
    return [...(json ? [json] : []), ...(takesForm ? [form] : []), query, path, defaults];
  }

  /** Adds a body. */
  receive(raw: Buffer, { json, form, jsonError, files, floats }: Body): void {
    Object.assign(this.sources, { json, form });
    Object.assign(this, { raw, jsonError, files, floats, isUnread: false });
    this.orderedSources = this.sourcesWithValues();
  }

  /** Makes this a part of another request: with its caller. */
  partOf(outer: RestRequest): this {
    this.user = outer.user;
    this.session = outer.session;
    this.address = outer.address;
    this.host = outer.host;
    this.language = outer.language;
    this.applicationPassword = outer.applicationPassword;
    return this;
  }

  /** Adds parameters to the path's, which have the lowest precedence of all that are sent. */
  addToPath(params: Params): void {
    Object.assign(this.sources.path, params);
  }

  /** The value of a parameter in the first sources. A JSON `null` falls through to the next one (WP). */
  private valueIn(sources: number, name: string): Param {
    for (let i = 0; i < sources; i++) {
      const source = this.orderedSources[i];
      const value = source[name] as Param | null;
      if (value !== undefined && value !== null && Object.hasOwn(source, name)) return value;
    }
    return undefined;
  }

  /** The value of a parameter. */
  get(name: string): Param {
    return this.valueIn(this.orderedSources.length, name);
  }

  /** Whether the caller sent the parameter, as opposed to a default. */
  isGiven(name: string): boolean {
    return this.valueIn(this.orderedSources.length - 1, name) !== undefined;
  }

  inQuery(name: string): boolean {
    return Object.hasOwn(this.sources.query, name);
  }
}

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
