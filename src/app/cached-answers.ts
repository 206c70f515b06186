import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tenant } from '../qa/tenant.js';
import { recordExchange } from '../qa/transport/observe.js';
import type { ResponseCache } from './response-cache.js';

export interface CachedAnswersOptions {
  cache: ResponseCache;
  tenant: Tenant;
  /** Whether a request is for the tenant, at the URL of its site. */
  isForTenant: (request: IncomingMessage) => boolean;
}

/** With these headers, the response to a GET may be another than the cached one. */
const CONDITIONS = ['if-none-match', 'if-modified-since'] as const;

/**
 * Sends cached responses before any middleware runs. Everything that middleware would do besides is done here, or has to be left to it:
 * then nothing is sent. Faults are, and so are posts that are due and everything else that has to wait.
 * @returns a function that returns whether it has responded
 */
export const cachedAnswers =
  ({ cache, tenant, isForTenant }: CachedAnswersOptions) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers } = request;
    if (tenant.mayInterfere || CONDITIONS.some((name) => headers[name] !== undefined) || !isForTenant(request)) return false;
    const started = performance.now();
    const hit = cache.find(request);
    if (!hit) return false;
    response.writeHead(200, hit.headers).end(hit.body);
    tenant.touch();
    recordExchange(tenant, { request, status: 200, headers: hit.headers, responseBody: hit.body, started, cached: true });
    return true;
  };
