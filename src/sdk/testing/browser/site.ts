import { bypass } from 'msw';
import type { Fetch } from '../../client/transport.js';
import type { Dataset } from '../../types/dataset.js';
import { Control } from '../control.js';

/** Interface of a site for handlers of Mock Service Worker, which `createHandler` or `connect` returns. */
export interface SiteHandler {
  (request: Request): Promise<Response>;
  /** URL of the site, without trailing slash. */
  readonly url: string;
  /** Which paths below `url` are for the site. Default: all. */
  readonly paths?: readonly string[];
}

export interface ConnectOptions {
  /** URL of the site, as the program under test requests it and as links have it. Default: the origin of the page. */
  url?: string;
  /** URL of the server. Default: the origin of the page, where the Vite plugin has it. Another origin has to allow requests of this page. */
  server?: string;
  /** Name of a sandbox, or true for one of this tab, so that other tabs and tests do not see what this one changes. Default: the main site. */
  sandbox?: string | boolean;
  /** Token of the test API, if one is required. */
  token?: string;
}

/** A site of a running server, requested in a browser. */
export interface ConnectedSite extends SiteHandler, Pick<Control, 'clock' | 'faults' | 'stubs' | 'journal' | 'snapshots' | 'webhooks'> {
  /** Name of the sandbox; null: the main site. */
  readonly sandbox: string | null;
  /** Restores content, users, files and clock, removes faults, webhooks and added stubs, and clears the journal. */
  reset: () => Promise<void>;
  /** Replaces all content, which reset restores from then on: an object, or the text of a file of any format. */
  seed: (dataset: Dataset | string) => Promise<void>;
  /** Deletes the sandbox. */
  close: () => Promise<void>;
}

/** At the origin of the page, all other paths belong to the dev server. */
const SHARED_PATHS = ['/wp-json', '/wp-json/*', '/wp-content/uploads/*'];

const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** @throws Error outside of pages, which have an origin */
function pageOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (location === undefined) throw new Error('There is no page here whose origin could be used. Pass { server: URL } to connect.');
  return location.origin;
}

/** Requests that handlers send are not for handlers. */
const direct = (url: string, init: RequestInit): Promise<Response> => fetch(bypass(url, init));

const KEPT_NAME = 'understudy-sandbox';

/** The name of the sandbox of this tab. It stays when the page is reloaded, since the number of sandboxes is limited. */
function tabName(): string {
  const { sessionStorage: kept } = globalThis as {
    sessionStorage?: { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void };
  };
  const name = kept?.getItem(KEPT_NAME) ?? `tab-${crypto.randomUUID().slice(0, 13)}`;
  kept?.setItem(KEPT_NAME, name);
  return name;
}

/** The address that the program has requested, for links in responses. */
function forwardedHeaders(url: string): Record<string, string> {
  const { protocol, host, pathname } = new URL(url);
  const prefix = trimmed(pathname);
  return {
    'X-Forwarded-Host': host,
    'X-Forwarded-Proto': protocol.slice(0, -1),
    ...(prefix === '' ? {} : { 'X-Forwarded-Prefix': prefix }),
  };
}

/**
 * Connects to a running server, such as the Vite plugin's: `setupWorker(...handlers(connect({ url: 'https://calendar.example.org' })))`.
 */
export function connect(options: ConnectOptions = {}): ConnectedSite {
  const { token } = options;
  const server = trimmed(options.server ?? pageOrigin());
  const url = trimmed(options.url ?? server);
  const named = options.sandbox === true ? tabName() : options.sandbox;
  const sandbox = typeof named === 'string' ? named : null;
  const isShared = url === server;
  const added: Record<string, string> = {
    ...(isShared ? {} : forwardedHeaders(url)),
    ...(sandbox === null ? {} : { 'X-Understudy-Sandbox': sandbox }),
    // The first request makes the sandbox.
    ...(token === undefined || sandbox === null ? {} : { 'X-Understudy-Token': token }),
  };
  const access = { fetch: direct as Fetch, ...(token === undefined ? {} : { token }) };
  const main = new Control({ ...access, url: server });
  const control = sandbox === null ? main : new Control({ ...access, url: `${server}/__sandbox/${sandbox}` });
  const { clock, faults, stubs, journal, snapshots, webhooks } = control;

  const close = async (): Promise<void> => (sandbox === null ? undefined : main.dropSandbox(sandbox));

  const respond = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    const { method, credentials, signal, redirect } = request;
    // Chromium sends streams by HTTP/2 only, so the body is read first.
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    return direct(`${server}${request.url.slice(url.length)}`, { method, headers, body, credentials, signal, redirect });
  };
  return Object.assign(respond, {
    url,
    ...(isShared ? { paths: SHARED_PATHS } : {}),
    sandbox,
    clock,
    faults,
    stubs,
    journal,
    snapshots,
    webhooks,
    reset: async () => {
      await webhooks.reset();
      await Promise.all([control.reset(), faults.clear(), stubs.clear(), journal.clear()]);
    },
    seed: async (dataset: Dataset | string) => void (await control.seed(dataset)),
    close,
  });
}
