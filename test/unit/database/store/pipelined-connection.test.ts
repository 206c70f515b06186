import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, MongoClient, type Db } from 'mongodb';
import { messageOf, PipelinedConnection } from '../../../../src/database/store/pipelined-connection.js';
import '../../../../src/database/store/connection.js';
import { testDatabase } from '../../../support/database.js';
import { startOutage, type Outage } from '../../../support/outage.js';

const { uri, name } = testDatabase();
const FIND = { find: 'things', filter: { _id: 'one' }, limit: 1, singleBatch: true };

let outage: Outage;
let client: MongoClient;
let db: Db;
let own: PipelinedConnection;
beforeEach(async () => {
  outage = await startOutage(uri);
  client = new MongoClient(outage.uri);
  db = client.db(name);
  own = new PipelinedConnection(client);
  await write(1);
});
afterEach(async () => {
  await client.close();
  await outage.close();
});

const write = (n: number): Promise<unknown> =>
  db.collection<{ _id: string }>('things').replaceOne({ _id: 'one' }, { n, text: 'ü'.repeat(70_000) }, { upsert: true });

/** What a `find` over the connection has found; null: the driver has to send it. */
async function ask(): Promise<number[] | null> {
  const reply = await own.send(messageOf(db, FIND));
  return reply && (reply['cursor'] as { firstBatch: Buffer[] }).firstBatch.map((bytes) => BSON.deserialize(bytes)['n'] as number);
}

/** Until the connection is open. */
async function untilOpen(): Promise<void> {
  for (let left = 200; (await ask()) === null; left -= 1) {
    if (left === 0) throw new Error('The connection does not open.');
    await sleep(5);
  }
}

test('it opens with the first command, and sends the next ones', async () => {
  expect(await ask()).toBe(null);
  await untilOpen();
  await write(2);
  expect(await ask()).toEqual([2]);
  await db.collection('things').deleteMany({});
  expect(await ask()).toEqual([]);
});

test('several commands get their own responses, and no more than eight await them', async () => {
  await untilOpen();
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  await db.collection<{ _id: number }>('others').insertMany(ids.map((_id) => ({ _id, n: _id })));
  const all = await Promise.all(ids.map((_id) => own.send(messageOf(db, { find: 'others', filter: { _id }, projection: { _id: 0 } }))));
  const found = all.map((reply) => reply && BSON.deserialize((reply['cursor'] as { firstBatch: Buffer[] }).firstBatch[0])['n']);
  expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, null]);
});

test('a lost connection is replaced', async () => {
  await untilOpen();
  outage.cut();
  expect(await ask()).toBe(null);
  outage.end();
  await write(3);
  await untilOpen();
  expect(await ask()).toEqual([3]);
});

test('a connection that is lost while responses are awaited', async () => {
  await untilOpen();
  outage.hold();
  const asking = Promise.all([ask(), ask()]);
  await sleep(20);
  outage.cut();
  expect(await asking).toEqual([null, null]);
  outage.end();
});

test('a command that fails', async () => {
  await untilOpen();
  expect(await own.send(messageOf(db, { find: 'things', filter: { $none: 1 } }))).toBe(null);
  await untilOpen();
  expect(await ask()).toEqual([1]);
});

test('closing the client ends a command', async () => {
  await untilOpen();
  outage.hold();
  const asking = ask();
  await sleep(20);
  await client.close();
  expect(await asking).toBe(null);
});

test.each([
  ['a client that is monitored', { monitorCommands: true }],
  ['a client that limits the time of commands', { socketTimeoutMS: 10_000 }],
  ['a client with a read concern', { readConcernLevel: 'local' as const }],
  ['a client with few connections', { maxPoolSize: 3 }],
])('the driver sends the commands of %s', async (_what, options) => {
  const other = new MongoClient(outage.uri, options);
  try {
    await other.connect();
    own = new PipelinedConnection(other);
    for (let i = 0; i < 3; i += 1) {
      expect(await ask()).toBe(null);
      await sleep(20);
    }
  } finally {
    await other.close();
  }
});
