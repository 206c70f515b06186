import { releasesText } from '../../wordpress/quirks.js';
import bodyParser from 'koa-bodyparser';
import compress from 'koa-compress';
import conditional from 'koa-conditional-get';
import etag from '@koa/etag';
import { Router } from '@koa/router';
import Koa, { type Context, type DefaultState, type Middleware } from 'koa';
import compose from 'koa-compose';
import { routed } from '../../control/tenant/transport/serve.js';
import type { SiteProxy } from '../proxy/site-proxy.js';
import { routesUnder, type MountedRoute } from '../../wordpress/rest/table.js';
import { proxied, type SiteRoutes } from './routes.js';
import { ResponseCache } from './response-cache.js';
import { urlMover } from '../../transfer/load/links.js';
import { exchangeLinks } from '../../wordpress/rest/transport/address.js';
import { byKoa } from '../../wordpress/rest/transport/http.js';
import { headerLanguage, pagesOf, restApi } from '../../wordpress/rest/transport/transport.js';
import { serveUploads, UPLOADS } from './uploads.js';
import { noDatabase, isOversized } from '../../database/store/errors.js';
import type { Schedule } from '../../wordpress/schedule.js';
import { DiskFull, isDiskFull } from '../../base/system/disk.js';
import { FAILURES } from '../../base/system/failures.js';
import type { Log } from '../../base/system/log.js';
import type { Site } from '../../wordpress/site.js';
import { messageOf, stackOf, asError } from '../../base/values/errors.js';

export interface AppOptions {
  site: Site;
  /** URL of the site in stored texts, if responses must have the URL of `site` instead. */
  storedUrl?: string;
  log: Log;
  routes: SiteRoutes;
  /** Posts scheduled for publication. */
  schedule: Schedule;
  /** Default: a separate cache. */
  cache?: ResponseCache;
  /** Outermost middleware: journal and faults. */
  observe: Middleware;
  /** The proxied site, and the paths that are always forwarded to it. */
  proxy?: { proxy: SiteProxy; paths: readonly string[] } | null;
}

/** PHP: default of `post_max_size`. */
const BODY_LIMIT = '8mb';

/**
 * Receives every body as raw bytes of any content type before the request takes any lock, so that a body that never arrives blocks no other
 * request. The REST transport parses it by PHP's rules.
 */
export function receiveBody(): Middleware {
  const reader = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    // Bytes are kept, since text would copy a large body twice.
    encoding: null,
    textLimit: BODY_LIMIT,
  } as object);
  const receive = async (ctx: Context): Promise<Pick<DefaultState, 'rawBody' | 'bodyError'>> => {
    const { 'content-type': type } = ctx.headers;
    // PHP neither skips bodies with a missing or malformed type nor decompresses them; koa-bodyparser does both.
    ctx.headers['content-type'] = 'application/octet-stream';
    delete ctx.headers['content-encoding'];
    try {
      await reader(ctx, () => Promise.resolve());
      return { rawBody: (ctx.request.rawBody as Buffer | undefined) ?? Buffer.alloc(0) };
    } catch (bodyError) {
      return { bodyError };
    } finally {
      if (type === undefined) delete ctx.headers['content-type'];
      else ctx.headers['content-type'] = type;
    }
  };
  return async (ctx, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = ctx.headers;
    if (encoding !== undefined || (length !== undefined && length !== '0')) Object.assign(ctx.state, await receive(ctx));
    await next();
  };
}

/** Passes on requests whose body has arrived. @throws the error with which it ended */
export const requireBody: Middleware = (ctx, next) => {
  const { bodyError } = ctx.state;
  if (bodyError !== undefined) throw asError(bodyError);
  return next();
};

/** Error codes of connections that the client closed early: not a failure. */
const CLIENT_CLOSED: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

/** Logs errors that occur while a response is being sent. */
const logSendErrors =
  (log: Log) =>
  (error: NodeJS.ErrnoException): void => {
    if (!CLIENT_CLOSED.has(error.code ?? '')) log.error(error.stack ?? String(error));
  };

/** Applies middleware to GET and HEAD only: other responses carry no ETag. */
const forReads =
  (middleware: Middleware): Middleware =>
  (ctx, next) =>
    ctx.method === 'GET' || ctx.method === 'HEAD' ? middleware(ctx, next) : next();

/** Compresses responses if the client accepts it. A client that accepts no encoding at all (`*;q=0`) gets an uncompressed response. */
function compressResponses(): Middleware {
  const compressing = compress();
  return (ctx, next) => {
    if (ctx.headers['accept-encoding'] === undefined) {
      ctx.vary('Accept-Encoding');
      return next();
    }
    if (ctx.acceptsEncodings(compressing.preferredEncodings) === false) ctx.compress = false;
    return compressing(ctx, next);
  };
}

const sendError = (ctx: Context, status: number, body: object): void => {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(body);
};

/** Makes an unexpected error the response, and logs it with its stack. */
function showError(ctx: Context, error: unknown, log: Log): void {
  ctx.set((error as { headers?: Record<string, string> } | null)?.headers ?? {});
  const outage = noDatabase(error);
  if (outage) {
    log.error(`${ctx.method} ${ctx.path}: no database: ${messageOf(error)}`);
    ctx.set('Retry-After', '1');
    return sendError(ctx, 503, outage);
  }
  if (isDiskFull(error) || error instanceof DiskFull) {
    log.error(`${ctx.method} ${ctx.path}: ${messageOf(error)}`);
    return sendError(ctx, 507, error instanceof DiskFull ? error.body : FAILURES.diskFull);
  }
  const status = isOversized(error) ? 413 : (error as { status?: number }).status;
  const expected = typeof status === 'number' && status >= 400 && status < 500;
  if (!expected) log.error(`${ctx.method} ${ctx.path}: ${stackOf(error)}`);
  const refused = { code: 'bad_request', message: messageOf(error), data: { status } };
  sendError(ctx, expected ? status : 500, status === 413 ? FAILURES.tooLarge : expected ? refused : FAILURES.critical);
}

/** Turns unexpected errors into error responses. Keeps the body for the journal, before it is compressed. */
export function handleErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      showError(ctx, error, log);
    }
    const body: unknown = ctx.body;
    if (typeof body === 'string' || Buffer.isBuffer(body)) ctx.state.plainBody = body;
  };
}

/** The longest head of a response, in bytes: Node's clients read 16 KB, with the status line and what the connection adds. */
const HEAD_LIMIT = 15 * 1024;

const isHeadTooLong = ({ headers }: Context['response']): boolean =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + 4 + String(value).length, 0) > HEAD_LIMIT;

/** Leaves out a `Link` that repeats a long address. Headers that are still too long for clients: 414. */
const boundHead: Middleware = async (ctx, next) => {
  await next();
  if (!isHeadTooLong(ctx.response)) return;
  ctx.remove('Link');
  if (!isHeadTooLong(ctx.response)) return;
  for (const name of Object.keys(ctx.response.headers)) ctx.remove(name);
  sendError(ctx, 414, FAILURES.uriTooLong);
};

/** Rejects requests without a path, such as `GET http:// HTTP/1.1`. */
const requirePath: Middleware = (ctx, next) => {
  if (typeof ctx.path !== 'string') ctx.throw(400, 'The request has no path.');
  return next();
};

/** Publishes scheduled posts that are due before the request is handled. */
function publishDue({ schedule, log }: AppOptions): Middleware {
  return (_ctx, next) => {
    const published = schedule.publishDue();
    if (!published) return next();
    const failed = (error: unknown): void => log.error(`Could not publish scheduled posts: ${String(error)}`);
    return published.catch(failed).then(next);
  };
}

/** Warns of REST requests to a namespace that is not mounted, or that the version of the plugin does not have. */
function warnUnmounted({ routes: { namesOf, tableOf }, log, site }: Pick<AppOptions, 'routes' | 'log' | 'site'>): (path: string) => void {
  const [namespaces, table] = [namesOf(site.registry), tableOf(site.registry)];
  const isBelow = (path: string, among: MountedRoute[]): boolean =>
    among.some(({ namespace }) => namespace !== '' && (path === `/${namespace}` || path.startsWith(`/${namespace}/`)));
  const mounted =
    namespaces.length === 0 ? 'The calendar is not a plugin of this site' : `The calendar is mounted under ${namespaces.join(', ')}`;
  return (path) => {
    if (!isBelow(path, table)) log.warn(`No route for ${path}. ${mounted}`);
    else if (!isBelow(path, routesUnder(site.quirks, table)))
      log.warn(`No route for ${path} in these releases: ${releasesText(site.quirks.releases)}`);
  };
}

const ANYWHERE = /^/;

/** WP: the page of a fatal error. */
const FATAL_PAGE = `<!DOCTYPE html>
<html lang="en-US">
<head>
<meta charset="UTF-8">
<title>WordPress &rsaquo; Error</title>
</head>
<body id="error-page">
<div class="wp-die-message"><p>There has been a critical error on this website.</p></div>
</body>
</html>
`;

/** WP: without the time zone of the site, PHP ends every request with a fatal error. */
const requireZone =
  ({ site, log }: Pick<AppOptions, 'site' | 'log'>): Middleware =>
  (ctx, next) => {
    const { timezoneString } = site.options;
    if (timezoneString === '' || site.zones.has(timezoneString)) return next();
    log.error(`${ctx.method} ${ctx.path}: the time zone data (${site.zones.release}) has no ${timezoneString}, the zone of the site`);
    ctx.status = 500;
    ctx.set('Content-Type', 'text/html; charset=UTF-8');
    ctx.set('Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private');
    ctx.body = FATAL_PAGE;
  };

/** Routes a request to uploads, REST or pages. WP: with `rest_route`, any URL is a REST request. */
function siteRouter(options: AppOptions): Router {
  const { routes } = options;
  const { url, registry } = options.site;
  const table = routes.tableOf(registry);
  const { storedUrl = url } = options;
  const site = storedUrl === url ? options.site : options.site.at(url, storedUrl);
  const rest = restApi({ site, table: () => table, onNoRoute: warnUnmounted(options) });
  const exchange = site.storedUrl === url ? [] : [exchangeLinks(urlMover(url, storedUrl), urlMover(storedUrl, url))];
  const pages = pagesOf(site, routes.pagesOf(site));
  return new Router()
    .all(new RegExp(`^${UPLOADS}`), serveUploads(site))
    .all(ANYWHERE, requireZone(options), requireBody, ...exchange, byKoa(rest), byKoa(pages));
}

/** The files of WordPress, which may be in a folder. */
const coreFiles =
  (site: Site): Middleware =>
  (ctx, next) => {
    const folder = site.options.coreFolder;
    if (folder === '') return next();
    if (ctx.path.startsWith(`${folder}/wp-`) || ctx.path === `${folder}/xmlrpc.php`) ctx.path = ctx.path.slice(folder.length);
    else if (ctx.path === '/wp-login.php') return ctx.redirect(`${site.coreUrl}/wp-login.php${ctx.search}`);
    else if (/^\/wp-admin\/?$/.test(ctx.path)) return ctx.redirect(`${site.coreUrl}/wp-admin/`);
    // A page, which is missing, instead of the file.
    else ctx.path = ctx.path.replace(/^(\/(?:wp-[\w-]+|xmlrpc))\.php$/, '$1');
    return next();
  };

/** Middleware that is made again when content with other declarations has replaced the content. */
function byRegistry(site: Site, make: () => Middleware): Middleware {
  let { registry } = site;
  let made = make();
  return (ctx, next) => {
    if (site.registry !== registry) [registry, made] = [site.registry, make()];
    return made(ctx, next);
  };
}

/** The middleware of a site, in the order in which it handles a request. */
export function siteStack(options: AppOptions): Middleware {
  const { site, log, cache = new ResponseCache(site) } = options;
  const { proxy } = options;
  const hasEtags = !site.quirks.has('no-etags');
  const when = (isOn: boolean, ...middleware: Middleware[]): Middleware[] => (isOn ? middleware : []);
  return compose([
    receiveBody(),
    options.observe,
    publishDue(options),
    ...when(hasEtags, forReads(conditional())),
    cache.middleware(headerLanguage(site)),
    ...when(!site.quirks.has('never-compressed'), compressResponses()),
    boundHead,
    handleErrors(log),
    ...when(hasEtags, forReads(etag())),
    requirePath,
    ...(proxy ? [byRegistry(site, () => proxied({ ...proxy, site, table: options.routes.tableOf(site.registry), requireBody }))] : []),
    coreFiles(site),
    byRegistry(site, () => routed(siteRouter(options))),
  ]);
}

/** Creates the Koa app from middleware: first the server's own, then the site's. */
export function createApp(log: Log, ...middleware: Middleware[]): Koa {
  const app = new Koa();
  app.on('error', logSendErrors(log));
  for (const each of middleware) app.use(each);
  return app;
}
