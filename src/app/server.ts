import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { fixedUrl, followsRequest, type ServerOptions } from '../config/index.js';
import type { Administrator } from '../content/load/administrator.js';
import { recoverCrash, recoverWork } from '../content/load/commit.js';
import { placeIn, type SitePlace } from '../content/load/files.js';
import type { Log } from '../log.js';
import { readZones } from '../php/timezone.js';
import { isLoopback } from '../tenant/api/security.js';
import { writeServerFile } from '../tenant/api/server-file.js';
import { startClock, Tenant } from '../tenant/tenant.js';
import { commandRoutes } from '../tenant/api/transfer.js';
import { observe, observePlain } from '../tenant/transport/observe.js';
import { commandApi, openMain } from '../tenant/transport/mount.js';
import { addressOf } from '../rest/transport/address.js';
import type { Engine } from '../engine/index.js';
import { Memory } from '../memory/index.js';
import { NO_DATABASE } from '../store/errors.js';
import { LEASE_MS } from '../store/work-log.js';
import type { MountedRoute } from '../rest/table.js';
import { checkConsistency } from '../wp/check.js';
import type { Site } from '../wp/site.js';
import type { Store } from '../wp/store.js';
import type { Cleanup } from './cleanup.js';
import { directReads } from './direct-reads.js';
import { fill, readDataset } from './fill.js';
import type { Health } from './health.js';
import { createApp, routeTable, siteStack, type AppOptions } from './koa.js';
import type { Listening } from './listen.js';
import { makeSite, openStore, type Starting } from './open.js';
import { ResponseCache } from './response-cache.js';
import { readScenarios, startScenario } from './scenarios.js';
import { tenantSite, testSurface } from './test-surface.js';

/** Namespaces that are always mounted: the documented one, and that of the plugin. */
export const NAMESPACES = ['calendar/events/v1', 'tribe/events/v1'];

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
  /** File of the certificate (PEM) that clients of an `https:` server have to trust; null for HTTP. */
  readonly certificate: string | null;
  readonly site: Site;
  /** Which database engine is in use. */
  readonly engine: Engine['kind'];
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

/** What is done when the database crashes, and when it is back. */
export interface CrashHandling {
  begin: () => void;
  end: () => void;
}

/** What a server is started with: all that does not need the modules of the server. */
export interface Start extends Required<Starting> {
  options: ServerOptions;
  /** The data folder. */
  folder: string;
  /** Whether there was none. */
  isNew: boolean;
  listening: Listening;
  /** File of the certificate; null: HTTP. */
  certificate: string | null;
  /** Settles when the database is lost and the server has to end. */
  lost: Promise<void>;
  health: Health;
  /** Called with the routes as soon as they are known. */
  onRoutes: (table: MountedRoute[]) => void;
  /** Takes what is to be done when the database crashes. */
  onCrash: (handling: CrashHandling) => void;
  log: Log;
  cleanup: Cleanup;
}

type Recovery = (store: Store, place: SitePlace) => Promise<string[]>;

/** How often, and how far apart, recovery is tried: requests that wait for the database may hold it up. */
const ATTEMPTS = 6;
const NEXT_ATTEMPT_MS = 2_000;

/** Finishes what a crash of the database, or of another server, interrupted, while nobody writes. */
async function recover({ gate, site }: Tenant, place: SitePlace, log: Log, recovery: Recovery): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await gate.exclusive(async () => {
        for (const line of await recovery(site.store, place)) log.warn(line);
        for (const line of await checkConsistency(site.store, site.uploads)) log.warn(line);
        // Whether the writes that it cut short have happened is not known.
        site.store.collectionsReplaced();
        await site.reload();
      });
      return;
    } catch (error) {
      log.warn(`The content could not be checked after the crash: ${(error as Error).message}`);
      await sleep(NEXT_ATTEMPT_MS, null, { ref: false });
    }
  }
}

/** The proxied site, if there is one. */
async function proxyOf(options: ServerOptions, log: Log): Promise<AppOptions['proxy']> {
  if (options.proxy === undefined) return null;
  const { openProxy } = await import('../proxy/open.js');
  const proxy = openProxy({ ...options, proxy: options.proxy }, log);
  return { proxy, paths: options.proxyPaths };
}

/** Finishes what other servers that share the database leave when they crash. @returns what ends this */
export function watchOthers(main: Tenant, place: SitePlace, log: Log, every = LEASE_MS): () => void {
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      if ((await main.site.store.workLog.interrupted()).length > 0) await recover(main, place, log, recoverWork);
    } catch {
      // Without a database there is nothing to do yet.
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void look(), every).unref();
  return () => clearInterval(timer);
}

/** Responds where it is not known whether what is kept is current. */
function refuse({ method, url }: IncomingMessage, response: ServerResponse, error: Error, log: Log): void {
  log.error(`${method} ${url}: no database: ${error.message}`);
  const body = JSON.stringify(NO_DATABASE);
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': '1',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Opens the site and serves it. */
export async function serveSite(start: Start): Promise<Server> {
  const { options, folder, listening, health, log, cleanup } = start;
  // All that can be done while the database starts.
  const namespaces = [...new Set([...NAMESPACES, ...options.namespaces])];
  const table = routeTable(namespaces);
  start.onRoutes(table);
  const scenarios = readScenarios(options);
  const reading = start.isNew ? readDataset(options) : null;
  readZones();
  const { store, engine } = await openStore(start, cleanup, new Memory(options.cacheMemory));

  const url = (fixedUrl(options) ?? listening.url).replace(/\/+$/, '');
  const moves = followsRequest(options);
  const address = addressOf({ url, followsRequest: moves, trustsProxy: options.trustProxy });
  const place = placeIn(folder);
  const site = makeSite(options, store, url, place.uploads, log);
  const { clock } = site;
  const filled = await fill({ site, options, place, log, reading });
  startClock(clock, filled.clock);
  await site.reload();
  store.warm();

  const timeout = options.requestTimeout * 1000;
  const hasQa = options.qa && (isLoopback(options.host) || options.qaToken !== undefined);
  const pristine = { store, files: place.pristine, clock: filled.clock, reopen: filled.reopen, dataset: filled.dataset };
  const main = new Tenant('', site, folder, pristine, hasQa ? options.journal : 0, scenarios);
  for (const name of hasQa ? options.scenario : []) startScenario(main, name);
  for (const url of options.webhooks) main.webhooks.add({ url, secret: options.webhookSecret, keep: true });
  cleanup.add(() => main.webhooks.close());
  const cacheOf = (of: Site): ResponseCache => new ResponseCache(of);
  const cache = cacheOf(site);
  const proxy = await proxyOf(options, log);
  const common = { namespaces, table, log, proxy };
  const observing = { isControlled: hasQa, timeout };
  const stackOf = (tenant: Tenant, at: Site): Middleware =>
    siteStack({
      ...common,
      site: at,
      cache: at === site ? cache : cacheOf(at),
      storedUrl: moves ? tenant.site.url : undefined,
      schedule: tenant.schedule,
      observe: observe(tenant, observing),
    });
  const { localUrl } = listening;
  const note = options.ephemeral || localUrl === null ? null : writeServerFile(folder, localUrl);
  if (note) cleanup.add(() => note.remove());
  const commandAccess = note && { url: localUrl ?? url, address, tokens: () => [note.token] };
  const surface = hasQa
    ? await testSurface({ main, options, folder, namespaces, table, engine, log, cleanup, address })
    : { middleware: [openMain(main, address)], isForMain: ({ url = '' }: IncomingMessage) => !url.startsWith('/__'), end: () => undefined };
  const app = createApp(
    log,
    ...(commandAccess ? [commandApi({ site, routes: commandRoutes(main), access: commandAccess, log, timeout })] : []),
    ...surface.middleware,
    hasQa || moves ? tenantSite(stackOf) : stackOf(main, site),
  );
  app.proxy = options.trustProxy;
  const handle = app.callback();
  const reads = { app, tenant: main, isForTenant: surface.isForMain, stack: { ...common, site }, observe: observePlain(main, observing) };
  const isRead = !moves ? directReads({ ...reads, cache }) : () => false;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isRead(request, response)) void handle(request, response);
  };
  listening.serve((request, response) => {
    const following = site.current();
    if (!following) return serve(request, response);
    following.then(
      () => serve(request, response),
      (error: Error) => refuse(request, response, error, log),
    );
  });
  const endWatch = health.watch(() => store.ping());
  cleanup.add(() => Promise.resolve(endWatch()));
  start.onCrash({
    begin: () => {
      store.crashes += 1;
      health.databaseStopped();
    },
    end: () => {
      const { crashes } = store;
      void recover(main, place, log, recoverCrash).then(() => {
        if (store.crashes === crashes) health.databaseStarted();
      });
    },
  });
  if (!store.isInFolder) {
    const end = watchOthers(main, place, log);
    cleanup.add(() => Promise.resolve(end()));
  }
  if (options.watch) await (await import('./watch.js')).watchDataset(main, options, log, cleanup);
  // The last step to be added is the first to run: requests finish while there is a database.
  cleanup.add(listening.drain);
  cleanup.add(() => Promise.resolve(surface.end()));
  return {
    url,
    restUrl: site.restUrl(''),
    namespaces,
    explorerUrl: hasQa ? `${url}/__qa/ui` : null,
    localUrl: localUrl ?? url,
    certificate: start.certificate,
    site,
    engine: engine.kind,
    lost: start.lost,
    administrator: filled.administrator,
    reset: () => main.reset(),
    setClock: (now) => (now === null ? clock.run({ real: true }) : clock.freeze(new Date(now).getTime())),
    close: () => cleanup.run(),
  };
}
