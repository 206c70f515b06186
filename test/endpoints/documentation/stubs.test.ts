import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Understudy } from '../../../src/sdk/testing/jest.js';
import { readOpenApi, stubsOf } from '../../../src/transfer/openapi/responses.js';
import { read } from '../../support/documents.js';
import { testEnvironment } from '../../support/environment.js';
import { startTestServer } from '../../support/server.js';

/** Runs the examples of docs/stubs.md. */

const server = startTestServer({ now: '2026-06-15T12:00:00Z' });
testEnvironment(() => ({ UNDERSTUDY_URL: server().url }));

const blocks = (kind: string): string[] =>
  [...read('docs/stubs.md').matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)].flatMap(([, name, text]) => (name === kind ? [text] : []));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-docs-stubs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const shell = async (text: string): Promise<string> => {
  const script = text.replaceAll('http://127.0.0.1:8080', server().url);
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })).stdout;
};

test('the commands work', async () => {
  const [first, recorded] = blocks('sh run');
  const said = await shell(first);
  expect(said).toContain('{"event":"35","left":3}');
  expect(said).toContain('"hits": 1');
  expect(await shell(recorded)).toContain('HTTP/1.1 203');
});

test('the OpenAPI file has the stub that the command after it asks for', () => {
  const [file] = blocks('yaml openapi');
  expect(stubsOf(readOpenApi(file, 'openapi.yaml'))).toEqual({
    stubs: [{ match: { method: 'GET', path: '/wp-json/acme/v1/seats/*' }, respond: { body: { left: 3 } } }],
    skipped: [],
    ignored: [],
  });
});

test('the dataset responds, and so does what a test adds', async () => {
  const [dataset] = blocks('yaml stubs');
  const [code] = blocks('js');
  await fetch(`${server().url}/__qa/seed`, { method: 'POST', body: dataset });
  const understudy = await Understudy.open();
  try {
    const post = (at: string, body: object): Promise<Response> =>
      fetch(`${understudy.url}${at}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    expect(await (await fetch(`${understudy.restUrl}/acme/v1/seats/35`)).json()).toEqual({ left: 3 });
    const ordered = await post('/wp-json/acme/v1/orders', { email: 'anna@example.org', event: 35 });
    expect([ordered.status, ordered.headers.get('location')]).toEqual([201, '/orders/35']);
    expect((await post('/wp-json/acme/v1/orders', { email: 'anna@elsewhere.org' })).status).toBe(404);
    // oxlint-disable-next-line typescript/no-implied-eval -- the example of the page
    await (new Function('understudy', `return (async () => {${code}})();`) as (given: Understudy) => Promise<void>)(understudy);
    expect(await (await post('/graphql', { query: '{ events }' })).json()).toEqual({ data: { events: [] } });
  } finally {
    await understudy.close();
  }
});
