import { changesRoutes } from './changes-routes.js';
import { clockRoutes } from './clock-routes.js';
import { contentRoutes } from './content-routes.js';
import { docRoutes } from './doc.js';
export { schemaOf } from './doc.js';
import { faultRoutes } from './faults/fault-routes.js';
import { journalRoutes } from './journal/journal-routes.js';
import { restRoutes } from './rest-route.js';
import { sandboxRoutes } from './sandboxes/sandbox-routes.js';
import { saveRoutes } from './save-routes.js';
import { seedRoutes } from './seed.js';
import { settingsRoutes } from './settings-routes.js';
import { stateRoutes } from './state-routes.js';
import { stubRoutes } from './stubs/stub-routes.js';
import { transferRoutes } from '../tenant/api/transfer.js';
import { tokenRoutes } from './token-routes.js';
import { uiRoutes } from './ui-routes.js';
import { versionRoutes } from './version-routes.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';
import type { QaHost, QaRows } from './host.js';
import { byPath, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';

const PARTS: readonly QaRows[] = [
  stateRoutes,
  contentRoutes,
  changesRoutes,
  seedRoutes,
  saveRoutes,
  clockRoutes,
  versionRoutes,
  settingsRoutes,
  tokenRoutes,
  faultRoutes,
  stubRoutes,
  journalRoutes,
  sandboxRoutes,
  transferRoutes,
  restRoutes,
  uiRoutes,
  webhookRoutes,
];

/** All routes of the test API for a tenant. */
export function qaRoutes(tenant: Tenant, host: QaHost): QaRoute[] {
  const table: QaRoute[] = byPath([...docRoutes(() => table), ...PARTS.flatMap((part) => part(tenant, host))]);
  return table;
}

/** The routes with their texts and arguments. Their handlers must not be called, since there is no tenant. */
export const describedRoutes = (): QaRoute[] => qaRoutes({} as Tenant, {} as QaHost);
