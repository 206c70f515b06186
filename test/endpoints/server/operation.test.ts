import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { HealthChecks } from '../../../src/server/app/health.js';
import { routeLabel } from '../../../src/server/app/metrics.js';
import { siteRoutes } from '../../../src/server/app/routes.js';
import { withHealthAndMetrics } from '../../../src/server/app/requests.js';
import { openLog, requestId } from '../../../src/base/system/log.js';
import { http } from '../../support/http.js';
import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { registry } from '../../support/registry.js';

const EVENTS = '/wp-json/tribe/events/v1/events?per_page=1';

/** All that a stream holds: a single `read()` may return a part. */
function readBuffered(stream: PassThrough): string {
  let text = '';
  for (let part: string | null; (part = stream.read() as string | null) !== null;) text += part;
  return text;
}

/** The middleware before the site, whose response is `made here`, with a simulated database. */
async function front(
  options: { logFormat?: 'text' | 'json'; requestIds?: boolean; now?: () => number } = {},
  logLevel: 'info' | 'debug' = 'info',
) {
  const { logFormat = 'text', requestIds = false, now } = options;
  const health = new HealthChecks(now);
  const stream = new PassThrough({ encoding: 'utf8' });
  const log = await openLog(stream, logLevel, logFormat);
  const server = createServer(
    withHealthAndMetrics(
      (_request, response) => {
        log.warn('Said meanwhile');
        response.end('made here');
      },
      { options: { logFormat, requestIds }, log, health, metrics: null, disk: null },
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = (): string[] =>
    readBuffered(stream)
      .split('\n')
      .filter((line) => line !== '');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { health, url, lines, close, get: (path: string, headers = {}) => http('GET', url + path, headers) };
}

describe('/health', () => {
  const never = new Promise<boolean>(() => undefined);
  const settled = (): Promise<unknown> => new Promise(setImmediate);

  test('is alive, but not ready, before the server is', async () => {
    const { get, close } = await front();
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/health/ready')).toMatchObject({ status: 503, text: '{"status":"starting"}' });
    expect(await get('/health')).toMatchObject({ status: 503 });
    close();
  });

  test('waits for nothing: says what is known of the database, and asks it in the background', async () => {
    let now = 0;
    const { health, get, close } = await front({ now: () => now });
    for (const [ping, statuses] of [
      [() => Promise.resolve(true), [200, 200]],
      [() => Promise.resolve(false), [200, 503]],
      [() => Promise.reject(new Error('gone')), [200, 503]],
    ] as const) {
      const end = health.watch(ping);
      expect([(await get('/health')).status, (await get('/health')).status]).toEqual(statuses);
      expect((await get('/health/live')).status).toBe(200);
      end();
    }
    const end = health.watch(() => never);
    expect((await get('/health')).status).toBe(200);
    now = 5_000;
    expect((await get('/health')).status).toBe(503);
    end();
    close();
  });

  test('a database may take its time, but not five seconds', async () => {
    let now = 0;
    const health = new HealthChecks(() => now);
    const end = health.watch(() => never);
    expect(health.hasDatabase).toBe(true);
    health.ask();
    now = 4_999;
    health.ask();
    expect(health.hasDatabase).toBe(true);
    now = 5_000;
    expect(health.hasDatabase).toBe(false);
    end();
  });

  test('a server that was stopped itself does not blame the database', () => {
    let now = 0;
    const health = new HealthChecks(() => now);
    const end = health.watch(() => never);
    now = 60_000;
    health.ask();
    expect(health.hasDatabase).toBe(true);
    end();
  });

  test('a question that a crash of the database swallowed is asked again, and its failure is no news', async () => {
    let now = 0;
    const health = new HealthChecks(() => now);
    const answers: ((found: boolean | Promise<boolean>) => void)[] = [];
    const end = health.watch(() => new Promise((resolve) => answers.push(resolve)));
    health.ask();
    now = 2_000;
    health.ask();
    expect(answers).toHaveLength(1);
    now = 2_001;
    health.ask();
    answers[1](true);
    await settled();
    answers[0](Promise.reject(new Error('closed')));
    await settled();
    end();
    expect(health.hasDatabase).toBe(true);
  });

  test('asks the database once for all who ask, and is ready again when it answers', async () => {
    const { health, get, close } = await front();
    let [asked, answer] = [0, (_found: boolean): void => undefined];
    const end = health.watch(() => {
      asked += 1;
      return asked === 1 ? Promise.resolve(false) : new Promise((resolve) => (answer = resolve));
    });
    health.ask();
    await settled();
    const answers = await Promise.all(Array.from({ length: 5 }, () => get('/health')));
    expect([asked, ...answers.map(({ status }) => status)]).toEqual([2, 503, 503, 503, 503, 503]);
    answer(true);
    await settled();
    expect((await get('/health')).status).toBe(200);
    end();
    close();
  });

  test('leaves everything else to the site', async () => {
    const { url, get, close } = await front();
    for (const path of ['/health/', '/healthy', '/health/other', '/metrics', '/']) expect((await get(path)).text).toBe('made here');
    expect((await http('POST', `${url}/health`)).text).toBe('made here');
    expect(await http('HEAD', `${url}/health/live`)).toMatchObject({ status: 200, text: '' });
    close();
  });
});

describe('of a server without test API', () => {
  const server = startTestServer({ dataset: WORLD, qa: false, host: '127.0.0.1', metrics: true, requestIds: true });
  const get = (path: string, headers = {}) => http('GET', server().url + path, headers);

  test('/health needs none', async () => expect((await get('/health')).status).toBe(200));

  test('/metrics counts requests by route, and what was found in memory', async () => {
    for (let i = 0; i < 3; i += 1) await get(EVENTS);
    await get('/wp-json/tribe/events/v1/events/4711');
    const { headers, text } = await get('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/tribe/events/v1/events",status="200"} 3\n');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/tribe/events/v1/events/{id}",status="404"} 1\n');
    expect(text).toMatch(/^understudy_database_up 1$/m);
    expect(text).toMatch(/^understudy_memory_hits_total\{cache="responses"\} [1-9]\d*$/m);
    expect(text).toMatch(/^understudy_memory_misses_total\{cache="results"\} [1-9]\d*$/m);
    expect(text).toMatch(/^understudy_memory_needed_bytes 0$/m);
    expect(text).toMatch(/^understudy_changes_followed_total 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test('each response has the id of its own request, also from the cache', async () => {
    for (const id of ['first', 'second']) expect((await get(EVENTS, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    const made = await Promise.all([get(EVENTS), get(EVENTS), get(EVENTS, { 'x-request-id': 'not sound' })]);
    const ids = made.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  });
});

describe('what is not asked for', () => {
  const server = startTestServer({ dataset: WORLD });

  test('is not there', async () => {
    const { headers } = await http('GET', server().url + EVENTS, { 'x-request-id': 'given' });
    expect(headers.get('x-request-id')).toBeNull();
    expect((await http('GET', `${server().url}/metrics`)).status).toBe(404);
  });

  test('faults do not concern /health, and the journal does not show it', async () => {
    await http('POST', `${server().url}/__qa/faults`, {}, JSON.stringify({ effect: { status: 500 } }));
    expect((await http('GET', server().url + EVENTS)).status).toBe(500);
    expect((await http('GET', `${server().url}/health`)).status).toBe(200);
    expect((await http('GET', `${server().url}/__qa/journal`)).text).not.toContain('/health');
  });
});

describe('the log', () => {
  test('as JSON: an object a line, with the id of the request', async () => {
    const { get, lines, close } = await front({ logFormat: 'json' });
    const { headers } = await get('/some/path?x=1', { 'x-request-id': 'from-the-client' });
    expect(headers.get('x-request-id')).toBe('from-the-client');
    await get('/health');
    const objects = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects).toEqual([
      expect.objectContaining({ level: 'warn', requestId: 'from-the-client', msg: 'Said meanwhile' }),
      expect.objectContaining({ level: 'info', requestId: 'from-the-client', method: 'GET', url: '/some/path?x=1', status: 200 }),
    ]);
    expect(Date.parse(String(objects[0]['time']))).not.toBeNaN();
    close();
  });

  test.each(['text', 'json'] as const)('masks secrets in URLs, as %s', async (logFormat) => {
    const { get, lines, close } = await front({ logFormat }, 'debug');
    await get('/some/path?x=1&password=hunter22&user%5Bapi_key%5D=hunter22');
    expect(lines().join()).toContain('/some/path?x=1&password=***&user%5Bapi_key%5D=***');
    expect(lines().join()).not.toContain('hunter22');
    close();
  });

  test('as text: requests when debugging, ids when asked for', async () => {
    const plain = await front({}, 'debug');
    await plain.get('/some/path');
    expect(plain.lines()).toEqual(['Said meanwhile', expect.stringMatching(/^GET \/some\/path -> 200 \(\d+\.\d ms\)$/)]);
    plain.close();
    const withIds = await front({ requestIds: true });
    await withIds.get('/some/path', { 'x-request-id': 'abc' });
    expect(withIds.lines()).toEqual(['Said meanwhile [abc]']);
    withIds.close();
  });

  test.each(['error', 'warn', 'info', 'debug'] as const)('as JSON up to level %s', async (level) => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const log = await openLog(stream, level, 'json');
    const levels = ['error', 'warn', 'info', 'debug'] as const;
    requestId.run('id', () => levels.forEach((each) => log[each](each)));
    const said = readBuffered(stream)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    expect(said).toEqual(levels.slice(0, levels.indexOf(level) + 1));
  });
});

test.each([
  ['/wp-json/', '/'],
  ['/wp-json/tribe/events/v1/events/12?x=1', '/tribe/events/v1/events/{id}'],
  ['/?rest_route=/tribe/events/v1/events/12', '/tribe/events/v1/events/{id}'],
  ['/__sandbox/w1/wp-json/tribe/events/v1/venues', '/tribe/events/v1/venues'],
  ['/wp-json/nothing/v9', 'no route'],
  ['/__qa/journal/12', '/__qa'],
  ['/wp-content/uploads/2026/01/a.png', '/wp-content/uploads/'],
  ['/event/opening/', 'page'],
])('%s counts for %s', async (url, label) =>
  expect(routeLabel(url, (await siteRoutes(['tribe/events/v1'])).tableOf(registry))).toBe(label),
);
