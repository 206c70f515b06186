import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../support/cli.js';
import { server, API, send } from './steering.js';

describe('understudy journal', () => {
  const journal = (...args: string[]): ReturnType<typeof runCli> => runCli(['journal', '--url', server().url, ...args]);

  test('writes an archive or curl commands', async () => {
    await send('GET', `${API}/tags`);
    await send('GET', `${API}/tags/999999`);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-har-'));
    try {
      const file = path.join(folder, 'a.har');
      expect(await journal(file)).toEqual({ code: 0, stdout: '', stderr: `Wrote the journal to ${file}.\n` });
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ log: { version: '1.2' } });
      expect(await journal(file)).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
      expect(await journal(file, '--force', '--status', '4xx')).toMatchObject({ code: 0 });
      expect(JSON.parse(await readFile(file, 'utf8')).log.entries).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
    const { code, stdout } = await journal('--format', 'curl', '--path', '/tribe/**', '--limit', '1');
    expect([code, stdout]).toEqual([0, `curl ${server().url}${API}/tags/999999\n`]);
  });

  test.each([
    [['--format', 'xml'], 2, '--format must be one of'],
    [['--status', 'bad'], 2, '--status must be a status'],
    [['a', 'b'], 2, 'Usage: understudy journal'],
  ])('%j is a usage error', async (args, code, message) => {
    expect(await journal(...args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  test('without a server says so', async () => {
    const result = await runCli(['journal', '--data', path.join(os.tmpdir(), 'understudy-nothing')]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('No server runs for this project') });
  });
});
