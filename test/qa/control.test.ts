import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '../../src/index.js';
import { Browser } from '../support/browser.js';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { http, type HttpResponse } from '../support/http.js';

/** Who may control a server: nobody by what a request states of itself. */

const TOKEN = 'only-for-this-test';
const API = '/wp-json/tribe/events/v1';

const send = (method: string, at: string, base: string, headers: Record<string, string> = {}, body?: string): Promise<HttpResponse> =>
  http(method, `${base}${at}`, headers, body);
const AS_TESTER = { 'x-understudy-token': TOKEN };
const EVENTS = `${API}/events?per_page=1&_fields=total`;

/** Headers that a page or a machine elsewhere can send. */
const CLAIMS: Record<string, Record<string, string>> = {
  'the host of a proxy': { host: 'evil.example', 'x-forwarded-host': 'localhost' },
  'the host at the end of a list': { host: 'evil.example', 'x-forwarded-host': 'evil.example, 127.0.0.1' },
  'the host itself': { host: 'localhost' },
  everything: {
    host: '127.0.0.1',
    'x-forwarded-host': 'localhost',
    'x-forwarded-for': '::1',
    'x-forwarded-proto': 'https',
    'x-real-ip': '127.0.0.1',
    forwarded: 'for=127.0.0.1;host=localhost',
  },
};

const PUBLIC = /^\/__qa\/(?:ui|explorer)(?:\/|$)/;

/** Every method of every route of the test API. */
async function endpointsOf(base: string, headers: Record<string, string> = {}): Promise<[method: string, at: string][]> {
  const { routes } = JSON.parse((await send('GET', '/__qa/', base, headers)).text) as {
    routes: Record<string, { endpoints: { methods: string[] }[] }>;
  };
  const all = Object.entries(routes).flatMap(([at, found]) =>
    found.endpoints.flatMap(({ methods }) => methods.map((method) => [method, at] as const)),
  );
  return all.map(([method, at]) => [method, at.replace(/\{\w+\}/g, 'x')]);
}

describe('on a machine of its own', () => {
  const server = startTestServer({ dataset: WORLD });

  test('no route of the test API, besides the pages, serves a page of another site', async () => {
    const { url } = server();
    for (const [method, at] of await endpointsOf(url)) {
      const { status } = await send(method, at, url, { 'sec-fetch-site': 'cross-site' });
      expect([method, at, status]).toEqual([method, at, PUBLIC.test(at) ? status : 403]);
    }
  });
});

describe('behind a proxy', () => {
  const bare = startTestServer({ dataset: WORLD, trustProxy: true, url: 'request', sandboxDomain: 'sb.example.org' });
  const open = startTestServer({ dataset: WORLD, trustProxy: true, url: 'request', sandboxDomain: 'sb.example.org', qaToken: TOKEN });

  test.each(Object.keys(CLAIMS))('no route of the test API believes %s', async (claim) => {
    const all = await endpointsOf(open().url, AS_TESTER);
    expect(all.length).toBeGreaterThan(50);
    const headers = CLAIMS[claim];
    for (const [method, at] of all) {
      const [without, withToken] = [await send(method, at, bare().url, headers), await send(method, at, open().url, headers)];
      expect([method, at, without.status, withToken.status]).toEqual([method, at, 404, PUBLIC.test(at) ? withToken.status : 401]);
    }
  });

  /** Ways to name a sandbox. */
  const WAYS: Record<string, (name: string) => [at: string, headers: Record<string, string>]> = {
    path: (name) => [`/__sandbox/${name}${EVENTS}`, {}],
    header: (name) => [EVENTS, { 'x-understudy-sandbox': name }],
    cookie: (name) => [EVENTS, { cookie: `understudy_sandbox=${name}` }],
    host: (name) => [EVENTS, { 'x-forwarded-host': `${name}.localhost` }],
    domain: (name) => [EVENTS, { 'x-forwarded-host': `${name}.sb.example.org` }],
  };

  test.each(Object.keys(WAYS))('nobody creates a sandbox by %s without the token', async (way) => {
    for (const [n, claim] of Object.values(CLAIMS).entries()) {
      const name = `${way}-${n}`;
      const [at, headers] = WAYS[way](name);
      for (const server of [open, bare]) await send('GET', at, server().url, { ...claim, ...headers });
      expect((await send('GET', '/__qa/sandboxes', open().url, AS_TESTER)).text).not.toContain(name);
    }
    // There is no list without a test API, and no database of a sandbox.
    const { store } = bare().site;
    expect(await store.databases(`${store.db.databaseName.slice(0, 38)}_sandbox_`)).toEqual([]);
    const [at, headers] = WAYS[way](`${way}-with`);
    expect((await send('GET', at, open().url, { ...AS_TESTER, ...headers })).status).toBe(200);
    expect((await send('DELETE', `/__qa/sandboxes/${way}-with`, open().url, AS_TESTER)).status).toBe(200);
  });
});

describe('guesses through a proxy', () => {
  const server = startTestServer({ dataset: WORLD, trustProxy: true, signInAttempts: 30 });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  let id = 0;
  beforeAll(async () => {
    const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
    const post = { title: 'Kept', status: 'publish', password: 'open sesame' };
    id = (JSON.parse((await send('POST', '/wp-json/wp/v2/posts', server().url, headers, JSON.stringify(post))).text) as { id: number }).id;
  });

  /** All ways to guess a password. */
  const WAYS: Record<string, (headers: Record<string, string>) => Promise<HttpResponse>> = {
    'application passwords': (headers) =>
      send('GET', '/wp-json/wp/v2/users/me', server().url, { ...headers, authorization: `Basic ${btoa('admin:wrong')}` }),
    'the page for signing in': (headers) => send('POST', '/wp-login.php', server().url, { ...headers, ...form }, 'log=admin&pwd=wrong'),
    'the form of a post': (headers) =>
      send('POST', '/wp-login.php?action=postpass', server().url, { ...headers, ...form }, 'post_password=wrong'),
    'a post in the REST API': (headers) => send('GET', `/wp-json/wp/v2/posts/${id}?password=wrong`, server().url, headers),
  };

  test.each(Object.keys(WAYS))('are counted by the address that the proxy has added, for %s', async (way) => {
    const guess = async (address: string): Promise<number> => (await WAYS[way]({ 'x-forwarded-for': address })).status;
    for (let n = 0; n < 30; n += 1) expect([n, await guess(`192.0.2.${n}, 203.0.113.1`)]).not.toEqual([n, 429]);
    expect(await guess('192.0.2.30, 203.0.113.1')).toBe(429);
    expect(await guess('203.0.113.1, 203.0.113.2')).not.toBe(429);
    server().site.chosen.guards.clear();
  });
});

const SRC = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../src');

/** All headers `X-Understudy-*` that the source names. */
function namedHeaders(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?[jt]sx?$/.test(file));
  const found = files.flatMap((file) => [...readFileSync(path.join(SRC, file), 'utf8').matchAll(/x-understudy-([a-z]+)/gi)]);
  return [...new Set(found.map(([, name]) => name.toLowerCase()))].sort();
}

/** What a request with such a header gets: without the right to control the server, and with it. */
const HEADERS: Record<string, { value: string; refused: number | null }> = {
  now: { value: '2031-05-05T12:00:00Z', refused: 401 },
  sandbox: { value: 'by-a-header', refused: 404 },
  // These are without effect in requests to a site.
  token: { value: 'wrong', refused: null },
  proxy: { value: '1', refused: null },
  event: { value: 'content.reset', refused: null },
  delivery: { value: '1', refused: null },
  signature: { value: 'sha256=0', refused: null },
};

test('every header is in the table', () => expect(namedHeaders()).toEqual(Object.keys(HEADERS).sort()));

describe('the headers of a request', () => {
  const dataset = WORLD;
  const shared = startTestServer({ dataset, host: '0.0.0.0', qaToken: TOKEN });
  const local = startTestServer({ dataset });
  const at = ({ url }: Server): string => url.replace('localhost', '127.0.0.1');
  const ask = (server: () => Server, headers: Record<string, string>) => send('GET', EVENTS, at(server()), headers);
  const rows = Object.entries(HEADERS).map(([name, { value, refused }]) => [name, { [`x-understudy-${name}`]: value }, refused] as const);

  test.each(rows)('X-Understudy-%s needs the token where one is needed, or has no effect', async (_name, sent, refused) => {
    const [plain, without] = [await ask(shared, {}), await ask(shared, sent)];
    expect(without.status).toBe(refused ?? 200);
    if (refused === null) expect(without.text).toBe(plain.text);
    expect((await ask(shared, { ...sent, ...AS_TESTER })).status).toBe(200);
  });

  const strangers: [string, Record<string, string>][] = [
    ['another host', { host: 'evil.example' }],
    ['another host that states its own', { host: 'evil.example', 'x-forwarded-host': 'localhost' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ];
  test.each(strangers)('those that steer are not for %s, without a token', async (_who, headers) => {
    for (const [name, sent, refused] of rows)
      expect([name, (await ask(local, { ...headers, ...sent })).status]).toEqual([name, refused === 401 ? 403 : (refused ?? 200)]);
  });

  test('all are for programs on this machine', async () => {
    for (const [name, sent] of rows) expect([name, (await ask(local, sent)).status]).toEqual([name, 200]);
  });

  test('an expired session is not revived', async () => {
    const client = new Browser(() => ({ url: at(shared()) }));
    const from = shared().site.clock.now();
    await client.logIn('admin');
    const nonce = await client.nonce();
    shared().setClock(from + 3 * 86_400_000);
    const me = (headers: Record<string, string>) =>
      client.visit('/wp-json/wp/v2/users/me', {
        headers: { 'x-wp-nonce': nonce, 'x-understudy-now': new Date(from).toISOString(), ...headers },
      });
    expect([(await me({})).status, (await me(AS_TESTER)).status]).toEqual([401, 200]);
    expect(JSON.parse((await me({})).text)).toMatchObject({ code: 'understudy_token_needed' });
  });
});
