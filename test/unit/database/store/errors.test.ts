import net from 'node:net';
import { once } from 'node:events';
import { MongoClient, type MongoError } from 'mongodb';
import { isDuplicate, isOutage, isUncertain } from '../../../../src/database/store/errors.js';
import { Writes } from '../../../../src/database/store/writes.js';
import { testDatabase } from '../../../support/database.js';

const { uri, name } = testDatabase();

/** A proxy between the driver and the database, which can drop all connections. */
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
    const text = 'x'.repeat(400_000);
    const steps = Array.from({ length: 40 }, (_, i) => ({ collection: 'things', insert: { _id: i + 1, text } }));
    const failure = new Writes(client.db(name)).send(steps).then(
      () => null,
      (error: MongoError) => error,
    );
    setImmediate(way.drop);
    const error = await failure;
    expect([isOutage(error), isUncertain(error)]).toEqual([true, true]);
  } finally {
    await client.close();
    way.close();
  }
});

test('a duplicate in a bulk write is neither', async () => {
  const client = new MongoClient(uri);
  try {
    const steps = [1, 1].map((_id) => ({ collection: 'others', insert: { _id } }));
    const error = await new Writes(client.db(name)).send(steps).catch((reason: unknown) => reason);
    expect([isDuplicate(error), isOutage(error), isUncertain(error)]).toEqual([true, false, false]);
  } finally {
    await client.close();
  }
});
