import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { RestError } from '../../rest/error.js';
import { refuse } from '../route.js';
import { hasToken, hostName, isOwnHost, type Access } from '../security.js';
import { sandboxName, type Sandboxes } from '../sandboxes/sandboxes.js';
import { ownAddresses } from './router.js';
import type { Log } from '../../log.js';
import type { Tenant } from '../tenant.js';
import type { Site } from '../../wp/site.js';

export interface TenantOptions {
  main: Tenant;
  sandboxes: Sandboxes;
  access: Access;
  /** The sandbox of those who name none. */
  usual?: string;
  log: Log;
}

/** A sandbox that a request names. */
interface Place {
  /** Its name as given. */
  given: string;
  /** Address of the site there; undefined: that of the main site. */
  urlOf?: (name: string) => string;
}

/** What the requests to a server are for, once that has been found out. */
export interface Destination {
  tenant: Tenant;
  /** Its site, at the address at which it was called. */
  site: Site;
}

/** `NAME.localhost`, or `NAME.` and the domain for sandboxes. */
function placeByHost(host: string | undefined, { main, access: { sandboxDomain } }: TenantOptions): Place | undefined {
  if (host === undefined) return undefined;
  const isNamed = host.includes('.localhost') || (sandboxDomain !== undefined && host.includes(`.${sandboxDomain}`));
  const name = isNamed ? hostName(host) : null;
  const base = ['localhost', sandboxDomain].find((domain) => domain !== undefined && name?.endsWith(`.${domain}`));
  if (name === null || base === undefined) return undefined;
  const given = name.slice(0, -base.length - 1);
  const url = new URL(main.site.url);
  url.hostname = name;
  // What has more than one part is the site's own business.
  return given.includes('.') ? undefined : { given, urlOf: () => url.href.replace(/\/$/, '') };
}

function placeByHeaders({ headers }: IncomingMessage, options: TenantOptions): Place | undefined {
  const named = headers['x-understudy-sandbox'];
  if (typeof named === 'string' && named !== '') return { given: named };
  return placeByHost(headers.host, options) ?? (options.usual === undefined ? undefined : { given: options.usual });
}

/** @throws RestError for what cannot be a name, for a sandbox that the caller may not make, and where there are too many */
async function openSandbox({ given, urlOf }: Place, request: IncomingMessage, options: TenantOptions): Promise<Destination> {
  const { main, sandboxes, access, usual } = options;
  const name = sandboxName(given);
  // Whoever only knows a name gets what is there; making one takes more.
  const mayMake = name === usual || (isOwnHost(request, access) && hasToken(request, access));
  if (!mayMake && !sandboxes.has(name))
    throw refuse('no_sandbox', `There is no sandbox ${name}; PUT /__qa/sandboxes/${name} makes it.`, 404);
  const tenant = await sandboxes.get(name);
  return { tenant, site: tenant.siteAt(urlOf?.(name) ?? main.site.url) };
}

function fail(ctx: Context, error: unknown, log: Log): void {
  const known =
    error instanceof RestError ? error : refuse('failed', 'The sandbox could not be made; the log of the server tells why.', 500);
  if (known !== error) log.error((error as Error).stack ?? String(error));
  ctx.status = known.httpStatus;
  ctx.type = 'json';
  ctx.body = JSON.stringify(known.body());
}

/** Reads the sandbox from a path, which loses that part. */
function placeByPath({ main }: TenantOptions): Middleware {
  const router = new Router().all(/^\/__sandbox\/([^/]*)/, (ctx, next) => {
    const [given = ''] = ctx.captures ?? [];
    const rest = ctx.url.slice('/__sandbox/'.length + given.length);
    ctx.url = rest.startsWith('/') ? rest : `/${rest}`;
    ctx.state.place = { given, urlOf: (name) => `${main.site.url}/__sandbox/${name}` } satisfies Place;
    return next();
  });
  return ownAddresses(router);
}

/** Finds the tenant that a request is for: the sandbox named in its path, a header or the host name, otherwise the main tenant. */
export function findTenant(options: TenantOptions): Middleware[] {
  const { main, log } = options;
  const atMain: Destination = { tenant: main, site: main.site };
  return [
    placeByPath(options),
    (ctx, next) => {
      const place = (ctx.state.place as Place | undefined) ?? placeByHeaders(ctx.req, options);
      ctx.state.destination = atMain;
      if (!place) return next();
      return openSandbox(place, ctx.req, options).then(
        (destination) => {
          ctx.state.destination = destination;
          return next();
        },
        (error: unknown) => fail(ctx, error, log),
      );
    },
  ];
}

/** Where {@link findTenant} found that a request goes to. */
export const destinationOf = (ctx: Context): Destination => ctx.state.destination as Destination;
