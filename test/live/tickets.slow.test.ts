import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import { runCli } from '../support/cli.js';
import { startTestServer } from '../support/server.js';

/** Tickets of a live site, by the commands. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-pull-tickets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = startTestServer({ dataset: 'tickets' });

const SIGNED_IN = ['--login', 'admin', '--password-env', 'COPY_PASSWORD'];
const ENVIRONMENT = { COPY_PASSWORD: 'only for tests 1234' };

/** The first attendee of a copy. */
async function attendee(name: string, ...options: string[]) {
  const file = path.join(folder, name);
  const run = await runCli(['pull', server().url, '-o', file, '--data', folder, '--rate', '0', ...SIGNED_IN, ...options], ENVIRONMENT);
  expect(run).toMatchObject({ code: 0 });
  const { site, events = [] } = JSON.parse(readFileSync(file, 'utf8')) as Dataset;
  expect(site?.plugins).toEqual(['event-tickets']);
  return { ...events.find(({ id }) => id === 10)?.tickets?.[0].attendees?.[0], stderr: run.stderr };
}

test('pull replaces names and addresses, unless they are to be kept', async () => {
  expect(await attendee('other.json')).toMatchObject({
    name: 'Attendee 12',
    email: 'attendee-12@example.org',
    stderr: expect.stringContaining('6 attendees have other names and email addresses. Use --keep-emails to keep them.'),
  });
  const kept = await attendee('kept.json', '--keep-emails');
  expect(kept).toMatchObject({ name: 'Ann Attends', email: 'ann@example.org', stderr: expect.not.stringContaining('--keep-emails') });
});

test.each([
  ['a visitor', []],
  ['an administrator', SIGNED_IN],
])('check finds no difference to a copy, as %s', async (_who, login) => {
  const run = await runCli(['check', server().url, '--rate', '0', '--only', 'lists,singles,tickets', ...login], ENVIRONMENT);
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/(\d+) of \1 responses match\./) });
});
