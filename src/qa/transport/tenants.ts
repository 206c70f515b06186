import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { RestError } from '../../rest/error.js';
import { qaError } from '../route.js';
import { hasToken, hostName, isOwnHost, type Access } from '../security.js';
import { sandboxName, type Sandboxes } from '../sandboxes/sandboxes.js';
import { internalPaths } from './router.js';
import type { Log } from '../../log.js';
import type { Tenant } from '../tenant.js';
import type { Site } from '../../wp/site.js';

export interface TenantOptions {
  main: Tenant;
  sandboxes: Sandboxes;
  access: Access;
  /** The sandbox of requests that name none. */
  defaultSandbox?: string;
  log: Log;
}

/** The sandbox that a request names. */
interface NamedSandbox {
  /** Its name as given. */
  given: string;
  /** URL of the site in the sandbox; undefined: that of the main site. */
  urlOf?: (name: string) => string;
}

/** The tenant of a request. */
export interface Destination {
  tenant: Tenant;
  /** Its site, under the requested URL. */
  site: Site;
}

/** Reads the sandbox from a host name: `NAME.localhost`, or `NAME.` and the domain for sandboxes. */
function sandboxByHost(host: string | undefined, { main, access: { sandboxDomain } }: TenantOptions): NamedSandbox | undefined {
  if (host === undefined) return undefined;
  const isNamed = host.includes('.localhost') || (sandboxDomain !== undefined && host.includes(`.${sandboxDomain}`));
  const name = isNamed ? hostName(host) : null;
  const base = ['localhost', sandboxDomain].find((domain) => domain !== undefined && name?.endsWith(`.${domain}`));
  if (name === null || base === undefined) return undefined;
  const given = name.slice(0, -base.length - 1);
  const url = new URL(main.site.url);
  url.hostname = name;
  // Names with more than one label are not sandboxes.
  return given.includes('.') ? undefined : { given, urlOf: () => url.href.replace(/\/$/, '') };
}

function sandboxByHeaders({ headers }: IncomingMessage, options: TenantOptions): NamedSandbox | undefined {
  const named = headers['x-understudy-sandbox'];
  if (typeof named === 'string' && named !== '') return { given: named };
  return sandboxByHost(headers.host, options) ?? (options.defaultSandbox === undefined ? undefined : { given: options.defaultSandbox });
}

/** @throws RestError for an invalid name, a sandbox that the caller may not create, or too many sandboxes */
async function openSandbox({ given, urlOf }: NamedSandbox, request: IncomingMessage, options: TenantOptions): Promise<Destination> {
  const { main, sandboxes, access, defaultSandbox } = options;
  const name = sandboxName(given);
  // Everybody may use an existing sandbox. Creating one requires the token.
  const mayCreate = name === defaultSandbox || (isOwnHost(request, access) && hasToken(request, access));
  if (!mayCreate && !sandboxes.has(name))
    throw qaError('no_sandbox', `Sandbox ${name} does not exist. Create it with PUT /__qa/sandboxes/${name}.`, 404);
  const tenant = await sandboxes.get(name);
  return { tenant, site: tenant.siteAt(urlOf?.(name) ?? main.site.url) };
}

function fail(ctx: Context, error: unknown, log: Log): void {
  const known = error instanceof RestError ? error : qaError('failed', 'Cannot create the sandbox. See the log of the server.', 500);
  if (known !== error) log.error((error as Error).stack ?? String(error));
  ctx.status = known.httpStatus;
  ctx.type = 'json';
  ctx.body = JSON.stringify(known.body());
}

/** Reads the sandbox from the path, and removes it from the URL. */
function sandboxByPath({ main }: TenantOptions): Middleware {
  const router = new Router().all(/^\/__sandbox\/([^/]*)/, (ctx, next) => {
    const [given = ''] = ctx.captures ?? [];
    const rest = ctx.url.slice('/__sandbox/'.length + given.length);
    ctx.url = rest.startsWith('/') ? rest : `/${rest}`;
    ctx.state.sandbox = { given, urlOf: (name) => `${main.site.url}/__sandbox/${name}` } satisfies NamedSandbox;
    return next();
  });
  return internalPaths(router);
}

/** Finds the tenant of a request: the sandbox named in its path, a header or the host name, else the main tenant. */
export function findTenant(options: TenantOptions): Middleware[] {
  const { main, log } = options;
  const atMain: Destination = { tenant: main, site: main.site };
  return [
    sandboxByPath(options),
    (ctx, next) => {
      const named = (ctx.state.sandbox as NamedSandbox | undefined) ?? sandboxByHeaders(ctx.req, options);
      ctx.state.destination = atMain;
      if (!named) return next();
      return openSandbox(named, ctx.req, options).then(
        (destination) => {
          ctx.state.destination = destination;
          return next();
        },
        (error: unknown) => fail(ctx, error, log),
      );
    },
  ];
}

/** The result of {@link findTenant}. */
export const destinationOf = (ctx: Context): Destination => ctx.state.destination as Destination;
