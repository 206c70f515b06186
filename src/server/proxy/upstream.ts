import { connectionProblem } from '../../transfer/live/client/client.js';
import { isStoredHeader, ProxyError, shownRequest, type ProxiedRequest, type ProxiedResponse } from './request.js';

interface UpstreamOptions {
  /** URL of the site, without trailing slash. */
  url: string;
  timeoutMs: number;
  /** Login and application password at the site. */
  credentials?: { login: string; password: string } | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
}

/** Largest body of a response, in bytes. */
const MAX_BODY = 64 * 1024 * 1024;

/** Maximum number of redirects within the site. */
const MOVES = 3;

/** Request headers that are for this server, that depend on the connection, or that would make the response depend on the client. */
const NOT_SENT =
  /^(?:accept-encoding|accept-language|authorization|connection|content-length|cookie|expect|forwarded|host|if-.*|keep-alive|origin|priority|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent|x-forwarded-.*|x-http-method-override|x-real-ip|x-request-id|x-understudy-.*|x-wp-nonce)$/;

/** Marks forwarded requests. */
const MARK = 'x-understudy-proxy';

const bareHost = ({ hostname, port }: URL): string => `${hostname.replace(/^www\./, '')}:${port}`;

const sentHeaders = (headers: ProxiedRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || NOT_SENT.test(name) ? [] : [[name, String(value)]])),
  );

/** The policy of a site that is seen by https may upgrade requests, which this server may not be able to serve. */
const withoutUpgrade = (name: string, value: string): string =>
  name.startsWith('content-security-policy') ? value.replace(/\s*upgrade-insecure-requests\s*;?/gi, '').trim() : value;

function keptHeaders(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => isStoredHeader(name)).map(([name, value]) => [name, withoutUpgrade(name, value)] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== ''));
}

async function bodyOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY)
      throw new ProxyError(502, 'understudy_proxy_too_large', `The response is larger than ${MAX_BODY / 1024 / 1024} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The site that requests are forwarded to, and no other. */
export class Upstream {
  /** The URL that the site redirects to, which may have another name or scheme. */
  private base: string;

  constructor(private readonly options: UpstreamOptions) {
    this.base = options.url;
  }

  private urlOf({ path, query }: ProxiedRequest, base: string): string {
    const folder = new URL(base).pathname.replace(/\/$/, '');
    // Links within the host of a site in a folder have the folder already.
    const below = folder !== '' && (path === folder || path.startsWith(`${folder}/`)) ? path.slice(folder.length) : path;
    const url = `${base}${below}${query === '' ? '' : `?${query}`}`;
    // Dots in the path must not lead outside.
    const target = URL.canParse(url) ? new URL(url) : null;
    if (target?.origin !== new URL(base).origin || !`${target.pathname}/`.startsWith(`${folder}/`))
      throw new ProxyError(400, 'understudy_proxy_invalid_path', `${path} is not a path of ${base}.`);
    return url;
  }

  /** The base of the site after a redirect that changes nothing but its name or scheme; null: any other redirect. */
  private movedBase(from: string, base: string, location: string | null): string | null {
    if (location === null || !URL.canParse(location, from)) return null;
    const [source, target] = [new URL(from), new URL(location, from)];
    const isSame = `${source.pathname}${source.search}` === `${target.pathname}${target.search}`;
    if (!isSame || source.origin === target.origin || bareHost(source) !== bareHost(target)) return null;
    if (source.protocol === 'https:' && target.protocol === 'http:')
      throw new ProxyError(502, 'understudy_proxy_insecure', `${this.options.url} redirects to ${target.origin}. Use that URL.`);
    return `${target.origin}${new URL(base).pathname.replace(/\/$/, '')}`;
  }

  private async fetch(url: string, { method, headers, body }: ProxiedRequest): Promise<Response> {
    const { credentials, timeoutMs, fetch: send = fetch } = this.options;
    const token = credentials && Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64');
    return send(url, {
      method,
      redirect: 'manual',
      headers: {
        ...sentHeaders(headers),
        'user-agent': 'wp-understudy (proxy)',
        [MARK]: '1',
        ...(token === undefined ? {} : { authorization: `Basic ${token}` }),
      },
      ...(body.length === 0 || method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  private async send(request: ProxiedRequest): Promise<ProxiedResponse> {
    let base = this.base;
    for (let moves = 0; ; moves += 1) {
      const url = this.urlOf(request, base);
      const response = await this.fetch(url, request);
      const isRedirect = response.status > 300 && response.status < 400;
      const next = isRedirect && moves < MOVES ? this.movedBase(url, base, response.headers.get('location')) : null;
      if (next === null) {
        const answer = { status: response.status, headers: keptHeaders(response.headers), body: await bodyOf(response) };
        this.base = base;
        return answer;
      }
      await response.body?.cancel();
      base = next;
    }
  }

  /** Sends the request to the site. Resolves for any status. @throws ProxyError if there is no response */
  async ask(request: ProxiedRequest): Promise<ProxiedResponse> {
    if (request.headers[MARK] !== undefined)
      throw new ProxyError(508, 'understudy_proxy_loop', `${this.options.url} leads back to this server. Use the URL of another site.`);
    try {
      return await this.send(request);
    } catch (error) {
      if (error instanceof ProxyError) throw error;
      const problem = connectionProblem(error, this.options.timeoutMs);
      const status = error instanceof Error && error.name === 'TimeoutError' ? 504 : 502;
      throw new ProxyError(status, 'understudy_proxy_failed', `${shownRequest(request)}: ${this.options.url}: ${problem}.`);
    }
  }
}
