import { FailedTestSandboxes, MAX_KEPT } from '../../src/control/qa/sandboxes/kept.js';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD, maxSandboxes: 14, sandboxes: 0 });
const API = '/wp-json/tribe/events/v1';
const AS_ADMIN = { authorization: signIn('admin') };
const event = (title: string): object => ({ title, start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });

interface Answer {
  status: number;
  json: Record<string, unknown> & { name: string; id: number };
}

async function send(method: string, at: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(`${server().url}${at}`, sent);
  return { status: response.status, json: (await response.json().catch(() => ({}))) as Answer['json'] };
}

const keep = async (sandbox: string, title: string, project = 'one'): Promise<Answer> =>
  send('POST', `${sandbox === '' ? '' : `/__sandbox/${sandbox}`}/__qa/keep`, { title, project });
const names = async (): Promise<string[]> =>
  ((await send('GET', '/__qa/sandboxes')).json.sandboxes as { name: string }[]).map(({ name }) => name);
const titles = async (sandbox: string): Promise<string[]> => {
  const { json } = await send('GET', `/__sandbox/${sandbox}${API}/events?search=FailedTestSandboxes&start_date=2026-01-01`);
  return (json.events as { title: string }[]).map(({ title }) => title);
};

beforeEach(async () => {
  for (const name of await names()) await send('DELETE', `/__qa/sandboxes/${name}`);
});

test('a copy of a sandbox has its content, clock, journal, faults and stubs, and stays as it is', async () => {
  const at = '/__sandbox/worker';
  await send('PUT', '/__qa/sandboxes/worker');
  await send('PUT', `${at}/__qa/version`, { version: '6.15.0' });
  await send('PUT', `${at}/__qa/clock`, { now: '2026-08-01T10:00:00Z', frozen: true });
  await send('POST', `${at}${API}/events`, event('FailedTestSandboxes one'), AS_ADMIN);
  await send('POST', `${at}/__qa/faults`, { match: { path: '**/venues' }, effect: { status: 503 } });
  await send('POST', `${at}/__qa/stubs`, { match: { path: '/seats' }, respond: { body: { left: 3 } } });
  await send('GET', `${at}${API}/venues`);
  await send('GET', `${at}/seats`);

  const { status, json: made } = await keep('worker', 'Zeigt „Späte Show“ (2×)');
  expect(status).toBe(201);
  expect(made.name).toMatch(/^failed-zeigt-spate-show-2-[0-9a-f]{6}$/);
  expect(made).toMatchObject({
    url: `${server().url}/__sandbox/${made.name}`,
    clock: { now: '2026-08-01T10:00:00.000Z', frozen: true },
    version: '6.15.0',
  });

  // The next test.
  for (const part of ['faults', 'stubs', 'journal']) await send('DELETE', `${at}/__qa/${part}`);
  await send('POST', `${at}/__qa/reset`);
  await send('POST', `${at}${API}/events`, event('FailedTestSandboxes two'), AS_ADMIN);

  const kept = `/__sandbox/${made.name}`;
  const { json: journal } = await send('GET', `${kept}/__qa/journal`);
  expect(journal.entries).toMatchObject([
    { id: 1, method: 'POST', status: 201 },
    { id: 2, url: `${API}/venues`, status: 503, fault: 1 },
    { id: 3, url: '/seats', status: 200, stub: 1 },
  ]);
  expect((await send('GET', `${kept}/__qa/faults`)).json.faults).toMatchObject([{ id: 1, seen: 1, hits: 1 }]);
  expect((await send('GET', `${kept}/__qa/stubs`)).json.stubs).toMatchObject([{ id: 1, seen: 1, hits: 1 }]);
  expect((await send('GET', `${kept}/__qa/snapshots`)).json.snapshots).toEqual([]);
  expect((await send('GET', `${at}/__qa/snapshots`)).json.snapshots).toEqual([]);
  expect(await titles(made.name)).toEqual(['FailedTestSandboxes one']);
  await send('POST', `${kept}/__qa/reset`);
  expect(await titles(made.name)).toEqual(['FailedTestSandboxes one']);
  expect(await titles('worker')).toEqual(['FailedTestSandboxes two']);
});

test('a copy of a seeded sandbox outlives it', async () => {
  await send('POST', '/__sandbox/worker/__qa/seed', {
    events: [{ title: 'FailedTestSandboxes Fair', start: '2026-09-01 10:00', duration: '2h' }],
  });
  const { json } = await keep('worker', '');
  expect(json.name).toMatch(/^failed-[0-9a-f]{6}$/);
  await send('DELETE', '/__qa/sandboxes/worker');
  await send('PUT', '/__qa/sandboxes/next');
  expect(await titles(json.name)).toEqual(['FailedTestSandboxes Fair']);
  expect(await names()).toEqual([json.name, 'next']);
});

test('a copy of the main site is a sandbox', async () => {
  const { json: created } = await send('POST', `${API}/events`, event('FailedTestSandboxes main'), AS_ADMIN);
  const { json } = await keep('', 'main');
  await send('DELETE', `${API}/events/${created.id}`, undefined, AS_ADMIN);
  expect(await titles(json.name)).toEqual(['FailedTestSandboxes main']);
});

test('a project has ten, of which the oldest goes; other projects have their own', async () => {
  const other = (await keep('', 'other', 'two')).json.name;
  const first = (await keep('', 'first')).json.name;
  for (let n = 1; n < MAX_KEPT; n += 1) await keep('', 'more');
  expect(await names()).toHaveLength(MAX_KEPT + 1);
  const last = (await keep('', 'last')).json.name;
  const left = await names();
  expect(left).toHaveLength(MAX_KEPT + 1);
  expect(left).toEqual(expect.arrayContaining([other, last]));
  expect(left).not.toContain(first);
});

test('kept ones make room for new sandboxes, which they never take it from', async () => {
  const first = (await keep('', 'first')).json.name;
  const second = (await keep('', 'second')).json.name;
  for (let n = 0; n < 13; n += 1) expect((await send('PUT', `/__qa/sandboxes/worker-${n}`)).status).toBe(201);
  const left = await names();
  expect(left).toHaveLength(14);
  expect([left.includes(first), left.includes(second)]).toEqual([false, true]);
  expect((await send('PUT', '/__qa/sandboxes/worker-13')).status).toBe(201);
  expect((await keep('', 'third')).json).toMatchObject({ code: 'understudy_too_many_sandboxes' });
  expect(await names()).toHaveLength(14);
});

test('a kept sandbox stays for an hour, whatever applies to others', () => {
  const kept = new FailedTestSandboxes();
  kept.add('failed-1', 'one');
  expect(kept.idleMs('failed-1', 60_000)).toBe(3_600_000);
  expect(kept.idleMs('failed-1', Infinity)).toBe(3_600_000);
  expect(kept.idleMs('worker', 60_000)).toBe(60_000);
  kept.forget('failed-1');
  expect(kept.idleMs('failed-1', 60_000)).toBe(60_000);
});
