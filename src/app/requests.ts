import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { requestId, silent, type Log } from '../log.js';
import type { ServerOptions } from '../config/index.js';
import type { Health } from './health.js';
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

/** Gives every request an id: its response has it in `X-Request-Id`, and what is logged meanwhile names it. */
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
  ({ method, url, status, ms }) =>
    write(`${method} ${url} -> ${status} (${ms.toFixed(1)} ms)`, { method, url, status, ms: Number(ms.toFixed(3)) });

/** Tells observers of every request when its response has been sent. */
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

export interface FrontOptions {
  options: Pick<ServerOptions, 'logFormat' | 'requestIds'>;
  log: Log;
  health: Health;
  metrics: Metrics | null;
}

/**
 * What stands before the site: health, metrics, the log of requests and their ids. What is not switched on costs nothing. Programs read
 * JSON, so there the log of requests is not for debugging only.
 */
export function inFrontOf(site: RequestListener, { options, log, health, metrics }: FrontOptions): RequestListener {
  const write = options.logFormat === 'json' ? log.info : log.debug;
  const observers = [...(write === silent ? [] : [logged(write)]), ...(metrics ? [metrics.count] : [])];
  const served = observers.length === 0 ? site : observed(site, observers);
  const handle: RequestListener = (request, response) => {
    const own = health.handlerOf(request) ?? metrics?.handlerOf(request) ?? served;
    own(request, response);
  };
  return options.requestIds || options.logFormat === 'json' ? withIds(handle) : handle;
}
