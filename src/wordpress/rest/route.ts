import type { WholeFields, Json, Method, RestRequest } from './request.js';
import type { Profile, QuirkName } from '../quirks.js';
import type { Site } from '../site.js';
import type { Language } from '../../base/locales/index.js';
import { parseJson } from '../../base/values/records.js';
import { FAILURES } from '../../base/system/failures.js';
import { canAssignTerms, canManageTerms } from '../users/capabilities.js';
import type { User } from '../model.js';
import type { Registry } from '../types/registry.js';

/** An error response. The only source of error bodies. WP: an error without a status is sent with 500 and `"data": null`. */
export class RestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number | null,
    readonly data: Record<string, Json> = {},
    readonly additionalData?: Json[],
  ) {
    super(message);
    this.name = 'RestError';
  }

  /** A text that is sent instead of JSON. */
  get text(): { type: string; body: string } | null {
    return null;
  }

  get httpStatus(): number {
    return this.status ?? 500;
  }

  get headers(): Record<string, string> {
    return {};
  }

  body(): Json {
    const data = this.status === null ? null : { status: this.status, ...this.data };
    const body: Record<string, Json> = { code: this.code, message: this.message, data };
    return this.additionalData ? { ...body, additional_data: this.additionalData } : body;
  }
}

export class TooManyAttempts extends RestError {
  /** @param wait seconds */
  constructor(private readonly wait: number) {
    super('understudy_too_many_attempts', `Too many wrong passwords. Try again in ${wait} s (--sign-in-attempts).`, 429);
  }

  override get headers(): Record<string, string> {
    return { 'Retry-After': String(this.wait) };
  }
}

/** PHP: an uncaught error. The response is an HTML page. */
export class CriticalError extends RestError {
  constructor() {
    super(FAILURES.critical.code, FAILURES.critical.message, 500);
  }

  override get text(): { type: string; body: string } {
    const head = '<meta charset="utf-8"><meta name="robots" content="noindex"><title>Error</title>';
    return {
      type: 'text/html; charset=UTF-8',
      body: `<!DOCTYPE html>\n<html lang="en"><head>${head}</head><body>${FAILURES.critical.message}</body></html>\n`,
    };
  }
}

/** A large body of a caller without an account. */
export const tooLarge = (): RestError => new RestError(FAILURES.tooLarge.code, FAILURES.tooLarge.message, FAILURES.tooLarge.data.status);

export const noRoute = (): RestError => new RestError('rest_no_route', 'No route was found matching the URL and request method.', 404);

/** WP: 401 for anonymous callers, 403 for others. */
export const forbidden = (loggedIn: boolean): RestError =>
  new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', loggedIn ? 403 : 401);

/** WP: `data.details` is `[]` unless at least one check gave a structured reason. */
export function invalidParams(failures: Record<string, { message: string; code?: string; data?: Json }>): RestError {
  const names = Object.keys(failures);
  const params: Record<string, Json> = {};
  const details: Record<string, Json> = {};
  for (const [name, failure] of Object.entries(failures)) {
    params[name] = failure.message;
    if (failure.code !== undefined) details[name] = { code: failure.code, message: failure.message, data: failure.data ?? null };
  }
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, 400, {
    params,
    details: Object.keys(details).length > 0 ? details : [],
  });
}

export const invalidParam = (name: string): RestError => invalidParams({ [name]: { message: 'Invalid parameter.' } });

export const missingParams = (names: string[]): RestError =>
  new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, 400, { params: names });

/** An error with its own message: 401 for anonymous callers, 403 for others (WP). */
export const refusal = (user: User | null, code: string, message: string): RestError => new RestError(code, message, user ? 403 : 401);

/** WP: hierarchical terms may be edited by users who manage them. */
export const canEditTerms = (user: User | null, taxonomy: string, registry: Registry): boolean => canManageTerms(user, taxonomy, registry);

/** WP: flat terms may be created by users who may assign them to a post; hierarchical terms by users who may edit them. */
export const canCreateTerms = (user: User | null, taxonomy: string, registry: Registry): boolean =>
  registry.isTree(taxonomy) ? canEditTerms(user, taxonomy, registry) : canAssignTerms(user, taxonomy, registry);

export type { Json, Param } from './request.js';
export { METHODS, type Method } from './request.js';

type HeaderValue = string | number;

/** A body whose JSON is known, in ASCII. Do not modify the bytes. */
export class WrittenJson {
  constructor(readonly json: Buffer) {}
}

/** The response of a handler. Numbers in headers stay numbers, for the envelope. */
export class RestResponse {
  /** WP: the links of an index of a namespace are shown independently of `_fields`. */
  keepsLinks = false;
  /** WP: fields whose parts cannot be selected by `_fields`. */
  wholeFields: WholeFields = [];
  /** Language of its descriptions; null if it has none. */
  language: Language | null = null;

  /** A text that is sent instead of the JSON body. */
  text: { type: string; body: string } | null = null;

  private known: Json | WrittenJson;

  constructor(
    body: Json | WrittenJson,
    public status = 200,
    public headers: Record<string, HeaderValue> = {},
  ) {
    this.known = body;
  }

  get body(): Json {
    if (this.known instanceof WrittenJson) this.known = parseJson(this.known.json.toString('latin1'));
    return this.known;
  }

  set body(body: Json) {
    this.known = body;
  }

  /** The body as JSON, if that is known and no fields are selected. */
  get json(): Buffer | null {
    return this.known instanceof WrittenJson ? this.known.json : null;
  }

  header(name: string, value: HeaderValue): this {
    this.headers[name] = value;
    return this;
  }
}

/** Why an argument was rejected: plain text, or a code that also shows up in `data.details`. */
export interface ArgError {
  message: string;
  code?: string;
  data?: Json;
}

/** A value that its sanitizer rejects. */
export class Refused {
  constructor(readonly error: ArgError) {}
}

/** The resolved value of an argument, which handlers get instead of the sent one. */
export class Resolved<Value> {
  constructor(readonly value: Value) {}
}

/** The result of a check: true for a valid value; false for "Invalid parameter."; or a specific error. */
type CheckVerdict<Value = never> = boolean | ArgError | Resolved<Value>;

/** Whether a check accepts a value. */
export const isFine = (verdict: CheckVerdict<unknown>): boolean => verdict === true || verdict instanceof Resolved;

export type Check<Value = never> = (value: Json, context: CallContext) => CheckVerdict<Value> | Promise<CheckVerdict<Value>>;

export type ArgType = 'integer' | 'boolean' | 'string' | 'number' | 'array' | 'object' | 'null';

/** Keywords of an argument that WordPress shows in its indexes, and that this framework checks where a type is declared. */
export interface Schema {
  title?: string;
  type?: ArgType | ArgType[];
  format?: string;
  enum?: readonly Json[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  description?: string;
  default?: Json;
  required?: boolean;
  readonly?: boolean;
  context?: readonly string[];
}

/** The context of the check of an argument: its request and site. */
export interface CallContext {
  site: Site;
  request: RestRequest;
}

/** The second reading of an argument, for the OpenAPI document (TEC: `/doc` disagrees with the index in places). */
interface DocFacet {
  type?: ArgType;
  items?: { type: ArgType };
  in?: 'query' | 'path';
  style?: 'form';
  /** Left out of the document although the route accepts it. */
  omit?: boolean;
}

/** One argument of an endpoint: the single record that validation, OPTIONS, both indexes and `/doc` read. */
export interface Arg extends Omit<Schema, 'default' | 'required' | 'description'> {
  description: string;
  required?: boolean;
  /** Whether it is captured from the path, and so always present. */
  captured?: true;
  /** A value, or a function for what depends on the clock (`Clock.peek`: handlers note what they make of it) and the options. `null` is shown, but does not count as sent. */
  default?: Json | ((site: Site) => Json);
  validate?: Check<unknown>;
  /** Replaces the sanitizing of the declared type; an error rejects the value. `raw` leaves the value unchanged. */
  sanitize?: 'raw' | ((value: Json, context: CallContext) => Json | Refused | Promise<Json | Refused>);
  doc?: DocFacet;
  /** Whether only `OPTIONS` of its route shows it. */
  isUnlisted?: boolean;
  /** The profile or the quirk under which the argument exists; without it, it always does. */
  only?: Profile | QuirkName;
  /** The quirk under which it does not exist. */
  absentUnder?: QuirkName;
  under?: Partial<Record<QuirkName, Partial<Schema>>>;
}

export type Args = Record<string, Arg>;

/** `'public'`: no check. Otherwise true permits the call; an error replaces the standard one, and asynchronous checks may throw it. */
export type Permission = 'public' | ((context: CallContext) => boolean | RestError | Promise<boolean | RestError>);

export type EndpointHandler = (context: CallContext) => Promise<RestResponse> | RestResponse;

export interface Endpoint {
  methods: readonly Method[];
  args: Args;
  permission: Permission;
  handler: EndpointHandler;
  /** Replacement for its arguments in the indexes. */
  listedArgs?: Json;
  /** False if it is listed only. */
  isBuilt?: false;
  /** WP: shown in the index of `wp/v2` only. */
  allowBatch?: boolean;
  /** The quirk under which its arguments are not listed, and it checks them itself. */
  hidesArgsUnder?: QuirkName;
}

export interface SchemaLink {
  rel: string;
  title: string;
  href: string;
  targetSchema: Json;
}

export interface Route {
  /** The path below the REST root as WordPress writes it, a regular expression with named groups: `/wp/v2/tags/(?P<id>[\d]+)`. */
  path: string;
  endpoints: Endpoint[];
  /** WP: the schema of its objects, which OPTIONS shows and the indexes do not. */
  schema?: Record<string, Json> | ((site: Site) => Record<string, Json>);
  /** The links of its items in the schema, relative to the REST root. */
  links?: readonly SchemaLink[];
  /** WP: fields of its objects whose parts cannot be selected by `_fields`. */
  wholeFields?: WholeFields;
  /** The quirk under which that is so; absent: always. */
  wholeFieldsUnder?: QuirkName;
  /** The quirks under which it does not exist. */
  absentUnder?: QuirkName | readonly QuirkName[];
  /** The quirk under which alone it exists. */
  only?: QuirkName;
  /** Whether it exists for a request (WP: depends on the host). Absent: always. */
  existsFor?: (context: CallContext) => boolean;
  /** Writes a response in another form than JSON, also one with an error; null: it is JSON (WP: `rest_pre_serve_request`). */
  serve?: (response: RestResponse, request: RestRequest) => RestResponse['text'];
}

export interface Namespace {
  name: string;
  routes: Route[];
  /** The quirk under which it does not exist. */
  absentUnder?: QuirkName;
  /** Whether its routes exist for a request, unless they say so themselves. Absent: always. */
  existsFor?: Route['existsFor'];
}

/** Compiles a WordPress route to a regular expression: anchored, case-insensitive (WP). PHP: `$` also matches before a final newline. */
export function routePattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('(?P<', '(?<')}\\n?$`, 'i');
}

export const takesCaptures = (path: string): boolean => path.includes('(?P<');
