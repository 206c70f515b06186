import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The version of `bun` on the path. Install it with `npm install --global bun`. */
const version = spawnSync('bun', ['--version'], { encoding: 'utf8' }).stdout as string | null;
const withBun = version === null ? test.skip.each : test.each;
if (version === null) process.stderr.write('Tests of `bun test` are skipped: there is no bun on the path (npm install --global bun).\n');

const TESTS = `
const understudy = useUnderstudy({ strict: true, now: '2026-06-15T12:00:00Z' });
const ask = async (query) => (await fetch(understudy.restUrl + '/tribe/events/v1/events?' + query)).json();
test('creates', async () => {
  await understudy.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 20:00', end_date: '2026-06-15 22:00' });
  if (!(await ask('per_page=50')).events.some(({ title }) => title === 'Late Show')) throw new Error('Not created');
});
test('was reset', async () => {
  if ((await ask('per_page=50')).events.some(({ title }) => title === 'Late Show')) throw new Error('Not reset');
});
test('misspells a parameter', async () => { await ask('perPage=2'); });
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bun-'));
beforeAll(() => {
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/wp-understudy'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

withBun([
  ['wp-understudy/jest', `const { useUnderstudy } = require('wp-understudy/jest');`],
  ['wp-understudy/jest', `import { test } from 'bun:test'; import { useUnderstudy } from 'wp-understudy/jest';`],
  ['wp-understudy/vitest', `import { test } from 'vitest'; import { useUnderstudy } from 'wp-understudy/vitest';`],
  ['wp-understudy/node', `import { test } from 'node:test'; import { useUnderstudy } from 'wp-understudy/node';`],
])('bun test runs tests with %s (%s)', (_, head) => {
  writeFileSync(path.join(folder, 'some.test.js'), `${head}\n${TESTS}`);
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' };
  for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^NODE_/.test(name)) delete env[name];
  const { stdout, stderr } = spawnSync('bun', ['test', './some.test.js'], { cwd: folder, env, encoding: 'utf8', timeout: 120_000 });
  const output = stdout + stderr;
  expect(output).toMatch(/2 pass\n\s*1 fail/);
  // Requests that the helper objects to, with all requests of the test.
  expect(output).toContain('"perPage" is not a parameter here and is ignored: did you mean "per_page"?');
  expect(output).toMatch(/Understudy at http\S+\n {2}clock: /);
});
