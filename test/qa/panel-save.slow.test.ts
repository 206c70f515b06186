import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { runCli } from '../support/cli.js';
import { axeIn, CHROMIUM } from '../support/chromium.js';
import { startTestServer } from '../support/server.js';

/** Changes that are made on the control page are saved to the file of the dataset. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-panel-save-'));
const file = path.join(folder, 'calendar.json');
writeFileSync(
  file,
  `{
  "site": { "name": "Town", "timezone": "Europe/Berlin" },
  "venues": [{ "slug": "hall", "name": "Town Hall" }],
  "events": [
    { "title": "Jazz", "start": "+3d 19:30", "duration": "2h", "venue": "hall" },
    { "title": "Yoga", "start": "+1d 08:00", "duration": "1h", "repeat": "weekly × 2" }
  ]
}
`,
);
afterAll(() => rmSync(folder, { recursive: true }));
const server = startTestServer({ dataset: file, profile: 'standard', now: '2026-06-15T12:00:00Z' });
const inChromium = CHROMIUM === undefined ? describe.skip : describe;

inChromium('in Chromium, which has to be in one of the usual places', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(`${server().url}/__qa/ui`);
  }, 60_000);
  afterAll(() => browser.close());

  const message = (text: RegExp): Promise<void> => page.locator('#message [role=status]', { hasText: text }).waitFor();
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save to calendar.json…' }).click();

  interface Look {
    /** How far the difference, its lines and the page can be scrolled to the side, pixels. */
    sideways: number[];
    /** The sizes of its text. */
    sizes: string[];
    /** The height of the highest line, in lines of text. */
    rows: number;
  }
  /** How the difference before saving is shown. */
  const look = (on: Page): Promise<Look> =>
    on.evaluate<Look>(`(() => {
      const box = document.querySelector('.difference');
      const codes = [...box.querySelectorAll('code')];
      const lineHeight = Math.min(...codes.map((code) => code.getBoundingClientRect().height).filter((height) => height > 0));
      return {
        sideways: [box, box.querySelector('.items'), document.documentElement].map((each) => each.scrollWidth - each.clientWidth),
        sizes: [...new Set([...box.querySelectorAll('li, code')].map((each) => getComputedStyle(each).fontSize))],
        rows: Math.round(Math.max(...codes.map((code) => code.getBoundingClientRect().height)) / lineHeight),
      };
    })()`);

  test('an event with a new organizer and tags is added and saved, relative to the clock', async () => {
    await page.getByRole('button', { name: 'Add an event' }).click();
    const form = page.locator('#event-form');
    await form.getByLabel('Title').fill('Echo');
    await form.getByLabel('Starts').fill('2026-06-19T20:00');
    await form.getByRole('combobox', { name: 'Venue' }).fill('Town Hall');
    await form.getByRole('combobox', { name: 'Organizers' }).fill('Stone Choir');
    await page.keyboard.press('Enter');
    for (const tag of ['stone', 'open air']) {
      await form.getByRole('combobox', { name: 'Tags' }).fill(tag);
      await page.keyboard.press('Enter');
    }
    await form.locator('.picked li').nth(3).waitFor();
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await message(/^Added event/);
    await save();
    const dialog = page.getByRole('dialog', { name: 'Save to calendar.json' });
    await dialog.waitFor();
    const lines = (await dialog.locator('.difference li').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' ').trim());
    expect(lines[0]).toBe('…');
    expect(lines.filter((line) => /^[−+]/.test(line))).toEqual([
      expect.stringMatching(/^− \{ "title": "Yoga".*\}$/),
      '− ]',
      expect.stringMatching(/^\+ \{ "title": "Yoga".*\},$/),
      expect.stringMatching(/^\+ \{ "title": "Echo", "start": "\+4d 20:00"/),
      '+ ],',
      expect.stringMatching(/^\+ "tags": \[/),
      expect.stringMatching(/^\+ "organizers": \[/),
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('Echo');

    // Wide screens scroll long lines, narrow ones wrap them.
    const wide = await look(page);
    expect(wide).toMatchObject({ sizes: [expect.any(String)], rows: 1 });
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await phone.goto(`${server().url}/__qa/ui`);
    await phone.click('.views [data-view=controls]');
    await phone.getByRole('button', { name: 'Save to calendar.json…' }).click();
    await phone.locator('.difference').waitFor();
    const narrow = await look(phone);
    expect(narrow).toEqual({ sideways: [0, 0, 0], sizes: wide.sizes, rows: expect.any(Number) });
    expect(narrow.rows).toBeGreaterThan(1);
    await phone.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme });
      expect(await phone.evaluate<string[]>(axeIn(colorScheme))).toEqual([]);
    }
    await phone.close();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await message(/^Saved to calendar\.json: 4 added\./);
    expect(readFileSync(file, 'utf8')).not.toContain('show_map');
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object[]>;
    expect(saved['events'].at(-1)).toMatchObject({
      title: 'Echo',
      start: '+4d 20:00',
      duration: '1h',
      venue: 'hall',
      organizers: ['stone-choir'],
    });
    expect(saved['tags']).toEqual([expect.objectContaining({ slug: 'stone' }), expect.objectContaining({ slug: 'open-air' })]);
    expect(readFileSync(file, 'utf8')).toContain('    { "title": "Jazz", "start": "+3d 19:30", "duration": "2h", "venue": "hall" },\n');
  }, 60_000);

  test('what is not saved is listed; nothing more is to be saved then', async () => {
    await page.getByRole('button', { name: 'Edit an event…' }).click();
    await page.fill('#event-search', 'Yoga');
    await page.locator('#event-list button', { hasText: 'Yoga' }).first().click();
    await page.locator('#event-form [name=cost]').fill('7');
    await page.locator('#event-form').getByRole('button', { name: 'Save' }).click();
    await message(/^Changed event/);
    await save();
    await message(/^calendar\.json has no changes to save\.$/);
    await page.locator('.problems h3', { hasText: '1 change not saved to calendar.json' }).waitFor();
    expect(await page.locator('.problems li').innerText()).toBe('event "Yoga": it is part of a series (repeat)');
  }, 60_000);
});

test('understudy save does the same', async () => {
  const rest = async (method: string, at: string, body?: object): Promise<{ body: { id: number }[] }> => {
    const response = await fetch(`${server().url}/__qa/rest`, { method: 'POST', body: JSON.stringify({ method, path: at, body }) });
    return (await response.json()) as { body: { id: number }[] };
  };
  const { body } = await rest('GET', '/wp/v2/tribe_events?search=Jazz');
  await rest('POST', `/wp/v2/tribe_events/${body[0].id}`, { status: 'draft' });
  const result = await runCli(['save', '--url', server().url]);
  expect(result).toMatchObject({ code: 0, stdout: 'Saved to calendar.json: 0 added, 1 changed, 0 deleted.\n' });
  expect(readFileSync(file, 'utf8')).toContain('"venue": "hall", "status": "draft", "slug": "jazz" },\n');
  expect(await runCli(['save', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('its own dataset file') });
}, 60_000);
