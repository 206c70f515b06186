// Checks the pages of the demo dataset, the control page and the API explorer with axe in a browser, light and dark, on a desktop and on a
// phone, and reports errors of the browser. It takes some minutes. After a build: node scripts/accessibility.mjs [--dist FOLDER] [PAGE…]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, openDemo, root } from './browser.mjs';

const { values: options, positionals } = parseArgs({
  options: { dist: { type: 'string', default: path.join(root, 'dist') } },
  allowPositionals: true,
});

const PAGES = [
  '/',
  '/events/',
  '/events/list/page/2/',
  '/events/month/',
  '/events/2026-06-19/',
  '/events/2031-06/',
  '/events/category/music/month/',
  '/events/?eventDisplay=past',
  '/events/?tribe_events_cat=music&tribe-bar-date=2026-07-01',
  '/?s=festival',
  '/?s=nothing-like-it',
  '/event/town-festival/',
  '/event/long-table-supper/',
  '/event/members-preview/',
  '/venue/castle-garden/',
  '/organizer/mill-stage/',
  '/events/category/community/markets/',
  '/tag/open-air/',
  '/nothing/',
  '/wp-login.php',
  '/__qa/ui',
  '/__qa/explorer',
  '/__qa/explorer#createEvent',
];

const CHECKED = positionals.length > 0 ? positionals : PAGES;

/** Elements that the pages of the test API draw last. */
const DRAWN = { '/__qa/ui': '#journal-title', '/__qa/explorer': '.routes', '/__qa/explorer#createEvent': '#try' };

const VIEWPORTS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
  // The smallest phones, and a desktop at four times its size (WCAG 1.4.10).
  { width: 320, height: 640 },
];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The problems of a page, one line each. @param drawn a selector to wait for */
async function faultsOf(page, url, drawn) {
  const faults = [];
  const note = (text) => faults.push(text);
  // The page for missing content is checked, too.
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && !/status of 404/.test(message.text()) && note(message.text()),
  );
  page.on('pageerror', (error) => note(String(error)));
  await page.goto(url, { waitUntil: 'load' });
  if (drawn !== undefined) await page.locator(drawn).waitFor({ state: 'attached' });
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  if (overflow > 0) note(`wider than the screen by ${overflow} pixels`);
  // The policy of the page blocks scripts, except those that the tools of the browser evaluate.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`);
  for (const { id, nodes } of violations)
    for (const { html, failureSummary } of nodes) note(`${id}: ${html}\n    ${failureSummary.replaceAll('\n', ' ')}`);
  return faults;
}

/** How long a page may take on a busy machine, in ms. */
const LIMIT_MS = 120_000;

const browser = await openBrowser();
if (browser) {
  const server = await openDemo(options.dist);
  let looked = 0;
  try {
    for (const viewport of VIEWPORTS) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport, colorScheme, locale: 'en' });
        context.setDefaultTimeout(LIMIT_MS);
        for (const address of CHECKED) {
          const page = await context.newPage();
          // A page that does not load is a fault, and not the end, unless the browser was closed.
          const faults = await faultsOf(page, `${server.url}${address}`, DRAWN[address]).catch((error) => {
            if (!/has been closed/.test(error.message)) return [`could not be checked: ${error.message}`];
            throw new Error(`The browser was closed after ${looked} views, by a signal or by a crash.`, { cause: error });
          });
          await page.close();
          looked += 1;
          if (process.stderr.isTTY) process.stderr.write(`\r${looked} of ${VIEWPORTS.length * 2 * CHECKED.length}`);
          for (const fault of faults) console.error(`${address} (${viewport.width} px, ${colorScheme}): ${fault}`);
          if (faults.length > 0) process.exitCode = 1;
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  if (!process.exitCode) console.log(`${looked} views of ${CHECKED.length} pages: no fault found.`);
}
