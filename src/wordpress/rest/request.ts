import type { IncomingHttpHeaders } from 'node:http';
import type { FilePart } from '../../base/php/multipart.js';
import type { Language } from '../../base/locales/language.js';
import type { User } from '../model.js';
import type { PostPassword } from '../users/post-password.js';
import type { Json, Param } from './json.js';

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
