import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { signIn, WORLD } from '../support/api.js';
import { axeIn, CHROMIUM } from '../support/chromium.js';
import { startTestServer } from '../support/server.js';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, plugins: ['event-tickets'], qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

const inChromium = CHROMIUM === undefined ? describe.skip : describe;

const DESKTOP = { width: 1440, height: 900 };

inChromium('the API explorer in Chromium, which has to be in one of the usual places', () => {
  let browser: Browser;
  let page: Page;
  /** Errors and warnings of the page, and requests to other servers. */
  const complaints: string[] = [];

  const open = async (viewport = DESKTOP, hash = ''): Promise<Page> => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', permissions: ['clipboard-write', 'clipboard-read'] });
    const opened = await context.newPage();
    opened.on('console', (message) => {
      // Requests that are meant to fail.
      if (['error', 'warning'].includes(message.type()) && !/status of 40[013]/.test(message.text())) complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
    opened.on('request', (request) => {
      if (!request.url().startsWith(server().url) && !request.url().startsWith('data:')) complaints.push(request.url());
    });
    await opened.addInitScript(`sessionStorage.setItem('understudy-token', ${JSON.stringify(TOKEN)})`);
    await opened.goto(`${server().url}/__qa/explorer${hash}`);
    await opened.locator('.explorer').waitFor();
    return opened;
  };
  const violations = async (colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (!(await page.evaluate<boolean>('Boolean(window.axe)'))) await page.evaluate(axe.source);
    return page.evaluate<string[]>(axeIn(colorScheme));
  };
  const find = async (text: string): Promise<void> => {
    await page.fill('#search', text);
    await page.press('#search', 'Enter');
  };
  const send = async (status: number): Promise<void> => {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.outcome', { hasText: String(status) }).waitFor();
  };

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 120_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    page = await open();
  }, 120_000);
  afterEach(async () => {
    await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });

  test('has a group for each namespace, of which the first is open, and others can be opened', async () => {
    const names = await page.locator('.namespace > summary h2').allInnerTexts();
    expect(names.slice(0, 4)).toEqual(['tribe/events/v1', 'tec/v1', 'tribe/tickets/v1', 'wp/v2']);
    expect(names).toContain('Test API');
    expect(await page.locator('.namespace[open]').count()).toBe(1);
    await page.locator('.namespace > summary', { hasText: 'wp/v2' }).click();
    await page.locator('.group > summary', { hasText: 'posts' }).first().click();
    await page.locator('.route', { hasText: 'List posts' }).click();
    await page.getByRole('heading', { name: 'List posts' }).waitFor();
    await send(200);
  }, 120_000);

  test('create an event: found, refused, sent as the administrator', async () => {
    await find('create event');
    await page.getByRole('heading', { name: 'Create an event' }).waitFor();
    expect(await page.locator('.badges').innerText()).toMatch(/tribe\/events\/v1\/events\s+needs a login/);
    await send(401);
    await page.locator('.problem', { hasText: 'Sorry, you are not allowed to do that.' }).waitFor();
    await page.getByRole('button', { name: 'Send as the administrator' }).click();
    await page.locator('.outcome', { hasText: '201' }).waitFor();
    await page.locator('.response pre', { hasText: 'Concert in the park' }).waitFor();
    await page.fill('#body', '{ "title": "No dates" }');
    await send(400);
    await page.locator('.problem', { hasText: 'start_date, end_date' }).waitFor();
    expect(await violations()).toEqual([]);
    expect(await violations('dark')).toEqual([]);
  }, 120_000);

  test('an application password signs in, and is a variable in the command for curl', async () => {
    await page.selectOption('#send-as', 'ask');
    const [login, ...password] = Buffer.from(signIn('admin').slice('Basic '.length), 'base64').toString().split(':');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Application password').fill(password.join(':'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await find('create venue');
    await page.fill('#body', '{ "venue": "It\'s here" }');
    await send(201);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(
      [
        `curl -X POST '${server().url}/wp-json/tribe/events/v1/venues'`,
        `  -u '${login}:'"$PASSWORD"`,
        "  -H 'Content-Type: application/json'",
        String.raw`  -d '{ "venue": "It'\''s here" }'`,
      ].join(' \\\n'),
    );
  }, 120_000);

  test('a wrong parameter is marked, and a search finds routes by parameter', async () => {
    await find('geoloc_lat');
    await page.locator('.found', { hasText: 'geoloc_lat' }).first().waitFor();
    await page.fill('#parameter-per_page', '0');
    await send(400);
    await page.locator('.parameter.wrong', { hasText: 'per_page' }).waitFor();
    await page.locator('.request details summary').click();
    await page.fill('#headers', 'X-WP-Nonce: wrong');
    await send(403);
    await page.fill('#headers', '');
    await page.fill('#parameter-per_page', '2');
    expect(await page.locator('.address').innerText()).toMatch(/\/events\?per_page=2$/);
    await send(200);
  }, 120_000);

  test('phones show the routes or an operation', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await violations()).toEqual([]);
    await page.locator('.route', { hasText: 'List events' }).first().click();
    await page.locator('#try').waitFor();
    expect(await page.locator('#search').isVisible()).toBe(false);
    await send(200);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violations()).toEqual([]);
    await page.getByRole('link', { name: 'All routes' }).click();
    await page.locator('#search').waitFor();
  }, 120_000);

  test('an address opens its operation, also of the test API', async () => {
    await page.context().close();
    page = await open(DESKTOP, '#qa-getClock');
    await page.locator('.badges', { hasText: '/__qa/clock' }).waitFor();
    await send(200);
    await page.locator('.response pre', { hasText: '"frozen": true' }).waitFor();
  }, 120_000);
});
