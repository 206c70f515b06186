import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createServer, preview, resolveConfig, type PreviewServer, type ViteDevServer } from 'vite';
import { isFromHere } from '../../src/sdk/testing/browser/forward.js';
import { calendarPaths, understudy, type UnderstudyPluginOptions } from '../../src/sdk/testing/browser/vite.js';
import { testEnvironment } from '../support/environment.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

const TOKEN = 'behind-the-dev-server';
const server = startTestServer({ url: 'request', trustProxy: true, qaToken: TOKEN });

testEnvironment(() => ({ UNDERSTUDY_URL: server().url, UNDERSTUDY_QA_TOKEN: TOKEN }));

const root = mkdtempSync(path.join(os.tmpdir(), 'understudy-vite-'));
const file = path.join(root, 'calendar.json');
const write = (...titles: string[]): void =>
  writeFileSync(file, JSON.stringify({ events: titles.map((title) => ({ title, start: '+1d 20:00', duration: '1h' })) }));

beforeAll(() => {
  write('One');
  writeFileSync(path.join(root, 'index.html'), '<h1>The site</h1>');
});
afterAll(() => rmSync(root, { recursive: true }));

const EVENTS = '/wp-json/tribe/events/v1/events';

interface List {
  events: { title: string }[];
  rest_url: string;
}

const settings = (options: UnderstudyPluginOptions) => ({
  configFile: false as const,
  root,
  logLevel: 'silent' as const,
  plugins: [understudy(options)],
});

/** Requests of pages of other sites, of which some are sent to a name that now resolves to this machine, and of other machines. */
const FOREIGN: Record<string, string>[] = [
  { origin: 'https://elsewhere.example.org' },
  { origin: 'http://localhost:1' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { host: '192.0.2.7:5173' },
  { host: '192.0.2.7:5173', 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' },
];

const originOf = ({ resolvedUrls }: ViteDevServer | PreviewServer): string => new URL(resolvedUrls?.local[0] ?? '').origin;

describe('with a dev server', () => {
  let vite: ViteDevServer;
  let origin: string;
  beforeAll(async () => {
    vite = await createServer({
      ...settings({ dataset: file, now: '2026-06-15T12:00:00Z', paths: ['/events/**'] }),
      server: { host: '127.0.0.1', port: 0 },
    });
    await vite.listen();
    origin = originOf(vite);
  });
  afterAll(() => vite.close());

  const list = async (): Promise<List> => (await fetch(`${origin}${EVENTS}`)).json() as Promise<List>;
  const titles = async (): Promise<string[]> => (await list()).events.map(({ title }) => title);
  const control = (method: string, route: string, body: object = {}): Promise<Response> =>
    fetch(`${origin}/__qa${route}`, { method, body: JSON.stringify(body), headers: { Origin: origin } });

  test('the calendar is at its origin, and links have that origin', async () => {
    expect(await list()).toMatchObject({ events: [{ title: 'One' }], rest_url: expect.stringContaining(`${origin}${EVENTS}/`) });
  });

  test.each([
    ['/', 'The site'],
    ['/events/?ical=1', 'BEGIN:VCALENDAR'],
    ['/events/', 'One'],
    ['/feed/', '<rss'],
    ['/?rest_route=/tribe/events/v1/events', '"title":"One"'],
    ['/__qa/ui', '<html'],
  ])('%s shows %s', async (url, text) => {
    expect(await (await fetch(`${origin}${url}`)).text()).toContain(text);
  });

  test('pages control the calendar, those of other sites do not', async () => {
    expect((await control('PUT', '/clock', { advance: '3 days' })).status).toBe(200);
    expect(await titles()).toEqual([]);
    for (const headers of FOREIGN) expect([headers, (await http('POST', `${origin}/__qa/reset`, headers)).status]).toEqual([headers, 401]);
    expect((await control('POST', '/reset')).status).toBe(200);
    expect(await titles()).toEqual(['One']);
  });

  test('a dropped connection is dropped for the page', async () => {
    await control('POST', '/faults', { match: { path: '**/events' }, effect: { drop: 'before' } });
    await expect(fetch(`${origin}${EVENTS}`)).rejects.toThrow(TypeError);
    await control('DELETE', '/faults');
  });

  test('a changed dataset is loaded, then pages reload; an invalid one is reported until it is corrected', async () => {
    const sent: string[] = [];
    const send: (message: { type: string }) => void = vite.ws.send.bind(vite.ws);
    const reloaded = (): Promise<void> =>
      new Promise((resolve) => {
        vite.ws.send = (message: { type: string }) => {
          sent.push(message.type);
          send(message);
          resolve();
        };
      });
    const logged = new Promise<string>((resolve) => (vite.config.logger.error = resolve));

    // Vite takes no notice of what changes before it has looked at the folder for the first time, nor of a second change in the same moment.
    const invalid = (): void => writeFileSync(file, '{\n  "events": [{ "titel": "One" }]\n}');
    const writing = setInterval(invalid, 2_000);
    invalid();
    expect(await logged).toContain('calendar.json: 2 problems\n  line 2:');
    clearInterval(writing);
    const failed = await fetch(`${origin}${EVENTS}`);
    expect([failed.status, await failed.json()]).toMatchObject([
      502,
      { message: expect.stringContaining('calendar.json: 2 problems\n  line 2:') },
    ]);

    const loaded = reloaded();
    const correcting = setInterval(() => write('One', 'Two'), 2_000);
    write('One', 'Two');
    await loaded;
    clearInterval(correcting);
    expect([await titles(), sent]).toEqual([['One', 'Two'], ['full-reload']]);
    write('One');
  });
});

test('vite preview has the calendar, too', async () => {
  const shown = await preview({
    ...settings({ dataset: { events: [{ title: 'Shown', start: '+1d 20:00', duration: '1h' }] } }),
    build: { outDir: '.' },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const { events } = (await (await fetch(`${originOf(shown)}${EVENTS}`)).json()) as List;
  await shown.close();
  expect(events).toMatchObject([{ title: 'Shown' }]);
});

test.each(['serve', 'build'] as const)('the plugin takes part in vite %s', async (command) => {
  const { plugins } = await resolveConfig(settings({}), command);
  expect(plugins.some(({ name }) => name === 'understudy')).toBe(command === 'serve');
});

test('a server that does not run is reported', async () => {
  const vite = await createServer({ ...settings({ url: 'http://127.0.0.1:1' }), server: { host: '127.0.0.1', port: 0 } });
  await vite.listen();
  const response = await fetch(`${originOf(vite)}${EVENTS}`);
  await vite.close();
  expect([response.status, await response.json()]).toMatchObject([502, { message: expect.stringContaining('127.0.0.1:1') }]);
});

test('a misspelt option is reported', () => {
  expect(() => understudy({ datset: 'x' } as UnderstudyPluginOptions)).toThrow('Did you mean "dataset"?');
});

test.each<[string, Record<string, string>, string, boolean]>([
  ['a page of the dev server', { host: 'localhost:5173', origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' }, '::1', true],
  ['the same over HTTP/2', { ':authority': 'localhost:5173', origin: 'https://localhost:5173' }, '127.0.0.1', true],
  ['a program', { host: '127.0.0.1:5173' }, '::ffff:127.0.0.1', true],
  ['another machine', { host: 'localhost:5173' }, '192.0.2.7', false],
  ['a page at another name', { host: 'evil.example:5173', origin: 'http://evil.example:5173' }, '127.0.0.1', false],
  ['another page', { host: 'localhost:5173', origin: 'http://localhost:1' }, '127.0.0.1', false],
  ['an image of another site', { host: 'localhost:5173', 'sec-fetch-site': 'cross-site' }, '127.0.0.1', false],
])('whether %s controls the calendar', (_who, headers, remoteAddress, expected) => {
  expect(isFromHere({ headers, socket: { remoteAddress } as Socket })).toBe(expected);
});

test.each([
  ['/wp-json', true],
  ['/wp-json/tribe/events/v1/events?page=2', true],
  ['/wp-content/uploads/2026/06/a.png', true],
  ['/wp-content/themes/site/style.css', false],
  ['/__qa', true],
  ['/__sandbox/a/wp-json/', true],
  ['/events/feed/', true],
  ['/events/feed/atom/', true],
  ['/feed', false],
  ['/src/feed/index.ts', false],
  ['/wp-jsonp', false],
  ['/events/', false],
  ['/events/?ical=1', true],
  ['/?ical=', true],
  ['/@vite/client', false],
])('whether %s is for the calendar: %s', (url, isOwn) => {
  expect(calendarPaths()(url)).toBe(isOwn);
});

test('further paths', () => {
  expect(['/events/', '/venue/x/', '/about/'].map(calendarPaths(['/events/**', '/venue/*']))).toEqual([true, true, false]);
});
