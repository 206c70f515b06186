// Pictures of the control page and of the API explorer for docs/screenshots, made with a browser from the demo dataset. After a build:
//   node scripts/screenshots-qa.mjs
// Options: --dist FOLDER (another build), --out FOLDER.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { openBrowser, openDemo, root } from './browser.mjs';

const { values: options } = parseArgs({
  options: {
    dist: { type: 'string', default: path.join(root, 'dist') },
    out: { type: 'string', default: path.join(root, 'docs/screenshots') },
  },
});

/** Maximum size of a picture in the repository, in bytes. */
const MOST = 200_000;

const DESKTOP = { width: 1440, height: 900 };

const EVENT = { title: 'Concert in the park', start_date: '2026-07-01 20:00:00', end_date: '2026-07-01 22:00:00' };

/** The requests before the picture is taken. */
async function prepare({ url, administrator }) {
  const basic = Buffer.from(`${administrator.login}:${administrator.password}`).toString('base64');
  const send = (method, route, body) =>
    fetch(`${url}${route}`, {
      method,
      headers: { 'content-type': 'application/json', ...(route.startsWith('/wp-json') ? { authorization: `Basic ${basic}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const api = '/wp-json/tribe/events/v1';
  await send('PUT', '/__qa/snapshots/before-checkout');
  await send('PUT', '/__qa/snapshots/sold-out');
  for (const name of ['team-a', 'checkout', 'nightly']) await send('PUT', `/__qa/sandboxes/${name}`);
  await send('POST', '/__qa/faults', { match: { path: '/tribe/events/v1/organizers' }, times: 1, effect: { status: 503 } });
  await send('POST', '/__qa/faults', { match: { path: '/tribe/events/v1/venues/**' }, effect: { delay: 300 } });
  for (let page = 1; page <= 4; page += 1) await send('GET', `${api}/events?per_page=3&page=${page}`);
  await send('GET', `/__sandbox/checkout${api}/events?per_page=3`);
  await send('GET', `${api}/venues?per_page=5`);
  await send('GET', `${api}/venues?per_page=5`);
  await send('GET', `${api}/events?per_page=3&search=jazz`);
  await send('GET', `${api}/venues/99999`);
  await send('GET', `${api}/organizers`);
  await send('POST', `${api}/events`, { ...EVENT, venu: 3 });
  await send('GET', `${api}/events?per_page=3&stat_date=2026-07-01`);
  await send('GET', `/__sandbox/nightly${api}/categories`);
  await send('GET', '/events/');
}

/** Finds a route, and reads its error. */
async function tryOut(page) {
  await page.fill('#search', 'create event');
  await page.press('#search', 'Enter');
  await page.selectOption('#send-as', 'administrator');
  await page.fill('#body', JSON.stringify({ title: 'Concert in the park', start_date: 'tomorow' }, null, 2));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.outcome').waitFor();
  await page.mouse.move(0, 0);
}

const browser = await openBrowser();
if (browser) {
  const server = await openDemo(options.dist);
  mkdirSync(options.out, { recursive: true });
  const save = async (name, page) => {
    const picture = await sharp(await page.screenshot())
      .png({ palette: true, quality: 90, effort: 10 })
      .toBuffer();
    const file = path.join(options.out, `${name}.png`);
    writeFileSync(file, picture);
    console.log(`${path.relative(root, file)}: ${picture.length} bytes`);
    if (picture.length > MOST) {
      console.error(`That is more than ${MOST} bytes.`);
      process.exitCode = 1;
    }
  };
  const open = async (view, viewport, colorScheme) => {
    const page = await browser.newPage({ viewport, colorScheme, locale: 'en', reducedMotion: 'reduce' });
    await page.goto(`${server.url}/__qa/${view}`);
    return page;
  };
  const control = async (viewport, colorScheme) => {
    const page = await open('ui', viewport, colorScheme);
    await page.locator('[role=option]').nth(5).waitFor();
    return page;
  };
  try {
    await prepare(server);
    const page = await control(DESKTOP, 'light');
    await page.locator('[role=option]', { hasText: 'stat_date' }).click();
    await page.locator('#entry-panel pre').waitFor();
    await save('qa', page);
    await save('qa-dark', await control(DESKTOP, 'dark'));
    await save('qa-phone', await control({ width: 390, height: 844 }, 'light'));
    const explorer = await open('explorer', { width: 1280, height: 800 }, 'light');
    await explorer.locator('.explorer').waitFor();
    await tryOut(explorer);
    await save('explorer', explorer);
  } finally {
    await browser.close();
    await server.close();
  }
}
