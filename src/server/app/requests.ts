import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { diskError } from '../../base/system/disk.js';
import { maskUrl } from '../../base/text/secrets.js';
import { requestId, silent, type Log } from '../../base/system/log.js';
import type { ServerOptions } from '../config/index.js';
import { parseQuery } from '../../base/php/query-string.js';
import { methodOf } from '../../wordpress/rest/transport/transport.js';
import type { HealthChecks } from './health.js';
import type { Finished, Metrics } from './metrics.js';

const HEADER = 'X-Request-Id';

/** Ids that may go into a header and a line of the log as they are. */
const SOUND = /^[\w.:+/=@-]{1,128}$/;

/** The id that a client or proxy gave a request, or a new one, which then counts as given. */
function idOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && SOUND.test(given)) return given;
  const id = randomUUID();
  request.headers['x-request-id'] = id;
  request.rawHeaders.push(HEADER, id);
  return id;
}

/** Gives every request an id, for the header `X-Request-Id` and for log lines. */
const withIds =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    const id = idOf(request);
    response.setHeader(HEADER, id);
    requestId.run(id, () => handle(request, response));
  };

type Observer = (finished: Finished) => void;

const logged =
  (write: Log['info']): Observer =>
  ({ method, url: sent, status, ms }) => {
    const url = maskUrl(sent);
    write(`${method} ${url} -> ${status} (${ms.toFixed(1)} ms)`, { method, url, status, ms: Number(ms.toFixed(3)) });
  };

/** Notifies observers of every request when its response has been sent. */
function observed(handle: RequestListener, observers: readonly Observer[]): RequestListener {
  return (request, response) => {
    const started = performance.now();
    const { method = '', url = '' } = request;
    const tell = AsyncResource.bind(() => {
      const finished = { method, url, status: response.statusCode, ms: performance.now() - started };
      for (const observe of observers) observe(finished);
    });
    response.once('close', tell);
    handle(request, response);
  };
}

/** The response to a request that no route sees; null for all others. */
function malformed({ method, url, rawHeaders }: IncomingMessage): RequestListener | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].length === 4 && rawHeaders[i].toLowerCase() === 'host') hosts += 1;
  // RFC 9112, 3.2. Node takes the first, other programs on the way may take the last.
  if (hosts > 1) return (_request, response) => void response.writeHead(400, { Connection: 'close' }).end();
  // RFC 9110, 9.3.7: about the server, not one of its resources.
  if (method === 'OPTIONS' && url === '*') return (_request, response) => void response.writeHead(200, { Allow: ALLOWED }).end();
  return null;
}

const ALLOWED = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may write, by the method that WordPress takes it for. */
function mayWrite({ method = '', url = '', headers }: IncomingMessage): boolean {
  const isPlain = !url.includes('method') && headers['x-http-method-override'] === undefined;
  return !READS.has(isPlain ? method : methodOf({ headers, method }, parseQuery(url.split('?')[1] ?? '')));
}

/** Rejects requests that may write to a full disk, since the database would abort. */
function refusal(request: IncomingMessage, folder: string): RequestListener | null {
  if (!mayWrite(request)) return null;
  const error = diskError(folder, Number(request.headers['content-length'] ?? 0));
  if (!error) return null;
  const body = JSON.stringify(error.body);
  return (_request, response) =>
    void response.writeHead(error.status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
}

interface FrontOptions {
  options: Pick<ServerOptions, 'logFormat' | 'requestIds'>;
  log: Log;
  health: HealthChecks;
  metrics: Metrics | null;
  /** Folder of the database, whose disk must not be full; null if the database is elsewhere. */
  disk: string | null;
}

/**
 * Handles requests before the site does: health, metrics, the log of requests and their ids. Disabled features cost nothing. A JSON log,
 * which programs read, contains requests at level `info`.
 */
export function withHealthAndMetrics(site: RequestListener, { options, log, health, metrics, disk }: FrontOptions): RequestListener {
  const write = options.logFormat === 'json' ? log.info : log.debug;
  const observers = [...(write === silent ? [] : [logged(write)]), ...(metrics ? [metrics.count] : [])];
  const guarded: RequestListener = (request, response) => {
    const own = malformed(request) ?? (disk === null ? null : refusal(request, disk)) ?? site;
    own(request, response);
  };
  const served = observers.length === 0 ? guarded : observed(guarded, observers);
  const handle: RequestListener = (request, response) => {
    const own = health.handlerOf(request) ?? metrics?.handlerOf(request) ?? served;
    own(request, response);
  };
  return options.requestIds || options.logFormat === 'json' ? withIds(handle) : handle;
}
