import type { Router } from '@koa/router';
import type { Middleware } from 'koa';

/** A router as middleware. Its types require a context that it has already extended. */
export const routed = (router: Router): Middleware => router.routes() as Middleware;

/** Mounts a router for paths that begin with `/__`. Other requests cost only one comparison. */
export function internalPaths(router: Router): Middleware {
  const dispatch = routed(router);
  return (ctx, next) => (ctx.url.startsWith('/__') ? dispatch(ctx, next) : next());
}
