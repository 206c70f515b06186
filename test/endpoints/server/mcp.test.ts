import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
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

/** A module that ends the command if it listens, or connects to anything but the server. */
const CONFINED = (port: string): string => `
  import net from 'node:net';
  net.Server.prototype.listen = () => process.exit(99);
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    if (String(args.flat()[0].port) !== '${port}') process.exit(98);
    return connect.apply(this, args);
  };
`;

let folder: string;
let client: Client;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'understudy-mcp-')));
  client = new Client({ name: 'test', version: '1.0.0' });
  const confined = `--import=data:text/javascript,${encodeURIComponent(CONFINED(new URL(server().url).port))}`;
  const args = [confined, CLI, 'mcp', '--url', server().url, '--token', TOKEN];
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
  await result('clear_journal');
  await get('/wp-json/tribe/events/v1/events/summer-fair');
  const byId = '/tribe/events/v1/events/{id}';
  expect((await result('unhandled')).requests).toMatchObject([{ routes: [byId, '/tribe/events/v1/events/by-slug/{slug}'] }]);
  expect(await result('explain', { path: '/tribe/events/v1/events?search=nothing' })).toMatchObject({ total: 0, more: [{}] });
});

test('errors are results that a model can read', async () => {
  expect(await call('clock', { now: 'tomorow' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Invalid "now"\. Use an ISO 8601/),
  });
  expect(await call('start_scenario', { name: 'nothing' })).toMatchObject({ isError: true });
  expect(await call('nothing')).toEqual({ isError: true, text: expect.stringMatching(/^Unknown tool nothing\. There are: state, rest, /) });
});

test('a dataset or a file, and one that can be read', async () => {
  const both = 'Give either "dataset", an object, or "file", the path of a dataset file';
  for (const args of [{}, { dataset: {}, file: 'a.json' }, { dataset: [] }, { file: 1 }])
    expect(await call('seed', args)).toEqual({ isError: true, text: both });
  expect(await call('seed', { file: 'none.json' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Cannot read the dataset \/.*none\.json \(ENOENT\)$/),
  });
  expect(await call('seed', { file: '.' })).toMatchObject({ isError: true, text: expect.stringMatching(/\(EISDIR\)$/) });
  expect((await result('state')).counts.events).toBeGreaterThan(0);
  const { valid, problems } = await result('validate', { dataset: { events: [{ title: 'A', sart: '+1d 10:00' }] } });
  expect([valid, problems]).toMatchObject([false, [{ path: 'events[0].sart' }]]);
  expect(await result('validate', { file: 'none.json' })).toMatchObject({ valid: false, problems: [{ message: 'file not found' }] });
});

test('a file brings its images, and dates count from now', async () => {
  const poster = fileURLToPath(new URL('../../../fixtures/uploads/2025/09/cycle-loop.jpg', import.meta.url));
  await mkdir(path.join(folder, 'uploads'));
  await copyFile(poster, path.join(folder, 'uploads/poster.jpg'));
  const fair = { title: 'Fair', start: '+1d 10:00', duration: '2h', image: 'poster' };
  await writeFile(path.join(folder, 'fair.json'), JSON.stringify({ media: [{ slug: 'poster', file: 'poster.jpg' }], events: [fair] }));
  expect(await result('seed', { file: 'fair.json', now: '2031-03-01T12:00:00Z' })).toMatchObject({ posts: 2 });
  const { body } = await result('rest', { path: '/tribe/events/v1/events' });
  expect(body.events[0]).toMatchObject({ start_date: '2031-03-02 10:00:00', image: { width: expect.any(Number) } });
  expect((await fetch(body.events[0].image.url)).status).toBe(200);
  await writeFile(path.join(folder, 'more.json'), JSON.stringify({ events: [{ title: 'More', start: '+2d 10:00', duration: '2h' }] }));
  await result('seed', { file: 'more.json', mode: 'add', sandbox: '' });
  expect((await result('state')).counts.events).toBe(2);
}, 60_000);

test('rest takes paths as the journal prints them, and reduces fields', async () => {
  const query = '?per_page=1&_fields=total';
  for (const sent of [
    `/wp-json/tribe/events/v1/events${query}`,
    `tribe/events/v1/events${query}`,
    `${server().restUrl}/tribe/events/v1/events${query}`,
  ])
    expect(await result('rest', { path: sent })).toEqual({ status: 200, body: { total: expect.any(Number) } });
});

test('a tool acts on a sandbox', async () => {
  const { url } = await result('open_sandbox', { name: 'agent' });
  expect(url).toMatch(/\/__sandbox\/agent$/);
  await result('clock', { sandbox: 'agent', now: '2030-01-01T00:00:00Z' });
  expect(await result('state', { sandbox: 'agent' })).toMatchObject({ sandbox: 'agent', clock: { now: '2030-01-01T00:00:00.000Z' } });
  expect((await result('state')).clock.now).not.toMatch(/^2030/);
  await result('delete_sandbox', { name: 'agent' });
});

test('nothing that a tool is sent ends the command', async () => {
  const odd: Record<string, unknown>[] = [
    {},
    ...[null, { a: ['\ud800'] }, 'x'.repeat(10_000)].map((value) =>
      Object.fromEntries(
        ['name', 'id', 'path', 'sandbox', 'match', 'effect', 'file', 'dataset', 'now', 'unknown'].map((name) => [name, value]),
      ),
    ),
  ];
  for (const { name } of TOOLS) for (const args of odd) expect(await call(name, args)).toMatchObject({ text: expect.stringMatching(/./) });
  await result('reset');
  expect((await result('state')).counts.events).toBeGreaterThan(0);
}, 120_000);

test('resources: the page for agents, the schema of datasets, the documentation', async () => {
  const { resources } = await client.listResources();
  const texts = await Promise.all(resources.map(async ({ uri }) => (await client.readResource({ uri })).contents[0] as Any));
  expect(texts.slice(0, 2).map(({ text }) => text.slice(0, 12))).toEqual(['# Understudy', '{"$schema":"']);
  expect(texts.slice(2).every(({ text }) => /^# /m.test(text))).toBe(true);
  // The page for agents links to the others.
  const linked = [...texts[0].text.matchAll(/\]\(([\w-]+\.md)/g)].map(([, name]) => `understudy://${name}`);
  expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining([...new Set(linked)]));
  await expect(client.readResource({ uri: 'understudy://nothing' })).rejects.toThrow('There are: understudy://llms.txt, ');
});

/** A client whose command has no server, with a function that calls its tools. */
const startedAlone = async (): Promise<{ other: Client; ask: (name: string, args?: Record<string, unknown>) => Promise<Any> }> => {
  const other = new Client({ name: 'test', version: '1.0.0' });
  await other.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], cwd: folder }));
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Any> => {
    const { content, isError } = (await other.callTool({ name, arguments: args })) as Any;
    return isError ? content[0].text : JSON.parse(content[0].text);
  };
  return { other, ask };
};

test('without a server for the project, one starts', async () => {
  const { other, ask } = await startedAlone();
  try {
    const { url, dataset } = await ask('state');
    expect([dataset, (await fetch(`${url}/wp-json/`)).status]).toEqual(['demo', 200]);
  } finally {
    await other.close();
  }
}, 60_000);

test('save writes to the file that seed has loaded, if the project has it', async () => {
  const { other, ask } = await startedAlone();
  const outside = await mkdtemp(path.join(os.tmpdir(), 'understudy-mcp-'));
  const text = '# Ours\nevents:\n  - { title: Jazz, start: +3d 19:30, duration: 2h }\n';
  const [own, others] = [path.join(folder, 'own.yaml'), path.join(outside, 'others.yaml')];
  try {
    for (const file of [own, others]) await writeFile(file, text);
    expect(await ask('save')).toMatch(/^The content comes from no file of this project\./);
    await ask('seed', { file: 'own.yaml' });
    const { url, file, dataset } = await ask('state');
    expect([file, dataset]).toEqual(['own.yaml', 'own.yaml']);
    await ask('rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'Hall' } });
    expect(await ask('save', { preview: true })).toMatchObject({ saved: false, file: 'own.yaml' });
    expect(await ask('save')).toMatchObject({ saved: true, file: 'own.yaml', added: 1 });
    const saved = await readFile(own, 'utf8');
    expect(saved).toContain('# Ours');
    expect(saved).toContain('Hall');
    // A body names a file, but its sender does not know the token of commands.
    const dataset64 = [{ name: 'others.yaml', content: Buffer.from(text).toString('base64') }];
    await fetch(`${url}/__qa/seed/files`, { method: 'POST', body: JSON.stringify({ dataset: dataset64, file: others }) });
    expect((await ask('state')).file).toBeNull();
    await ask('seed', { file: others });
    await ask('rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'Hall' } });
    expect(await ask('save')).toMatch(/^The content comes from no file of this project\./);
    expect(await readFile(others, 'utf8')).toBe(text);
    // The file must still be the one that was loaded.
    await ask('seed', { file: own });
    await rm(own);
    await symlink(others, own);
    expect(await ask('save')).toContain('leads to another file than the one that was loaded');
  } finally {
    await other.close();
    await rm(outside, { recursive: true });
  }
}, 60_000);

test('a wrong argument is a usage error', async () => {
  const { code, stderr } = await runCli(['mcp', 'calendar.json']);
  expect([code, stderr]).toEqual([2, 'understudy: Unexpected argument calendar.json. Usage: understudy mcp [options]\n']);
});
