import type { Namespace } from '../../wordpress/rest/route.js';
import { PLUGINS } from '../../plugins/index.js';
import type { PluginResponses } from '../../plugins/plugin.js';
import { oembed } from '../../wordpress/feeds/oembed.js';
import { servePages } from '../../wordpress/pages/index.js';
import { batchRoute } from '../../wordpress/rest/batch.js';
import { withIndexes } from '../../wordpress/rest/discovery.js';
import { stubNamespaces } from '../../wordpress/rest/stub-routes.js';
import { mountRoutes, findRoute, type MountedRoute } from '../../wordpress/rest/table.js';
import type { PageRequest, PageResponse } from '../../wordpress/rest/request.js';
import type { Site } from '../../wordpress/site.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import type { PagePlugin } from '../../wordpress/views/reading.js';
import { abilities } from '../../wordpress/wp-v2/abilities/ability-handlers.js';
import { blockEditor } from '../../wordpress/wp-v2/declared/namespaces.js';
import { wpV2 } from '../../wordpress/wp-v2/index.js';
import { siteHealth } from '../../wordpress/wp-v2/administration/site-health.js';
import type { Context, Middleware } from 'koa';
import { glob } from '../../base/text/glob.js';
import { parseQuery } from '../../base/php/query-string.js';
import { isText, ProxyError, type ProxiedRequest } from '../proxy/request.js';
import type { Proxied, SiteProxy } from '../proxy/site-proxy.js';
import { corsHeaders, findRestPath, methodOf } from '../../wordpress/rest/transport/transport.js';

/** How sites respond, by their registry. */
export interface SiteRoutes {
  /** The names under which the main namespaces of its plugins are mounted. */
  namesOf: (registry: Registry) => readonly string[];
  /** The table of all routes, including the index routes, which list the table itself. */
  tableOf: (registry: Registry) => MountedRoute[];
  pagesOf: (site: Site) => (request: PageRequest) => Promise<PageResponse>;
}

/** Joins namespaces of the same name: a plugin may add routes to another one's. */
function joined(namespaces: readonly Namespace[]): Namespace[] {
  const byName = new Map<string, Namespace>();
  for (const each of namespaces) {
    const known = byName.get(each.name);
    byName.set(each.name, known ? { ...known, routes: [...known.routes, ...each.routes] } : each);
  }
  return [...byName.values()];
}

/**
 * Loads how all plugins respond. The routes of a registry are built once, before its first site responds.
 * @param more names under which the calendar is mounted, besides the ones under which it always is
 */
export async function siteRoutes(more: readonly string[]): Promise<SiteRoutes> {
  const loaded = await Promise.all(PLUGINS.map(async (plugin) => ({ plugin, responses: await plugin.loadResponses() })));
  const pluginsOf = ({ plugins }: Registry): typeof loaded => loaded.filter(({ plugin }) => plugins.includes(plugin.name));
  const responsesOf = (registry: Registry): PluginResponses[] => pluginsOf(registry).map(({ responses }) => responses);
  const namesOf = onceFor((registry): readonly string[] => {
    const names = pluginsOf(registry).flatMap(({ plugin }) => plugin.namespaces);
    return names.length === 0 ? [] : [...new Set([...names, ...more])];
  });
  const addedPages = onceFor((registry): readonly PagePlugin[] => responsesOf(registry).flatMap(({ pages }) => (pages ? [pages] : [])));
  const tableOf = onceFor((registry) => {
    const ofPlugins = responsesOf(registry).flatMap(({ namespaces }) => namespaces(namesOf(registry), registry));
    const [first, ...others] = [
      ...[oembed(addedPages(registry)), ...joined(ofPlugins), wpV2(registry), siteHealth(), blockEditor(), abilities()],
    ];
    const ofStubs = stubNamespaces(
      registry.declarations,
      [first, ...others].map(({ name }) => name),
    );
    const [root, ...indexed] = withIndexes([first, ...ofStubs, ...others], () => table);
    const table: MountedRoute[] = mountRoutes([root, { name: '', routes: [batchRoute(() => table)] }, ...indexed]);
    return table;
  });
  return { namesOf, tableOf, pagesOf: (site) => servePages(site, addedPages(site.registry)) };
}

interface ProxyMiddlewareOptions {
  proxy: SiteProxy;
  site: Site;
  table: MountedRoute[];
  /** Paths that the proxied site serves even if this server has them. */
  paths: readonly string[];
  /** Rejects requests whose body could not be received. */
  requireBody: Middleware;
}

const queryOf = (ctx: Context) => parseQuery(ctx.querystring);

const requestOf = (ctx: Context, { url }: Site): ProxiedRequest => ({
  method: methodOf(ctx, queryOf(ctx)),
  path: ctx.path.startsWith('/') ? ctx.path : `/${ctx.path}`,
  query: ctx.querystring,
  headers: ctx.headers,
  body: ctx.state.rawBody ?? Buffer.alloc(0),
  ownUrl: url,
});

/** Allows other origins to read the same responses as on this server. WP: the REST API only. */
const originHeaders = (ctx: Context): Record<string, string> =>
  findRestPath(ctx.path, queryOf(ctx)) === null ? {} : corsHeaders(ctx, true);

const OF_THIS_SERVER = /^access-control-allow-(?:origin|credentials|methods)$/;

/** Removes the response that this server would have sent. */
function clear(ctx: Context, before: ReadonlySet<string>): void {
  for (const name of ctx.res.getHeaderNames()) if (!before.has(name)) ctx.remove(name);
  ctx.state.cacheable = false;
}

function send(ctx: Context, { status, headers, body, source }: Proxied): void {
  const own = originHeaders(ctx);
  ctx.status = status;
  ctx.body = ctx.method === 'HEAD' ? '' : body;
  const { vary, ...others } = headers;
  ctx.set(Object.fromEntries(Object.entries(others).filter(([name]) => !OF_THIS_SERVER.test(name))));
  ctx.set(own);
  if (vary !== undefined) ctx.vary(vary.split(',').map((name) => name.trim()));
  ctx.set('X-Understudy-Proxy', source);
  ctx.state.proxied = source;
  ctx.state.isBinary = !isText(headers['content-type'] ?? '');
  if (status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.fresh) {
    ctx.status = 304;
    ctx.body = null;
  }
}

function fail(ctx: Context, { status, code, message }: ProxyError): void {
  ctx.status = status;
  ctx.set(originHeaders(ctx));
  ctx.body = JSON.stringify({ code, message, data: { status } });
  ctx.type = 'application/json; charset=UTF-8';
}

async function forward(ctx: Context, { proxy, site }: ProxyMiddlewareOptions): Promise<void> {
  ctx.set('Date', new Date(site.clock.now()).toUTCString());
  try {
    send(ctx, await proxy.respond(requestOf(ctx, site)));
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    fail(ctx, error);
  }
}

/** WP: the REST API responds to these itself, for every route. */
const isPreflight = (ctx: Context): boolean => ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';

/**
 * Whether a request is for a route that this server does not have, or only lists. Known before the caller is identified: credentials and nonces of the
 * site are not the ids of this server.
 */
function isForeignRoute(restPath: string | null, method: string, { site, table }: ProxyMiddlewareOptions): boolean {
  if (restPath === null) return false;
  const found = findRoute(table, restPath, site.quirks);
  return found === null || found.mounted.route.endpoints.find(({ methods }) => methods.some((each) => each === method))?.isBuilt === false;
}

/** Nonces in pages of the proxied site are invalid here, and would reject the request. Nonces of this server come with a session. */
function dropForeignNonce({ headers }: Context): void {
  if (!/\bwordpress_logged_in_/.test(headers.cookie ?? '')) delete headers['x-wp-nonce'];
}

/** Passes requests to the proxied site: those for the given paths, and those for which this server has neither route nor page nor file. */
export function proxied(options: ProxyMiddlewareOptions): Middleware {
  const always = options.paths.map(glob);
  return async (ctx, next) => {
    const restPath = findRestPath(ctx.path, queryOf(ctx));
    if (restPath !== null && isPreflight(ctx)) return next();
    dropForeignNonce(ctx);
    const before = new Set(ctx.res.getHeaderNames());
    const paths = restPath === null ? [ctx.path] : [ctx.path, `/wp-json${restPath}`];
    // Sign-in and administration are not forwarded unless the site may be changed.
    const isTaken = always.some((each) => paths.some(each.test)) && options.proxy.forwards(requestOf(ctx, options.site));
    const isForSite = isTaken || isForeignRoute(restPath, ctx.method, options);
    if (isForSite) await options.requireBody(ctx, () => Promise.resolve());
    else await next();
    if (!isForSite && ctx.state.isMissing !== true) return;
    clear(ctx, before);
    await forward(ctx, options);
  };
}
