import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createApp } from './app.js';
import { ConfigError, type ServerOptions } from './config.js';
import { moveLinks, readDataset, storeDataset, type Dataset } from './dataset/load.js';
import { logTo, type Log } from './log.js';
import { checkConsistency } from './wp/check.js';
import { Clock } from './wp/clock.js';
import { startEngine, type Engine } from './wp/engine/index.js';
import { quirksOf, type QuirkName } from './wp/quirks.js';
import { Site } from './wp/site.js';
import { Store } from './wp/store.js';
import { findUser, generatePassword, newApplicationPassword } from './wp/users.js';

/** Namespaces that are always mounted: the documented one, and the plugin's own. */
export const NAMESPACES = ['calendar/events/v1', 'tribe/events/v1'];

/** Name of the copy that a reset goes back to. */
const PRISTINE = 'pristine';

/** The administrator that a first start creates, with the application password that is told only then. */
export interface Administrator {
  login: string;
  password: string;
}

/** A running server. */
export interface Server {
  /** Address of the site, without trailing slash. */
  readonly url: string;
  /** Address of the REST root, without trailing slash. */
  readonly restUrl: string;
  readonly namespaces: readonly string[];
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

/** Ends what was started, the last first. */
export class Cleanup {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ended: Promise<void> | null = null;

  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }

  run(): Promise<void> {
    this.ended ??= (async () => {
      for (const step of this.steps) await step();
    })();
    return this.ended;
  }
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
    throw error;
  });
  return server.address() as AddressInfo;
}

const hostForUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const parseNow = (now: string | undefined): number | null => (now === undefined ? null : Date.parse(now));

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

/** Gets a database and opens the store of a data folder in it. @throws EngineError */
export async function openStore(
  options: ServerOptions,
  folder: string,
  log: Log,
  cleanup: Cleanup,
): Promise<{ store: Store; engine: Engine }> {
  const engine = await startEngine({
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
  const store = await Store.open(engine.uri, engine.kind === 'uri' ? undefined : 'understudy', engine.kind === 'uri');
  cleanup.add(() => store.close());
  return { store, engine };
}

/** WordPress's installer makes an administrator; so does a first start, unless the dataset brings users along. */
async function ensureAdministrator(site: Site, password: string | undefined): Promise<Administrator | null> {
  if ((await site.store.users.findOne({ role: 'administrator' }, { projection: { _id: 1 } })) !== null) return null;
  const [last] = await site.store.users
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  const chosen = password ?? generatePassword();
  const login = (await findUser(site.store, 'admin')) ? 'administrator' : 'admin';
  await site.store.insert('users', [
    {
      _id: (last?._id ?? 0) + 1,
      login,
      email: 'admin@example.org',
      displayName: login,
      nicename: login,
      url: site.url,
      role: 'administrator',
      applicationPasswords: [newApplicationPassword('First start', chosen, site.clock.seconds())],
    },
  ]);
  return { login, password: chosen };
}

/** Files below the uploads folder, relative to it. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

const HOME = 'home';
const FILES = 'understudy_files';

/** Moves stored links to where the site is now. */
async function followUrl({ store, url }: Site): Promise<void> {
  const home = await store.options.findOne({ _id: HOME });
  if (typeof home?.value === 'string' && home.value !== url) await moveLinks(store, home.value, url);
}

interface Filled {
  administrator: Administrator | null;
  clock: number | null;
}

/** A first start that was killed half-way begins anew: nothing was served of it yet. */
async function forgetHalfLoaded(store: Store, log: Log): Promise<void> {
  const notes = (await store.unfinished()).filter(({ load }) => load !== undefined);
  if (notes.length === 0) return;
  log.warn('The first start was cut short: the dataset is loaded again.');
  await store.clear();
  for (const note of notes) await store.end(note);
}

/** Loads the dataset into an empty store and keeps a copy to go back to; a store that has content keeps it, its links moved here. */
async function fill(site: Site, options: ServerOptions, log: Log): Promise<Filled> {
  const { store } = site;
  const startClock = parseNow(options.now);
  await forgetHalfLoaded(store, log);
  if (!(await store.isEmpty())) {
    for (const line of await checkConsistency(store, site.uploads)) log.warn(line);
    await followUrl(site);
    const clock = await store.options.findOne({ _id: 'understudy_clock' });
    return { administrator: null, clock: startClock ?? (typeof clock?.value === 'number' ? clock.value : null) };
  }
  const dataset: Dataset = await readDataset(options.dataset, startClock);
  const note = await store.begin({ load: options.dataset });
  await storeDataset(dataset, store, site.uploads, site.url);
  const administrator = await ensureAdministrator(site, options.adminPassword);
  const files = await listFiles(site.uploads);
  await store.insert('options', [
    { _id: FILES, value: files },
    ...(dataset.clock === null ? [] : [{ _id: 'understudy_clock', value: dataset.clock }]),
  ]);
  await store.saveSnapshot(PRISTINE);
  await store.end(note);
  log.debug(`Loaded ${dataset.posts.length} posts and ${dataset.terms.length} terms from ${options.dataset}`);
  return { administrator, clock: startClock ?? dataset.clock };
}

async function removeAddedFiles(site: Site): Promise<void> {
  const kept = new Set(((await site.store.options.findOne({ _id: FILES }))?.value as string[] | undefined) ?? []);
  const added = (await listFiles(site.uploads)).filter((file) => !kept.has(file));
  await Promise.all(added.map((file) => rm(path.join(site.uploads, file), { force: true })));
}

const METRES = { mi: 1609.344, km: 1000 };

/** What `name=on` and `name=off` come to. */
const quirkChanges = (texts: readonly string[]): Partial<Record<QuirkName, boolean>> =>
  Object.fromEntries(texts.map((text) => text.split('=')).map(([name, state]) => [name, state === 'on']));

const startClock = (clock: Clock, at: number | null): void => (at === null ? clock.run({ real: true }) : clock.freeze(at));

/** Only addresses of this machine itself: there the test surface is on without being asked for. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/**
 * Starts a server with all of its parts, from options that are complete.
 * @throws ConfigError or EngineError, with a message for people
 */
export async function startServer(options: ServerOptions): Promise<Server> {
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
    const { store, engine } = await openStore(options, folder, log, cleanup);

    const url = (options.url ?? `http://${hostForUrl(options.host)}:${port}`).replace(/\/+$/, '');
    const clock = new Clock();
    const site = new Site(store, clock, quirksOf(options.profile, quirkChanges(options.quirks)), url, path.join(folder, 'uploads'), {
      allowPrivateUrls: options.allowPrivateUrls,
      maxBytes: options.maxImageSize * 1024 * 1024,
      timeoutMs: options.imageTimeout * 1000,
    });
    site.geoRadius = options.geoRadius * METRES[options.geoUnit];
    const filled = await fill(site, options, log);
    startClock(clock, filled.clock);
    await site.reload();

    const reset = async (): Promise<void> => {
      await store.restoreSnapshot(PRISTINE);
      await followUrl(site);
      await removeAddedFiles(site);
      startClock(clock, filled.clock);
      await site.reload();
    };
    const namespaces = [...new Set([...NAMESPACES, ...options.namespaces])];
    const qa = options.qa && isLoopback(options.host) ? { site, reset, namespaces, engine: engine.kind } : null;
    const handle = createApp({ site, namespaces, log, qa }).callback();
    serve((request, response) => void handle(request, response));
    return {
      url,
      restUrl: site.restUrl(''),
      namespaces,
      site,
      engine: engine.kind,
      administrator: filled.administrator,
      reset,
      setClock: (now) => (now === null ? clock.run({ real: true }) : clock.freeze(new Date(now).getTime())),
      close: () => cleanup.run(),
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
