import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import '../../../../src/database/store/connection.js';

interface Command {
  command: (namespace: object, command: object, options: object) => Promise<unknown>;
  hello: object;
}

const NAMESPACE = { db: 'a', collection: '$cmd', toString: () => 'a.$cmd' };

describe('a command to a connection that has ended', () => {
  let server: net.Server;
  let socket: net.Socket;
  let connection: Command;
  beforeEach(async () => {
    server = net.createServer((peer) => peer.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const Internal = Connection as unknown as new (stream: net.Socket, options: object) => Command;
    connection = new Internal(socket, {
      id: 1,
      generation: 0,
      hostAddress: { toString: () => 'here' },
      logicalSessionTimeoutMinutes: null,
    });
    connection.hello = { minWireVersion: 0, maxWireVersion: 21 };
  });
  afterEach(() => server.close());

  const outcome = (): Promise<string> =>
    Promise.race([
      connection.command(NAMESPACE, { ping: 1 }, {}).then(
        () => 'done',
        () => 'rejected',
      ),
      sleep(2_000, 'waits for ever', { ref: false }),
    ]);

  test('is rejected when the socket is about to close', async () => {
    socket.destroy();
    expect(await outcome()).toBe('rejected');
  });

  test('is rejected when the socket closes before it is written', async () => {
    socket.destroy();
    const written = new Promise<string>((resolve) => {
      // Ticks run before promises: the command starts, the socket closes, and then the command is sent.
      process.nextTick(() => void outcome().then(resolve));
    });
    expect(await written).toBe('rejected');
  });
});
