// Clients that send slowly, send partial requests, or do not read responses.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { writeDataset } from '../common/site.mjs';
import { measure, socketsOf, startServer, until } from '../common/understudy.mjs';

/** Partial requests. */
const HALVES = {
  nothing: () => '',
  head: () => 'GET /wp-json/tribe/events/v1/ev',
  headers: (host) => `GET /wp-json/ HTTP/1.1\r\nHost: ${host}\r\nX-A: `,
  body: (host) =>
    `POST /wp-json/tribe/events/v1/events HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"ti`,
  chunk: (host) => `POST /__qa/seed HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"eve`,
  upload: (host) =>
    `POST /wp-json/wp/v2/media HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999\r\n\r\n--x\r\n`,
  // Does not read its responses, which accumulate.
  reader: (host) => `GET /wp-json/tribe/events/v1/events?per_page=50&start_date=2000-01-01 HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(50),
};

/** Time limit of a request or reset at the same time, on a busy machine. */
const PATIENCE_MS = 8_000;

function openSlow(url, kind) {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(HALVES[kind](host));
  if (kind === 'reader') socket.pause();
  return socket;
}

/** @type {import('./index.mjs').Scenario} */
export const clients = {
  name: 'clients',
  title: 'Clients send slowly, stop halfway, or do not read the response',
  rounds: { short: 1, full: 20 },
  async run({ tally, randomFor, folder, rounds, isShort, progress }) {
    const dataset = writeDataset(folder, 'a');
    const server = await startServer({ data: `${folder}/data`, args: ['--dataset', dataset] });
    const { send, close } = clientOf(tally);
    try {
      await send(`${server.rest}/events`);
      const sockets = socketsOf(server.pid);
      let slowest = 0;
      for (let round = 0; round < rounds; round += 1) {
        const random = randomFor(round);
        const kinds = Object.keys(HALVES);
        const open = Array.from({ length: isShort ? 70 : 280 }, (_, n) => openSlow(server.url, kinds[n % kinds.length]));
        await sleep(100);
        const began = performance.now();
        const asked = [
          send(`${server.url}/__qa/reset`, 'POST'),
          send(`${server.rest}/events?per_page=${1 + random.below(50)}`),
          send(`${server.rest}/events`, 'POST', { title: `Event ${round}`, start_date: '2026-07-01 10:00', end_date: '2026-07-01 11:00' }),
        ];
        for (const response of await Promise.all(asked))
          tally.check(response && response.status < 300, `round ${round}: ${response?.status} beside slow clients`);
        slowest = Math.max(slowest, performance.now() - began);
        // Some clients send another byte.
        for (const socket of open.filter(() => random.below(3) === 0)) socket.write('x');
        await sleep(50);
        open.forEach((socket) => socket.destroy());
        progress(round + 1);
      }
      tally.check(slowest < PATIENCE_MS, `requests took ${Math.round(slowest)} ms beside slow clients`);
      // Idle connections of this client remain open.
      const isFlat = await until(() => socketsOf(server.pid) <= sockets + 4, 20_000, 100);
      tally.check(isFlat, `${socketsOf(server.pid)} sockets are open, ${sockets} at first`);
      tally.note(
        `Slowest request beside them: ${Math.round(slowest)} ms. Memory of the server: ${Math.round(measure(server.pid).memory)} MB.`,
      );
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
