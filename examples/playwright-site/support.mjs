import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { useUnderstudy } from 'wp-understudy/node';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why the tests cannot run here, or false. */
export const skip = existsSync(executablePath)
  ? false
  : `there is no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM`;

const FOLDERS = { client: path.dirname(fileURLToPath(import.meta.resolve('wp-understudy/client'))), site: path.resolve('site') };
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the site, and the client that its pages import. */
async function serve(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = pathname.startsWith('/client/') ? path.join(FOLDERS.client, pathname.slice(8)) : path.join(FOLDERS.site, pathname);
  try {
    const content = await readFile(file);
    response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/octet-stream').end(content);
  } catch {
    response.writeHead(404).end();
  }
}

const server = createServer((request, response) => void serve(request, response));

/** A browser, the site, and a calendar for the tests of a file. */
export function useSite() {
  if (skip) return {};
  const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });
  let browser;
  before(async () => {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A sandbox of its own is more than a container lets an ordinary browser have.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    server.close();
  });
  const openPage = async () => {
    const page = await browser.newPage();
    const api = encodeURIComponent(understudy.restUrl);
    await page.goto(`http://127.0.0.1:${server.address().port}/index.html?api=${api}`);
    await page.waitForSelector('body[data-ready]');
    return page;
  };
  return { understudy, openPage };
}
