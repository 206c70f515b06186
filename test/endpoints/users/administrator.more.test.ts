import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCli } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';

const PASSWORD = 'only for the test';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-administrator-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { address } = testDatabase();

const NOBODY = path.join(folder, 'nobody.json');
writeFileSync(NOBODY, JSON.stringify({ users: [], events: [] }));

test('a start says when the password of a site that is there is another', async () => {
  const start = async (password: string): Promise<string> => {
    const args = ['serve', '--port', '0', '--dataset', NOBODY, '--data', path.join(folder, 'data'), '--admin-password', password];
    const server = startCli(args, { MONGODB_URI: address });
    while (!server.output().stdout.includes('Stop with')) await new Promise((resolve) => setTimeout(resolve, 20));
    const { stdout, stderr } = await server.stop('SIGTERM');
    return stdout + stderr;
  };
  expect(await start(PASSWORD)).toContain(`Login: admin, application password: ${PASSWORD}`);
  expect(await start(PASSWORD)).not.toContain('password');
  expect(await start('another password')).toContain("the administrator's password is not set");
});
