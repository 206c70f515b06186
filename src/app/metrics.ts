import type { IncomingMessage, RequestListener } from 'node:http';
import { readAddress } from '../tenant/match.js';
import { PREFIX, readable } from '../tenant/api/route.js';
import { findRoute, type MountedRoute } from '../rest/table.js';
import { UPLOADS } from './uploads.js';

/** Path of the metrics, as Prometheus expects it. */
const METRICS = '/metrics';

/** Upper bounds of the classes of durations, in seconds: cached responses take less than a millisecond. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const SANDBOX = /^\/__sandbox\/[^/]+/;

/** The route of a request as a label: few values, for all requests. */
export function routeLabel(url: string, table: readonly MountedRoute[]): string {
  const { pathname, restPath } = readAddress(url.replace(SANDBOX, ''));
  if (pathname === PREFIX || pathname.startsWith(`${PREFIX}/`)) return PREFIX;
  if (restPath === null) return pathname.startsWith(UPLOADS) ? UPLOADS : 'page';
  const found = findRoute([...table], restPath);
  return found === null ? 'no route' : readable(found.mounted.route.path);
}

/** What is known of a request when its response has been sent. */
export interface Finished {
  method: string;
  /** As sent. */
  url: string;
  status: number;
  ms: number;
}

export interface Metrics {
  count: (finished: Finished) => void;
  /** The function that responds to a request; null if it is for the site. */
  handlerOf: (request: IncomingMessage) => RequestListener | null;
}

/**
 * Collects metrics for Prometheus. Loads the library.
 * @param table the routes of the REST API, once they are known
 */
export async function openMetrics(table: () => readonly MountedRoute[], hasDatabase: () => boolean): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  // Not the library's own: a process may have several servers.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, until the response was sent',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: 'understudy_database_up',
      help: 'Whether the database responds',
      registers: [],
      collect() {
        this.set(hasDatabase() ? 1 : 0);
      },
    }),
  );
  const answer: RequestListener = (_request, response) =>
    void registry.metrics().then((text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text));
  return {
    count: ({ method, url, status, ms }) => durations.observe({ method, route: routeLabel(url, table()), status }, ms / 1000),
    handlerOf: ({ method, url = '' }) => (method === 'GET' && url.split('?', 1)[0] === METRICS ? answer : null),
  };
}
