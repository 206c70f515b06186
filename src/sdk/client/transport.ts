import { apiError, ConnectionError, ResponseError, TimeoutError, type FailedRequest } from './errors.js';
import type { ErrorBody } from '../types/responses.js';

// Real ones: fake timers of tests must not end requests. Jest may replace the globals before this loads, but not the module.
const { setTimeout, clearTimeout } = globalThis.process?.getBuiltinModule?.('node:timers') ?? globalThis;

/** The part of the standard `fetch` that the client needs. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get: (name: string) => string | null };
  text: () => Promise<string>;
}

/** An application password, or a bearer token. */
export type Auth = { login: string; password: string } | { bearer: string };

export interface ClientOptions {
  /** URL of the site. The REST root is at `/wp-json`. Either `url` or `restUrl` is required. */
  url?: string;
  /** URL of the REST root. */
  restUrl?: string;
  /** Namespace of the calendar API. Default: `tribe/events/v1`, which every site has. */
  namespace?: string;
  /** Credentials. Default: anonymous. */
  auth?: Auth;
  /** Default: the global `fetch`. */
  fetch?: Fetch;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Understudy: name of the sandbox. */
  sandbox?: string;
  /** Understudy: token for the test API. */
  token?: string;
  /** Understudy: the current time for requests (ISO 8601). */
  now?: string | Date;
  /** Timeout in ms; 0: none. Default: 30,000. */
  timeout?: number;
  /** Aborts all requests of the client. */
  signal?: AbortSignal;
}

/** Options of a single call. */
export interface CallOptions extends Pick<ClientOptions, 'headers' | 'signal' | 'timeout'> {
  auth?: Auth | null;
}

/** Values of parameters. `undefined` values are not sent. */
export type Values = object;

export interface Call extends CallOptions {
  method: string;
  /** Path below the REST root, such as `/wp/v2/users/me`. */
  path: string;
  query?: Values;
  /** The parameter of the path that names one item. */
  item?: 'id' | 'slug' | undefined;
  /** Sent as JSON; a string is sent unchanged. */
  body?: Values | string;
}

export interface ApiResponse<T> {
  body: T;
  status: number;
  headers: FetchResponse['headers'];
}

const DEFAULT_TIMEOUT = 30_000;

/** Base64 of a text in UTF-8, with functions that browsers, jsdom and Node.js have in common. */
const base64 = (text: string): string =>
  btoa(encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));

/** The value of the `Authorization` header. */
const authorization = (auth: Auth): string =>
  'bearer' in auth ? `Bearer ${auth.bearer}` : `Basic ${base64(`${auth.login}:${auth.password}`)}`;

function pairs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => pairs(`${name}[${i}]`, item));
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, item]) => pairs(`${name}[${key}]`, item));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(value as string | number | boolean)}`];
}

/** Builds a query string, with arrays and objects in PHP's bracket notation. */
const queryString = (query: Values = {}): string =>
  Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&');

/** Combines several signals and a timeout; `end` removes the listeners. */
function combineSignals(
  signals: (AbortSignal | undefined)[],
  timeout: number,
): { signal: AbortSignal; timedOut: () => boolean; end: () => void } {
  const controller = new AbortController();
  let isTimedOut = false;
  const stops: (() => void)[] = [];
  for (const signal of signals) {
    if (!signal) continue;
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    stops.push(() => signal.removeEventListener('abort', abort));
  }
  if (timeout > 0) {
    const timer = setTimeout(() => {
      isTimedOut = true;
      controller.abort();
    }, timeout);
    stops.push(() => clearTimeout(timer));
  }
  return { signal: controller.signal, timedOut: () => isTimedOut, end: () => stops.forEach((stop) => stop()) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  value !== null && typeof value === 'object' && typeof (value as ErrorBody).code === 'string' && 'message' in value;

/** The URL of the REST root, without trailing slash. @throws TypeError if neither `url` nor `restUrl` is set */
function restRoot({ url, restUrl }: Pick<ClientOptions, 'url' | 'restUrl'>): string {
  const root = restUrl ?? (url === undefined ? undefined : `${url.replace(/\/+$/, '')}/wp-json`);
  if (root === undefined) throw new TypeError('The client requires the URL of a site: createClient({ url: "http://127.0.0.1:8080" })');
  return root.replace(/\/+$/, '');
}

/** Sends requests and parses responses. */
export class Transport {
  readonly restUrl: string;

  /** @throws TypeError if neither `url` nor `restUrl` is set */
  constructor(readonly options: ClientOptions) {
    this.restUrl = restRoot(options);
  }

  private headers({ auth = this.options.auth, body, headers }: Call): Record<string, string> {
    const { sandbox, token, now } = this.options;
    return {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(auth ? { Authorization: authorization(auth) } : {}),
      ...(sandbox === undefined ? {} : { 'X-Understudy-Sandbox': sandbox }),
      ...(token === undefined ? {} : { 'X-Understudy-Token': token }),
      ...(now === undefined ? {} : { 'X-Understudy-Now': typeof now === 'string' ? now : now.toISOString() }),
      ...this.options.headers,
      ...headers,
    };
  }

  private urlOf({ path, query }: Call): string {
    const search = queryString(query);
    const url = this.restUrl + path;
    return search === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`;
  }

  /** @throws ConnectionError, TimeoutError, or the reason of an aborted signal */
  private async receive(request: FailedRequest, call: Call): Promise<{ response: FetchResponse; text: string }> {
    const { options } = this;
    const fetch: Fetch = options.fetch ?? globalThis.fetch;
    if (typeof fetch !== 'function') throw new TypeError('There is no global fetch. Pass one: createClient({ url, fetch })');
    const { signal, timedOut, end } = combineSignals([options.signal, call.signal], call.timeout ?? options.timeout ?? DEFAULT_TIMEOUT);
    try {
      const body = call.body === undefined ? {} : { body: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) };
      const response = await fetch(request.url, { method: request.method, headers: this.headers(call), ...body, signal });
      return { response, text: await response.text() };
    } catch (error) {
      if (timedOut()) throw new TimeoutError('no response within the timeout', request);
      if (signal.aborted) throw signal.reason;
      throw new ConnectionError(reasonOf(error), request, { cause: error });
    } finally {
      end();
    }
  }

  /**
   * Sends a request and parses the JSON of the response.
   * @throws ApiError for a status of 400 or above, ResponseError if the response is not JSON, ConnectionError or TimeoutError without a
   *   response
   */
  async send<T>(call: Call): Promise<ApiResponse<T>> {
    const request: FailedRequest = { method: call.method, url: this.urlOf(call), item: call.item };
    const { response, text } = await this.receive(request, call);
    const { status, headers } = response;
    const body = parse(text);
    if (status >= 400) throw apiError(request, { status, headers, body: isErrorBody(body) ? body : undefined, text });
    if (body === undefined) throw new ResponseError(`the response (${status}) is not JSON`, request, status, text);
    return { body: body as T, status, headers };
  }
}

/** The message of an error with its cause, since `fetch failed` alone is not helpful. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { message?: string; code?: string } };
  return [error.message, cause?.message || cause?.code].filter(Boolean).join(': ');
}
