import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPTIONS, STORE_OPTIONS } from '../../../src/server/config/index.js';
import { runCli, startServe, type CliProcess, type CliResult } from '../../support/cli.js';

const EMPTY = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../fixtures/empty.json');
const ESCAPE = '\u001b';

describe('help', () => {
  let overview: CliResult;
  const pages = new Map<string, CliResult>();
  beforeAll(async () => {
    overview = await runCli(['--help'], { FORCE_COLOR: '1' });
    const commands = [...overview.stdout.matchAll(/^ {2}(\w+) {2,}\S/gm)].map(([, name]) => name);
    await Promise.all(commands.map(async (name) => pages.set(name, await runCli([name, '--help'], { FORCE_COLOR: '1' }))));
  });

  test('the overview names every command', () => {
    expect(overview.code).toBe(0);
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['serve', 'users']));
  });

  test('every command has help with usage and an example, without colors', () => {
    for (const [name, { code, stdout, stderr }] of pages) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^Usage: understudy ${name} `));
      expect(stdout).toMatch(/Examples?:\s+understudy /);
      expect(stdout).not.toContain(ESCAPE);
    }
  });

  test.each([
    ['serve', OPTIONS],
    ['users', STORE_OPTIONS],
  ] as const)('the help of %s lists every option with its value and environment variable', (name, table) => {
    // A description may span several lines.
    const rows = (pages.get(name)?.stdout ?? '').split(/\n(?! {4})/).map((row) => row.replace(/\n +/g, ' '));
    for (const { flag, value, env, help } of table) {
      const line = rows.find((candidate) => candidate.trimStart().startsWith(`--${flag}${value ? ` ${value}` : ''}  `));
      expect(line).toContain(help);
      expect(line).toContain(`[${env}]`);
    }
  });

  test('the help of users lists every action and its options', () => {
    const page = pages.get('users')?.stdout ?? '';
    for (const action of ['add LOGIN --role ROLE', 'list', 'password LOGIN', 'remove LOGIN']) expect(page).toContain(`\n  ${action}`);
    for (const flag of ['role', 'email', 'name', 'account-password', 'keep', 'reassign', 'json']) expect(page).toMatch(`\n  --${flag}`);
  });

  test('prints the version of the package', async () => {
    const { stdout } = await runCli(['--version']);
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('usage errors: one line on stderr and exit code 2', () => {
  test.each<[args: string[], env: NodeJS.ProcessEnv, line: RegExp]>([
    [['dance'], {}, /Unknown command dance\. List the commands with understudy --help/],
    [['servee'], {}, /Unknown command servee\. Did you mean "serve"\?/],
    [['--prot', '9000'], {}, /Unknown option --prot\. Did you mean "--port"/],
    [['dmeo'], {}, /Unknown command dmeo\. Did you mean "demo"\?/],
    [['users', 'ad'], {}, /Unknown action ad\. Did you mean "add"\?/],
    [['users', 'dance'], {}, /Unknown action dance\. Use add, list, password, remove/],
    [['serve', '--ephemeral', '--data', 'd'], {}, /--ephemeral keeps nothing, and --data names where to keep it\. Use one of them/],
    [['--verson'], {}, /Unknown option --verson\. Did you mean "--version"/],
    [['serve', '--colour'], {}, /Unknown option --colour/],
    [['serve', 'calendar.json', 'other.json'], {}, /Unexpected argument other\.json\. A server loads one dataset/],
    [['serve', '--port'], {}, /--port needs a value: --port PORT/],
    [['serve', '--port', 'http'], {}, /--port must be a number/],
    [['serve', '--ephemeral=yes'], {}, /--ephemeral takes no value/],
    [['serve', '--now', 'soon'], {}, /--now must be a time/],
    [['serve', '--now', '2026-02-30T12:00:00Z'], {}, /--now must be a time/],
    [['serve', '--quirk', 'no-etags'], {}, /invalid quirk "no-etags". Use no-etags=on or no-etags=off/],
    [['serve', '--ephemeral', '--port', '0', '--host', '192.0.2.1'], {}, /Cannot bind to 192\.0\.2\.1\. .*--host/],
    [['serve'], { UNDERSTUDY_EPHEMERAL: 'perhaps' }, /UNDERSTUDY_EPHEMERAL: invalid value "perhaps"/],
    [['users'], {}, /requires an action\. Use add, list, password, remove/],
    [['users', 'add', 'anna'], {}, /Usage: understudy users add LOGIN --role ROLE/],
    [['users', 'add', 'anna', '--role', 'boss'], {}, /--role must be one of/],
    [['users', 'list', '--role', 'editor'], {}, /Unknown option --role/],
    [['export', '--output', 'x.json'], {}, /Unknown option --output\. The file is an argument: understudy export/],
  ])('%j %j', async (args, env, line) => {
    const { code, stdout, stderr } = await runCli(args, env);
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(stderr).toMatch(/^understudy: /);
    expect(stderr).toMatch(line);
  });
});

test('users on a missing site exits with code 1 and creates nothing', async () => {
  const { code, stderr } = await runCli(['users', 'list', '--data', path.join(os.tmpdir(), 'understudy-no-such-folder')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^understudy: There is no site in .*understudy-no-such-folder, and no server runs/);
});

test('a missing dataset exits with code 1 and its name', async () => {
  const { code, stderr } = await runCli(['serve', '--ephemeral', '--port', '0', '--dataset', 'no-such-file.json']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'understudy: no-such-file.json: file not found\n' });
});

test.each([
  ['generate', '--events', '1', '-o', path.join(EMPTY, 'made.ndjson')],
  ['seed', EMPTY, '--data', EMPTY],
])('a file instead of a folder exits with code 1 and its name (%j)', async (...args) => {
  const { code, stderr } = await runCli(args);
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(stderr).toContain(`understudy: ${EMPTY}: a file exists where a folder is needed`);
});

test('the log names the existing namespaces for an unknown namespace, and nothing for an unknown route', async () => {
  const server = await startServe(['--ephemeral', '--port', '0', '--dataset', EMPTY]);
  for (const route of ['acme/v1/events', 'tec/v1/nothing', 'wp/v2/nothing']) await fetch(`${server.url}/wp-json/${route}`);
  const { stderr } = await server.stop('SIGTERM');
  expect(stderr).toBe('No route for /acme/v1/events. The calendar is mounted under calendar/events/v1, tribe/events/v1\n');
});

/** Successive tests on one data folder: each starts from the result of the one before. */
describe('a data folder', () => {
  let folder: string;
  let server: CliProcess & { url: string };
  let password: string;
  let firstUrl: string;
  const events = (): string => `${server.url}/wp-json/calendar/events/v1/events`;
  const signedInAs = (login: string, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`,
    'content-type': 'application/json',
  });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-cli-'));
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  test('starts with environment variables only and prints a working application password', async () => {
    server = await startServe([], { UNDERSTUDY_DATA: folder, UNDERSTUDY_PORT: '0', UNDERSTUDY_DATASET: EMPTY });
    firstUrl = server.url;
    const { stdout } = server.output();
    password = /Login: admin, application password: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(`${server.url}/wp-json/calendar/events/v1/events\n`);
    expect(stdout).not.toContain(ESCAPE);
    const event = {
      title: 'Kept',
      start_date: '2035-01-01 10:00:00',
      end_date: '2035-01-01 11:00:00',
      website: `${server.url}/more/`,
      description: `<a href="${server.url}/about/">About</a>`,
    };
    const response = await fetch(events(), { method: 'POST', headers: signedInAs('admin', password), body: JSON.stringify(event) });
    expect(response.status).toBe(201);
  });

  test('a second start names the server of the folder', async () => {
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--data', folder]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`already served at ${server.url} `);
  });

  test('users are managed while the server runs', async () => {
    const added = await runCli(['users', 'add', 'bert', '--role', 'author', '--data', folder]);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const secret = /Application password: (\S+)/.exec(added.stdout)?.[1] ?? '';
    const me = await fetch(`${server.url}/wp-json/wp/v2/users/me`, { headers: signedInAs('bert', secret) });
    expect(await me.json()).toMatchObject({ name: 'bert' });
    expect((await runCli(['users', 'list', '--data', folder])).stdout).toMatch(/^2 +bert +author/m);
    const again = await runCli(['users', 'add', 'bert', '--role', 'author', '--data', folder]);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('bert') as string });
    expect(await runCli(['users', 'remove', 'bert', '--data', folder])).toMatchObject({ code: 0, stdout: 'Removed bert.\n' });
    const gone = await fetch(`${server.url}/wp-json/wp/v2/users/me`, { headers: signedInAs('bert', secret) });
    expect(gone.status).toBe(401);
  });

  test('a port in use is reported in one line', async () => {
    const { port } = new URL(server.url);
    const { code, stderr } = await runCli(['serve', '--ephemeral', '--port', port]);
    expect(code).not.toBe(0);
    expect(stderr).toBe(`understudy: Port ${port} is already in use. Choose another (--port), or 0 for any free port\n`);
  });

  test('SIGTERM ends the server with exit code 0 and without errors', async () => {
    const { code, stderr } = await server.stop('SIGTERM');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('adds a user while the server is stopped', async () => {
    const added = await runCli(['users', 'add', 'Anna', '--role', 'editor', '--data', folder, '--account-password'], {}, 'a secret\n');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toContain('Added Anna as editor, user 3, anna@example.org.');
    const secret = /Application password: (\S+)/.exec(added.stdout)?.[1] ?? '';
    const listed = await runCli(['users', 'list', '--json', '--data', folder]);
    const users = JSON.parse(listed.stdout) as { login: string; role: string; account_password: boolean }[];
    expect(users).toMatchObject([
      { login: 'admin', role: 'administrator', account_password: false },
      { login: 'Anna', role: 'editor', account_password: true },
    ]);
    expect(listed.stdout).not.toContain(secret);
    expect(listed.stdout).not.toMatch(/[0-9a-f]{64}/);
  });

  test('the next start keeps everything, prints no password, and rewrites stored links to the new URL', async () => {
    server = await startServe(['--data', folder, '--port', '0', '--dataset', EMPTY]);
    expect(server.url).not.toBe(firstUrl);
    expect(server.output().stderr).toBe(
      `The store already contains a site: ${EMPTY} is not loaded. Run 'understudy seed' to replace the content\n`,
    );
    expect(server.output().stdout).not.toContain('password');
    const response = await fetch(`${events()}/by-slug/kept`, { headers: signedInAs('admin', password) });
    expect(await response.json()).toMatchObject({
      title: 'Kept',
      website: `${server.url}/more/`,
      description: `<p><a href="${server.url}/about/">About</a></p>`,
      url: `${server.url}/event/kept/`,
    });
  });

  test('SIGINT ends the server with exit code 0 and without errors', async () => {
    const { code, stderr } = await server.stop('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^The store already contains a site.*\n$/) });
  });
});
