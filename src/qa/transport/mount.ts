import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { hasToken } from '../security.js';
import { PREFIX, type QaRoute } from '../route.js';
import { serveQa, type QaTable } from './serve.js';
import { internalPaths } from './router.js';
import { destinationOf } from './tenants.js';
import type { Tenant } from '../tenant.js';

/** Mounts the test API. */
const mounted = (serve: Middleware): Middleware => internalPaths(new Router({ sensitive: true }).all(`${PREFIX}{/*path}`, serve));

/** The test API of the tenant of a request. */
export function tenantApi(routesOf: (tenant: Tenant) => QaRoute[], { access, log, timeout }: Omit<QaTable, 'site' | 'routes'>): Middleware {
  const tables = new WeakMap<Tenant, QaTable>();
  return mounted((ctx) => {
    const { tenant, site } = destinationOf(ctx);
    const table = tables.get(tenant) ?? { site, routes: routesOf(tenant), access, log, timeout };
    tables.set(tenant, table);
    tenant.touch();
    return serveQa({ ...table, site }, ctx);
  });
}

/** The routes for commands, which have the token in the data folder. Passes other requests on. */
export function commandApi(table: QaTable): Middleware {
  return mounted((ctx, next) => {
    const isCommand = ctx.headers['x-understudy-token'] !== undefined && hasToken(ctx.req, table.access);
    return isCommand ? serveQa(table, ctx) : next();
  });
}
