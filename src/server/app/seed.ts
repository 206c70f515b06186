import { existsSync } from 'node:fs';
import type { Zones } from '../../base/php/timezone.js';
import { zonesOf } from '../../base/php/zone-data.js';
import { DEMO_DATASET, type ServerOptions } from '../config/index.js';
import type { Administrator } from '../../transfer/load/administrator.js';
import { recoverWork } from '../../transfer/load/commit.js';
import { followUrl } from '../../transfer/load/links.js';
import type { Warn, ReadOptions } from '../../transfer/formats/format.js';
import { loadSource } from '../../transfer/load/load.js';
import { mirrorFiles, type SitePlace } from '../../transfer/load/mirror.js';
import { storedClock } from '../../transfer/load/options.js';
import { type DatasetSource, warningText } from '../../transfer/source.js';
import type { Log } from '../../base/system/log.js';
import { readMoment } from '../../base/text/moment.js';
import { checkConsistency } from '../../wordpress/check.js';
import type { Site } from '../../wordpress/site.js';
import { hasPassword } from '../../wordpress/users/users.js';
import { openInOrder } from './open.js';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { INCLUDED_DATASETS } from '../../base/system/included-datasets.js';

type GivenDataset = ServerOptions['dataset'];

/** The folder that contains the media folder `uploads` of a dataset: the file's own, or the working directory for an object. */
export const datasetFolder = (dataset: GivenDataset): string =>
  typeof dataset === 'string' ? path.dirname(path.resolve(dataset)) : process.cwd();

/** Whether a dataset is of this package. */
const isIncluded = (dataset: GivenDataset): boolean =>
  typeof dataset === 'string' &&
  (INCLUDED_DATASETS.includes(dataset) || path.dirname(path.resolve(dataset)) === path.dirname(DEMO_DATASET));

/** The file of a dataset that may be changed; null for an object, and for the datasets of this package. */
export const savedFileOf = (dataset: GivenDataset): string | null =>
  typeof dataset !== 'string' || isIncluded(dataset) ? null : path.resolve(dataset);

/** The name of a dataset in messages. */
const datasetName = (dataset: GivenDataset): string => (typeof dataset === 'string' ? dataset : 'The dataset');

/** The name of a dataset for people, without its folder. */
export const shortName = (dataset: GivenDataset): string =>
  dataset === DEMO_DATASET ? 'demo' : typeof dataset === 'string' ? path.basename(dataset) : 'dataset of the program';

const base = (now: number | null, zones: Zones | undefined, warn?: Warn, onImport?: ReadOptions['onImport']) => ({
  now,
  ...(zones ? { zones } : {}),
  ...(warn ? { warn } : {}),
  ...(onImport ? { onImport } : {}),
});

/**
 * Opens the dataset of the options.
 * @param now base of relative dates, ms since 1970 UTC; null: the clock of the dataset, or the real time
 * @param zones the time zones of the site; absent: as the dataset says
 * @param warn receives warnings about the dataset
 * @param onImport receives the files of a module
 * @throws DatasetError when the file cannot be read
 */
export async function openDataset(
  dataset: GivenDataset,
  now: number | null,
  zones?: Zones,
  warn?: Warn,
  onImport?: ReadOptions['onImport'],
): Promise<DatasetSource> {
  // Loaded on first use: a start with content reads no dataset.
  if (typeof dataset === 'string') {
    const { inputFile, openFile } = await import('../../transfer/formats/open.js');
    const [source, file] = await Promise.all([
      openFile(inputFile(dataset), base(now, zones, warn, onImport)),
      realpath(dataset).catch(() => undefined),
    ]);
    return { ...source, file };
  }
  const { sourceOf } = await import('../../transfer/formats/dataset/file.js');
  return sourceOf(dataset, { name: datasetName(dataset), folder: datasetFolder(dataset) }, base(now, zones));
}

/** Result of preparing the store at start-up. */
interface SeedResult {
  /** The administrator, if this start created one or gave one a password. */
  administrator: Administrator | null;
  /** Time at which the clock is frozen, ms since 1970 UTC; null if it runs in real time. */
  clock: number | null;
  /** Opens the loaded dataset again, with its dates relative to another time (ms since 1970 UTC), or by other time zones. */
  reopen?: (now: number, zones?: Zones) => Promise<DatasetSource>;
  /** Name of the loaded dataset, for people; null: the content was there before. */
  dataset: string | null;
  /** Real path of its file. */
  file?: string | undefined;
}

/** The time of the option `now`, in ms since 1970 UTC. */
export const parseNow = (now: string | undefined): number | null => (now === undefined ? null : readMoment(now));

/** The time zones that a server is started with; undefined: as the dataset says. */
export const chosenZones = ({ zones }: Pick<ServerOptions, 'zones'>): Zones | undefined =>
  zones === undefined ? undefined : zonesOf(zones);

/** Reads the dataset for an empty folder while the database starts. */
export function readDataset(options: ServerOptions, log: Log): Promise<DatasetSource> {
  const { dataset, now } = options;
  // Nobody can change what is odd in a dataset of this package.
  const warn: Warn | undefined = isIncluded(dataset) ? undefined : (line, at) => log.warn(warningText(line, at));
  const reading = openDataset(dataset, parseNow(now), chosenZones(options), warn);
  // The database may fail first.
  reading.catch(() => undefined);
  return reading;
}

/** Thrown instead of replacing content that another process has loaded meanwhile. */
class AlreadySeeded extends Error {}

/** The store to seed, and the dataset for it. */
interface Seeding {
  site: Site;
  options: ServerOptions;
  place: SitePlace;
  log: Log;
  /** The dataset, if it has been read. */
  reading: Promise<DatasetSource> | null;
}

/** Loads the dataset into an empty store. Existing content is kept, with its links rewritten to the current URL of the site. */
export async function seedStore(seeding: Seeding): Promise<SeedResult> {
  const { site, options, log } = seeding;
  const { workLog } = site.store;
  const start = parseNow(options.now);
  const onWait = (): void => log.info('Waiting for another server that is starting on the same database');
  const seeded = await workLog.alone('start', () => seedAlone(seeding), onWait);
  return { ...seeded, clock: start ?? seeded.clock };
}

async function seedAlone(seeding: Seeding): Promise<SeedResult> {
  const { site, options, place, log, reading } = seeding;
  const { store } = site;
  for (const line of store.migrated) log.info(line);
  const [found] = await Promise.all([recoverWork(store, place), openInOrder(store), store.allOptions()]);
  await store.registerStored();
  for (const line of found) log.warn(line);
  if (!(await store.isEmpty())) return keepContent(seeding);
  try {
    return await load(seeding, await (reading ?? readDataset(options, log)));
  } catch (error) {
    if (!(error instanceof AlreadySeeded)) throw error;
    return keepContent(seeding);
  }
}

/** Whether a password is an application password of an administrator. */
async function isAdministrators(password: string, { store }: Site): Promise<boolean> {
  const administrators = await store.users.find({ role: 'administrator' }).toArray();
  return administrators.some((user) => hasPassword(user, password));
}

async function keepContent({ site, options, place, log }: Seeding): Promise<SeedResult> {
  const { store, uploads, url } = site;
  const { dataset, adminPassword } = options;
  const { pristine } = place;
  const [isSet] = await Promise.all([
    adminPassword === undefined || isAdministrators(adminPassword, site),
    store.indexed.then(async () => {
      if (!store.isConsistent) for (const line of await checkConsistency(store, uploads)) log.warn(line);
      await followUrl(store, url);
    }),
  ]);
  if (!existsSync(pristine)) await mirrorFiles(uploads, pristine);
  if (dataset !== DEMO_DATASET)
    log.info(`The store already contains a site: ${datasetName(dataset)} is not loaded. Run 'understudy seed' to replace the content`);
  if (!isSet)
    log.warn("The store already contains a site: the administrator's password is not set. Run 'understudy users password' to make one");
  return { administrator: null, clock: await storedClock(store), dataset: null };
}

async function load({ site, options, place, log }: Seeding, source: DatasetSource): Promise<SeedResult> {
  const { dataset, adminPassword, create } = options;
  const { posts, terms, ...loaded } = await loadSource(site.store, source, {
    mode: 'replace',
    place,
    siteUrl: site.url,
    settings: site.chosen.settings,
    now: site.clock.seconds(),
    adminPassword,
    create,
    alone: async (work) => {
      await site.store.indexed;
      if (!(await site.store.isEmpty())) throw new AlreadySeeded();
      await work();
    },
  });
  site.store.isConsistent = true;
  log.debug(`Loaded ${posts} posts and ${terms} terms from ${datasetName(dataset)}`);
  return {
    ...loaded,
    dataset: shortName(dataset),
    file: source.file,
    reopen: (now, zones) => openDataset(dataset, now, zones ?? chosenZones(options)),
  };
}
