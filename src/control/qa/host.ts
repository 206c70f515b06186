import type { MountedRoute } from '../../wordpress/rest/table.js';
import type { QaRoute } from '../tenant/api/route.js';
import type { Sandboxes } from './sandboxes/sandboxes.js';
import type { Tenant } from '../tenant/tenant.js';

/** Properties shared by all tenants of a server. */
export interface QaHost {
  engine: string;
  namespaces: readonly string[];
  /** The routes of the REST API, for the warnings in the journal. */
  table: MountedRoute[];
  sandboxes: Sandboxes;
  /** Folder whose `uploads` subfolder contains the media of seeded datasets. */
  datasetFolder: string;
  /** Aborted when the server stops, to end waiting requests. */
  closing: AbortSignal;
  /** Timeout of a request, in ms. */
  timeout: number;
  /** Whether venues, organizers and terms that a dataset only mentions are created, unless a request overrides that. */
  create: boolean;
  adminPassword?: string;
  /** URL of the site that the dataset was recorded from, if any. */
  recordedUrl?: string;
}

/** Creates routes of the test API for a tenant. */
export type QaRows = (tenant: Tenant, host: QaHost) => QaRoute[];
