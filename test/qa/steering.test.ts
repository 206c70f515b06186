import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { startTestServer } from '../support/server.js';
import { server, API, AS_ADMIN, type Any, send, event, create } from './steering.js';

describe('the routes of the test API', () => {
  test('index, OpenAPI document and responses agree', async () => {
    const index = (await send('GET', '/__qa/')).json;
    const doc = (await send('GET', '/__qa/doc')).json;
    const listed = Object.entries<Any>(index.routes).map(([route, { endpoints }]) => [
      route,
      endpoints.flatMap(({ methods }: Any) => methods),
    ]);
    const documented = Object.entries<Any>(doc.paths).map(([route, operations]) => [
      route,
      Object.keys(operations).map((name) => name.toUpperCase()),
    ]);
    expect(documented).toEqual(listed);
    expect(listed.map(([route]) => route)).toEqual(
      expect.arrayContaining(['/__qa', '/__qa/doc', '/__qa/health', '/__qa/reset', '/__qa/clock', '/__qa/snapshots/{name}/restore']),
    );
    expect(listed.filter(([route]) => !/^[\w/.]+(?:\{\w+\}[\w/.]*)?$/.test(route as string))).toEqual([]);
    expect(await new Validator().validate(doc)).toMatchObject({ valid: true });
    const operations = Object.values<Any>(doc.paths).flatMap((methods) => Object.values<Any>(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.filter(({ summary }) => !/^[A-Z][a-z]+[ ,].*[^.]$/.test(summary))).toEqual([]);
    expect(doc.paths['/__qa/snapshots/{name}/restore'].post).toMatchObject({
      summary: 'Restore a snapshot',
      operationId: 'postSnapshotsByNameRestore',
    });
    expect(doc.paths['/__qa/webhooks/{id}'].delete).toMatchObject({
      summary: 'Remove a webhook',
      description: 'Its pending deliveries are not sent.',
    });
  });

  test('users are managed over HTTP, too', async () => {
    const added = await send('POST', '/__qa/users', { action: 'add', login: 'otto', role: 'author' });
    expect([added.status, added.json.text]).toEqual([200, expect.stringContaining('Added otto as author')]);
    expect((await send('POST', '/__qa/users', { action: 'list' })).json.text).toContain('otto');
    expect((await send('POST', '/__qa/users', { action: 'add', login: 'otto', role: 'author' })).json).toMatchObject({
      code: 'understudy_user',
    });
    expect((await send('POST', '/__qa/users', { action: 'promote' })).status).toBe(400);
    expect((await send('POST', '/__qa/users', '[')).status).toBe(400);
    expect((await send('POST', '/__qa/users', { action: 'remove', login: 'otto' })).status).toBe(200);
  });

  test.each([
    ['GET', '/__qa/nothing', 404],
    ['DELETE', '/__qa/reset', 405],
    ['GET', '/__qax', 404],
    ['PUT', '/__qa/snapshots/%zz', 400],
    ['PUT', '/__qa/snapshots/pristine', 400],
    ['PUT', '/__qa/snapshots/a.b', 400],
    ['POST', '/__qa/snapshots/never/restore', 404],
    ['DELETE', '/__qa/snapshots/never', 404],
    ['DELETE', '/__qa/faults/999', 404],
    ['GET', '/__qa/journal/999', 404],
    ['GET', '/__qa/journal?statuss=4xx', 400],
    ['GET', '/__qa/journal?status=9xx', 400],
    ['GET', '/__qa/journal?since=then', 400],
  ])('%s %s is %i', async (method, at, status) => expect((await send(method, at)).status).toBe(status));

  test('passwords in request bodies are not recorded', async () => {
    await send('DELETE', '/__qa/journal');
    await send('POST', '/wp-login.php', { log: 'admin', pwd: 'a very secret one' });
    await send('POST', '/?rest_route=%2Fwp%2Fv2%2Fusers%2Fme%2Fapplication-passwords', { name: 'a very secret one' });
    const { json } = await send('GET', '/__qa/journal');
    const entries = json.entries as unknown as { id: number }[];
    expect(entries).toHaveLength(2);
    for (const { id } of entries) expect(JSON.stringify((await send('GET', `/__qa/journal/${id}`)).json)).not.toMatch(/a very secret one/);
  });

  test('requests from other origins and with other host names are rejected', async () => {
    expect((await send('POST', '/__qa/reset', undefined, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send('GET', '/__qa/journal', undefined, { host: 'evil.example' })).status).toBe(403);
  });

  // Browsers send no Origin header with GET requests of images or links.
  test('pages of other sites neither read nor make anything', async () => {
    const [foreign, own] = ['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site }));
    expect((await send('GET', '/__qa/journal', undefined, foreign)).status).toBe(403);
    expect((await send('GET', '/__qa/ui', undefined, foreign)).status).toBe(200);
    expect((await send('GET', '/__qa/journal', undefined, own)).status).toBe(200);
    const sandbox = '/__sandbox/from-an-image/wp-json/';
    expect((await send('GET', sandbox, undefined, foreign)).status).toBe(404);
    const { json } = await send('GET', '/__qa/sandboxes');
    expect(JSON.stringify(json)).not.toContain('from-an-image');
  });
});

describe('on a public address', () => {
  const dataset = path.join(path.dirname(fileURLToPath(import.meta.url)), 'small.json');
  const headers = ['X-Understudy-Now: 2031-05-05T12:00:00Z'];
  const open = startTestServer({ host: '0.0.0.0', qaToken: 'only-for-this-test', headers, sandbox: 'usual', dataset });
  const bare = startTestServer({ host: '0.0.0.0', dataset });
  const off = startTestServer({ qa: false, dataset });
  const base = (of: typeof open): string => of().url.replace('localhost', '127.0.0.1');

  test('the test API needs the token', async () => {
    const token = { 'x-understudy-token': 'only-for-this-test' };
    expect((await send('GET', '/__qa/health', undefined, {}, base(open))).status).toBe(401);
    expect((await send('GET', '/__qa/health', undefined, { 'x-understudy-token': 'another-one' }, base(open))).status).toBe(401);
    expect((await send('GET', '/__qa/health', undefined, token, base(open))).json).toMatchObject({ status: 'ok', sandbox: 'usual' });
    expect((await send('GET', '/__qa/health', undefined, { authorization: 'Bearer only-for-this-test' }, base(open))).status).toBe(200);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, {}, base(open))).status).toBe(404);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, token, base(open))).status).toBe(200);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, {}, base(open))).status).toBe(200);
  });

  test('server options configure an unmodified client', async () => {
    const { json } = await send('GET', `${API}/events`, undefined, {}, base(open));
    expect(json.rest_url).toContain('start_date=2031-05-04');
  });

  test.each<[string, typeof open]>([
    ['without a token', bare],
    ['switched off', off],
  ])('%s the test API returns 404', async (_name, which) => {
    expect((await send('POST', '/__qa/reset', undefined, {}, base(which))).status).toBe(404);
    expect((await send('GET', '/__qa/health', undefined, {}, base(which))).status).toBe(404);
    expect([(await send('GET', '/__qa/ui', undefined, {}, base(which))).status, which().explorerUrl]).toEqual([404, null]);
  });
});

describe('snapshots and resets', () => {
  const media = async (): Promise<string[]> =>
    (await readdir(server().site.uploads, { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map(({ name }) => name)
      .sort();

  test('a snapshot keeps content, files and clock; a reset restores the initial state', async () => {
    const files = await media();
    const id = await create('Kept');
    await writeFile(path.join(server().site.uploads, 'added.txt'), 'added');
    await send('PUT', '/__qa/clock', { now: '2027-01-01T00:00:00Z' });
    expect((await send('PUT', '/__qa/snapshots/one')).status).toBe(201);
    expect((await send('GET', '/__qa/snapshots')).json.snapshots).toMatchObject([{ name: 'one' }]);

    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events/${id}`)).status).toBe(404);
    expect(await media()).toEqual(files);
    await rm(path.join(server().site.uploads, files[0]), { force: true });

    expect((await send('POST', '/__qa/snapshots/one/restore')).json.restored).toBe('one');
    expect((await send('GET', `${API}/events/${id}`)).json.title).toBe('Kept');
    expect((await send('GET', '/__qa/clock')).json.now).toBe('2027-01-01T00:00:00.000Z');
    expect(await media()).toEqual([...files, 'added.txt'].sort());
    expect((await send('DELETE', '/__qa/snapshots/one')).status).toBe(200);
    expect((await send('GET', '/__qa/snapshots')).json.snapshots).toEqual([]);
    await send('POST', '/__qa/reset');
    expect(await media()).toEqual(files);
  });

  test('writes during a reset wait and succeed', async () => {
    const writes = Array.from({ length: 24 }, (_, i) => send('POST', `${API}/events`, event(`Meanwhile ${i}`), AS_ADMIN));
    const resets = Array.from({ length: 4 }, () => send('POST', '/__qa/reset'));
    const statuses = (await Promise.all([...writes, ...resets])).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events?search=meanwhile&start_date=2026-09-01`)).json.total ?? 0).toBe(0);
  });

  test('an invalid dataset changes nothing and reports its problems', async () => {
    const { status, json } = await send('POST', '/__qa/seed?create=false', {
      events: [{ title: 'A', start: '+1d 10:00', duration: '1h', venue: 'none' }],
    });
    expect([status, json.code, json.data.problems[0]]).toEqual([
      400,
      'understudy_invalid_dataset',
      expect.stringContaining('events[0].venue'),
    ]);
    expect((await send('POST', '/__qa/seed', '{')).status).toBe(400);
    expect((await send('GET', `${API}/events`)).json.total).toBeGreaterThan(1);
  });

  test('a seed with pristine=false lasts until the next reset', async () => {
    const seed = { clock: '2026-01-01T00:00:00Z', events: [{ title: 'For once', start: '+1d 10:00', duration: '1h' }] };
    const before = (await send('GET', `${API}/events`)).json.total;
    expect((await send('POST', '/__qa/seed?pristine=false', seed)).json).toMatchObject({ seeded: true, posts: 1 });
    expect((await send('GET', `${API}/events`)).json).toMatchObject({ total: 1, events: [{ title: 'For once' }] });
    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events`)).json.total).toBe(before);
  });
});
