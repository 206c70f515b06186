import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { startTestServer } from '../support/server.js';
import { WORLD, signIn } from '../support/api.js';
import { EFFORT } from '../support/effort.js';

const server = startTestServer({ dataset: WORLD, maxSandboxes: 9, sandboxDomain: 'sb.example.org', sandboxes: 1 });
const API = '/wp-json/tribe/events/v1';

interface Answer {
  status: number;
  json: Record<string, unknown> & { id: number; title: string; rest_url: string; total: number; code: string };
}

/** Sends a request with arbitrary headers, including a `Host` of another site. */
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server().url);
    const text = body === undefined ? '' : JSON.stringify(body);
    const sent = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, json: (answer === '' ? {} : JSON.parse(answer)) as Answer['json'] });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });

const AS_ADMIN = { authorization: signIn('admin') };
const event = (title: string): object => ({ title, start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });

/** Ways to select a sandbox: path prefix and headers. */
const WAYS: Record<string, (name: string) => { prefix: string; headers: Record<string, string>; url: () => string }> = {
  path: (name) => ({ prefix: `/__sandbox/${name}`, headers: {}, url: () => `${server().url}/__sandbox/${name}` }),
  header: (name) => ({ prefix: '', headers: { 'x-understudy-sandbox': name }, url: () => server().url }),
  cookie: (name) => ({
    prefix: '',
    headers: { cookie: `visited=1; understudy_sandbox=${name}.2` },
    url: () => server().url,
  }),
  host: (name) => ({
    prefix: '',
    headers: { host: `${name}.localhost` },
    url: () => server().url.replace('127.0.0.1', `${name}.localhost`),
  }),
  domain: (name) => ({
    prefix: '',
    headers: { host: `${name}.sb.example.org` },
    url: () => server().url.replace('127.0.0.1', `${name}.sb.example.org`),
  }),
};
const WAY_NAMES = Object.keys(WAYS);

describe.each(WAY_NAMES)('addressed by %s', (way) => {
  test('links stay in the sandbox, and writes affect only the sandbox', async () => {
    const { prefix, headers, url } = WAYS[way]('links');
    const made = await send('POST', `${prefix}${API}/events`, event(`By ${way}`), { ...headers, ...AS_ADMIN });
    expect([made.status, made.json.rest_url]).toEqual([201, `${url()}${API}/events/${made.json.id}`]);
    const path = `${API}/events/${made.json.id}`;
    expect((await send('GET', `${prefix}${path}`, undefined, headers)).json.title).toBe(`By ${way}`);
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('GET', `${prefix}${API}/events?per_page=1`, undefined, headers)).json.rest_url).toContain(url());
  });

  test('clock, faults and journal belong to the sandbox', async () => {
    const { prefix, headers } = WAYS[way]('steered');
    expect((await send('PUT', `${prefix}/__qa/clock`, { now: '2030-01-01T00:00:00Z', frozen: true }, headers)).status).toBe(200);
    expect((await send('POST', `${prefix}/__qa/faults`, { effect: { status: 500 } }, headers)).status).toBe(201);
    expect((await send('GET', `${prefix}${API}/venues`, undefined, headers)).status).toBe(500);
    expect((await send('GET', `${prefix}/__qa/journal?status=500`, undefined, headers)).json.total).toBe(1);
    expect((await send('GET', `${API}/venues`)).status).toBe(200);
    expect((await send('GET', '/__qa/journal?status=500')).json.total).toBe(0);
    expect((await send('GET', '/__qa/clock')).json.now).not.toBe('2030-01-01T00:00:00.000Z');
    expect((await send('DELETE', '/__qa/sandboxes/steered')).status).toBe(200);
  });
});

test('200 concurrent requests to eight sandboxes are isolated', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `worker-${i}`);
  await Promise.all((await sandboxNames()).map((name) => send('DELETE', `/__qa/sandboxes/${name}`)));
  const plan = fc.array(fc.record({ sandbox: fc.constantFrom(...names), way: fc.constantFrom(...WAY_NAMES), write: fc.boolean() }), {
    minLength: 200,
    maxLength: 200,
  });
  await fc.assert(
    fc.asyncProperty(plan, async (requests) => {
      await Promise.all(names.map((name) => send('POST', `/__sandbox/${name}/__qa/reset`)));
      const answers = await Promise.all(
        requests.map(async ({ sandbox, way, write }, i) => {
          const { prefix, headers, url } = WAYS[way](sandbox);
          const answer = write
            ? await send('POST', `${prefix}${API}/events`, event(`Of ${sandbox}, ${i}`), { ...headers, ...AS_ADMIN })
            : await send('GET', `${prefix}${API}/events?search=worker&start_date=2026-09-01&per_page=50`, undefined, headers);
          return { sandbox, write, url: url(), answer };
        }),
      );
      for (const { sandbox, write, url, answer } of answers) {
        expect([200, 201]).toContain(answer.status);
        expect(answer.json.rest_url.startsWith(url)).toBe(true);
        const titles = write ? [answer.json.title] : (answer.json.events as { title: string }[]).map(({ title }) => title);
        expect(titles.filter((title) => !title.startsWith(`Of ${sandbox},`))).toEqual([]);
      }
      for (const name of names) {
        const written = requests.flatMap(({ sandbox, write }, i) => (write && sandbox === name ? [`Of ${name}, ${i}`] : []));
        const { json } = await send('GET', `/__sandbox/${name}${API}/events?search=worker&start_date=2026-09-01&per_page=50`);
        const found = (json.events as { title: string }[]).map(({ title }) => title);
        expect(found.sort()).toEqual(written.sort());
        expect((await send('GET', `/__sandbox/${name}/__qa/journal?method=POST`)).json.total).toBeGreaterThanOrEqual(written.length);
      }
    }),
    { numRuns: EFFORT },
  );
  expect((await send('GET', `${API}/events?search=worker&start_date=2026-09-01`)).json.total ?? 0).toBe(0);
}, 60_000);

const sandboxNames = async (): Promise<string[]> =>
  ((await send('GET', '/__qa/sandboxes')).json.sandboxes as { name: string }[]).map(({ name }) => name);

test('the number of sandboxes is limited, and deleting one makes room', async () => {
  for (let i = 0; (await sandboxNames()).length < 9; i += 1) expect((await send('PUT', `/__qa/sandboxes/filler-${i}`)).status).toBe(201);
  expect((await send('PUT', '/__qa/sandboxes/one-more')).json.code).toBe('understudy_too_many_sandboxes');
  expect((await send('GET', `/__sandbox/one-more${API}/events`)).status).toBe(429);
  const [first] = await sandboxNames();
  expect((await send('DELETE', `/__qa/sandboxes/${first}`)).status).toBe(200);
  expect((await send('PUT', '/__qa/sandboxes/one-more')).status).toBe(201);
});

test('a recreated sandbox has no earlier content', async () => {
  const { json } = await send('POST', `/__sandbox/one-more${API}/events`, event('Forgotten'), AS_ADMIN);
  expect((await send('PUT', '/__sandbox/one-more/__qa/snapshots/kept')).status).toBe(201);
  for (let round = 0; round < 2; round += 1) {
    expect((await send('DELETE', '/__qa/sandboxes/one-more')).status).toBe(200);
    expect((await send('GET', `/__sandbox/one-more${API}/events/${json.id}`)).status).toBe(404);
    expect((await send('GET', '/__sandbox/one-more/__qa/snapshots')).json.snapshots).toEqual([]);
  }
});

test('new sandboxes have the seed of the main site, and a sandbox can be seeded itself', async () => {
  const dataset = (title: string) => ({ clock: '2026-01-01T00:00:00Z', events: [{ title, start: '+3d 10:00', duration: '2h' }] });
  const titles = async (prefix: string): Promise<string[]> =>
    ((await send('GET', `${prefix}${API}/events`)).json.events as { title: string }[]).map(({ title }) => title);
  await send('DELETE', '/__qa/sandboxes/one-more');
  expect((await send('POST', '/__qa/seed', dataset('Seeded'))).json).toMatchObject({ seeded: true, posts: 1 });
  expect(await titles('/__sandbox/one-more')).toEqual(['Seeded']);
  await send('POST', '/__sandbox/one-more/__qa/seed', dataset('Of its own'));
  await send('POST', '/__sandbox/one-more/__qa/reset');
  expect(await titles('/__sandbox/one-more')).toEqual(['Of its own']);
  expect(await titles('')).toEqual(['Seeded']);
});

test.each([
  ['GET', `/__sandbox/a.b${API}/events`, {}, 400],
  ['GET', `/__sandbox/-a${API}/events`, {}, 400],
  ['GET', `/__sandbox/${'a'.repeat(64)}${API}/events`, {}, 400],
  ['GET', `/__sandbox/%2e%2e${API}/events`, {}, 400],
  ['GET', `${API}/events`, { 'x-understudy-sandbox': 'a b' }, 400],
  // A foreign page whose host name resolves to this server (DNS rebinding) cannot create sandboxes.
  ['GET', `/__sandbox/strange${API}/events`, { host: 'evil.example' }, 404],
  ['PUT', '/__qa/sandboxes/a$b', {}, 400],
  ['DELETE', '/__qa/sandboxes/never-was', {}, 404],
  ['GET', '/__qa/sandboxes/never-was', {}, 404],
])('%s %s with %j is rejected', async (method, path, headers, status) => {
  expect((await send(method, path, undefined, headers)).status).toBe(status);
});

test('events are rendered once for all sandboxes that are named in the path, and have its name in each', async () => {
  const { site } = server();
  const read = async (name: string): Promise<string> => (await fetch(`${server().url}/__sandbox/${name}${API}/events?per_page=50`)).text();
  const first = await read('one');
  const { bytes } = site.store.memory.fragments;
  expect((await read('another-one')).replaceAll('another-one', 'one')).toBe(first);
  expect(site.store.memory.fragments.bytes).toBe(bytes);
});

describe('sandboxes that are created and deleted one after another', () => {
  const other = startTestServer({ dataset: WORLD, sandboxes: 1 });

  test('use no database of the engine', async () => {
    const { url, site } = other();
    const all = new Set<string>();
    for (let n = 0; n < 8; n += 1) {
      expect((await fetch(`${url}/__sandbox/cycle-${n}${API}/events`)).status).toBe(200);
      for (const name of await site.store.databases(`${site.store.db.databaseName.slice(0, 38)}_sandbox_`)) all.add(name);
      expect((await fetch(`${url}/__qa/sandboxes/cycle-${n}`, { method: 'DELETE' })).status).toBe(200);
    }
    expect(all.size).toBe(0);
  });

  test('keep the sites of the last four times', async () => {
    const { url, site } = other();
    const sandboxes = join(site.uploads, '..', 'sandboxes');
    const folders = (): number => readdirSync(sandboxes).length;
    const at = (n: number): Promise<Response> =>
      fetch(`${url}/__qa/sandboxes/time-${n}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ now: `2031-01-${10 + n}T00:00:00Z` }),
      });
    const counts: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      expect((await at(n)).status).toBe(201);
      expect((await fetch(`${url}/__qa/sandboxes/time-${n}`, { method: 'DELETE' })).status).toBe(200);
      counts.push(folders());
    }
    expect(counts[11]).toBeLessThanOrEqual(counts[5] + 1);
  });
});

test('requests to a sandbox that is being deleted get its content, or are told that it does not exist', async () => {
  await Promise.all((await sandboxNames()).map((name) => send('DELETE', `/__qa/sandboxes/${name}`)));
  for (let round = 0; round < 5; round += 1) {
    expect((await send('PUT', '/__qa/sandboxes/leaving')).status).toBeLessThan(300);
    const { json: all } = await send('GET', `/__sandbox/leaving${API}/events`);
    const read = (): Promise<Answer> => send('GET', `/__sandbox/leaving${API}/events`);
    const reads = [read(), read()];
    const [deleted, ...answers] = await Promise.all([send('DELETE', '/__qa/sandboxes/leaving'), ...reads, read(), read(), read(), read()]);
    expect(deleted.status).toBeLessThan(300);
    for (const { status, json } of answers)
      expect([status, json.total ?? json.code]).toEqual(status === 404 ? [404, 'understudy_no_sandbox'] : [200, all.total]);
  }
});
