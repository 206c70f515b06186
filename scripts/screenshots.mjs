// Pictures of the pages for docs/screenshots, made with a browser from the demo dataset and from a generated one. After a build: node scripts/screenshots.mjs
// Options: --dist FOLDER (another build), --out FOLDER, --only TEXT (pictures whose name holds it).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { openBrowser, openBusy, openDemo, root } from './browser.mjs';

const { values: options } = parseArgs({
  options: {
    dist: { type: 'string', default: path.join(root, 'dist') },
    out: { type: 'string', default: path.join(root, 'docs/screenshots') },
    only: { type: 'string', default: '' },
  },
});

/** The pictures of each site, by name, with their paths. */
const SITES = [
  { open: openDemo, pages: { event: '/event/town-festival/', list: '/events/', month: '/events/month/' } },
  { open: openBusy, pages: { 'busy-month': '/events/2026-11/', 'busy-day': '/events/2026-11-13/' } },
];

const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** Maximum size of a picture in the repository, in bytes. */
const MOST = 200_000;

/** A screenshot with as few colors as it takes. */
async function shoot(context, url) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, effort: 10 })
    .toBuffer();
  await page.close();
  return picture;
}

/** Takes the pictures of one site. */
async function shootAll(browser, { open, pages }) {
  const server = await open(options.dist);
  try {
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport, colorScheme, locale: 'en' });
        for (const [name, address] of Object.entries(pages)) {
          const file = path.join(options.out, `${name}-${screen}-${colorScheme}.png`);
          if (!path.basename(file).includes(options.only)) continue;
          const picture = await shoot(context, `${server.url}${address}`);
          writeFileSync(file, picture);
          console.log(`${path.relative(root, file)}: ${picture.length} bytes`);
          if (picture.length > MOST) {
            console.error(`That is more than ${MOST} bytes.`);
            process.exitCode = 1;
          }
        }
        await context.close();
      }
    }
  } finally {
    await server.close();
  }
}

const browser = await openBrowser();
if (browser) {
  mkdirSync(options.out, { recursive: true });
  try {
    for (const site of SITES) await shootAll(browser, site);
  } finally {
    await browser.close();
  }
}
