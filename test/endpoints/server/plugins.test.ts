import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Middleware } from 'koa';
import { logTo } from '../../../src/base/system/log.js';
import { Sandboxes } from '../../../src/control/qa/sandboxes/sandboxes.js';
import { Tenant } from '../../../src/control/tenant/tenant.js';
import { quirksOf } from '../../../src/plugins/quirks.js';
import { CALENDAR_PAGES } from '../../../src/plugins/the-events-calendar/pages/index.js';
import { registryOf } from '../../../src/plugins/register.js';
import { createApp, siteStack } from '../../../src/server/app/koa.js';
import { siteRoutes } from '../../../src/server/app/routes.js';
import { Clock } from '../../../src/wordpress/clock.js';
import { servePages } from '../../../src/wordpress/pages/index.js';
import { Schedule } from '../../../src/wordpress/schedule.js';
import { Site } from '../../../src/wordpress/site.js';
import { Store } from '../../../src/wordpress/store.js';
import { jsonLd } from '../../../src/wordpress/views/json-ld.js';
import type { PagePlugin } from '../../../src/wordpress/views/reading.js';
import { WORLD, signIn } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { loadFile, placeOf } from '../../support/datasets.js';
import { readEverything, staleColumns } from '../../support/scan.js';

const CALENDAR = ['the-events-calendar'];
const URL_BASE = 'http://calendar.test';
const log = logTo(process.stderr, 'error');

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A site in this process, with its sandboxes. */
interface Served {
  sandboxes: Sandboxes;
  /** Sends a GET request to a path below the REST root. */
  get: (site: Site, route: string, asAdmin?: boolean) => Promise<Answer>;
  /** Sends a request to any path, without following redirects. */
  visit: (site: Site, path: string, request?: RequestInit) => Promise<Response>;
  main: Site;
  close: () => Promise<void>;
}

async function serve(plugins: readonly string[], { uri, name }: { uri: string; name: string }): Promise<Served> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-plugins-'));
  const uploads = path.join(folder, 'uploads');
  const store = await Store.open(uri, await registryOf(plugins), name);
  const { clock } = await loadFile(WORLD, store, uploads, URL_BASE);
  const main = new Site(store, new Clock(clock), quirksOf('tec'), URL_BASE, uploads);
  await main.reload();
  const tenant = new Tenant('', main, folder, { store, files: placeOf(uploads).pristine, clock }, 0);
  const sandboxes = new Sandboxes({
    main: tenant,
    folder: path.join(folder, 'sandboxes'),
    pool: 0,
    max: 9,
    idle: 0,
    journalSize: 0,
    ownsDatabase: true,
    log,
  });
  const routes = await siteRoutes([]);
  const observe: Middleware = (_ctx, next) => next();
  const servers = new Map<Site, Server>();
  const originOf = async (site: Site): Promise<string> => {
    let server = servers.get(site);
    if (!server) {
      const handle = createApp(log, siteStack({ site, routes, log, schedule: new Schedule(site), observe })).callback();
      server = createServer((request, response) => void handle(request, response));
      servers.set(site, server);
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    }
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return {
    main,
    sandboxes,
    visit: async (site, at, request = {}) => fetch(`${await originOf(site)}${at}`, { redirect: 'manual', ...request }),
    get: async (site, route, asAdmin = false) => {
      const response = await fetch(`${await originOf(site)}/wp-json${route}`, {
        headers: asAdmin ? { authorization: signIn('admin') } : {},
      });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    },
    close: async () => {
      for (const server of servers.values()) {
        server.closeAllConnections();
        server.close();
      }
      await sandboxes.close(false);
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

const EVENTS = '/tribe/events/v1/events';

describe('sites with and without the calendar in one process', () => {
  const [databaseWith, databaseWithout] = [testDatabase(), testDatabase()];
  let withCalendar: Served;
  let without: Served;
  /** Sites with the calendar, and without it: servers' own, and sandboxes that differ from their server. */
  let sites: { calendar: Site[]; bare: Site[] };
  const get = (site: Site, route: string, asAdmin?: boolean): Promise<Answer> =>
    (site.store.db.databaseName.startsWith(databaseWithout.name.slice(0, 38)) ? without : withCalendar).get(site, route, asAdmin);

  beforeAll(async () => {
    withCalendar = await serve(CALENDAR, databaseWith);
    without = await serve([], databaseWithout);
    const [bare, alike] = [await withCalendar.sandboxes.get('bare', { plugins: [] }), await withCalendar.sandboxes.get('alike')];
    const calendar = await without.sandboxes.get('calendar', { plugins: CALENDAR });
    sites = { calendar: [withCalendar.main, alike.site, calendar.site], bare: [without.main, bare.site] };
  });
  afterAll(async () => {
    await withCalendar.close();
    await without.close();
  });

  test('the calendar has its routes only where it is', async () => {
    const first = (await get(withCalendar.main, EVENTS)).body;
    for (const site of sites.calendar) {
      const { status, body } = await get(site, EVENTS);
      expect({ status, total: body.total }).toEqual({ status: 200, total: first.total });
    }
    expect(first.total).toBeGreaterThan(1);
    for (const site of sites.bare) expect(await get(site, EVENTS)).toMatchObject({ status: 404, body: { code: 'rest_no_route' } });
  });

  test('the index has the namespaces of the plugins', async () => {
    const own = ['tribe/events/v1', 'tec/v1'];
    for (const site of sites.calendar) expect((await get(site, '/')).body.namespaces).toEqual(expect.arrayContaining(own));
    for (const site of sites.bare)
      expect((await get(site, '/')).body.namespaces).toEqual([
        'oembed/1.0',
        'wp/v2',
        'wp-site-health/v1',
        'wp-block-editor/v1',
        'wp-abilities/v1',
      ]);
  });

  test('types, taxonomies and their routes in the core API', async () => {
    for (const route of ['/wp/v2/types/tribe_events', '/wp/v2/taxonomies/tribe_events_cat', '/wp/v2/tribe_events', '/wp/v2/tribe_venue']) {
      for (const site of sites.calendar) expect([route, (await get(site, route)).status]).toEqual([route, 200]);
      for (const site of sites.bare) expect([route, (await get(site, route)).status]).toEqual([route, 404]);
    }
    for (const site of sites.bare) {
      const types = Object.keys((await get(site, '/wp/v2/types')).body);
      expect(types).toContain('post');
      expect(types.filter((name) => name.startsWith('tribe_') || name.startsWith('tec_'))).toEqual([]);
    }
  });

  test('roles have the capabilities of the types that there are', async () => {
    for (const site of [...sites.calendar, ...sites.bare]) {
      const { body } = await get(site, '/wp/v2/users/me?context=edit', true);
      const capabilities = Object.keys(body.capabilities as object);
      expect(capabilities).toContain('edit_posts');
      expect(capabilities.includes('edit_tribe_events')).toBe(sites.calendar.includes(site));
    }
  });

  test('a sandbox with the calendar has its columns and counts, also after a reset; one without needs none', async () => {
    const sandbox = await without.sandboxes.get('calendar');
    const [, , site] = sites.calendar;
    expect(sandbox.site).toBe(site);
    await sandbox.reset();
    expect(staleColumns(await readEverything(site.store))).toEqual([]);
    expect(staleColumns(await readEverything(without.main.store))).not.toEqual([]);
    const inOrder = async (each: Site): Promise<unknown> => {
      const { body } = await get(each, '/tribe/events/v1/categories');
      return (body.categories as { slug: string; count: number }[]).map(({ slug, count }) => [slug, count]);
    };
    expect(await inOrder(site)).toEqual(await inOrder(withCalendar.main));
    expect((await get(site, EVENTS)).body.total).toBe((await get(withCalendar.main, EVENTS)).body.total);
  });

  test('a plugin adds headers, links and JSON-LD to the pages of another one, but not to sign-in', async () => {
    const added: PagePlugin = {
      headers: (found): Record<string, string> => (found?.kind === 'post' ? { 'X-Tickets': String(found.post._id) } : {}),
      head: async (found) => (found?.kind === 'post' ? jsonLd({ '@type': 'Offer', name: '</script>' }) : null),
      menu: () => [{ text: 'Tickets & more', url: '/tickets/' }],
    };
    const read = servePages(withCalendar.main, [CALENDAR_PAGES, added]);
    const page = (at: string): ReturnType<typeof read> =>
      read({
        method: 'GET',
        path: at,
        url: at,
        query: {},
        form: {},
        body: Buffer.alloc(0),
        cookies: {},
        headers: {},
        address: '127.0.0.1',
        language: 'en',
      });
    const event = await page('/event/festival-week/');
    expect(event.headers).toMatchObject({ 'X-Tickets': '35', 'X-TEC-API-ROOT': `${URL_BASE}/wp-json/tribe/events/v1/events/35` });
    const [own, ...others] = [...event.body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, text]) => JSON.parse(text) as object,
    );
    expect(own).toEqual({ '@type': 'Offer', name: '</script>' });
    expect(others).toMatchObject([[{ '@type': 'Event' }]]);
    expect(event.body).toContain('<a href="/tickets/">Tickets &amp; more</a>');
    for (const at of ['/events/', '/nothing/', '/wp-login.php']) {
      const { headers, body } = await page(at);
      expect(headers).not.toHaveProperty('X-Tickets');
      expect(body).toContain('Tickets &amp; more');
    }
  });

  test('an index of the calendar exists only where it is', async () => {
    const namesOf = async ({ store: { db } }: Site): Promise<string[]> =>
      (await db.collection('posts').indexes()).map(({ name }) => name ?? '');
    for (const site of sites.calendar) expect(await namesOf(site)).toContain('events_by_start');
    for (const site of sites.bare) expect(await namesOf(site)).not.toContain('events_by_start');
  });
});

describe('the pages of a site without plugins', () => {
  const database = testDatabase();
  let site: Served;
  let post: { id: number; link: string };
  const read = async (at: string): Promise<{ status: number; type: string; headers: Headers; body: string }> => {
    const response = await site.visit(site.main, at);
    const { status, headers } = response;
    return { status, type: headers.get('content-type') ?? '', headers, body: await response.text() };
  };
  const write = async <T>(route: string, body: object): Promise<T> => {
    const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
    const response = await site.visit(site.main, `/wp-json/wp/v2/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([route, response.ok]).toEqual([route, true]);
    return (await response.json()) as T;
  };

  beforeAll(async () => {
    site = await serve([], database);
    const category = await write<{ id: number }>('categories', { name: 'News' });
    const tag = await write<{ id: number }>('tags', { name: 'Bread' });
    const given = { status: 'publish', title: 'Bakers meet', content: 'Rye and wheat.', categories: [category.id], tags: [tag.id] };
    post = await write('posts', given);
    await write('comments', { post: post.id, content: 'Fresh!' });
    await write('pages', { status: 'publish', title: 'About us', content: 'We bake.' });
  });
  afterAll(() => site.close());

  test.each([
    '/',
    '/category/news/',
    '/tag/bread/',
    '/author/admin/',
    '/2026/',
    '/2026/06/',
    '/?s=wheat',
    '/?tag=bread',
    '/bakers-meet/embed/',
  ])('%s shows the post', async (at) => {
    const answer = await read(at);
    const { status, type, body } = answer.status === 301 ? await read(new URL(answer.headers.get('location') ?? '').pathname) : answer;
    expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=UTF-8' });
    expect(body).toContain('Bakers meet');
  });

  test.each(['/feed/', '/feed/atom/', '/feed/rdf/', '/category/news/feed/', '/tag/bread/feed/', '/author/admin/feed/', '/2026/feed/'])(
    'the feed %s has the post',
    async (at) => {
      const { status, type, body } = await read(at);
      expect({ status, type }).toEqual({ status: 200, type: expect.stringMatching(/^application\/(?:rss|atom|rdf)\+xml/) });
      expect(body).toContain(post.link);
    },
  );

  test.each(['/comments/feed/', '/bakers-meet/feed/'])('the feed %s has the comment', async (at) => {
    expect((await read(at)).body).toContain('Fresh!');
  });

  test('pages are counted, and end', async () => {
    for (let number = 1; number <= 10; number += 1) await write('posts', { status: 'publish', title: `Loaf ${number}`, tags: [] });
    const first = await read('/');
    expect(first.body).toContain(`href="${URL_BASE}/page/2/"`);
    expect(first.body).toContain(`type="application/rss+xml" title="Town Calendar » Feed" href="${URL_BASE}/feed/"`);
    expect((await read('/page/2/')).status).toBe(200);
    expect((await read('/page/9/')).status).toBe(404);
    expect((await read('/author/admin/page/2/')).body).toContain('rel="prev"');
    expect((await read('/?s=loaf')).body).toContain('Loaf 10');
  });

  test('no page, feed or header is of a plugin', async () => {
    for (const at of ['/', '/bakers-meet/', '/feed/', '/nothing/', '/wp-login.php', '/?ical=1']) {
      const { headers, body } = await read(at);
      expect([...headers.keys()].filter((name) => name.startsWith('x-tec-'))).toEqual([]);
      expect(body).not.toMatch(/tec-api|text\/calendar|webcal:|\/events\//);
    }
    const found = await Promise.all(['/events/', '/event/festival-week/', '/venue/the-yard/', '/?p=35'].map(read));
    expect(found.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    // WP: no feed of a page is missing.
    expect(await read('/events/feed/')).toMatchObject({ status: 200, body: expect.not.stringContaining('<item>') as unknown });
  });

  test('links to its API, and its description for sites that embed it', async () => {
    const { headers, body } = await read('/bakers-meet/');
    expect(headers.get('link')).toContain(`<${URL_BASE}/wp-json/wp/v2/posts/${post.id}>; rel="alternate"`);
    expect(body).toContain('<meta name="generator" content="WordPress ');
    const embed = (url: string): Promise<Answer> => site.get(site.main, `/oembed/1.0/embed?url=${encodeURIComponent(url)}`);
    expect(await embed(post.link)).toMatchObject({ status: 200, body: { title: 'Bakers meet' } });
    expect(await embed(`${URL_BASE}/event/festival-week/`)).toMatchObject({ status: 404, body: { code: 'oembed_invalid_url' } });
  });

  test('sign-in, files and sitemaps', async () => {
    expect((await read('/wp-login.php')).body).toContain('name="pwd"');
    expect((await read('/wp-admin/')).status).toBe(302);
    expect((await read('/robots.txt')).body).toContain('Sitemap: ');
    expect((await read('/favicon.ico')).status).toBe(302);
    expect((await read('/xmlrpc.php?rsd')).body).toContain('<rsd ');
    const sitemap = await read('/wp-sitemap.xml');
    expect(sitemap.body).toContain('/wp-sitemap-posts-post-1.xml');
    expect(sitemap.body).not.toContain('tribe_');
  });

  test('the front page can be a page', async () => {
    const [page] = (await site.get(site.main, '/wp/v2/pages?slug=about-us')).body as unknown as { id: number }[];
    await write('settings', { show_on_front: 'page', page_on_front: page.id });
    const { body } = await read('/');
    expect(body).toContain('We bake.');
    expect(body).toContain(`<link rel="canonical" href="${URL_BASE}/"`);
    expect((await read('/?s=wheat')).body).toContain('Bakers meet');
    await write('settings', { show_on_front: 'posts' });
    expect((await read('/')).body).toContain('Loaf 10');
  });
});
