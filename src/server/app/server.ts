import type { Middleware } from 'koa';
import { followsRequest, type ServerOptions } from '../config/index.js';
import { newerThanRecorded } from '../../wordpress/quirks.js';
import type { Administrator } from '../../transfer/load/administrator.js';
import type { DatabaseKind } from '../../database/engine/types.js';
import type { Log } from '../../base/system/log.js';
import { siteUrls, type SiteUrls } from '../../wordpress/rest/transport/address.js';
import { writeServerFile } from '../../control/tenant/api/server-file.js';
import { commandRoutes } from '../../control/tenant/api/transfer.js';
import { resumeState } from '../../control/tenant/saved-state.js';
import type { SavedState } from '../../transfer/backup/state.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { commandApi, mounted, openMain } from '../../control/tenant/transport/serve.js';
import { observe } from '../../control/tenant/transport/observe.js';
import type { Site } from '../../wordpress/site.js';
import { createApp, siteStack, type AppOptions } from './koa.js';
import { siteListener } from './listener.js';
import { hasTestApi, openMainSite, type Start } from './main-site.js';
import { handleCrashes, watchOthers } from './recovery.js';
import { ResponseCache } from './response-cache.js';
import { siteRoutes, type SiteRoutes } from './routes.js';
import { tenantSite, testApi, type TestApi } from './test-api.js';

/** A running server. */
export interface Server {
  /** URL of the site, without trailing slash. */
  readonly url: string;
  /** URL of the REST root, without trailing slash. */
  readonly restUrl: string;
  readonly namespaces: readonly string[];
  /** URL of the page to control the server and try its API; null if the test API is disabled. */
  readonly explorerUrl: string | null;
  /** Where the server listens, by HTTP: for programs on this machine, which need neither the host name in `url` nor a certificate. */
  readonly localUrl: string;
  /** URLs of the addresses it listens on: for this machine, then for others, if it listens on all addresses. */
  readonly addresses: readonly string[];
  /** File of the certificate (PEM) that clients of an `https:` server have to trust; null for HTTP. */
  readonly certificate: string | null;
  /** @internal */
  readonly site: Site;
  /** Brings faults, stubs, journal and clock to a saved state. @internal */
  resume(state: SavedState): void;
  /** Where the content is: an ephemeral site is in `memory`, until it has to move to an engine. */
  readonly engine: DatabaseKind;
  /** The administrator, if this start created one or gave one a password. */
  readonly administrator: Administrator | null;
  /** Settles when the database is lost and the server has to end (`onDatabaseLoss`). */
  readonly lost: Promise<void>;
  /** Restores the loaded dataset: content, files and clock. */
  reset(): Promise<void>;
  /** Freezes the clock at a time; null: the clock runs in real time. */
  setClock(now: Date | string | number | null): void;
  /** Stops the server. Data on disk is kept, unless the store is ephemeral. */
  close(): Promise<void>;
}

/** The proxied site, if there is one. */
async function proxyOf(options: ServerOptions, log: Log): Promise<AppOptions['proxy']> {
  if (options.proxy === undefined) return null;
  const { openProxy } = await import('../proxy/open.js');
  const proxy = openProxy({ ...options, proxy: options.proxy }, log);
  return { proxy, paths: options.proxyPaths };
}

/** The API for commands, which find its address and token in the folder of the store. There is none without a port. */
function apiForCommands(
  main: Tenant,
  { options, folder, listening, log, cleanup }: Start,
): { middleware: Middleware[]; commandToken: string | null } {
  const { localUrl: url } = listening;
  if (url === null) return { middleware: [], commandToken: null };
  const { token, remove } = writeServerFile(folder, url);
  cleanup.add(remove);
  main.commandToken = token;
  const access = { url, tokens: () => [token] };
  const table = { site: main.site, routes: commandRoutes(main), access, log, timeout: options.requestTimeout * 1000 };
  return { middleware: [commandApi(table, !options.qa)], commandToken: token };
}

const TEST_API_OFF =
  'The test API is off: this server listens beyond this machine or is behind a proxy, and has no token. Turn it on with --qa-token TEXT';

/** Lets a request come from its client, not from a proxy. */
const clientAddress =
  ({ clientOf }: SiteUrls): Middleware =>
  (ctx, next) => {
    ctx.request.ip = clientOf(ctx.req);
    return next();
  };

/** Logs why there is no test API. */
const testApiOff = mounted((ctx) => {
  ctx.status = 404;
  ctx.body = { code: 'understudy_test_api_off', message: `${TEST_API_OFF}.`, data: { status: 404 } };
});

/** Without a test API, every request is for the main tenant. @param isSilent whether this is not logged */
const noTestApi = (main: Tenant, address: SiteUrls, isSilent: boolean): TestApi => ({
  middleware: [...(isSilent ? [] : [testApiOff]), openMain(main, address)],
  isForMain: ({ url = '' }) => !url.startsWith('/__'),
  end: () => undefined,
});

function responseCaches(): (site: Site) => ResponseCache {
  const caches = new WeakMap<Site, ResponseCache>();
  return (site) => {
    const cache = caches.get(site) ?? new ResponseCache(site);
    caches.set(site, cache);
    return cache;
  };
}

/** Builds the middleware of a site, by tenant and URL. */
async function stacks(start: Start, routes: SiteRoutes, cacheOf: (site: Site) => ResponseCache) {
  const { options, log } = start;
  const common = { routes, log, proxy: await proxyOf(options, log) };
  const observing = { isControlled: hasTestApi(options), timeout: options.requestTimeout * 1000 };
  return (tenant: Tenant, site: Site): Middleware =>
    siteStack({
      ...common,
      site,
      cache: cacheOf(site),
      storedUrl: followsRequest(options) ? tenant.site.url : undefined,
      schedule: tenant.schedule,
      observe: observe(tenant, observing),
    });
}

/** Opens the site and serves it. @internal */
export async function serveSite(start: Start): Promise<Server> {
  const { options, folder, listening, health, log, cleanup } = start;
  // Everything that can be done while the database starts.
  const [routes, { tenant: main, place, kind: engine, administrator }] = await Promise.all([
    siteRoutes(options.namespaces),
    openMainSite(start),
  ]);
  const { site } = main;
  const { store, clock, url } = site;
  start.onRoutes(() => routes.tableOf(site.registry));
  start.onMemory(() => ({ ...store.memory.figures, changes: store.changeLog?.figures ?? null }));

  const [hasQa, moves] = [hasTestApi(options), followsRequest(options)];
  const address = siteUrls({ url, followsRequest: moves, proxies: options.trustProxy ? options.trustProxyHops : 0 });
  const cacheOf = responseCaches();
  const stackOf = await stacks(start, routes, cacheOf);
  const { middleware: commands, commandToken } = apiForCommands(main, start);
  const tests = hasQa
    ? await testApi({ main, options, folder, routes, engine, log, cleanup, address, commandToken })
    : noTestApi(main, address, !options.qa);
  const newer = newerThanRecorded(options.wordpress ?? '');
  if (newer !== undefined) log.warn(newer);
  if (options.qa && !hasQa) log.warn(`${TEST_API_OFF}, or leave it off without this warning with --no-qa.`);
  const app = createApp(
    log,
    clientAddress(address),
    ...commands,
    ...tests.middleware,
    hasQa || moves ? tenantSite(stackOf) : stackOf(main, site),
  );
  listening.serve(
    siteListener({
      app,
      tenant: main,
      cacheOf: (request) => cacheOf(main.siteAt(address.urlOf(request))),
      isForMain: tests.isForMain,
      timeout: options.requestTimeout * 1000,
      log,
    }),
  );

  cleanup.add(health.watch(() => store.ping()));
  start.onCrash(handleCrashes(main, place, health, log));
  if (!store.isInFolder) cleanup.add(watchOthers(main, place, log));
  if (options.watch) await (await import('./watch.js')).watchDataset(main, options, log, cleanup);
  // The last step to be added is the first to run: requests finish while there is a database.
  cleanup.add(listening.drain);
  cleanup.add(tests.end);
  return {
    url,
    restUrl: site.restUrl(''),
    namespaces: routes.namesOf(site.registry),
    explorerUrl: hasQa ? `${url}/__qa/ui` : null,
    localUrl: listening.localUrl ?? url,
    addresses: listening.addresses,
    certificate: start.certificate,
    site,
    resume: (state) => resumeState(main, state),
    get engine() {
      return engine();
    },
    lost: start.lost,
    administrator,
    reset: () => main.reset(),
    setClock: (now) => (now === null ? clock.run({ real: true }) : clock.freeze(new Date(now).getTime())),
    close: () => cleanup.run(),
  };
}
