import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { proxy as proxyCommand } from '../../src/cli/commands/proxy.js';
import { LinkExchange } from '../../src/server/proxy/links.js';
import { Upstream } from '../../src/server/proxy/upstream.js';
import type { JournalEntry } from '../../src/sdk/types/qa.js';
import { WORLD } from '../support/api.js';
import { http, type HttpResponse } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { LEAKS, PIXEL, startPluginSite, type PluginSite } from './plugin-site.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-proxy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = await startPluginSite();
afterAll(() => site.close());

const NOW = '2026-06-15T12:00:00Z';
const THINGS = '/wp-json/acme/v1/things';
const cassette = path.join(folder, 'cassette');
const common = { dataset: WORLD, logLevel: 'error', proxy: site.url, cassette, now: NOW } as const;

const files = (): string[] => readdirSync(cassette).sort();
const stored = (
  prefix: string,
): { request: { query?: string; body?: string }; response: { headers: Record<string, string>; json: unknown } } => {
  const file = files().find((name) => name.startsWith(prefix) && name.endsWith('.json') && !name.includes('.body.'));
  return JSON.parse(readFileSync(path.join(cassette, file ?? 'none'), 'utf8')) as ReturnType<typeof stored>;
};

type Ask = (path: string, headers?: Record<string, string>, method?: string, body?: string) => Promise<HttpResponse>;
const asking =
  (server: () => { url: string }): Ask =>
  (route, headers = {}, method = 'GET', body) =>
    http(method, `${server().url}${route}`, headers, body);

/** The requests that the site receives during some work. */
async function seenBy(of: PluginSite, work: () => Promise<unknown>): Promise<PluginSite['seen']> {
  const before = of.seen.length;
  await work();
  return of.seen.slice(before);
}

describe('auto', () => {
  const server = startTestServer(common);
  const ask = asking(server);

  test('forwards the route of another plugin once, then replays it', async () => {
    const seen = await seenBy(site, async () => {
      const [first, second] = [await ask(`${THINGS}?b=2&a=1`), await ask(`${THINGS}?a=1&b=2`)];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect([first, second].map(({ headers }) => headers.get('x-understudy-proxy'))).toEqual(['forwarded', 'replayed']);
      expect(first.headers.get('content-type')).toBe('application/json; charset=UTF-8');
      expect(first.headers.get('x-wp-total')).toBe('2');
      expect(first.headers.get('link')).toBe(`<${server().url}${THINGS}?page=2>; rel="next"`);
      expect(second.headers.get('link')).toBe(first.headers.get('link'));
      const { things } = JSON.parse(second.text) as { things: { link: string; name?: string }[] };
      expect(things).toEqual((JSON.parse(first.text) as { things: object[] }).things);
      expect(things[0]).toMatchObject({ link: `${server().url}/things/one/`, name: 'Größe' });
      expect(second.text).toContain(`${server().url}/things/one/`.replaceAll('/', '\\/'));
    });
    expect(seen.map(({ url }) => url)).toEqual([`${THINGS}?b=2&a=1`]);
  });

  test('what the site has responded becomes a stub, and then responds without it', async () => {
    const route = `${THINGS}?recorded=1`;
    const first = await ask(route);
    const { entries } = JSON.parse((await ask('/__qa/journal?limit=1&brief=true')).text) as { entries: JournalEntry[] };
    const body = JSON.stringify({ from: entries[0].id });
    const { id } = JSON.parse((await ask('/__qa/stubs', {}, 'POST', body)).text) as { id: number };
    const stubbed = await ask(route);
    // The journal, which it is made from, does not have the secrets.
    const { settings, ...rest } = JSON.parse(first.text) as { settings: object };
    const masked = { ...settings, api_key: '***', nonce: '***', password: '***' };
    expect([stubbed.status, JSON.parse(stubbed.text)]).toEqual([200, { ...rest, settings: masked }]);
    expect(['content-type', 'x-wp-total', 'link'].map((name) => stubbed.headers.get(name))).toEqual(
      ['content-type', 'x-wp-total', 'link'].map((name) => first.headers.get(name)),
    );
    expect([first.headers.get('x-understudy-proxy'), stubbed.headers.get('x-understudy-proxy')]).toEqual(['forwarded', null]);
    await ask(`/__qa/stubs/${id}`, {}, 'DELETE');
    expect((await ask(route)).headers.get('x-understudy-proxy')).toBe('replayed');
  });

  test('what the server holds is never forwarded', async () => {
    const seen = await seenBy(site, async () => {
      for (const route of ['/wp-json/tribe/events/v1/events', '/wp-json/wp/v2/posts', '/wp-json/', '/events/', '/wp-login.php'])
        expect([route, (await ask(route)).status]).toEqual([route, 200]);
      expect((await ask('/wp-json/tribe/events/v1/events/99999999')).status).toBe(404);
    });
    expect(seen).toEqual([]);
  });

  test('equal requests at the same time are one request to the site', async () => {
    const seen = await seenBy(site, () => Promise.all([1, 2, 3].map(() => ask(`${THINGS}?at=once`))));
    expect(seen).toHaveLength(1);
  });

  test('credentials, cookies and addresses of the client stay here', async () => {
    const [seen] = await seenBy(site, () =>
      ask(`${THINGS}?private`, {
        authorization: 'Basic letmein',
        cookie: 'session=letmein',
        'x-wp-nonce': 'letmein',
        'x-forwarded-for': '10.0.0.1',
        referer: 'http://intranet/',
        'x-custom': 'kept',
      }),
    );
    expect(JSON.stringify(seen.headers)).not.toMatch(/letmein|10\.0\.0\.1|intranet/);
    expect(seen.headers).toMatchObject({ 'x-custom': 'kept', 'user-agent': 'wp-understudy (proxy)' });
  });

  test('pages, with links of every spelling to this server', async () => {
    const { status, text, headers } = await ask('/about/');
    expect(status).toBe(200);
    const { url } = server();
    for (const link of [`"${url}/wp-content/themes/acme/style.css"`, `"${url.replace('http:', '')}/contact/"`, url.replaceAll('/', '\\/')])
      expect(text).toContain(link);
    expect(text).not.toContain(site.url.replace('http:', ''));
    expect(text).toContain('https://elsewhere.example/');
    expect(text).toContain('Über uns');
    expect(headers.get('content-security-policy')).toBeNull();
    expect(headers.get('content-encoding')).toBeNull();
    const again = await ask('/about/');
    expect(again.text.replaceAll('***', '')).toBe(text.replaceAll(/f00dfeed42|tok_9a8b7c6d5e/g, ''));
  });

  test('files, byte for byte, with 304 and HEAD', async () => {
    const route = '/wp-content/uploads/acme/pixel.png';
    for (const source of ['forwarded', 'replayed']) {
      const response = await fetch(`${server().url}${route}`);
      expect([source, response.headers.get('content-type')]).toEqual([response.headers.get('x-understudy-proxy'), 'image/png']);
      expect(Buffer.from(await response.arrayBuffer()).equals(PIXEL)).toBe(true);
    }
    const head = await ask(route, {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('x-understudy-proxy')]).toEqual([200, '', 'replayed']);
    const unchanged = await ask('/about/', { 'if-none-match': '"about-1"' });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });

  test('compressed for clients that accept it', async () => {
    const server2 = await fetch(`${server().url}/about/`, { headers: { 'accept-encoding': 'gzip' } });
    expect(await server2.text()).toContain('Über uns');
  });

  test('redirects are passed on, those within the site to this server', async () => {
    expect((await ask('/old/')).headers.get('location')).toBe(`${server().url}/about/`);
    expect((await ask('/away/')).headers.get('location')).toBe('http://elsewhere.example/');
    expect((await ask('/old/')).status).toBe(301);
  });

  test('a page whose address begins like that of an event is the page of the site', async () => {
    const { events } = JSON.parse((await ask('/wp-json/tribe/events/v1/events?per_page=1')).text) as { events: { slug: string }[] };
    const seen = await seenBy(site, () => ask(`/${events[0].slug.slice(0, 6)}/`));
    expect(seen).toHaveLength(1);
  });

  test('routes that are only listed here', async () => {
    const seen = await seenBy(site, () => ask('/wp-json/wp/v2/widgets'));
    expect(seen.map(({ url }) => url)).toEqual(['/wp-json/wp/v2/widgets']);
  });

  test('scripts in pages of the site send its nonce', async () => {
    for (const route of [`${THINGS}?nonced`, '/wp-json/tribe/events/v1/events'])
      expect([route, (await ask(route, { 'x-wp-nonce': 'f00dfeed42' })).status]).toEqual([route, 200]);
  });

  test('a missing page of the site is its 404', async () => {
    const { status, text } = await ask('/no-such-page/');
    expect([status, text]).toEqual([404, 'No such page here']);
  });

  test('the frozen clock dates responses', async () => {
    for (const route of [THINGS, '/about/']) expect((await ask(route)).headers.get('date')).toBe('Mon, 15 Jun 2026 12:00:00 GMT');
  });

  test('only requests that read are forwarded', async () => {
    const seen = await seenBy(site, async () => {
      const refused = [
        await ask('/wp-json/acme/v1/orders', { 'content-type': 'application/json' }, 'POST', '{"thing":1}'),
        await ask(`${THINGS}/1`, {}, 'DELETE'),
        await ask(`${THINGS}/1?_method=DELETE`),
        await ask(`${THINGS}/1`, { 'x-http-method-override': 'PUT' }),
        await ask('//wp-cron.php'),
        await ask('/wp%2dcron.php?doing'),
        await ask('/blog/XMLRPC.php'),
      ];
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
      expect(JSON.parse(refused[0].text)).toMatchObject({
        code: 'understudy_proxy_read_only',
        message: expect.stringContaining('POST /wp-json/acme/v1/orders may change') as string,
      });
      // This server has the file itself.
      expect((await ask('/wp-cron.php')).status).toBe(200);
    });
    expect(seen).toEqual([]);
  });

  test('no other host than the site is asked', async () => {
    for (const route of ['//elsewhere.example/x', '/@elsewhere.example/', '/../../dots', '/%2e%2e/encoded']) {
      const seen = await seenBy(site, () => ask(route));
      expect([route, seen.length]).toEqual([route, 1]);
    }
  });

  test('errors of the site are passed on, but not stored', async () => {
    site.next = (_request, response) => response.writeHead(503, { 'retry-after': '5' }).end('Later');
    const busy = await ask(`${THINGS}?busy`);
    expect([busy.status, busy.headers.get('retry-after'), busy.text]).toEqual([503, '5', 'Later']);
    expect((await ask(`${THINGS}?busy`)).status).toBe(200);
    site.next = (request) => request.socket.destroy();
    const broken = await ask(`${THINGS}?broken`);
    expect([broken.status, JSON.parse(broken.text)]).toEqual([
      502,
      expect.objectContaining({ code: 'understudy_proxy_failed', message: expect.stringContaining('the connection was closed') as string }),
    ]);
  });

  test('other origins may read what they may read of WordPress', async () => {
    const { headers } = await ask(THINGS, { origin: 'http://localhost:3000' });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    const preflight = await ask(THINGS, { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:3000']);
    expect((await ask('/about/', { origin: 'http://localhost:3000' })).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('faults apply, and the journal shows what was forwarded and replayed', async () => {
    await http('DELETE', `${server().url}/__qa/journal`);
    await ask(`${THINGS}?journal`);
    await ask(`${THINGS}?journal`);
    const rule = JSON.stringify({ match: { path: '/acme/**' }, times: 1, effect: { status: 503 } });
    await http('POST', `${server().url}/__qa/faults`, { 'content-type': 'application/json' }, rule);
    expect((await ask(`${THINGS}?journal`)).status).toBe(503);
    await ask('/wp-json/tribe/events/v1/events');
    const { entries } = JSON.parse((await http('GET', `${server().url}/__qa/journal`)).text) as { entries: JournalEntry[] };
    expect(entries.map(({ status, proxied }) => [status, proxied])).toEqual([
      [200, 'forwarded'],
      [200, 'replayed'],
      [503, undefined],
      [200, undefined],
    ]);
  });

  test('links of a sandbox lead to the sandbox', async () => {
    const { text } = await ask(`/__sandbox/w1${THINGS}?sandbox`);
    expect(text).toContain(`${server().url}/__sandbox/w1/things/one/`.replaceAll('/', '\\/'));
  });

  test('no secret is in the cassette, and nothing names this server or the site', () => {
    const contents = files().map((name) => [name, readFileSync(path.join(cassette, name), 'latin1')] as const);
    expect(contents.length).toBeGreaterThan(10);
    const hosts = [site.url, server().url].map((url) => url.replace('http://', ''));
    for (const [name, text] of contents)
      for (const leak of [...LEAKS, ...hosts]) expect([name, leak, text.includes(leak)]).toEqual([name, leak, false]);
  });

  test('the cassette is readable', () => {
    const { request, response } = stored('get-wp-json-acme-v1-things-a-1-b-2');
    expect(request).toEqual({ method: 'GET', path: THINGS, query: 'a=1&b=2' });
    expect(response.json).toMatchObject({
      things: [{ id: 1, link: 'https://site.invalid/things/one/', price: 1.5, name: 'Größe' }, { id: 2 }],
      settings: { nonce: '***', api_key: '***', password: '***', secretary: 'Ada', root: 'https://site.invalid/wp-json/' },
    });
    expect(Object.keys(response.headers).sort()).toEqual(['content-type', 'link', 'x-wp-total']);
    expect(files().filter((name) => name.startsWith('get-about'))).toEqual([
      expect.stringMatching(/^get-about-[\da-f]{12}\.body\.html$/),
      expect.stringMatching(/^get-about-[\da-f]{12}\.json$/),
    ]);
  });
});

describe('replay', () => {
  const server = startTestServer({ ...common, proxy: site.url, proxyMode: 'replay' });
  const ask = asking(server);

  test('never asks, and holds under another address', async () => {
    const seen = await seenBy(site, async () => {
      const { status, text } = await ask(`${THINGS}?a=1&b=2`);
      expect(status).toBe(200);
      expect(text).toContain(`${server().url}/things/one/`.replaceAll('/', '\\/'));
      expect((await ask('/about/')).text).toContain(`${server().url}/wp-content/themes/acme/style.css`);
    });
    expect(seen).toEqual([]);
  });

  test('names the request and the cassette if nothing is stored', async () => {
    const { status, text } = await ask(`${THINGS}?page=3&token=letmein`);
    expect(status).toBe(502);
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    expect(code).toBe('understudy_not_recorded');
    expect(message).toContain(
      `GET ${THINGS}?page=3&token=*** is not in the cassette ${cassette} (get-wp-json-acme-v1-things-page-3-token-`,
    );
  });

  test('a cassette can be edited, and says what is wrong with it', async () => {
    const name = files().find((each) => each.startsWith('get-wp-json-acme-v1-things-at-once')) ?? '';
    const file = path.join(cassette, name);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('"secretary": "Ada"', '"secretary": "Grace"'));
    expect((await ask(`${THINGS}?at=once`)).text).toContain('"secretary":"Grace"');
    writeFileSync(file, before.slice(0, 40));
    const broken = await ask(`${THINGS}?at=once`);
    expect([broken.status, broken.text]).toEqual([502, expect.stringContaining(`${name} is not valid JSON`)]);
    writeFileSync(file, before);
  });
});

describe('record and passthrough', () => {
  const recording = startTestServer({ ...common, proxyMode: 'record', proxyPaths: ['/wp-json/tribe/**', '/about/', '/wp-login.php'] });
  const other = path.join(folder, 'nothing');
  const passing = startTestServer({ ...common, cassette: other, proxyMode: 'passthrough' });

  test('record always asks', async () => {
    const seen = await seenBy(site, async () => {
      for (const source of ['forwarded', 'forwarded'])
        expect((await asking(recording)(`${THINGS}?a=1&b=2`)).headers.get('x-understudy-proxy')).toBe(source);
    });
    expect(seen).toHaveLength(2);
  });

  test('paths can be taken from the site even if this server has them', async () => {
    const seen = await seenBy(site, async () => {
      expect((await asking(recording)('/wp-json/tribe/events/v1/events')).text).toBe('No such page here');
      expect((await asking(recording)('/wp-json/calendar/events/v1/events')).status).toBe(200);
      expect((await asking(recording)('/wp-login.php')).status).toBe(200);
    });
    expect(seen.map(({ url }) => url)).toEqual(['/wp-json/tribe/events/v1/events']);
  });

  test('passthrough stores nothing', async () => {
    for (const source of ['forwarded', 'forwarded']) expect((await asking(passing)(THINGS)).headers.get('x-understudy-proxy')).toBe(source);
    expect(existsSync(other)).toBe(false);
  });
});

describe('with writes and a login', () => {
  const own = path.join(folder, 'writes');
  const server = startTestServer({
    ...common,
    cassette: own,
    proxyAllowWrites: true,
    proxyLogin: 'anna',
    proxyPassword: 'letmein letmein',
  });
  const ask = asking(server);
  const ORDERS = '/wp-json/acme/v1/orders';
  const order = (nonce: string, quantity: number): string =>
    JSON.stringify({ quantity, nonce, back: `${server().url}/thanks/`, password: 'letmein' });

  test('a POST is forwarded and replayed by its body, whatever its nonce', async () => {
    const seen = await seenBy(site, async () => {
      const post = (nonce: string, quantity: number): Promise<HttpResponse> =>
        ask(ORDERS, { 'content-type': 'application/json' }, 'POST', order(nonce, quantity));
      const answers = [await post('f00dfeed42', 1), await post('0000000000', 1), await post('f00dfeed42', 2)];
      expect(answers.map(({ status, headers }) => [status, headers.get('x-understudy-proxy'), headers.get('location')])).toEqual([
        [201, 'forwarded', `${server().url}${ORDERS}/7`],
        [201, 'replayed', `${server().url}${ORDERS}/7`],
        [201, 'forwarded', `${server().url}${ORDERS}/7`],
      ]);
    });
    expect(seen.map(({ body }) => body)).toEqual([1, 2].map((quantity) => order('f00dfeed42', quantity).replace(server().url, site.url)));
    expect(seen[0].headers.authorization).toBe(`Basic ${Buffer.from('anna:letmein letmein').toString('base64')}`);
  });

  test('a form with files is recognized whatever its boundary', async () => {
    const sources: (string | null)[] = [];
    for (let i = 0; i < 2; i += 1) {
      const form = new FormData();
      form.set('token', 'tok_9a8b7c6d5e');
      form.set('file', new Blob([PIXEL]), 'pixel.png');
      sources.push((await fetch(`${server().url}${ORDERS}`, { method: 'POST', body: form })).headers.get('x-understudy-proxy'));
    }
    expect(sources).toEqual(['forwarded', 'replayed']);
  });

  test('neither the login nor the secrets of bodies are stored', async () => {
    await ask(THINGS);
    for (const name of readdirSync(own)) {
      const text = readFileSync(path.join(own, name), 'latin1');
      for (const leak of LEAKS) expect([name, leak, text.includes(leak)]).toEqual([name, leak, false]);
    }
    expect(readdirSync(own)).toHaveLength(4);
  });
});

describe('the site', () => {
  const base = { method: 'GET', query: '', headers: {}, body: Buffer.alloc(0), ownUrl: 'http://here.test' };

  test('in a folder is asked below its folder, once', async () => {
    const inFolder = await startPluginSite('/blog');
    const upstream = new Upstream({ url: inFolder.url, timeoutMs: 5000 });
    for (const route of ['/about/', '/blog/about/']) expect((await upstream.ask({ ...base, path: route })).status).toBe(200);
    for (const route of ['/../x/', '/%2e%2e/x/'])
      await expect(upstream.ask({ ...base, path: route })).rejects.toMatchObject({ status: 400, code: 'understudy_proxy_invalid_path' });
    await inFolder.close();
    const links = new LinkExchange('https://example.org/blog');
    expect(links.store('https://example.org/blog/x https://example.org/other/x')).toBe(
      'https://site.invalid/x https://example.org/other/x',
    );
  });

  test('is asked at another name of it, if it redirects there', async () => {
    const asked: string[] = [];
    const moves: Record<string, string> = {
      'http://example.org/a/?x=1': 'https://example.org/a/?x=1',
      'https://example.org/a/?x=1': 'https://www.example.org/a/?x=1',
      'https://www.example.org/b/': 'https://www.example.org/c/',
      'https://www.example.org/d/': 'https://example.com/d/',
      'https://www.example.org/e/': 'http://www.example.org/e/',
    };
    const upstream = new Upstream({
      url: 'http://example.org',
      timeoutMs: 5000,
      fetch: (input) => {
        const url = input as string;
        asked.push(url);
        const location = moves[url];
        return Promise.resolve(new Response('Here', location === undefined ? {} : { status: 301, headers: { location } }));
      },
    });
    expect(await upstream.ask({ ...base, path: '/a/', query: 'x=1' })).toMatchObject({ status: 200 });
    expect(asked).toEqual(['http://example.org/a/?x=1', 'https://example.org/a/?x=1', 'https://www.example.org/a/?x=1']);
    // Later requests go directly to the new origin. Redirects to another path or site are returned to the client.
    for (const [route, target] of [
      ['/b/', 'https://www.example.org/c/'],
      ['/d/', 'https://example.com/d/'],
    ]) {
      expect(await upstream.ask({ ...base, path: route })).toMatchObject({ status: 301, headers: { location: target } });
    }
    await expect(upstream.ask({ ...base, path: '/e/' })).rejects.toMatchObject({ code: 'understudy_proxy_insecure' });
    expect(asked.slice(3)).toEqual(['b', 'd', 'e'].map((name) => `https://www.example.org/${name}/`));
  });

  test('that does not respond in time', async () => {
    site.next = () => undefined;
    const upstream = new Upstream({ url: site.url, timeoutMs: 50 });
    await expect(upstream.ask({ ...base, path: '/slow/' })).rejects.toMatchObject({
      status: 504,
      message: expect.stringContaining('no response within 0.05 seconds') as string,
    });
  });

  test('that is this server', async () => {
    const upstream = new Upstream({ url: site.url, timeoutMs: 5000 });
    await expect(upstream.ask({ ...base, path: '/', headers: { 'x-understudy-proxy': '1' } })).rejects.toMatchObject({ status: 508 });
  });
});

describe('the command', () => {
  test.each([
    ['', 'Usage: understudy proxy URL'],
    ['ftp://example.org', 'invalid URL ftp://example.org'],
    ['https://example.org --mode often', '--mode must be one of auto, record, replay, passthrough'],
    ['https://example.org --password-env NO_SUCH_VARIABLE_HERE', 'NO_SUCH_VARIABLE_HERE is not set'],
    ['https://example.org?x=1', 'proxy must be the http(s) URL of a site, without query'],
    ['https://example.org --login anna --ephemeral --port 0', '--proxy-login and --proxy-password must be used together'],
  ])('%s: %s', async (line, problem) => {
    await expect(proxyCommand.run(line === '' ? [] : line.split(' '))).rejects.toThrow(problem);
  });
});
