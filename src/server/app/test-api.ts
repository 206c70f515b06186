import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Middleware } from 'koa';
import type { ServerOptions } from '../config/index.js';
import type { Log } from '../../base/system/log.js';
import { storedSource } from '../../transfer/load/options.js';
import type { QaHost } from '../../control/qa/host.js';
import { qaRoutes } from '../../control/qa/index.js';
import { Sandboxes } from '../../control/qa/sandboxes/sandboxes.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { datasetFolder, savedFileOf } from './seed.js';
import { findTenant, forControlOnly, isForMain, tenantApi } from '../../control/qa/transport/tenants.js';
import { destinationOf } from '../../control/tenant/transport/serve.js';
import type { SiteUrls } from '../../wordpress/rest/transport/address.js';
import type { DatabaseKind } from '../../database/engine/index.js';
import type { Site } from '../../wordpress/site.js';
import type { Cleanup } from './cleanup.js';
import type { SiteRoutes } from './routes.js';

interface TestApiOptions {
  main: Tenant;
  options: ServerOptions;
  folder: string;
  routes: SiteRoutes;
  engine: () => DatabaseKind;
  log: Log;
  cleanup: Cleanup;
  address: SiteUrls;
  /** The token of the API for commands, which opens the test API as well; null: there is none. */
  commandToken: string | null;
}

/** Adds default headers to requests that do not send them. */
function defaultHeaders(lines: readonly string[]): Middleware[] {
  const parts = lines.map((line) => /^([\w-]+):\s*(.*)$/s.exec(line)?.slice(1) ?? []);
  const headers = parts.map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  const add: Middleware = (ctx, next) => {
    for (const [name, value] of headers) ctx.headers[name] ??= value;
    return next();
  };
  return headers.length === 0 ? [] : [add];
}

export interface TestApi {
  middleware: Middleware[];
  /** Whether a request is for the site of the main tenant. */
  isForMain: (request: IncomingMessage) => boolean;
  /** Ends waiting requests. */
  end: () => void;
}

/** The test API: it controls the main tenant and the sandboxes. */
export async function testApi({
  main,
  options,
  folder,
  routes,
  engine,
  log,
  cleanup,
  address,
  commandToken,
}: TestApiOptions): Promise<TestApi> {
  const { sandboxes: pool, maxSandboxes: max, sandboxIdle: idle, journal: journalSize, qaToken, adminPassword } = options;
  const ownsDatabase = engine() !== 'uri';
  const sandboxes = new Sandboxes({ main, folder: path.join(folder, 'sandboxes'), pool, max, idle, journalSize, ownsDatabase, log });
  cleanup.add(() => sandboxes.close(ownsDatabase && options.ephemeral));
  // The content was loaded just now.
  if (main.dataset !== null) await main.compareUploads();
  const closing = new AbortController();
  const timeout = options.requestTimeout * 1000;
  const host: Omit<QaHost, 'namespaces' | 'table'> = {
    closing: closing.signal,
    timeout,
    engine,
    sandboxes,
    datasetFolder: datasetFolder(options.dataset),
    savedFile: savedFileOf(options.dataset),
    adminPassword,
    create: options.create,
    recordedUrl: (await storedSource(main.site.store)) ?? undefined,
  };
  // Who can read the token for commands can read the content as well.
  const tokens = qaToken === undefined ? [] : [qaToken, ...(commandToken === null ? [] : [commandToken])];
  const { sandboxDomain, allowedHosts } = options;
  const access = { url: main.site.url, sandboxDomain, allowedHosts, tokens: () => tokens };
  sandboxes.replenish();
  const hostOf = ({ site: { registry } }: Tenant): QaHost => ({
    ...host,
    namespaces: routes.namesOf(registry),
    table: routes.tableOf(registry),
  });
  const naming = { access, address, defaultSandbox: options.sandbox };
  return {
    middleware: [
      // Before headers are added, which the operator of the server has chosen.
      forControlOnly({ access, log }),
      ...defaultHeaders(options.headers),
      ...findTenant({ main, sandboxes, ...naming, log }),
      tenantApi((tenant) => qaRoutes(tenant, hostOf(tenant)), { access, log, timeout }),
    ],
    end: () => closing.abort(),
    isForMain: (request) => options.headers.length === 0 && isForMain(request, naming),
  };
}

/** Passes a request to the site of its tenant. */
export function tenantSite(stackOf: (tenant: Tenant, site: Site) => Middleware): Middleware {
  const stacks = new WeakMap<Site, Middleware>();
  return (ctx, next) => {
    const { tenant, site } = destinationOf(ctx);
    const stack = stacks.get(site) ?? stackOf(tenant, site);
    stacks.set(site, stack);
    return stack(ctx, next);
  };
}
