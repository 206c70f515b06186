import type { IncomingMessage, RequestListener } from 'node:http';
import { readRequestUrl } from '../../control/tenant/match.js';
import { PREFIX, readable } from '../../control/tenant/api/route.js';
import { findRoute, type MountedRoute } from '../../wordpress/rest/table.js';
import { UPLOADS } from './uploads.js';

/** Path of the metrics, as Prometheus expects it. */
const METRICS = '/metrics';

/** Upper bounds of the classes of durations, in seconds: cached responses take less than a millisecond. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const SANDBOX = /^\/__sandbox\/[^/]+/;

/** The route of a request as a label: few values, for all requests. */
export function routeLabel(url: string, table: readonly MountedRoute[]): string {
  const { pathname, restPath } = readRequestUrl(url.replace(SANDBOX, ''));
  if (pathname === PREFIX || pathname.startsWith(`${PREFIX}/`)) return PREFIX;
  if (restPath === null) return pathname.startsWith(UPLOADS) ? UPLOADS : 'page';
  const found = findRoute([...table], restPath);
  return found === null ? 'no route' : readable(found.mounted.route.path);
}

/** A request whose response has been sent. */
export interface Finished {
  method: string;
  /** URL as sent. */
  url: string;
  status: number;
  ms: number;
}

export interface MemoryFigures {
  caches: Record<string, { hits: number; misses: number; bytes: number }>;
  needed: number;
  /** Null if no other server writes to the database. */
  changes: { followed: number; invalidated: number } | null;
}

export interface Metrics {
  count: (finished: Finished) => void;
  /** The function that responds to a request; null if it is for the site. */
  handlerOf: (request: IncomingMessage) => RequestListener | null;
}

/**
 * Collects metrics for Prometheus. Loads the library.
 * @param table the routes of the REST API, once they are known
 * @param memory null: there is none yet
 */
export async function openMetrics(
  table: () => readonly MountedRoute[],
  hasDatabase: () => boolean,
  memory: () => MemoryFigures | null,
): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
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
  const counter = (name: string, help: string, tell: (figures: MemoryFigures) => Record<string, number> | number): void =>
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: ['cache'],
        registers: [],
        collect() {
          this.reset();
          const figures = memory();
          const told = figures ? tell(figures) : {};
          if (typeof told === 'number') this.inc(told);
          else for (const [cache, value] of Object.entries(told)) this.inc({ cache }, value);
        },
      }),
    );
  const byCache = ({ caches }: MemoryFigures, name: 'hits' | 'misses'): Record<string, number> =>
    Object.fromEntries(Object.entries(caches).map(([cache, figures]) => [cache, figures[name]]));
  counter('understudy_memory_hits_total', 'What was found in memory, by cache', (figures) => byCache(figures, 'hits'));
  counter('understudy_memory_misses_total', 'What was not found in memory, by cache', (figures) => byCache(figures, 'misses'));
  counter('understudy_changes_followed_total', 'Changes by other servers that were followed', ({ changes }) => changes?.followed ?? 0);
  counter('understudy_changes_invalidated_total', 'How often all caches were invalidated', ({ changes }) => changes?.invalidated ?? 0);
  registry.registerMetric(
    new Gauge({
      name: 'understudy_memory_needed_bytes',
      help: 'Memory with which lists would not come from the database; 0: it is not known to be too small',
      registers: [],
      collect() {
        this.set(memory()?.needed ?? 0);
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
