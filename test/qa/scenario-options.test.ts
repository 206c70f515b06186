import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readScenarios } from '../../src/server/app/option-objects.js';
import { runCli } from '../support/cli.js';
import { startTestServer } from '../support/server.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(folder, `${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(file, text);
  return file;
}

const rush = { description: 'Many visitors.', faults: [{ match: { path: '/tribe/**' }, every: 2, effect: { status: 429 } }] };
const server = startTestServer({ scenarios: fileWith(JSON.stringify({ rush })), scenario: ['read-only', 'rush'] });

const status = async (url: string, method = 'GET'): Promise<number> => (await fetch(`${server().url}${url}`, { method })).status;

test('scenarios of the server are switched on from the start, and known in sandboxes', async () => {
  const venues = '/wp-json/tribe/events/v1/venues';
  expect([await status(venues, 'POST'), await status(venues), await status(venues), await status('/wp-json/')]).toEqual([
    500, 200, 429, 200,
  ]);
  expect(await status(`/__sandbox/a${venues}`, 'POST')).not.toBe(500);
  expect(await status('/__sandbox/a/__qa/faults/scenarios/rush/start', 'POST')).toBe(200);
  expect(await status('/__qa/faults/scenarios/rush', 'DELETE')).toBe(409);
});

test.each<[string, string | Record<string, unknown>, string]>([
  ['a missing file', path.join(folder, 'none.json'), 'cannot read'],
  ['malformed JSON', fileWith('{'), 'JSON'],
  ['a list', fileWith('[]'), 'expected an object with the names as members'],
  ['an invalid name', { 'a b': rush }, 'invalid name "a b"'],
  ['an unknown member', { a: { faults: [{ efect: { status: 500 } }] } }, 'efect is not a valid property'],
  ['no faults', { a: {} }, 'faults is a required property of a'],
  ['an invalid rule', { a: { faults: [{ effect: { body: 'x' } }] } }, '"body" and "headers" require a "status"'],
])('%s is rejected', (_name, scenarios, message) => {
  expect(() => readScenarios({ scenarios: scenarios as string })).toThrow(message);
});

test('scenarios can be an object', () => expect(readScenarios({ scenarios: { rush } })).toEqual({ rush }));

test('the command line rejects scenarios that do not exist', async () => {
  const { code, stderr } = await runCli(['serve', '--scenarios', path.join(folder, 'none.json'), '--ephemeral', '--port', '0']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--scenarios: cannot read')]);
  expect((await runCli(['serve', '--help'])).stdout).toMatch(/--scenarios FILE .*\n *--scenario NAME /);
});
