import { once } from 'node:events';
import net from 'node:net';
import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });

/** Sends raw request lines, and returns the head of the response. */
async function ask(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(server().url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split('\r\n\r\n', 1)[0];
}

test('a request with two hosts is rejected: each program on the way might take another', async () => {
  const { host } = new URL(server().url);
  for (const hosts of [
    [host, 'evil.example'],
    ['evil.example', host],
    [host, host],
  ])
    expect(await ask(['GET /__qa/ HTTP/1.1', `Host: ${hosts[0]}`, `host: ${hosts[1]}`])).toMatch(/^HTTP\/1\.1 400 /);
  expect(await ask(['GET /__qa/ HTTP/1.1', `Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /);
});

test('OPTIONS * is about the server', async () => {
  const head = await ask(['OPTIONS * HTTP/1.1', 'Host: localhost']);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/^Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS$/im);
});

test('an idle connection is kept for longer than clients keep theirs', async () => {
  const { headers } = await fetch(`${server().url}/health`);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});
