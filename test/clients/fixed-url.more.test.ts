import { jest } from '@jest/globals';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Understudy, type UnderstudyOptions } from '../../src/sdk/testing/jest.js';
import { understudyFixtures, type ContextFixture } from '../../src/sdk/testing/playwright.js';
import { testEnvironment } from '../support/environment.js';
import { finishedTest, runByHand } from '../support/helpers.js';
import { startTestServer } from '../support/server.js';

const PASSWORD = 'a-password-of-24-letters';
const TOKEN = 'for-the-tests-only';
const NOW = '2026-06-15T12:00:00.000Z';
const dataset = { events: [{ title: 'Open Stage', start: '+1d 20:00', duration: '3h' }] };
const EVENTS = '/wp-json/tribe/events/v1/events';

const server = startTestServer({ adminPassword: PASSWORD });
const guarded = startTestServer({ host: '0.0.0.0', qaToken: TOKEN });
const beyond = startTestServer({ host: '0.0.0.0' });
const off = startTestServer({ qa: false });

testEnvironment(() => ({ UNDERSTUDY_ADMIN_PASSWORD: PASSWORD, JEST_WORKER_ID: '1' }));

const urlOf = (of: typeof server): string => of().url.replace('localhost', '127.0.0.1');

const running: (() => void)[] = [];
afterAll(() => running.forEach((stop) => stop()));

async function listen(listener: RequestListener): Promise<string> {
  const listening = createServer(listener).listen(0, '127.0.0.1');
  running.push(() => (listening.closeAllConnections(), listening.close()));
  await new Promise((resolve) => listening.once('listening', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

/**
 * A server-rendered site that was built with a single calendar URL. It caches responses by header.
 * @param passedOn headers that it copies to its own requests
 */
function startSite(...passedOn: string[]): Promise<string> {
  const cache = new Map<string, Promise<string>>();
  const titles = async (headers: Record<string, string>): Promise<string> => {
    const { events } = (await (await fetch(urlOf(server) + EVENTS, { headers })).json()) as { events: { title: string }[] };
    return events.map(({ title }) => title).join();
  };
  return listen((request, response) => {
    const headers = Object.fromEntries(
      passedOn.flatMap((name) => [[name, request.headers[name] ?? []].flat()].filter(([, value]) => value)),
    );
    const key = JSON.stringify(headers);
    const found = cache.get(key) ?? titles(headers);
    if (key !== '{}') cache.set(key, found);
    void found.then((text) => response.end(text));
  });
}

const visit = async (site: string, headers: Record<string, string> = {}): Promise<string> => (await fetch(site, { headers })).text();

const cookieHeader = ({ cookies }: Understudy): Record<string, string> => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
});

describe('a site with one URL for its calendar', () => {
  test.each([
    ['the header', 'x-understudy-sandbox', ({ headers }: Understudy) => headers],
    ['cookies', 'cookie', cookieHeader],
  ])('that passes %s on shows each test its own calendar', async (_, name, selecting) => {
    const site = await startSite(name);
    const all = ['One', 'Two'].map((title) =>
      runByHand({ url: `${urlOf(server)}/`, dataset: { events: [{ title, start: '+1d 20:00', duration: '1h' }] }, now: NOW, strict: true }),
    );
    const seen = all.map(async ({ understudy, run }) => {
      const titles: string[] = [];
      for (const advance of ['0 days', '3 days', '0 days'])
        await run(async () => {
          await understudy.clock.advance(advance);
          titles.push(await visit(site, selecting(understudy)));
          await understudy.journal.expect({ path: '**/events', count: 1 });
        });
      return titles;
    });
    expect(await Promise.all(seen)).toEqual([
      ['One', '', 'One'],
      ['Two', '', 'Two'],
    ]);
    expect(all[0].understudy.url).toBe(`${urlOf(server)}/__sandbox/${all[0].understudy.name}`);
    expect(all.flatMap(({ reports }) => reports)).toEqual([]);
    for (const { end } of all) await end();
  });

  test('that passes nothing on fails the test', async () => {
    const site = await startSite();
    const { understudy, run, end, reports } = runByHand({ url: urlOf(server), dataset, now: NOW });
    const failed = run(async () => {
      // The helper's requests do not go through the site.
      await understudy.client.events.list();
      await understudy.as('admin', PASSWORD).events.list();
      await visit(site, understudy.headers);
      await visit(site, understudy.headers);
    });
    await expect(failed).rejects
      .toThrow(`The program under test does not pass the sandbox on: 2 requests reached the main site of ${urlOf(server)} instead.
  GET ${EVENTS}
  GET ${EVENTS}
Send understudy.headers or understudy.cookies with each request`);
    expect(reports).toEqual([expect.stringMatching(/events -> 200, \d+ ms, as admin\n {2}The program under test sent nothing here: /)]);
    // The program of the first test uses the sandbox URL. That of the second sends nothing. In the third, the journal was cleared.
    await run(() => Promise.all([fetch(understudy.restUrl), visit(site)]));
    await run(() => understudy.client.events.list());
    await run(async () => {
      await fetch(understudy.restUrl);
      await understudy.journal.clear();
      await understudy.client.events.list();
      await visit(site);
    });
    await end();
  });

  test('that passes nothing on, in a request after the end of the test', async () => {
    const site = await startSite();
    const { run, end } = runByHand({ url: urlOf(server), dataset, now: NOW });
    const nothing = (): Promise<void> => Promise.resolve();
    await run(nothing);
    await visit(site);
    await expect(run(nothing)).rejects.toMatchObject({ name: 'StrayError', requests: [{ url: EVENTS }] });
    await run(nothing);
    await visit(site);
    await expect(end()).rejects.toMatchObject({ name: 'StrayError' });
  });

  test('that passes nothing on: a warning, or nothing', async () => {
    const site = await startSite();
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      for (const stray of ['ignore', 'warn'] as const) {
        const { run, end } = runByHand({ url: urlOf(server), stray });
        await run(() => visit(site));
        await end();
        expect(warn).toHaveBeenCalledTimes(stray === 'warn' ? 1 : 0);
      }
    } finally {
      warn.mockRestore();
    }
  });
});

describe('sandbox: false', () => {
  const options: UnderstudyOptions = {
    dataset,
    now: NOW,
    sandbox: false,
    tecVersion: '6.14.2',
    stubs: [{ match: { path: '/x' }, respond: {} }],
  };

  test('uses the main site, which each test finds reset', async () => {
    const site = await startSite();
    const { understudy, run, end } = runByHand({ ...options, url: urlOf(server), webhooks: ['http://127.0.0.1:9/'] });
    for (let i = 0; i < 2; i += 1)
      await run(async () => {
        expect(await visit(site)).toBe('Open Stage');
        expect(await understudy.journal.entries()).toHaveLength(1);
        expect(await understudy.stubs.list()).toHaveLength(1);
        await understudy.admin.events.create({ title: 'Mine', start_date: '2026-06-15 20:00:00', end_date: '2026-06-15 22:00:00' });
        expect(await visit(site)).toBe('Mine,Open Stage');
        await understudy.faults.profile('maintenance');
      });
    expect([understudy.url, understudy.name, understudy.headers, understudy.cookies]).toEqual([urlOf(server), '', {}, {}]);
    await end();
    const read = async (what: string): Promise<unknown> => (await fetch(`${urlOf(server)}/__qa/${what}`)).json();
    expect(await read('faults')).toMatchObject({ faults: [] });
    expect(await read('webhooks')).toMatchObject({ webhooks: [] });
    expect(await read('stubs')).toEqual({ stubs: [] });
    expect(await visit(site)).toBe('Open Stage');
  });

  test.each<[string, UnderstudyOptions, string, string]>([
    ['a second worker', options, '2', '"sandbox: false" needs a single worker'],
    ['a time without a dataset', { sandbox: false, now: NOW }, '1', '"now" goes with a "dataset"'],
  ])('rejects %s', async (_, given, worker, message) => {
    process.env['JEST_WORKER_ID'] = worker;
    try {
      await expect(Understudy.open({ ...given, url: urlOf(server) })).rejects.toThrow(message);
    } finally {
      process.env['JEST_WORKER_ID'] = '1';
    }
  });
});

describe('errors', () => {
  test.each<[string, UnderstudyOptions, string]>([
    ['another scheme', { url: 'localhost:8080' }, '"url" must start with http:// or https://: "localhost:8080"'],
    [
      'flags of a server',
      { url: 'http://127.0.0.1:1', server: ['--profile', 'tec'] },
      '"server" has options of a server that the tests start',
    ],
    ['a token alone', { token: 'x' }, '"token" goes with "url".'],
    ['the main site of no server', { sandbox: false }, '"sandbox: false" goes with "url"'],
  ])('%s', (_, options, message) => expect(Understudy.open(options)).rejects.toThrow(message));

  const answering = (status: number, body: object | string): Promise<string> =>
    listen((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });

  test.each<[string, () => Promise<UnderstudyOptions>, string]>([
    [
      'nothing listens',
      () => Promise.resolve({ url: 'http://127.0.0.1:1' }),
      'http://127.0.0.1:1 does not respond. Start it, or leave out the option "url" to let the tests start one.',
    ],
    [
      'another program',
      async () => ({ url: await answering(404, '<h1>Not found</h1>') }),
      'has no test API: the status of GET /__qa/health is 404. Either it is another program, or it was started with --no-qa.',
    ],
    ['another program that says yes', async () => ({ url: await answering(200, 'OK') }), 'the status of GET /__qa/health is 200'],
    ['another program with JSON', async () => ({ url: await answering(200, {}) }), 'is another program: GET /__qa/health has no version'],
    [
      'another version',
      async () => ({ url: await answering(200, { understudy: '0.99.0' }) }),
      'is Understudy 0.99.0, and these helpers are 0.1.0. Install the same version on both sides.',
    ],
    ['--no-qa', () => Promise.resolve({ url: urlOf(off) }), 'it was started with --no-qa.'],
    [
      'no test API beyond this machine',
      () => Promise.resolve({ url: urlOf(beyond) }),
      'cannot be used: The test API is off: this server listens beyond this machine or is behind a proxy, and has no token. Turn it on with --qa-token TEXT.',
    ],
    [
      'no token',
      () => Promise.resolve({ url: urlOf(guarded) }),
      'requires the token of its test API. Pass it as the option "token", or set UNDERSTUDY_QA_TOKEN.',
    ],
    ['a wrong token', () => Promise.resolve({ url: urlOf(guarded), token: 'wrong' }), 'rejects the token'],
  ])('%s', async (_, options, message) => {
    await expect(Understudy.open(await options())).rejects.toThrow(message);
  });

  test('the right token opens a sandbox, which its clients use without it', async () => {
    const { understudy, run, end } = runByHand({ url: urlOf(guarded), token: TOKEN, dataset, now: NOW });
    await run(async () => {
      const response = await fetch(urlOf(guarded) + EVENTS, { headers: understudy.headers });
      expect(await response.json()).toMatchObject({ events: [{ title: 'Open Stage' }] });
    });
    await end();
  });
});

describe('Playwright', () => {
  const HEADERS = { accept: '*/*' };

  /** The route handler that the fixture registers in the browser. */
  type Handle = Parameters<Parameters<ContextFixture['context']>[0]['context']['route']>[1];

  test('selects the sandbox in the browser, and fails where the site does not pass it on', async () => {
    const table = understudyFixtures({ url: `${urlOf(server)}/`, dataset, now: NOW });
    const { context: contextFixture } = table as Partial<ContextFixture>;
    const site = await startSite();
    const [worker] = table.understudySandbox;
    const cookies: object[] = [];
    const routes: [RegExp, Handle][] = [];
    const context = {
      addCookies: (added: object[]) => Promise.resolve(void cookies.push(...added)),
      route: (urls: RegExp, handle: Handle) => Promise.resolve(routes.push([urls, handle])),
    };
    const changed = async (url: string): Promise<object[]> => {
      const all: object[] = [];
      const request = () => ({ url: () => url, headers: () => HEADERS });
      for (const [urls, handle] of routes)
        if (urls.test(url)) await handle({ request, fallback: (change) => Promise.resolve(void all.push(change)) });
      return all;
    };
    await worker({}, async (understudySandbox) => {
      const { name } = understudySandbox;
      const test = finishedTest();
      const used = table.understudy(
        { understudySandbox },
        async (understudy) =>
          contextFixture?.({ understudy, context, baseURL: `${site}/en/` }, async () => {
            // A script of the page, whose request reaches the sandbox only through the browser.
            const [{ url }] = (await changed(`${urlOf(server)}${EVENTS}?page=1`)) as [{ url: string }];
            await fetch(url);
            await visit(site);
          }),
        test,
      );
      await expect(used).rejects.toMatchObject({ name: 'StrayError', requests: [{ method: 'GET', url: EVENTS }] });
      expect(test.attached['understudy']).toMatch(/requests:\n {4}GET \S+\?page=1 -> 200, \d+ ms$/);
      expect(cookies).toEqual([urlOf(server), site].map((url) => ({ name: 'understudy_sandbox', value: `${name}.1`, url })));
      expect(await changed(`${site}/events?page=2`)).toEqual([{ headers: { ...HEADERS, 'X-Understudy-Sandbox': `${name}.1` } }]);
      expect(await changed(`${urlOf(server)}${EVENTS}?page=2`)).toEqual([
        { url: `${understudySandbox.restUrl}/tribe/events/v1/events?page=2` },
      ]);
      expect(await changed(`${urlOf(server)}/__sandbox/other/wp-json`)).toEqual([]);
      expect(await changed('https://fonts.example.org/a.woff2')).toEqual([]);
    });
  });
});
