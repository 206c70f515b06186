import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli, type CliResult } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';

/* Each command runs once, as users run it. cli.slow.test.ts has more cases. */

const databases = [testDatabase(), testDatabase()];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-folder-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command on one of two sites. */
const run = (site: number, ...args: string[]): Promise<CliResult> => {
  const { address } = databases[site];
  return runCli([...args, '--data', path.join(folder, String(site))], { MONGODB_URI: address, TMPDIR: folder }, '', folder);
};

test('backup, restore and doctor', async () => {
  expect(await run(0, 'seed', path.join(import.meta.dirname, '../../../fixtures/demo.json'))).toMatchObject({ code: 0 });
  expect(await run(0, 'backup', 'site.tar.gz')).toMatchObject({ code: 0, stderr: '' });
  // Windows does not have these permissions.
  if (process.platform !== 'win32') expect((await stat(path.join(folder, 'site.tar.gz'))).mode & 0o777).toBe(0o600);
  const [again, restored] = await Promise.all([run(0, 'backup', 'site.tar.gz'), run(1, 'restore', 'site.tar.gz', '--json')]);
  expect(again).toMatchObject({ code: 2, stderr: 'understudy: site.tar.gz already exists. Replace it with --force\n' });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(restored.stdout)).toMatchObject({ counts: { events: 34, users: 1, files: 48 }, snapshots: ['pristine'] });
  expect(await run(1, 'doctor', '--port', '0')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/0 problems, 0 warnings\.\n$/) as string,
  });
}, 120_000);
