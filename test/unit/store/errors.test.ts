import net from 'node:net';
import { once } from 'node:events';
import { MongoClient, MongoNetworkError, type MongoError } from 'mongodb';
import { isOutage, isUncertain } from '../../../src/store/errors.js';
import { testDatabase } from '../../support/database.js';

const { uri, name } = testDatabase();

/** A server between the driver and the database, which drops all connections on request. */
async function between(): Promise<{ uri: string; drop: () => void; close: () => void }> {
  const [, host] = /^mongodb:\/\/([^/]+)/.exec(uri)!;
  const target = decodeURIComponent(host);
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const [address, port] = target.split(':');
    const database = target.startsWith('/') ? net.connect(target) : net.connect(Number(port ?? 27017), address);
    for (const socket of [client, database]) open.add(socket.on('error', () => {}));
    client.pipe(database).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const drop = (): void => open.forEach((socket) => socket.destroy());
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as net.AddressInfo).port}/?directConnection=true&retryWrites=false`,
    drop,
    close: () => {
      drop();
      server.close();
    },
  };
}

test('a bulk write whose connection is lost is an outage, and it is not known what was written', async () => {
  const way = await between();
  const client = new MongoClient(way.uri);
  try {
    const things = client.db(name).collection<{ _id: number; text: string }>('things');
    await things.insertOne({ _id: 0, text: '' });
    const text = 'x'.repeat(1_000_000);
    const failure = things.insertMany(Array.from({ length: 40 }, (_, i) => ({ _id: i + 1, text }))).then(
      () => null,
      (error: MongoError) => error,
    );
    setImmediate(way.drop);
    const error = await failure;
    expect(error).not.toBeInstanceOf(MongoNetworkError);
    expect([error?.name, isOutage(error), isUncertain(error)]).toEqual(['MongoBulkWriteError', true, true]);
  } finally {
    await client.close();
    way.close();
  }
});

test('a duplicate in a bulk write is neither', async () => {
  const client = new MongoClient(uri);
  try {
    const things = client.db(name).collection<{ _id: number }>('others');
    const error = await things.insertMany([{ _id: 1 }, { _id: 1 }]).catch((reason: unknown) => reason);
    expect([(error as Error).name, isOutage(error), isUncertain(error)]).toEqual(['MongoBulkWriteError', false, false]);
  } finally {
    await client.close();
  }
});
