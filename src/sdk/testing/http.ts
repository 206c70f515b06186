import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import tls from 'node:tls';
import type { Fetch } from '../client/transport.js';

// Kept from before tests set up their mocks.
const connect: unknown = Reflect.get(net.Socket.prototype, 'connect');

/**
 * Opens a connection of the helpers themselves. MSW 3 replaces how sockets connect; MSW 2, nock, Polly and others replace `fetch` and the
 * functions of Node's `http`. They refuse or delay what they do not know.
 */
export function openSocket(target: net.NetConnectOpts): net.Socket {
  const socket = new net.Socket();
  Reflect.apply(connect as (options: net.NetConnectOpts) => net.Socket, socket, [target]);
  return socket;
}

interface RawResponse {
  status: number;
  /** With names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** The bytes of a body that was sent in chunks (RFC 9112). @throws Error if it is cut off */
function joinedChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (end === -1 || Number.isNaN(size)) throw new Error('the connection was closed within the response');
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function parsed(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) throw Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [name, value] = [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()];
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  const rest = bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? joinedChunks(rest) : rest;
  if (body.length < Number(headers.get('content-length') ?? 0)) throw new Error('the connection was closed within the response');
  return { status: Number(first.split(' ')[1]), headers, body };
}

/** Sends a request over a connection of its own. */
function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
  signal?: AbortSignal,
): Promise<RawResponse> {
  const { protocol, hostname, host, port, pathname, search } = new URL(url);
  const isSecure = protocol === 'https:';
  const name = hostname.replace(/^\[|\]$/g, '');
  const target = { host: name, port: Number(port) || (isSecure ? 443 : 80) };
  return new Promise((resolve, reject) => {
    const plain = openSocket(target);
    const socket = isSecure ? tls.connect({ socket: plain, ...(net.isIP(name) === 0 ? { servername: name } : { host: name }) }) : plain;
    plain.on('error', reject);
    const chunks: Buffer[] = [];
    const all = { Host: host, ...headers, Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) };
    const head = Object.entries(all).map(([each, value]) => `${each}: ${value}\r\n`);
    socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      try {
        resolve(parsed(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
    const abort = (): void => void socket.destroy(new Error('aborted'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });
}

/** A minimal `fetch` that tests with mocks of HTTP do not affect. It also works in jsdom. Does not follow redirects. */
export const nodeFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const response = await send(url, method, headers, body, signal);
  const get = (name: string): string | null => response.headers.get(name.toLowerCase()) ?? null;
  return { status: response.status, headers: { get }, text: () => Promise.resolve(response.body.toString('utf8')) };
};

/** Sends a POST request without a body, and writes the response to a file. @throws Error unless the whole response is there */
export async function download(url: string, headers: Record<string, string>, file: string): Promise<void> {
  const { status, body } = await send(url, 'POST', headers);
  if (status !== 200) throw new Error(`POST ${url} responded with status ${status}.`);
  await writeFile(file, body, { mode: 0o600 });
}
