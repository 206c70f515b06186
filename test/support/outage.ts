import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** A proxy for a database, which can drop or stall the connections. */
export interface Outage {
  /** Connection string of the database behind the proxy. */
  uri: string;
  /** Closes all connections and accepts no more. */
  cut: () => void;
  /** Closes open connections, each when it is used next. */
  spoil: () => void;
  /** Stops forwarding, but keeps connections open. */
  hold: () => void;
  /** Resumes service. */
  end: () => void;
  close: () => Promise<void>;
}

/** How long the driver searches for an unavailable server, in ms. */
const PATIENCE_MS = 3_000;

/** Host and port of a connection string. */
export function targetOf(uri: string): net.NetConnectOpts {
  const host = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(uri)?.[1] ?? '');
  if (host.endsWith('.sock')) return { path: host };
  const [name, port] = host.split(':');
  return { host: name, port: Number(port) };
}

/** Makes the two connections of a proxy end together. @param sockets contains them while they are open */
export function couple(near: net.Socket, far: net.Socket, sockets: Set<net.Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
}

/** Starts a proxy. @param uri connection string of a single server */
export async function startOutage(uri: string): Promise<Outage> {
  const target = targetOf(uri);
  const sockets = new Set<net.Socket>();
  const spoiled = new WeakSet<net.Socket>();
  let state: 'up' | 'cut' | 'held' = 'up';
  const server = net.createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = net.connect(target);
    couple(near, far, sockets);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      socket.on('data', (chunk) => void (spoiled.has(socket) ? socket.destroy() : other.write(chunk)));
      if (state === 'held') socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=${PATIENCE_MS}`,
    cut: () => {
      state = 'cut';
      destroyAll();
    },
    spoil: () => sockets.forEach((socket) => spoiled.add(socket)),
    hold: () => {
      state = 'held';
      sockets.forEach((socket) => socket.pause());
    },
    end: () => {
      state = 'up';
      sockets.forEach((socket) => socket.resume());
    },
    close: async () => {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
