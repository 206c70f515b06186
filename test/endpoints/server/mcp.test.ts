import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from '../../../src/cli/commands/site/mcp-tools.js';
import { WORLD } from '../../support/api.js';
import { runCli } from '../../support/cli.js';
import { startTestServer } from '../../support/server.js';

type Any = ReturnType<typeof JSON.parse>;

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

let folder: string;
let client: Client;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'understudy-mcp-')));
  client = new Client({ name: 'test', version: '1.0.0' });
  const args = [CLI, 'mcp', '--url', server().url, '--token', TOKEN];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
}, 60_000);
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

const call = async (name: string, args: Record<string, unknown> = {}): Promise<{ isError: boolean; text: string }> => {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as Any;
  return { isError, text: content[0].text };
};
const result = async (name: string, args?: Record<string, unknown>): Promise<Any> => {
  const { isError, text } = await call(name, args);
  expect([name, isError, text]).toEqual([name, false, text]);
  return JSON.parse(text);
};
const get = async (route: string): Promise<number> => (await fetch(`${server().url}${route}`)).status;

test('the tools are listed, with what they take', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  expect(tools.find(({ name }) => name === 'rest')).toMatchObject({
    inputSchema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
    annotations: { readOnlyHint: false },
  });
});

test('every argument of a tool is a parameter of its route', async () => {
  const { paths }: Any = await (await fetch(`${server().url}/__qa/doc`, { headers: { 'x-understudy-token': TOKEN } })).json();
  // A dataset is the body.
  const known = new Set(['seed dataset', 'seed file']);
  const wrong = TOOLS.flatMap(({ name, route: [method, route] = ['', ''], args }) => {
    const { parameters = [], requestBody } = paths[`/__qa${route}`][method.toLowerCase()];
    const fields = Object.keys(requestBody?.content['application/json']?.schema.properties ?? {});
    const taken = new Set([...parameters.map((each: Any) => each.name), ...fields]);
    return Object.keys(args).flatMap((arg) => (taken.has(arg) || known.has(`${name} ${arg}`) ? [] : [`${name}: ${arg}`]));
  });
  expect(wrong).toEqual([]);
});

test('state, clock, seed and reset', async () => {
  expect(await result('state')).toMatchObject({ clock: { now: '2026-06-15T12:00:00.000Z', frozen: true } });
  expect(await result('clock', { now: '2026-12-24T18:00:00Z' })).toMatchObject({ now: '2026-12-24T18:00:00.000Z' });
  const event = { title: 'Made by an agent', start: '2026-12-25 10:00', end: '2026-12-25 11:00' };
  expect(await result('seed', { dataset: { events: [event] } })).toMatchObject({ seeded: true, posts: 1 });
  expect(await result('state')).toMatchObject({ counts: { events: 1 } });
  await writeFile(path.join(folder, 'calendar.json'), JSON.stringify({ events: [event, { ...event, title: 'Another' }] }));
  expect(await result('seed', { file: path.join(folder, 'calendar.json') })).toMatchObject({ posts: 2 });
  const { status, body } = await result('rest', { path: '/tribe/events/v1/events?search=agent' });
  expect([status, body.total]).toEqual([200, 1]);
  expect(await result('rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'Hall' } })).toMatchObject({ status: 201 });
  await result('reset');
  expect(await result('state')).toMatchObject({ counts: { events: 2, venues: 0 } });
});

test('faults affect requests until they are removed', async () => {
  await result('add_fault', { effect: { status: 503 }, match: { path: '/tribe/events/v1/events' } });
  expect(await get('/wp-json/tribe/events/v1/events')).toBe(503);
  await result('clear_faults');
  expect(await get('/wp-json/tribe/events/v1/events')).toBe(200);
  const { scenarios } = await result('scenarios');
  const [{ name }] = scenarios;
  await result('start_scenario', { name });
  expect((await result('state')).faults.length).toBeGreaterThan(0);
  await result('clear_faults');
});

test('the journal: requests, one request, requests without a response, ignored parameters', async () => {
  await result('clear_journal');
  await get('/wp-json/tribe/events/v1/events?stat_date=2026-07-01');
  for (const route of ['/wp-json/shop/v1/carts', '/wp-json/shop/v1/carts', '/wp-json/tribe/events/v1/events/99999', '/shop/'])
    await get(route);
  const { entries } = await result('journal', { method: 'GET' });
  expect(entries.length).toBe(5);
  expect(entries[0].response).toBeUndefined();
  expect((await result('journal', { limit: 2 })).entries.length).toBe(2);
  expect(await result('journal_entry', { id: entries[1].id })).toMatchObject({
    status: 404,
    response: { body: { code: 'rest_no_route' } },
  });
  expect((await result('unhandled')).requests).toMatchObject([
    { request: 'GET /wp-json/shop/v1/carts', status: 404, times: 2, message: expect.stringMatching(/^rest_no_route: /) },
    { request: 'GET /wp-json/tribe/events/v1/events/99999', times: 1 },
    { request: 'GET /shop/', message: 'no page' },
  ]);
  expect(JSON.stringify(await result('ignored_parameters'))).toContain('start_date');
});

test('errors are results that a model can read', async () => {
  expect(await call('clock', { now: 'tomorow' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Invalid "now"\. Use an ISO 8601/),
  });
  expect(await call('start_scenario', { name: 'nothing' })).toMatchObject({ isError: true });
  expect(await call('nothing')).toEqual({ isError: true, text: 'Unknown tool nothing.' });
});

test('without a server for the project, a tool says how to start one', async () => {
  const other = new Client({ name: 'test', version: '1.0.0' });
  await other.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], cwd: folder }));
  const { content, isError } = (await other.callTool({ name: 'state' })) as Any;
  expect([isError, content[0].text]).toEqual([
    true,
    'No server runs for this project. Start understudy serve, or name a server with --url',
  ]);
  await other.close();
});

test('a wrong argument is a usage error', async () => {
  const { code, stderr } = await runCli(['mcp', 'calendar.json']);
  expect([code, stderr]).toEqual([2, 'understudy: Unexpected argument calendar.json. Usage: understudy mcp [options]\n']);
});
