import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documents } from '../support/documents.js';
import { freePort } from '../support/port.js';
import { startTestServer } from '../support/server.js';
import { Project, tools, withTools } from '../support/tools.js';

/** The recipes for frameworks, built with their newest releases, on the Node.js that these need. */

const NOW = '2026-06-15T12:00:00Z';
const events = [
  { title: 'Fair', start: '+1d 10:00', duration: '2h' },
  { title: 'Late <b>Show</b>', start: '+3d 20:00', duration: '2h' },
];
const server = startTestServer({ dataset: { site: { timezone: 'UTC' }, events }, now: NOW });

let project: Project;
let node = '';
beforeAll(() => {
  if (tools === null) return;
  project = new Project(tools);
  ({ node } = tools);
});
beforeEach(() => project?.empty());
afterAll(() => project?.delete());

/** A block of the documentation. */
function block(use: string): string {
  const pattern = new RegExp(`^\`\`\`\\w+ ${use}\\n([^]*?)^\`\`\`$`, 'm');
  return documents.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0];
}

function build(...args: string[]): void {
  const built = project.run(node, args);
  expect([built.status, built.output]).toEqual([0, expect.any(String)]);
}

/** Serves what was built while a test asks it. @param env besides the addresses of the site and of its calendar */
async function serving(args: readonly string[], env: NodeJS.ProcessEnv, test: (url: string) => Promise<void>): Promise<void> {
  const port = String(await freePort());
  const site = project.start(node, args, { PORT: port, HOST: '127.0.0.1', CALENDAR_URL: server().url, ...env });
  site.stderr?.resume();
  try {
    await once(site.stdout!, 'data');
    await test(`http://127.0.0.1:${port}`);
  } finally {
    site.kill('SIGTERM');
  }
}

const LONG_MS = 400_000;

withTools(
  'SvelteKit 3: the recipe reads the variable, and passes the sandbox on',
  async () => {
    project.write({
      'vite.config.js': `
      import { sveltekit } from '@sveltejs/kit/vite';
      import adapter from '@sveltejs/adapter-node';
      export default { plugins: [sveltekit({ adapter: adapter() })] };`,
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<script>let { data } = $props();</script>{#each data.events as { title }}<li>{title}</li>{/each}',
      'src/routes/+page.server.js': block('sveltekit'),
      'src/hooks.server.js': block('sveltekit-hooks'),
      'src/env.js': block('sveltekit-env'),
    });
    build('node_modules/vite/bin/vite.js', 'build');
    const selected: unknown[] = [];
    const calendar = createServer((request, response) => {
      selected.push(request.headers['x-understudy-sandbox']);
      response.setHeader('Content-Type', 'application/json').end('{ "events": [{ "title": "Fair" }] }');
    }).listen(0, '127.0.0.1');
    await once(calendar, 'listening');
    const { port } = calendar.address() as AddressInfo;
    try {
      await serving(['build'], { CALENDAR_URL: `http://127.0.0.1:${port}` }, async (url) => {
        const response = await fetch(url, { headers: { 'X-Understudy-Sandbox': 'w1' } });
        expect([response.status, await response.text(), selected]).toEqual([200, expect.stringContaining('<li>Fair</li>'), ['w1']]);
      });
    } finally {
      calendar.close();
    }
  },
  LONG_MS,
);

withTools(
  'Astro: a page on demand, also at another time',
  async () => {
    project.write({
      'astro.config.mjs': `
        import node from '@astrojs/node';
        export default { adapter: node({ mode: 'standalone' }) };`,
      'src/lib/events.js': block('astro'),
      'src/pages/index.astro': `---
import { nextEvents } from '../lib/events.js';
export const prerender = false;
const events = await nextEvents(Astro.request.headers.get('x-understudy-now') ?? '');
---
<ul>{events.map(({ title }) => <li set:html={title} />)}</ul>`,
    });
    build('node_modules/astro/bin/astro.mjs', 'build');
    await serving(['dist/server/entry.mjs'], {}, async (url) => {
      const titles = async (headers = {}): Promise<string[]> =>
        [...(await (await fetch(url, { headers })).text()).matchAll(/<li>(.*?)<\/li>/g)].map(([, title]) => title);
      expect(await titles()).toEqual(['Fair', 'Late <b>Show</b>']);
      expect(await titles({ 'X-Understudy-Now': '2026-06-18T12:00:00Z' })).toEqual(['Late <b>Show</b>']);
    });
  },
  LONG_MS,
);

withTools(
  'Nuxt: a cached function, which tests bypass or revalidate',
  async () => {
    const [, key] = /removeItem\('([^']+)'\)/.exec(documents.map(({ text }) => text).join('')) ?? [];
    project.write({
      'nuxt.config.js': `export default { telemetry: false, compatibilityDate: '2026-06-15' };`,
      'app.vue': '<template><p>The site</p></template>',
      'server/utils/events.js': block('nuxt'),
      'server/routes/titles.get.js': 'export default defineEventHandler(async () => (await nextEvents()).map(({ title }) => title));',
      'server/routes/revalidate.post.js': `export default defineEventHandler(() => useStorage('cache').removeItem('${key}').then(() => 'ok'));`,
    });
    build('node_modules/nuxt/bin/nuxt.mjs', 'build');
    const { clock } = server().site;
    for (const cache of ['off', 'on']) {
      clock.freeze(Date.parse(NOW));
      await serving(['.output/server/index.mjs'], { CALENDAR_CACHE: cache }, async (url) => {
        const titles = async (): Promise<unknown> => (await fetch(`${url}/titles`)).json();
        expect(await titles()).toEqual(['Fair', 'Late <b>Show</b>']);
        clock.freeze(Date.parse(NOW) + 72 * 3_600_000);
        expect(await titles()).toEqual(cache === 'off' ? ['Late <b>Show</b>'] : ['Fair', 'Late <b>Show</b>']);
        expect((await fetch(`${url}/revalidate`, { method: 'POST' })).status).toBe(200);
        expect(await titles()).toEqual(['Late <b>Show</b>']);
      });
    }
  },
  LONG_MS,
);

withTools(
  'Storybook has the calendar of the Vite plugin at its origin',
  async () => {
    project.write({
      '.storybook/main.js': `
        export default { framework: '@storybook/html-vite', stories: ['../src/*.stories.js'], core: { disableTelemetry: true } };`,
      'vite.config.js': `
        import { understudy } from 'wp-understudy/vite';
        export default { plugins: [understudy({ dataset: 'dataset.json', now: '${NOW}' })] };`,
      'dataset.json': JSON.stringify({ events }),
      'src/list.stories.js': `export default { title: 'List', render: () => '<ul></ul>' }; export const Upcoming = {};`,
    });
    const port = await freePort();
    const args = ['dev', '--port', String(port), '--host', '127.0.0.1', '--ci', '--no-open', '--exact-port'];
    const storybook = project.start(node, ['node_modules/storybook/dist/bin/dispatcher.js', ...args]);
    const ended = once(storybook, 'exit');
    const url = `http://127.0.0.1:${port}`;
    try {
      storybook.stderr?.resume();
      // It prints its address when it is ready.
      await new Promise<void>((resolve) => {
        storybook.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes(String(port)) && resolve());
        storybook.once('exit', () => resolve());
      });
      const list = (await (await fetch(`${url}/wp-json/tribe/events/v1/events`)).json()) as { events: { url: string }[] };
      expect(list.events.map((event) => event.url)).toEqual([`${url}/event/fair/`, `${url}/event/late-show/`]);
      expect((await fetch(`${url}/__qa/reset`, { method: 'POST', headers: { Origin: url } })).status).toBe(200);
      expect(await (await fetch(`${url}/index.json`)).text()).toContain('list--upcoming');
    } finally {
      storybook.kill('SIGTERM');
      await ended;
    }
  },
  LONG_MS,
);
