import { randomBytes } from 'node:crypto';
import { endpoint, json, qaError, type QaRoute } from '../route.js';
import { sandboxName } from './sandboxes.js';
import { clockState } from '../clock-routes.js';
import { behavior, VERSION_ARG } from '../version-routes.js';
import type { Args, Json } from '../../rest/route.js';
import type { RestResponse } from '../../rest/response.js';
import type { QaHost } from '../host.js';
import type { Tenant } from '../tenant.js';

const NAMED = {
  name: { type: 'string', required: true, description: 'Name of the sandbox: up to 63 letters and digits, with - and _ between them.' },
} satisfies Args;

const WITH_VERSION = { version: VERSION_ARG } satisfies Args;

function shown(sandbox: Tenant): Record<string, Json> {
  const url = `${sandbox.site.url}/__sandbox/${sandbox.name}`;
  const idle = Math.round((performance.now() - sandbox.lastUsed) / 1000);
  return {
    name: sandbox.name,
    url,
    restUrl: `${url}/wp-json`,
    idleSeconds: idle,
    ...behavior(sandbox.site),
    clock: clockState(sandbox.site),
  };
}

/** @param version release of the plugin; absent: that of the server, or the present one of an existing sandbox */
async function open({ sandboxes }: QaHost, name: string, version: string | undefined): Promise<RestResponse> {
  const started = performance.now();
  const isNew = !sandboxes.has(name);
  const sandbox = await sandboxes.get(name);
  if (version !== undefined) sandbox.site.chosenVersion = sandbox.startVersion = version;
  return json({ ...shown(sandbox), ms: Math.round((performance.now() - started) * 10) / 10 }, isNew ? 201 : 200);
}

/** Routes of the sandboxes. */
export const sandboxRoutes = (_tenant: Tenant, host: QaHost): QaRoute[] => [
  {
    path: '/__qa/sandboxes',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Lists the sandboxes.',
        args: {},
        handler: async () => json({ sandboxes: (await host.sandboxes.list()).map(shown) }),
      },
      endpoint({
        methods: ['POST'],
        summary: 'Creates a sandbox with a random name.',
        args: WITH_VERSION,
        handler: ({ version }) => open(host, `s-${randomBytes(5).toString('hex')}`, version),
      }),
    ],
  },
  {
    path: '/__qa/sandboxes/(?P<name>[^/]+)',
    endpoints: [
      endpoint({
        methods: ['GET'],
        summary: 'Returns a sandbox.',
        args: NAMED,
        handler: async ({ name: given }) => {
          const name = sandboxName(given);
          if (!host.sandboxes.has(name)) throw qaError('no_sandbox', `There is no sandbox ${name}.`, 404);
          return json(shown(await host.sandboxes.get(name)));
        },
      }),
      endpoint({
        methods: ['PUT', 'POST'],
        summary: 'Creates a sandbox if it does not exist.',
        args: { ...NAMED, ...WITH_VERSION },
        handler: ({ name, version }) => open(host, sandboxName(name), version),
      }),
      endpoint({
        methods: ['DELETE'],
        summary: 'Deletes a sandbox with its content.',
        args: NAMED,
        handler: async ({ name: given }) => {
          const name = sandboxName(given);
          if (!(await host.sandboxes.drop(name))) throw qaError('no_sandbox', `There is no sandbox ${name}.`, 404);
          return json({ deleted: name });
        },
      }),
    ],
  },
];
