import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '../../support/database.js';
import { withPassword } from '../../support/password.js';

/** V8's compiled code of the bundle is cached beside the packages, and used by the next start. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const project = mkdtempSync(path.join(os.tmpdir(), 'understudy-bundle-'));
const modules = path.join(project, 'node_modules');
const installed = path.join(modules, 'wp-understudy');
const cache = path.join(modules, '.cache/wp-understudy');
const { uri, name } = testDatabase();

afterAll(() => rmSync(project, { recursive: true, force: true }));

beforeAll(() => {
  for (const part of ['package.json', 'dist', 'fixtures']) cpSync(path.join(root, part), path.join(installed, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules/sharp'), path.join(modules, 'sharp'));
});

/** Starts a server, requests the list of events, and stops. @param database where its data is */
async function run(database = uri.replace(/\/\?|$/, `/${name}?`)): Promise<void> {
  const place = ['--mongodb-uri', database, '--data', path.join(project, 'data'), '--port', '0'];
  const child = spawn(process.execPath, [path.join(installed, 'dist/cli.js'), 'serve', ...place], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  await Promise.race([
    ended,
    (async () => {
      while (!said.includes('Stop with')) await once(child.stdout, 'data');
    })(),
  ]);
  const url = /serves a calendar at (\S+)/.exec(said)?.[1];
  if (url === undefined) throw new Error(said);
  const { events } = (await (await fetch(`${url}/wp-json/tribe/events/v1/events`)).json()) as { events: unknown[] };
  expect(events.length).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}

/** Path of the file with the compiled code. */
const compiled = (): string => path.join(cache, readdirSync(cache).find((file) => file.startsWith('compiled-')) ?? 'none');

const identity = (): number => statSync(compiled()).ino;

test('keeps what was compiled in a folder of this user, and uses it', async () => {
  await run();
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/^compiled-v[\d.]+-\w+-\w+$/)]);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(statSync(compiled()).mode & 0o777).toBe(0o600);
  const first = identity();
  await run();
  expect(identity()).toBe(first);
});

test.each<[string, (file: string) => void]>([
  [
    'was damaged',
    (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(file, bytes);
    },
  ],
  ['was cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 1000))],
  [
    'belongs to another build',
    (file) => {
      const bytes = readFileSync(file);
      bytes.write('0000', 0, 'latin1');
      writeFileSync(file, bytes);
    },
  ],
  ['others may write to', (file) => chmodSync(file, 0o666)],
])('what %s is not used, and compiled again', async (_, spoil) => {
  spoil(compiled());
  const before = identity();
  await run();
  expect(identity()).not.toBe(before);
  expect(statSync(compiled()).mode & 0o777).toBe(0o600);
});

test('starts where nothing can be kept', async () => {
  rmSync(cache, { recursive: true });
  rmSync(path.dirname(cache), { recursive: true });
  writeFileSync(path.dirname(cache), '');
  await run();
  expect(statSync(path.dirname(cache)).isFile()).toBe(true);
});

test('a command that starts no server leaves nothing', async () => {
  rmSync(path.dirname(cache));
  mkdirSync(path.dirname(cache));
  const child = spawn(process.execPath, [path.join(installed, 'dist/cli.js'), '--version'], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readdirSync(path.dirname(cache))).toEqual([]);
});

test('signs in to a database, with a password that has to be prepared', async () => {
  const database = await withPassword(uri, 'caf\u00e9');
  const at = (password: string): string => `mongodb://user:${encodeURIComponent(password)}@${database.host}/${name}?authSource=admin`;
  await run(at('ca\u00adfe\u0301'));
  await expect(run(at('cafe'))).rejects.toThrow(/Authentication failed/);
  database.close();
});

test('names functions, and after them the file that they come from', () => {
  const bundle = readFileSync(path.join(installed, 'dist/understudy.cjs'), 'utf8');
  const place = bundle.search(/async function serveSite\(/);
  expect(place).toBeGreaterThan(0);
  expect(/"src\/[^"]+"/.exec(bundle.slice(place))?.[0]).toBe('"src/server/app/server.ts"');
  // Lines have a limited length, and none ends within a name.
  const names = [...bundle.matchAll(/\b__(?:esm|commonJS)\(\{"([^"]+)"/g)].map(([, file]) => file);
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((file) => file.includes('\n'))).toEqual([]);
});
