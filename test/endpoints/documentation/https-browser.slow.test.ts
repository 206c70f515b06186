import { chromium } from 'playwright-core';
import { WORLD } from '../../support/api.js';
import { CHROMIUM } from '../../support/chromium.js';
import { read } from '../../support/documents.js';
import { startTestServer } from '../../support/server.js';

/** Runs the Playwright block of `docs/https.md` in a browser. */

const server = startTestServer({ dataset: WORLD, url: 'https://calendar.example.org', now: '2026-06-15T12:00:00Z' });
const [, block] = /^```js playwright\n([\s\S]*?)^```$/m.exec(read('docs/https.md')) ?? [];

const inChromium = CHROMIUM === undefined ? test.skip : test;

inChromium(
  'in Chromium, which has to be in one of the usual places, requests to a fixed address are routed',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const route = block.replace('http://127.0.0.1:8080', server().localUrl);
      // oxlint-disable-next-line typescript/no-implied-eval -- the example of the page
      await new Function('page', `return (async () => { ${route} })();`)(page);
      await page.goto('https://calendar.example.org/events/');
      const links = await page.locator('main a').evaluateAll((found) => found.map((each) => (each as unknown as { href: string }).href));
      expect(links.filter((href) => href.startsWith('https://calendar.example.org/event/')).length).toBeGreaterThan(0);
      // Image requests may still be pending.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    } finally {
      await browser.close();
    }
  },
  60_000,
);
