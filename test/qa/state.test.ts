import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { API, AS_ADMIN, create, send, server } from './steering.js';

const state = async (query = '', base = server().url) => (await send('GET', `/__qa/state${query}`, undefined, {}, base)).json;
const changes = async (query = '', base = server().url) => (await send('GET', `/__qa/changes${query}`, undefined, {}, base)).json;

describe('the state for the control page', () => {
  test('names the dataset, counts posts, and has the clock in the zone of the site', async () => {
    await send('PUT', '/__qa/clock', { now: '2026-06-15T12:00:00Z', frozen: true });
    expect(await state()).toMatchObject({
      sandbox: '',
      url: server().url,
      dataset: 'world.json',
      counts: { events: expect.any(Number), venues: expect.any(Number), organizers: expect.any(Number) },
      clock: { now: '2026-06-15T12:00:00.000Z', frozen: true, timezone: 'America/New_York', offset: -14_400 },
      faults: [],
      sandboxes: [],
    });
  });

  test('counts follow writes, and trash is not counted', async () => {
    const { counts } = await state();
    const id = await create('Counted');
    expect((await state()).counts.events).toBe(counts.events + 1);
    await send('DELETE', `${API}/events/${id}`, undefined, AS_ADMIN);
    expect((await state()).counts.events).toBe(counts.events);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a request', () => send('GET', `${API}/venues`)],
    ['a fault', () => send('POST', '/__qa/faults', { effect: { status: 500 } })],
    ['the clock', () => send('PUT', '/__qa/clock', { advance: '1 hour' })],
    ['a snapshot', () => send('PUT', '/__qa/snapshots/here')],
    ['a sandbox', () => send('PUT', '/__qa/sandboxes/noticed')],
    ['a request in a sandbox', () => send('GET', `/__sandbox/noticed${API}/venues`)],
    ['content', () => send('POST', '/__qa/rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'Hall' } })],
  ])('waits for a change, and ends at once after that of %s', async (_what, change) => {
    const { stamp } = await state();
    const waiting = state(`?since=${encodeURIComponent(stamp)}&wait=20`);
    const started = performance.now();
    await change();
    expect((await waiting).stamp).not.toBe(stamp);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('waits no longer than asked for', async () => {
    const { stamp } = await state();
    expect((await state(`?since=${encodeURIComponent(stamp)}&wait=0.1`)).stamp).toBe(stamp);
  });

  test('waits over and over on one connection without leaving anything there', async () => {
    const { stamp } = await state();
    const sockets = new Set<Socket>();
    const note = (message: unknown): void => void sockets.add((message as { request: IncomingMessage }).request.socket);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const listeners: number[] = [];
    subscribe('http.server.request.start', note);
    try {
      for (let n = 0; n < 3; n += 1) {
        await new Promise<void>((resolve, reject) => {
          const wait = get(`${server().url}/__qa/state?since=${encodeURIComponent(stamp)}&wait=0.01`, { agent });
          wait.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
        });
        listeners.push(...[...sockets].map((socket) => socket.listenerCount('close')));
      }
    } finally {
      unsubscribe('http.server.request.start', note);
      agent.destroy();
    }
    expect(listeners).toEqual(Array<number>(3).fill(listeners[0]));
  });
});

describe('what has changed since a snapshot', () => {
  test('lists added, changed and deleted posts with their fields', async () => {
    await send('POST', '/__qa/reset');
    expect(await changes()).toEqual({ since: null, total: 0, changes: [] });
    const kept = await create('Kept');
    const gone = await create('Gone');
    await send('PUT', '/__qa/snapshots/before');
    expect(await changes('?since=before')).toEqual({ since: 'before', total: 0, changes: [] });
    await send(
      'POST',
      `${API}/events/${kept}`,
      { title: 'Renamed', start_date: '2026-09-02 10:00', end_date: '2026-09-02 11:00' },
      AS_ADMIN,
    );
    await send('DELETE', `/wp-json/wp/v2/tribe_events/${gone}?force=true`, undefined, AS_ADMIN);
    const added = await create('Added');
    const { changes: listed } = await changes('?since=before');
    const events = listed.filter(({ kind }: { kind: string }) => kind === 'event');
    expect(events).toEqual([
      {
        change: 'changed',
        kind: 'event',
        id: kept,
        title: 'Renamed',
        fields: expect.arrayContaining(['title', 'start_date', 'utc_end_date']),
      },
      { change: 'deleted', kind: 'event', id: gone, title: 'Gone' },
      { change: 'added', kind: 'event', id: added, title: 'Added' },
    ]);
    expect((await changes()).changes.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([kept, added]));
    await send('POST', '/__qa/snapshots/before/restore');
    expect(await changes('?since=before')).toMatchObject({ total: 0 });
  });

  test('comments are compared, too', async () => {
    await send('PUT', '/__qa/snapshots/before');
    const { json } = await send('POST', '/wp-json/wp/v2/comments', { post: 1, content: 'A new one' }, AS_ADMIN);
    await send('POST', '/wp-json/wp/v2/comments/1', { content: 'Corrected' }, AS_ADMIN);
    const { changes: listed } = await changes('?since=before');
    const comments = listed.filter(({ kind }: { kind: string }) => kind === 'comment');
    expect(comments).toEqual([
      { change: 'changed', kind: 'comment', id: 1, title: 'Corrected', fields: expect.arrayContaining(['content']) },
      { change: 'added', kind: 'comment', id: json.id, title: 'A new one' },
    ]);
    await send('POST', '/__qa/snapshots/before/restore');
    expect(await changes('?since=before')).toMatchObject({ total: 0 });
  });

  test('in a sandbox, since its own start', async () => {
    const url = `${server().url}/__sandbox/differs`;
    await send('PUT', '/__qa/sandboxes/differs');
    expect(await changes('', url)).toMatchObject({ total: 0 });
    await send('POST', `${API}/venues`, { venue: 'Only here' }, AS_ADMIN, url);
    expect(await changes('', url)).toMatchObject({ changes: [{ change: 'added', kind: 'venue', title: 'Only here' }] });
  });

  test('an unknown snapshot is an error', async () => {
    expect(await send('GET', '/__qa/changes?since=nowhere')).toMatchObject({ status: 404, json: { code: 'understudy_no_snapshot' } });
  });

  test.each(['%00', 'a.b', '%20', 'a'.repeat(65)])('%s is not the name of a snapshot', async (since) => {
    expect(await send('GET', `/__qa/changes?since=${since}`)).toMatchObject({ status: 400, json: { code: 'rest_invalid_param' } });
  });
});

describe('requests as an administrator', () => {
  test('need no credentials, are not in the journal, and no fault applies', async () => {
    await send('DELETE', '/__qa/journal');
    await send('POST', '/__qa/faults', { effect: { status: 500 } });
    const made = await send('POST', '/__qa/rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'The Barn' } });
    expect(made.json).toMatchObject({ status: 201, body: { venue: 'The Barn' } });
    const found = await send('POST', '/__qa/rest', { path: '/tribe/events/v1/venues?search=barn' });
    expect(found.json).toMatchObject({ status: 200, body: { venues: [{ venue: 'The Barn' }] } });
    expect(found.json).not.toHaveProperty('ignored');
    expect((await send('GET', '/__qa/journal')).json.total).toBe(0);
  });

  test('return the error of the API with its status', async () => {
    const ignoring = await send('POST', '/__qa/rest', { path: '/tribe/events/v1/events?categorie=music&_fields=title,total' });
    expect(ignoring.json).toMatchObject({
      status: 200,
      ignored: [
        '"categorie" is not a parameter here and is ignored: did you mean "categories"?',
        expect.stringContaining('"title" in _fields is not a field of the response'),
      ],
    });
    expect((await send('POST', '/__qa/rest', { path: '/tribe/events/v1/venues/99999' })).json).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
  });
});

describe('the journal of all sandboxes', () => {
  test('is in the order of time, and entries name their sandbox', async () => {
    await send('DELETE', '/__qa/journal');
    await send('GET', `/__sandbox/one${API}/venues`);
    await send('GET', `${API}/venues`);
    const { json } = await send('GET', '/__qa/journal?sandboxes=true&brief=true&path=/tribe/events/v1/venues');
    expect(json.entries.slice(-2)).toEqual([
      expect.objectContaining({ sandbox: 'one', method: 'GET' }),
      expect.not.objectContaining({ sandbox: expect.anything() }),
    ]);
    expect(json.entries.at(-1)).not.toHaveProperty('response');
  });

  test('an entry whose response was cached is marked', async () => {
    await send('GET', `${API}/tags?per_page=3`);
    await send('GET', `${API}/tags?per_page=3`);
    const { entries } = (await send('GET', '/__qa/journal?limit=2')).json;
    expect(entries.map(({ cached }: { cached?: boolean }) => cached)).toEqual([undefined, true]);
  });

  test('an HTTP Archive can have a single entry', async () => {
    await send('GET', `${API}/organizers`);
    const [{ id }] = (await send('GET', '/__qa/journal?limit=1')).json.entries;
    const { log } = (await send('GET', `/__qa/journal.har?id=${id}`)).json;
    expect(log.entries.map(({ _id }: { _id: number }) => _id)).toEqual([id]);
  });
});

test('idle sandboxes are deleted together, but not that of the request', async () => {
  for (const name of ['idle-a', 'idle-b', 'used']) await send('PUT', `/__qa/sandboxes/${name}`);
  expect((await send('DELETE', '/__qa/sandboxes')).json).toEqual({ deleted: [] });
  const { deleted } = (await send('DELETE', '/__qa/sandboxes?idle=0', undefined, {}, `${server().url}/__sandbox/used`)).json;
  expect(deleted).toEqual(expect.arrayContaining(['idle-a', 'idle-b']));
  expect((await send('GET', '/__qa/sandboxes')).json.sandboxes.map(({ name }: { name: string }) => name)).toEqual(['used']);
});

test('requests that wait do not delay the end of the server', async () => {
  const { stamp } = await state();
  const waiting = state(`?since=${encodeURIComponent(stamp)}&wait=60`);
  const started = performance.now();
  const closed = server().close();
  await waiting;
  expect(performance.now() - started).toBeLessThan(4000);
  await closed;
});
