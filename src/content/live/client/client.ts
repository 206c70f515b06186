import { setTimeout as wait } from 'node:timers/promises';
import { DatasetError } from '../../problems.js';
import { connectionProblem, fault, type Answer } from './problems.js';

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
  notify?: (line: string) => void;
}

const REDIRECTS = 5;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Longest wait that a site may ask for, seconds. */
const LONGEST_WAIT = 300;

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/** Milliseconds that a site asks to wait, by `Retry-After` (seconds or a date); null when it does not say. */
function retryAfter(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST_WAIT) * 1000 : null;
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
    const { retries, signal, timeoutMs, notify } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      const pause = Math.min(2 ** attempt, 30) * 1000;
      try {
        const response = await this.once(url, method);
        if (!PASSING.has(response.status) || attempt >= retries) return await read(response);
        const date = Date.parse(response.headers.get('date') ?? '');
        const asked = retryAfter(response.headers, date) ?? pause;
        await response.body?.cancel();
        notify?.(`The site answers ${response.status}: trying again in ${Math.ceil(asked / 1000)} s.`);
        await wait(asked, undefined, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof DatasetError) throw error;
        const problem = connectionProblem(error, timeoutMs);
        if (attempt >= retries || /certificate|no such host/.test(problem)) throw fault(url, problem);
        notify?.(`${problem}: trying again in ${pause / 1000} s.`);
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
