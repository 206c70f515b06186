import { fixedUrl, type ServerOptions } from '../config/index.js';
import type { Administrator } from '../content/load/administrator.js';
import { placeIn, type SitePlace } from '../content/load/files.js';
import type { Engine } from '../engine/index.js';
import { Memory } from '../memory/index.js';
import { readZones } from '../php/timezone.js';
import { isLoopback } from '../tenant/api/security.js';
import { startClock, Tenant } from '../tenant/tenant.js';
import { fill, readDataset } from './fill.js';
import { makeSite, openStore } from './open.js';
import { readScenarios, startScenario } from './scenarios.js';
import type { Start } from './server.js';

/** The main tenant of a server, and what its site was opened with. */
export interface MainSite {
  tenant: Tenant;
  place: SitePlace;
  engine: Engine;
  /** The administrator, if this start created one or gave one a password. */
  administrator: Administrator | null;
}

/** Whether tests may control a server: from elsewhere only with a token. */
export const hasTestApi = ({ qa, host, qaToken }: ServerOptions): boolean => qa && (isLoopback(host) || qaToken !== undefined);

/** Opens the site, and fills its store if there is nothing in it. */
export async function openMainSite({ options, folder, isNew, listening, log, cleanup, ...starting }: Start): Promise<MainSite> {
  const scenarios = readScenarios(options);
  const reading = isNew ? readDataset(options) : null;
  readZones();
  const { store, engine } = await openStore(starting, cleanup, new Memory(options.cacheMemory));
  const place = placeIn(folder);
  const site = makeSite(options, store, (fixedUrl(options) ?? listening.url).replace(/\/+$/, ''), place.uploads, log);
  const { administrator, clock, reopen, dataset } = await fill({ site, options, place, log, reading });
  startClock(site.clock, clock);
  await site.reload();
  store.warm();

  const hasQa = hasTestApi(options);
  const pristine = { store, files: place.pristine, clock, reopen, dataset };
  const tenant = new Tenant('', site, folder, pristine, hasQa ? options.journal : 0, scenarios);
  for (const name of hasQa ? options.scenario : []) startScenario(tenant, name);
  for (const url of options.webhooks) tenant.webhooks.add({ url, secret: options.webhookSecret, keep: true });
  cleanup.add(() => tenant.webhooks.close());
  return { tenant, place, engine, administrator };
}
