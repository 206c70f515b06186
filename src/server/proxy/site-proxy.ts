import type { ServerOptions } from '../config/index.js';
import { type Cassette, identify, type Identity } from './cassette.js';
import { moveBytes, type LinkExchange } from './links.js';
import { isText, ProxyError, shownRequest, type ProxiedRequest, type ProxiedResponse } from './request.js';
import type { Upstream } from './upstream.js';

interface SiteProxyOptions {
  mode: ServerOptions['proxyMode'];
  /** Whether requests that may change the site are forwarded. */
  allowsWrites: boolean;
  /** URL of the site, without trailing slash. */
  url: string;
  upstream: Pick<Upstream, 'ask'>;
  cassette: Cassette;
  links: LinkExchange;
  log: { info: (line: string) => void; warn: (line: string) => void };
}

type ProxySource = 'forwarded' | 'replayed';

export interface Proxied extends ProxiedResponse {
  source: ProxySource;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** WP: scripts that act when they are requested, with any method: administration, sign-in, scheduled tasks, XML-RPC. */
const ACTING = /^\/(?:[^?]*\/)?(?:wp-admin(?:\/|$)|wp-(?:login|cron|signup|activate|trackback|comments-post|mail)\.php|xmlrpc\.php)/;

const normalized = (path: string): string => {
  try {
    return decodeURIComponent(path).replace(/\/+/g, '/').toLowerCase();
  } catch {
    return path.toLowerCase();
  }
};

/** Whether a request only reads. */
const isSafe = ({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): boolean =>
  SAFE_METHODS.has(method) && !ACTING.test(normalized(path));

/** Statuses of temporary errors, which are not stored. */
const isTemporary = (status: number): boolean => (status >= 500 && status !== 501) || [408, 425, 429].includes(status);

const moved = ({ status, headers, body }: ProxiedResponse, move: (text: string) => string): ProxiedResponse => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, move(value)])),
  body: isText(headers['content-type'] ?? '') ? moveBytes(body, move) : body,
});

/** Serves requests from a cassette or from the site. */
export class SiteProxy {
  /** Requests that are being forwarded to the site, by their identity. */
  private readonly asking = new Map<string, Promise<ProxiedResponse>>();

  constructor(private readonly options: SiteProxyOptions) {}

  /** Whether requests of a kind are forwarded. */
  forwards(request: Pick<ProxiedRequest, 'method' | 'path'>): boolean {
    return this.options.allowsWrites || isSafe(request);
  }

  /** @throws ProxyError if neither the cassette nor the site has a response */
  async respond(request: ProxiedRequest): Promise<Proxied> {
    const { mode, cassette, links } = this.options;
    const identity = identify(request, links);
    const outward = links.outward(request.ownUrl);
    if (mode === 'auto' || mode === 'replay') {
      const stored = await this.stored(identity, request);
      if (stored) return { ...moved(stored, outward), source: 'replayed' };
    }
    if (mode === 'replay')
      throw new ProxyError(
        502,
        'understudy_not_recorded',
        `${shownRequest(identity)} is not in the cassette ${cassette.folder} (${identity.name}.json). Record it: start with the mode auto or record, and repeat the request.`,
      );
    return { ...moved(await this.asked(identity, request), outward), source: 'forwarded' };
  }

  /** A stored response. HEAD has the headers of GET. */
  private async stored(identity: Identity, request: ProxiedRequest): Promise<ProxiedResponse | null> {
    const { cassette, links } = this.options;
    const own = await cassette.read(identity);
    if (own !== null || request.method !== 'HEAD') return own;
    return cassette.read(identify({ ...request, method: 'GET' }, links));
  }

  /** Requests a response from the site, once for concurrent equal requests. @returns the response with links as they are stored */
  private async asked(identity: Identity, request: ProxiedRequest): Promise<ProxiedResponse> {
    if (!this.forwards(request))
      throw new ProxyError(
        403,
        'understudy_proxy_read_only',
        `${shownRequest(identity)} may change ${this.options.url}, so it was not forwarded. Allow such requests with --allow-writes (understudy serve: --proxy-allow-writes).`,
      );
    if (!isSafe(request)) return this.ask(identity, request);
    const running = this.asking.get(identity.name);
    if (running) return running;
    const asking = this.ask(identity, request).finally(() => this.asking.delete(identity.name));
    this.asking.set(identity.name, asking);
    return asking;
  }

  private async ask(identity: Identity, request: ProxiedRequest): Promise<ProxiedResponse> {
    const { mode, upstream, cassette, links, log } = this.options;
    const inward = links.inward(request.ownUrl);
    const toSite = (text: string): string => links.ask(inward(text));
    const isMovable = isText(String(request.headers['content-type'] ?? ''));
    const sent = { ...request, query: toSite(request.query), body: isMovable ? moveBytes(request.body, toSite) : request.body };
    const response = moved(await upstream.ask(sent), links.store);
    const isStored = mode !== 'passthrough' && !isTemporary(response.status);
    if (isStored) await cassette.write(identity, response);
    const line = `proxy: ${shownRequest(identity)} -> ${response.status}${isStored ? `, stored as ${identity.name}` : ''}`;
    if (isTemporary(response.status)) log.warn(`${line}, not stored`);
    else log.info(line);
    return response;
  }
}
