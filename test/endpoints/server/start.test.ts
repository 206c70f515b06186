import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from '../../../src/index.js';
import { WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';

const database = testDatabase();

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
  const mongodbUri = new URL(database.uri);
  mongodbUri.pathname = `/${database.name}`;
  const starting = createServer({ mongodbUri: mongodbUri.href, ephemeral: true, port, dataset: WORLD });
  const status = await firstAnswer(`http://127.0.0.1:${port}/__qa/health`);
  await (await starting).close();
  expect(status).toBe(200);
});
