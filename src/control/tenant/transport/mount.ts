import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { SiteUrls } from '../../../wordpress/rest/transport/address.js';
import type { Site } from '../../../wordpress/site.js';
import { PREFIX } from '../api/route.js';
import { hasToken } from '../api/security.js';
import type { Tenant } from '../tenant.js';
import { hasRoute, serveApi, type ApiTable } from './serve.js';

/** A router as middleware. Its types require a context that it has already extended. */
export const routed = (router: Router): Middleware => router.routes() as Middleware;

/** Mounts a router for paths that begin with `/__`. Other requests cost only one comparison. */
export function internalPaths(router: Router): Middleware {
  const dispatch = routed(router);
  return (ctx, next) => (ctx.url.startsWith('/__') ? dispatch(ctx, next) : next());
}

/** Mounts an API at the path of the test API. */
export const mounted = (serve: Middleware): Middleware => internalPaths(new Router({ sensitive: true }).all(`${PREFIX}{/*path}`, serve));

/**
 * The routes for commands, which have the token in the data folder. Passes other requests on.
 * @param isOnly whether no other API follows, which may have further routes
 */
export function commandApi(table: ApiTable, isOnly: boolean): Middleware {
  return mounted((ctx, next) => {
    const isCommand = ctx.headers['x-understudy-token'] !== undefined && hasToken(ctx.req, table.access);
    return isCommand && (isOnly || hasRoute(table, ctx.req)) ? serveApi(table, ctx) : next();
  });
}

/** The tenant of a request. */
export interface Destination {
  tenant: Tenant;
  /** Its site, under the requested URL. */
  site: Site;
}

declare module 'koa' {
  interface DefaultState {
    destination: Destination;
  }
}

/** The tenant that an earlier middleware has found for a request. */
export const destinationOf = (ctx: Context): Destination => ctx.state.destination;

/** Passes every request to the main tenant. */
export const openMain =
  (main: Tenant, { urlOf }: SiteUrls): Middleware =>
  (ctx, next) => {
    ctx.state.destination = { tenant: main, site: main.siteAt(urlOf(ctx.req)) };
    return next();
  };
