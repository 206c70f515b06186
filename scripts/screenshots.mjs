// Pictures of the pages for docs/screenshots, made with a browser from the demo dataset. After a build: node scripts/screenshots.mjs
// Options: --dist FOLDER (another build), --out FOLDER, --only TEXT (names that contain it). CHROMIUM names the browser where it is not
// one of Debian's or Playwright's own.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: {
    dist: { type: 'string', default: path.join(root, 'dist') },
    out: { type: 'string', default: path.join(root, 'docs/screenshots') },
    only: { type: 'string', default: '' },
  },
});

/** What is shown, by name: the address below the site. */
const PAGES = {
  event: '/event/town-festival/',
  list: '/events/',
  month: '/events/month/',
  front: '/',
};

const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const NOW = '2026-06-15T12:00:00Z';

/** Bytes of a picture that a repository can bear. */
const MOST = 150_000;

const browserPath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
].find((file) => file && existsSync(file));
if (!browserPath) {
  console.error('No Chromium found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.');
  process.exit(1);
}

const { createServer } = await import(pathToFileURL(path.join(path.resolve(options.dist), 'index.js')).href);
const server = await createServer({ ephemeral: true, port: 0, dataset: path.join(root, 'fixtures/demo.json'), now: NOW });
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
mkdirSync(options.out, { recursive: true });

try {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme, locale: 'en', deviceScaleFactor: 1 });
      for (const [name, address] of Object.entries(PAGES)) {
        const file = path.join(options.out, `${name}-${screen}-${colorScheme}.png`);
        if (!file.includes(options.only)) continue;
        const page = await context.newPage();
        await page.goto(`${server.url}${address}`, { waitUntil: 'networkidle' });
        const picture = await sharp(await page.screenshot())
          .png({ palette: true, quality: 85, effort: 10 })
          .toBuffer();
        await sharp(picture).toFile(file);
        await page.close();
        console.log(`${path.relative(root, file)}: ${picture.length} bytes`);
        if (picture.length > MOST) process.exitCode = 1;
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
if (process.exitCode) console.error(`Some pictures are larger than ${MOST} bytes.`);
