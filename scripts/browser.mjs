// What scripts that look at the pages with a browser share: the browser, and a server with the demo dataset.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The moment that the demo dataset is shown at. */
const NOW = '2026-06-15T12:00:00Z';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The file of a Chromium: the one that `CHROMIUM` names, one of the system, or Playwright's own. */
export const findBrowser = () => [process.env.CHROMIUM, ...PLACES, chromium.executablePath()].find((file) => file && existsSync(file));

/** A running Chromium. Null, with a line that says so, when there is none. */
export async function openBrowser() {
  const executablePath = findBrowser();
  if (executablePath) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  console.log('Skipped: there is no Chromium. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.');
  return null;
}

/** A server with the demo dataset, from a folder with a build. */
export async function openDemo(dist) {
  const { createServer } = await import(pathToFileURL(path.join(path.resolve(dist), 'index.js')).href);
  return createServer({ ephemeral: true, port: 0, dataset: path.join(root, 'fixtures/demo.json'), now: NOW });
}
