import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createServer } from '../../src/index.js';
import { startPluginSite } from '../live/plugin-site.js';
import { testDatabase } from '../support/database.js';
import { root } from '../support/documents.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-helper-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each server has its own database. */
const [ofHelper, ofServer] = [testDatabase(), testDatabase()].map(({ address }) => address);

const site = await startPluginSite();
afterAll(() => site.close());

/** A test file of a user's project. Its program trusts the certificate itself; `fetch` would need NODE_EXTRA_CA_CERTS at startup. */
const TESTS = `
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { useUnderstudy } from ${JSON.stringify(pathToFileURL(path.join(root, 'dist/sdk/testing/node.js')).href)};

const understudy = useUnderstudy({
  dataset: { events: [{ title: 'Open Stage', start: '2026-06-16 20:00', duration: '2h' }] },
  now: '2026-06-15T12:00:00Z',
  server: ${JSON.stringify(['--tls', '--user-cache-dir', folder, '--proxy', site.url, '--cassette', path.join(folder, 'cassette')])},
});

const ask = (url) =>
  new Promise((resolve, reject) => {
    const ca = readFileSync(understudy.certificate);
    https.get(url, { ca, agent: false }, (response) => resolve(text(response).then(JSON.parse))).on('error', reject);
  });

test('the program under test uses https, the helper needs no certificate', async () => {
  assert.match(understudy.url, /^https:\\/\\/127\\.0\\.0\\.1:\\d+\\/__sandbox\\//);
  await understudy.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
  const { events } = await ask(understudy.restUrl + '/tribe/events/v1/events');
  assert.deepEqual(events.map(({ title }) => title), ['Late Show', 'Open Stage']);
  assert.ok(events[0].url.startsWith(understudy.url + '/event/late-show'));
});

test('the rest comes from the proxied site, with links to the sandbox', async () => {
  const { things } = await ask(understudy.restUrl + '/acme/v1/things');
  assert.equal(things[0].link, understudy.url + '/things/one/');
  const entries = await understudy.journal.entries();
  assert.deepEqual(entries.map(({ proxied }) => proxied), ['forwarded']);
});
`;

test('a helper starts a server with --tls and --proxy', async () => {
  const file = path.join(folder, 'calendar.test.mjs');
  writeFileSync(file, TESTS);
  const env = { ...process.env, MONGODB_URI: ofHelper };
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', file], { cwd: folder, env, timeout: 60_000 });
  expect(stdout).toContain('# pass 2');
}, 90_000);

test('createServer has the certificate, and its URL without one', async () => {
  const server = await createServer({ tls: true, userCacheDir: folder, mongodbUri: ofServer, dataset: { events: [] } });
  try {
    const body = await new Promise<string>((resolve, reject) => {
      const ca = readFileSync(server.certificate ?? '');
      https.get(`${server.url}/health`, { ca, agent: false }, (response) => void text(response).then(resolve, reject)).on('error', reject);
    });
    expect(JSON.parse(body)).toEqual({ status: 'ok' });
    expect((await fetch(`${server.localUrl}/health`)).status).toBe(200);
  } finally {
    await server.close();
  }
});
