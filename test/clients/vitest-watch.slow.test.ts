import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const moduleOf = (name: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, 'dist/sdk/testing', name)).href);

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-vitest-'));
const write = (name: string, content: string): void => writeFileSync(path.join(folder, name), content);
const calendar = (title: string): string => `events:\n  - { title: ${title}, start: +1d 20:00, duration: 1h }\n`;

let vitest: ChildProcess;
let output = '';
let onOutput = (): void => undefined;

/** Resolves with what is printed until a pattern matches. */
const until = (pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    onOutput = () => {
      if (!pattern.test(output)) return;
      resolve(output);
      output = '';
    };
    vitest.once('exit', () => reject(new Error(output)));
    onOutput();
  });

const testOf = (dataset: string): string => `import { expect, test } from 'vitest';
import { useUnderstudy } from ${moduleOf('vitest.js')};
const understudy = useUnderstudy({ dataset: '${dataset}', now: '2026-06-15T12:00:00Z' });
test('lists', async () => {
  const { events } = await (await fetch(understudy.restUrl + '/tribe/events/v1/events')).json();
  console.log('listed ' + events.map(({ title }) => title) + '.');
});
`;

beforeAll(() => {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  mkdirSync(path.join(folder, 'stubs'));
  write('package.json', '{ "type": "module" }');
  write('vitest.config.js', `import { understudy } from ${moduleOf('browser/vite.js')};\nexport default { plugins: [understudy()] };`);
  write('town.yaml', calendar('Town'));
  write('village.yaml', calendar('Village'));
  for (const name of ['town', 'village']) write(`${name}.test.js`, testOf(`${name}.yaml`));
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^NODE_TEST|^NODE_OPTIONS|^CI$|^VITEST/.test(name)) delete env[name];
  const args = [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), '--watch', '--maxWorkers=1'];
  vitest = spawn(process.execPath, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  for (const stream of [vitest.stdout, vitest.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput();
    });
});
afterAll(async () => {
  vitest.removeAllListeners('exit');
  const ended = new Promise((resolve) => vitest.once('exit', resolve));
  vitest.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const WAITING = /(?:Waiting|Watching) for file changes/;

test('an edit of a dataset runs the tests again whose helper has it, also after one that cannot be loaded', async () => {
  expect(await until(WAITING)).toMatch(/Tests {2}2 passed/);

  write('town.yaml', calendar('City'));
  const edited = await until(WAITING);
  expect(edited).toContain('listed City.');
  expect(edited).toMatch(/Test Files {2}1 passed/);

  write('town.yaml', calendar('City').replace('title', 'titel'));
  expect(await until(WAITING)).toContain('Did you mean "title"?');

  write('town.yaml', calendar('Repaired'));
  expect(await until(WAITING)).toContain('listed Repaired.');
});

test('a file of a stub beside it does, too', async () => {
  write('stubs/seats.json', '{}');
  expect(await until(WAITING)).toMatch(/Tests {2}2 passed/);
});
