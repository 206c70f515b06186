import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openerOf, openUrl } from '../../../src/cli/commands/site/browser.js';
import { runCli, startServe } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';

/** A project folder, and a folder for the announcements of running servers. */
const [project, announced] = ['project', 'announced'].map((name) => mkdtempSync(path.join(os.tmpdir(), `understudy-${name}-`)));
afterAll(() => [project, announced].forEach((folder) => rmSync(folder, { recursive: true })));

/** Without a display, so that no browser opens. */
const environment = { TMPDIR: announced, DISPLAY: '', WAYLAND_DISPLAY: '' };
const run = (...args: string[]): ReturnType<typeof runCli> => runCli(args, environment, '', project);

test('without servers, status lists none, and open says what to do', async () => {
  expect(await run('status')).toMatchObject({ code: 0, stdout: 'No server runs for this project.\n' });
  expect(await run('status', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await run('open')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Start understudy serve') });
});

describe('with a server', () => {
  const { address } = testDatabase();

  test('status lists it, and open prints its control page', async () => {
    const server = await startServe(['edge', '--ephemeral', '--port', '0', '--mongodb-uri', address], environment, project);
    const { stdout: listed, code } = await run('status');
    const [head, row] = listed.split('\n');
    expect([code, head.split(/ {2,}/)]).toEqual([0, ['', 'URL', 'DATASET', 'DATA', 'SINCE', 'VERSION', 'PID']]);
    expect(row.split(/ {2,}/)).toEqual([
      '*',
      server.url,
      'edge',
      'ephemeral',
      expect.stringMatching(/^[\d-]+ [\d:]+Z$/),
      '0.1.0',
      String(server.pid),
    ]);

    // Ephemeral, and of another project.
    expect(JSON.parse((await runCli(['status', '--json'], environment, '', announced)).stdout)).toEqual([]);
    expect(JSON.parse((await run('status', '--json')).stdout)).toEqual([
      { url: server.url, pid: server.pid, project: true, dataset: 'edge', data: null, since: expect.any(String), version: '0.1.0' },
    ]);

    for (const args of [['open'], ['open', '--print'], ['open', '--url', server.url]])
      expect(await run(...args)).toMatchObject({ code: 0, stdout: `${server.url}/__qa/ui\n`, stderr: '' });
    await server.stop('SIGTERM');
    expect(await run('status')).toMatchObject({ stdout: 'No server runs for this project.\n' });
  });
});

test('a server on a data folder that is not the default is named to commands that look for another', async () => {
  const server = await startServe(['edge', '--data', 'd', '--port', '0'], environment, project);
  writeFileSync(path.join(project, 'more.json'), JSON.stringify({ events: [{ title: 'Concert', start: '+3d 20:00', duration: '2h' }] }));
  const told = 'A server in this folder serves d: add --data d, or --data data for the site in data';
  for (const args of [['import', 'more.json'], ['seed', 'more.json'], ['open'], ['users', 'list']])
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
  expect(await run('import', 'more.json', '--data', 'd')).toMatchObject({ code: 0, stdout: expect.stringContaining(server.url) });
  expect(await run('seed', 'more.json', '--data', 'data')).toMatchObject({ code: 0, stdout: expect.stringContaining('/data now holds') });
  expect((await runCli(['status'], environment, '', announced)).stdout).toMatch(/^ +http\S+ +edge +\S+\/d +/m);
  await server.stop('SIGTERM');
}, 60_000);

test.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', {}, null],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['freebsd', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
] as const)('on %s with %j, %j opens URLs', (platform, variables: Record<string, string>, opener) => {
  expect(openerOf(platform, (name) => variables[name])).toEqual(opener);
});

test('a missing or failing opener is no error', async () => {
  expect(await openUrl('http://127.0.0.1/', ['understudy-no-such-opener'])).toBe(false);
  expect(await openUrl('', [process.execPath, '--eval', 'process.exit(3)'])).toBe(false);
  expect(await openUrl('', [process.execPath, '--eval', ''])).toBe(true);
});
