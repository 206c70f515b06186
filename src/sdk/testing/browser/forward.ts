import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { pipeline } from 'node:stream';
import { hostName, isLoopback } from '../../../base/text/hosts.js';

/** Headers of one connection, which HTTP/2 forbids, and those that HTTP/2 has instead of the request line. */
const OF_CONNECTION = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|:.*)$/;

const withoutConnection = (headers: IncomingMessage['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)));

/** A server that requests are passed on to. */
export interface Behind {
  url: URL;
  /** Token of its test API, if one is required. */
  token?: string | undefined;
}

const requestedHost = (headers: IncomingMessage['headers']): string => headers.host ?? String(headers[':authority'] ?? '');

/**
 * Whether a request comes from a page of the dev server on this machine, or from a program here. Nobody else controls the calendar: neither other
 * machines that the dev server listens to, nor pages of other sites.
 */
export function isFromHere({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { origin } = headers;
  const host = requestedHost(headers);
  const isOwnPage = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  const names = [hostName(host) ?? '', socket.remoteAddress ?? ''];
  return names.every(isLoopback) && isOwnPage && headers['sec-fetch-site'] !== 'cross-site';
}

/** The headers for the server, with the address that the browser has requested. A page may state another one. */
function forwardedHeaders(request: IncomingMessage, { url, token }: Behind): OutgoingHttpHeaders {
  const { headers, socket } = request;
  return {
    'x-forwarded-host': requestedHost(headers),
    'x-forwarded-proto': (socket as TLSSocket).encrypted ? 'https' : 'http',
    ...(token !== undefined && isFromHere(request) ? { 'x-understudy-token': token } : {}),
    ...withoutConnection(headers),
    'x-forwarded-for': [headers['x-forwarded-for'], socket.remoteAddress].filter((each) => each !== undefined).join(', '),
    host: url.host,
  };
}

export function sendError(response: ServerResponse, message: string): void {
  response.writeHead(502, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ code: 'understudy_unreachable', message, data: { status: 502 } }));
}

/** Passes a request on to a server, and its response back. A connection that the server drops is dropped here, too. */
export function forward(request: IncomingMessage, response: ServerResponse, behind: Behind): void {
  const { url: server } = behind;
  const { request: send } = server.protocol === 'https:' ? https : http;
  const { protocol, hostname, port } = server;
  const path = `${server.pathname.replace(/\/$/, '')}${request.url ?? '/'}`;
  const headers = forwardedHeaders(request, behind);
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
