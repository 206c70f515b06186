import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RestError } from '../../rest/error.js';
import { refuse, type QaRoute } from '../route.js';
import { hasToken, hostName, isOwnHost, type Access } from '../security.js';
import { sandboxName, type Sandboxes } from '../sandboxes/sandboxes.js';
import { isQa, serveQa } from './serve.js';
import type { Log } from '../../log.js';
import type { Site } from '../../wp/site.js';
import type { Tenant } from '../tenant.js';

export interface TenantsOptions {
  main: Tenant;
  sandboxes: Sandboxes;
  access: Access;
  /** The sandbox of those who name none. */
  usual?: string;
  /** Headers, by lower-case name, that requests are taken to have unless they bring their own. */
  headers: Readonly<Record<string, string>>;
  log: Log;
  /** The table of the test surface for a tenant. */
  routes: (tenant: Tenant) => QaRoute[];
  /** What answers for a tenant's site under one of its addresses. */
  listener: (tenant: Tenant, site: Site) => RequestListener;
}

/** Where a request goes to. */
interface Place {
  name: string;
  /** Address of the sandbox; undefined: that of the site. */
  url?: string;
}

const PATH = /^\/__sandbox\/([^/?]*)/;

/** Listeners and table of a tenant, made when they are first needed. */
interface Served {
  listeners: Map<string, RequestListener>;
  routes: QaRoute[];
}

/** The door of a server with a test surface: finds the tenant that a request is for. */
export class Tenants {
  private readonly served = new WeakMap<Tenant, Served>();
  private readonly defaults: [string, string][];

  constructor(private readonly options: TenantsOptions) {
    this.defaults = Object.entries(options.headers);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of this.defaults) request.headers[name] ??= value;
    const { main } = this.options;
    try {
      const place = this.placeOf(request);
      if (place === null) this.serve(main, main.site.url, request, response);
      else void this.serveSandbox(place, request, response);
    } catch (error) {
      this.fail(error, response);
    }
  }

  /** The sandbox that a request names: in its path, which loses that part, in a header, or in the name of the host. */
  private placeOf(request: IncomingMessage): Place | null {
    const { usual, main } = this.options;
    const address = request.url ?? '/';
    const inPath = address.startsWith('/__sandbox/') ? PATH.exec(address) : null;
    if (inPath) {
      const rest = address.slice(inPath[0].length);
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
      const name = sandboxName(inPath[1]);
      return { name, url: `${main.site.url}/__sandbox/${name}` };
    }
    const header = request.headers['x-understudy-sandbox'];
    if (typeof header === 'string' && header !== '') return { name: sandboxName(header) };
    return this.placeByHost(request) ?? (usual === undefined ? null : { name: usual });
  }

  private placeByHost({ headers: { host } }: IncomingMessage): Place | null {
    if (host === undefined) return null;
    const { sandboxDomain } = this.options.access;
    const isNamed = host.includes('.localhost') || (sandboxDomain !== undefined && host.includes(`.${sandboxDomain}`));
    const name = isNamed ? hostName(host) : null;
    const base =
      name === null ? undefined : ['localhost', sandboxDomain].find((domain) => domain !== undefined && name.endsWith(`.${domain}`));
    if (name === null || base === undefined) return null;
    const url = new URL(this.options.main.site.url);
    url.hostname = name;
    const label = name.slice(0, -base.length - 1);
    // What has more than one part is the site's own business.
    return label.includes('.') ? null : { name: sandboxName(label), url: url.href.replace(/\/$/, '') };
  }

  private async serveSandbox({ name, url }: Place, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sandboxes, access, usual, main } = this.options;
    try {
      // Whoever only knows a name gets what is there; making one takes more.
      const mayMake = name === usual || (isOwnHost(request, access) && hasToken(request, access));
      if (!mayMake && !sandboxes.has(name))
        throw refuse('no_sandbox', `There is no sandbox ${name}; PUT /__qa/sandboxes/${name} makes it.`, 404);
      const tenant = await sandboxes.get(name);
      this.serve(tenant, url ?? main.site.url, request, response);
    } catch (error) {
      this.fail(error, response);
    }
  }

  private serve(tenant: Tenant, url: string, request: IncomingMessage, response: ServerResponse): void {
    const { access, log } = this.options;
    const served = this.servedOf(tenant);
    if (isQa(request.url ?? '/')) {
      tenant.touch();
      void serveQa({ site: tenant.site, routes: served.routes, access, log }, request, response);
      return;
    }
    const known = served.listeners.get(url);
    const listener = known ?? this.options.listener(tenant, url === tenant.site.url ? tenant.site : tenant.site.at(url));
    if (!known) served.listeners.set(url, listener);
    listener(request, response);
  }

  private servedOf(tenant: Tenant): Served {
    const known = this.served.get(tenant);
    if (known) return known;
    const made = { listeners: new Map<string, RequestListener>(), routes: this.options.routes(tenant) };
    this.served.set(tenant, made);
    return made;
  }

  private fail(error: unknown, response: ServerResponse): void {
    const known =
      error instanceof RestError ? error : refuse('failed', 'The sandbox could not be made; the log of the server tells why.', 500);
    if (known !== error) this.options.log.error((error as Error).stack ?? String(error));
    response.writeHead(known.httpStatus, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(known.body()));
  }
}
