import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Tenant } from '../tenant/tenant.js';
import { recordExchange, type Observe } from '../tenant/transport/observe.js';
import type { MountedRoute } from '../rest/table.js';
import { serveRest } from '../rest/transport/transport.js';
import { compressResponses, showError, transportOf, type AppOptions } from './koa.js';
import { LightContext } from './light-context.js';
import type { ResponseCache } from './response-cache.js';

export interface DirectReadsOptions {
  app: Koa;
  tenant: Tenant;
  cache: ResponseCache;
  /** Whether a request is for the tenant, at the URL of its site. */
  isForTenant: (request: IncomingMessage) => boolean;
  /** What its middleware is made of. */
  stack: Pick<AppOptions, 'site' | 'namespaces' | 'log' | 'proxy'> & { table: MountedRoute[] };
  observe: Observe;
}

/** With these headers, the response to a GET may be another than the cached one. */
const CONDITIONS = ['if-none-match', 'if-modified-since'] as const;

/** As `@koa/etag` makes it. */
const tagOf = (body: string | Buffer): string => `"${Buffer.byteLength(body).toString(16)}-${hash('sha1', body, 'base64').slice(0, 27)}"`;

/** The REST API with what the middleware of a site does around it. It leaves out what anonymous GET requests do not need. */
function readStack({ stack, cache, observe }: DirectReadsOptions): (ctx: LightContext, key: string) => Promise<void> {
  const { site, log, table } = stack;
  const serve = serveRest(transportOf(stack, table));
  const hasEtags = !site.quirks.has('no-etags');
  const compress = site.quirks.has('never-compressed') ? null : compressResponses();
  const respond = async (ctx: LightContext): Promise<void> => {
    try {
      await serve(ctx);
      if (hasEtags && ctx.status >= 200 && ctx.status < 300 && ctx.body) ctx.set('ETag', tagOf(ctx.body as string | Buffer));
    } catch (error) {
      showError(ctx, error, log);
    }
    ctx.state.plainBody = ctx.body;
  };
  return (ctx, key) => observe(ctx, () => cache.serve(ctx, key, () => (compress ? compress(ctx, () => respond(ctx)) : respond(ctx))));
}

/**
 * Responds to anonymous GET requests, from the cache or by the REST API, before any middleware runs. Everything that middleware would do
 * besides is done here, or has to be left to it. Faults are, and so are posts that are due and everything else that has to wait.
 * @returns a function that returns whether it responds
 */
export function directReads(options: DirectReadsOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { app, tenant, cache, isForTenant, stack } = options;
  const read = readStack(options);
  return (request, response) => {
    const { headers, url } = request;
    if (tenant.mayInterfere || CONDITIONS.some((name) => headers[name] !== undefined) || !isForTenant(request)) return false;
    const started = performance.now();
    const key = cache.keyOf(request);
    if (key === null) return false;
    const hit = cache.find(key);
    if (hit) {
      response.writeHead(200, hit.headers).end(hit.body);
      tenant.touch();
      recordExchange(tenant, { request, status: 200, headers: hit.headers, responseBody: hit.body, started, cached: true });
      return true;
    }
    if (stack.proxy || !url?.startsWith('/wp-json/')) return false;
    const ctx = new LightContext(app, request, response);
    const failed = (error: Error): void => void app.emit('error', error);
    read(ctx, key)
      .then(() => ctx.send(failed))
      .catch((error: Error) => {
        failed(error);
        response.destroy();
      });
    return true;
  };
}
