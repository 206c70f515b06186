import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { BSON, MongoClient, type Db } from 'mongodb';
import { RepeatedRead } from '../../../src/store/repeated-read.js';
import '../../../src/store/connection.js';
import { testDatabase } from '../../support/database.js';
import { startOutage, type Outage } from '../../support/outage.js';

const { uri, name } = testDatabase();
const FIND = { find: 'things', filter: { _id: 'one' }, limit: 1, singleBatch: true };

let outage: Outage;
let client: MongoClient;
let db: Db;
let read: RepeatedRead;
beforeEach(async () => {
  outage = await startOutage(uri);
  client = new MongoClient(outage.uri);
  db = client.db(name);
  read = new RepeatedRead(db, FIND);
  await write(1);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await client.close();
  await outage.close();
});

const write = (n: number): Promise<unknown> =>
  db.collection<{ _id: string }>('things').replaceOne({ _id: 'one' }, { n, text: 'ü'.repeat(70_000) }, { upsert: true });

const numbersIn = (document: Buffer | null): number[] => (document ? [BSON.deserialize(document)['n'] as number] : []);

/** What is read, and how many commands the driver sent for it. */
async function ask(): Promise<[numbers: number[], asked: number]> {
  const command = jest.spyOn(db, 'command');
  const numbers = numbersIn(await read.send());
  const asked = command.mock.calls.length;
  command.mockRestore();
  return [numbers, asked];
}

/** Until the driver is no longer asked. */
async function untilDirect(): Promise<void> {
  for (let left = 200; (await ask())[1] > 0; left -= 1) {
    if (left === 0) throw new Error('The driver is still asked.');
    await sleep(5);
  }
}

test('the driver is asked at first, and then no more', async () => {
  expect(await ask()).toEqual([[1], 1]);
  await untilDirect();
  await write(2);
  expect(await ask()).toEqual([[2], 0]);
  await db.collection('things').deleteMany({});
  expect(await ask()).toEqual([[], 0]);
});

test('while a response is awaited, the driver is asked', async () => {
  await untilDirect();
  const all = await Promise.all([read.send(), read.send(), read.send()]);
  expect(all.flatMap(numbersIn)).toEqual([1, 1, 1]);
});

test('a lost connection is replaced', async () => {
  await untilDirect();
  outage.cut();
  await expect(read.send()).rejects.toThrow();
  outage.end();
  await write(3);
  expect((await ask())[0]).toEqual([3]);
  await untilDirect();
});

test('a connection that is lost while a response is awaited: the driver is asked', async () => {
  await untilDirect();
  outage.hold();
  const reading = read.send();
  await sleep(20);
  outage.cut();
  outage.end();
  expect(numbersIn(await reading)).toEqual([1]);
});

test('a command that fails: the error is that of the driver', async () => {
  await untilDirect();
  // The collection becomes a view that cannot be read.
  await db.collection('things').drop();
  await db.createCollection('things', { viewOn: 'others', pipeline: [{ $project: { n: { $divide: ['$n', 0] } } }] });
  await db.collection<{ _id: string }>('others').insertOne({ _id: 'one', n: 1 } as { _id: string });
  await expect(read.send()).rejects.toMatchObject({ name: 'MongoServerError' });
  await db.collection('things').drop();
  await write(4);
  expect((await ask())[0]).toEqual([4]);
  await untilDirect();
});

test('closing the client ends a read', async () => {
  await untilDirect();
  outage.hold();
  const reading = expect(read.send()).rejects.toThrow();
  await sleep(20);
  await client.close();
  await reading;
});

test('a monitored client sees every command', async () => {
  const monitored = new MongoClient(outage.uri, { monitorCommands: true });
  try {
    const seen: string[] = [];
    monitored.on('commandStarted', ({ commandName }) => seen.push(commandName));
    read = new RepeatedRead(monitored.db(name), FIND);
    for (let i = 0; i < 3; i += 1) {
      await read.send();
      await sleep(20);
    }
    expect(seen).toEqual(['find', 'find', 'find']);
  } finally {
    await monitored.close();
  }
});
