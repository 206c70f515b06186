import { clockRoutes } from './clock-routes.js';
import { contentRoutes } from './content-routes.js';
import { docRoutes } from './doc.js';
import { faultRoutes } from './faults/fault-routes.js';
import { journalRoutes } from './journal/journal-routes.js';
import { sandboxRoutes } from './sandboxes/sandbox-routes.js';
import { transferRoutes } from './transfer.js';
import { uiRoutes } from './ui-routes.js';
import type { MountedRoute } from '../rest/dispatch.js';
import type { QaRoute } from './route.js';
import type { Sandboxes } from './sandboxes/sandboxes.js';
import type { World } from './world.js';

/** What is the same for all worlds of a server. */
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

/** Rows of the table: what a part of the test surface adds for a world. */
export type QaRows = (world: World, host: QaHost) => QaRoute[];

const PARTS: readonly QaRows[] = [contentRoutes, clockRoutes, faultRoutes, journalRoutes, sandboxRoutes, transferRoutes, uiRoutes];

/** The table of the test surface for a world, index and document included. */
export function qaRoutes(world: World, host: QaHost): QaRoute[] {
  const table: QaRoute[] = [...docRoutes(world.site, () => table), ...PARTS.flatMap((part) => part(world, host))];
  return table;
}
