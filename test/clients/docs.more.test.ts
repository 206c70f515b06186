import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sourceNodes } from 'gatsby-source-tribe-events';
import { addUser } from '../../src/wordpress/users/users.js';
import { Browser, hidden } from '../support/browser.js';
import { startTestServer } from '../support/server.js';
import { documentOf } from '../support/scraper.js';
import { picture } from './support.js';

/** Runs every example of docs/clients.md. */

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const ADDRESS = 'http://127.0.0.1:8080';

const DEMO = { profile: 'standard', now: '2026-06-15T12:00:00Z', adminPassword: 'only for the demo' } as const;
const server = startTestServer(DEMO);
const withTickets = startTestServer({ ...DEMO, plugins: ['event-tickets'] });

let page = '';
let project = '';
beforeAll(async () => {
  page = await readFile(path.join(root, 'docs/clients.md'), 'utf8');
  project = await mkdtemp(path.join(os.tmpdir(), 'understudy-clients-'));
  await symlink(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  await writeFile(path.join(project, 'poster.png'), await picture());
  const anna = { login: 'anna', email: 'anna@example.org', role: 'editor', accountPassword: 'anna' };
  await addUser(server().site.store, anna);
});
afterAll(() => rm(project, { recursive: true, force: true }));

interface Example {
  text: string;
  /** Expected output, as printed on the page. */
  output: string;
}

const example = (name: string, at = server): Example => {
  const [, text, output = ''] = new RegExp(`\`\`\`\\w+ ${name}\\n([^]*?)\`\`\`(?:\\n\\n\`\`\`text output\\n([^]*?)\`\`\`)?`).exec(page) ?? [
    '',
    '',
  ];
  return { text: text.replaceAll(ADDRESS, at().url), output };
};

/** Writes an example into the project and runs it. */
async function run(name: string, file: string, [command, ...before]: string[], args: string[] = [], env: Record<string, string> = {}) {
  const { text, output } = example(name);
  await writeFile(path.join(project, file), text);
  const { stdout } = await promisify(execFile)(command, [...before, file, ...args], { cwd: project, env: { ...process.env, ...env } });
  return { stdout: stdout.trim(), expected: output.trim() };
}

const node = process.execPath;

test('Gatsby loads the source plugin and its events', async () => {
  const file = path.join(project, 'gatsby-config.cjs');
  await writeFile(file, example('gatsby').text);
  const { plugins } = createRequire(file)(file) as { plugins: { resolve: string; options: { baseUrl: string; maxEvents: number } }[] };
  expect(plugins.map(({ resolve }) => resolve)).toEqual(['gatsby-source-tribe-events']);
  const types: unknown[] = [];
  const createNode = ({ internal }: Record<string, unknown>): unknown => types.push((internal as { type: string }).type);
  await sourceNodes({ actions: { createNode }, createNodeId: String, createContentDigest: String }, plugins[0].options);
  const { total } = (await (await fetch(`${server().restUrl}/tribe/events/v1/events`)).json()) as { total: number };
  expect(types.filter((type) => type === 'TribeEvents').length).toBe(total);
});

test('Eleventy loads the events of all pages', async () => {
  await writeFile(path.join(project, 'events.mjs'), example('eleventy').text);
  const script = `import('./events.mjs').then(async ({ default: events }) => console.log(new Set((await events()).map(({ id }) => id)).size))`;
  const { stdout } = await promisify(execFile)(node, ['-e', script], { cwd: project });
  const { total } = (await (await fetch(`${server().restUrl}/tribe/events/v1/events`)).json()) as { total: number };
  expect(Number(stdout)).toBe(total);
  expect(total).toBeGreaterThan(10);
});

test('a WordPress JS client writes', async () => {
  const { stdout, expected } = await run('wpapi', 'client.mjs', [node]);
  expect(stdout).toBe(expected);
});

test('a browser app signs in with cookies', async () => {
  const browser = new Browser(server);
  await browser.logIn('anna');
  const COOKIES = [...browser.jar].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  const { stdout, expected } = await run('browser', 'page.mjs', [node, '--import', path.join(here, 'browser.mjs')], [], { COOKIES });
  expect(stdout).toBe(expected);
});

test('a phone app obtains and revokes an application password', async () => {
  const browser = new Browser(server);
  await browser.logIn('anna');
  const [address] = /\/wp-admin\/authorize-application\.php\?[^`]*/.exec(page) ?? [''];
  const form = await browser.visit(address);
  const fields = ['_wpnonce', 'action', 'success_url'].map((name) => [name, hidden(form.text, name)] as const);
  const answer = await browser.send('/wp-admin/authorize-application.php', {
    ...Object.fromEntries(fields),
    app_name: 'Town app',
    approve: 'approve',
  });
  expect(answer.location).toMatch(/^town-app:\/\/signed-in\?site_url=/);
  const { stdout, expected } = await run('phone', 'phone.mjs', [node], [answer.location ?? '']);
  expect(stdout).toBe(expected);
});

test('a script creates an event with an image', async () => {
  const { stdout, expected } = await run('posting', 'post.sh', ['bash', '-eu']);
  expect(stdout).toBe(expected);
});

/** The sentence that the plugin requires and that the MCP server sends. */
const ACKNOWLEDGEMENT =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

test('an MCP server lists, creates, updates and deletes', async () => {
  const { mcpServers } = JSON.parse(example('mcp').text) as { mcpServers: { calendar: { env: Record<string, string> } } };
  const { WP_URL, WP_USERNAME, WP_APP_PASSWORD } = mcpServers.calendar.env;
  const headers = {
    Authorization: `Basic ${btoa(`${WP_USERNAME}:${WP_APP_PASSWORD}`)}`,
    'Content-Type': 'application/json',
    'X-TEC-EEA': ACKNOWLEDGEMENT,
  };
  /** Sends a request like the MCP server's API client: the body is JSON, and the response must be JSON. */
  const send = async (route: string, method = 'GET', body?: object): Promise<[number, unknown]> => {
    const response = await fetch(`${WP_URL}/wp-json/tec/v1/${route}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return [response.status, await response.json()];
  };

  const [, found] = await send('events?per_page=10&search=market');
  expect((found as unknown[]).length).toBeGreaterThan(0);
  const [, venue] = await send('venues', 'POST', {
    title: 'Conference Center',
    address: '1 Main St',
    city: 'Lindental',
    country: 'Germany',
  });
  const { id: venueId } = venue as { id: number };
  const times = { start_date: '2026-07-25 15:00:00', end_date: '2026-07-25 17:00:00' };
  const [status, event] = await send('events', 'POST', { title: 'My event', ...times, description: 'Text', venues: [venueId] });
  const { id, venues } = event as { id: number; venues: { id: number }[] };
  expect([status, venues.map((each) => each.id)]).toEqual([201, [venueId]]);
  expect(await send(`events/${id}`, 'PUT', { title: 'Their event' })).toEqual([200, expect.objectContaining({ slug: 'my-event' })]);
  expect((await send(`events/${id}`, 'DELETE'))[0]).toBe(200);
  expect((await send(`organizers?per_page=5`))[0]).toBe(200);
});

test('the client of this project sells a ticket and checks in', async () => {
  const { text, output } = example('tickets', withTickets);
  const client = pathToFileURL(path.join(root, 'dist/sdk/client/index.js')).href;
  await writeFile(path.join(project, 'tickets.mjs'), text.replace('wp-understudy/client', client));
  const { stdout } = await promisify(execFile)(node, ['tickets.mjs'], { cwd: project });
  expect(stdout).toBe(output);
});

test('the selectors of scrapers find elements', async () => {
  const selectors = [...page.matchAll(/^- (`.*`): /gm)].flatMap(([, cell]) => cell.match(/[\w-]*\.tribe-[\w-]+/g) ?? []);
  const pages = await Promise.all(
    ['/events/list/', '/events/month/', '/event/town-festival/'].map(async (address) =>
      documentOf((await new Browser(server).visit(address)).text),
    ),
  );
  expect(selectors).toHaveLength(11);
  expect(selectors.filter((selector) => !pages.some((each) => each.one(selector)))).toEqual([]);
});
