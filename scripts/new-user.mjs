// Measures the time of a new user, from an empty folder with an empty npm cache to the first green test of a page in a headless browser:
// node scripts/new-user.mjs [FOLDER]. The package is the one that `npm pack` makes, other packages come from the registry.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBrowser, root } from './browser.mjs';

const work = process.argv[2] === undefined ? mkdtempSync(path.join(os.tmpdir(), 'understudy-new-user-')) : path.resolve(process.argv[2]);
const project = path.join(work, 'project');

/** The files of the user: a page, and a test of it. */
const FILES = {
  'index.html': `<!doctype html>
<title>What is on</title>
<ul></ul>
<script type="module">
  const restUrl = new URLSearchParams(location.search).get('api');
  const response = await fetch(restUrl + '/tribe/events/v1/events');
  for (const { title } of (await response.json()).events)
    document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: title }));
</script>
`,
  'page.test.mjs': `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { useUnderstudy } from 'wp-understudy/node';

const understudy = useUnderstudy({ strict: true });

test('the page lists the events', async (t) => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const html = await readFile('index.html');
  const site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.after(() => Promise.all([browser.close(), site.close()]));
  await page.goto('http://127.0.0.1:' + site.address().port + '/?api=' + encodeURIComponent(understudy.restUrl));
  await page.waitForSelector('li');
  const { events } = await understudy.client.events.list();
  assert.deepEqual(await page.locator('li').allTextContents(), events.map(({ title }) => title));
});
`,
};

/** Runs a command of the user, and measures its time. */
async function run(command, args, cwd = project) {
  const env = {
    ...process.env,
    npm_config_cache: path.join(work, 'npm-cache'),
    XDG_CACHE_HOME: path.join(work, 'cache'),
    CHROMIUM: findBrowser(),
  };
  const started = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed (${status}):\n${said.stdout}${said.stderr}`);
  return { seconds: (performance.now() - started) / 1000, stdout: said.stdout };
}

const sizeOf = async (folder) => Number((await run('du', ['-sk', folder])).stdout.split('\t')[0]) / 1024;

if (findBrowser() === undefined)
  throw new Error('There is no Chromium. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.');
try {
  mkdirSync(project, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  const [{ filename, size }] = JSON.parse(stdout);
  console.log(`Node.js ${process.versions.node}, ${os.cpus().length} processors, package of ${(size / 1024 / 1024).toFixed(1)} MB`);

  const steps = [
    ['npm init', 'npm', ['init', '--yes']],
    ['npm install', 'npm', ['install', '--save-dev', '--no-audit', '--no-fund', path.join(work, filename), 'playwright-core']],
    ['understudy init', 'npx', ['understudy', 'init']],
    [
      'first test, with a cold database',
      'node',
      ['--test'],
      () => Object.entries(FILES).map(([name, text]) => writeFileSync(path.join(project, name), text)),
    ],
    ['the same test again', 'node', ['--test']],
  ];
  let total = 0;
  for (const [name, command, args, prepare] of steps) {
    prepare?.();
    const { seconds } = await run(command, args);
    total += seconds;
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  }
  console.log(
    `${total.toFixed(1).padStart(6)} s  in all; node_modules has ${Math.round(await sizeOf(path.join(project, 'node_modules')))} MB`,
  );
  const config = ['ts', 'js', 'mjs', 'json']
    .map((kind) => path.join(project, `understudy.config.${kind}`))
    .find((file) => existsSync(file));
  if (config !== undefined) console.log(`\n${path.basename(config)}:\n${readFileSync(config, 'utf8')}`);
} finally {
  if (process.argv[2] === undefined) rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
