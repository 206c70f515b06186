import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { RestError } from '../../../wordpress/rest/route.js';
import { corsHeaders } from '../../../wordpress/rest/transport/transport.js';
import { parseCookies } from '../../../wordpress/rest/request.js';
import { qaError, type QaRoute } from '../../tenant/api/route.js';
import { mayControl, requireControl, type Access } from '../../tenant/api/security.js';
import type { SiteUrls } from '../../../wordpress/rest/transport/address.js';
import { hostName } from '../../../base/text/hosts.js';
import { noSandbox, sandboxName, type Sandboxes } from '../sandboxes/sandboxes.js';
import { destinationOf, internalPaths, mounted, openMain, type Destination } from '../../tenant/transport/serve.js';
import { NOW_HEADER } from '../../tenant/transport/observe.js';
import { serveApi, type ApiTable } from '../../tenant/transport/serve.js';
import type { Log } from '../../../base/system/log.js';
import type { Tenant } from '../../tenant/tenant.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { stackOf } from '../../../base/values/errors.js';

interface TenantOptions {
  main: Tenant;
  sandboxes: Sandboxes;
  access: Access;
  /** The address that a request names. */
  address: SiteUrls;
  /** The sandbox of requests that name none. */
  defaultSandbox?: string;
  log: Log;
}

/** The settings that decide on the sandbox of a request. */
type Naming = Pick<TenantOptions, 'access' | 'address' | 'defaultSandbox'>;

interface NamedSandbox {
  /** Its name as given. */
  given: string;
  /** URL of the site in the sandbox; undefined: the main site's. */
  urlOf?: (name: string) => string;
}

/** Reads the sandbox from a host name: `NAME.localhost`, or `NAME.` and the domain for sandboxes. */
function sandboxByHost(request: IncomingMessage, { address, access: { sandboxDomain } }: Naming): NamedSandbox | undefined {
  const host = address.hostOf(request);
  if (host === undefined) return undefined;
  const isNamed = host.includes('.localhost') || (sandboxDomain !== undefined && host.includes(`.${sandboxDomain}`));
  const name = isNamed ? hostName(host) : null;
  const base = ['localhost', sandboxDomain].find((domain) => domain !== undefined && name?.endsWith(`.${domain}`));
  if (name === null || base === undefined) return undefined;
  const given = name.slice(0, -base.length - 1);
  const url = new URL(address.urlOf(request));
  url.hostname = name;
  // Names with more than one label are not sandboxes.
  return given.includes('.') ? undefined : { given, urlOf: () => url.href.replace(/\/$/, '') };
}

/**
 * The name of the sandbox in a header or cookie. What follows a dot tells tests apart in caches of the client, which keep responses by header,
 * and means nothing here.
 */
const namedBy = (value: string): NamedSandbox | undefined => {
  const [given] = value.split('.', 1);
  return given === '' ? undefined : { given };
};

/** Name of the cookie, for sites that pass the cookies of a visitor on. */
const COOKIE = 'understudy_sandbox';

function sandboxByCookie({ headers: { cookie } }: IncomingMessage): NamedSandbox | undefined {
  return cookie?.includes(COOKIE) ? namedBy(parseCookies(cookie)[COOKIE] ?? '') : undefined;
}

function sandboxByHeaders(request: IncomingMessage, options: Naming): NamedSandbox | undefined {
  const named = request.headers['x-understudy-sandbox'];
  const { defaultSandbox } = options;
  return (
    (typeof named === 'string' ? namedBy(named) : undefined) ??
    sandboxByHost(request, options) ??
    sandboxByCookie(request) ??
    (defaultSandbox === undefined ? undefined : { given: defaultSandbox })
  );
}

/** Whether a request is neither for a sandbox nor for the server itself. */
export const isForMain = (request: IncomingMessage, options: Naming): boolean =>
  request.url?.startsWith('/__') === false && sandboxByHeaders(request, options) === undefined;

/** @throws RestError for an invalid name, a sandbox that the caller may not create, or too many sandboxes */
async function openSandbox({ given, urlOf }: NamedSandbox, request: IncomingMessage, options: TenantOptions): Promise<Destination> {
  const { sandboxes, access, address, defaultSandbox } = options;
  const name = sandboxName(given);
  // Everybody may use an existing sandbox. Creating one requires the token.
  const mayCreate = name === defaultSandbox || mayControl(request, access);
  if (!mayCreate && !sandboxes.has(name)) throw noSandbox(name);
  const tenant = await sandboxes.get(name);
  return { tenant, site: urlOf ? tenant.siteAt(urlOf(name), name) : tenant.siteAt(address.urlOf(request)) };
}

function fail(ctx: Context, error: unknown, log: Log): void {
  const known = error instanceof RestError ? error : qaError('failed', 'Cannot create the sandbox. See the log of the server.', 500);
  if (known !== error) log.error(stackOf(error));
  ctx.status = known.httpStatus;
  ctx.type = 'json';
  ctx.body = JSON.stringify(known.body());
}

declare module 'koa' {
  interface DefaultState {
    sandbox?: NamedSandbox;
  }
}

/** Reads the sandbox from the path, and removes it from the URL. */
function sandboxByPath({ address }: TenantOptions): Middleware {
  const router = new Router().all(/^\/__sandbox\/([^/]*)/, (ctx, next) => {
    const [given = ''] = ctx.captures ?? [];
    const rest = ctx.url.slice('/__sandbox/'.length + given.length);
    ctx.url = rest.startsWith('/') ? rest : `/${rest}`;
    ctx.state.sandbox = { given, urlOf: (name) => `${address.urlOf(ctx.req)}/__sandbox/${name}` };
    return next();
  });
  return internalPaths(router);
}

/** Rejects requests that set their own time without the right to: it decides whether sessions and nonces have expired. */
export function forControlOnly({ access, log }: Pick<TenantOptions, 'access' | 'log'>): Middleware {
  return (ctx, next) => {
    if (ctx.headers[NOW_HEADER] === undefined) return next();
    try {
      requireControl(ctx.req, access, 'X-Understudy-Now');
    } catch (error) {
      ctx.set(corsHeaders(ctx, true));
      return fail(ctx, error, log);
    }
    return next();
  };
}

/** Finds the tenant of a request: the sandbox named in its path, a header, the host name or a cookie, else the main tenant. */
export function findTenant(options: TenantOptions): Middleware[] {
  const { main, address, log } = options;
  const toMain = openMain(main, address);
  return [
    sandboxByPath(options),
    (ctx, next) => {
      const named = ctx.state.sandbox ?? sandboxByHeaders(ctx.req, options);
      if (!named) return toMain(ctx, next);
      return openSandbox(named, ctx.req, options).then(
        (destination) => {
          ctx.state.destination = destination;
          // It may be deleted while the request waits.
          return next().catch((error: unknown) => {
            if (error !== destination.tenant.gate.ended) throw error;
            fail(ctx, error, log);
          });
        },
        (error: unknown) => fail(ctx, error, log),
      );
    },
  ];
}

/** The test API of the tenant of a request. */
export function tenantApi(routesOf: (tenant: Tenant) => QaRoute[], options: Omit<ApiTable, 'site' | 'routes'>): Middleware {
  const tables = new WeakMap<Tenant, { registry: Registry; routes: QaRoute[] }>();
  return mounted((ctx) => {
    const { tenant, site } = destinationOf(ctx);
    const { registry } = tenant.site;
    const known = tables.get(tenant);
    const routes = known?.registry === registry ? known.routes : routesOf(tenant);
    tables.set(tenant, { registry, routes });
    tenant.touch();
    return serveApi({ ...options, site, routes }, ctx);
  });
}
