import type { Router } from '@koa/router';
import type { Middleware } from 'koa';

/** A router as middleware. Its types ask for a context on which it has been before. */
export const routed = (router: Router): Middleware => router.routes() as Middleware;

/** Mounts what has an address of the server's own: any other request passes with one comparison. */
export function ownAddresses(router: Router): Middleware {
  const dispatch = routed(router);
  return (ctx, next) => (ctx.url.startsWith('/__') ? dispatch(ctx, next) : next());
}
