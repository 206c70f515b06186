import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import type { Middleware } from 'koa';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Cleanup } from './cleanup.js';
import { createApp, routeTable, siteStack } from './koa.js';
import { tenantSite, testSurface } from './test-surface.js';
import { ConfigError, type ServerOptions } from '../config/index.js';
import { findLanguage } from '../locales/language.js';
import { logTo, type Log } from '../log.js';
import { Clock } from '../wp/clock.js';
import { startEngine, type Engine } from '../store/engine/index.js';
import { quirksOf, type QuirkName } from '../wp/quirks.js';
import { Site } from '../wp/site.js';
import { Store } from '../wp/store.js';
import type { Administrator } from '../content/load/administrator.js';
import { placeIn } from '../content/load/files.js';
import { fill } from './fill.js';
import { observe } from '../qa/transport/observe.js';
import { isLoopback } from '../qa/security.js';
import { writeServerFile } from '../qa/server-file.js';
import { commandRoutes } from '../qa/transfer.js';
import { startClock, Tenant } from '../qa/tenant.js';
import { commandSurface } from '../qa/transport/mount.js';

/** Namespaces that are always mounted: the documented one, and the plugin's own. */
export const NAMESPACES = ['calendar/events/v1', 'tribe/events/v1'];

/** A running server. */
export interface Server {
  /** Address of the site, without trailing slash. */
  readonly url: string;
  /** Address of the REST root, without trailing slash. */
  readonly restUrl: string;
  readonly namespaces: readonly string[];
  /** Address of the page from which people steer the server and try its API; null where there is no test surface. */
  readonly explorerUrl: string | null;
  readonly site: Site;
  /** What kind of database is behind it. */
  readonly engine: Engine['kind'];
  /** The administrator, when this start created one. */
  readonly administrator: Administrator | null;
  /** Goes back to the loaded dataset: content, files and clock. */
  reset(): Promise<void>;
  /** Stops the clock at a moment, or with null lets it run in real time. */
  setClock(now: Date | string | number | null): void;
  /** Ends the server; what it keeps is kept. */
  close(): Promise<void>;
}

async function listen(server: HttpServer, host: string, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new ConfigError(`Port ${port} is taken by another program; choose one with --port, or --port 0 for any that is free`);
    if (error.code === 'EACCES')
      throw new ConfigError(`Port ${port} may not be used without more rights; choose one above 1023 with --port`);
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
      throw new ConfigError(`${host} is no address of this machine; choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all it has`);
    throw error;
  });
  return server.address() as AddressInfo;
}

const hostForUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

async function openFolder(options: ServerOptions, cleanup: Cleanup): Promise<string> {
  if (options.ephemeral) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-'));
    cleanup.add(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
  const folder = path.resolve(options.data);
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Gets a database and opens the store of a data folder in it.
 * @param start what gets the database
 * @throws EngineError
 */
export async function openStore(
  options: ServerOptions,
  folder: string,
  log: Log,
  cleanup: Cleanup,
  start = startEngine,
): Promise<{ store: Store; engine: Engine }> {
  const engine = await start({
    uri: options.mongodbUri,
    directory: path.join(folder, 'db'),
    embedded: options.embedded,
    cacheDirectory: options.cacheDir,
    userCacheDirectory: options.userCacheDir,
    mongod: options.mongod,
    log: log.debug,
    onCrash: ({ reason, restartInMs }) =>
      log.error(`The database ended: ${reason}.${restartInMs === undefined ? '' : ' It is started again.'}`),
  });
  cleanup.add(() => engine.close());
  const store = await Store.open(engine.uri, engine.database, engine.kind === 'uri');
  cleanup.add(() => store.close());
  return { store, engine };
}

const METRES = { mi: 1609.344, km: 1000 };

/** What `name=on` and `name=off` come to. */
const quirkChanges = (texts: readonly string[]): Partial<Record<QuirkName, boolean>> =>
  Object.fromEntries(texts.map((text) => text.split('=')).map(([name, state]) => [name, state === 'on']));

/**
 * Starts a server with all of its parts, from options that are complete.
 * @param start what gets its database
 * @throws ConfigError or EngineError, with a message for people
 */
export async function startServer(options: ServerOptions, start = startEngine): Promise<Server> {
  const log = logTo(process.stderr, options.logLevel);
  const cleanup = new Cleanup();
  try {
    const folder = await openFolder(options, cleanup);
    let serve: (handle: RequestListener) => void = () => undefined;
    const ready = new Promise<RequestListener>((resolve) => (serve = resolve));
    // The port is open before the store is: what comes in meanwhile waits.
    const http = createHttpServer((request, response) => void ready.then((handle) => handle(request, response)));
    const { port } = await listen(http, options.host, options.port);
    cleanup.add(async () => {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    });
    const { store, engine } = await openStore(options, folder, log, cleanup, start);

    const listening = `http://${hostForUrl(options.host)}:${port}`;
    const url = (options.url ?? listening).replace(/\/+$/, '');
    const clock = new Clock();
    const place = placeIn(folder);
    const site = new Site(store, clock, quirksOf(options.profile, quirkChanges(options.quirks)), url, place.uploads, {
      allowPrivateUrls: options.allowPrivateUrls,
      maxBytes: options.maxImageSize * 1024 * 1024,
      timeoutMs: options.imageTimeout * 1000,
      tell: (line) => log.warn(line),
    });
    site.geoRadius = options.geoRadius * METRES[options.geoUnit];
    site.chosenLanguage = options.language === undefined ? null : findLanguage(options.language);
    const filled = await fill(site, options, place, log);
    startClock(clock, filled.clock);
    await site.reload();

    const namespaces = [...new Set([...NAMESPACES, ...options.namespaces])];
    const table = routeTable(namespaces);
    const hasQa = options.qa && (isLoopback(options.host) || options.qaToken !== undefined);
    const main = new Tenant('', site, folder, { store, files: place.pristine, clock: filled.clock }, hasQa ? options.journal : 0);
    const stackOf = (tenant: Tenant, at: Site): Middleware =>
      siteStack({ site: at, namespaces, table, log, schedule: tenant.schedule, observe: observe(tenant, hasQa) });
    const note = options.ephemeral ? null : writeServerFile(folder, listening);
    if (note) cleanup.add(() => note.remove());
    const commandAccess = note && { url: listening, tokens: () => [note.token] };
    const app = createApp(
      log,
      ...(commandAccess ? [commandSurface({ site, routes: commandRoutes(main), access: commandAccess, log })] : []),
      ...(hasQa ? await testSurface({ main, options, folder, namespaces, table, engine, log, cleanup }) : []),
      hasQa ? tenantSite(stackOf) : stackOf(main, site),
    );
    const handle = app.callback();
    serve((request, response) => void handle(request, response));
    return {
      url,
      restUrl: site.restUrl(''),
      namespaces,
      explorerUrl: hasQa ? `${url}/__qa/ui` : null,
      site,
      engine: engine.kind,
      administrator: filled.administrator,
      reset: () => main.reset(),
      setClock: (now) => (now === null ? clock.run({ real: true }) : clock.freeze(new Date(now).getTime())),
      close: () => cleanup.run(),
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
