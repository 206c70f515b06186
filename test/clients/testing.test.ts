import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Understudy, useUnderstudy, UnverifiedError } from '../../src/testing/jest.js';
import { understudyFixtures, withUnderstudy, type FixtureTable } from '../../src/testing/playwright.js';
import { startCli } from '../support/cli.js';
import { testDatabase } from '../support/database.js';
import { startTestServer } from '../support/server.js';

const EMPTY = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/empty.json');
const PASSWORD = 'a-password-of-24-letters';
const server = startTestServer({ adminPassword: PASSWORD });

beforeAll(() => {
  process.env['UNDERSTUDY_URL'] = server().url;
  process.env['UNDERSTUDY_ADMIN_PASSWORD'] = PASSWORD;
});
afterAll(() => {
  delete process.env['UNDERSTUDY_URL'];
  delete process.env['UNDERSTUDY_ADMIN_PASSWORD'];
});

const NOW = '2026-06-15T12:00:00.000Z';
const dataset = { site: { name: 'Mill', timezone: 'Europe/Berlin' }, events: [{ title: 'Open Stage', start: '+1d 20:00', end: '23:00' }] };
const times = { start_date: '2026-06-15 20:00:00', end_date: '2026-06-15 22:00:00' };

const titles = async ({ client }: Understudy): Promise<string[]> => (await client.events.list()).events.map(({ title }) => title);

describe('useUnderstudy', () => {
  const understudy = useUnderstudy({ dataset, now: NOW });
  const early = ((): string => {
    try {
      return understudy.url;
    } catch (error) {
      return (error as Error).message;
    }
  })();

  test('is not available while tests are declared', () => {
    expect(early).toContain('Use it within a test or a hook');
  });

  test.each([1, 2])('each test starts with the dataset, the configured time, no faults and an empty journal (%i)', async () => {
    expect(await understudy.clock.get()).toEqual({ now: NOW, frozen: true });
    expect(await titles(understudy)).toEqual(['Open Stage']);
    expect(await understudy.journal.entries()).toHaveLength(1);
    await understudy.admin.events.create({ title: 'Mine', ...times });
    expect(await titles(understudy)).toEqual(['Mine', 'Open Stage']);
    await understudy.clock.advance('3 days');
    expect(await titles(understudy)).toEqual([]);
    await understudy.faults.profile('maintenance');
    await expect(understudy.client.events.list()).rejects.toMatchObject({ status: 503 });
  });

  test('another instance has its own calendar, removed with the instance', async () => {
    const other = await Understudy.open({ now: NOW });
    await other.admin.events.create({ title: 'Theirs', ...times });
    expect(await titles(understudy)).toEqual(['Open Stage']);
    expect(await titles(other)).toContain('Theirs');
    await other.close();
    expect(JSON.stringify(await (await fetch(`${server().url}/__qa/sandboxes`)).json())).not.toContain(other.name);
  });

  test('freezes, resumes and advances the clock', async () => {
    const { clock } = understudy;
    expect(await clock.set('2026-07-01T00:00:00Z')).toEqual({ now: '2026-07-01T00:00:00.000Z', frozen: true });
    expect((await clock.run()).frozen).toBe(false);
    expect(await clock.freeze(new Date(NOW))).toEqual({ now: NOW, frozen: true });
    expect((await clock.advance(1500)).now).toBe('2026-06-15T12:00:01.500Z');
    expect((await clock.real()).frozen).toBe(false);
  });

  test('adds, lists and removes faults', async () => {
    const { faults, client } = understudy;
    const rule = await faults.add({ match: { path: '**/events' }, times: 1, effect: { status: 500 } });
    await expect(client.events.list()).rejects.toMatchObject({ code: 'internal_server_error' });
    await client.events.list();
    expect(await faults.list()).toEqual([{ ...rule, hits: 1 }]);
    await faults.remove(rule.id);
    await faults.profile('forbidden');
    await faults.clear();
    expect(await faults.list()).toEqual([]);
  });

  test('reads, verifies, lints and saves the journal', async () => {
    const { journal, client } = understudy;
    await client.events.list({ per_page: 5, venue_id: 3 } as object);
    const [entry] = await journal.entries({ status: '2xx' });
    expect(await journal.entry(entry.id)).toMatchObject({ method: 'GET', status: 200, user: null });
    await journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
    await expect(journal.expect({ path: '**/venues' })).rejects.toThrow(UnverifiedError);
    await expect(journal.expect({ path: '**/events', query: { per_page: '6' } })).rejects.toThrow(
      /found 0\n[^]*query per_page: expected "6"/,
    );
    expect(await journal.lint()).toMatchObject([{ name: 'venue_id', suggestion: 'venue' }]);
    expect(await journal.scenario(entry.id, { name: 'mine' })).toMatchObject({ name: 'mine', steps: [{ response: { status: 200 } }] });
    await journal.clear();
    expect((await journal.verify({ atMost: 0 })).verified).toBe(true);
  });

  test('restores snapshots and seeds another dataset', async () => {
    const { snapshots } = understudy;
    await snapshots.save('one');
    await understudy.seed({ ...dataset, events: [] });
    expect(await titles(understudy)).toEqual([]);
    await snapshots.restore('one');
    expect(await titles(understudy)).toEqual(['Open Stage']);
    await expect(understudy.seed('nowhere.json')).rejects.toThrow(`Cannot read the dataset ${path.resolve('nowhere.json')} (ENOENT)`);
    expect((await snapshots.list()).map(({ name }) => name)).toEqual(['one']);
    await snapshots.delete('one');
    expect(await snapshots.list()).toEqual([]);
  });
});

test('Playwright: one sandbox per worker, reset for each test', async () => {
  const options = { dataset, now: NOW };
  const extended: unknown = withUnderstudy({ extend: (fixtures: FixtureTable) => Object.keys(fixtures) }, options);
  expect(extended).toEqual(['understudySandbox', 'understudy']);
  const table = understudyFixtures(options);
  const [worker, { scope }] = table.understudySandbox;
  const seen: string[][] = [];
  await worker({}, async (understudySandbox) => {
    for (const title of ['One', 'Two']) {
      await table.understudy({ understudySandbox }, async (understudy) => {
        await understudy.admin.events.create({ title, ...times });
        seen.push(await titles(understudy));
      });
    }
  });
  expect({ scope, seen }).toEqual({
    scope: 'worker',
    seen: [
      ['One', 'Open Stage'],
      ['Two', 'Open Stage'],
    ],
  });
});

describe('understudy share', () => {
  interface User {
    socket: net.Socket;
    greeting: { url: string; adminPassword: string };
  }
  const { uri, name: database } = testDatabase();
  const environment = { MONGODB_URI: Object.assign(new URL(uri), { pathname: `/${database}` }).href };
  const socketName = path.join(os.tmpdir(), `understudy-test-${process.pid}.sock`);
  const meet = (sandbox: string): Promise<User> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(socketName, () => socket.write(`${sandbox}\n`));
      socket.once('data', (text) => resolve({ socket, greeting: JSON.parse(String(text)) as User['greeting'] }));
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
