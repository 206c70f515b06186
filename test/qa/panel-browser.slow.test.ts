import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { signIn, WORLD } from '../support/api.js';
import { CHROMIUM } from '../support/chromium.js';
import { startTestServer } from '../support/server.js';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, profile: 'standard', qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

const inChromium = CHROMIUM === undefined ? test.skip : test;

inChromium(
  `in Chromium, which has to be in one of the usual places, trying it out works with an application password`,
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        // The first answers ask for the token.
        if (['error', 'warning'].includes(message.type()) && !message.text().includes('401')) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        if (!request.url().startsWith(server().url)) complaints.push(request.url());
      });
      await page.goto(`${server().url}/__qa/ui`);
      await page.fill('#token', TOKEN);
      await page.keyboard.press('Enter');
      const sought = { venue: 'The Long Hall' };
      await page.click('.swagger-ui .auth-wrapper .authorize');
      const [, , encoded] = /^(Basic) (.*)$/.exec(signIn('admin')) ?? [];
      const [login, ...password] = Buffer.from(encoded ?? '', 'base64')
        .toString()
        .split(':');
      await page.fill('.auth-container input[name=username]', login ?? '');
      await page.fill('.auth-container input[name=password]', password.join(':'));
      await page.click('.auth-container button.authorize');
      await page.click('.auth-container button.btn-done');
      const operation = page.locator('#operations-venues-createVenue');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      await operation.locator('textarea.body-param__text').fill(JSON.stringify(sought));
      await operation.locator('button.execute').click();
      const status = operation.locator('.live-responses-table .response-col_status').nth(1);
      expect((await status.innerText()).trim()).toMatch(/^201/);
      // It is in the journal, which is live.
      await page.locator('#journal-rows .entry', { hasText: 'POST /wp-json/calendar/events/v1/venues' }).waitFor();
      expect(complaints).toEqual([]);

      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(axe.source);
        // Swagger UI is not ours.
        const found = await page.evaluate(
          `axe.run({ exclude: ['#swagger'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html)))`,
        );
        expect([colorScheme, found]).toEqual([colorScheme, []]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    } finally {
      await browser.close();
    }
  },
  120_000,
);
