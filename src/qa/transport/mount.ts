import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { PREFIX, type QaRoute } from '../route.js';
import { hasToken, type Access } from '../security.js';
import { serveQa, type QaTable } from './serve.js';
import { ownAddresses } from './router.js';
import { destinationOf } from './tenants.js';
import type { Log } from '../../log.js';
import type { Tenant } from '../tenant.js';

/** Mounts a table of the test surface. */
const mounted = (serve: Middleware): Middleware => ownAddresses(new Router({ sensitive: true }).all(`${PREFIX}{/*path}`, serve));

/** The test surface of the tenant that a request is for. */
export function tenantSurface(routesOf: (tenant: Tenant) => QaRoute[], access: Access, log: Log): Middleware {
  const tables = new WeakMap<Tenant, QaTable>();
  return mounted((ctx) => {
    const { tenant } = destinationOf(ctx);
    const table = tables.get(tenant) ?? { site: tenant.site, routes: routesOf(tenant), access, log };
    tables.set(tenant, table);
    tenant.touch();
    return serveQa(table, ctx);
  });
}

/** What the commands of this machine ask for, with the token that they find in the data folder; other requests are handed on. */
export function commandSurface(table: QaTable): Middleware {
  return mounted((ctx, next) => {
    const isCommand = ctx.headers['x-understudy-token'] !== undefined && hasToken(ctx.req, table.access);
    return isCommand ? serveQa(table, ctx) : next();
  });
}
