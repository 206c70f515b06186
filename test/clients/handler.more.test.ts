import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createClient } from '../../src/sdk/client/index.js';
import { createHandler, IgnoredError, type Handler } from '../../src/index.js';
import { root as ROOT } from '../support/documents.js';

const NOW = '2026-06-15T12:00:00.000Z';
const PASSWORD = 'a-password-of-24-letters';
const EVENTS = '/wp-json/tribe/events/v1/events';

const dataset = {
  site: { name: 'Mill', timezone: 'Europe/Berlin' },
  users: [{ login: 'anna', name: 'Anna', email: 'anna@example.org', role: 'administrator' as const, password: PASSWORD }],
  events: [
    { title: 'Open Stage', start: '+1d 20:00', end: '23:00' },
    { title: 'Brass Night', start: '+2d 20:00', end: '23:00' },
  ],
};

describe('createHandler', () => {
  let handler: Handler;
  const portsBefore = ports();

  beforeAll(async () => {
    handler = await createHandler({ dataset, now: NOW, adminPassword: PASSWORD });
  }, 60_000);
  afterEach(() => handler.reset());
  afterAll(() => handler.close());

  const basic = (): Record<string, string> => {
    const { login, password } = handler.adminAuth;
    return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
  };
  const titles = async (): Promise<string[]> => {
    const { events } = (await (await handler(EVENTS)).json()) as { events: { title: string }[] };
    return events.map(({ title }) => title);
  };

  test('responds to a request without opening a port', async () => {
    const response = await handler(new Request(`${handler.restUrl}/tribe/events/v1/events?per_page=1`));
    expect(response).toMatchObject({
      status: 200,
      statusText: 'OK',
      ok: true,
      url: 'http://localhost/wp-json/tribe/events/v1/events?per_page=1',
    });
    expect(response.headers.get('X-TEC-Total')).toBe('2');
    expect(response.headers.get('Link')).toContain('<http://localhost/wp-json/>');
    expect(await response.json()).toMatchObject({
      events: [{ title: 'Open Stage' }],
      next_rest_url: expect.stringContaining('http://localhost/'),
    });
    expect(ports()).toBe(portsBefore);
  });

  test('takes what fetch takes: a text, a URL, options, a path of the site', async () => {
    for (const input of [EVENTS, new URL(`http://localhost${EVENTS}`), `http://localhost${EVENTS}`])
      expect((await handler(input, { method: 'OPTIONS' })).status).toBe(200);
  });

  test('is a fetch for clients', async () => {
    const client = createClient({ url: handler.url, fetch: handler });
    expect((await client.events.list()).events.map(({ title }) => title)).toEqual(['Open Stage', 'Brass Night']);
  });

  test('HEAD and responses without content have no body', async () => {
    const head = await handler(EVENTS, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, null]);
    const etag = (await handler(EVENTS)).headers.get('ETag') ?? '';
    const unchanged = await handler(EVENTS, { headers: { 'If-None-Match': etag } });
    expect([unchanged.status, unchanged.body]).toEqual([304, null]);
  });

  test('keeps several cookies apart, and does not follow redirects', async () => {
    const form = new URLSearchParams({ log: 'anna', pwd: PASSWORD });
    const response = await handler('/wp-login.php', { method: 'POST', body: form });
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie().length).toBeGreaterThan(1);
  });

  test('is not compressed, whatever the client accepts', async () => {
    const response = await handler(EVENTS, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(response.headers.has('Content-Encoding')).toBe(false);
    expect(await response.json()).toMatchObject({ total: 2 });
  });

  test.each([
    ['a text', () => JSON.stringify({ name: 'Music' }), 'application/json'],
    ['a form', () => new URLSearchParams({ name: 'Music' }), undefined],
    [
      'a multipart form',
      () => {
        const form = new FormData();
        form.set('name', 'Music');
        return form;
      },
      undefined,
    ],
    ['a stream', () => ReadableStream.from([Buffer.from('{ "name": '), Buffer.from('"Music" }')]), 'application/json'],
  ])('sends %s', async (_what, body, type) => {
    const headers = { ...basic(), ...(type === undefined ? {} : { 'Content-Type': type }) };
    const request = new Request(`${handler.restUrl}/tribe/events/v1/tags`, {
      method: 'POST',
      headers,
      body: body() as RequestInit['body'],
      duplex: 'half',
    });
    const response = await handler(request);
    expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ name: 'Music' })]);
  });

  test.each([
    ['known', () => Buffer.alloc(5 * 1024 * 1024, 'x')],
    ['unknown', () => ReadableStream.from(Array.from({ length: 80 }, () => Buffer.alloc(64 * 1024, 'x')))],
  ])('uploads a large file of %s length', async (_what, body) => {
    const headers = { ...basic(), 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="programme.txt"' };
    const request = new Request(`${handler.restUrl}/wp/v2/media`, {
      method: 'POST',
      headers,
      body: body() as RequestInit['body'],
      duplex: 'half',
    });
    const response = await handler(request);
    const { source_url: url } = (await response.json()) as { source_url: string };
    expect(response.status).toBe(201);
    const file = await (await handler(url)).text();
    expect(file).toHaveLength(5 * 1024 * 1024);
  });

  test('a body above the limit is rejected, even if nobody reads it to its end', async () => {
    const response = await handler(EVENTS, { method: 'POST', headers: basic(), body: new Uint8Array(12 * 1024 * 1024) });
    expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'rest_request_too_large' })]);
  });

  test('rejects with the reason of an aborted signal', async () => {
    await expect(handler(EVENTS, { signal: AbortSignal.abort('never mind') })).rejects.toBe('never mind');
    await handler.faults.add({ match: { path: '**/events' }, effect: { delay: 1500 } });
    let isWholeThere = false;
    const whole = handler(EVENTS).then(() => (isWholeThere = true));
    await expect(handler(EVENTS, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(isWholeThere).toBe(false);
    await whole;
    await handler.faults.clear();
    await handler.faults.add({ match: { path: '**/events' }, effect: { bytesPerSecond: 200 } });
    const controller = new AbortController();
    const slow = await handler(EVENTS, { signal: controller.signal });
    controller.abort();
    await expect(slow.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    ['before', 'fetch failed'],
    ['mid-body', 'terminated'],
  ] as const)('rejects like fetch when the connection is dropped: %s', async (drop, message) => {
    await handler.faults.add({ match: { path: '**/events' }, effect: { drop } });
    const text = async (): Promise<string> => (await handler(EVENTS)).text();
    const error = await text().catch((reason: unknown) => reason);
    expect([(error as Error).name, (error as Error).message]).toEqual(['TypeError', message]);
  });

  test('a response that nobody reads does not keep others waiting', async () => {
    const unread = await Promise.all(Array.from({ length: 50 }, () => handler(EVENTS)));
    expect(await titles()).toHaveLength(2);
    await unread[0].body?.cancel();
  });

  test('has the controls of the helpers, and is reset to its dataset', async () => {
    await handler.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
    expect(await titles()).toEqual(['Late Show', 'Open Stage', 'Brass Night']);
    await handler.clock.advance('2 days');
    expect(await titles()).toEqual(['Brass Night']);
    await handler.journal.expect({ path: '**/events', method: 'GET', count: 2 });
    await handler.reset();
    expect(await titles()).toEqual(['Open Stage', 'Brass Night']);
    expect(await handler.journal.entries()).toHaveLength(1);
    await handler.seed({ ...dataset, events: [] });
    expect(await titles()).toEqual([]);
    await handler.seed(dataset);
  });

  test('links have the URL that is set', async () => {
    const other = await createHandler({ dataset, now: NOW, url: 'https://mill.example.org' });
    try {
      const response = await other('https://mill.example.org/wp-json/tribe/events/v1/events?per_page=1');
      expect(await response.json()).toMatchObject({ next_rest_url: expect.stringContaining('https://mill.example.org/wp-json/') });
    } finally {
      await other.close();
    }
    await expect(other('/')).rejects.toMatchObject({ name: 'TypeError', cause: { message: 'The handler is closed.' } });
  });

  test('is closed at once when bodies of responses were not read', async () => {
    const other = await createHandler({ dataset, now: NOW });
    const unread = await other(EVENTS);
    const started = performance.now();
    await other.close();
    expect(performance.now() - started).toBeLessThan(4_000);
    await expect(unread.text()).rejects.toMatchObject({ name: 'TypeError', message: 'terminated' });
  });

  test('a response that is being read is complete, even if the handler is closed meanwhile', async () => {
    const other = await createHandler({ dataset, now: NOW });
    const reading = (await other(EVENTS)).json();
    await other.close();
    expect(await reading).toMatchObject({ total: 2 });
  });

  test('CommonJS modules can require it', async () => {
    const program = `
      const { createHandler } = require('wp-understudy');
      createHandler().then(async (site) => {
        console.log((await site('/wp-json/')).status, typeof require('wp-understudy/msw').handlers);
        await site.close();
      });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: ROOT });
    expect(stdout).toBe('200 function\n');
  });

  test('unknown options are errors', async () => {
    await expect(createHandler({ prot: 1 } as never)).rejects.toThrow('Unknown option prot');
  });
});

describe('createHandler with strict', () => {
  let handler: Handler;
  beforeAll(async () => {
    handler = await createHandler({ dataset, now: NOW, strict: { allow: ['utm_*'] } });
  }, 60_000);
  afterAll(() => handler.close());

  test('reset rejects when something was ignored since the last one, and resets all the same', async () => {
    await handler(`${EVENTS}?venue_id=14&utm_source=mail`);
    await handler.clock.advance('2 days');
    const error = await handler.reset().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IgnoredError);
    expect((error as Error).message).toContain(
      `GET ${EVENTS}?venue_id=14&utm_source=mail\n    "venue_id" is not a parameter here and is ignored: did you mean "venue"?`,
    );
    expect((error as Error).message).not.toContain('"utm_source"');
    expect(await handler.clock.get()).toMatchObject({ now: NOW });
    await handler.reset();
  });
});

/** Number of listening sockets of this process. */
function ports(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
