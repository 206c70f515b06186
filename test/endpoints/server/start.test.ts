import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from '../../../src/index.js';
import { WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';

const databases = [testDatabase(), testDatabase(), testDatabase()];

/** Options for a separate database. */
function inDatabase(number: number): { mongodbUri: string; ephemeral: true } {
  return { mongodbUri: databases[number].address, ephemeral: true };
}

async function freePort(): Promise<number> {
  const probe = createHttpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function firstAnswer(url: string): Promise<number> {
  for (;;) {
    try {
      return (await fetch(url, { signal: AbortSignal.timeout(20_000) })).status;
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw error;
      await wait(5);
    }
  }
}

test('a request during the first load waits for it', async () => {
  const port = await freePort();
  const starting = createServer({ ...inDatabase(0), port, dataset: WORLD });
  const status = await firstAnswer(`http://127.0.0.1:${port}/__qa/health`);
  await (await starting).close();
  expect(status).toBe(200);
});

test('the dataset can be an object', async () => {
  const dataset = { events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h' }] };
  const server = await createServer({ ...inDatabase(1), dataset, now: '2026-06-15T12:00:00Z' });
  const { events } = (await (await fetch(`${server.restUrl}/tribe/events/v1/events`)).json()) as { events: { start_date: string }[] };
  await server.close();
  expect(events.map(({ start_date }) => start_date)).toEqual(['2026-06-16 10:00:00']);
  const broken = createServer({ ...inDatabase(2), dataset: { events: [{ title: 'Fair', start: 'soon' }] } });
  await expect(broken).rejects.toThrow('The dataset: events[0].start: invalid date "soon"');
});

test('a port in use is an error with the code of the system', async () => {
  const other = createHttpServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const starting = createServer({ ...inDatabase(2), port });
  await expect(starting).rejects.toMatchObject({
    name: 'ConfigError',
    code: 'EADDRINUSE',
    message: expect.stringContaining(`Port ${port} is`),
  });
  await new Promise((resolve) => other.close(resolve));
});
