import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createServer } from '../../../src/index.js';
import { runCli, startServe } from '../../support/cli.js';
import { root } from '../../support/documents.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let projects = 0;

/** Creates a project with the package installed. @returns its folder */
function project(files: Record<string, string>): string {
  const place = path.join(folder, `project-${++projects}`);
  mkdirSync(path.join(place, 'node_modules'), { recursive: true });
  symlinkSync(root, path.join(place, 'node_modules/wp-understudy'));
  for (const [name, content] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), content);
  }
  return place;
}

/** The data folder of a command, according to its error message. No database is needed. */
async function dataFolder(cwd: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stderr } = await runCli(['reset', ...args], env, '', cwd);
  return /There is no site in (.*), and no server/.exec(stderr)?.[1] ?? stderr;
}

const MODULE = "{ data: 'store' }";

test.each([
  ['understudy.config.json', '{ "$schema": "./schema.json", "data": "store" }'],
  ['understudy.config.mjs', `export default ${MODULE};`],
  ['understudy.config.cjs', `module.exports = ${MODULE};`],
  ['understudy.config.js', `module.exports = ${MODULE};`],
  ['understudy.config.mjs', `import { defineConfig } from 'wp-understudy';\nexport default defineConfig(async () => (${MODULE}));`],
  ['understudy.config.ts', `import { defineConfig } from 'wp-understudy/config';\nexport default defineConfig(${MODULE});`],
  ['understudy.config.ts', `import type { Config } from 'wp-understudy';\nexport default ${MODULE} satisfies Config;`],
  ['understudy.config.mts', `enum Place { Store = 'store' }\nexport default { data: Place.Store };`],
])('%s: %s', async (name, text) => {
  const place = project({ [name]: text });
  expect(await dataFolder(place)).toBe(path.join(place, 'store'));
});

test('understudy.config.js is an ES module in a package of type module', async () => {
  const place = project({ 'package.json': '{ "type": "module" }', 'understudy.config.js': `export default ${MODULE};` });
  expect(await dataFolder(place)).toBe(path.join(place, 'store'));
});

test('the file is found above the working directory, up to the root of the package', async () => {
  const place = project({ 'understudy.config.json': '{ "data": "store" }', 'a/b/c.txt': '', 'packages/inner/package.json': '{}' });
  const [below, inner] = ['a/b', 'packages/inner'].map((name) => path.join(place, name));
  expect(await dataFolder(below)).toBe(path.join(place, 'store'));
  expect(await dataFolder(inner)).toBe(path.join(inner, 'data'));
});

test('flags override the environment, which overrides the file', async () => {
  const place = project({ 'understudy.config.json': '{ "data": "store" }', 'other/config.json': '{ "data": "../elsewhere" }' });
  const env = { UNDERSTUDY_DATA: 'from-env' };
  expect(await dataFolder(place, [], env)).toBe(path.join(place, 'from-env'));
  expect(await dataFolder(place, ['--data', 'from-flag'], env)).toBe(path.join(place, 'from-flag'));
  expect(await dataFolder(place, ['--config', 'none'])).toBe(path.join(place, 'data'));
  expect(await dataFolder(place, ['--config', 'other/config.json'])).toBe(path.join(place, 'elsewhere'));
  expect(await dataFolder(place, [], { UNDERSTUDY_CONFIG: 'other/config.json' })).toBe(path.join(place, 'elsewhere'));
});

test.each([
  ['understudy.config.json', '{\n  "prot": 8080\n}', ':2:3: unknown option "prot". Did you mean "port"?'],
  ['understudy.config.json', '{\n  "port": 70000\n}', ':2:3: port must be less than or equal to 65535'],
  ['understudy.config.json', '{\n  "port": 8080,\n}', ':3:1: invalid JSON: '],
  ['understudy.config.json', '[]', ': must contain an object with options'],
  ['understudy.config.json', '{ "config": "other.json" }', ':1:3: unknown option "config"'],
  [
    'understudy.config.ts',
    'const port: number = 1;\nexport default {\n  port,\n  datset: 1 };',
    ':4:3: unknown option "datset". Did you mean',
  ],
  ['understudy.config.mjs', 'export default {\n  now: "soon" }', ':2:3: now must be a time such as'],
  ['understudy.config.cjs', 'module.exports = {\n', 'understudy.config.cjs'],
  [
    'understudy.config.ts',
    "import 'absent-package';\nexport default {};",
    "understudy.config.ts:1: cannot be loaded: Cannot find module 'absent-package'",
  ],
  ['understudy.config.ts', '\nthrow new Error("no luck");', ':2: cannot be loaded: no luck'],
])('%s %j is an error with its place', async (name, text, message) => {
  const { code, stderr } = await runCli(['reset'], {}, '', project({ [name]: text }));
  expect(stderr.replace(/^understudy: /, '')).toContain(message.startsWith(':') ? `${name}${message}` : message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

test('two configuration files, or one that does not exist, are an error', async () => {
  const both = { 'understudy.config.json': '{}', 'understudy.config.mjs': 'export default {}' };
  expect(await dataFolder(project(both))).toMatch(/there is another configuration file, understudy\.config\.mjs/);
  expect(await dataFolder(project({}), ['--config', 'absent.ts'])).toMatch(/absent\.ts: configuration file not found/);
});

const CALENDAR = JSON.stringify({ events: [{ title: 'Configured', start: '+1d 19:00', duration: '1h' }] });
const CONFIG = JSON.stringify({ dataset: 'data/calendar.json', now: '2026-06-15T12:00:00Z', port: 0, ephemeral: true });

test('serve takes dataset, clock and port from the file', async () => {
  const place = project({ 'understudy.config.json': CONFIG, 'data/calendar.json': CALENDAR });
  const server = await startServe([], {}, path.join(place, 'data'));
  const { events } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { events: { start_date: string }[] };
  expect(events.map(({ start_date }) => start_date)).toEqual(['2026-06-16 19:00:00']);
  await server.stop('SIGTERM');
});

test('createServer reads the file only if asked to', async () => {
  const config = path.join(project({ 'understudy.config.json': CONFIG, 'data/calendar.json': CALENDAR }), 'understudy.config.json');
  const server = await createServer({ config });
  expect(server.site.clock.now()).toBe(Date.parse('2026-06-15T12:00:00Z'));
  await server.close();
  await expect(createServer({ config: path.join(folder, 'absent.json') })).rejects.toThrow('configuration file not found');
});

const TEST = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';

const understudy = useUnderstudy();
test('has the configured dataset', async () => {
  const { events } = await understudy.client.events.list();
  assert.deepEqual(events.map(({ title, start_date }) => [title, start_date]), [['Configured', '2026-06-16 19:00:00']]);
});
`;

test('the helpers for test runners read the file', async () => {
  const config = CONFIG.replace('"port":0', '"port":1,"url":"https://calendar.example.org"');
  const place = project({ 'understudy.config.json': config, 'data/calendar.json': CALENDAR, 'calendar.test.mjs': TEST });
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'calendar.test.mjs'], { cwd: place });
  expect(stdout).toContain('# pass 1');
}, 60_000);
