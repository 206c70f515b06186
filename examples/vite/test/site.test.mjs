import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = existsSync(executablePath) ? false : `there is no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM`;

const ALL = ['Open Stage', 'Morning Yoga', 'Brass Night'];

let vite;
let origin;
let browser;
before(async () => {
  vite = await createServer({ logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  await vite.listen();
  origin = new URL(vite.resolvedUrls.local[0]).origin;
  // A sandbox of its own is more than a container lets an ordinary browser have.
  if (!skip) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await vite.close();
});

/** The texts of the list of a page, once it has some. */
async function textsOf(path) {
  const page = await browser.newPage();
  await page.goto(`${origin}${path}`);
  await page.locator('li').first().waitFor();
  const texts = await page.locator('li').allInnerTexts();
  return { page, texts };
}

test('the calendar is at the origin of the dev server', async () => {
  const response = await fetch(`${origin}/wp-json/tribe/events/v1/events`);
  const { events, rest_url } = await response.json();
  assert.deepEqual(
    events.map(({ title }) => title),
    ALL,
  );
  assert.equal(new URL(rest_url).origin, origin);
});

test('the site shows it, and what a change of the dataset adds', { skip }, async () => {
  const { page, texts } = await textsOf('/');
  assert.deepEqual(texts, ALL);
  const text = readFileSync('dataset.json', 'utf8');
  writeFileSync('dataset.json', text.replace('Brass Night', 'Jazz Night'));
  await page.getByText('Jazz Night').waitFor();
  writeFileSync('dataset.json', text);
  await page.getByText('Brass Night').waitFor();
});

for (const [story, expected] of [
  ['upcoming', ALL],
  ['later', ALL.slice(1)],
  ['maintenance', ['Please come back soon']],
])
  test(`the story ${story}, of a program with the URL of the real site`, { skip }, async () => {
    assert.deepEqual((await textsOf(`/stories.html#${story}`)).texts, expected);
  });
