import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli, startCli, startServe, untilServing, type CliResult } from '../../support/cli.js';
import { root } from '../../support/documents.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-init-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let folders = 0;

/** Creates a folder with files. @returns its path */
function place(files: Record<string, string> = {}): string {
  const made = path.join(folder, String(++folders));
  mkdirSync(made);
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(made, name), content);
  return made;
}

const init = (cwd: string, ...args: string[]): Promise<CliResult> => runCli(['init', ...args], {}, '', cwd);

test.each([
  ['a TypeScript project', { 'tsconfig.json': '{}', 'package.json': '{ "devDependencies": { "vitest": "3" } }' }, 'ts', 'vitest'],
  ['a package of ES modules', { 'package.json': '{ "type": "module", "devDependencies": { "jest": "30" } }' }, 'js', 'jest'],
  ['a package', { 'package.json': '{ "dependencies": { "@playwright/test": "1" } }' }, 'mjs', 'playwright'],
  ['an empty folder', {}, 'json', 'node'],
])('init writes what suits %s, and the files work', async (_, files, kind, helper) => {
  const at = place({ ...files });
  const { code, stdout } = await init(at);
  expect(stdout).toContain(`Wrote understudy.config.${kind} and calendar.json.`);
  expect(stdout).toContain(`from 'wp-understudy/${helper}'`);
  expect(stdout).toContain('npm install --save-dev wp-understudy');
  expect(code).toBe(0);

  const server = await startServe(['--port', '0'], {}, at);
  const { clock } = (await (await fetch(`${server.url}/__qa/health`)).json()) as { clock: { frozen: boolean; now: string } };
  const { total } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { total: number };
  await server.stop('SIGTERM');
  expect([clock.frozen, clock.now.slice(10), total]).toEqual([true, 'T12:00:00.000Z', 3]);
  // `init` leaves only the announced files.
  expect(existsSync(path.join(at, 'data'))).toBe(false);
});

test('init names the schemas of the installed package', async () => {
  const workspace = place({ 'package.json': '{}' });
  mkdirSync(path.join(workspace, 'node_modules'));
  symlinkSync(root, path.join(workspace, 'node_modules/wp-understudy'));
  const at = path.join(workspace, 'packages/site');
  const { stdout } = await init(workspace, 'packages/site', '--dataset', 'tests/calendar.yaml', '--config', 'json');
  expect(stdout).toContain('cd packages/site');
  expect(stdout).not.toContain('npm install');
  const [schema] = readFileSync(path.join(at, 'tests/calendar.yaml'), 'utf8').split('\n');
  const [, datasetSchema] = /^# yaml-language-server: \$schema=(.*)$/.exec(schema) ?? [];
  const config = JSON.parse(readFileSync(path.join(at, 'understudy.config.json'), 'utf8')) as { $schema: string; dataset: string };
  expect(existsSync(path.join(at, 'tests', datasetSchema))).toBe(true);
  expect(existsSync(path.join(at, config.$schema))).toBe(true);
  expect(config.dataset).toBe('./tests/calendar.yaml');
  const { code } = await runCli(['validate', 'tests/calendar.yaml'], {}, '', at);
  expect(code).toBe(0);
});

test('init keeps existing files unless forced', async () => {
  const at = place({ 'calendar.json': 'mine' });
  expect(await init(at)).toMatchObject({
    code: 1,
    stderr: 'understudy: calendar.json already exists: nothing was written. Use --force to replace\n',
  });
  expect(existsSync(path.join(at, 'understudy.config.json'))).toBe(false);
  expect(await init(at, '--force')).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(at, 'calendar.json'), 'utf8')).toContain('Flea market');
  // Two configuration files would contradict each other.
  expect(await init(at, '--config', 'mjs', '--dataset', 'other.json')).toMatchObject({
    code: 1,
    stderr: 'understudy: understudy.config.json already exists: nothing was written\n',
  });
});

test.each([
  [['--config', 'toml'], '--config must be one of ts, js, mjs, cjs, json'],
  [['--dataset', 'calendar.csv'], '--dataset must end with .json or .yaml'],
  [['a', 'b'], 'Usage: understudy init [FOLDER] [options]'],
])('init %j is a usage error', async (args, message) => {
  const { code, stderr } = await init(place(), ...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

const PORT = { UNDERSTUDY_PORT: '0' };

test('without arguments, the demo is served, with what to do next, and nothing is left', async () => {
  const at = place();
  const server = await untilServing(startCli([], { ...PORT, npm_command: 'exec' }, '', at));
  const { total } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { total: number };
  const { stdout } = await server.stop('SIGTERM');
  expect(total).toBeGreaterThan(20);
  expect(stdout).toContain('This is a demo calendar. Its content is deleted when the server stops.');
  expect(stdout).toContain('npx wp-understudy init ');
  expect(existsSync(path.join(at, 'data'))).toBe(false);
});

test('without arguments, a configured dataset is served', async () => {
  const at = place();
  await init(at);
  const server = await untilServing(startCli([], PORT, '', at));
  const { total } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { total: number };
  const { stdout } = await server.stop('SIGTERM');
  expect([total, stdout.includes('demo')]).toEqual([3, false]);
});
