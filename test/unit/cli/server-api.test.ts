import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ServerApi, readResponseText } from '../../../src/cli/commands/site/server-api.js';

/** A server's response about its clock. */
const TIME = '{"now":"2026-06-15T12:00:00.000Z"}';

test('a request does not use a connection that the server is about to close', async () => {
  const used = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end(TIME));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = new ServerApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, undefined);
  for (let i = 0; i < 3; i += 1) {
    const response = await api.ask('POST', '/__qa/import', undefined, Readable.from(['{}\n', '{}\n']));
    expect(await readResponseText(response)).toBe(TIME);
  }
  server.closeAllConnections();
  server.close();
});

test('nothing is sent to a server that takes everything', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end('{"ok":true}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(new ServerApi(url, undefined).json('POST', '/__qa/reset')).rejects.toThrow(`${url} is not an Understudy server`);
  expect(requests).toEqual(['GET /__qa/clock']);
  server.close();
});
