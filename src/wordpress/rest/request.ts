import type { IncomingHttpHeaders } from 'node:http';
import type { FilePart } from '../../base/php/multipart.js';
import type { Language } from '../../base/locales/index.js';
import type { User } from '../model.js';
import type { PostPassword } from '../users/post-password.js';
import type { Json } from '../../base/values/records.js';
import { rawurlencode, urldecode } from '../../base/php/query-string.js';
import type { Cookie } from '../users/sessions.js';
import { toStr, trimCharacters } from '../../base/php/cast.js';

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
  address: string;
  language: Language;
}

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

type Wanted = { [key: string]: true | Wanted };

/** WP: separated by commas and spaces; a list is used unchanged. */
export function parseList(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.filter((item) => typeof item !== 'object').map(String);
  if (typeof value === 'object')
    return Object.values(value)
      .filter((item) => typeof item !== 'object')
      .map(String);
  return toStr(value)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

/** Fields whose parts cannot be selected. WP: the controller compares whole names, but for fields of plugins. */
export type WholeFields = 'all' | readonly string[] | { allBut: readonly string[] };

function isWhole(field: string, whole: WholeFields): boolean {
  if (whole === 'all') return true;
  return 'allBut' in whole ? !whole.allBut.includes(field) : whole.includes(field);
}

const LINKS = ['_links', '_embedded'];

/** Whether a name selects a part of a field whose parts cannot be selected. */
function isCutOff(field: string, whole: WholeFields): boolean {
  const [first, second] = field.split('.', 2);
  return second !== undefined && !LINKS.includes(first) && isWhole(first, whole);
}

/** Without a prototype, whose names a caller might ask for. */
const emptyTree = (): Wanted => Object.create(null) as Wanted;

function wantedTree(fields: string[]): Wanted {
  const tree = emptyTree();
  for (const field of fields) {
    const parts = field.split('.');
    let level = tree;
    for (const part of parts.slice(0, -1)) {
      // WP: a property below an already selected one ends the whole list.
      if (level[part] === true) return tree;
      level[part] ??= emptyTree();
      level = level[part];
    }
    level[parts[parts.length - 1]] = true;
  }
  return tree;
}

/** Objects whose properties cannot be selected (TEC: `json_ld`, `dates`). */
const OPAQUE = new Set(['json_ld', 'dates']);

function pick(value: { [key: string]: Json }, wanted: Wanted): Json {
  const picked: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const want = wanted[key];
    if (want === undefined) continue;
    picked[key] = want === true || OPAQUE.has(key) ? value[key] : descend(value[key], want);
  }
  // PHP: an array with the keys 0, 1, … is a list, and so is an empty one.
  return Object.keys(picked).every((key, index) => key === String(index)) ? Object.values(picked) : picked;
}

function descend(value: Json, wanted: Wanted): Json {
  if (value === null || typeof value !== 'object') return value;
  // WP: a dotted path does not enter the items of a list.
  return pick(Array.isArray(value) ? Object.fromEntries(value.map((item, index) => [String(index), item])) : value, wanted);
}

/**
 * Reduces a body to the requested fields (WP: `_fields`). A list is reduced item by item. WP: selecting any part of the links of a single
 * object, or of their embedded items, returns all links.
 * @param keepLinks whether links stay even if they are not selected
 * @param whole fields whose parts cannot be selected
 */
export function filterFields(body: Json, param: Json | undefined, keepLinks = false, whole: WholeFields = []): Json {
  // PHP: zero bytes are spaces at an end.
  const fields = parseList(param).map((field) => trimCharacters(field, ' \t\n\r\0\v'));
  if (fields.length === 0 || body === null || typeof body !== 'object') return body;
  const wanted = wantedTree(fields.filter((field) => !isCutOff(field, whole)));
  // WP: items of a list keep their links only if these are selected by name; embedded items are always included.
  const isList = Array.isArray(body);
  if (wanted._links && isList) wanted._embedded = true;
  else if (keepLinks || wanted._links || (wanted._embedded && !isList)) wanted._links = wanted._embedded = true;
  else delete wanted._embedded;
  return Array.isArray(body)
    ? body.map((item) => (item !== null && typeof item === 'object' ? descend(item, wanted) : item))
    : pick(body, wanted);
}
