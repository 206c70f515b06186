import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { SCHEMA } from '../../../src/store/indexes.js';
import { runCli, type CliResult } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';

/* The commands as users run them, over a MongoDB, which is faster than starting the engine. */

const databases = [testDatabase(), testDatabase()];
const PERSON = /32 events, 6 venues, 6 organizers, \d+ other posts, \d+ terms, 1 user, 48 files/;
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
  const { uri, name } = databases[site];
  const address = new URL(uri);
  address.pathname = `/${name}`;
  return runCli([...args, '--data', at(`data-${site}`)], { MONGODB_URI: address.href, ...env }, '', folder);
};

test('a backup is written, restored elsewhere, and the same again', async () => {
  const written = await run(0, ['backup', 'site.tar.gz']);
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(written.stdout).toMatch(
    new RegExp(`^Wrote ${PERSON.source} to site\\.tar\\.gz \\([\\d.]+ MB, [\\d.]+ s\\)\\. The file was read back and is complete\\.\n$`),
  );
  const restored = await run(1, ['restore', 'site.tar.gz']);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(new RegExp(`^The database now holds ${PERSON.source}, as of 20\\S+Z \\([\\d.]+ s\\)\\.\n$`));

  const again = await run(1, ['backup', 'again.tar.gz', '--json']);
  const report = JSON.parse(again.stdout) as Record<string, unknown>;
  expect(report).toMatchObject({ file: 'again.tar.gz', counts: { events: 32, users: 1, files: 48 }, snapshots: ['pristine'], format: 1 });
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
  [['backup', 'x.tar.gz', '--frobnicate'], 2, /Unknown option --frobnicate/],
  [['backup', 'x.tar.gz', '--data', 'nothing-here'], 1, /There is no site in .*nothing-here/],
  [['backup', 'x.tar.gz', '--url', 'http://127.0.0.1:1'], 1, /Cannot connect to http:\/\/127\.0\.0\.1:1/],
  [['restore'], 2, /Usage: understudy restore FILE \[options\]/],
  [['restore', 'missing.tar.gz'], 1, /missing\.tar\.gz: no such file or folder/],
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
      'understudy: The stored data has format 99, written by Understudy 9.9.9. This is Understudy 0.1.0, which reads format 1. Nothing was changed.\n' +
        'Install wp-understudy@9.9.9 or a later version.\n',
    ]);
    expect(existsSync(at('newer.tar.gz'))).toBe(false);
  } finally {
    await client.close();
  }
});
