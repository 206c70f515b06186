import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions, type ServerOptions } from '../../../src/server/config/index.js';
import type { Server } from '../../../src/index.js';
import { Gate } from '../../../src/control/tenant/gate.js';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { startOutage, type Outage } from '../../support/outage.js';

const EVENTS = '/wp-json/tribe/events/v1/events';
const SIGNED_IN = { authorization: signIn('admin'), 'content-type': 'application/json' };

interface Site {
  server: Server;
  outage: Outage;
  ask: (method: string, path: string, headers?: Record<string, string>, body?: string) => ReturnType<typeof http>;
}

/** A server whose database connection a test can interrupt. */
function startSite(options: Partial<ServerOptions> = {}): () => Site {
  const { uri, name } = testDatabase();
  let site: Site | undefined;
  beforeAll(async () => {
    const outage = await startOutage(uri);
    const engine = { kind: 'embedded' as const, uri: outage.uri, database: name, close: async () => {} };
    const settings = resolveOptions({ port: 0, ephemeral: true, logLevel: 'silent', dataset: WORLD }, options);
    const server = await startServer(settings, () => Promise.resolve(engine));
    site = { server, outage, ask: (method, path, headers, body) => http(method, server.url + path, headers, body) };
  }, 30_000);
  afterAll(async () => {
    site?.outage.end();
    await site?.server.close();
    await site?.outage.close();
  });
  return () => {
    if (!site) throw new Error('The server has not started.');
    return site;
  };
}

const create = ({ ask }: Site, title: string): ReturnType<typeof http> =>
  ask('POST', EVENTS, SIGNED_IN, JSON.stringify({ title, start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' }));

// Long enough for requests with a database, even on a busy machine.
const impatient = startSite({ requestTimeout: 3 });

describe('without a database', () => {
  const site = impatient;
  // Requests that were not sent before, and so are not cached.
  const everythingUnseen = (how: string) => [
    ['GET', `${EVENTS}/${how === 'cut' ? 4711 : 4712}`],
    ['GET', `/wp-json/wp/v2/posts?search=${how}`],
    ['POST', '/__qa/reset'],
    ['PUT', '/__qa/snapshots/s1'],
    ['GET', '/__qa/snapshots'],
  ];

  /** Waits for a status of the health endpoint. */
  const untilHealthIs = async (wanted: number): Promise<void> => {
    while ((await site().ask('GET', '/health')).status !== wanted) await sleep(50);
  };

  test.each(['cut', 'hold'] as const)('%s off, every request is answered with 503, and 200 afterwards', async (how) => {
    const everything = everythingUnseen(how);
    expect((await create(site(), `Before ${how}`)).status).toBe(201);
    site().outage[how]();
    let answered = 0;
    const asked = everything.map(([method, path]) =>
      site()
        .ask(method, path)
        .finally(() => (answered += 1)),
    );
    await site().ask('GET', '/health');
    // A lost connection may be noticed at once. The health does not wait for the database.
    if (how === 'hold') expect(answered).toBe(0);
    const answers = await Promise.all(asked);
    const shown = answers.map(({ status, headers }, i) => [...everything[i], status, headers.get('retry-after')]);
    expect(shown).toEqual(everything.map(([method, path]) => [method, path, 503, '1']));
    await untilHealthIs(503);
    site().outage.end();
    await untilHealthIs(200);
    for (const [method, path] of everything) {
      const status = path.includes('/471') ? 404 : method === 'PUT' ? 201 : 200;
      expect([path, (await site().ask(method, path)).status]).toEqual([path, status]);
    }
  });
});

const VENUES = '/tribe/events/v1/venues';

test.each([
  ['of a client', `/wp-json${VENUES}`, { venue: 'Hall' }],
  ['of the control page', '/__qa/rest', { method: 'POST', path: VENUES, body: { venue: 'Hall' } }],
])('a request %s that never ends is given up, and then holds up no reset', async (_, path, body) => {
  const { server, ask } = impatient();
  let end: () => void = () => undefined;
  const draw = jest.spyOn(server.site.store.sequences, 'draw');
  draw.mockReturnValueOnce(new Promise((_resolve, reject) => (end = () => reject(new Error('Ended by the test.')))));
  try {
    const answer = await ask('POST', path, SIGNED_IN, JSON.stringify(body));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(draw).toHaveBeenCalledTimes(1);
    // It would fail if it waited for that request.
    expect((await ask('POST', '/__qa/reset')).status).toBe(200);
  } finally {
    end();
    draw.mockRestore();
  }
});

/** Sends the head of a request and part of its body, and waits until the server handles it. */
async function sendHalf(url: string): Promise<net.Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST ${EVENTS} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{"title":`,
  );
  await once(socket, 'data');
  return socket;
}

describe('with requests that take long', () => {
  const site = startSite({ allowPrivateUrls: true });

  test('a body that never arrives holds up neither resets nor other requests', async () => {
    const { server, ask } = site();
    const socket = await sendHalf(server.url);
    // It would fail if it waited for that request.
    expect((await ask('POST', '/__qa/reset')).status).toBe(200);
    expect((await ask('GET', `${EVENTS}?per_page=1`)).status).toBe(200);
    socket.destroy();
  });

  test('when the server ends, they finish first', async () => {
    const images = createServer();
    images.listen(0, '127.0.0.1');
    await once(images, 'listening');
    const { port } = images.address() as AddressInfo;
    const body = {
      title: 'Late',
      start_date: '2026-07-01 10:00:00',
      end_date: '2026-07-01 11:00:00',
      image: `http://127.0.0.1:${port}/a.png`,
    };
    const { server, ask } = site();
    const asked = once(images, 'request');
    const late = ask('POST', EVENTS, SIGNED_IN, JSON.stringify(body));
    const [, response] = (await asked) as [IncomingMessage, ServerResponse];
    const closing = server.close();
    const isOpen = (): Promise<boolean> =>
      ask('GET', '/health').then(
        () => true,
        () => false,
      );
    while (await isOpen());
    response.writeHead(404).end();
    const answer = await late;
    expect([answer.status, answer.text.includes('critical error')]).toEqual([400, false]);
    await closing;
    images.close();
  });
});

test('who waits for requests gives up after a while, and says for whom', async () => {
  const gate = new Gate(30);
  const guests = [1, 2, 3, 4].map((id) => ({ method: 'GET', url: `/events/${id}` }));
  for (const guest of guests) await gate.enter(guest);
  const refused = gate.exclusive(() => Promise.resolve());
  await expect(refused).rejects.toMatchObject({
    httpStatus: 503,
    message: expect.stringMatching(/GET \/events\/1 \(\d+\.\d s\), .*\/events\/3 \(\d+\.\d s\) and 1 more/) as string,
  });
  for (const guest of guests) gate.leave(guest);
  await expect(gate.exclusive(() => Promise.resolve('done'))).resolves.toBe('done');
});
