import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { userFolder } from '../../../src/base/system/user-folder.js';
import { EFFORT } from '../../support/effort.js';
import { runCli, startCli, startServe, untilServing, type CliProcess, type CliResult } from '../../support/cli.js';

/* A project created by `understudy init`, with a server in one terminal and commands in another. */

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'understudy-project-')));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGTERM');
  await rm(folder, { recursive: true });
});

const servers: CliProcess[] = [];
const here = (...args: string[]): Promise<CliResult> => runCli(args, {}, '', folder);

async function serveHere(...args: string[]): Promise<string> {
  const server = await startServe(args, {}, folder);
  servers.push(server);
  return server.url;
}

const EVENT = JSON.stringify({ events: [{ title: 'Concert', start: '+3d 20:00', duration: '2h' }] });

test('every command finds the server of a project, which keeps nothing, and seed makes no second store', async () => {
  expect(await here('init')).toMatchObject({ code: 0 });
  const url = await serveHere('--port', '0');
  await writeFile(path.join(folder, 'more.json'), EVENT);

  expect(await here('users', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('admin') as string });
  expect(await here('users', 'add', 'anna', '--role', 'editor', '--url', url)).toMatchObject({ code: 0 });
  expect(await here('import', 'more.json')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^Added to the server at ${url}: 1 event`),
  });
  expect(await here('export', '--only', 'events')).toMatchObject({ code: 0, stdout: expect.stringContaining('Concert') as string });
  expect(await here('reset')).toMatchObject({ code: 0, stdout: expect.stringContaining(url) as string });
  expect((await here('export')).stdout).not.toContain('Concert');
  expect(await here('seed', 'more.json', '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"events":1') as string });
  expect(((await (await fetch(`${url}/wp-json/tribe/events/v1/events`)).json()) as { total: number }).total).toBe(1);
  expect(await here('journal')).toMatchObject({ code: 0, stdout: expect.stringContaining('/wp-json/tribe/events/v1/events') as string });
  expect(await here('doctor')).toMatchObject({ stdout: expect.stringContaining(`The server at ${url} responds`) as string });
  expect(existsSync(path.join(folder, 'data'))).toBe(false);

  const other = await serveHere('--port', '0');
  const { code, stderr } = await here('reset');
  // The oldest server comes first.
  expect({ code, lines: stderr.trim().split('\n') }).toEqual({
    code: 1,
    lines: [
      'understudy: 2 servers run here. Choose one with --url:',
      ...[url, other].map((each) => expect.stringContaining(`  ${each} (process`) as string),
    ],
  });
  expect(await here('reset', '--url', other)).toMatchObject({ code: 0 });
}, 60_000);

test('without a server, nothing is stored that no server would serve, but in a folder that is named', async () => {
  await here('init');
  await writeFile(path.join(folder, 'more.json'), EVENT);
  expect(await here('seed', 'more.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('its configuration is ephemeral') as string,
  });
  expect(await here('users', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('its configuration is ephemeral') as string,
  });
  expect(existsSync(path.join(folder, 'data'))).toBe(false);
  expect((await here('doctor')).stdout).toContain('Content is not kept: the configuration is ephemeral.');
  expect(await here('seed', 'more.json', '--data', 'kept')).toMatchObject({ code: 0 });
  expect(await here('backup', 'site.tar.gz', '--data', 'kept')).toMatchObject({ code: 0 });
  // The data folder named on the command line is served.
  const url = await serveHere('--port', '0', '--data', 'kept');
  expect(((await (await fetch(`${url}/wp-json/tribe/events/v1/events`)).json()) as { total: number }).total).toBe(1);
  expect(await here('restore', 'site.tar.gz')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The configuration is ephemeral') as string,
  });
  expect(existsSync(path.join(folder, 'data'))).toBe(false);
}, 60_000);

describe('without a command', () => {
  test('all options of serve count, and a dataset is an argument', async () => {
    await writeFile(path.join(folder, 'mine.json'), EVENT);
    const server = await untilServing(startCli(['--port', '0', 'mine.json', '--profile', 'tec'], {}, '', folder));
    servers.push(server);
    expect(server.output().stdout).toContain('a temporary copy of the dataset');
    const { events } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { events: { title: string }[] };
    expect(events.map(({ title }) => title)).toEqual(['Concert']);
    expect(await readdir(folder)).toEqual(['mine.json']);
  }, 30_000);

  test('a dataset of the package is named', async () => {
    const server = await untilServing(startCli(['edge', '--port=0', '--now', '2026-06-15T12:00:00Z'], {}, '', folder));
    servers.push(server);
    const { site } = (await (await fetch(`${server.url}/__qa/health`)).json()) as { site?: unknown };
    expect(site).not.toBeNull();
  }, 30_000);

  test.each([
    [['--prot', '1'], 'Unknown option --prot'],
    [['serv'], 'Unknown command serv'],
    [['no-such.yaml'], 'no-such.yaml'],
    [['demo', 'edge'], 'Unexpected argument'],
  ])('%j is an error', async (args, message) => {
    const { code, stderr } = await here(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test('commands wait for a server of the project that has just begun to start', async () => {
  await here('init');
  const starting = startCli(['--port', '0'], {}, '', folder);
  servers.push(starting);
  const note = path.join(userFolder(), 'servers', `${starting.pid}.json`);
  while (!existsSync(note)) await nextTick();
  expect(starting.output().stdout).toBe('');
  const [reset, exported, elsewhere] = await Promise.all([
    here('reset'),
    here('export'),
    runCli(['reset', '--data', 'other'], {}, '', folder),
  ]);
  const { url } = await untilServing(starting);
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining(url) as string });
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('Flea market') as string });
  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no site in') as string });

  // One that ends without serving is not waited for.
  expect(await here('serve', '--port', '0', '--dataset', 'nowhere.yaml')).toMatchObject({ code: 1 });
  expect(await here('reset', '--data', 'other')).toMatchObject({ code: 1 });
}, 60_000);

test('a misspelt variable is named, and what was probably meant', async () => {
  const { stderr } = await runCli(['reset', '--data', 'none'], { UNDERSTUDY_PORFILE: 'tec' }, '', folder);
  expect(stderr).toMatch(/^Warning: The environment variable UNDERSTUDY_PORFILE is unknown\. Did you mean UNDERSTUDY_PROFILE\?\n/);
});

test('help of generate lists zones and costs apart', async () => {
  expect((await here('generate', '--help')).stdout).toMatch(/^Zones: [^]*?\n\nCosts: none, free/m);
});

describe('a port that is in use', () => {
  let taken: Server;
  beforeEach(async () => {
    taken = createServer().listen(8080, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve).once('error', resolve));
  });
  afterEach(() => new Promise((resolve) => taken.close(resolve)));

  test('the next one is taken unless one is set, also in a project of init', async () => {
    await here('init');
    const url = await serveHere();
    expect(Number(new URL(url).port)).toBeGreaterThan(8080);
    expect(servers[0].output().stdout).toContain('Port 8080 is in use: this server has the next free one');
    expect(await here('--port', '8080')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Port 8080 is already in use') as string,
    });
  }, 30_000);
});

describe('a URL without an Understudy server', () => {
  const answers: Record<string, RequestListener | null> = {
    'that does not respond': null,
    'that responds with HTML': (_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>'),
    'that knows no such route': (_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>'),
    'of another API': (_, response) => response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"no"}'),
    'that responds with text': (_, response) => response.end('hello'),
    'that takes everything': (_, response) => response.setHeader('Content-Type', 'application/json').end('{"ok":true}'),
    'that closes every connection': ({ socket }) => void socket.destroy(),
  };
  const COMMANDS = [
    ['reset'],
    ['journal'],
    ['export', 'out.json'],
    ['import', 'more.json'],
    ['seed', 'more.json'],
    ['users', 'list'],
    ['users', 'add', 'anna', '--role', 'editor'],
    ['backup', 'out.tar.gz'],
    ['doctor'],
    ['open', '--print'],
    ['generate', '--events', '300', '--load'],
    ['check', 'SITE', '--retries', '0'],
    ['pull', 'SITE', '--retries', '0', '--output', 'out.json'],
    ['save'],
    ['stubs', 'import', 'api.json'],
  ];
  const API = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Hours', version: '1' },
    paths: { '/hours': { get: { responses: { 200: { description: 'Hours' } } } } },
  });

  /** Commands that serve. Their URL is the server's own address, or the one of a site or server that may be down. */
  const SERVING = ['serve', 'share', 'proxy', 'mcp'];

  /** The command line with the URL of a site, or of a server. */
  const at = (url: string, command: readonly string[]): string[] =>
    command.includes('SITE') ? command.map((word) => (word === 'SITE' ? url : word)) : [...command, '--url', url];

  /**
   * Each command is tested with two of the responses, and each response with four commands. With more effort, all combinations are tested.
   */
  const askedOf = (answer: string): string[][] => {
    const position = Object.keys(answers).indexOf(answer);
    return COMMANDS.filter((_, index) => EFFORT > 1 || [0, 3].includes((index + position) % Object.keys(answers).length));
  };

  test('is tried with every command that takes one', async () => {
    const names = [...(await here('--help')).stdout.matchAll(/^  ([a-z]+) {2,}/gm)].map(([, name]) => name);
    const helps = await Promise.all(names.map(async (name) => ({ name, help: (await here(name, '--help')).stdout })));
    const taking = helps.filter(({ help }) => /--url URL|^Usage: understudy \w+ URL /m.test(help)).map(({ name }) => name);
    expect(new Set(COMMANDS.map(([name]) => name))).toEqual(new Set(taking.filter((name) => !SERVING.includes(name))));
  }, 60_000);

  test.each(Object.entries(answers))(
    '%s',
    async (name, answer) => {
      await writeFile(path.join(folder, 'more.json'), EVENT);
      await writeFile(path.join(folder, 'api.json'), API);
      const server = createServer(answer ?? undefined).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (answer === null) server.close();
      const results = await Promise.all(askedOf(name).map(async (command) => ({ command, ...(await here(...at(url, command))) })));
      server.close();
      const wrong = results.filter(({ command, code, stdout, stderr }) => {
        const said = command[0] === 'doctor' ? stdout : stderr;
        return (
          code !== 1 ||
          !said.includes(url) ||
          /^\s+at .*:\d+:\d+/m.test(said) ||
          (command[0] !== 'doctor' && said.trim().split('\n').length !== 1)
        );
      });
      expect(wrong).toEqual([]);
      expect((await readdir(folder)).toSorted()).toEqual(['api.json', 'more.json']);
    },
    60_000,
  );

  test('that speaks another protocol', async () => {
    const server = createServer((__, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await here('export', '--url', `https://127.0.0.1:${port}`);
    server.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^understudy: https:\S+ does not speak HTTPS\. Try http:.*\n$/) as string,
    });
  });
});

test('a server that listens beyond this machine without a token says that the test API is off', async () => {
  const url = await serveHere('--ephemeral', '--host', '0.0.0.0', '--port', '0');
  expect(servers[0].output().stderr).toContain('The test API is off');
  const response = await fetch(`${url}/__qa/reset`, { method: 'POST' });
  expect([response.status, await response.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'understudy_test_api_off', message: expect.stringContaining('--qa-token') as string }),
  ]);
  const { stderr } = await here('reset', '--url', url.replace('localhost', '127.0.0.1'));
  expect(stderr).toContain('--qa-token');

  const silent = await serveHere('--ephemeral', '--host', '0.0.0.0', '--port', '0', '--no-qa');
  expect(servers[1].output().stderr).toBe('');
  expect((await fetch(`${silent}/__qa/reset`, { method: 'POST' })).headers.get('content-type')).toContain('text/html');
}, 30_000);

test('the store of an ephemeral server that was killed goes with the next one', async () => {
  const env = { TMPDIR: folder };
  const stores = async (): Promise<string[]> => (await readdir(folder)).filter((name) => /^understudy-\w{6}$/.test(name));
  const killed = await startServe(['--ephemeral', '--port', '0'], env, folder);
  const [left] = await stores();
  await killed.stop('SIGKILL');
  expect(await stores()).toContain(left);
  servers.push(await startServe(['--ephemeral', '--port', '0'], env, folder));
  while ((await stores()).includes(left)) await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await stores()).length).toBeGreaterThan(0);
}, 30_000);

test('a start that fails leaves no empty folder', async () => {
  expect(await here('serve', '--dataset', 'no-such.yaml', '--port', '0')).toMatchObject({ code: 1 });
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  expect(await here('serve', '--port', String((other.address() as AddressInfo).port))).toMatchObject({ code: 2 });
  other.close();
  expect(await readdir(folder)).toEqual([]);
}, 30_000);
