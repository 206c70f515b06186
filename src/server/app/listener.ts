import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Log } from '../../base/system/log.js';
import { maskUrl } from '../../base/text/secrets.js';
import { within } from '../../base/system/deadline.js';
import { FAILURES } from '../../base/system/failures.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { recordExchange } from '../../control/tenant/transport/observe.js';
import type { ResponseCache } from './response-cache.js';

interface ListenerOptions {
  app: Koa;
  /** The main tenant. */
  tenant: Tenant;
  /** Its cached responses for the URL of the site in a request. */
  cacheOf: (request: IncomingMessage) => ResponseCache;
  /** Whether a request is for the main tenant. */
  isForMain: (request: IncomingMessage) => boolean;
  /** Timeout for reading the head of the changes, in ms; 0: none. */
  timeout: number;
  log: Log;
}

/** With these headers, the response to a GET may differ from the cached one. */
const CONDITIONS = ['if-none-match', 'if-modified-since'] as const;

/**
 * Sends a cached response before any middleware runs, unless a fault, a due post or anything else requires the middleware.
 * @returns whether there is one
 */
function sendCached(request: IncomingMessage, response: ServerResponse, { tenant, cacheOf, isForMain }: ListenerOptions): boolean {
  if (tenant.needsMiddleware || CONDITIONS.some((name) => request.headers[name] !== undefined) || !isForMain(request)) return false;
  const started = performance.now();
  const hit = cacheOf(request).find(request);
  if (!hit) return false;
  response.writeHead(200, hit.headers).end(hit.body);
  tenant.touch();
  recordExchange(tenant, { request, status: 200, headers: hit.headers, responseBody: hit.body, started, cached: true });
  return true;
}

/** Responds when it is unknown whether the caches are current. */
function refuse({ method, url }: IncomingMessage, response: ServerResponse, error: Error, log: Log): void {
  log.error(`${method} ${maskUrl(url ?? '')}: no database: ${error.message}`);
  const body = JSON.stringify(FAILURES.noDatabase);
  response
    .writeHead(503, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1', 'Content-Length': Buffer.byteLength(body) })
    .end(body);
}

/**
 * Removes the folder of a site from the path of a request: a site at `https://example.org/two` is served there, and at the root, for proxies
 * that have removed it.
 */
function withoutFolder(request: IncomingMessage, folder: string): void {
  const { url = '' } = request;
  const rest = url.slice(folder.length);
  if (folder !== '' && url.startsWith(folder) && /^(?:$|[/?])/.test(rest)) request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Handles each request once the caches are as current as the database. */
export function siteListener(options: ListenerOptions): RequestListener {
  const { tenant, timeout, log } = options;
  const late = (): never => {
    throw new Error('It does not respond.');
  };
  const handle = options.app.callback();
  const serve: RequestListener = (request, response) => {
    if (!sendCached(request, response, options)) void handle(request, response);
  };
  const folder = new URL(tenant.site.url).pathname.replace(/\/$/, '');
  return (request, response) => {
    withoutFolder(request, folder);
    const following = tenant.site.current();
    if (!following) return serve(request, response);
    (timeout > 0 ? within(timeout, following, late) : following).then(
      () => serve(request, response),
      (error: Error) => refuse(request, response, error, log),
    );
  };
}
