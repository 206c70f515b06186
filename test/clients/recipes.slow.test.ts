import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { Understudy, type StrictOptions } from '../../src/sdk/testing/jest.js';
import { startServe } from '../support/cli.js';
import { documents, read, root } from '../support/documents.js';
import { startTestServer } from '../support/server.js';

/** Runs the blocks of docs/recipes.md, docs/journal.md and docs/in-process.md that are not files of an example. */

const NOW = '2026-06-15T12:00:00Z';
const server = startTestServer({ now: NOW, profile: 'standard' });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-recipes-'));
  process.env['CALENDAR_URL'] = server().url;
});
afterAll(() => {
  delete process.env['CALENDAR_URL'];
  rmSync(folder, { recursive: true, force: true });
});

function block(use: string): string {
  const pattern = new RegExp(`^\`\`\`\\w+ ${use}\\n([^]*?)^\`\`\`$`, 'm');
  const [text] = documents.flatMap(({ text: page }) => pattern.exec(page)?.[1] ?? []);
  if (text === undefined) throw new Error(`There is no block ${use}.`);
  return text;
}

/** Runs the module of a block in its own process, and parses the JSON that it prints. */
async function run(
  use: string,
  { before = '', after = '' }: { before?: string; after?: string },
  env: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const file = path.join(folder, `${use}.mjs`);
  writeFileSync(file, `${before}\n${block(use)}\n${after}`);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

const EXAMPLES = documents.flatMap(({ file, text }) =>
  [...text.matchAll(/^```\w+ example=(\S+)\n([^]*?)^```$/gm)].map(([, name, content]) => ({ file, name, content })),
);

test('finds blocks that are files of examples', () => {
  expect(EXAMPLES.length).toBeGreaterThan(5);
});

test.each(EXAMPLES)('$file shows examples/$name', ({ name, content }) => {
  const whole = readFileSync(path.join(root, 'examples', name), 'utf8');
  // Without the closing bracket: the file in examples may have more tests.
  const beginning = content.replace(/\n\}\);\n$/, '').trimEnd();
  expect(whole.startsWith(beginning)).toBe(true);
});

const upcoming = async (headers: Record<string, string> = {}): Promise<number[]> => {
  const response = await fetch(`${server().restUrl}/tribe/events/v1/events?per_page=5`, { headers });
  const { events } = (await response.json()) as { events: { id: number }[] };
  return events.map(({ id }) => id);
};

const PRINT = 'console.log(JSON.stringify(events.map(({ id }) => id)));';

test('Nuxt: a cached function, which tests bypass', async () => {
  const before = `
    globalThis.defineCachedFunction = (load, options) => Object.assign(load, { options });`;
  const after = `
    const { name, getKey, shouldBypassCache } = nextEvents.options;
    const events = shouldBypassCache() ? await nextEvents() : [];
    console.log(JSON.stringify({ key: \`nitro:functions:\${name}:\${getKey()}.json\`, ids: events.map(({ id }) => id) }));`;
  const { key, ids } = (await run('nuxt', { before, after }, { CALENDAR_CACHE: 'off' })) as { key: string; ids: number[] };
  expect(ids).toEqual(await upcoming());
  expect(read('docs/recipes.md')).toContain(`removeItem('${key}')`);
});

test('Astro: events, also those of another time', async () => {
  expect(await run('astro', { after: `const events = await nextEvents(); ${PRINT}` })).toEqual(await upcoming());
  const later = '2026-07-01T12:00:00Z';
  const ids = await run('astro', { after: `const events = await nextEvents('${later}'); ${PRINT}` });
  expect(ids).toEqual(await upcoming({ 'X-Understudy-Now': later }));
  expect(ids).not.toEqual(await upcoming());
});

test('SvelteKit: load, its test, and the header that is passed on', async () => {
  // Simulates SvelteKit's `$env` modules.
  const variables = path.join(folder, 'node_modules/$env');
  mkdirSync(variables, { recursive: true });
  writeFileSync(path.join(variables, 'package.json'), '{ "type": "module", "exports": { "./dynamic/private": "./private.js" } }');
  writeFileSync(path.join(variables, 'private.js'), 'export const env = { ...process.env };');
  const after = `const { events } = await load({ fetch, depends: () => undefined }); ${PRINT}`;
  expect(await run('sveltekit', { after })).toEqual(await upcoming());

  const passedOn = `
    const ask = (url, headers) => {
      const request = new Request(url);
      handleFetch({ event: { request: new Request('http://site.example', { headers }) }, request, fetch: () => undefined });
      return request.headers.get('x-understudy-sandbox');
    };
    const selected = { 'x-understudy-sandbox': 'worker-1' };
    console.log(JSON.stringify([ask(env.CALENDAR_URL + '/x', selected), ask('http://other.example', selected), ask(env.CALENDAR_URL, {})]));`;
  expect(await run('sveltekit-hooks', { after: passedOn })).toEqual(['worker-1', null, null]);

  symlinkSync(root, path.join(folder, 'node_modules/wp-understudy'), 'junction');
  symlinkSync(path.join(root, 'node_modules/vitest'), path.join(folder, 'node_modules/vitest'), 'junction');
  writeFileSync(path.join(folder, '+page.server.js'), block('sveltekit'));
  writeFileSync(path.join(folder, 'page.server.test.js'), block('sveltekit-test'));
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^CALENDAR_URL/.test(name)) delete env[name];
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'page.server.test.js'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  expect(stdout).toMatch(/Tests +1 passed/);
}, 60_000);

/** Simulates containers with processes on this machine. */
const CONTAINERS = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export const Wait = { forHttp: (path) => path };

export class GenericContainer {
  constructor(image) { this.image = image; }
  withExposedPorts(port) { this.port = port; return this; }
  withEnvironment(env) { this.env = env; return this; }
  withWaitStrategy(path) { this.path = path; return this; }
  async start() {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    probe.close();
    const args = [process.env.CLI, 'serve', '--ephemeral', '--port', String(port)];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...this.env }, stdio: 'ignore' });
    const isReady = () => fetch(\`http://127.0.0.1:\${port}\${this.path}\`).then(({ ok }) => ok, () => false);
    while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
    return { getHost: () => '127.0.0.1', getMappedPort: () => port, stop: () => (child.kill(), once(child, 'exit')) };
  }
}
`;

test('Testcontainers: waits for health, reads events, resets', async () => {
  const stub = path.join(folder, 'node_modules/testcontainers');
  mkdirSync(stub, { recursive: true });
  writeFileSync(path.join(stub, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(path.join(stub, 'index.js'), CONTAINERS);
  expect(await run('testcontainers', {}, { CLI: path.join(root, 'dist/cli.js') })).toBeGreaterThan(0);
  expect(block('testcontainers')).toContain('/__qa/reset');
});

interface Job {
  steps: { uses?: string; id?: string; with?: Record<string, string>; run?: string; env?: Record<string, string> }[];
}

test('GitHub Actions: the workflow uses inputs and outputs that the action has', () => {
  const { inputs, outputs } = parse(read('action.yml')) as Record<'inputs' | 'outputs', object>;
  const text = block('github');
  const { jobs } = parse(text) as { jobs: Record<string, Job> };
  const step = jobs['test'].steps.find(({ uses }) => uses?.startsWith('OWNER/understudy'));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  const used = [...text.matchAll(/steps\.calendar\.outputs\.(\w+)/g)].map(([, name]) => name);
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining(used));
  expect([step?.id, used]).toEqual(['calendar', ['url', 'log']]);
});

/** Arguments of `understudy serve` in a shell line. */
const argumentsIn = (text: string): string[] => /understudy serve (.*?)(?: >.*)?$/m.exec(text)?.[1].split(' ') ?? [];

test.each(['recipes', 'gitlab'])('the server of the block "%s" starts', async (use) => {
  const dataset = path.join(folder, 'calendar.json');
  writeFileSync(dataset, '{ "events": [] }');
  const args = argumentsIn(block(use)).map((argument) => (argument === 'test/calendar.json' ? dataset : argument));
  expect(args).toContain('--ephemeral');
  const started = await startServe([...args, '--port', '0']);
  const { now } = (await (await fetch(`${started.url}/__qa/clock`)).json()) as { now: string };
  expect(await started.stop('SIGTERM')).toMatchObject({ code: 0 });
  expect(now).toBe('2026-06-15T12:00:00.000Z');
});

test('GitLab CI: the script waits for health', () => {
  const { test: job } = parse(block('gitlab')) as { test: { script: string[]; variables: Record<string, string> } };
  expect(job.script).toContainEqual(expect.stringMatching(/^until curl .*"\$CALENDAR_URL\/health"; do sleep 1; done$/));
  expect(job.variables['CALENDAR_URL']).toBe('http://127.0.0.1:8080');
});

test('webhooks: only a body with a valid signature is accepted', async () => {
  const after = `
    const signature = 'sha256=' + createHmac('sha256', 'shh').update('{}').digest('hex');
    console.log(JSON.stringify([isSigned('{}', signature, 'shh'), isSigned('{ }', signature, 'shh'), isSigned('{}', undefined, 'shh')]));`;
  expect(await run('signature', { after })).toEqual([true, false, false]);
});

test('strict: what is allowed by name, and in some requests', async () => {
  const file = path.join(folder, 'strict.mjs');
  writeFileSync(file, `${block('strict')}\nconsole.log(JSON.stringify(strict));`);
  const { stdout } = await promisify(execFile)(process.execPath, [pathToFileURL(file).pathname]);
  process.env['UNDERSTUDY_URL'] = server().url;
  const understudy = await Understudy.open({ strict: JSON.parse(stdout) as StrictOptions });
  delete process.env['UNDERSTUDY_URL'];
  const ask = (target: string): Promise<Response> => fetch(`${understudy.restUrl}/tribe/events/v1/${target}`);
  await ask('events?utm_source=mail');
  await ask('venues/5?x=1');
  await fetch(`${understudy.restUrl}/tribe/events/v1/tags`, { method: 'POST', body: new URLSearchParams({ colour: 'red' }) });
  await understudy.check();
  await ask('events?x=1');
  await expect(understudy.check()).rejects.toThrow('"x" is not a parameter here');
  await understudy.close();
});
