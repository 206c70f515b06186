import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkAddresses } from '../../base/system/network.js';
import { isAnyAddress } from '../../base/text/hosts.js';
import { ConfigError } from '../config/index.js';
import type { Cleanup } from './cleanup.js';
import { readAfterResponse } from './linger.js';
import { acceptRawTargets } from './raw-target.js';

/** Maximum number of ports to try if the port may be another one. */
const TRIED_PORTS = 100;

/** Describes a port that cannot be opened, with the code of the system. */
function bindError({ code, message }: NodeJS.ErrnoException, host: string, port: number): Error {
  const told = (text: string): Error => Object.assign(new ConfigError(text), { code });
  if (code === 'EADDRINUSE') return told(`Port ${port} is already in use. Choose another (--port), or 0 for any free port`);
  if (code === 'EACCES') return told(`Permission denied for port ${port}. Choose a port above 1023 with --port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return told(`Cannot bind to ${host}. Set an address of this machine with --host, such as 127.0.0.1, or 0.0.0.0 for all`);
  return Object.assign(new Error(message), { code });
}

/** Listens on a port. @param tries how many ports may be tried, upwards from this one, if it is in use */
async function bind(server: Server, host: string, port: number, tries: number): Promise<AddressInfo> {
  const isBound = await new Promise<boolean>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(true));
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE' && tries > 1) return false;
    throw bindError(error, host, port);
  });
  return isBound ? (server.address() as AddressInfo) : bind(server, host, port + 1, tries - 1);
}

const hostForUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** How long to wait for running requests at shutdown, in ms. */
export const DRAIN_MS = 5_000;
/** How long a connection may be idle, in ms. Clients end theirs earlier: with the 5 s of Node.js, busy ones ask on a connection that has just ended. */
const IDLE_MS = 65_000;
/** How often connections that have become idle are closed meanwhile, in ms. */
const SWEEP_MS = 20;

async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

export interface Listening {
  /** Base URL, without trailing slash. */
  url: string;
  /** The same for programs on this machine, by HTTP: they need no certificate. Null without a port. */
  localUrl: string | null;
  /** Base URLs of its addresses: `url`, then the ones for other machines, if it listens on all addresses. */
  addresses: readonly string[];
  /** Sets the request handler. Requests that arrive earlier wait for it. */
  serve: (handle: RequestListener) => void;
  /** Accepts no further requests, and waits up to 5 seconds for running ones. */
  drain: () => Promise<void>;
}

/** Wraps the handler of the site: requests that it handles itself are handled before the site is ready. */
type Front = (site: RequestListener) => RequestListener;

interface ListenOptions {
  host: string;
  port: number;
  /** Whether to listen on the next free port if this one is in use. */
  isOpen?: boolean;
  /** Opens the server for HTTPS. Absent: HTTP. */
  secure?: (handle: RequestListener) => Server;
}

interface Opened {
  listening: Listening;
  /** File of the certificate (PEM) that clients have to trust. */
  certificate: string | null;
}

export type Listen = (cleanup: Cleanup, front: Front) => Promise<Opened>;

/** A listener whose requests wait for the request handler, and the function that sets that. */
export function waitingListener(front: Front = (site) => site): { listener: RequestListener } & Pick<Listening, 'serve'> {
  let serve: Listening['serve'] = () => undefined;
  const ready = new Promise<RequestListener>((resolve) => (serve = resolve));
  return { listener: front((request, response) => void ready.then((handle) => handle(request, response))), serve };
}

/** Opens a port before the server is ready. @throws ConfigError if the port cannot be opened */
export async function listen({ host, port, isOpen = false, secure }: ListenOptions, cleanup: Cleanup, front?: Front): Promise<Listening> {
  const { listener, serve } = waitingListener(front);
  const server = secure ? secure(listener) : createServer(listener);
  server.keepAliveTimeout = IDLE_MS;
  acceptRawTargets(server);
  readAfterResponse(server);
  const address = await bind(server, host, port, isOpen ? TRIED_PORTS : 1);
  cleanup.add(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const isAny = isAnyAddress(host);
  const plainAt = (name: string): string => `http://${hostForUrl(name)}:${address.port}`;
  // Without the default port of https.
  const at = (name: string): string => (secure ? new URL(plainAt(name).replace('http:', 'https:')).origin : plainAt(name));
  const own = isAny ? 'localhost' : host;
  const addresses = [own, ...(isAny ? networkAddresses(host) : [])].map(at);
  return { url: addresses[0], localUrl: plainAt(own), addresses, serve, drain: () => drain(server) };
}
