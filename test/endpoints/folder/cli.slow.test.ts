import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { SCHEMA } from '../../../src/database/store/indexes.js';
import type { Finding } from '../../../src/transfer/inspect.js';
import { WORLD } from '../../support/api.js';
import { runCli, startCli, startServe, type CliResult } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';
import { EFFORT } from '../../support/effort.js';

/* The commands as users run them: on MongoDB, which is faster than starting the engine, and finally on the engine. */

const databases = [testDatabase(), testDatabase()];
const PERSON = /34 events, 6 venues, 6 organizers, \d+ other posts, \d+ terms, 1 user, 48 files/;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-folder-'));
  const seeded = await run(0, ['seed', path.join(import.meta.dirname, '../../../fixtures/demo.json')]);
  expect(seeded.code).toBe(0);
}, 30_000);
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

/** Runs a command on one of two sites. */
const run = (site: number, args: string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> => {
  const { address } = databases[site];
  return runCli([...args, '--data', at(`data-${site}`)], { MONGODB_URI: address, ...env }, '', folder);
};

/** Only progress messages, which slow work prints. */
const QUIET = expect.stringMatching(/^(?:\w+: \d+\n)*$/) as string;

test('a backup is written, restored elsewhere, and the same again', async () => {
  const written = await run(0, ['backup', 'site.tar.gz']);
  expect(written).toMatchObject({ code: 0, stderr: QUIET });
  expect(written.stdout).toMatch(
    new RegExp(`^Wrote ${PERSON.source} to site\\.tar\\.gz \\([\\d.]+ MB, [\\d.]+ s\\)\\. The file was read back and is complete\\.\n$`),
  );
  const restored = await run(1, ['restore', 'site.tar.gz']);
  expect(restored).toMatchObject({ code: 0, stderr: QUIET });
  expect(restored.stdout).toMatch(new RegExp(`^The database now holds ${PERSON.source}, as of 20\\S+Z \\([\\d.]+ s\\)\\.\n$`));

  const again = await run(1, ['backup', 'again.tar.gz', '--json']);
  const report = JSON.parse(again.stdout) as Record<string, unknown>;
  expect(report).toMatchObject({ file: 'again.tar.gz', counts: { events: 34, users: 1, files: 48 }, snapshots: ['pristine'], format: 3 });
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
}, 60_000);

test('a file is not replaced, and a site neither, without --force', async () => {
  await run(0, ['backup', 'first.tar.gz']);
  const before = await readFile(at('first.tar.gz'));
  expect(await run(0, ['backup', 'first.tar.gz'])).toMatchObject({
    code: 2,
    stderr: 'understudy: first.tar.gz already exists. Replace it with --force\n',
  });
  expect(await readFile(at('first.tar.gz'))).toEqual(before);
  expect(await run(0, ['backup', 'first.tar.gz', '--force'])).toMatchObject({ code: 0 });
  expect(await run(0, ['restore', 'first.tar.gz'])).toMatchObject({
    code: 1,
    stderr: 'understudy: The database contains a site. Replace it with --force, or use another folder with --data\n',
  });
  expect(await run(0, ['restore', 'first.tar.gz', '--force'])).toMatchObject({ code: 0 });
}, 60_000);

test('a damaged file is rejected before anything is opened', async () => {
  await writeFile(at('broken.tar.gz'), 'no archive');
  const { code, stderr, stdout } = await runCli(['restore', 'broken.tar.gz', '--data', 'never-made'], {}, '', folder);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^understudy: broken\.tar\.gz is damaged, or not a backup of Understudy \(.+\)\.\n$/);
  expect(existsSync(at('never-made'))).toBe(false);
});

test('a folder that a server runs on is not restored to', async () => {
  await writeFile(at('server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 't', pid: process.pid, host: os.hostname() }));
  const { code, stderr } = await runCli(['restore', 'site.tar.gz', '--data', folder], {}, '', folder);
  await rm(at('server.json'));
  expect([code, stderr]).toEqual([
    1,
    `understudy: A server runs on ${folder} (http://127.0.0.1:1, process ${process.pid}). Stop it, then restore\n`,
  ]);
});

test.each<[string[], number, RegExp]>([
  [['backup'], 2, /No file is given\. Usage: understudy backup FILE \[options\]/],
  [['backup', 'a', 'b'], 2, /Unexpected argument b\. Usage: understudy backup FILE/],
  [['backup', '-'], 2, /A file is needed/],
  [['backup', '.', '--force'], 2, /^understudy: \. is a folder\. Name a file in it/],
  [['backup', 'x.tar.gz', '--frobnicate'], 2, /Unknown option --frobnicate/],
  [['backup', 'x.tar.gz', '--data', 'nothing-here'], 1, /There is no site in .*nothing-here/],
  [['backup', 'x.tar.gz', '--url', 'http://127.0.0.1:1'], 1, /Cannot connect to http:\/\/127\.0\.0\.1:1/],
  [['restore'], 2, /Usage: understudy restore FILE \[options\]/],
  [['restore', 'missing.tar.gz'], 1, /missing\.tar\.gz: no such file or folder$/m],
])('understudy %j ends with %d', async (args, code, message) => {
  const result = await runCli(args, {}, '', folder);
  expect(result.code).toBe(code);
  expect(result.stderr).toMatch(message);
});

test.each(['backup', 'restore'])('%s --help names its options and exit codes', async (command) => {
  const { code, stdout } = await runCli([command, '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: understudy ${command} FILE`));
  for (const part of ['--force', '--data', '--mongodb-uri', '--json', 'Exit codes: 0', 'Examples:']) expect(stdout).toContain(part);
});

test('data of a newer version is rejected by every command', async () => {
  const [{ uri, name }] = databases;
  const client = new MongoClient(uri);
  const schema = client.db(name).collection<{ _id: string }>(SCHEMA);
  try {
    const before = await schema.findOne({ _id: 'format' });
    await schema.replaceOne({ _id: 'format' }, { version: 99, by: '9.9.9' });
    const { code, stderr } = await run(0, ['backup', 'newer.tar.gz']);
    await schema.replaceOne({ _id: 'format' }, { ...before });
    expect([code, stderr]).toEqual([
      1,
      'understudy: The stored data has format 99, written by Understudy 9.9.9. This is Understudy 0.1.0, which reads formats 1 to 3. Nothing was changed.\n' +
        'Install wp-understudy@9.9.9 or a later version.\n',
    ]);
    expect(existsSync(at('newer.tar.gz'))).toBe(false);
  } finally {
    await client.close();
  }
});

describe('understudy doctor', () => {
  const { address } = testDatabase();
  const environment = (): NodeJS.ProcessEnv => ({ MONGODB_URI: address, TMPDIR: folder });
  const doctor = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> =>
    runCli(['doctor', ...args], { ...environment(), ...env }, '', folder);

  test('nothing is wrong: 0, a line for each check, and nothing is created', async () => {
    const { code, stdout, stderr } = await doctor(['--port', '0', '--data', 'nothing']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ok {7}Node\.js \d+/);
    expect(stdout).toMatch(/\n\n0 problems, 0 warnings\.\n$/);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\x1b/);
  });

  test('a problem: 1, with what to do', async () => {
    await writeFile(path.join(folder, 'understudy.config.json'), '{ "prot": 1 }');
    const { code, stdout } = await doctor(['--port', '0']);
    await rm(path.join(folder, 'understudy.config.json'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/problem {2}understudy\.config\.json:1:3: unknown option "prot"[^]*\n {9}Correct it\./);
    expect(stdout).toMatch(/\n1 problem, \d warnings?\.\n$/);
  });

  test('--json', async () => {
    const { code, stdout } = await doctor(['--port', '0', '--data', 'nothing', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      version: '0.1.0',
      findings: expect.arrayContaining([{ check: 'node', status: 'ok', message: expect.any(String) as string }]) as Finding[],
    });
  });

  test.each([[['x']], [['--port', 'many']], [['--frobnicate']]])('%j is a usage error', async (args) => {
    expect((await doctor(args)).code).toBe(2);
  });

  test('a database that does not respond', async () => {
    const { code, stdout } = await doctor(['--port', '0', '--data', 'nothing'], {
      MONGODB_URI: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200',
    });
    expect(code).toBe(1);
    expect(stdout).toContain('problem  Cannot connect to the database. (127.0.0.1:1: ');
  });

  test('a folder that a server runs on is checked by the server', async () => {
    const data = path.join(folder, 'served');
    const server = await startServe(['--data', data, '--port', '0', '--no-qa', '--dataset', WORLD], environment());
    const { port } = new URL(server.url);
    const { code, stdout } = await doctor(['--data', data, '--port', port]);
    await server.stop('SIGTERM');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/0 problems, 0 warnings\.\n$/)]);
    expect(stdout).toContain(`A server runs on it: ${server.url}`);
    expect(stdout).toContain(`Port ${port} is used by an Understudy server, ${server.url}.`);
    expect(stdout).toMatch(/The server at \S+ responds: Understudy 0\.1\.0\.[^]*All \d+ indexes are present/);
  }, 30_000);

  test('--help', async () => {
    const { code, stdout } = await runCli(['doctor', '--help']);
    expect(code).toBe(0);
    for (const part of ['--data', '--mongodb-uri', '--url', '--port', '--tls-cert', 'Exit codes: 0']) expect(stdout).toContain(part);
  });
});

test(
  'a restore that is killed leaves the old site or that of the backup, whole',
  async () => {
    const data = at('killed');
    const command = (args: string[]): Promise<CliResult> => runCli([...args, '--data', data], {}, '', folder);
    const titles = async (): Promise<string> => {
      const { stdout } = await command(['export', '--format', 'ndjson', '--only', 'events']);
      return `${stdout.includes('Old event') ? 'old' : ''}${stdout.includes('New event') ? 'new' : ''}${(stdout.match(/ event \d/g) ?? []).length}`;
    };
    const dataset = (word: string): string =>
      JSON.stringify({
        events: Array.from({ length: 60 }, (_, i) => ({ title: `${word} event ${i}`, start: '+1d 10:00', duration: '1h' })),
      });
    await writeFile(at('old.json'), dataset('Old'));
    await writeFile(at('new.json'), dataset('New'));
    await command(['seed', 'new.json']);
    await command(['backup', 'new.tar.gz', '--force']);
    const whole = { old: 'old60', new: 'new60' };
    expect(await titles()).toBe(whole.new);
    for (let round = 0; round < EFFORT; round += 1) {
      await command(['seed', 'old.json']);
      const restoring = startCli(['restore', 'new.tar.gz', '--force', '--data', data], {}, '', folder);
      const delay = 600 + Math.random() * 1500;
      await new Promise((resolve) => setTimeout(resolve, delay));
      await restoring.stop('SIGKILL');
      // A failure shows when it was killed.
      expect(Object.values(whole).map((content) => [delay, content])).toContainEqual([delay, await titles()]);
    }
  },
  EFFORT * 180_000,
);
