import { givenReleases, type QuirkName } from '../../wordpress/quirks.js';
import { CALENDAR } from '../../plugins/the-events-calendar/quirks/version.js';
import type { ServerOptions } from '../config/index.js';
import { findLanguage } from '../../base/locales/index.js';
import type { Log } from '../../base/system/log.js';
import type { DatabaseKind, Engine } from '../../database/engine/index.js';
import { newestZones } from '../../base/php/zone-data.js';
import { Clock } from '../../wordpress/clock.js';
import { quirksOf } from '../../plugins/quirks.js';
import { registryWithDefaults } from '../../plugins/register.js';
import { Site } from '../../wordpress/site.js';
import { Connection, LaterConnection } from '../../database/store/connection.js';
import type { Memory } from '../../database/memory/index.js';
import { Store } from '../../wordpress/store.js';
import type { Registry } from '../../wordpress/types/registry.js';
import { SignInGuards } from '../../wordpress/users/sign-in-guard.js';
import type { Cleanup } from './cleanup.js';
import { readSettings } from './option-objects.js';

/** Replaced by the build. */
declare const UNDERSTUDY_BUILD: string;

/** Names the code and the data that derived columns are computed with; undefined where the modules were not built as one. */
const codeName = ({ plugins }: Registry): string | undefined =>
  typeof UNDERSTUDY_BUILD === 'string' ? [UNDERSTUDY_BUILD, process.version, newestZones().release, ...plugins].join(' ') : undefined;

/** A database that is starting, or was started. */
export interface Starting {
  engine: Promise<Engine>;
  /** Settles with its connection string when it accepts connections, which is before it executes commands. Absent: unknown. */
  reachable?: Promise<string>;
}

/** A database that starts when the memory of the server no longer suffices. */
export interface Later {
  startEngine: () => Promise<Engine>;
}

/** Connects to a database. One that this process started is still opening its files: connecting takes time as well. @throws EngineError */
async function connect({ engine, reachable }: Starting): Promise<Connection> {
  const ending = new AbortController();
  let at: string | undefined;
  const early = reachable?.then((uri) => Connection.open((at = uri), true, ending.signal));
  early?.catch(() => undefined);
  try {
    const { uri, kind } = await engine;
    const open = (): Promise<Connection> => Connection.open(uri, kind !== 'uri');
    if (early && at === uri) return await early.catch(open);
    // Another database was started instead.
    ending.abort();
    return await open();
  } catch (error) {
    ending.abort();
    throw error;
  }
}

/**
 * Opens the store of a site. Its `indexed` settles when all indexes exist.
 * @param registryFor returns what is registered for the site. It gets the names of the plugins of the stored site; null: nothing is stored
 * @param memory what limits the caches
 * @returns the store, and what says where its content is
 * @throws EngineError
 */
export async function openStore(
  starting: Starting | Later,
  registryFor: (stored: readonly string[] | null) => Promise<Registry>,
  cleanup: Cleanup,
  memory?: Memory,
): Promise<{ store: Store; kind: () => DatabaseKind }> {
  if ('startEngine' in starting) {
    let engine: Engine | undefined;
    const connection = new LaterConnection(async () => {
      engine = await starting.startEngine();
      return connect({ engine: Promise.resolve(engine) });
    });
    const store = Store.inMemory(connection, await registryFor(null), memory);
    cleanup.add(() => store.close());
    return { store, kind: () => (engine && !store.isLocal ? engine.kind : 'memory') };
  }
  const connection = await connect(starting);
  const { database, kind } = await starting.engine;
  const isShared = kind === 'uri';
  const registry = await registryFor(await Store.storedPlugins(connection, database));
  const store = await (isShared
    ? Store.open(connection, registry, database, isShared, memory)
    : Store.openSoon(connection, registry, database, memory));
  cleanup.add(() => store.close());
  return { store, kind: () => kind };
}

/** Reads the note of the last process in a store, and removes it, so that it counts only once. */
export const openInOrder = (store: Store): Promise<boolean> => store.openInOrder(codeName(store.registry));

export async function openStoreFor(engine: Promise<Engine>, cleanup: Cleanup): Promise<Store> {
  const { store } = await openStore({ engine }, (stored) => registryWithDefaults(stored ?? []), cleanup);
  await Promise.all([store.indexed, openInOrder(store), store.registerStored()]);
  return store;
}

const METRES = { mi: 1609.344, km: 1000 };

/** Parses `name=on` and `name=off`. */
const quirkChanges = (texts: readonly string[]): Partial<Record<QuirkName, boolean>> =>
  Object.fromEntries(texts.map((text) => text.split('=')).map(([name, state]) => [name, state === 'on']));

/** Creates the site of a store. Its clock runs in real time; nothing has been read from the store. */
export function makeSite(options: ServerOptions, store: Store, url: string, uploads: string, log: Log): Site {
  const site = new Site(store, new Clock(), quirksOf(options.profile, quirkChanges(options.quirks)), url, uploads, {
    geoRadius: options.geoRadius * METRES[options.geoUnit],
    guards: new SignInGuards(options.profile, options.signInAttempts),
    zones: options.zones ?? null,
    settings: readSettings(options),
    language: options.language === undefined ? null : findLanguage(options.language),
    media: {
      allowPrivateUrls: options.allowPrivateUrls,
      maxBytes: options.maxImageSize * 1024 * 1024,
      timeoutMs: options.imageTimeout * 1000,
      tell: (line) => log.warn(line),
    },
  });
  const { wordpress, tecVersion } = options;
  site.chosenReleases = givenReleases({ wordpress, [CALENDAR]: tecVersion });
  return site;
}
