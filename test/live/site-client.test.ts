import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResponseFile } from '../../src/transfer/live/pull/response-file.js';
import { SiteClient, routeUrl, type LiveClientOptions } from '../../src/transfer/live/client/client.js';
import { findSite, type LiveSite } from '../../src/transfer/live/client/find.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler = (_, response) => void response.end();
let base = '';
const http = createServer((request, response) => handler(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

const options: LiveClientOptions = { rate: 0, timeoutMs: 60_000, retries: 0 };

const find = (url: string, more: Partial<LiveClientOptions> = {}): Promise<LiveSite> =>
  findSite(new SiteClient({ ...options, ...more }, url), url);

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const html = (response: ServerResponse, status: number, body = '<html>Hello</html>', headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
};

const index = (more: object = {}): object => ({
  name: 'Site',
  description: '',
  url: base,
  home: base,
  gmt_offset: 2,
  timezone_string: 'Europe/Berlin',
  namespaces: ['wp/v2', 'tribe/events/v1'],
  ...more,
});

/** Responds to REST routes with one handler, and to all other addresses with a page. */
const site =
  (rest: Handler, page: Handler = (_, response) => html(response, 200)): Handler =>
  (request, response) =>
    (/wp-json|rest_route/.test(request.url ?? '') ? rest : page)(request, response);

describe('finding a site', () => {
  test.each<[string, Handler, string]>([
    ['no WordPress', (_, response) => html(response, 404), 'not a WordPress site'],
    [
      'a switched off API',
      site(
        (_, response) => html(response, 404),
        (_, response) => html(response, 200, '<link href="/wp-content/x.css">'),
      ),
      'the REST API of this WordPress site is not available (404)',
    ],
    [
      'a closed API',
      site((_, response) => json(response, 401, { code: 'rest_not_logged_in' })),
      'the REST API is not public (401 rest_not_logged_in)',
    ],
    ['a firewall', site((_, response) => html(response, 403)), 'a firewall or security plugin blocks the REST API'],
    [
      'a refusal',
      site((_, response) => json(response, 403, { code: 'rest_forbidden' })),
      'access denied (403 rest_forbidden). Sign in with --login',
    ],
    [
      'nothing but line breaks',
      site((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('\n\n\n')),
      'the response (200) is empty',
    ],
    ['a wrong login', site((_, response) => json(response, 401, { code: 'incorrect_password' })), 'the login was rejected'],
    [
      'no calendar',
      site((_, response) => json(response, 200, index({ namespaces: ['wp/v2'] }))),
      'The Events Calendar is not active on this site',
    ],
    ['a loop', (_, response) => void response.writeHead(302, { location: '/' }).end(), 'too many redirects (5)'],
    ['a cut', (request) => void request.socket.destroy(), 'the connection was closed'],
  ])('%s is reported with a clear message', async (_, how, problem) => {
    handler = how;
    await expect(find(base)).rejects.toThrow(problem);
  });

  const NOTICE = '<br />\n<b>Notice</b>:  Undefined index: [a] in <b>/srv/{x}.php</b> on line <b>3</b><br />\n';
  const before = (text: string): Handler =>
    site((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`${text}${JSON.stringify(index())}`));

  test.each([
    ['\uFEFF', 'Before its JSON, the site sends a byte order mark. It was skipped.'],
    ['\n\uFEFF', 'Before its JSON, the site sends a byte order mark. It was skipped.'],
    [NOTICE, 'Before its JSON, the site sends the text "Notice : Undefined index: [a] in /srv/{x}.php on line 3". It was skipped.'],
    ['\nWarning: it rains\n', 'Before its JSON, the site sends the text "Warning: it rains". It was skipped.'],
    ['\n\n', undefined],
  ])('%j before the JSON is skipped, and named once', async (text, note) => {
    handler = before(text);
    const notes: string[] = [];
    const client = new SiteClient({ ...options, notify: (line) => notes.push(line) }, base);
    expect((await findSite(client, base)).name).toBe('Site');
    await client.fetch(routeUrl(`${base}/wp-json`, ''));
    expect(notes).toEqual(note === undefined ? [] : [note]);
  });

  test.each(['[{"a":1},\n{"b":2}', '<!DOCTYPE html><script>\n{"a":1}', `${NOTICE}{"a":[1,{"b":2}`])(
    'what is not JSON to its end is not read in parts: %j',
    async (text) => {
      handler = (_, response) => void response.end(text);
      expect((await new SiteClient(options, base).fetch(base)).json).toBeUndefined();
    },
  );

  test('silence is reported with a clear message', async () => {
    handler = () => undefined;
    await expect(find(base, { timeoutMs: 100 })).rejects.toThrow('no response within 0.1 seconds');
  });

  test('an unknown host and a closed port are reported', async () => {
    await expect(find('http://no-such-host.invalid')).rejects.toThrow(/host not found|cannot be resolved/);
    await expect(find('http://127.0.0.1:2')).rejects.toThrow('connection refused');
  });

  test.each<[string, string, Handler]>([
    [
      'by the link of its page',
      'http/blog',
      site(
        (_, response) => json(response, 200, index()),
        (_, response) => html(response, 200, '', { link: `<${base}/wp-json/>; rel="https://api.w.org/"` }),
      ),
    ],
    ['by its own root', 'wp-json/wp/v2', site((_, response) => json(response, 200, index()))],
    [
      'without pretty addresses',
      '',
      (request, response) =>
        request.url?.includes('rest_route') ? json(response, 200, index()) : html(response, request.url === '/' ? 200 : 404),
    ],
    [
      'behind a redirect',
      'old',
      site(
        (_, response) => json(response, 200, index()),
        (request, response) => (request.url === '/old/' ? void response.writeHead(301, { location: '/' }).end() : html(response, 200)),
      ),
    ],
  ])('%s', async (_, at, how) => {
    handler = how;
    const found = await find(`${base}/${at}`);
    expect(found).toMatchObject({ home: base, namespace: 'tribe/events/v1', hasCore: true, timezone: 'Europe/Berlin' });
    expect(found.aliases).toContain(base.replace('http:', 'https:'));
  });
});

test.each([
  ['https://a.example/wp-json/', 'tribe/events/v1/events', { page: 2 }, 'https://a.example/wp-json/tribe/events/v1/events?page=2'],
  ['https://a.example/?rest_route=/', 'wp/v2/x', { a: 'b c' }, 'https://a.example/?rest_route=/wp/v2/x&a=b%20c'],
  ['https://a.example/?rest_route=', '', {}, 'https://a.example/?rest_route=/'],
])('%s and %s are the same site', (root, route, query, url) => {
  expect(routeUrl(root, route, query)).toBe(url);
});

describe('requests to a site', () => {
  test('waits for the Retry-After time and retries', async () => {
    const told: string[] = [];
    let asked = 0;
    handler = (_, response) => (++asked < 3 ? json(response, 429, {}, { 'retry-after': '0' }) : json(response, 200, { asked }));
    const client = new SiteClient({ ...options, retries: 3, notify: (line) => told.push(line) }, base);
    expect((await client.fetch(base)).json).toEqual({ asked: 3 });
    expect(told).toEqual(Array.from({ length: 2 }, () => `${base}: the site responded with 429. Retrying in 0 s.`));
  });

  test('a refused connection is final before the first response, and retried after it, with its address', async () => {
    const told: string[] = [];
    const stopped = new AbortController();
    const notify = (line: string): void => {
      told.push(line);
      stopped.abort();
    };
    const of = (): SiteClient => new SiteClient({ ...options, retries: 3, notify, signal: stopped.signal }, base);
    const closed = 'http://127.0.0.1:2/wp-json/';
    await expect(of().fetch(closed)).rejects.toThrow('connection refused');
    // Port 9 is one that Node.js never connects to.
    await expect(of().fetch('http://127.0.0.1:9/wp-json/')).rejects.toThrow('bad port');
    expect(told).toEqual([]);
    handler = (_, response) => json(response, 200, {});
    const client = of();
    await client.fetch(base);
    await expect(client.fetch(closed)).rejects.toThrow('abort');
    expect(told).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:2\/wp-json\/: connection refused\..* Retrying in 1 s\.$/)]);
  });

  test('respects the rate limit', async () => {
    handler = (_, response) => json(response, 200, {});
    const client = new SiteClient({ ...options, rate: 50 }, base);
    const started = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => client.fetch(base)));
    expect(performance.now() - started).toBeGreaterThan(95);
  });

  test('sends the credentials only to the site', async () => {
    const seen: [string | undefined, string | undefined][] = [];
    handler = (request, response) => {
      seen.push([request.headers.host?.split(':')[0], request.headers.authorization]);
      if (request.url === '/there') json(response, 200, {});
      else response.writeHead(302, { location: `http://localhost:${new URL(base).port}/there` }).end();
    };
    await new SiteClient({ ...options, credentials: { login: 'a', password: 'b' } }, base).fetch(base).catch(() => undefined);
    expect(seen[0]).toEqual(['127.0.0.1', 'Basic YTpi']);
    expect(seen.slice(1).every(([, authorization]) => authorization === undefined)).toBe(true);
  });
});

describe('responses saved to disk', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-answers-'));
  const file = path.join(folder, 'answers.ndjson');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('are read back, except an incomplete one, and only with the same header line', async () => {
    const first = await ResponseFile.open(file, 'head');
    await Promise.all(['a "quoted" ü', 'b', 'c'].map((key, number) => first.add(key, { number, text: '日本\n' })));
    await first.close();
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -8));
    const second = await ResponseFile.open(file, 'head');
    expect([second.size, await second.read('a "quoted" ü'), second.has('c')]).toEqual([2, { number: 0, text: '日本\n' }, false]);
    await second.add('c', 'again');
    expect(await second.read('c')).toBe('again');
    await second.close();
    const other = await ResponseFile.open(file, 'another head');
    expect([other.size, await other.read('b')]).toEqual([0, undefined]);
    await other.close();
  });
});
