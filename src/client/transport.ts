import { AnswerError, apiError, ConnectionError, TimeoutError, type Asked } from './errors.js';
import type { ErrorBody } from '../types.js';

/** As much of the standard `fetch` as this client needs. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get: (name: string) => string | null };
  text: () => Promise<string>;
}

/** An application password, or the token of another kind of sign-in. */
export type Auth = { login: string; password: string } | { bearer: string };

export interface ClientOptions {
  /** Address of the site; the REST API is below `/wp-json`. One of `url` and `restUrl` is needed. */
  url?: string;
  /** Address of the REST root. */
  restUrl?: string;
  /** Namespace of the calendar; `tribe/events/v1` when absent, which every site has. */
  namespace?: string;
  /** Who asks; nobody signed in when absent. */
  auth?: Auth;
  /** What asks; the global `fetch` when absent. */
  fetch?: Fetch;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Understudy: the sandbox that requests are for. */
  sandbox?: string;
  /** Understudy: the token that opens its test surface. */
  token?: string;
  /** Understudy: the moment (ISO 8601) that requests take for now. */
  now?: string | Date;
  /** Longest time to wait for an answer, ms; 30,000 when absent, 0: as long as it takes. */
  timeout?: number;
  /** Ends all requests of this client when it is aborted. */
  signal?: AbortSignal;
}

/** What may differ for one call. */
export interface CallOptions extends Pick<ClientOptions, 'headers' | 'signal' | 'timeout'> {
  auth?: Auth | null;
}

/** Values of parameters: `undefined` ones are not sent. */
export type Values = object;

export interface Call extends CallOptions {
  method: string;
  /** Path below the REST root, such as `/wp/v2/users/me`. */
  path: string;
  query?: Values;
  /** Sent as JSON; a text as it is. */
  body?: Values | string;
}

export interface Answer<T> {
  body: T;
  status: number;
  headers: FetchAnswer['headers'];
}

const DEFAULT_TIMEOUT = 30_000;

/** Base64 of the UTF-8 bytes of a text, with what browsers, jsdom and Node have in common. */
const base64 = (text: string): string =>
  btoa(encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));

/** Value of an `Authorization` header. */
export const authorization = (auth: Auth): string =>
  'bearer' in auth ? `Bearer ${auth.bearer}` : `Basic ${base64(`${auth.login}:${auth.password}`)}`;

function pairs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => pairs(`${name}[${i}]`, item));
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, item]) => pairs(`${name}[${key}]`, item));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(value as string | number | boolean)}`];
}

/** Parameters as a query string, lists and objects as PHP reads them. */
export const queryString = (query: Values = {}): string =>
  Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&');

/** Follows several signals and a time limit; `end` lets go of them. */
function follow(signals: (AbortSignal | undefined)[], timeout: number): { signal: AbortSignal; timedOut: () => boolean; end: () => void } {
  const controller = new AbortController();
  let isLate = false;
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
      isLate = true;
      controller.abort();
    }, timeout);
    stops.push(() => clearTimeout(timer));
  }
  return { signal: controller.signal, timedOut: () => isLate, end: () => stops.forEach((stop) => stop()) };
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

/** Address of the REST root that options name, without trailing slash. @throws TypeError when they name none */
export function restRoot({ url, restUrl }: Pick<ClientOptions, 'url' | 'restUrl'>): string {
  const root = restUrl ?? (url === undefined ? undefined : `${url.replace(/\/+$/, '')}/wp-json`);
  if (root === undefined) throw new TypeError('The client needs the address of a site: createClient({ url: "http://127.0.0.1:8080" })');
  return root.replace(/\/+$/, '');
}

/** Sends requests and reads their answers. */
export class Transport {
  readonly restUrl: string;

  /** @throws TypeError when the options name no site, or there is nothing to ask with */
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

  private address({ path, query }: Call): string {
    const search = queryString(query);
    const address = this.restUrl + path;
    return search === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${search}`;
  }

  /** @throws ConnectionError, TimeoutError, or what a signal is aborted with */
  private async receive(asked: Asked, call: Call): Promise<{ answer: FetchAnswer; text: string }> {
    const { options } = this;
    const ask: Fetch = options.fetch ?? globalThis.fetch;
    if (typeof ask !== 'function') throw new TypeError('There is no global fetch here: give one, createClient({ url, fetch })');
    const { signal, timedOut, end } = follow([options.signal, call.signal], call.timeout ?? options.timeout ?? DEFAULT_TIMEOUT);
    try {
      const body = call.body === undefined ? {} : { body: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) };
      const answer = await ask(asked.url, { method: asked.method, headers: this.headers(call), ...body, signal });
      return { answer, text: await answer.text() };
    } catch (error) {
      if (timedOut()) throw new TimeoutError('no answer in time', asked);
      if (signal.aborted) throw signal.reason;
      throw new ConnectionError(reasonOf(error), asked, { cause: error });
    } finally {
      end();
    }
  }

  /**
   * Sends a request and reads the JSON of the answer.
   * @throws ApiError for an answer of 400 or above; AnswerError for one that is not JSON; ConnectionError and TimeoutError without one
   */
  async send<T>(call: Call): Promise<Answer<T>> {
    const asked: Asked = { method: call.method, url: this.address(call) };
    const { answer, text } = await this.receive(asked, call);
    const { status, headers } = answer;
    const body = parse(text);
    if (status >= 400) throw apiError(asked, { status, headers, body: isErrorBody(body) ? body : undefined, text });
    if (body === undefined) throw new AnswerError(`the answer (${status}) is not JSON`, asked, status, text);
    return { body: body as T, status, headers };
  }
}

/** What went wrong, as far down as it is told: `fetch failed` alone tells nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { message?: string; code?: string } };
  return [error.message, cause?.message || cause?.code].filter(Boolean).join(': ');
}
