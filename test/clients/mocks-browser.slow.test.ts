import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { Understudy } from '../../src/sdk/testing/jest.js';
import { CHROMIUM } from '../support/chromium.js';
import { testEnvironment } from '../support/environment.js';
import { startTestServer } from '../support/server.js';

/* Helpers beside the mocks of Playwright. The binary of Cypress cannot be had here: `cy.intercept` is of the same kind, in the browser. */

const server = startTestServer({ profile: 'standard', now: '2026-06-15T12:00:00Z' });
testEnvironment(() => ({ UNDERSTUDY_URL: server().url }));

const WEATHER = 'https://weather.example/now';
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-mocks-'));
const har = path.join(folder, 'weather.har');
const headers = [
  { name: 'access-control-allow-origin', value: '*' },
  { name: 'content-type', value: 'application/json' },
];
const bare = { cookies: [], headersSize: -1, bodySize: -1, httpVersion: 'HTTP/1.1' };
const entry = {
  startedDateTime: '2026-06-15T12:00:00Z',
  time: 1,
  cache: {},
  timings: { send: 0, wait: 1, receive: 0 },
  request: { ...bare, method: 'GET', url: WEATHER, headers: [], queryString: [] },
  response: {
    ...{ ...bare, status: 200, statusText: 'OK', headers, redirectURL: '' },
    content: { size: 13, mimeType: 'application/json', text: '{"rain":true}' },
  },
};
writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: [entry] } }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inChromium = CHROMIUM === undefined ? describe.skip : describe;

inChromium('in Chromium, which has to be in one of the usual places', () => {
  let browser: Browser;
  let understudy: Understudy;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    understudy = await Understudy.open();
  }, 60_000);
  beforeEach(async () => {
    await understudy.reset();
    await understudy.seed({ events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h' }] });
    context = await browser.newContext({ bypassCSP: true });
    page = await context.newPage();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await understudy.close();
    await browser.close();
  });

  const ask = (url: string): Promise<unknown> =>
    page.evaluate(
      (at) =>
        fetch(at).then(
          async (response): Promise<unknown> => (response.status === 200 ? response.json() : response.status),
          () => 'refused',
        ),
      url,
    );

  test.each<[string, (target: BrowserContext, calendar: string) => Promise<void>]>([
    [
      'page.route that aborts what it does not know',
      async (target, calendar) => {
        await target.route('**/*', (route) => route.abort());
        await target.route(WEATHER, (route) => route.fulfill({ json: { rain: true }, headers: { 'access-control-allow-origin': '*' } }));
        await target.route(`${calendar}/**`, (route) => route.continue());
      },
    ],
    ['a replayed HAR file that lets other requests pass', (target) => target.routeFromHAR(har, { notFound: 'fallback' })],
  ])('%s', async (_name, mock) => {
    await mock(context, understudy.url);
    await page.goto(`${understudy.url}/`);
    const events = `${understudy.restUrl}/tribe/events/v1/events`;
    expect(await ask(WEATHER)).toEqual({ rain: true });
    expect(await ask(events)).toMatchObject({ events: [{ title: 'Fair' }] });
    await understudy.faults.profile('maintenance');
    expect(await ask(events)).toBe(503);
    await understudy.faults.clear();
    await understudy.seed({ events: [{ title: 'Choir', start: '+1d 10:00', duration: '2h' }] });
    expect(await ask(events)).toMatchObject({ events: [{ title: 'Choir' }] });
    await understudy.journal.expect({ path: '**/events', status: 503, count: 1 });
  });
});
