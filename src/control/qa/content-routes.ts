import { PRISTINE } from '../../transfer/load/load.js';
import { packageVersion } from '../../base/system/package-version.js';
import { clockState } from './clock-routes.js';
import { json, get, post, putOrPost, remove, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';
import { timed } from './timed.js';
import { behavior } from './version-routes.js';
import type { Args } from '../../wordpress/rest/route.js';
import type { QaHost } from './host.js';

const NAMED = {
  name: {
    type: 'string',
    required: true,
    description: 'Name of the snapshot: up to 64 letters, digits, - and _.',
    validate: (value) =>
      (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) && value !== PRISTINE) || {
        message: `name must be up to 64 letters, digits, - and _. The name ${PRISTINE} is reserved for reset.`,
      },
  },
} satisfies Args;

/** Health, reset and snapshots. */
export const contentRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  get('/__qa/health', {
    summary: 'Get the state of the server',
    handler: async (_params, _request, { site: { url } }) => {
      const database = await tenant.site.store.ping();
      const status = database ? 'ok' : 'no database';
      const body = {
        status,
        understudy: packageVersion(),
        url,
        namespaces: [...host.namespaces],
        engine: host.engine(),
        ...behavior(tenant.site),
        clock: clockState(tenant.site),
      };
      return json(tenant.name === '' ? body : { ...body, sandbox: tenant.name }, database ? 200 : 503);
    },
  }),
  post('/__qa/reset', {
    summary: 'Reset to the dataset: content, users, files, clock and version. Faults and the journal are not changed.',
    // Accepts unknown parameters for backward compatibility.
    open: true,
    body: 'bytes',
    handler: async () => json(await timed(async () => tenant.reset().then(() => ({ reset: true })))),
  }),
  get('/__qa/snapshots', {
    summary: 'List the snapshots',
    handler: async () => json({ snapshots: (await tenant.snapshots()).map((each) => ({ ...each })) }),
  }),
  putOrPost('/__qa/snapshots/(?P<name>[^/]+)', {
    summary: 'Save a snapshot of content, users, files and clock',
    args: NAMED,
    handler: async ({ name }) => json(await timed(async () => tenant.saveSnapshot(name).then(() => ({ saved: name }))), 201),
  }),
  remove('/__qa/snapshots/(?P<name>[^/]+)', {
    summary: 'Delete a snapshot',
    args: NAMED,
    handler: async ({ name }) => tenant.deleteSnapshot(name).then(() => json({ deleted: name })),
  }),
  post('/__qa/snapshots/(?P<name>[^/]+)/restore', {
    summary: 'Restore a snapshot',
    args: NAMED,
    handler: async ({ name }) => json(await timed(async () => tenant.restoreSnapshot(name).then(() => ({ restored: name })))),
  }),
];
