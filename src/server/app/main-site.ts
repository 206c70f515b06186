import { fixedUrl, type ServerOptions } from '../config/index.js';
import type { Administrator } from '../../transfer/load/administrator.js';
import { placeIn, type SitePlace } from '../../transfer/load/mirror.js';
import type { DatabaseKind } from '../../database/engine/index.js';
import { Memory } from '../../database/memory/index.js';
import { newestZones } from '../../base/php/zone-data.js';
import { isLoopback } from '../../base/text/hosts.js';
import { startClock, Tenant } from '../../control/tenant/tenant.js';
import { seedStore, readDataset } from './seed.js';
import type { Cleanup } from './cleanup.js';
import type { HealthChecks } from './health.js';
import type { Listening } from './listen.js';
import type { MemoryFigures } from './metrics.js';
import { makeSite, openStore, type Later, type Starting } from './open.js';
import type { CrashHandling } from './recovery.js';
import type { Log } from '../../base/system/log.js';
import type { MountedRoute } from '../../wordpress/rest/table.js';
import { registryWithDefaults } from '../../plugins/register.js';
import type { Registry } from '../../wordpress/types/registry.js';
import { readScenarios, startScenario } from './option-objects.js';

/** Arguments for the start of a server, without those that require the modules of the server. */
export interface Start {
  options: ServerOptions;
  database: Required<Starting> | Later;
  /** The data folder. */
  folder: string;
  /** Whether the folder was created. */
  isNew: boolean;
  listening: Listening;
  /** File of the certificate; null: HTTP. */
  certificate: string | null;
  /** Settles when the database is lost and the server has to end. */
  lost: Promise<void>;
  health: HealthChecks;
  /** Called with the source of the routes as soon as they are known. Content that replaces the site's may bring others. */
  onRoutes: (table: () => MountedRoute[]) => void;
  /** Called with the sources of memory metrics, as soon as they exist. */
  onMemory: (figures: () => MemoryFigures) => void;
  /** Registers what to do when the database crashes. */
  onCrash: (handling: CrashHandling) => void;
  log: Log;
  cleanup: Cleanup;
}

/** The main tenant of a server, and what its site was opened with. */
interface MainSite {
  tenant: Tenant;
  place: SitePlace;
  /** Where its content is. */
  kind: () => DatabaseKind;
  /** The administrator, if this start created one or gave one a password. */
  administrator: Administrator | null;
}

/** Whether tests may control a server: only with a token if requests come from elsewhere, as they do through a proxy. */
export const hasTestApi = ({ qa, host, qaToken, trustProxy }: ServerOptions): boolean =>
  qa && (qaToken !== undefined || (isLoopback(host) && !trustProxy));

/** Opens the site, and seeds its store if it is empty. */
export async function openMainSite({ options, folder, isNew, listening, log, cleanup, database }: Start): Promise<MainSite> {
  const scenarios = readScenarios(options);
  let reading = isNew ? readDataset(options, log) : null;
  newestZones();
  // Without plugins in the options, the site has the ones that it was stored with, or an empty one the ones of its dataset.
  const registryFor = async (stored: readonly string[] | null): Promise<Registry> => {
    if (options.plugins.length > 0) return registryWithDefaults(options.plugins);
    return registryWithDefaults(stored ?? (await (reading ??= readDataset(options, log))).plugins ?? []);
  };
  const memory = new Memory(options.cacheMemory);
  memory.onTooSmall = (needed) =>
    log.warn(`The memory is too small: lists come from the database, which takes longer. Start with --cache-memory ${needed}`);
  const { store, kind } = await openStore(database, registryFor, cleanup, memory);
  const place = placeIn(folder);
  const site = makeSite(options, store, (fixedUrl(options) ?? listening.url).replace(/\/+$/, ''), place.uploads, log);
  const { administrator, clock, reopen, dataset, file } = await seedStore({ site, options, place, log, reading });
  startClock(site.clock, clock);
  await site.reload();
  store.warm();

  const hasQa = hasTestApi(options);
  const loaded = dataset === null ? {} : { loadedAt: site.clock.now() };
  const pristine = { store, files: place.pristine, clock, reopen, dataset, file, ...loaded };
  const tenant = new Tenant('', site, folder, pristine, hasQa ? options.journal : 0, scenarios);
  for (const name of hasQa ? options.scenario : []) startScenario(tenant, name);
  for (const url of options.webhooks) tenant.webhooks.add({ url, secret: options.webhookSecret, keep: true });
  cleanup.add(() => tenant.webhooks.close());
  return { tenant, place, kind, administrator };
}
