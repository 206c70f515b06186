import { Server } from 'node:http';
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { lookup } from '../../base/values/records.js';
import { endWith, isLingering } from './linger.js';

/**
 * Raw UTF-8 in the target of a request (`curl 'http://…/events?search=Köln'`). Web servers accept it, the parser of Node rejects it.
 *
 * Requests that the parser accepts never come here. One that it rejected for its target is fed to it a second time, with each byte above
 * 127 of the target percent-encoded, as browsers do. The strict parser still decides where each request begins and ends, so this opens no
 * way to smuggle one.
 */

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

const REQUEST_LINE = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) ([^ \r\n]+) HTTP\/1\.[01]\r\n/;

const encoded = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

/** The packet with its target encoded, and its connection closed after the response; null unless the error lies in the target of a request that begins the packet. */
function repaired({ code, rawPacket, bytesParsed = Infinity }: ParseError): Buffer | null {
  if (code !== 'HPE_INVALID_URL' || !rawPacket) return null;
  // One character for each byte.
  const text = rawPacket.toString('latin1');
  const [line, target] = REQUEST_LINE.exec(text) ?? [];
  if (line === undefined || target === undefined || bytesParsed >= line.length) return null;
  const fixed = target.replace(/[\x80-\xff]/g, encoded);
  return fixed === target
    ? null
    : Buffer.from(`${line.replace(target, () => fixed)}Connection: close\r\n${text.slice(line.length)}`, 'latin1');
}

/** A connection over a socket, with bytes that were already read from it at the beginning. */
function replayed(socket: Socket, first: Buffer): Duplex {
  const connection = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  // The first parser must not read the rest. It stays attached until the socket closes.
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain');
  socket.on('data', (chunk: Buffer) => {
    if (!connection.push(chunk)) socket.pause();
  });
  socket.on('end', () => connection.push(null));
  socket.on('close', () => connection.destroy());
  connection.push(first);
  return Object.defineProperties(connection, {
    remoteAddress: { value: socket.remoteAddress },
    encrypted: { value: 'encrypted' in socket && socket.encrypted },
  });
}

const STATUS: Record<string, string> = lookup({
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
});

/** The response that this socket is still waiting for, which Node.js does not publish. */
const pendingResponse = (socket: Socket): { headersSent: boolean } | null =>
  (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage ?? null;

/** Accepts raw UTF-8 in request targets. Other errors get the same responses as in Node.js. */
export function acceptRawTargets(server: Server): void {
  const abandoned = new WeakSet<Duplex>();
  // With TLS, the parser reads the decrypted stream.
  const arrival = server instanceof Server ? 'connection' : 'secureConnection';
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    // The first parser still waits for the request that the second one has received.
    if (abandoned.has(socket)) return;
    if (isLingering(socket)) return void socket.end();
    const pending = pendingResponse(socket as Socket);
    const first = pending ? null : repaired(error);
    if (first && socket.writable) {
      abandoned.add(socket);
      server.emit(arrival, replayed(socket as Socket, first));
      return;
    }
    if (socket.writable && !pending?.headersSent)
      endWith(socket, `HTTP/1.1 ${STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
    else socket.destroy(error);
  });
}
