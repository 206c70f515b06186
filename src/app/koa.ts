import bodyParser from 'koa-bodyparser';
import compress from 'koa-compress';
import conditional from 'koa-conditional-get';
import etag from '@koa/etag';
import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import compose from 'koa-compose';
import { calendar } from '../calendar-v1/index.js';
import { keepPlainBody } from '../qa/transport/observe.js';
import { routed } from '../qa/transport/router.js';
import { mountRoutes, type MountedRoute } from '../rest/table.js';
import { withIndexes } from '../rest/discovery.js';
import { reuseAnswers } from './reuse.js';
import { servePages } from '../pages/index.js';
import { headerLanguage, pageTransport, restTransport } from '../rest/transport/transport.js';
import { serveUploads, UPLOADS } from './uploads.js';
import { tecV1 } from '../tec-v1/index.js';
import { wpV2 } from '../wp-v2/index.js';
import { isOversized } from '../store/errors.js';
import type { Schedule } from '../wp/schedule.js';
import { silent, type Log } from '../log.js';
import type { Site } from '../wp/site.js';

export interface AppOptions {
  site: Site;
  /** Names under which the calendar is mounted. */
  namespaces: readonly string[];
  log: Log;
  /** The table of routes, when it is at hand (`routeTable`). */
  table?: MountedRoute[];
  /** What is to be published when its time comes. */
  schedule: Schedule;
  /** What stands around every request. */
  observe: Middleware;
}

/** PHP: `post_max_size`, unless it is set to something else. */
const BODY_LIMIT = '8mb';

/** The table of all routes: indexes included, which are read from it. */
export function routeTable(namespaces: readonly string[]): MountedRoute[] {
  const table: MountedRoute[] = mountRoutes(withIndexes([...namespaces.map(calendar), tecV1(), wpV2()], () => table));
  return table;
}

/** Bodies as bytes, whatever their type says; what they mean is decided where PHP's rules are known. */
export function readBody(): Middleware[] {
  const reader = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    encoding: 'latin1',
    textLimit: BODY_LIMIT,
  } as bodyParser.Options);
  return [
    async (ctx, next) => {
      const { 'content-type': type } = ctx.headers;
      // The reader passes over bodies whose type is missing or malformed, and unpacks those that are said to be packed; PHP does neither.
      ctx.headers['content-type'] = 'application/octet-stream';
      delete ctx.headers['content-encoding'];
      await reader(ctx, async () => {
        if (type === undefined) delete ctx.headers['content-type'];
        else ctx.headers['content-type'] = type;
        ctx.state.rawBody = Buffer.from((ctx.request.rawBody as string | undefined) ?? '', 'latin1');
        await next();
      });
    },
  ];
}

/** How a connection ends whose reader did not wait for the whole answer, which is no failure. */
const GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** What goes wrong while an answer is on its way. */
const tellFailures =
  (log: Log) =>
  (error: NodeJS.ErrnoException): void => {
    if (!GONE.has(error.code ?? '')) log.error(error.stack ?? String(error));
  };

/** Answers to reads alone have something to be recognised by. */
const forReads =
  (middleware: Middleware): Middleware =>
  (ctx, next) =>
    ctx.method === 'GET' || ctx.method === 'HEAD' ? middleware(ctx, next) : next();

const TOO_LARGE = { code: 'rest_request_too_large', message: 'The request body is too large.', data: { status: 413 } };
const CRITICAL = {
  code: 'internal_server_error',
  message: '<p>There has been a critical error on this website.</p>',
  data: { status: 500 },
};

/** Packs answers for those who take them packed. Who takes nothing at all, not even plain answers (`*;q=0`), gets them plain. */
function compressAnswers(): Middleware {
  const compressing = compress();
  return (ctx, next) => {
    if (ctx.acceptsEncodings(compressing.preferredEncodings) === false) ctx.compress = false;
    return compressing(ctx, next);
  };
}

/** An error that no rule expects: a short answer for the caller, the whole story for the log. */
export function answerFailures(log: Log): Middleware {
  return async (ctx: Context, next) => {
    try {
      await next();
    } catch (error) {
      const status = isOversized(error) ? 413 : (error as { status?: number }).status;
      const expected = typeof status === 'number' && status >= 400 && status < 500;
      if (!expected) log.error(`${ctx.method} ${ctx.path}: ${(error as Error).stack ?? String(error)}`);
      ctx.status = expected ? status : 500;
      ctx.body =
        status === 413 ? TOO_LARGE : expected ? { code: 'bad_request', message: (error as Error).message, data: { status } } : CRITICAL;
    }
  };
}

/** A request line such as `GET http:// HTTP/1.1` names no path at all. */
const refusePathless: Middleware = (ctx, next) => {
  if (typeof ctx.path !== 'string') ctx.throw(400, 'The request names no path.');
  return next();
};

function logRequests(log: Log): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    log.debug(`${ctx.method} ${ctx.url} -> ${ctx.status} (${(performance.now() - started).toFixed(1)} ms)`);
  };
}

/** Nobody sees a calendar in which something is still to be published that was due. */
function publishDue({ schedule, log }: AppOptions): Middleware {
  return (_ctx, next) => {
    const published = schedule.publishDue();
    if (!published) return next();
    const failed = (error: unknown): void => log.error(`What is scheduled could not be published: ${String(error)}`);
    return published.catch(failed).then(next);
  };
}

function noRouteAdvice({ namespaces, log }: AppOptions, table: MountedRoute[]): (path: string) => void {
  const mounted = [...new Set(table.map(({ namespace }) => namespace))].filter((name) => name !== '');
  return (path) => {
    const isMounted = mounted.some((name) => path === `/${name}` || path.startsWith(`/${name}/`));
    if (!isMounted) log.warn(`No route for ${path}: the calendar is mounted as ${namespaces.join(', ')}`);
  };
}

const ANYWHERE = /^/;

/** The surfaces of a site. WP: in `rest_route` a REST request may come to any address; what is none is for a page. */
function surfaces(options: AppOptions, table: MountedRoute[]): Router {
  const { site } = options;
  const router = new Router();
  router.all(new RegExp(`^${UPLOADS}`), serveUploads(site));
  router.all(ANYWHERE, ...readBody(), restTransport({ site, table: () => table, onNoRoute: noRouteAdvice(options, table) }));
  router.all(ANYWHERE, pageTransport(site, servePages(site)));
  return router;
}

/** What answers for a site: middleware in the order in which a request meets it. */
export function siteStack(options: AppOptions): Middleware {
  const { site, log } = options;
  const hasEtags = !site.quirks.has('no-etags');
  const when = (isOn: boolean, ...middleware: Middleware[]): Middleware[] => (isOn ? middleware : []);
  return compose([
    ...when(log.debug !== silent, logRequests(log)),
    options.observe,
    publishDue(options),
    ...when(hasEtags, forReads(conditional())),
    ...when(!site.store.shared, reuseAnswers(site, headerLanguage(site))),
    ...when(!site.quirks.has('never-compressed'), compressAnswers()),
    keepPlainBody,
    answerFailures(log),
    ...when(hasEtags, forReads(etag())),
    refusePathless,
    routed(surfaces(options, options.table ?? routeTable(options.namespaces))),
  ]);
}

/** The server: the middleware of its own surfaces, then that of a site. */
export function createApp(log: Log, ...middleware: Middleware[]): Koa {
  const app = new Koa();
  app.on('error', tellFailures(log));
  for (const each of middleware) app.use(each);
  return app;
}
