import { existsSync } from 'node:fs';
import { DEMO_DATASET, type ServerOptions } from '../config/index.js';
import { inputFile, openFile } from '../content/formats/open.js';
import type { Administrator } from '../content/load/administrator.js';
import { recoverLoads } from '../content/load/commit.js';
import type { SitePlace } from '../content/load/files.js';
import { followUrl } from '../content/load/links.js';
import { loadSource } from '../content/load/load.js';
import { mirrorFiles } from '../content/load/mirror.js';
import { storedClock } from '../content/load/options.js';
import type { Log } from '../log.js';
import { checkConsistency } from '../wp/check.js';
import type { Site } from '../wp/site.js';

/** What a start found or loaded. */
export interface Filled {
  /** The administrator, when this start created one. */
  administrator: Administrator | null;
  /** The moment at which the clock stands, ms since 1970 UTC; null: it runs in real time. */
  clock: number | null;
}

const parseNow = (now: string | undefined): number | null => (now === undefined ? null : Date.parse(now));

/** Loads the dataset into an empty store. A store that has content keeps it; its links move to the address that the site has now. */
export async function fill(site: Site, options: ServerOptions, place: SitePlace, log: Log): Promise<Filled> {
  for (const line of await recoverLoads(site.store, place)) log.warn(line);
  const start = parseNow(options.now);
  const filled = await ((await site.store.isEmpty()) ? load(site, options, place, start, log) : keep(site, options, place, log));
  return { ...filled, clock: start ?? filled.clock };
}

async function keep({ store, uploads, url }: Site, { dataset }: ServerOptions, { pristine }: SitePlace, log: Log): Promise<Filled> {
  for (const line of await checkConsistency(store, uploads)) log.warn(line);
  await followUrl(store, url);
  if (!existsSync(pristine)) await mirrorFiles(uploads, pristine);
  if (dataset !== DEMO_DATASET)
    log.info(`There is a site already, so ${dataset} is not loaded; 'understudy seed' puts it in place of that`);
  return { administrator: null, clock: await storedClock(store) };
}

async function load(site: Site, options: ServerOptions, place: SitePlace, now: number | null, log: Log): Promise<Filled> {
  const { dataset, adminPassword } = options;
  const source = await openFile(inputFile(dataset), { now });
  const { posts, terms, ...loaded } = await loadSource(site.store, source, {
    mode: 'replace',
    place,
    siteUrl: site.url,
    now: site.clock.seconds(),
    adminPassword,
  });
  log.debug(`Loaded ${posts} posts and ${terms} terms from ${dataset}`);
  return loaded;
}
