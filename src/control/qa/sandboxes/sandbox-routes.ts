import { randomBytes } from 'node:crypto';
import { json, qaError, get, post, remove, putOrPost, type QaRoute } from '../../tenant/api/route.js';
import { sandboxName } from './sandboxes.js';
import { clockState, sentMoment, NOW_ARG } from '../clock-routes.js';
import { timed } from '../timed.js';
import { datasetError } from '../../tenant/api/transfer.js';
import { behavior, PLUGINS_ARG, RELEASE_ARGS, sentReleases, ZONES_ARG } from '../version-routes.js';
import { withDefaultPlugins } from '../../../plugins/register.js';
import type { Args, Json, RestResponse } from '../../../wordpress/rest/route.js';
import type { QaHost } from '../host.js';
import type { Tenant } from '../../tenant/tenant.js';

const NAMED = {
  name: { type: 'string', required: true, description: 'Name of the sandbox: up to 63 letters and digits, with - and _ between them.' },
} satisfies Args;

const NEW = {
  ...RELEASE_ARGS,
  zones: ZONES_ARG,
  plugins: PLUGINS_ARG,
  now: NOW_ARG,
} satisfies Args;

const IDLE = {
  idle: { type: 'number', minimum: 0, default: 300, description: 'Seconds without a request.' },
} satisfies Args;

export function shownSandbox(sandbox: Tenant): Record<string, Json> {
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

/** @param sent releases and zone data; absent: the server's, or the current ones of an existing sandbox */
async function open(
  { sandboxes }: QaHost,
  name: string,
  { now, zones, plugins, ...sent }: { now?: Json; version?: string; wordpress?: string; zones?: string; plugins?: string[] },
): Promise<RestResponse> {
  const isNew = !sandboxes.has(name);
  if (!isNew && now !== undefined)
    throw qaError('sandbox_exists', `Sandbox ${name} exists already. Set its time with PUT /__sandbox/${name}/__qa/clock.`, 409);
  if (!isNew && plugins !== undefined)
    throw qaError('sandbox_exists', `Sandbox ${name} exists already. To give it other plugins, delete it first.`, 409);
  const sandbox = await timed(async () => {
    const tenant = await sandboxes.get(name, {
      now: now === undefined ? undefined : sentMoment(now),
      zones,
      plugins: plugins && withDefaultPlugins(plugins),
    });
    const releases = sentReleases(sent);
    if (Object.keys(releases).length > 0) tenant.site.chosenReleases = tenant.startReleases = { ...tenant.startReleases, ...releases };
    if (zones !== undefined) tenant.site.chosenZones = zones;
    return shownSandbox(tenant);
  }).catch((error: unknown) => {
    throw datasetError(error);
  });
  return json(sandbox, isNew ? 201 : 200);
}

const FAILED = {
  title: { type: 'string', default: '', description: 'Title of the test, which becomes part of the name.' },
  project: { type: 'string', default: '', description: 'Project of the test: ten sandboxes are kept of each.' },
} satisfies Args;

export const sandboxRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  get('/__qa/sandboxes', {
    summary: 'List the sandboxes',
    handler: async () => json({ sandboxes: (await host.sandboxes.list()).map(shownSandbox) }),
  }),
  post('/__qa/sandboxes', {
    summary: 'Create a sandbox with a random name',
    args: NEW,
    handler: (params) => open(host, `s-${randomBytes(5).toString('hex')}`, params),
  }),
  remove('/__qa/sandboxes', {
    summary: 'Delete idle sandboxes, except the sandbox of this request',
    args: IDLE,
    handler: async ({ idle }) => {
      const limit = performance.now() - idle * 1000;
      const old = (await host.sandboxes.list()).filter(({ name, lastUsed }) => lastUsed <= limit && name !== tenant.name);
      const dropped = await Promise.all(old.map(async ({ name }) => ((await host.sandboxes.drop(name)) ? [name] : [])));
      return json({ deleted: dropped.flat() });
    },
  }),
  post('/__qa/keep', {
    summary: 'Copy the site of a failed test, with its journal, faults and stubs, to a sandbox that is kept for an hour',
    args: FAILED,
    handler: async ({ title, project }) =>
      json(await timed(async () => shownSandbox(await host.sandboxes.keep(tenant, title, project))), 201),
  }),
  get('/__qa/sandboxes/(?P<name>[^/]+)', {
    summary: 'Get a sandbox',
    args: NAMED,
    handler: async ({ name: given }) => {
      const name = sandboxName(given);
      if (!host.sandboxes.has(name)) throw qaError('no_sandbox', `There is no sandbox ${name}.`, 404);
      return json(shownSandbox(await host.sandboxes.get(name)));
    },
  }),
  putOrPost('/__qa/sandboxes/(?P<name>[^/]+)', {
    summary: 'Create a sandbox if it does not exist',
    args: { ...NAMED, ...NEW },
    handler: ({ name, ...params }) => open(host, sandboxName(name), params),
  }),
  remove('/__qa/sandboxes/(?P<name>[^/]+)', {
    summary: 'Delete a sandbox and its content',
    args: NAMED,
    handler: async ({ name: given }) => {
      const name = sandboxName(given);
      if (!(await host.sandboxes.drop(name))) throw qaError('no_sandbox', `There is no sandbox ${name}.`, 404);
      return json({ deleted: name });
    },
  }),
];
