import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { duplexPair, pipeline, type Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DRAIN_MS, waitingListener, type Listen } from '../app/listen.js';
import { readAfterResponse } from '../app/linger.js';
import { acceptRawTargets } from '../app/raw-target.js';

/** Sends a request to the server and resolves with its response. Rejects like `fetch`: TypeError, or the reason of the aborted signal. */
export type Send = (request: Request) => Promise<Response>;

/** Libraries that intercept requests, such as MSW, replace this class; their replacement has it as prototype. */
const ClientRequest = http.ClientRequest.prototype.constructor as typeof http.ClientRequest;

/** Bodies up to this size are sent with their length, as `fetch` sends texts and forms; longer ones in chunks. */
const MAX_WHOLE = 1024 * 1024;

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Headers of the connection. Nothing is compressed in memory. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['accept-encoding', 'connection', 'keep-alive', 'transfer-encoding']);

interface Outgoing {
  /** The bytes read so far. */
  chunks: Uint8Array[];
  /** The rest; null if everything has been read. */
  rest: ReadableStreamDefaultReader<Uint8Array> | null;
}

async function readBody({ body }: Request): Promise<Outgoing> {
  const rest = body?.getReader() ?? null;
  const chunks: Uint8Array[] = [];
  for (let size = 0; rest !== null && size <= MAX_WHOLE;) {
    const { done, value } = await rest.read();
    if (done) return { chunks, rest: null };
    chunks.push(value);
    size += value.byteLength;
  }
  return { chunks, rest };
}

async function* bytesOf({ chunks, rest }: Outgoing): AsyncGenerator<Uint8Array> {
  yield* chunks;
  for (let next = await rest?.read(); next && !next.done; next = await rest?.read()) yield next.value;
}

/** A connection without a socket. */
class Connection {
  /** Whether there is a response whose body has not been read. */
  isUnread = false;
  private readonly ends: [Duplex, Duplex] = duplexPair();

  constructor(accept: (end: Duplex) => void) {
    // The properties of a socket that the server reads.
    accept(Object.assign(this.ends[1], { remoteAddress: '127.0.0.1' }));
    // Each end is notified when the other one closes, as with a socket.
    this.ends[1].once('close', () => this.ends[0].destroy());
    this.ends[0].once('close', () => this.ends[1].destroy());
  }

  get client(): Duplex {
    return this.ends[0];
  }

  close(): void {
    for (const end of this.ends) end.destroy();
  }
}

const failure = (message: string, signal: AbortSignal, cause: unknown): unknown =>
  signal.aborted ? signal.reason : new TypeError(message, { cause });

async function* chunksOf(incoming: IncomingMessage, connection: Connection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  connection.isUnread = false;
  try {
    yield* incoming as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw failure('terminated', signal, error);
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
  return headers;
}

function responseOf(incoming: IncomingMessage, connection: Connection, { method, url, signal }: Request): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.has(status);
  if (isEmpty) incoming.resume();
  connection.isUnread = !isEmpty;
  const body = isEmpty ? null : ReadableStream.from(chunksOf(incoming, connection, signal));
  const response = new Response(body, { status, statusText, headers: headersOf(incoming) });
  return Object.defineProperty(response, 'url', { value: url, configurable: true });
}

function headersFor(request: Request, { chunks, rest }: Outgoing): Headers {
  const headers = new Headers(request.headers);
  for (const name of OF_CONNECTION) headers.delete(name);
  // `fetch` keeps its connections, and the response says so.
  headers.set('connection', 'keep-alive');
  if (!headers.has('host')) headers.set('host', new URL(request.url).host);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (rest === null && length > 0) headers.set('content-length', String(length));
  return headers;
}

/** Sends a request over a connection, and resolves with the response as soon as its headers are there. */
function exchange(request: Request, body: Outgoing, connection: Connection): Promise<Response> {
  const { method, signal } = request;
  const { pathname, search } = new URL(request.url);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(failure('fetch failed', signal, error));
    const outgoing = new ClientRequest({ method, path: `${pathname}${search}`, setHost: false, createConnection: () => connection.client });
    outgoing.setHeaders(headersFor(request, body));
    outgoing.on('error', fail);
    outgoing.once('response', (incoming: IncomingMessage) => {
      incoming.once('close', () => connection.close());
      resolve(responseOf(incoming, connection, request));
    });
    // The server may respond before it has read everything; that is not a failure.
    pipeline(bytesOf(body), outgoing, (error) => error && fail(error));
  });
}

/**
 * A server without a port: requests go to its HTTP parser and request handler through pipes in memory, so they are handled like those
 * that arrive at a port.
 * @param url URL of the site
 */
export function inMemory(url: string): { open: Listen; send: Send } {
  const server = http.createServer();
  acceptRawTargets(server);
  readAfterResponse(server);
  const connections = new Set<Connection>();
  let isClosed = false;
  const open: Listen = (cleanup, front) => {
    const { listener, serve } = waitingListener(front);
    server.on('request', listener);
    cleanup.add(() => {
      isClosed = true;
      for (const connection of connections) connection.close();
      return Promise.resolve();
    });
    const drain = async (): Promise<void> => {
      isClosed = true;
      // Does not wait for the body, since many programs only read the status.
      for (const connection of connections) if (connection.isUnread) connection.close();
      const closed = [...connections].map(({ client }) => once(client, 'close'));
      await Promise.race([Promise.all(closed), sleep(DRAIN_MS, undefined, { ref: false })]);
    };
    return Promise.resolve({ listening: { url, localUrl: null, addresses: [], serve, drain }, certificate: null });
  };
  const send: Send = async (request) => {
    if (isClosed) throw new TypeError('fetch failed', { cause: new Error('The handler is closed.') });
    const { signal } = request;
    signal.throwIfAborted();
    const body = await readBody(request);
    const connection = new Connection((end) => server.emit('connection', end));
    const abort = (): void => connection.close();
    signal.addEventListener('abort', abort);
    connections.add(connection);
    connection.client.once('close', () => {
      connections.delete(connection);
      signal.removeEventListener('abort', abort);
    });
    return exchange(request, body, connection);
  };
  return { open, send };
}
