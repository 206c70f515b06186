import { setTimeout as wait } from 'node:timers/promises';
import { DatasetError } from '../problems.js';

/** How a site is talked to. */
export interface ClientOptions {
  /** Requests a second at most; 0 sets no limit. */
  rate: number;
  /** Longest wait for one answer, milliseconds. */
  timeoutMs: number;
  /** How often a request is made again after a fault that may pass. */
  retries: number;
  /** An application password and whose it is: for what is not public. */
  credentials?: { login: string; password: string };
  signal?: AbortSignal;
  /** Told when it waits longer than usual, and why. */
  tell?: (line: string) => void;
}

/** What a site says of itself. */
export interface LiveSite {
  /** Address of the site, without trailing slash: what its links start with. */
  home: string;
  /** Further addresses that mean this site: `http` for `https`, the folder that WordPress is in. */
  aliases: string[];
  /** REST root; what follows the namespace is put behind it, also where it ends in `?rest_route=`. */
  root: string;
  /** Namespace of the calendar. */
  namespace: string;
  hasCore: boolean;
  name: string;
  description: string;
  timezone: string;
  gmtOffset: number;
}

/** An answer with a body that is JSON, as far as it is. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** `undefined` when the body is no JSON. */
  json: unknown;
  /** Address that answered, after redirects. */
  url: string;
}

export type Query = Readonly<Record<string, string | number>>;

const NAMESPACE = /^tribe\/events\/v\d+$/;
const REDIRECTS = 5;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Longest wait that a site may ask for, seconds. */
const LONGEST_WAIT = 300;

const fault = (url: string, problem: string): DatasetError => new DatasetError(url, [problem]);

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const CONNECTION: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host; check the spelling',
  EAI_AGAIN: 'the name of the host cannot be looked up; check the network',
  ECONNREFUSED: 'nothing answers at this address; is the site running, and is the port right?',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
};

interface Cause {
  code?: string;
  message?: string;
}

/** What went wrong below HTTP, in words. */
function connectionProblem(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { cause?: Cause };
  if (name === 'TimeoutError') return `there was no answer within ${timeoutMs / 1000} seconds; allow more with --timeout`;
  const { code = '', message = String(error) } = cause ?? {};
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `its certificate cannot be trusted (${message}); name the certificate authority in NODE_EXTRA_CA_CERTS, or use http:// for a local site`;
  return CONNECTION[code] ?? `cannot be reached: ${message}`;
}

const isHtml = (answer: Answer): boolean => /html/.test(answer.headers['content-type'] ?? '') || /^\s*</.test(answer.text);

const codeOf = ({ json }: Answer): string => {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Why an answer is of no use, and what can be done. */
export function answerProblem(answer: Answer): string {
  const { status } = answer;
  const code = codeOf(answer);
  if (code === 'rest_disabled' || (status === 401 && /rest.*(login|cannot_access|disabled)|not_logged_in/.test(code)))
    return `its REST API is closed to visitors (${status} ${code}); sign in with --login and --password-env, or open it in the settings of its security plugin`;
  if (/^(?:incorrect_password|invalid_username|invalid_email)$/.test(code))
    return `it does not accept this login (${status} ${code}); it takes an application password, made in the profile of the user`;
  if (status === 401 || status === 403)
    return isHtml(answer)
      ? `it refuses with an HTML page (${status}): a firewall or security plugin stands before the REST API; allow this address there, or lower --rate`
      : `it refuses (${status}${code === '' ? '' : ` ${code}`}); sign in with --login and --password-env`;
  if (isHtml(answer) && status < 400)
    return 'it answers with an HTML page where JSON is due; something before the REST API, such as a maintenance or login page, catches the request';
  if (answer.json === undefined) return `it answers ${status} with something that is no JSON: ${JSON.stringify(answer.text.slice(0, 80))}`;
  return `it answers ${status}${code === '' ? '' : ` ${code}`}`;
}

/** Milliseconds that a site asks to wait, by `Retry-After` (seconds or a date); null when it does not say. */
function retryAfter(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST_WAIT) * 1000 : null;
}

/** The address of a route. Roots of sites without pretty addresses carry the route in their query. */
export function routeUrl(root: string, route: string, query: Query = {}): string {
  const parameters = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const base = `${withoutSlash(root)}/${route.replace(/^\/+/, '')}`;
  if (parameters.length === 0) return base;
  return `${base}${base.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}

/** Talks to one site: reads only, not faster than allowed, and patiently. */
export class SiteClient {
  private nextAt = 0;
  /** Requests made so far. */
  requests = 0;

  constructor(
    readonly options: ClientOptions,
    readonly origin: string,
  ) {}

  /** Waits until the next request may go out. */
  private async turn(): Promise<void> {
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
    // Credentials go to the site that was named, be it with `www.` or without, and to nobody else whom it redirects to, nor in the open.
    const isOwn = bareHost(named) === bareHost(asked) && (named.protocol === 'http:' || asked.protocol === 'https:');
    const token = credentials && Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64');
    return {
      'user-agent': 'wp-understudy (pull)',
      accept: '*/*',
      ...(token !== undefined && isOwn ? { authorization: `Basic ${token}` } : {}),
    };
  }

  private async once(url: string, method: string): Promise<Response> {
    const { timeoutMs, signal } = this.options;
    let at = url;
    for (let hops = 0; ; hops += 1) {
      await this.turn();
      this.requests += 1;
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await fetch(at, {
        method,
        redirect: 'manual',
        headers: this.headersFor(at),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return this.at(response, at);
      await response.body?.cancel();
      if (hops === REDIRECTS) throw fault(url, `it redirects more than ${REDIRECTS} times, last to ${location}`);
      at = new URL(location, at).href;
    }
  }

  private at(response: Response, url: string): Response {
    Object.defineProperty(response, 'url', { value: url });
    return response;
  }

  /**
   * Sends a request until there is an answer that does not look like a passing fault.
   * @throws DatasetError when the site cannot be reached
   */
  private async patiently<T>(url: string, method: string, read: (response: Response) => Promise<T>): Promise<T> {
    const { retries, signal, timeoutMs, tell } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      const pause = Math.min(2 ** attempt, 30) * 1000;
      try {
        const response = await this.once(url, method);
        if (!PASSING.has(response.status) || attempt >= retries) return await read(response);
        const date = Date.parse(response.headers.get('date') ?? '');
        const asked = retryAfter(response.headers, date) ?? pause;
        await response.body?.cancel();
        tell?.(`The site answers ${response.status}: trying again in ${Math.ceil(asked / 1000)} s.`);
        await wait(asked, undefined, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof DatasetError) throw error;
        const problem = connectionProblem(error, timeoutMs);
        if (attempt >= retries || /certificate|no such host/.test(problem)) throw fault(url, problem);
        tell?.(`${problem}: trying again in ${pause / 1000} s.`);
        await wait(pause, undefined, { signal });
      }
    }
  }

  /** The answer to a request, whatever its status. @throws DatasetError when the site cannot be reached */
  fetch(url: string, method = 'GET'): Promise<Answer> {
    return this.patiently(url, method, async (response) => {
      const text = await response.text();
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: parseJson(text),
        url: response.url,
      };
    });
  }

  /** The bytes of a file, or null when there is none. */
  file(url: string): Promise<Buffer | null> {
    return this.patiently(url, 'GET', async (response) => {
      const bytes = Buffer.from(await response.arrayBuffer());
      return response.status === 200 && !/html/.test(response.headers.get('content-type') ?? '') ? bytes : null;
    });
  }
}

function parseJson(text: string): unknown {
  try {
    // Some sites put a byte order mark before everything.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

interface Index {
  name?: string;
  description?: string;
  url?: string;
  home?: string;
  gmt_offset?: number | string;
  timezone_string?: string;
  namespaces?: unknown;
}

/** REST root that a page names in its header (WP: rel `https://api.w.org/`). */
const linkedRoot = (headers: Record<string, string>): string | undefined =>
  /<([^>]+)>;\s*rel="https:\/\/api\.w\.org\/"/.exec(headers['link'] ?? '')?.[1];

const isIndex = (value: unknown): value is Index => typeof value === 'object' && value !== null && 'namespaces' in value;

/** REST roots that a site may have, the one that it names itself first. */
function* roots(url: string, page: Answer): Generator<string> {
  const linked = linkedRoot(page.headers) ?? /<link[^>]+rel=["']https:\/\/api\.w\.org\/["'][^>]*href=["']([^"']+)["']/.exec(page.text)?.[1];
  if (linked !== undefined) yield new URL(linked.replaceAll('&amp;', '&'), url).href;
  const base = withoutSlash(url);
  yield `${base}/wp-json`;
  yield `${base}/?rest_route=`;
}

/** Addresses that mean the same site. */
function aliasesOf(home: string, others: readonly string[]): string[] {
  const all = [home, ...others.filter((url) => url !== '')].map(withoutSlash);
  const schemes = all.flatMap((url) => [url, url.replace(/^https:/, 'http:'), url.replace(/^http:/, 'https:')]);
  return [...new Set(schemes)].filter((url) => url !== home).sort((a, b) => b.length - a.length);
}

/**
 * Finds the calendar of a site: its REST root, and the namespace of The Events Calendar.
 * @param url address of the site, of a page of it, or of its REST root
 * @throws DatasetError when it cannot be reached, is no WordPress site, keeps its REST API shut, or has no calendar
 */
export async function findSite(client: SiteClient, url: string): Promise<LiveSite> {
  const given = withoutSlash(url).replace(/\/wp-json(?:\/.*)?$/, '');
  const page = await client.fetch(given === '' ? url : `${given}/`);
  let last: Answer | undefined;
  for (const root of roots(withoutSlash(page.url.replace(/[?#].*$/, '')), page)) {
    const answer = await client.fetch(routeUrl(root, ''));
    if (isIndex(answer.json)) return described(answer.json, root, url);
    // A refusal says more than the page that another spelling leads to.
    if (!last || (answer.json !== undefined && last.json === undefined)) last = answer;
  }
  throw fault(url, last === undefined ? 'there is no REST API' : noIndex(page, last));
}

function noIndex(page: Answer, answer: Answer): string {
  if ([401, 403].includes(answer.status) || (answer.json !== undefined && answer.status !== 404)) return answerProblem(answer);
  const isWordPress = /wp-content|wp-includes|name="generator" content="WordPress/.test(page.text);
  return isWordPress
    ? `it is a WordPress site whose REST API does not answer (${answer.status}): it may be switched off by a plugin, or the web server does not pass /wp-json/ on`
    : `this is no WordPress site: there is no REST API at /wp-json/ or ?rest_route=/ (${answer.status})`;
}

function described(index: Index, root: string, url: string): LiveSite {
  const namespaces = Array.isArray(index.namespaces) ? index.namespaces.filter((name): name is string => typeof name === 'string') : [];
  const namespace = namespaces.find((name) => NAMESPACE.test(name));
  if (namespace === undefined) throw fault(url, 'The Events Calendar is not active there, or its REST API is switched off');
  const home = withoutSlash(index.home || index.url || root.replace(/\/wp-json.*|\/?\?rest_route=.*$/, ''));
  return {
    home,
    aliases: aliasesOf(home, [index.url ?? '', root.replace(/\/wp-json\/?$|\/(?:index\.php)?\?rest_route=.*$/, '')]),
    root,
    namespace,
    hasCore: namespaces.includes('wp/v2'),
    name: index.name ?? '',
    description: index.description ?? '',
    timezone: index.timezone_string ?? '',
    gmtOffset: Number(index.gmt_offset ?? 0),
  };
}
