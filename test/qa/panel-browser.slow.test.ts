import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { WORLD } from '../support/api.js';
import { axeIn, CHROMIUM } from '../support/chromium.js';
import { startTestServer } from '../support/server.js';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, profile: 'standard', qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });
const API = '/wp-json/tribe/events/v1';

const inChromium = CHROMIUM === undefined ? describe.skip : describe;

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const get = async (path: string): Promise<number> => (await fetch(`${server().url}${path}`)).status;
const qa = async (method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> => {
  const headers = { 'x-understudy-token': TOKEN, 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return (await fetch(`${server().url}/__qa/${path}`, init)).json();
};

inChromium('the control page in Chromium, which has to be in one of the usual places', () => {
  let browser: Browser;
  let page: Page;
  /** Errors and warnings of the page. */
  const complaints: string[] = [];

  const open = async (viewport = DESKTOP, path = '/__qa/ui'): Promise<Page> => {
    const context = await browser.newContext({
      viewport,
      reducedMotion: 'reduce',
      acceptDownloads: true,
      permissions: ['clipboard-write'],
    });
    const opened = await context.newPage();
    opened.on('console', (message) => {
      // The first requests get 401, since they have no token yet.
      if (['error', 'warning'].includes(message.type()) && !/401|400/.test(message.text())) complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
    opened.on('request', (request) => {
      if (!request.url().startsWith(server().url) && !request.url().startsWith('blob:')) complaints.push(request.url());
    });
    await opened.addInitScript(`
      sessionStorage.setItem('understudy-token', sessionStorage.getItem('understudy-token') ?? ${JSON.stringify(TOKEN)});
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await opened.goto(`${server().url}${path}`);
    return opened;
  };
  const message = async (text: RegExp): Promise<void> => {
    await page.locator('#message [role=status]', { hasText: text }).waitFor();
  };
  const violations = async (of: Page, colorScheme: 'light' | 'dark' = 'light', exclude: string[] = []): Promise<string[]> => {
    if (!(await of.evaluate<boolean>('Boolean(window.axe)'))) await of.evaluate(axe.source);
    return of.evaluate<string[]>(axeIn(colorScheme, exclude));
  };

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    await qa('DELETE', 'faults');
    await qa('DELETE', 'journal');
    await qa('POST', 'reset');
    complaints.length = 0;
    page = await open();
    await page.locator('#journal-title').waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  describe('five tasks, each within two clicks of the page as opened', () => {
    test('freeze the clock', async () => {
      await qa('PUT', 'clock', { frozen: false });
      await page.locator('#clock-state', { hasText: 'live' }).waitFor();
      await page.getByRole('button', { name: 'Freeze' }).first().click();
      await message(/^The clock is frozen\.$/);
      expect(await qa('GET', 'clock')).toMatchObject({ frozen: true });
    });

    test('make the next list fail twice', async () => {
      await page.getByRole('button', { name: 'The next two lists fail' }).click();
      await page.locator('.chip', { hasText: 'lists' }).waitFor();
      expect([await get(`${API}/events`), await get(`${API}/venues`), await get(`${API}/events`)]).toEqual([503, 503, 200]);
      // Exhausted faults are not shown as chips.
      await page.getByText('No faults: requests get normal responses.').waitFor();
    });

    test('find which request had a typo', async () => {
      for (let i = 0; i < 30; i += 1) await get(`${API}/events?per_page=${i + 1}`);
      await get(`${API}/events?stat_date=2026-07-01`);
      for (let i = 0; i < 30; i += 1) await get(`${API}/venues?per_page=${i + 1}`);
      await page.getByRole('button', { name: /^Warned/ }).click();
      await page.locator('[role=option]', { hasText: 'stat_date → start_date?' }).waitFor();
      expect(await page.locator('[role=option]').count()).toBe(1);
    });

    test('undo a reset', async () => {
      await qa('POST', 'rest', { method: 'POST', path: '/tribe/events/v1/venues', body: { venue: 'Made by hand' } });
      const found = async (): Promise<number> =>
        (await qa('POST', 'rest', { path: '/tribe/events/v1/venues?per_page=50' })).body.venues.filter(
          ({ venue }: { venue: string }) => venue === 'Made by hand',
        ).length;
      await page.getByRole('button', { name: 'Reset', exact: true }).click();
      await message(/^Reset in/);
      expect(await found()).toBe(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await message(/^Undone\.$/);
      expect(await found()).toBe(1);
    });

    test('load a file', async () => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Load a file…' }).click();
      await (await chooser).setFiles(new URL('small.json', import.meta.url).pathname);
      await page.getByRole('button', { name: 'Replace the content' }).click();
      await message(/^Loaded small\.json/);
      await page.locator('#dataset', { hasText: 'small.json' }).waitFor();
    });
  });

  test('a file that is dropped is loaded, and problems are listed with their lines', async () => {
    const drop = (name: string, text: string): Promise<void> =>
      page.evaluate(
        `(() => {
          const data = new DataTransfer();
          data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
          const at = (type) => document.querySelector('#journal-title').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
          at('dragover');
          at('drop');
        })()`,
      );
    await drop('broken.json', '{\n "events": [\n  { "title": 5 }\n ]\n}');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add to it' }).click();
    await page
      .locator('.problems li', { hasText: /^line 3: / })
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await drop('mine.json', '{ "events": [{ "title": "Only this", "start": "2026-07-01 10:00", "end": "2026-07-01 11:00" }] }');
    await page.getByRole('button', { name: 'Replace the content' }).click();
    await page.locator('#dataset', { hasText: 'mine.json' }).waitFor();
  });

  test('the keyboard alone does everything', async () => {
    const { keyboard } = page;
    const focused = (): Promise<string> =>
      page.evaluate<string>(`(({ id, name, textContent }) => id || name || textContent.trim())(document.activeElement)`);
    const tabTo = async (wanted: RegExp): Promise<void> => {
      for (let i = 0; i < 80; i += 1) {
        if (wanted.test(await focused())) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${wanted}.`);
    };
    await get(`${API}/venues`);
    await get(`${API}/organizers`);
    await page.locator('[role=option]').nth(1).waitFor();
    await keyboard.press('/');
    expect(await focused()).toBe('q');
    await keyboard.type('v1/');
    await keyboard.press('ArrowDown');
    expect(await focused()).toBe('journal-rows');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await page.locator('.drawer h3', { hasText: '/venues' }).waitFor();
    await keyboard.press('ArrowUp');
    await page.locator('.drawer h3', { hasText: '/organizers' }).waitFor();
    await keyboard.press('Enter');
    expect(await focused()).toBe('entry-panel');
    await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowRight');
    await page.locator('#entry-panel', { hasText: 'HTTP/1.1 200 OK' }).waitFor();
    await keyboard.press('Escape');
    expect([await page.locator('.drawer').count(), await focused()]).toEqual([0, 'journal-rows']);
    await page.locator('.skip').focus();
    await tabTo(/^environment$/);
    await keyboard.press('Enter');
    // The focus moves when the list is rendered.
    await page.locator('#environment-list :focus').waitFor();
    await tabTo(/^name$/);
    await keyboard.type('by-keyboard');
    await keyboard.press('Enter');
    await message(/^Sandbox by-keyboard is ready/);
    await keyboard.press('Escape');
    expect(await focused()).toBe('environment');
    await tabTo(/^clock-toggle$/);
    await keyboard.press('Enter');
    await message(/^The clock runs/);
    await tabTo(/^load$/);
    await tabTo(/^event-add$/);
    await keyboard.press('Enter');
    await tabTo(/^title$/);
    await keyboard.type('Typed');
    await keyboard.press('Enter');
    await message(/^Added event \d+: Typed\.$/);
    await tabTo(/^Next write fails$/);
    await keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'POST' }).waitFor();
    await qa('DELETE', 'sandboxes/by-keyboard');
  }, 60_000);

  test('an entry is copied as curl, saved, and failed the next time', async () => {
    await get(`${API}/venues?per_page=2`);
    await page.locator('[role=option]').first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await message(/^Copied as a curl command/);
    for (const [name, file] of [
      ['HAR', /^entry-\d+\.har$/],
      ['Test case', /^journal-\d+\.json$/],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.locator('.drawer').getByRole('button', { name }).click();
      expect((await download).suggestedFilename()).toMatch(file);
    }
    await page.getByRole('button', { name: 'Fail this next time' }).click();
    await message(/^The next such GET request fails/);
    expect([await get(`${API}/venues?per_page=2`), await get(`${API}/venues?per_page=2`)]).toEqual([500, 200]);
  });

  test('a stub is added, changed and begun with a response, and Escape closes only its dialog', async () => {
    await page.getByRole('button', { name: 'Add a stub…' }).click();
    const form = page.locator('#stub-form');
    await form.getByLabel('Path').fill('/wp-json/acme/v1/seats');
    await form.getByLabel('Times').fill('0');
    await form.getByLabel('Response body').fill('{ "left": 3 }');
    await form.getByRole('button', { name: 'Add stub' }).click();
    await page.locator('#stub-times-problem', { hasText: 'times must be greater than or equal to 1' }).waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('times');
    await form.getByLabel('Times').fill('2');
    await page.keyboard.press('Enter');
    await message(/^Stub \d+ responds to \/wp-json\/acme\/v1\/seats\.$/);
    expect(await (await fetch(`${server().url}/wp-json/acme/v1/seats`)).json()).toEqual({ left: 3 });
    await page.getByRole('button', { name: '200 /wp-json/acme/v1/seats' }).click();
    await form.getByLabel('Status').fill('410');
    await page.keyboard.press('Enter');
    await message(/^Changed stub \d+\.$/);
    expect(await get('/wp-json/acme/v1/seats')).toBe(410);
    await page.locator('[role=option]', { hasText: '410' }).click();
    await page.getByRole('button', { name: 'Respond differently' }).click();
    await form.getByLabel('Status').waitFor();
    expect(await form.getByLabel('Status').inputValue()).toBe('410');
    await page.keyboard.press('Escape');
    expect([await form.count(), await page.locator('.drawer').count()]).toEqual([0, 1]);
    await qa('DELETE', 'stubs');
  });

  test('the journal follows, without moving what is in sight and without asking all the time', async () => {
    for (let i = 0; i < 120; i += 1) await get(`${API}/venues/${i}`);
    await page.locator('#journal-count', { hasText: '120 requests' }).waitFor();
    expect(await page.locator('[role=option]').count()).toBeLessThan(60);
    await page.locator('#journal-rows').evaluate((element) => (element.scrollTop = 640));
    await page.locator('[role=option]', { hasText: '/venues/99' }).waitFor();
    const place = (): Promise<number | undefined> =>
      page
        .locator('[role=option]', { hasText: '/venues/99' })
        .boundingBox()
        .then((box) => box?.y);
    const before = await place();
    await get(`${API}/organizers`);
    await page.locator('#journal-count', { hasText: '121 requests' }).waitFor();
    expect(await place()).toBe(before);
    let asked = 0;
    page.on('request', () => (asked += 1));
    await page.waitForTimeout(3000);
    expect(asked).toBeLessThanOrEqual(2);
    expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
  });

  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)(
    'on a %s, axe finds nothing in any view, nothing shifts, and nothing is wider than the screen',
    async (name, viewport) => {
      await page.setViewportSize(viewport);
      await qa('PUT', 'snapshots/here');
      for (const sandbox of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await qa('PUT', `sandboxes/${sandbox}`);
      await qa('POST', 'faults', { times: 1, match: { path: '/tribe/events/v1/venues' }, effect: { status: 503 } });
      await qa('POST', 'faults/scenarios/flaky/start', { match: { path: '/nowhere' } });
      await get(`${API}/venues`);
      await get(`/__sandbox/a${API}/events?stat_date=2026-07-01`);
      await get(`${API}/venues/99999`);
      await get(`${API}/organizers`);
      await get(`${API}/organizers`);
      await page.reload();
      await page.locator('[role=option]').nth(4).waitFor();
      const show = async (view: string): Promise<void> => {
        if (name === 'phone') await page.click(`.views [data-view=${view}]`);
      };
      const views: Record<string, () => Promise<void>> = {
        journal: async () => show('journal'),
        entry: async () => page.locator('[role=option]').nth(3).click(),
        raw: async () => page.click('[data-tab=raw]'),
        headers: async () => page.click('[data-tab=headers]'),
        controls: async () => {
          await page.locator('.drawer').getByRole('button', { name: 'Close' }).click();
          await show('controls');
          for (const summary of await page.locator('.inner > summary').all()) await summary.click();
          await page.locator('#changes').waitFor();
        },
        environments: async () => page.click('#environment'),
        event: async () => {
          await page.keyboard.press('Escape');
          await page.click('#event-add');
        },
        'events to edit': async () => {
          await page.keyboard.press('Escape');
          await page.click('#event-edit');
          await page.locator('#event-list li').first().waitFor();
        },
        stub: async () => {
          await page.keyboard.press('Escape');
          await page.click('#stub-add');
          for (const summary of await page.locator('#stub-form summary').all()) await summary.click();
          await page.click('#stub-form .strong');
          await page.locator('#stub-path-problem').waitFor();
          await page.fill('#stub-form [name=path]', '/hours');
          await page.fill('#stub-form [name=status]', '9');
          await page.click('#stub-form .strong');
          await page.locator('#stub-status-problem').waitFor();
        },
        message: async () => {
          await page.keyboard.press('Escape');
          await page.click('#reset');
          await message(/^Reset/);
        },
      };
      for (const [view, reach] of Object.entries(views)) {
        await reach();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          expect([view, colorScheme, await violations(page, colorScheme)]).toEqual([view, colorScheme, []]);
        }
        expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, viewport.width]);
      }
      expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
      for (const sandbox of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await qa('DELETE', `sandboxes/${sandbox}`);
    },
    120_000,
  );

  test('nothing is drawn before the token, and the page is below 150 kB', async () => {
    let bytes = 0;
    const fresh = await browser.newPage({ viewport: DESKTOP });
    fresh.on('response', (response) => {
      if (/\/__qa\/ui/.test(response.url())) void response.body().then((body) => (bytes += body.length));
    });
    await fresh.goto(`${server().url}/__qa/ui`);
    await fresh.locator('#token').waitFor();
    expect(await fresh.evaluate(`document.getElementById('app').innerText.trim()`)).toBe('');
    expect(await violations(fresh)).toEqual([]);
    await fresh.fill('#token', TOKEN);
    await fresh.keyboard.press('Enter');
    await fresh.locator('#journal-title').waitFor();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(150_000);
    await fresh.close();
  });
});
