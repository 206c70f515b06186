import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandStartedEvent } from 'mongodb';
import { testDatabase } from '../../support/database.js';
import { startTestServer } from '../../support/server.js';
import { DATASET, HOME, OBJECTS, requestsTo, type Body } from './world.js';

/** Fields that other plugins add to the REST API, from a dataset. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-fields-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, 'uploads'));
cpSync(fileURLToPath(new URL('../../conformance/uploads', import.meta.url)), path.join(folder, 'uploads'), { recursive: true });
const file = path.join(folder, 'site.json');
writeFileSync(file, JSON.stringify(DATASET));

const server = startTestServer({ dataset: file, profile: 'standard' });
const request = requestsTo(server);
const get = async (route: string, as?: 'admin' | 'subscriber'): Promise<Body> => (await request('GET', route, { as })).body;
const keys = (body: Body): string[] => Object.keys(body);

afterEach(() => server().reset());

describe.each(OBJECTS)('%s', (type, route, other) => {
  // WP: patterns are for editors only.
  const reader = type === 'wp_block' ? 'admin' : undefined;
  const collection = route.slice(0, route.indexOf('/'));
  const id = Number(route.slice(route.indexOf('/') + 1));
  const find = (list: unknown): Body => (list as Body[]).find((item) => item.id === id)!;

  test('shows its fields alone, in lists, and embedded', async () => {
    const alone = await get(`/wp/v2/${route}`, reader);
    expect(alone).toMatchObject({ color: 'red' });
    // Before the links.
    expect(keys(alone).at(-1)).toBe('_links');
    expect(find(await get(`/wp/v2/${collection}?per_page=100`, reader))).toMatchObject({ color: 'red' });
    expect(await get(`/wp/v2/${route}?context=embed`, reader)).toMatchObject({ color: 'red' });
    if (other !== null) expect(await get(`/wp/v2/${other}`, 'admin')).toMatchObject({ color: 'gray' });
  });

  test('shows fields for editors to users who may edit it, and to nobody else', async () => {
    expect(await get(`/wp/v2/${route}`)).not.toHaveProperty('notes');
    expect(await get(`/wp/v2/${route}`, 'subscriber')).not.toHaveProperty('notes');
    expect(await get(`/wp/v2/${route}`, 'admin')).toMatchObject({ notes: 'Ask Dana' });
    expect(find(await get(`/wp/v2/${collection}?per_page=100&context=edit`, 'admin'))).toMatchObject({ notes: 'Ask Dana' });
  });

  test('obeys _fields', async () => {
    expect(keys(await get(`/wp/v2/${route}?_fields=color`, reader))).toEqual(['color']);
    expect(find(await get(`/wp/v2/${collection}?per_page=100&_fields=id,color`, reader))).toEqual({ id, color: 'red' });
  });

  test('has them in OPTIONS, as properties and as arguments of writes', async () => {
    const { schema, endpoints } = (await request('OPTIONS', `/wp/v2/${route}`)).body as unknown as {
      schema: { properties: Record<string, Body> };
      endpoints: { methods: string[]; args: Record<string, Body> }[];
    };
    expect(schema.properties).toMatchObject({
      color: { type: 'string', maxLength: 9 },
      notes: { type: 'string', readonly: true },
    });
    const writes = endpoints.filter(({ methods }) => methods.includes('PUT'));
    expect(writes.map(({ args }) => args.color)).toEqual([{ type: 'string', maxLength: 9, required: false }]);
    expect(writes.flatMap(({ args }) => keys(args))).not.toContain('notes');
    expect(endpoints.filter(({ methods }) => methods.includes('GET')).flatMap(({ args }) => keys(args))).not.toContain('color');
  });

  test('stores what is sent to a writable field, and ignores the rest', async () => {
    const { status, body } = await request('POST', `/wp/v2/${route}`, { as: 'admin', body: { color: 'blue', notes: 'Hacked' } });
    expect([status, body.color, body.notes]).toEqual([200, 'blue', 'Ask Dana']);
    expect(await get(`/wp/v2/${route}`, reader)).toMatchObject({ color: 'blue' });
    await server().reset();
    expect(await get(`/wp/v2/${route}`, reader)).toMatchObject({ color: 'red' });
  });

  test('refuses what does not fit the schema, as WordPress does', async () => {
    const refused = await request('POST', `/wp/v2/${route}`, { as: 'admin', body: { color: 'aquamarine' } });
    expect(refused.body).toMatchObject({
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): color',
      data: { status: 400, details: { color: { code: 'rest_too_long', message: 'color must be at most 9 characters long.' } } },
    });
    expect(await get(`/wp/v2/${route}`, reader)).toMatchObject({ color: 'red' });
  });

  test('keeps them when something else changes', async () => {
    const text = { user: { description: 'New' }, comment: { content: 'New' } }[type] ?? { description: 'New', excerpt: 'New' };
    expect((await request('POST', `/wp/v2/${route}`, { as: 'admin', body: text })).body).toMatchObject({ color: 'red', notes: 'Ask Dana' });
  });
});

const CREATED: [string, Body][] = [
  ['/wp/v2/posts', { title: 'New' }],
  ['/wp/v2/tribe_events', { title: 'New' }],
  ['/wp/v2/categories', { name: 'New' }],
  ['/wp/v2/comments', { post: 21, content: 'New' }],
];

test.each(CREATED)('%s stores fields of what is created', async (route, body) => {
  const created = await request('POST', route, { as: 'admin', body: { ...body, color: 'green' } });
  expect([created.status, created.body.color]).toEqual([201, 'green']);
  expect(await get(`${route}/${created.body.id}`, 'admin')).toMatchObject({ color: 'green' });
});

describe('places and contexts', () => {
  test('fields are the last ones in the order of their declaration, and others follow a member', async () => {
    const body = await get('/wp/v2/tribe_events/30');
    expect(keys(body).slice(0, 4)).toEqual(['id', 'first', 'second', 'date']);
    expect(keys(body).slice(keys(body).indexOf('class_list'))).toEqual(['class_list', 'color', 'acf', 'single', '_links']);
    expect([body.first, body.second]).toEqual([1, null]);
  });

  test('a field is shown in its contexts', async () => {
    const of = async (context: string): Promise<unknown[]> => {
      const body = await get(`/wp/v2/tribe_events/30?context=${context}`, 'admin');
      return ['acf', 'single', 'raw', 'part'].filter((name) => name in body);
    };
    expect(await of('view')).toEqual(['acf', 'single']);
    expect(await of('edit')).toEqual(['acf', 'raw']);
    expect(await of('embed')).toEqual(['acf', 'part']);
    const { schema } = (await request('OPTIONS', '/wp/v2/tribe_events')).body as { schema: { properties: Body } };
    expect(schema.properties).toMatchObject({
      raw: { type: 'string', context: ['edit'], readonly: true },
      acf: { type: ['array', 'object'] },
    });
  });

  test('an item without a value has the default, or no field', async () => {
    const body = await get('/wp/v2/tribe_events/31');
    expect(body.acf).toEqual([]);
    expect(body).not.toHaveProperty('single');
  });

  test('parts are selected by _fields', async () => {
    expect(await get('/wp/v2/tribe_events/30?_fields=acf.doors,single.a.c')).toEqual({ acf: { doors: '18:30' }, single: { a: { c: 2 } } });
    expect(await get('/wp/v2/categories/4?_fields=color')).toEqual({ color: 'red' });
  });

  test('embedded items have them', async () => {
    const { _embedded } = (await get('/wp/v2/tribe_events/30?_embed')) as { _embedded: Record<string, (Body | Body[])[]> };
    expect(_embedded['wp:featuredmedia'][0]).toMatchObject({ id: 50, color: 'red' });
    expect(_embedded['wp:term'].flat()).toEqual(expect.arrayContaining([expect.objectContaining({ id: 7, color: 'red' })]));
    expect(_embedded['author'][0]).toMatchObject({ id: 1, color: 'red' });
  });
});

test('links to the site follow the address of the server, in all spellings, and nothing else changes', async () => {
  const { acf } = (await get('/wp/v2/tribe_events/30')) as { acf: Body };
  const url = server().url;
  expect(acf).toEqual({
    doors: '18:30',
    link: `${url}/event/jazz/`,
    html: `<a href="${url.replaceAll('/', '\\/')}\\/x">`,
    other: `${HOME}.org/`,
    gallery: [50],
  });
});

describe('the calendar', () => {
  const V1 = '/tribe/events/v1';

  test('has its own fields, also after a list has shown the event, and within events', async () => {
    const look = async (): Promise<void> => {
      const event = await get(`${V1}/events/30`);
      expect(keys(event).slice(-4)).toEqual(['json_ld', 'is_virtual', 'virtual_url', 'recurring']);
      expect(keys(event).slice(keys(event).indexOf('title'), keys(event).indexOf('title') + 3)).toEqual(['title', 'stars', 'description']);
      expect(event).toMatchObject({
        is_virtual: true,
        virtual_url: 'https://meet.example.org/',
        recurring: false,
        venue: { accessible: true, map: `${server().url}/map/` },
        categories: [{ slug: 'music' }],
      });
      expect(event).not.toHaveProperty('color');
      const venue = await get(`${V1}/venues/40`);
      expect(keys(venue).slice(-3)).toEqual(['global_id_lineage', 'accessible', 'map']);
    };
    await look();
    const { events } = (await get(`${V1}/events`)) as { events: Body[] };
    expect(events.map(({ id, is_virtual, virtual_url }) => [id, is_virtual, virtual_url])).toEqual([
      [30, true, 'https://meet.example.org/'],
      [31, false, undefined],
    ]);
    expect(((await get(`${V1}/venues`)) as { venues: Body[] }).venues).toMatchObject([{ accessible: true }]);
    await look();
  });

  test('stores what is sent to a writable field', async () => {
    const { body } = await request('POST', `${V1}/events/30`, { as: 'admin', body: { is_virtual: false, recurring: true } });
    expect(body).toMatchObject({ is_virtual: false, recurring: false });
    expect(await get(`${V1}/events/30`)).toMatchObject({ is_virtual: false, recurring: false, virtual_url: 'https://meet.example.org/' });
    const refused = await request('POST', `${V1}/events/30`, { as: 'admin', body: { is_virtual: 'perhaps' } });
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
    const created = await request('POST', `${V1}/events`, {
      as: 'admin',
      body: { title: 'New', start_date: '2026-08-01 10:00', end_date: '2026-08-01 11:00', is_virtual: true },
    });
    expect([created.status, created.body.is_virtual]).toEqual([201, true]);
  });

  test('has fields of terms on their routes', async () => {
    expect(await get(`${V1}/categories/7`)).toMatchObject({ icon: 'note' });
    expect(((await get(`${V1}/categories`)) as { categories: Body[] }).categories).toMatchObject([{ icon: 'note' }]);
    expect(await get(`${V1}/categories/7?_fields=icon`)).toMatchObject({ icon: 'note' });
    expect(await get(`${V1}/categories/7?_fields=slug`)).not.toHaveProperty('icon');
  });

  test('tec/v1 has its own and those of wp/v2', async () => {
    const event = await get('/tec/v1/events/30');
    expect(event).toMatchObject({ color: 'red', extra: [1, { deep: true }] });
    expect(keys(event).at(-1)).toBe('extra');
    const { body } = await request('PUT', '/tec/v1/events/30', { as: 'admin', body: { color: 'blue' } });
    expect(body).toMatchObject({ color: 'blue' });
  });
});

describe('queries', () => {
  const database = testDatabase();
  const address = new URL(database.uri);
  address.searchParams.set('monitorCommands', 'true');
  const own = startTestServer({ dataset: file }, { database: { ...database, uri: address.href } });
  const send = requestsTo(own);

  test.each(['/wp/v2/tribe_events?per_page=100', '/tribe/events/v1/events?per_page=50', '/wp/v2/tags?per_page=100'])(
    '%s sends as many commands for many items with fields as for few',
    async (route) => {
      const commands: string[] = [];
      const note = ({ commandName }: CommandStartedEvent): void =>
        void (['find', 'aggregate', 'count', 'distinct'].includes(commandName) && commands.push(commandName));
      const { client } = own().site.store.db;
      const add = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i += 1) {
          const title = `Item ${count} ${i}`;
          const dates = { start_date: '2026-08-01 10:00', end_date: '2026-08-01 11:00' };
          await send('POST', '/tribe/events/v1/events', { as: 'admin', body: { title, ...dates, is_virtual: true } });
          await send('POST', '/wp/v2/tags', { as: 'admin', body: { name: title, color: 'blue' } });
        }
      };
      const sent = async (): Promise<number> => {
        commands.length = 0;
        client.on('commandStarted', note);
        const { body } = await send('GET', route);
        client.off('commandStarted', note);
        expect(JSON.stringify(body)).toContain(route.startsWith('/wp') ? '"color":' : '"is_virtual":true');
        return commands.length;
      };
      await send('GET', route);
      await add(1);
      const few = await sent();
      await add(12);
      expect(await sent()).toBeLessThanOrEqual(few);
    },
  );
});

test('sandboxes, snapshots and resets have them', async () => {
  const qa = async (method: string, at: string, body?: object): Promise<Response> =>
    fetch(`${server().url}${at}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
  expect((await qa('PUT', '/__qa/sandboxes/own')).ok).toBe(true);
  const inSandbox = requestsTo(server, '/__sandbox/own');
  expect((await inSandbox('GET', '/wp/v2/posts/20')).body).toMatchObject({ color: 'red' });
  await inSandbox('POST', '/wp/v2/posts/20', { as: 'admin', body: { color: 'blue' } });
  expect((await inSandbox('GET', '/wp/v2/posts/20')).body).toMatchObject({ color: 'blue' });
  expect(await get('/wp/v2/posts/20')).toMatchObject({ color: 'red' });
  await qa('PUT', '/__qa/snapshots/before');
  await request('POST', '/wp/v2/posts/20', { as: 'admin', body: { color: 'green' } });
  await qa('POST', '/__qa/snapshots/before/restore');
  expect(await get('/wp/v2/posts/20')).toMatchObject({ color: 'red' });
});
