import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { networkAddresses } from '../../../src/base/system/network.js';
import { runCli, startCli, startServe, type CliProcess } from '../../support/cli.js';

let folder: string;
const servers: CliProcess[] = [];
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'understudy-team-')));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGTERM');
  await rm(folder, { recursive: true });
});

/** Starts a server in the folder. */
async function serving(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliProcess & { url: string }> {
  const server = await startServe(['--port', '0', '--dataset', 'empty', ...args], env, folder);
  servers.push(server);
  return server;
}

/** Waits until a text is there. */
async function until<T>(read: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await read();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a server on all addresses prints them', async () => {
  const { url, output } = await serving(['--ephemeral', '--host', '0.0.0.0', '--no-qa']);
  const { port } = new URL(url);
  const network = networkAddresses('0.0.0.0').map((address) => `  Network:      http://${address}:${port}\n`);
  const local = network.length === 0 ? '' : `  Local:        ${url}\n`;
  expect(output().stdout).toContain(`profile standard.\n\n${local}${network.join('')}`);
  // Each address says what is there.
  for (const [label, at] of [
    ['Events', 'wp-json/calendar/events/v1/events'],
    ['The same', 'wp-json/tribe/events/v1/events, for clients of the plugin'],
    ['OpenAPI', 'wp-json/calendar/events/v1/doc'],
    ['Calendar', 'events/'],
  ])
    expect(output().stdout).toMatch(new RegExp(`^  ${label}: +${url}/${at}$`, 'm'));

  const programs = startCli(
    ['serve', '--ephemeral', '--port', '0', '--host', '0.0.0.0', '--no-qa', '--log-format', 'json'],
    {},
    '',
    folder,
  );
  servers.push(programs);
  const line = await until(() => /^.*\n/.exec(programs.output().stdout)?.[0]);
  const said = JSON.parse(line) as { url: string; addresses: string[] };
  const own = networkAddresses('0.0.0.0').map((address) => `http://${address}:${new URL(said.url).port}`);
  expect(said.addresses).toEqual([said.url, ...own]);
}, 60_000);

describe('serve --open', () => {
  /** An opener that records its arguments. */
  async function opener(): Promise<{ env: NodeJS.ProcessEnv; opened: () => Promise<string> }> {
    const [bin, record] = [path.join(folder, 'bin'), path.join(folder, 'opened')];
    await mkdir(bin);
    for (const name of ['xdg-open', 'open']) {
      await writeFile(path.join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}.draft' && mv '${record}.draft' '${record}'\n`);
      await chmod(path.join(bin, name), 0o755);
    }
    const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' };
    return { env, opened: () => until(() => readFile(record, 'utf8').catch(() => null)) };
  }

  test('opens the control page, wherever links lead', async () => {
    const { env, opened } = await opener();
    const server = await serving(['--ephemeral', '--open', '--url', 'https://calendar.example.org'], env);
    const { port } = new URL((await opened()).trim());
    expect(await opened()).toBe(`http://127.0.0.1:${port}/__qa/ui\n`);
    expect((await fetch((await opened()).trim())).status).toBe(200);
    expect(server.output().stdout).not.toContain('browser');
  }, 60_000);

  test('opens the calendar if there is no control page', async () => {
    const { env, opened } = await opener();
    const { url } = await serving(['--ephemeral', '--open', '--no-qa'], env);
    expect(await opened()).toBe(`${url}/events/\n`);
  }, 60_000);

  test('says where there is no browser, and serves', async () => {
    // macOS and Windows always have a screen.
    const isScreenless = !['darwin', 'win32'].includes(process.platform);
    const { url, output } = await serving(['--ephemeral', '--open'], { PATH: folder, DISPLAY: '', WAYLAND_DISPLAY: '' });
    const reason = isScreenless ? 'There is no screen to open a browser on' : 'No browser could be opened';
    const line = await until(() => new RegExp(`^${reason}.*$`, 'm').exec(output().stdout)?.[0]);
    expect(line).toContain(`Open ${url}/__qa/ui `);
    const unopened = await serving(['--ephemeral', '--open'], { PATH: folder, DISPLAY: ':0' });
    expect(await until(() => /^No browser could be opened.*$/m.exec(unopened.output().stdout)?.[0])).toContain(`${unopened.url}/__qa/ui`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  }, 60_000);
});

describe('a project that is served', () => {
  test('is not served twice, unless the second server is ephemeral', async () => {
    const { url } = await serving(['--data', 'data']);
    const { port } = new URL(url);
    const said = `understudy: This project is already served at ${url} (understudy open); --ephemeral starts another\n`;
    for (const args of [[], ['--port', '0'], ['--port', port], ['--host', '0.0.0.0', '--port', '0']])
      expect([args, await runCli(['serve', ...args], {}, '', folder)]).toEqual([args, { code: 1, stdout: '', stderr: said }]);
    const other = await serving(['--ephemeral']);
    expect(other.url).not.toBe(url);
  }, 60_000);

  test('is served again after its server was killed', async () => {
    const killed = await serving(['--data', 'data']);
    const note = await readFile(path.join(folder, 'data/server.json'), 'utf8');
    await killed.stop('SIGKILL');
    // The number of the killed process belongs to another one by now.
    await writeFile(path.join(folder, 'data/server.json'), note.replace(String(killed.pid), String(process.pid)));
    expect((await serving(['--data', 'data'])).url).toMatch(/^http/);
  }, 60_000);

  test('a missing dataset is said first, and makes no folder', async () => {
    const missing = { code: 1, stdout: '', stderr: 'understudy: no-such.yaml: file not found\n' };
    expect(await runCli(['serve', 'no-such.yaml', '--port', '0'], {}, '', folder)).toEqual(missing);
    expect(await readdir(folder)).toEqual([]);
    const inUse = await serving(['--data', 'data']);
    expect(await runCli(['serve', '--dataset', 'no-such.yaml', '--port', new URL(inUse.url).port], {}, '', folder)).toEqual(missing);
    const inFile = { ...missing, stderr: expect.stringContaining('no-such.yaml: file not found\n') as string };
    const elsewhere = { UNDERSTUDY_DATASET: 'no-such.yaml', UNDERSTUDY_DATA: path.join(folder, 'other') };
    expect(await runCli(['serve', '--port', new URL(inUse.url).port], elsewhere, '', folder)).toEqual(inFile);
  }, 60_000);
});
