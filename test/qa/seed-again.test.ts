import { existsSync } from 'node:fs';
import path from 'node:path';
import { startTestServer } from '../support/server.js';

/* Sandboxes that are seeded with the same dataset share its content, until they change it. */

const PASSWORD = 'for tests only';
const server = startTestServer({ dataset: 'demo', sandboxes: 1, now: '2030-08-01T12:00:00Z', maxSandboxes: 20, adminPassword: PASSWORD });
const API = '/wp-json/tribe/events/v1';

const dataset = (title: string): object => ({
  site: { name: title },
  events: Array.from({ length: 5 }, (_, i) => ({
    title: `${title} ${i}`,
    start: `2030-09-0${i + 1} 19:00`,
    end: `2030-09-0${i + 1} 20:00`,
    venue: 'Hall',
  })),
});

async function send(name: string, method: string, to: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${server().url}/__sandbox/${name}${to}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

const seed = async (name: string, content: object, query = ''): Promise<Record<string, unknown>> => {
  const { ms: _ms, ...response } = await send(name, 'POST', `/__qa/seed${query}`, content);
  return response;
};

/** The events, venues and categories, without what differs between sandboxes. */
async function shown(name: string): Promise<string[]> {
  const read = async (to: string): Promise<string> => JSON.stringify(await send(name, 'GET', API + to));
  const all = await Promise.all(['/events?start_date=2030-01-01', '/venues', '/categories'].map(read));
  return all.map((text) => text.replaceAll(`/__sandbox/${name}`, ''));
}

test('respond alike, and are isolated', async () => {
  expect(await seed('one', dataset('Own'))).toEqual(await seed('two', dataset('Own')));
  const first = await shown('one');
  const { fragments } = server().site.store.memory;
  const { bytes } = fragments;
  expect(await shown('two')).toEqual(first);
  // Also what was rendered.
  expect(fragments.bytes).toBe(bytes);
  expect(first[0]).toContain('Own 4');

  const created = await send('two', 'POST', `${API}/events`, {
    title: 'New',
    start_date: '2030-09-01 10:00',
    end_date: '2030-09-01 11:00',
  });
  expect((await shown('two'))[0]).toContain('"New"');
  expect(await shown('one')).toEqual(first);
  // The next id is as without the first seed.
  expect(
    (await send('one', 'POST', `${API}/events`, { title: 'Mine', start_date: '2030-09-01 10:00', end_date: '2030-09-01 11:00' })).id,
  ).toBe(created.id);
  for (const name of ['one', 'two']) {
    await send(name, 'POST', '/__qa/reset');
    expect(await shown(name)).toEqual(first);
  }
  await seed('three', dataset('Own'));
  expect(await shown('three')).toEqual(first);
});

test('another dataset, other options and another time have other results', async () => {
  await seed('a', dataset('First'));
  await seed('b', dataset('Second'));
  expect((await shown('b'))[0]).toContain('Second 1');
  await seed('c', { ...dataset('First'), events: [{ title: 'Soon', start: '+1d 10:00', duration: '1h' }] }, '?now=2031-01-01T00:00:00Z');
  await seed('d', { ...dataset('First'), events: [{ title: 'Soon', start: '+1d 10:00', duration: '1h' }] }, '?now=2032-01-01T00:00:00Z');
  expect((await shown('c'))[0]).toContain('2031-01-02 10:00:00');
  expect((await shown('d'))[0]).toContain('2032-01-02 10:00:00');
  const strict = await fetch(`${server().url}/__sandbox/e/__qa/seed?create=false`, {
    method: 'POST',
    body: JSON.stringify(dataset('First')),
  });
  expect(strict.status).toBe(400);
});

test('files of what was there before are gone', async () => {
  const has = async (name: string): Promise<boolean> =>
    (await fetch(`${server().url}/__sandbox/${name}/wp-content/uploads/2025/09/river-evening.jpg`)).ok;
  expect(await has('files')).toBe(true);
  await seed('files', dataset('Own'));
  expect(await has('files')).toBe(false);
  await send('files', 'POST', '/__qa/reset');
  expect(await has('files')).toBe(false);
  expect(existsSync(path.join(server().site.uploads, '2025/09/river-evening.jpg'))).toBe(true);
});
