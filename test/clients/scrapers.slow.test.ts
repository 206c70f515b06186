import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openBrowser } from '../../scripts/browser.mjs';
import type { EventList } from '../../src/sdk/types/responses.js';
import { WORLD } from '../support/api.js';
import { documentOf } from '../support/scraper.js';
import { startTestServer } from '../support/server.js';

/* Three scrapers as their authors write them. Each reads all upcoming events page after page, and finds those of the API. */

const server = startTestServer({ dataset: WORLD });
const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'scrapers');
const run = promisify(execFile);

interface Scraped {
  title: string;
  url: string;
  start: string;
  venue: string | null;
  cost: string | null;
}

/** What the API has of the upcoming events. A protected event hides its venue and cost. */
async function expected(): Promise<Scraped[]> {
  const found: Scraped[] = [];
  let next: string | undefined = `${server().restUrl}/tribe/events/v1/events?per_page=50&start_date=2020-01-01&end_date=2035-01-01`;
  while (next !== undefined) {
    const page = (await (await fetch(next)).json()) as EventList;
    const plain = (html: string): string => documentOf(html).text;
    for (const { title, url, start_date: start, end_date: end, venue, cost, hide_from_listings: isHidden } of page.events)
      if (isHidden !== true && (end ?? '') >= '2026-06-15 08:00:00') {
        const isProtected = url.endsWith('/password-soiree/');
        const name = Array.isArray(venue) ? null : plain(venue.venue);
        found.push({
          title: `${isProtected ? 'Protected: ' : ''}${plain(title)}`,
          url,
          start: (start ?? '').slice(0, 10),
          venue: name,
          cost: cost || null,
        });
      }
    next = page.next_rest_url;
  }
  return found;
}

const byUrl = (events: Scraped[]): Scraped[] => events.toSorted((a, b) => a.url.localeCompare(b.url));

async function check(scraped: Scraped[]): Promise<void> {
  expect(scraped.length).toBeGreaterThan(40);
  expect(byUrl(scraped)).toEqual(byUrl(await expected()));
}

const skip = (reason: string): void => console.warn(`Skipped: ${reason}`);

test('BeautifulSoup', async () => {
  const python = '/usr/bin/python3';
  const isThere = await run(python, ['-c', 'import bs4']).then(
    () => true,
    () => false,
  );
  if (!isThere) return skip('there is no BeautifulSoup (Debian: apt-get install python3-bs4)');
  const { stdout } = await run(python, [path.join(FOLDER, 'soup.py'), `${server().url}/events/`]);
  await check(JSON.parse(stdout) as Scraped[]);
}, 60_000);

test('cheerio', async () => {
  const script = path.join(FOLDER, 'cheerio.cjs');
  try {
    createRequire(script).resolve('cheerio');
  } catch {
    return skip('there is no cheerio (npm install --no-save cheerio)');
  }
  const { stdout } = await run(process.execPath, [script, `${server().url}/events/`]);
  await check(JSON.parse(stdout) as Scraped[]);
}, 60_000);

test('a browser', async () => {
  const browser = await openBrowser();
  if (!browser) return;
  try {
    const page = await browser.newPage();
    const scraped: Scraped[] = [];
    for (let url: string | null = `${server().url}/events/`; url !== null;) {
      await page.goto(url);
      const rows = page.locator('ul.tribe-events-calendar-list > li.tribe-events-calendar-list__event-row');
      for (const row of await rows.all()) {
        const text = async (name: string): Promise<string | null> =>
          (await row.locator(name).count()) === 0 ? null : ((await row.locator(name).textContent()) ?? '').trim();
        const link = row.locator('a.tribe-events-calendar-list__event-title-link');
        scraped.push({
          title: (await link.innerText()).trim(),
          url: (await link.getAttribute('href')) ?? '',
          start: (await row.locator('time.tribe-events-calendar-list__event-datetime').getAttribute('datetime')) ?? '',
          venue: await text('.tribe-events-calendar-list__event-venue-title'),
          cost: await text('.tribe-events-c-small-cta__price'),
        });
      }
      const next = page.locator('a.tribe-events-c-nav__next');
      url = (await next.count()) === 0 ? null : await next.getAttribute('href');
    }
    await check(scraped);
  } finally {
    await browser.close();
  }
}, 120_000);
