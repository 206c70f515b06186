import { createHmac } from 'node:crypto';
import { createServer as createReceiver, type IncomingMessage, type Server as Receiver, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fromFlags, serverOptionHelp } from '../../src/server/config/index.js';
import { createServer, type Server } from '../../src/index.js';
import { testDatabase } from '../support/database.js';

const databases = [testDatabase(), testDatabase()];
const EMPTY = new URL('../../fixtures/empty.json', import.meta.url).pathname;
const SECRET = 'a-key';
const PASSWORD = 'a-password-of-24-letters';

let receiver: Receiver;
let url: string;
let isSilent = false;
const received: { event: string; isSigned: boolean }[] = [];

function receive(body: string, request: IncomingMessage, response: ServerResponse): void {
  const expected = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  received.push({ event: (JSON.parse(body) as { event: string }).event, isSigned: request.headers['x-understudy-signature'] === expected });
  if (!isSilent) setTimeout(() => response.end(), 100);
}

beforeAll(async () => {
  receiver = createReceiver((request, response) => {
    void text(request).then((body) => receive(body, request, response));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

function start(number: number): Promise<Server> {
  const options = { webhooks: [url], webhookSecret: SECRET, adminPassword: PASSWORD, dataset: EMPTY, ephemeral: true };
  return createServer({ ...options, mongodbUri: databases[number].address });
}

async function createTag({ restUrl, administrator }: Server, name: string): Promise<number> {
  const headers = { authorization: `Basic ${btoa(`${administrator?.login}:${PASSWORD}`)}`, 'content-type': 'application/json' };
  return (await fetch(`${restUrl}/tribe/events/v1/tags`, { method: 'POST', headers, body: JSON.stringify({ name }) })).status;
}

test('a closing server delivers what is pending, in order, and the first load is no event', async () => {
  const server = await start(0);
  expect([await createTag(server, 'One'), await createTag(server, 'Two')]).toEqual([201, 201]);
  await server.reset();
  await server.close();
  expect(received).toEqual(['term.created', 'term.created', 'content.reset'].map((event) => ({ event, isSigned: true })));
});

test('a closing server does not wait long for a receiver that does not respond', async () => {
  isSilent = true;
  const server = await start(1);
  expect(await createTag(server, 'Three')).toBe(201);
  const started = performance.now();
  await server.close();
  expect(performance.now() - started).toBeLessThan(8000);
});

test.each(['nothing', 'ftp://example.org', 'http://a:b@example.org'])('--webhook %s is rejected', (wrong) =>
  expect(() => fromFlags(['--webhook', wrong])).toThrow(`invalid webhook "${wrong}". Use an http(s) URL`),
);

test('the command line takes several', () => {
  expect(fromFlags(['--webhook', 'http://a.test/', '--webhook', 'https://b.test/x', '--webhook-secret', 's'])).toEqual({
    webhooks: ['http://a.test/', 'https://b.test/x'],
    webhookSecret: 's',
  });
  expect(serverOptionHelp()).toMatch(/--webhook URL .*repeatable \[UNDERSTUDY_WEBHOOKS\]\n *--webhook-secret TEXT /);
});
