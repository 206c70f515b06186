import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Closes connections so that the response arrives. A connection that is closed while the client still sends is reset, and the client may
 * lose what it has not read yet. What it sends after the response is therefore read and dropped first, within limits (as nginx does,
 * `lingering_close`).
 */

/** How long a client may go on sending after the response, in ms. */
const LINGER_MS = 10_000;
/** How much it may send meanwhile, in bytes. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** How often the limits are checked, in ms. */
const CHECK_MS = 100;

/** Connections whose client still sends what nobody reads. */
const lingering = new WeakSet<Duplex>();

/** Bytes received so far, where that is known: not for connections in memory. */
const received = (socket: Duplex): number => (socket as Duplex & { bytesRead?: number }).bytesRead ?? 0;

/** Destroys a connection whose client sends for too long or too much. @returns what ends this */
function limit(socket: Duplex): () => void {
  lingering.add(socket);
  const end = performance.now() + LINGER_MS;
  const most = received(socket) + LINGER_BYTES;
  const timer = setInterval(() => {
    if (performance.now() > end || received(socket) > most) socket.destroy();
  }, CHECK_MS).unref();
  const stop = (): void => {
    clearInterval(timer);
    lingering.delete(socket);
  };
  socket.once('close', stop);
  return () => {
    socket.removeListener('close', stop);
    stop();
  };
}

/** Whether the client of a connection still sends after the response. Errors in what it sends do not matter. */
export const isLingering = (socket: Duplex): boolean => lingering.has(socket);

/** Sends a last response over a connection whose requests are no longer parsed, and closes it. */
export function endWith(socket: Duplex, response: string): void {
  // The parser stays attached until the socket closes.
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain');
  limit(socket);
  socket.on('error', () => socket.destroy());
  socket.on('data', () => undefined);
  socket.end(response);
  socket.resume();
}

/** Drops the rest of a request. @param done called at its end */
function drop(request: IncomingMessage, done: () => void): void {
  const stop = limit(request.socket);
  request.once('end', () => {
    stop();
    done();
  });
  request.unpipe();
  request.resume();
}

const hasBody = ({ headers: { 'content-length': length, 'transfer-encoding': encoding } }: IncomingMessage): boolean =>
  encoding !== undefined || (length !== undefined && length !== '0');

/** The latest request with a body of each connection. */
const latest = new WeakMap<Duplex, IncomingMessage>();

/** Node.js closes a connection with this after its last response. */
function closeAfterRequest(socket: IncomingMessage['socket']): void {
  if (latest.has(socket)) return;
  // Connections in memory have none.
  const close = (socket.destroySoon as (() => void) | undefined)?.bind(socket) ?? (() => void socket.end());
  socket.destroySoon = () => {
    const request = latest.get(socket);
    if (!request || request.complete) return close();
    socket.end();
    drop(request, close);
  };
}

function watch(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  closeAfterRequest(request.socket);
  latest.set(request.socket, request);
  response.once('finish', () => {
    if (!request.complete && !isLingering(request.socket)) drop(request, () => undefined);
  });
}

/** Makes responses arrive that are sent before the whole request is read. */
export function readAfterResponse(server: Server): void {
  server.prependListener('request', watch);
}
