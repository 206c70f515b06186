import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import fc from 'fast-check';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Server } from '../../../src/index.js';
import { axeIn, CHROMIUM } from '../../support/chromium.js';
import { BUSY_DAY, ODD_NOW, oddCalendars } from '../../support/odd-calendar.js';
import { startTestServer } from '../../support/server.js';

const demoFile = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../fixtures/demo.json');
const pad = (number: number): string => String(number).padStart(2, '0');

/** Each run generates another calendar, unless a seed is given. */
const SEED = Number(process.env.UNDERSTUDY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MONTHS = ['2026-02', '2026-05', '2026-08', '2026-11'];

/** Events of four months, many of them multi-day. */
function randomCalendar(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-random-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const event = fc.record({
    title: fc.array(fc.constantFrom('Fair', 'of', 'Words', 'Straßenfest', '催し', 'معرض', 'Unpronounceableness', '–'), {
      minLength: 1,
      maxLength: 9,
    }),
    month: fc.constantFrom(...MONTHS),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 0, max: 23 }),
    hours: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 300 })),
    all_day: fc.boolean(),
    featured: fc.boolean(),
  });
  const events = fc.sample(event, { numRuns: 500, seed: SEED }).map(({ title, month, day, hour, hours, ...rest }) => ({
    ...rest,
    title: title.join(' '),
    start: `${month}-${pad(day)} ${pad(hour)}:00`,
    duration: `${hours}h`,
  }));
  const file = path.join(folder, 'random.json');
  writeFileSync(file, JSON.stringify({ site: { timezone: 'Europe/Berlin' }, events }));
  return file;
}

const files = oddCalendars();
const odd = startTestServer({ dataset: files.odd, profile: 'standard', now: ODD_NOW });
const tokyo = startTestServer({ dataset: files.tokyo, profile: 'standard', now: ODD_NOW });
const demo = startTestServer({ dataset: demoFile, profile: 'standard', now: '2026-06-15T12:00:00Z' });
const random = startTestServer({ dataset: randomCalendar(), profile: 'standard', now: '2026-08-15T12:00:00Z' });

const inChromium = CHROMIUM === undefined ? test.skip : test;

let browser: Browser | undefined;
beforeAll(async () => {
  if (CHROMIUM !== undefined) browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Runs in a page: waits until it is rendered. */
const DRAWN = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))`;

/** Opens an address, and waits until all its requests have ended. */
async function visit(page: Page, address: string): Promise<void> {
  let underway = 0;
  const begin = (): void => void (underway += 1);
  const end = (): void => void (underway -= 1);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.goto(address);
  do await page.evaluate(DRAWN);
  while (underway > 0);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** Opens a page, and calls a function with it. */
async function withPage<T>(options: BrowserContextOptions, use: (page: Page) => Promise<T>): Promise<T> {
  if (!browser) throw new Error('There is no browser.');
  const context = await browser.newContext({ locale: 'en-US', ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Runs in a page: returns layout errors of a month. */
const BOXES = `(() => {
  const faults = [];
  const box = (element) => element.getBoundingClientRect();
  const crosses = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  let bars = 0;
  for (const week of document.querySelectorAll('.month tbody tr')) {
    const parts = ['multiday-event-wrapper', 'day-cell--desktop .tribe-events-calendar-month__day-date', 'calendar-event'];
    const named = parts.map((name) => '.tribe-events-calendar-month__' + name).join(', ');
    const all = [...week.querySelectorAll(named + ', .more')].map((element) => [element.textContent.trim(), box(element), element]);
    const row = box(week);
    for (const [text, { left, right, top, bottom, width }, element] of all) {
      if (left < row.left - 1 || right > row.right + 1 || top < row.top - 1 || bottom > row.bottom + 1) faults.push('outside its week: ' + text);
      const title = element.querySelector('.tribe-events-calendar-month__multiday-event-bar-title');
      if (title !== null) {
        bars += 1;
        const name = box(title);
        if (width < 40 || name.width < 5 || name.left > right || name.top > bottom) faults.push('without a label: ' + text);
      }
    }
    all.forEach(([text, a], index) => all.slice(index + 1).forEach(([other, b]) => crosses(a, b) && faults.push(text + ' overlaps ' + other)));
  }
  return { bars, faults };
})()`;

inChromium(
  'in Chromium, which has to be in one of the usual places, no two boxes of random months overlap',
  async () => {
    for (const language of ['en-US', 'de-DE'])
      await withPage({ viewport: DESKTOP, locale: language }, async (page) => {
        for (const month of [...MONTHS, '2026-03', '2026-12']) {
          await page.goto(`${random().url}/events/${month}/`);
          const { bars, faults } = await page.evaluate<{ bars: number; faults: string[] }>(BOXES);
          expect([SEED, month, faults]).toEqual([SEED, month, []]);
          if (MONTHS.includes(month)) expect(bars).toBeGreaterThan(45);
        }
      });
  },
  120_000,
);

const VIEWS: [server: () => Server, addresses: string[]][] = [
  [
    odd,
    [
      '/',
      '/events/',
      '/events/?eventDisplay=past',
      '/events/?tribe_events_cat=flea',
      '/events/?tribe_events_cat=market&tribe-bar-search=stand',
      '/events/?tribe-bar-search=nothing-like-it',
      '/events/2026-10/',
      '/events/2031-06/',
      `/events/${BUSY_DAY}/`,
      '/events/2026-10-20/',
      '/event/long-title/',
      '/event/arabic/',
      '/event/members/',
      '/event/two-months/',
      '/venue/town-hall/',
      '/events/category/market/month/',
    ],
  ],
  [tokyo, ['/events/', '/events/2026-10/', '/events/2026-10-09/']],
  [
    demo,
    [
      '/',
      '/events/',
      '/events/list/page/2/',
      '/events/month/',
      '/?s=festival',
      '/event/town-festival/',
      '/event/members-preview/',
      '/venue/castle-garden/',
      '/organizer/mill-stage/',
      '/nothing/',
      '/wp-login.php',
    ],
  ],
];

/** Runs in a page: returns what has moved since the first rendering, and how much. */
const MOVED = `new Promise((resolve) => {
  const moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) moved.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 200))]);
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)));
})`;

const COLOURS = ['light', 'dark'] as const;

inChromium.each([
  ['a desktop', DESKTOP, COLOURS],
  ['a phone', PHONE, COLOURS],
  ['the smallest phone', { width: 320, height: 640 }, []],
])(
  'in Chromium on %s: axe finds nothing, nothing moves or is wider than the screen, and no page is too large',
  async (_, viewport, colors) => {
    const faults: unknown[] = [];
    for (const [server, addresses] of VIEWS)
      await withPage({ viewport, locale: server === tokyo ? 'ja-JP' : 'en-US' }, async (page) => {
        let bytes = 0;
        page.on('response', async (response) => {
          if (response.request().resourceType() !== 'image') bytes += (await response.body()).length;
        });
        for (const address of addresses) {
          bytes = 0;
          await page.emulateMedia({ colorScheme: 'light' });
          await visit(page, `${server().url}${address}`);
          const moved = await page.evaluate<unknown[]>(MOVED);
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
          // As on real sites, each event is in the structured data, too, and its address may be long.
          const events = await page.locator('article').count();
          const isLarge = bytes > 150_000 + events * 1_500;
          if (moved.length > 0 || overflow > 0 || isLarge) faults.push({ address, moved, overflow, bytes, events });
          if (colors.length > 0) await page.evaluate(axe.source);
          for (const colorScheme of colors) {
            await page.emulateMedia({ colorScheme });
            const found = await page.evaluate<string[]>(axeIn(colorScheme));
            if (found.length > 0) faults.push({ address, colorScheme, found });
          }
        }
      });
    expect(faults).toEqual([]);
  },
  240_000,
);

describe('with the keyboard alone', () => {
  /** Moves to the next focusable element, and checks that the focus is visible. */
  const next = async (page: Page): Promise<string> => {
    await page.keyboard.press('Tab');
    return page.evaluate<string>(`(() => {
      const element = document.activeElement;
      const shown = [element, ...element.querySelectorAll('*')].some((each) =>
        ['', '::after'].some((pseudo) => parseFloat(getComputedStyle(each, pseudo || null).outlineWidth) >= 2 && getComputedStyle(each, pseudo || null).outlineStyle !== 'none'));
      return (shown ? '' : 'no focus ring: ') + (element.getAttribute('aria-label') || element.textContent).trim().replace(/\\s+/g, ' ');
    })()`);
  };

  /** Moves on until it reaches an element. */
  const until = async (page: Page, wanted: string | RegExp): Promise<void> => {
    const seen: string[] = [];
    while (seen.length < 120) {
      const name = await next(page);
      seen.push(name);
      if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
    }
    throw new Error(`not reached: ${String(wanted)} of ${seen.join(' | ')}`);
  };

  inChromium('a list is limited to a category and cleared, and a month leads to a day and an event', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(`${odd().url}/events/`);
      expect(await next(page)).toBe('Skip to content');
      await until(page, 'Search events');
      await page.keyboard.type('stand 1');
      expect(await next(page)).toBe('Category');
      await page.keyboard.press('M');
      await until(page, 'Search');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(new URL(page.url()).searchParams.get('tribe_events_cat')).toBe('market');
      expect(await page.locator('h1').innerText()).toBe('Events in Market – Results for “stand 1”');
      await until(page, 'Clear filters');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await until(page, 'Month');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await until(page, /^47 more/);
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(page.url()).toBe(`${odd().url}/events/${BUSY_DAY}/`);
      await until(page, 'Stand 3');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(page.url()).toBe(`${odd().url}/event/stand-3/`);
    });
  });

  inChromium('on a phone, a day of the small month leads to the page of the day', async () => {
    await withPage({ viewport: PHONE, reducedMotion: 'reduce' }, async (page) => {
      await page.goto(`${odd().url}/events/2026-10/`);
      await until(page, /Saturday, October 24, 2026, 57 events/);
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(new URL(page.url()).pathname).toBe(`/events/${BUSY_DAY}/`);
    });
  });

  inChromium('the menu of calendar programs opens, and leads to each', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(`${odd().url}/events/`);
      await until(page, 'Subscribe to this calendar');
      const programs = page.locator('.menu li a');
      expect(await programs.first().isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      expect(await programs.first().isVisible()).toBe(true);
      for (const name of await programs.allInnerTexts()) expect(await next(page)).toBe(name);
    });
  });
});

inChromium('a printed list has its events, and nothing to click', async () => {
  await withPage({ viewport: { width: 718, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    await page.goto(`${odd().url}/events/`);
    const shown = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
    expect(await Promise.all(['.cards h4', 'h1', '.bar', '.tribe-events-c-nav', '.foot-links', 'footer.site'].map(shown))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    await page.goto(`${odd().url}/events/2026-10/`);
    expect(await Promise.all(['.month-grid', '.agenda'].map(shown))).toEqual([true, false]);
  });
});
