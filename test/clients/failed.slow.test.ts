import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runCli, startCli, untilServing } from '../support/cli.js';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const HELPER = JSON.stringify(pathToFileURL(path.join(ROOT, 'dist/sdk/testing/node.js')).href);
const NOW = '2026-06-15T12:00:00.000Z';

const TESTS = `
import { test } from 'node:test';
import { useUnderstudy } from ${HELPER};
const understudy = useUnderstudy({ dataset: 'calendar.yaml', now: '${NOW}', server: ['--profile', 'tec'], zones: '2025b' });
const ask = (query) => fetch(understudy.restUrl + '/tribe/events/v1/' + query);
test('Shows the late show', async () => {
  await understudy.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 20:00', end_date: '2026-06-15 22:00' });
  await understudy.faults.profile('maintenance', { match: { path: '**/venues' } });
  await understudy.stubs.add({ match: { path: '/seats' }, respond: { body: { left: 3 } } });
  await ask('events');
  await ask('venues');
  await fetch(understudy.url + '/seats');
  throw new Error('Not shown');
});
for (let n = 0; n < 11; n += 1) test('fails ' + n, { skip: process.env.ALL === undefined }, () => { throw new Error('no'); });
test('passes', () => ask('events'));
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-failed-'));
const results = path.join(folder, 'understudy-results');

function runTests(more: NodeJS.ProcessEnv = {}): string {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', ...more };
  for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^NODE_/.test(name)) delete env[name];
  return spawnSync(process.execPath, ['--test'], { cwd: folder, env, encoding: 'utf8', timeout: 120_000 }).stdout;
}

beforeAll(() => {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  writeFileSync(path.join(folder, 'calendar.yaml'), 'events:\n  - { title: Fair, start: +1d 20:00, duration: 1h }\n');
  writeFileSync(path.join(folder, 'some.test.mjs'), TESTS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let file = '';

test('a failed test whose server ends with the tests saves its site, and says how to open it', () => {
  const output = runTests();
  [, file] = /the site as it is now: npx wp-understudy open (\S+)/.exec(output) ?? ['', ''];
  expect(file).toMatch(/^understudy-results\/failed-shows-the-late-show-\w{6}\.tar\.gz$/);
  expect(readdirSync(results).toSorted()).toEqual(['.gitignore', path.basename(file)]);
  expect(readFileSync(path.join(results, '.gitignore'), 'utf8')).toBe('*\n');
});

test('understudy open serves it: content, clock, profile, zones, journal, faults, stubs', async () => {
  const server = await untilServing(startCli(['open', file, '--print'], {}, '', folder));
  const json = async (at: string, init?: RequestInit): Promise<Record<string, unknown>> =>
    (await (await fetch(server.url + at, init)).json()) as Record<string, unknown>;
  const shows = async (): Promise<unknown> => {
    const { events } = await json('/wp-json/tribe/events/v1/events');
    return (events as { title: string }[]).map(({ title }) => title);
  };
  expect(server.output().stdout).toContain(`This is a copy of ${file}.`);
  expect(await json('/__qa/state')).toMatchObject({
    clock: { now: NOW, frozen: true },
    profile: 'tec',
    zones: '2025b',
    faults: [{ id: 1, profile: 'maintenance', seen: 1, hits: 1 }],
    stubs: [{ id: 1, seen: 1, hits: 1 }],
    sandboxes: [],
  });
  expect(await json('/__qa/journal')).toMatchObject({
    entries: [
      { id: 1, method: 'POST', status: 201, user: 'admin', request: { headers: { authorization: 'Basic ***' } } },
      { id: 2, status: 200, response: { body: expect.stringContaining('Late Show') } },
      { id: 3, status: 503, fault: 1 },
      { id: 4, url: '/seats', stub: 1, response: { body: { left: 3 } } },
    ],
  });
  expect(await shows()).toEqual(['Late Show', 'Fair']);
  await json('/__qa/reset', { method: 'POST' });
  expect(await shows()).toEqual(['Late Show', 'Fair']);
  expect(await json('/__qa/clock')).toEqual({ now: NOW, frozen: true });

  const { data } = JSON.parse((await runCli(['status', '--json'])).stdout).find(({ url }: { url: string }) => url === server.url);
  expect(existsSync(data)).toBe(true);
  expect((await server.stop('SIGTERM')).code).toBe(0);
  expect(existsSync(data)).toBe(false);
  expect(existsSync(path.join(folder, file))).toBe(true);
});

test('a file that is none is an error', async () => {
  const { code, stderr } = await runCli(['open', 'calendar.yaml'], {}, '', folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^understudy: calendar\.yaml is damaged, or not a backup of Understudy/)]);
});

test('the folder has the files of the last ten failed tests', () => {
  expect(runTests({ ALL: '1' })).toMatch(/fail 12\b/);
  const files = readdirSync(results).filter((name) => name.endsWith('.gz'));
  expect(files).toHaveLength(10);
  // Twelve more failed in one file, which keeps ten; this one is older.
  expect(files).not.toContain(path.basename(file));
});
