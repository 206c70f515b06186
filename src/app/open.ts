import type { ServerOptions } from '../config/index.js';
import { findLanguage } from '../locales/language.js';
import type { Log } from '../log.js';
import type { Engine } from '../store/engine/index.js';
import { zonesVersion } from '../php/timezone.js';
import { Clock } from '../wp/clock.js';
import { quirksOf, type QuirkName } from '../wp/quirks.js';
import { Site } from '../wp/site.js';
import type { Memory } from '../store/memory.js';
import { Store } from '../wp/store.js';
import { SignInGuards } from '../wp/users/sign-in-guard.js';
import type { Cleanup } from './cleanup.js';

/** Replaced by the build. */
declare const UNDERSTUDY_BUILD: string;

/** Names the code and the data that derived columns are computed with; undefined where the modules were not built as one. */
const codeName = (): string | undefined =>
  typeof UNDERSTUDY_BUILD === 'string' ? [UNDERSTUDY_BUILD, process.version, zonesVersion()].join(' ') : undefined;

/**
 * Opens the store of a site. Its `indexed` settles when no index is missing.
 * @param starting the database, which may still be starting
 * @param memory what limits the caches
 * @throws EngineError
 */
export async function openStore(starting: Promise<Engine>, cleanup: Cleanup, memory?: Memory): Promise<{ store: Store; engine: Engine }> {
  const { uri, database, kind } = await starting;
  const isShared = kind === 'uri';
  const store = await (isShared ? Store.open(uri, database, isShared, memory) : Store.openSoon(uri, database, memory));
  cleanup.add(() => store.close());
  return { store, engine: await starting };
}

/** Learns how the last process left a store, and makes sure that nothing it vouches for is taken for granted later. */
export const openInOrder = (store: Store): Promise<boolean> => store.openInOrder(codeName());

/** Opens the store of a site for a command. */
export async function openStoreFor(starting: Promise<Engine>, cleanup: Cleanup): Promise<Store> {
  const { store } = await openStore(starting, cleanup);
  await Promise.all([store.indexed, openInOrder(store)]);
  return store;
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
  site.guards = new SignInGuards(options.profile, options.signInAttempts);
  site.chosenVersion = options.tecVersion ?? null;
  site.chosenLanguage = options.language === undefined ? null : findLanguage(options.language);
  return site;
}
