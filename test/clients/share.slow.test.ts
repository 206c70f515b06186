import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCli } from '../support/cli.js';
import { testDatabase } from '../support/database.js';

const EMPTY = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/empty.json');

describe('understudy share', () => {
  interface User {
    socket: net.Socket;
    greeting: { url: string; adminPassword: string };
  }
  const { address } = testDatabase();
  const environment = { MONGODB_URI: address };
  const socketName = path.join(os.tmpdir(), `understudy-test-${process.pid}.sock`);
  const meet = (sandbox: string): Promise<User> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(socketName, () => socket.write(`${sandbox}\n`));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.endsWith('\n')) resolve({ socket, greeting: JSON.parse(text) as User['greeting'] });
      });
      socket.once('error', reject);
    });
  const meetSoon = async (sandbox: string): Promise<User> => {
    for (;;) {
      const user = await meet(sandbox).catch(() => null);
      if (user) return user;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };

  test('shares one server; the sandbox of a user is removed with the user', async () => {
    const first = startCli(['share', '--socket', socketName, '--dataset', EMPTY], environment);
    const { socket, greeting } = await meetSoon('mine');
    const second = await startCli(['share', '--socket', socketName], environment).ended;
    expect(second).toEqual({ code: 0, stdout: '', stderr: '' });
    const other = await meet('theirs');
    expect(other.greeting).toEqual(greeting);
    const sandboxes = `${greeting.url}/__qa/sandboxes`;
    for (const name of ['mine', 'theirs']) expect((await fetch(`${sandboxes}/${name}`, { method: 'PUT' })).status).toBe(201);
    socket.destroy();
    let status = 200;
    while (status === 200) ({ status } = await fetch(`${sandboxes}/mine`));
    expect([status, (await fetch(`${sandboxes}/theirs`)).status]).toEqual([404, 200]);
    other.socket.destroy();
    expect(await first.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});
