import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createApp, siteStack } from '../../../src/server/app/koa.js';
import { siteRoutes } from '../../../src/server/app/routes.js';
import { loadFile } from '../../support/datasets.js';
import { logTo } from '../../../src/base/system/log.js';
import { Clock } from '../../../src/wordpress/clock.js';
import { quirksOf } from '../../../src/plugins/quirks.js';
import { Schedule } from '../../../src/wordpress/schedule.js';
import { Site } from '../../../src/wordpress/site.js';
import type { Middleware } from 'koa';
import { Store } from '../../../src/wordpress/store.js';
import { WORLD, signIn, type Login } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { registry } from '../../support/registry.js';

/** The recorded site on a database that no other server uses, like an embedded one, so that everything is cached. */
describe.each(['tec', 'standard'] as const)('a server with a cache (profile %s)', (profile) => {
  const database = testDatabase();
  let site: Site;
  let http: Server;
  let root: string;
  let uploads: string;
  let reads = 0;

  beforeAll(async () => {
    uploads = await mkdtemp(path.join(os.tmpdir(), 'understudy-uploads-'));
    const store = await Store.open(database.uri, registry, database.name);
    const { clock } = await loadFile(WORLD, store, uploads, 'http://calendar.test');
    site = new Site(store, new Clock(clock), quirksOf(profile), 'http://calendar.test', uploads);
    await site.reload();
    const aggregate = store.aggregate.bind(store);
    store.aggregate = (...args) => {
      reads += 1;
      return aggregate(...args);
    };
    const log = logTo(process.stderr, 'error');
    const observe: Middleware = (_ctx, next) => next();
    const routes = await siteRoutes([]);
    const handle = createApp(log, siteStack({ site, routes, log, schedule: new Schedule(site), observe })).callback();
    http = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    root = `http://127.0.0.1:${(http.address() as AddressInfo).port}/wp-json/tribe/events/v1`;
  });
  afterAll(async () => {
    http.closeAllConnections();
    http.close();
    await site.store.close();
    await rm(uploads, { recursive: true });
  });

  const call = async (route: string, as?: Login, method = 'GET', body?: unknown) => {
    const headers = { ...(as && { authorization: signIn(as) }), ...(body !== undefined && { 'content-type': 'application/json' }) };
    const response = await fetch(`${root}/${route}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, never> };
  };
  const NEW = { title: 'Brand new', start_date: '2026-07-01 10:00', end_date: '2026-07-01 12:00', categories: ['brand-new'] };
  const found = async (as?: Login): Promise<number> => (await call('events?search=%22Brand+new%22&start_date=2026-01-01', as)).body.total;

  test('queries the database once for the same list', async () => {
    const first = await call('events');
    const before = reads;
    const second = await call('events');
    expect(reads).toBe(before);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('x-tec-total')).toBe(first.headers.get('x-tec-total'));
  });

  test('shows every write immediately, on every affected route', async () => {
    expect(await found()).toBe(0);
    expect((await call('tags?search=brand')).body.total).toBe(0);
    const created = await call('events', 'editor', 'POST', { ...NEW, tags: ['brand-new'], venue: { venue: 'Brand new hall' } });
    expect(created.status).toBe(201);
    const route = `events/${created.body.id}`;
    expect(await found()).toBe(1);
    expect((await call('tags?search=brand')).body.tags).toMatchObject([{ slug: 'brand-new', count: 1 }]);
    expect((await call(route)).body).toMatchObject({ title: 'Brand new', venue: { venue: 'Brand new hall' } });

    const { venue } = created.body as unknown as { venue: { id: number } };
    await call(`venues/${venue.id}`, 'editor', 'POST', { venue: 'Renamed hall' });
    expect((await call(route)).body).toMatchObject({ venue: { venue: 'Renamed hall' } });
    await call(route, 'editor', 'POST', { title: 'Brand new, renamed' });
    expect((await call(route)).body.title).toBe('Brand new, renamed');
    expect((await call(`events/by-slug/${created.body.slug}`)).body.title).toBe('Brand new, renamed');

    expect((await call(route, 'editor', 'DELETE')).status).toBe(200);
    expect(await found()).toBe(0);
    expect((await call(route)).status).toBeGreaterThanOrEqual(400);
    expect((await call('tags?search=brand&hide_empty=false')).body.tags).toMatchObject([{ slug: 'brand-new', count: 0 }]);
  });

  test('shows an event of one version, also if it is changed and listed while it is read', async () => {
    const { body: event } = await call('events', 'admin', 'POST', { ...NEW, title: 'Before' });
    const { store } = site;
    // Terms are read after the event, and before what the response shows of it.
    const allTerms = store.allTerms.bind(store);
    let isChanged = false;
    store.allTerms = async () => {
      if (!isChanged) {
        isChanged = true;
        await call(`events/${event.id}`, 'admin', 'POST', { title: 'After' });
        expect((await call('events?search=After&start_date=2026-01-01')).body.total).toBe(1);
      }
      return allTerms();
    };
    try {
      const { body } = await call(`events/${event.id}`);
      expect(isChanged).toBe(true);
      expect((body.json_ld as { name: string }).name).toBe(body.title);
    } finally {
      store.allTerms = allTerms;
      await call(`events/${event.id}`, 'admin', 'DELETE');
    }
  });

  test('shows each user only what the user may read', async () => {
    const { body: draft } = await call('events', 'editor', 'POST', { ...NEW, title: 'Brand new draft', status: 'draft' });
    for (let round = 0; round < 2; round += 1) {
      expect([await found(), await found('editor'), await found('subscriber'), await found()]).toEqual([0, 1, 0, 0]);
      const statuses = [];
      for (const who of [undefined, 'editor', 'subscriber', undefined] as const)
        statuses.push((await call(`events/${draft.id}`, who)).status);
      expect(statuses[1]).toBe(200);
      expect([statuses[0], statuses[2], statuses[3]].every((status) => status === 401 || status === 403)).toBe(true);
    }
  });

  test('describes itself in the language of each request', async () => {
    const titled = async (language: string): Promise<string> => {
      const response = await fetch(root, { method: 'GET', headers: { 'accept-language': language } });
      const { routes } = (await response.json()) as {
        routes: Record<string, { endpoints: { args: Record<string, { description: string }> }[] }>;
      };
      return routes['/tribe/events/v1/events'].endpoints[1].args.title.description;
    };
    const told = [await titled('en'), await titled('de'), await titled('de, en;q=0.5'), await titled('en')];
    const [english, german] = ['Title of the event.', profile === 'tec' ? 'Title of the event.' : 'Titel der Veranstaltung.'];
    expect(told).toEqual([english, german, german, english]);
  });

  test('follows the clock', async () => {
    const before = (await call('events')).body.total;
    site.clock.freeze(Date.UTC(2040, 0, 1));
    expect((await call('events')).body.total).not.toBe(before);
  });
});
