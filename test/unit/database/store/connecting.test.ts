import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cleanup } from '../../../../src/server/app/cleanup.js';
import { openStore } from '../../../../src/server/app/open.js';
import type { Engine } from '../../../../src/database/engine/index.js';
import { testDatabase } from '../../../support/database.js';
import { registry } from '../../../support/registry.js';

/** Connecting to a database while it starts. */

const { uri, name } = testDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-connecting-'));
const socket = path.join(folder, 's.sock');
/** Accepts connections, but never responds. */
const silent = net.createServer((connection) => connection.on('error', () => undefined).resume());
const at = `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;
let cleanup: Cleanup;

beforeAll(() => once(silent.listen(socket), 'listening'));
afterAll(() => {
  silent.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => (cleanup = new Cleanup()));
afterEach(() => cleanup.run());

const connected = async (): Promise<net.Socket> => ((await once(silent, 'connection')) as [net.Socket])[0];

/** Checks that the driver does not reconnect, which it would do after half a second. */
async function staysUnconnected(connection: net.Socket): Promise<void> {
  let others = 0;
  silent.on('connection', () => (others += 1));
  connection.destroy();
  await sleep(1_000);
  expect(others).toBe(0);
}

test('it is connected to before it is ready', async () => {
  let ready = (_engine: Engine): void => undefined;
  const engine = new Promise<Engine>((resolve) => (ready = resolve));
  const opening = openStore({ engine, reachable: Promise.resolve(uri) }, () => Promise.resolve(registry), cleanup);
  ready({ kind: 'embedded', uri, database: name, close: async () => undefined });
  expect(await (await opening).store.ping()).toBe(true);
});

test('when it cannot be opened, that is the error, and nobody connects again', async () => {
  let fail = (_error: Error): void => undefined;
  const engine = new Promise<Engine>((_, reject) => (fail = reject));
  const connection = connected();
  const opening = openStore({ engine, reachable: Promise.resolve(at) }, () => Promise.resolve(registry), cleanup);
  await connection;
  fail(new Error('The data cannot be opened.'));
  await expect(opening).rejects.toThrow('The data cannot be opened.');
  await staysUnconnected(await connection);
});

test('when another one is used in the end, that is connected to, and nobody connects to the first again', async () => {
  let ready = (_engine: Engine): void => undefined;
  const engine = new Promise<Engine>((resolve) => (ready = resolve));
  const connection = connected();
  const opening = openStore({ engine, reachable: Promise.resolve(at) }, () => Promise.resolve(registry), cleanup);
  await connection;
  ready({ kind: 'mongod', uri, database: name, close: async () => undefined });
  expect(await (await opening).store.ping()).toBe(true);
  await staysUnconnected(await connection);
});
