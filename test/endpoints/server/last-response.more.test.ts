import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import tls from 'node:tls';
import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** A response to a request that is too long, or that is not read to its end, arrives before the connection closes. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-last-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KB = 1024;
const MB = 1024 * KB;
const EVENTS = '/wp-json/tribe/events/v1/events';

/** The request line and headers of a POST with a body of some size. */
const post = (target: string, size: number, ...headers: string[]): string =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', `Content-Length: ${size}`, ...headers, '', ''].join('\r\n');

const chunked = (target: string, ...chunks: string[]): string =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', 'Transfer-Encoding: chunked', '', ...chunks].join('\r\n');

const filler = (size: number): string => 'a'.repeat(size);

/** Requests that get their response before they are read to their end. */
const REQUESTS: [what: string, status: number, text: () => string][] = [
  ['a long query', 431, () => `GET ${EVENTS}?x=${filler(MB)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['a long header', 431, () => `GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\nX-A: ${filler(MB)}\r\n\r\n`],
  ['a large body', 413, () => post(EVENTS, 9 * MB, 'Connection: close') + filler(9 * MB)],
  ['a large body in chunks', 413, () => chunked(EVENTS, (9 * MB).toString(16), filler(9 * MB), '0', '', '')],
  ['a long extension of a chunk', 413, () => chunked(EVENTS, `1;${filler(MB)}`, 'a', '0', '', '')],
  ['a chunk without its size', 400, () => chunked(EVENTS, filler(MB), '0', '', '')],
  ['two hosts', 400, () => post(EVENTS, MB, 'Host: other', 'Connection: close') + filler(MB)],
  ['no route of the test API', 404, () => post('/__qa/nothing', MB, 'Connection: close') + filler(MB)],
  ['another origin', 403, () => post('/__qa/reset', MB, 'Connection: close', 'Origin: https://evil.example') + filler(MB)],
];

interface Sent {
  /** Bytes that are written at once. */
  piece: number;
  /** Whether the client closes its side after the request. */
  isHalfClosed: boolean;
  /** Whether it reads only after it has sent everything. */
  readsLast: boolean;
}

const CLIENTS: Sent[] = [
  { piece: Infinity, isHalfClosed: false, readsLast: true },
  { piece: 16 * KB, isHalfClosed: false, readsLast: false },
  { piece: 60 * KB, isHalfClosed: true, readsLast: true },
];

/** Sends a request until its end, and returns the response. Rejects if the connection is reset. */
async function exchange(socket: net.Socket, text: string, { piece, isHalfClosed, readsLast }: Sent): Promise<string> {
  let received = '';
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  const ended = new Promise<void>((resolve) => socket.once('end', resolve));
  const read = (): void => void socket.on('data', (chunk) => (received += String(chunk)));
  const send = async (): Promise<void> => {
    if (!readsLast) read();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += piece) {
      if (!socket.write(bytes.subarray(at, Math.min(bytes.length, at + piece)))) await once(socket, 'drain');
      await turn();
    }
    if (isHalfClosed) socket.end();
    if (readsLast) read();
    await ended;
  };
  try {
    await Promise.race([send(), failed]);
    return received;
  } finally {
    socket.destroy();
  }
}

/** The status of a complete response. */
function statusOf(response: string): number {
  const [head, ...rest] = response.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined) expect(['', '0\r\n\r\n']).toContain(body);
  else expect(Buffer.byteLength(body)).toBe(Number(length));
  return Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]);
}

/** Times that each request is sent by each client. */
const TRIES = 5;

const OPTIONS = { dataset: WORLD, qa: true, userCacheDir: folder };

describe.each<[string, boolean]>([
  ['HTTP', false],
  ['HTTPS', true],
])('%s', (_protocol, isSecure) => {
  const server = startTestServer({ ...OPTIONS, tls: isSecure });

  const connect = async (): Promise<net.Socket> => {
    const { hostname: host, port } = new URL(server().url);
    const options = { host, port: Number(port), allowHalfOpen: true };
    const socket = isSecure ? tls.connect({ ...options, rejectUnauthorized: false }) : net.connect(options);
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    return socket;
  };

  test.each(REQUESTS)(
    '%s: %d',
    async (_what, status, text) => {
      const request = text();
      const statuses: number[] = [];
      for (const client of CLIENTS)
        for (let count = 0; count < TRIES; count++) statuses.push(statusOf(await exchange(await connect(), request, client)));
      expect(statuses).toEqual(statuses.map(() => status));
    },
    120_000,
  );

  test('a connection is kept after a body that is not read', async () => {
    const socket = await connect();
    const request = `${post('/__qa/nothing', MB)}${filler(MB)}GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const responses = await exchange(socket, request, CLIENTS[0]);
    expect([...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['404', '200']);
  });
});
