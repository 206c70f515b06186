import type { MountedRoute } from '../../wordpress/rest/table.js';
import type { QaRoute } from '../tenant/api/route.js';
import type { Sandboxes } from './sandboxes/sandboxes.js';
import type { Tenant } from '../tenant/tenant.js';

/** Interface of the server that the test API of a tenant needs. */
export interface QaHost {
  engine: () => string;
  /** Names under which the calendar is mounted in the tenant. */
  namespaces: readonly string[];
  /** The routes of the tenant's REST API. */
  table: MountedRoute[];
  sandboxes: Sandboxes;
  /** Folder whose `uploads` subfolder contains the media of seeded datasets. */
  datasetFolder: string;
  /** The dataset file that the server was started with, and that changes can be saved to; null: none of the user's own. */
  savedFile: string | null;
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
