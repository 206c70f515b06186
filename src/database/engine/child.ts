/*
 * The child process that runs the embedded engine and serves it on a unix socket. embedded.ts starts it and talks to it over the
 * IPC channel. When the channel closes, for example because the parent was killed, the database closes too.
 */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { findPackage, loadFor, machineOfEarlier, prepareAddon, thisMachine, usualCaches, type Machine } from './native.js';
import { configure } from './settings.js';
import { removeSocketFolder } from './socket-folder.js';
import { reasonOf } from './types.js';
import { serveConnection, type RoundTripper } from './wire.js';

/** The child's settings, passed as JSON in its first argument. */
export interface ChildSettings {
  directory: string;
  socket: string;
  memory?: number | undefined;
  cacheDirectory?: string | undefined;
  userCacheDirectory?: string | undefined;
}

/** A message to the parent. `opening` is sent before the data files are touched, `listening` while they are opened. */
export type ChildReport =
  | { type: 'opening' }
  | { type: 'listening' }
  | { type: 'ready' }
  | { type: 'failed'; busy: boolean; reason: string };

/** The message that makes the child close the database and exit. */
export const CLOSE = 'close';

interface NativeEngine extends RoundTripper {
  close(): Promise<void>;
}

interface Addon {
  Engine: { open(directory: string): Promise<NativeEngine> };
}

/** How long to wait after SIGTERM, so that the parent can finish its requests: a service manager signals both at once. */
const GRACE_MS = 10_000;
/** Exit after this time even if the database has not closed. The journal preserves acknowledged writes. */
const CLOSE_LIMIT_MS = 10_000;

const report = (message: ChildReport): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });

const loadAddon = ({ cacheDirectory, userCacheDirectory }: ChildSettings): Addon => {
  const packageDirectory = findPackage(process);
  const cacheDirectories = cacheDirectory ? [cacheDirectory] : usualCaches(packageDirectory, userCacheDirectory);
  const load = createRequire(import.meta.url);
  const loadOn = (machine: Machine): Addon =>
    loadFor(machine, (on) => load(prepareAddon({ machine: on, packageDirectory, cacheDirectories })) as Addon);
  const earlier = machineOfEarlier(cacheDirectories);
  if (earlier) {
    try {
      return loadOn(earlier);
    } catch {
      // The cache is from another system.
    }
  }
  return loadOn(thisMachine());
};

const listen = (server: net.Server, socket: string): Promise<void> =>
  new Promise((resolve, reject) => {
    rmSync(socket, { force: true });
    server.once('error', reject).listen(socket, () => {
      chmodSync(socket, 0o600);
      resolve();
    });
  });

const run = async (settings: ChildSettings): Promise<void> => {
  const connections = new Set<net.Socket>();
  let starting: Promise<NativeEngine> | undefined;
  let server: net.Server | undefined;
  let stopping = false;

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), CLOSE_LIMIT_MS).unref();
    server?.close();
    for (const connection of connections) connection.destroy();
    await (await starting)?.close();
    // A running parent may start another child on the same socket.
    if (!process.connected) removeSocketFolder(settings.socket);
    process.exit(0);
  };
  const stopOrFail = (): void => void stop().catch(() => process.exit(1));

  process.on('disconnect', stopOrFail);
  process.on('message', (message) => message === CLOSE && stopOrFail());
  process.on('SIGTERM', () => setTimeout(stopOrFail, GRACE_MS));
  // Ctrl-C reaches the whole process group; the parent decides.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});

  const addon = loadAddon(settings);
  await report({ type: 'opening' });
  mkdirSync(settings.directory, { recursive: true, mode: 0o700 });
  // The engine aborts if the folder that it runs in is removed, and the one that the server was started in may be.
  process.chdir(settings.directory);
  starting = addon.Engine.open(process.cwd());
  const ready = starting.then(async (engine) => {
    await configure(engine, settings.memory);
    return engine;
  });
  // Clients that connect meanwhile wait.
  const engine: RoundTripper = { roundTrip: async (message) => (await ready).roundTrip(message) };
  server = net.createServer({ noDelay: true }, (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    serveConnection(engine, connection, (line) => console.error(line));
  });
  const listening = listen(server, settings.socket).then(() => report({ type: 'listening' }));
  await Promise.all([ready, listening]);
  if (stopping) return;
  await report({ type: 'ready' });
};

run(JSON.parse(process.argv[2] ?? '{}') as ChildSettings).catch(async (error: unknown) => {
  const reason = reasonOf(error).replace(/^embedded MongoDB error: /, '');
  await report({ type: 'failed', busy: reason.includes('DBPathInUse'), reason });
  process.exit(1);
});
