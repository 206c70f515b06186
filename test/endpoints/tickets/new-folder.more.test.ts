import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../../support/cli.js';

test('content that brings the plugin to a new folder is complete there', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-tickets-'));
  expect(await runCli(['seed', 'tickets', '--data', folder])).toMatchObject({ code: 0 });
  const exported = await runCli(['export', path.join(folder, 'copy.json'), '--data', folder]);
  rmSync(folder, { recursive: true });
  expect(exported.code).toBe(0);
  expect(exported.stderr).not.toContain('derived');
}, 60_000);
