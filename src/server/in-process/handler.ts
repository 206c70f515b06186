import { randomBytes } from 'node:crypto';
import { embeddedOptions } from './options.js';
import { inMemory } from './fetch.js';
import { startServer } from '../app/start.js';
import { fixedUrl } from '../config/index.js';
import type { ServerOptions } from '../config/server-options.js';
import { SiteControl, type SiteOptions } from '../../sdk/testing/site-control.js';
import { withoutUndefined } from '../../base/values/records.js';

/** Options of a server without the port's and without `qa`: the test API is always there. */
export interface HandlerOptions
  extends
    Partial<Omit<ServerOptions, 'host' | 'port' | 'tls' | 'tlsCert' | 'tlsKey' | 'trustProxy' | 'trustProxyHops' | 'qa'>>,
    Pick<SiteOptions, 'strict' | 'uploads' | 'admin'> {}

/** Members of a handler besides being a function: the same as those of the helpers for test runners. */
type Controls = Pick<
  SiteControl,
  | 'url'
  | 'restUrl'
  | 'client'
  | 'admin'
  | 'adminAuth'
  | 'as'
  | 'clock'
  | 'faults'
  | 'stubs'
  | 'journal'
  | 'snapshots'
  | 'webhooks'
  | 'seed'
  | 'setVersion'
  | 'setSettings'
  | 'allow'
  | 'check'
  | 'reset'
>;

/** A site without a port: takes what `fetch` takes, and responds as the server would. */
export interface Handler extends Controls {
  (input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Stops the database. With `strict`, checks the requests first. @throws IgnoredError */
  close(): Promise<void>;
}

/** URL of the site unless another is set. */
const URL_OF_SITE = 'http://localhost';

/** A function with the members of an object. */
const callable = <Call extends object, Members extends object>(call: Call, members: Members): Call & Members =>
  new Proxy(call, {
    get: (target, name): unknown => {
      if (!(name in members) || name === 'constructor') return Reflect.get(target, name);
      const value: unknown = Reflect.get(members, name, members);
      return typeof value === 'function' ? value.bind(members) : value;
    },
  }) as Call & Members;

class HandlerControl extends SiteControl {
  constructor(
    access: ConstructorParameters<typeof SiteControl>[0],
    options: SiteOptions,
    private readonly stop: () => Promise<void>,
  ) {
    super(access, options);
  }

  /** @throws IgnoredError with `strict`, after the reset */
  override async reset(): Promise<void> {
    try {
      await this.check();
    } finally {
      await super.reset();
    }
  }

  async close(): Promise<void> {
    try {
      await this.check();
    } finally {
      await this.stop();
    }
  }
}

const withBase = (input: Request | string | URL, base: string): Request | URL =>
  input instanceof Request ? input : new URL(input, `${base}/`);

/**
 * Starts a site without a port: a function that responds to requests like the server, for tests in the same process. It takes the options of
 * `createServer`, except the port's.
 * @throws ConfigError for an invalid option, EngineError when no database can be started or reached
 */
export async function createHandler({ strict, uploads, admin, ...options }: HandlerOptions = {}): Promise<Handler> {
  const defaults = { url: URL_OF_SITE, ...(admin === undefined ? { adminPassword: randomBytes(12).toString('hex') } : {}) };
  const resolved = await embeddedOptions(options, defaults, { host: '127.0.0.1', port: 0, qa: true });
  const url = (fixedUrl(resolved) ?? URL_OF_SITE).replace(/\/+$/, '');
  const { open, send } = inMemory(url);
  const server = await startServer(resolved, undefined, open);
  const handle = (input: Request | string | URL, init?: RequestInit): Promise<Response> => send(new Request(withBase(input, url), init));
  const { qaToken: token, adminPassword } = resolved;
  const access = { url, fetch: handle, token, adminPassword, adminLogin: server.administrator?.login };
  const control = new HandlerControl(access, withoutUndefined({ strict, uploads, admin, now: resolved.now }), () => server.close());
  return callable(handle, control);
}
