import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { pipeline } from 'node:stream';

/** Headers of one connection, which HTTP/2 forbids, and those that HTTP/2 has instead of the request line. */
const OF_CONNECTION = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|:.*)$/;

const withoutConnection = (headers: IncomingMessage['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)));

/** The headers for the server, with the address that the browser has requested. A page may state another one. */
function forwardedHeaders({ headers, socket }: IncomingMessage, { host }: URL): OutgoingHttpHeaders {
  const requested = headers.host ?? String(headers[':authority'] ?? '');
  return {
    'x-forwarded-host': requested,
    'x-forwarded-proto': (socket as TLSSocket).encrypted ? 'https' : 'http',
    ...withoutConnection(headers),
    host,
  };
}

export function sendError(response: ServerResponse, message: string): void {
  response.writeHead(502, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ code: 'understudy_unreachable', message, data: { status: 502 } }));
}

/** Passes a request on to a server, and its response back. A connection that the server drops is dropped here, too. */
export function forward(request: IncomingMessage, response: ServerResponse, server: URL): void {
  const { request: send } = server.protocol === 'https:' ? https : http;
  const { protocol, hostname, port } = server;
  const path = `${server.pathname.replace(/\/$/, '')}${request.url ?? '/'}`;
  const headers = forwardedHeaders(request, server);
  // Each request has its own connection: a reset one is a fault of the server, and never an old one that it has closed.
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, method: request.method, path, headers, agent: false };
  const sent = send(target, (received) => {
    response.writeHead(received.statusCode ?? 502, withoutConnection(received.headers));
    pipeline(received, response, () => undefined);
  });
  sent.once('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent || error.code === 'ECONNRESET') response.destroy();
    else sendError(response, `${server.origin} does not respond: ${error.message}`);
  });
  response.once('close', () => {
    if (!response.writableFinished) sent.destroy();
  });
  request.pipe(sent);
}
