import { sourceOf } from '../content/formats/dataset/file.js';
import { PRISTINE } from '../content/load/load.js';
import { clockState } from './clock-routes.js';
import { endpoint, json, qaError, type QaRequest, type QaRoute } from './route.js';
import type { Tenant } from './tenant.js';
import { datasetError } from './transfer.js';
import { behavior } from './version-routes.js';
import type { Args, Json } from '../rest/route.js';
import { Clock } from '../wp/clock.js';
import type { QaHost } from './host.js';

/** Adds the duration of a function to its result. */
async function timed<T extends Record<string, Json>>(work: () => Promise<T>): Promise<T & { ms: number }> {
  const started = performance.now();
  const result = await work();
  return { ...result, ms: Math.round((performance.now() - started) * 10) / 10 };
}

function datasetOf({ bytes }: QaRequest): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw qaError('invalid_dataset', `The body is not JSON: ${(error as Error).message}`);
  }
}

async function seed(tenant: Tenant, host: QaHost, request: QaRequest, keep: boolean): Promise<Record<string, Json>> {
  const value = datasetOf(request);
  const input = { name: 'The body', folder: host.datasetFolder };
  // Relative dates are relative to the site's clock.
  const source = await Clock.at(tenant.site.clock.now(), () => sourceOf(value, input, null));
  const { posts, terms, users, administrator } = await tenant
    .load([source], {
      mode: 'replace',
      forOnce: !keep,
      // A seeded dataset must not depend on the previous content.
      keepsAccounts: false,
      adminPassword: host.adminPassword,
    })
    .catch((error: unknown) => {
      throw datasetError(error);
    });
  return { seeded: true, posts, terms, users: administrator?.isNew === true ? users - 1 : users };
}

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

/** Health, reset, seed and snapshots. */
export const contentRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  {
    path: '/__qa/health',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Returns the state of the server.',
        args: {},
        handler: async (_request, { site: { url } }) => {
          const database = await tenant.site.store.ping();
          const status = database ? 'ok' : 'no database';
          const body = {
            status,
            url,
            namespaces: [...host.namespaces],
            engine: host.engine,
            ...behavior(tenant.site),
            clock: clockState(tenant.site),
          };
          return json(tenant.name === '' ? body : { ...body, sandbox: tenant.name }, database ? 200 : 503);
        },
      },
    ],
  },
  {
    path: '/__qa/reset',
    endpoints: [
      {
        methods: ['POST'],
        summary: 'Restores the dataset: content, users, files, clock and version. Faults and journal are not changed.',
        args: {},
        // Accepts unknown parameters for backward compatibility.
        open: true,
        body: 'bytes',
        handler: async () => json(await timed(async () => tenant.reset().then(() => ({ reset: true })))),
      },
    ],
  },
  {
    path: '/__qa/seed',
    endpoints: [
      endpoint({
        methods: ['POST'],
        summary: 'Replaces all content with the dataset in the body, a JSON file of either format.',
        args: { pristine: { type: 'boolean', default: true, description: 'Whether reset restores this dataset from now on.' } },
        body: 'bytes',
        handler: async ({ pristine }, request) => json(await timed(() => seed(tenant, host, request, pristine))),
      }),
    ],
  },
  {
    path: '/__qa/snapshots',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Lists the snapshots.',
        args: {},
        handler: async () => json({ snapshots: (await tenant.snapshots()).map((each) => ({ ...each })) }),
      },
    ],
  },
  {
    path: '/__qa/snapshots/(?P<name>[^/]+)',
    endpoints: [
      endpoint({
        methods: ['PUT', 'POST'],
        summary: 'Saves a snapshot of content, users, files and clock.',
        args: NAMED,
        handler: async ({ name }) => json(await timed(async () => tenant.saveSnapshot(name).then(() => ({ saved: name }))), 201),
      }),
      endpoint({
        methods: ['DELETE'],
        summary: 'Deletes a snapshot.',
        args: NAMED,
        handler: async ({ name }) => tenant.deleteSnapshot(name).then(() => json({ deleted: name })),
      }),
    ],
  },
  {
    path: '/__qa/snapshots/(?P<name>[^/]+)/restore',
    endpoints: [
      endpoint({
        methods: ['POST'],
        summary: 'Restores a snapshot.',
        args: NAMED,
        handler: async ({ name }) => json(await timed(async () => tenant.restoreSnapshot(name).then(() => ({ restored: name })))),
      }),
    ],
  },
];
