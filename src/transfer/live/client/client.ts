import { setTimeout as wait } from 'node:timers/promises';
import { DatasetError } from '../../source.js';
import { readJson } from './read-json.js';
import { lookup } from '../../../base/values/records.js';
import problems from './connection-problems.json' with { type: 'json' };

/** A response of a site, with its body parsed as JSON if possible. */
export interface SiteResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** `undefined` if the body is not JSON. */
  json: unknown;
  /** Final URL, after redirects. */
  url: string;
}

export const siteError = (url: string, problem: string): DatasetError => new DatasetError(url, [problem]);

const CONNECTION: Readonly<Record<string, string>> = lookup(problems);

interface Cause {
  code?: string;
  message?: string;
}

export function connectionProblem(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { cause?: Cause };
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1000} seconds. Allow more with --timeout`;
  const { code = '', message = String(error) } = cause ?? {};
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `the certificate is not trusted (${message}). Set the certificate authority in NODE_EXTRA_CA_CERTS, or use http:// for a local site`;
  return CONNECTION[code] ?? `cannot be reached: ${message}`;
}

const isHtml = ({ headers, text }: SiteResponse): boolean => /html/.test(headers['content-type'] ?? '') || /^\s*</.test(text);

const codeOf = ({ json }: SiteResponse): string => {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Explains an error response, and what to do. */
export function responseProblem(response: SiteResponse): string {
  const { status } = response;
  const code = codeOf(response);
  if (code === 'rest_disabled' || (status === 401 && /rest.*(login|cannot_access|disabled)|not_logged_in/.test(code)))
    return `the REST API is not public (${status} ${code}). Sign in with --login and --password-env, or enable it in the settings of the site's security plugin`;
  if (/^(?:incorrect_password|invalid_username|invalid_email)$/.test(code))
    return `the login was rejected (${status} ${code}). Use an application password from the profile of the user`;
  if (status === 401 || status === 403)
    return isHtml(response)
      ? `access denied, with an HTML page (${status}): a firewall or security plugin blocks the REST API. Allow this address there, or lower --rate`
      : `access denied (${status}${code === '' ? '' : ` ${code}`}). Sign in with --login and --password-env`;
  if (isHtml(response) && status < 400)
    return 'the response is an HTML page instead of JSON: something in front of the REST API, such as a maintenance or login page, intercepts the request';
  if (response.text.trim() === '')
    return `the response (${status}) is empty: a plugin or the web server may have switched the REST API off`;
  if (response.json === undefined) return `the response (${status}) is not JSON: ${JSON.stringify(response.text.slice(0, 80))}`;
  return `the site responded with ${status}${code === '' ? '' : ` ${code}`}`;
}

export interface LiveClientOptions {
  /** Maximum number of requests per second; 0: no limit. */
  rate: number;
  /** Timeout of a request, in ms. */
  timeoutMs: number;
  /** How often to retry a request after a temporary error. */
  retries: number;
  /** Login and application password, for private content. */
  credentials?: { login: string; password: string };
  signal?: AbortSignal;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (url: string, request: SiteRequest) => Promise<Response>;
  /** Receives notes: before each retry, and what was skipped of responses. */
  notify?: (line: string) => void;
}

/** Members of a request besides its URL. */
export interface SiteRequest {
  /** Default: GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
}

const REDIRECTS = 5;
/** Status codes of temporary errors. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);
/** Limit of `Retry-After`, in seconds. */
const MAX_WAIT = 300;

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/** Parses `Retry-After` (seconds or a date). @returns ms, or null if it is absent */
function retryAfter(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_WAIT) * 1000 : null;
}

/** A read-only HTTP client for one site, with a rate limit and retries. */
export class SiteClient {
  private nextAt = 0;
  /** Whether a server has responded. */
  private isReached = false;
  private readonly skipped = new Set<string>();
  /** Number of requests sent. */
  requests = 0;

  constructor(
    readonly options: LiveClientOptions,
    readonly origin: string,
  ) {}

  /** Waits until the rate limit allows the next request. */
  private async throttle(): Promise<void> {
    const { rate, signal } = this.options;
    signal?.throwIfAborted();
    if (rate <= 0) return;
    const now = performance.now();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + 1000 / rate;
    if (at > now) await wait(at - now, undefined, { signal });
  }

  private headersFor(url: string): Record<string, string> {
    const { credentials } = this.options;
    const [named, asked] = [this.origin, url].map((address) => new URL(address));
    // Credentials are sent only to the given host, with or without `www.`: not to other hosts after a redirect, and not over HTTP if the
    // given URL is HTTPS.
    const isOwn = bareHost(named) === bareHost(asked) && (named.protocol === 'http:' || asked.protocol === 'https:');
    const token = credentials && Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64');
    return {
      'user-agent': 'wp-understudy (pull)',
      accept: '*/*',
      ...(token !== undefined && isOwn ? { authorization: `Basic ${token}` } : {}),
    };
  }

  private async once(url: string, method: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const { timeoutMs, signal, fetch: send = fetch } = this.options;
    let at = url;
    for (let hops = 0; ; hops += 1) {
      await this.throttle();
      this.requests += 1;
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await send(at, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...this.headersFor(at) },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return this.at(response, at);
      await response.body?.cancel();
      if (hops === REDIRECTS) throw siteError(url, `too many redirects (${REDIRECTS}), the last to ${location}`);
      at = new URL(location, at).href;
    }
  }

  private at(response: Response, url: string): Response {
    Object.defineProperty(response, 'url', { value: url });
    return response;
  }

  /**
   * Sends a request, and retries it after temporary errors. The first connection that is refused is none: nothing listens there.
   * @throws DatasetError if the site cannot be reached
   */
  private async withRetries<T>(
    url: string,
    { method = 'GET', headers = {} }: SiteRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { retries, signal, timeoutMs, notify } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      const pause = Math.min(2 ** attempt, 30) * 1000;
      try {
        const response = await this.once(url, method, headers);
        this.isReached = true;
        if (!TEMPORARY.has(response.status) || attempt >= retries) return await read(response);
        const date = Date.parse(response.headers.get('date') ?? '');
        const asked = retryAfter(response.headers, date) ?? pause;
        await response.body?.cancel();
        notify?.(`${url}: the site responded with ${response.status}. Retrying in ${Math.ceil(asked / 1000)} s.`);
        await wait(asked, undefined, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof DatasetError) throw error;
        const problem = connectionProblem(error, timeoutMs);
        const isFinal = /certificate|host not found|bad port/.test(problem) || (!this.isReached && problem.includes('refused'));
        if (attempt >= retries || isFinal) throw siteError(url, problem);
        notify?.(`${url}: ${problem}. Retrying in ${pause / 1000} s.`);
        await wait(pause, undefined, { signal });
      }
    }
  }

  /** Sends a request. Resolves for any status. @throws DatasetError if the site cannot be reached */
  fetch(url: string, request: SiteRequest = {}): Promise<SiteResponse> {
    return this.withRetries(url, request, async (response) => {
      // A byte order mark stays in it, unlike in `response.text()`.
      const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: this.jsonOf(text),
        url: response.url,
      };
    });
  }

  /** The JSON of a response. What is skipped before it is named once. */
  private jsonOf(text: string): unknown {
    const { json, skipped } = readJson(text);
    if (skipped !== null && !this.skipped.has(skipped)) {
      this.skipped.add(skipped);
      this.options.notify?.(`Before its JSON, the site sends ${skipped}. It was skipped.`);
    }
    return json;
  }

  /** Fetches a file. @returns null if there is none @throws DatasetError if the site cannot be reached */
  file(url: string): Promise<Buffer | null> {
    return this.withRetries(url, {}, async (response) => {
      const bytes = Buffer.from(await response.arrayBuffer());
      return response.status === 200 && !/html/.test(response.headers.get('content-type') ?? '') ? bytes : null;
    });
  }
}

export type Query = Readonly<Record<string, string | number>>;

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** A URL with a further query. WP: without pretty permalinks, routes have one already. */
export const withQuery = (url: string, query: string | undefined): string =>
  query === undefined || query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** The URL of a route. WP: without pretty permalinks, the root ends in `?rest_route=`. */
export function routeUrl(root: string, route: string, query: Query = {}): string {
  const parameters = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return withQuery(`${withoutSlash(root)}/${route.replace(/^\/+/, '')}`, parameters.join('&'));
}
