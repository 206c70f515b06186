import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ServerOptions } from '../config/index.js';
import { findLanguage } from '../locales/language.js';
import type { Log } from '../log.js';
import { startEngine, type Engine } from '../store/engine/index.js';
import { Clock } from '../wp/clock.js';
import { quirksOf, type QuirkName } from '../wp/quirks.js';
import { Site } from '../wp/site.js';
import { Store } from '../wp/store.js';
import type { Cleanup } from './cleanup.js';

/** Opens the data folder: a temporary folder if the server is ephemeral. */
export async function openFolder(options: ServerOptions, cleanup: Cleanup): Promise<string> {
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
 * Starts or connects to a database and opens the store of a data folder in it.
 * @param start starts or connects to the database
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
      log.error(`The database stopped: ${reason}.${restartInMs === undefined ? '' : ' Restarting it.'}`),
  });
  cleanup.add(() => engine.close());
  const store = await Store.open(engine.uri, engine.database, engine.kind === 'uri');
  cleanup.add(() => store.close());
  return { store, engine };
}

const METRES = { mi: 1609.344, km: 1000 };

/** Parses `name=on` and `name=off`. */
const quirkChanges = (texts: readonly string[]): Partial<Record<QuirkName, boolean>> =>
  Object.fromEntries(texts.map((text) => text.split('=')).map(([name, state]) => [name, state === 'on']));

/** Creates the site of a store. Its clock runs in real time, and nothing has been read from the store yet. */
export function makeSite(options: ServerOptions, store: Store, url: string, uploads: string, log: Log): Site {
  const site = new Site(store, new Clock(), quirksOf(options.profile, quirkChanges(options.quirks)), url, uploads, {
    allowPrivateUrls: options.allowPrivateUrls,
    maxBytes: options.maxImageSize * 1024 * 1024,
    timeoutMs: options.imageTimeout * 1000,
    tell: (line) => log.warn(line),
  });
  site.geoRadius = options.geoRadius * METRES[options.geoUnit];
  site.chosenVersion = options.tecVersion ?? null;
  site.chosenLanguage = options.language === undefined ? null : findLanguage(options.language);
  return site;
}
