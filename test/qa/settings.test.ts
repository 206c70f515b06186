import { Control } from '../../src/sdk/testing/control.js';
import { startServer } from '../../src/server/app/start.js';
import { resolveOptions } from '../../src/server/config/index.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({
  dataset: {
    site: { settings: { events_slug: 'termine' } },
    pages: [
      { title: 'Welcome', slug: 'welcome' },
      { title: 'Front', slug: 'front' },
    ],
    posts: [
      { title: 'Hello', slug: 'hello', date: '2026-06-10 10:00' },
      { title: 'Bye', slug: 'bye', date: '2026-06-10 11:00' },
    ],
  },
});
const control = (sandbox = ''): Control => new Control({ url: `${server().url}${sandbox}` });

async function linkOfPost(sandbox = ''): Promise<string> {
  const response = await fetch(`${server().url}${sandbox}/?rest_route=/wp/v2/posts&_fields=link`);
  const [, { link }] = (await response.json()) as { link: string }[];
  return link.replace(`${server().url}${sandbox}`, '');
}

test('settings hold until the reset, in the site and in a sandbox', async () => {
  expect(await control().settings()).toMatchObject({ permalinks: '/%postname%/', front_page: null, events_slug: 'termine' });
  const sent = { permalinks: '/%year%/%postname%/', front_page: 'Welcome', search_engines: false } as const;
  expect(await control().setSettings(sent)).toMatchObject({ ...sent, front_page: 'welcome', events_slug: 'termine' });
  expect(await linkOfPost()).toBe('/2026/hello/');
  expect(await (await fetch(`${server().url}/wp-json/`)).json()).toMatchObject({ show_on_front: 'page' });
  // The sandbox begins with the dataset.
  await control().createSandbox('other');
  expect(await linkOfPost('/__sandbox/other')).toBe('/hello/');
  await control('/__sandbox/other').setSettings({ permalinks: 'plain', events_slug: null });
  expect(await linkOfPost('/__sandbox/other')).toMatch(/^\/\?p=\d+$/);
  expect(await control('/__sandbox/other').settings()).toMatchObject({ permalinks: 'plain', front_page: null, events_slug: 'events' });
  await control().reset();
  await control('/__sandbox/other').reset();
  for (const sandbox of ['', '/__sandbox/other']) {
    expect(await linkOfPost(sandbox)).toBe('/hello/');
    expect(await control(sandbox).settings()).toMatchObject({ search_engines: true, front_page: null, events_slug: 'termine' });
  }
});

test('the page of posts has further pages, and others have none', async () => {
  await control('/__sandbox/other').setSettings({ front_page: 'front', posts_page: 'welcome', posts_per_page: 1 });
  const page = async (path: string): Promise<string> => {
    const response = await fetch(`${server().url}/__sandbox/other${path}`);
    return `${response.status} ${/>(Hello|Bye)</.exec(await response.text())?.[1] ?? ''}`;
  };
  expect(await page('/welcome/')).toBe('200 Bye');
  expect(await page('/welcome/page/2/')).toBe('200 Hello');
  expect(await page('/welcome/page/3/')).toBe('404 ');
  expect(await page('/front/page/2/')).toBe('404 ');
  await control('/__sandbox/other').reset();
});

test('rules and the journal name routes below a renamed REST root', async () => {
  await control().setSettings({ rest_prefix: 'api' });
  const path = '/tribe/events/v1/events';
  await control().stubs.add({ match: { path }, respond: { body: { events: [] } } });
  expect(await (await fetch(`${server().url}/api${path}`)).json()).toEqual({ events: [] });
  expect(await control().journal.verify({ path, count: 1 })).toMatchObject({ verified: true });
  await control().reset();
});

test.each([
  [{ permalinks: 'pretty' }, 400, 'permalinks must be "plain" or a structure'],
  [{ permalink: 'plain' }, 400, 'Did you mean "permalinks"?'],
  [{ front_page: 'nowhere' }, 400, 'front_page: there is no page with the slug "nowhere"'],
  [{ image_sizes: { medium: { width: 'wide' } } }, 400, 'image_sizes.medium.width must be a number'],
])('%j is refused, and nothing changes', async (settings, status, message) => {
  const before = await control().settings();
  const response = await fetch(`${server().url}/__qa/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ search_engines: false, ...settings }),
  });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(JSON.stringify(message).slice(1, -1));
  expect(await control().settings()).toEqual(before);
});

describe('settings of the server', () => {
  const dataset = { site: { settings: { events_slug: 'termine' } }, pages: [{ title: 'Welcome' }] };
  const settings = { permalinks: 'plain', front_page: 'Welcome', events_slug: null };
  const configured = startTestServer({ dataset, settings });

  test('count instead of those of its datasets, after a reset and in a sandbox', async () => {
    const { url } = configured();
    const [main, sandbox] = [new Control({ url }), new Control({ url: `${url}/__sandbox/other` })];
    const started = { permalinks: 'plain', front_page: 'welcome', events_slug: 'events' };
    expect(await main.settings()).toMatchObject(started);
    await main.setSettings({ permalinks: '/%postname%/', front_page: null });
    await main.reset();
    expect(await main.settings()).toMatchObject(started);
    await main.createSandbox('other');
    await sandbox.seed({ site: { settings: { permalinks: '/blog/%postname%/' } }, pages: [{ id: 9, title: 'Welcome' }] });
    expect(await sandbox.settings()).toMatchObject(started);
  });

  test.each([
    [{ permalink: 'plain' }, 'settings: unknown setting "permalink". Did you mean "permalinks"?'],
    [{ posts_per_page: 0 }, 'settings: posts_per_page must be at least 1'],
    [{ posts_page: 'nowhere' }, 'posts_page: there is no page with the slug "nowhere"'],
    ['/none.json', '--settings: cannot read /none.json (ENOENT)'],
  ])('%j is refused at startup', async (given, message) => {
    const options = resolveOptions({ port: 0, ephemeral: true, logLevel: 'error' }, { dataset, settings: given as object });
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
