#!/usr/bin/env node
// Replaces `cypress run` if the binary of Cypress is not installed: runs the specs of the working directory in the Chromium at hand, with
// the few commands of Cypress that the example uses (page.js). Support files and tasks are those of the project.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { openBrowser } from '../browser.mjs';

const PAGE = fileURLToPath(new URL('page.js', import.meta.url));

async function readConfig() {
  const { default: config } = await import(pathToFileURL(path.resolve('cypress.config.js')).href);
  const tasks = {};
  const on = (event, handlers) => event === 'task' && Object.assign(tasks, handlers);
  return { tasks, ...(await config.e2e.setupNodeEvents(on, { env: {}, ...config.e2e })) };
}

/** The driver, the support file and a spec in one script. */
async function bundle(spec) {
  const files = [PAGE, path.resolve('cypress/support/e2e.js'), path.resolve(spec)];
  const contents = files.map((file) => `import ${JSON.stringify(file)};`).join('\n');
  const { outputFiles } = await build({ stdin: { contents, resolveDir: process.cwd() }, bundle: true, write: false, format: 'iife' });
  return outputFiles[0].text;
}

/** @returns whether all tests passed */
async function run(browser, spec, { tasks, baseUrl, env }) {
  const page = await browser.newPage();
  await page.exposeFunction('performTask', async (name, argument) => {
    try {
      const value = await tasks[name](argument);
      return value === undefined ? { error: `The task ${name} returned undefined.` } : { value };
    } catch (error) {
      return { error: `cy.task('${name}') failed: ${error.message}` };
    }
  });
  // On the origin of the site, as Cypress does it: specs look into its pages.
  await page.route(`${baseUrl}/__cypress`, (route) => route.fulfill({ contentType: 'text/html', body: '<iframe></iframe>' }));
  await page.goto(`${baseUrl}/__cypress`);
  await page.addScriptTag({ content: await bundle(spec) });
  const results = await page.evaluate((given) => globalThis.runTests(given), { baseUrl, env });
  await page.close();
  for (const { name, error } of results) console.log(error === null ? `ok ${name}` : `not ok ${name}\n  ${error}`);
  return results.length > 0 && results.every(({ error }) => error === null);
}

const config = await readConfig();
const browser = await openBrowser();
if (browser === null) {
  console.log('# SKIP there is no browser');
  process.exit(0);
}
let passed = true;
for (const spec of readdirSync('cypress/e2e')) passed = (await run(browser, `cypress/e2e/${spec}`, config)) && passed;
await browser.close();
process.exit(passed ? 0 : 1);
