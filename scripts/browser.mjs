// Shared by scripts that open the pages in a browser: the browser, and servers.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The moment that the demo dataset is shown at. */
const NOW = '2026-06-15T12:00:00Z';

// The shell first: it takes half of the processor time.
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The file of a Chromium: the one that `CHROMIUM` names, one of the system, or Playwright's own. */
export const findBrowser = () => [process.env.CHROMIUM, ...PLACES, chromium.executablePath()].find((file) => file && existsSync(file));

/** A running Chromium. Null, with a message, if none is installed. */
export async function openBrowser() {
  const executablePath = findBrowser();
  // Containers have little shared memory, without which Chromium closes pages.
  if (executablePath) return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  console.log('Skipped: there is no Chromium. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.');
  return null;
}

async function open(dist, options) {
  const { createServer } = await import(pathToFileURL(path.join(path.resolve(dist), 'index.js')).href);
  return createServer({ ephemeral: true, port: 0, ...options });
}

/** A server with the demo dataset, from a folder with a build. */
export const openDemo = (dist) => open(dist, { dataset: path.join(root, 'fixtures/demo.json'), now: NOW });

/** Arguments of the calendar of a region: some 400 events in a month. */
const BUSY = ['--events', '5000', '--seed', '1', '--from', '2026-09-01', '--span', '365d', '--zones', 'Europe/Berlin=3'];

/** A server with generated events, from a folder with a build. */
export async function openBusy(dist) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-busy-'));
  try {
    const file = path.join(folder, 'busy.ndjson');
    execFileSync(process.execPath, [path.join(dist, 'cli.js'), 'generate', ...BUSY, '-o', file], { stdio: 'ignore' });
    return await open(dist, { dataset: file, now: '2026-11-11T12:00:00Z' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
