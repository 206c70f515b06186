import type { MountedRoute } from '../rest/table.js';
import type { QaRoute } from './route.js';
import type { Sandboxes } from './sandboxes/sandboxes.js';
import type { Tenant } from './tenant.js';

/** What is the same for all tenants of a server. */
export interface QaHost {
  engine: string;
  namespaces: readonly string[];
  /** The table of the REST API, which the journal is compared with. */
  table: MountedRoute[];
  sandboxes: Sandboxes;
  /** Folder whose `uploads` hold the media of datasets that are seeded. */
  datasetFolder: string;
  adminPassword?: string;
  /** Address of the site that the dataset was recorded from, if it was. */
  recordedUrl?: string;
}

/** Rows of the table: what a part of the test surface adds for a tenant. */
export type QaRows = (tenant: Tenant, host: QaHost) => QaRoute[];
