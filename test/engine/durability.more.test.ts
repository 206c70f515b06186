import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEngine } from '../../src/database/engine/index.js';
import { Store } from '../../src/wordpress/store.js';
import { registry } from '../support/registry.js';

const ROUNDS = 6;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'understudy-durability-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test(`the database is killed ${ROUNDS} times right after a write: none that was acknowledged is lost`, async () => {
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let restarted = (): void => undefined;
    const isBack = new Promise<void>((resolve) => (restarted = resolve));
    const engine = await startEngine({ directory, onRestart: () => restarted() });
    const store = await Store.openSoon(engine.uri, registry, 'durable');
    const collection = store.db.collection<{ _id: number }>('counters');
    for (let n = 0; n < 20; n += 1) {
      const _id = round * 100 + n;
      if (n % 2) await collection.insertOne({ _id });
      else await store.writeTogether([{ collection: 'counters', insert: { _id } }]);
      acknowledged.push(_id);
    }
    process.kill(engine.pid ?? 0, 'SIGKILL');
    await isBack;
    const found = (await collection.find({ _id: { $type: 'int' } }).toArray()).map(({ _id }) => _id);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    await store.close();
    await engine.close();
  }
});
