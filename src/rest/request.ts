import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../locales/language.js';
import type { User } from '../wp/model.js';
import type { Json, Param } from './json.js';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export type Params = Record<string, Json>;

/** Where parameters come from, first one wins (WP: parameter order). */
export interface ParamSources {
  /** `null`: no JSON body. A body that is not an object has no named parameters. */
  json: Params | null;
  form: Params;
  query: Params;
  path: Params;
  defaults: Params;
}

/** A file in a multipart form. */
export interface UploadedFile {
  /** Name of the form's field. */
  field: string;
  /** As sent, without folders; empty when none was chosen. */
  filename: string;
  bytes: Buffer;
}

/** Why a body is not valid JSON: PHP's number and words for it. */
export interface JsonError {
  code: number;
  message: string;
}

/** Headers as they are read. Node gives lists for one alone that no request has, `set-cookie`. */
export const textHeaders = (headers: IncomingHttpHeaders): Record<string, string | undefined> =>
  headers as Record<string, string | undefined>;

/** A value in a source; a JSON `null` is none. */
const valueIn = (source: Params, name: string): Param => (Object.hasOwn(source, name) ? (source[name] ?? undefined) : undefined);

const NONE: ReadonlySet<string> = new Set();
const NOTHING = Buffer.alloc(0);

/** A request as WordPress sees it, after the method override and before any check. */
export class RestRequest {
  user: User | null = null;
  /** The token of the session that signed the caller in; empty without one. */
  session = '';
  /** Address from which the request came; empty for one of the server itself. */
  address = '';
  /** In which the interface is described to the caller. */
  language: Language = 'en';
  /** UUID of the application password that signed the caller in; null for anybody else. */
  applicationPassword: string | null = null;
  /** The namespace under which the route was called: self-links echo it. */
  namespace = '';
  routePath = '';
  /** Names whose number in the JSON body is a float, whole or not. PHP: `1.0` is not 1. */
  floats: ReadonlySet<string> = NONE;
  /** What checks found the values of parameters to stand for. */
  readonly resolved = new Map<string, unknown>();
  /** The body as it came, and the files in it if it is a multipart form. */
  raw: Buffer = NOTHING;
  files: readonly UploadedFile[] = [];

  constructor(
    readonly method: Method | 'OPTIONS',
    /** Path below the REST root, decoded, with its leading slash. */
    readonly path: string,
    readonly headers: Record<string, string | undefined>,
    readonly sources: ParamSources,
    readonly jsonError: JsonError | null = null,
  ) {}

  /** WP: form bodies count for writing methods only. */
  private get takesForm(): boolean {
    return this.method !== 'GET' && this.method !== 'OPTIONS';
  }

  /** Adds parameters to those of the path, the weakest that are sent. */
  addToPath(params: Params): void {
    Object.assign(this.sources.path, params);
  }

  /** Every source that holds values, the strongest first. */
  given(): Params[] {
    const { json, form, query, path, defaults } = this.sources;
    return [...(json ? [json] : []), ...(this.takesForm ? [form] : []), query, path, defaults];
  }

  /** The value of a parameter that the caller sent. */
  private sent(name: string): Param {
    const { json, form, query, path } = this.sources;
    return (
      (json ? valueIn(json, name) : undefined) ??
      (this.takesForm ? valueIn(form, name) : undefined) ??
      valueIn(query, name) ??
      valueIn(path, name)
    );
  }

  /** The value of a parameter; a JSON `null` falls through to the next source (WP). */
  get(name: string): Param {
    return this.sent(name) ?? valueIn(this.sources.defaults, name);
  }

  /** True when the caller sent the parameter, as opposed to a default. */
  isGiven(name: string): boolean {
    return this.sent(name) !== undefined;
  }

  /** True when the query string holds it. */
  inQuery(name: string): boolean {
    return Object.hasOwn(this.sources.query, name);
  }
}
