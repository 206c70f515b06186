import { existsSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, hasTls, placeOfOption, type ServerOptions } from '../config/index.js';
import { diskError } from '../../base/system/disk.js';
import { fileNotFound } from '../../base/system/included-datasets.js';
import { openLog, type Log } from '../../base/system/log.js';
import type { MountedRoute } from '../../wordpress/rest/table.js';
import { makeEphemeralFolder } from '../../database/engine/ephemeral-folder.js';
import { startEngine, type Engine, type EngineCrash } from '../../database/engine/index.js';
import { DatasetError } from '../../transfer/source.js';
import { Cleanup } from './cleanup.js';
import { HealthChecks } from './health.js';
import { listen, type Listen } from './listen.js';
import type { MemoryFigures, Metrics } from './metrics.js';
import { withHealthAndMetrics } from './requests.js';
import type { Later } from './open.js';
import type { CrashHandling } from './recovery.js';
import type { Server } from './server.js';
import { closeFolders, PRIVATE } from '../../base/system/private-folder.js';

/** Opens the data folder: a temporary folder if the server is ephemeral. */
async function openFolder(options: ServerOptions, cleanup: Cleanup, onFailure: (undo: () => Promise<void>) => void): Promise<string> {
  if (options.ephemeral) {
    const folder = await makeEphemeralFolder();
    cleanup.add(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
  const folder = path.resolve(options.data);
  const isNew = (await mkdir(folder, PRIVATE)) !== undefined;
  closeFolders(folder);
  // Removes a new folder after a failed start, unless the content is in a MongoDB: then its files may be here.
  if (isNew && options.mongodbUri === undefined) onFailure(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const databaseIn = (folder: string): string => path.join(folder, 'db');

/** @throws DatasetError if the dataset is a file that does not exist; ConfigError, with its place, if a configuration file names it */
export function requireDataset({ dataset }: Pick<ServerOptions, 'dataset'>): void {
  if (typeof dataset !== 'string' || existsSync(dataset)) return;
  const place = placeOfOption('dataset', dataset);
  if (place !== undefined) throw new ConfigError(`${place}: dataset: ${dataset}: ${fileNotFound(dataset)}`);
  throw new DatasetError(dataset, [fileNotFound(dataset)]);
}

/** Whether the dataset is loaded for sure. A MongoDB may have content. */
const isLoaded = ({ ephemeral, data, mongodbUri }: ServerOptions): boolean =>
  mongodbUri === undefined && (ephemeral || !existsSync(databaseIn(path.resolve(data))));

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} seconds`);

const nextStep = ({ restartInMs }: EngineCrash): string =>
  restartInMs === undefined ? 'Start the server again' : `Restarting it in ${seconds(restartInMs)}`;

interface OpeningEngine {
  log: Log;
  cleanup: Cleanup;
  /** Starts or connects to the database. */
  start?: typeof startEngine;
  /** Whether a `mongod` may be downloaded. Default: true. */
  download?: boolean;
  /** Called with the connection string of a database that accepts connections, which is before it executes commands. */
  onReachable?: (uri: string) => void;
  /** Called as soon as the database has crashed. */
  onDown?: () => void;
  /** Called when a crashed database has been restarted. */
  onRestart?: () => void;
  /** Called when the database is lost for good and the server has to end. */
  onLoss?: () => void;
}

/** Starts or connects to the database of a data folder. @throws EngineError */
export function openEngine(options: ServerOptions, folder: string, opening: OpeningEngine): Promise<Engine> {
  const { log, cleanup, start = startEngine, download, onReachable, onDown, onRestart, onLoss } = opening;
  const onCrash = (crash: EngineCrash): void => {
    onDown?.();
    const exits = crash.isLost && options.onDatabaseLoss === 'exit';
    const full = options.mongodbUri === undefined ? diskError(folder) : null;
    const reason = `${crash.reason}.${full ? ` ${full.message}` : ''}`;
    log.error(`The database stopped: ${reason} ${exits ? 'It stopped too often: the server ends' : nextStep(crash)}.`);
    if (exits) onLoss?.();
  };
  const engine = start({
    uri: options.mongodbUri,
    directory: databaseIn(folder),
    embedded: options.embedded,
    memory: options.engineMemory,
    cacheDirectory: options.cacheDir,
    userCacheDirectory: options.userCacheDir,
    mongod: options.mongod,
    download,
    log: log.debug,
    onReachable,
    onCrash,
    onRestart,
  });
  // Handles a rejection before it is awaited.
  const ended = engine.then(
    (running) => () => running.close(),
    () => () => Promise.resolve(),
  );
  cleanup.add(async () => (await ended)());
  return engine;
}

const metricsOf = async (table: () => MountedRoute[], health: HealthChecks, memory: () => MemoryFigures | null): Promise<Metrics> =>
  (await import('./metrics.js')).openMetrics(table, () => health.hasDatabase, memory);

/** Opens a port. Loads the modules for HTTPS only if it is enabled. @param isOpen whether the next free port will do */
export const portOf =
  (options: ServerOptions, isOpen = false): Listen =>
  async (cleanup, front) => {
    const { host, port } = options;
    if (!hasTls(options)) return { listening: await listen({ host, port, isOpen }, cleanup, front), certificate: null };
    const { openTls, secureServer } = await import('./tls.js');
    const tls = await openTls(options);
    return { listening: await listen({ host, port, isOpen, secure: secureServer(tls) }, cleanup, front), certificate: tls.file };
  };

/** A dataset file that is larger, in bytes, may have more content than is searched in memory without indexes. */
const LARGE_DATASET = 96 * 1024 * 1024;

const isLarge = (dataset: ServerOptions['dataset']): boolean =>
  typeof dataset === 'string' && (statSync(dataset, { throwIfNoEntry: false })?.size ?? 0) > LARGE_DATASET;

/** Whether the content begins in the memory of the server: it ends with the process, and no option chooses a database. */
export const beginsInMemory = ({ ephemeral, mongodbUri, embedded, mongod, cacheMemory, dataset }: ServerOptions): boolean =>
  ephemeral && mongodbUri === undefined && embedded && mongod === undefined && cacheMemory !== 0 && !isLarge(dataset);

/** A database that is started when it is needed. @param begin starts it; what it adds to `cleanup` is done when the server stops */
function startLater(cleanup: Cleanup, begin: (own: Cleanup) => Promise<Engine>): Later {
  const own = new Cleanup();
  let isClosed = false;
  cleanup.add(() => {
    isClosed = true;
    return own.run();
  });
  return { startEngine: () => (isClosed ? Promise.reject(new Error('The server is stopping.')) : begin(own)) };
}

let started = false;

/** Whether a server was started in this process. */
export const hasStarted = (): boolean => started;

/**
 * Starts a server from complete options. The database starts while the modules of the server are loaded: this file imports none of them.
 * @param start starts or connects to the database. Default: an engine, which an ephemeral site starts when it is needed
 * @param open opens what requests arrive at. Default: the port of the options
 * @throws ConfigError or EngineError, with a message for the user
 */
export async function startServer(options: ServerOptions, start?: typeof startEngine, open = portOf(options)): Promise<Server> {
  const log = await openLog(process.stderr, options.logLevel, options.logFormat);
  const cleanup = new Cleanup();
  let undoFolder = (): Promise<void> => Promise.resolve();
  started = true;
  if (isLoaded(options)) requireDataset(options);
  try {
    const folder = await openFolder(options, cleanup, (undo) => (undoFolder = undo));
    const disk = options.mongodbUri === undefined ? folder : null;
    const health = new HealthChecks(undefined, disk);
    let table = (): MountedRoute[] => [];
    let memory = (): MemoryFigures | null => null;
    const metrics = options.metrics
      ? await metricsOf(
          () => table(),
          health,
          () => memory(),
        )
      : null;
    const front = (handler: RequestListener): RequestListener => withHealthAndMetrics(handler, { options, log, health, metrics, disk });
    const { listening, certificate } = await open(cleanup, front);
    const isNew = options.ephemeral || !existsSync(databaseIn(folder));
    let crashed: CrashHandling = { begin: () => undefined, end: () => undefined };
    let onLoss = (): void => undefined;
    const lost = new Promise<void>((resolve) => (onLoss = resolve));
    let onReachable = (_uri: string): void => undefined;
    const reachable = new Promise<string>((resolve) => (onReachable = resolve));
    const begin = (own: Cleanup): Promise<Engine> =>
      openEngine(options, folder, {
        log,
        cleanup: own,
        start,
        onReachable,
        onDown: () => crashed.begin(),
        onRestart: () => crashed.end(),
        onLoss,
      });
    const database = start === undefined && beginsInMemory(options) ? startLater(cleanup, begin) : { engine: begin(cleanup), reachable };
    const { serveSite } = await import('./server.js');
    return await serveSite({
      options,
      folder,
      isNew,
      listening,
      certificate,
      database,
      lost,
      health,
      onRoutes: (routes) => (table = routes),
      onMemory: (figures) => (memory = figures),
      onCrash: (handling) => (crashed = handling),
      log,
      cleanup,
    });
  } catch (error) {
    await cleanup.run();
    await undoFolder();
    throw error;
  }
}
