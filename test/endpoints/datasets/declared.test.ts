import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Dataset, Server } from '../../../src/index.js';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions } from '../../../src/server/config/index.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/* Post types, taxonomies, image sizes, meta keys and routes that a dataset declares belong to its site as if a plugin registered them. */

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
type Role = (typeof ROLES)[number];

const DATASET: Dataset = {
  site: { name: 'Kitchen' },
  clock: '2026-06-15T12:00:00Z',
  users: ROLES.map((role, index) => ({ id: index + 1, login: role, role, application_password: `password of the ${role}` })),
  types: {
    recipe: {
      name: 'Recipes',
      singular_name: 'Recipe',
      rest_base: 'recipes',
      has_archive: 'recipes',
      supports: ['title', 'editor', 'author', 'thumbnail', 'excerpt', 'custom-fields', 'revisions'],
      taxonomies: ['post_tag'],
      meta: {
        servings: { type: 'integer', default: 2 },
        steps: { type: 'array', schema: { items: { type: 'string' } } },
        source: { single: false },
      },
    },
    manual: {
      name: 'Manuals',
      hierarchical: true,
      has_archive: true,
      slug: 'help/manual',
      supports: ['title', 'editor', 'page-attributes'],
    },
    memo: { name: 'Memos', public: false },
  },
  taxonomies: {
    course: { name: 'Courses', rest_base: 'courses', hierarchical: true, types: ['recipe'] },
    region: { name: 'Regions', types: ['tribe_events', 'page', 'attachment'] },
  },
  image_sizes: { card: { width: 60, height: 40, crop: true } },
  meta: { tribe_events: { doors: { type: 'string', description: 'When the doors open.' } } },
  tags: [{ name: 'Quick' }],
  media: [],
  events: [
    { id: 10, title: 'Cooking class', start: '2026-07-01 18:00', duration: '2h', terms: { region: ['north'] }, meta: { doors: '17:30' } },
    { id: 11, title: 'Tasting', start: '2026-07-02 18:00', duration: '2h' },
  ],
  pages: [{ id: 12, title: 'About', terms: { region: ['South'] } }],
  items: {
    recipe: [
      {
        id: 20,
        title: 'Leek soup',
        tags: ['quick'],
        terms: { course: ['soup'] },
        meta: { servings: 4, steps: ['Cut', 'Cook'], source: ['a', 'b'] },
      },
      { id: 21, title: 'Rye bread', date: '2026-06-01 10:00', terms: { course: ['Main'] } },
      { id: 22, title: 'Secret sauce', status: 'draft' },
    ],
    manual: [
      { id: 30, title: 'Oven' },
      { id: 31, title: 'Heat', parent: 'oven' },
    ],
    memo: [{ id: 40, title: 'Order flour' }],
  },
  terms: {
    course: [
      { id: 50, name: 'Main' },
      { name: 'Soup', parent: 'main' },
    ],
    region: [{ id: 52, name: 'North' }],
  },
  stubs: [{ match: { path: '/acme/v1/hours' }, respond: { body: { map: '{{site.url}}/map/' } } }],
};

/** A response, of which each test knows what it has. */
type Body = any; // oxlint-disable-line typescript/no-explicit-any

interface Reply {
  status: number;
  text: string;
  body: Body;
}

const callsTo = (server: () => Server) => {
  const send = async (method: string, at: string, { as, body }: { as?: Role; body?: unknown } = {}): Promise<Reply> => {
    const authorization = as && `Basic ${Buffer.from(`${as}:password of the ${as}`).toString('base64')}`;
    const headers = { ...(authorization && { authorization }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const { status, text } = await http(method, `${server().url}${at}`, headers, body === undefined ? undefined : JSON.stringify(body));
    return { status, text, body: /^\s*[[{]/.test(text) ? JSON.parse(text) : null };
  };
  return {
    send,
    rest: (route: string, as?: Role, method = 'GET', body?: unknown): Promise<Reply> =>
      send(method, `/wp-json${route}`, { ...(as && { as }), ...(body === undefined ? {} : { body }) }),
    qa: (route: string, method = 'POST', body?: unknown): Promise<Reply> => send(method, `/__qa${route}`, { body }),
  };
};

const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);

const server = startTestServer({ dataset: DATASET, wordpress: '6.8' });
const { rest, send, qa } = callsTo(server);
afterEach(() => qa('/reset'));

describe('responses', () => {
  test('lists filter by own terms and have own meta', async () => {
    expect(ids(await rest('/wp/v2/recipes'))).toEqual([20, 21]);
    expect(ids(await rest('/wp/v2/recipes?courses=50'))).toEqual([21]);
    expect(ids(await rest('/wp/v2/tribe_events?region=52'))).toEqual([10]);
    const { body } = await rest('/wp/v2/recipes/20');
    expect(body.meta).toMatchObject({ servings: 4, steps: ['Cut', 'Cook'], source: ['a', 'b'], footnotes: '' });
    expect(body.class_list).toEqual(expect.arrayContaining(['tag-quick', 'course-soup']));
    expect((await rest('/wp/v2/recipes/21')).body.meta).toMatchObject({ servings: 2, steps: [], source: [] });
    expect((await rest('/wp/v2/tribe_events/10')).body).toMatchObject({ region: [52], meta: { doors: '17:30' } });
    expect((await rest('/wp/v2/pages/12')).body.region).toHaveLength(1);
  });

  test('types and taxonomies are registered before the ones of plugins', async () => {
    const types = Object.keys((await rest('/wp/v2/types')).body);
    expect(types.indexOf('recipe')).toBeLessThan(types.indexOf('tribe_venue'));
    expect((await rest('/wp/v2/types/tribe_events')).body.taxonomies).toEqual(['post_tag', 'region', 'tribe_events_cat']);
    expect((await rest('/wp/v2/types/manual')).body).toMatchObject({ hierarchical: true, has_archive: true, rest_base: 'manual' });
    expect((await rest('/wp/v2/types/recipe?context=edit', 'editor')).body.supports).toMatchObject({
      title: true,
      revisions: true,
      autosave: true,
    });
  });

  test.each<[Role, number]>([
    ['administrator', 201],
    ['editor', 201],
    ['author', 201],
    ['contributor', 403],
    ['subscriber', 403],
  ])('%s gets %i for publishing', async (role, status) => {
    const created = await rest('/wp/v2/recipes', role, 'POST', { title: 'Pie', status: 'publish', courses: [50], meta: { servings: 6 } });
    expect(created.status).toBe(status);
    if (status === 201) expect(created.body).toMatchObject({ slug: 'pie', type: 'recipe', courses: [50], meta: { servings: 6 } });
  });

  test('posts are validated, changed and deleted, and have revisions and autosaves', async () => {
    const refused = await rest('/wp/v2/recipes/20', 'editor', 'POST', { meta: { servings: 'many' } });
    expect(refused.body).toMatchObject({ code: 'rest_invalid_type', message: 'meta.servings is not of type integer.' });
    const changed = await rest('/wp/v2/recipes/20', 'editor', 'POST', {
      content: 'Cut.',
      meta: { servings: 3, steps: ['Serve'], source: ['c'] },
    });
    expect(changed.body.meta).toMatchObject({ servings: 3, steps: ['Serve'], source: ['c'] });
    expect((await rest('/wp/v2/recipes/20/revisions', 'editor')).status).toBe(200);
    expect((await rest('/wp/v2/recipes/20/autosaves', 'editor', 'POST', { title: 'Draft' })).status).toBe(200);
    expect((await rest('/wp/v2/memo/1/revisions', 'editor')).status).toBe(404);
    expect((await rest('/wp/v2/recipes/20?force=true', 'editor', 'DELETE')).body.deleted).toBe(true);
    expect((await rest('/wp/v2/recipes/20')).status).toBe(404);
  });

  test('OPTIONS has the schema of the type', async () => {
    const { body } = await rest('/wp/v2/recipes', undefined, 'OPTIONS');
    expect(body.schema).toMatchObject({ title: 'recipe', properties: { courses: { type: 'array' } } });
    expect(body.schema.properties.meta.properties.servings).toMatchObject({ type: 'integer', default: 2 });
  });

  test('terms have routes', async () => {
    expect((await rest('/wp/v2/courses', 'subscriber', 'POST', { name: 'Dessert' })).status).toBe(403);
    const made = await rest('/wp/v2/courses', 'editor', 'POST', { name: 'Dessert', parent: 50 });
    expect(made.body).toMatchObject({ slug: 'dessert', taxonomy: 'course', parent: 50 });
    expect(made.body._links['wp:post_type']).toEqual([{ href: `${server().restUrl}/wp/v2/recipes?courses=${made.body.id}` }]);
    expect((await rest(`/wp/v2/courses/${made.body.id}?force=true`, 'editor', 'DELETE')).body.deleted).toBe(true);
    expect((await rest('/wp/v2/region')).body).toMatchObject([
      { name: 'North', count: 1 },
      { name: 'South', count: 1 },
    ]);
  });

  test('searches find posts of public types, and terms', async () => {
    expect((await rest('/wp/v2/search?search=leek')).body).toMatchObject([{ id: 20, subtype: 'recipe' }]);
    expect((await rest('/wp/v2/search?type=term&search=main')).body).toMatchObject([{ id: 50, type: 'course' }]);
    expect((await rest('/wp/v2/search?search=flour')).body).toEqual([]);
  });

  test('slugs and addresses of a hierarchical type are those of its ancestors', async () => {
    const { url } = server();
    expect((await rest('/wp/v2/manual/31')).body.link).toBe(`${url}/help/manual/oven/heat/`);
    const [sibling, other] = [
      await rest('/wp/v2/manual', 'editor', 'POST', { title: 'Heat', status: 'publish', parent: 30 }),
      await rest('/wp/v2/manual', 'editor', 'POST', { title: 'Heat', status: 'publish' }),
    ];
    expect([sibling.body.slug, other.body.slug]).toEqual(['heat-2', 'heat']);
    expect((await send('GET', '/help/manual/oven/heat/')).text).toContain('<h1>Heat</h1>');
    expect((await send('GET', '/help/manual/heat/heat/')).status).toBe(404);
  });

  test('images have the declared sizes', async () => {
    const png = await (
      await import('sharp')
    )
      .default({ create: { width: 120, height: 120, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const authorization = `Basic ${Buffer.from('editor:password of the editor').toString('base64')}`;
    const response = await fetch(`${server().restUrl}/wp/v2/media`, {
      method: 'POST',
      headers: { authorization, 'content-disposition': 'attachment; filename="red.png"', 'content-type': 'image/png' },
      body: new Uint8Array(png),
    });
    const made = (await response.json()) as Body;
    expect(made.media_details.sizes.card).toMatchObject({ file: 'red-60x40.png', width: 60, height: 40 });
    expect(made.region).toBeUndefined();
  });
});

describe('pages', () => {
  test.each([
    ['/recipe/leek-soup/', 'Leek soup'],
    ['/recipes/', 'Rye bread'],
    ['/help/manual/', 'Oven'],
    ['/course/main/', 'Rye bread'],
    ['/region/north/', 'Cooking class'],
  ])('%s', async (at, text) => {
    const { status, text: page } = await send('GET', at);
    expect([status, page]).toEqual([200, expect.stringContaining(text)]);
  });

  test.each(['/recipes/page/9/', '/memo/order-flour/', '/course/main/soup/', '/course/nothing/'])('%s is missing', async (at) => {
    expect((await send('GET', at)).status).toBe(404);
  });

  test('feeds and sitemaps have the posts', async () => {
    expect((await send('GET', '/recipes/feed/')).text).toContain('Rye bread');
    expect((await send('GET', '/course/main/feed/')).text).toContain('Rye bread');
    const index = (await send('GET', '/wp-sitemap.xml')).text;
    for (const name of ['posts-recipe', 'posts-manual', 'taxonomies-course', 'taxonomies-region'])
      expect(index).toContain(`wp-sitemap-${name}-1.xml`);
    expect(index).not.toContain('memo');
    expect((await send('GET', '/wp-sitemap-posts-manual-1.xml')).text).toContain('/help/manual/oven/heat/');
  });
});

test('routes of stubs are in the indexes', async () => {
  expect((await rest('/acme/v1/hours')).body).toEqual({ map: `${server().url}/map/` });
  expect(Object.keys((await rest('/acme/v1')).body.routes)).toEqual(['/acme/v1', '/acme/v1/hours']);
  const { namespaces, routes } = (await rest('/')).body;
  expect(namespaces).toContain('acme/v1');
  expect(routes['/acme/v1/hours'].methods).toEqual(['GET']);
});

describe('the site that declares', () => {
  const other: Dataset = { users: DATASET.users ?? [], types: { book: { name: 'Books' } }, items: { book: [{ id: 60, title: 'Emma' }] } };

  test('a seeded dataset brings its own types, and a snapshot brings them back', async () => {
    expect((await qa('/snapshots/before', 'PUT')).status).toBeLessThan(300);
    expect((await qa('/seed', 'POST', other)).status).toBe(200);
    expect(ids(await rest('/wp/v2/book'))).toEqual([60]);
    expect((await rest('/wp/v2/recipes')).status).toBe(404);
    expect((await send('GET', '/recipes/')).status).toBe(404);
    expect((await rest('/wp/v2/book', 'editor', 'POST', { title: 'Persuasion', status: 'publish' })).status).toBe(201);
    expect((await qa('/snapshots/before/restore')).status).toBe(200);
    expect(ids(await rest('/wp/v2/recipes'))).toEqual([20, 21]);
    expect((await rest('/wp/v2/book')).status).toBe(404);
    expect((await qa('/seed', 'POST', DATASET)).status).toBe(200);
    expect(ids(await rest('/wp/v2/recipes?courses=50'))).toEqual([21]);
  });

  test('sandboxes have the types of the dataset, and may have others', async () => {
    const inSandbox = (name: string, route: string) => send('GET', `/__sandbox/${name}/wp-json${route}`);
    expect((await qa('/sandboxes/one', 'PUT')).status).toBe(201);
    expect((await qa('/sandboxes/two', 'PUT')).status).toBe(201);
    expect((await send('POST', '/__sandbox/two/__qa/seed', { body: other })).status).toBe(200);
    expect(ids(await inSandbox('one', '/wp/v2/recipes'))).toEqual([20, 21]);
    expect((await inSandbox('one', '/wp/v2/book')).status).toBe(404);
    expect(ids(await inSandbox('two', '/wp/v2/book'))).toEqual([60]);
    expect((await inSandbox('two', '/wp/v2/recipes')).status).toBe(404);
    expect(ids(await rest('/wp/v2/recipes'))).toEqual([20, 21]);
  });

  test('added content cannot bring types', async () => {
    const refused = await qa('/seed?mode=add', 'POST', other);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('declares what the site does not have: post type book');
    const { types, taxonomies } = DATASET as Required<Dataset>;
    const added = await qa('/seed?mode=add', 'POST', {
      types,
      taxonomies,
      items: { recipe: [{ title: 'Scone', terms: { course: ['main'] } }] },
    });
    expect(added.status).toBe(200);
    expect((await rest('/wp/v2/recipes?slug=scone')).body).toMatchObject([{ courses: [50] }]);
  });
});

const database = testDatabase();

test('a site that is opened again has its types', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-declared-'));
  const start = (dataset: Dataset): Promise<Server> =>
    startServer(resolveOptions({ port: 0, data: folder, logLevel: 'error', profile: 'tec', qa: false, dataset }, {}), () =>
      Promise.resolve({ kind: 'embedded', uri: database.uri, database: database.name, close: async () => {} }),
    );
  try {
    await (await start(DATASET)).close();
    const again = await start({});
    try {
      const calls = callsTo(() => again);
      expect(ids(await calls.rest('/wp/v2/recipes'))).toEqual([20, 21]);
      expect((await calls.rest('/wp/v2/manual/31')).body.link).toBe(`${again.url}/help/manual/oven/heat/`);
    } finally {
      await again.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('servers that share a database', () => {
  const shared = testDatabase();
  const servers = [0, 1].map(() => startTestServer({ dataset: DATASET, wordpress: '6.8' }, { isShared: true, database: shared }));
  const [first, second] = servers.map(callsTo);

  test('follow the types of the content that one of them has loaded', async () => {
    expect(ids(await second.rest('/wp/v2/recipes'))).toEqual([20, 21]);
    const users = DATASET.users ?? [];
    const books: Dataset = { users, types: { book: { name: 'Books' } }, items: { book: [{ id: 60, title: 'Emma' }] } };
    expect((await first.qa('/seed', 'POST', books)).status).toBe(200);
    expect(ids(await second.rest('/wp/v2/book'))).toEqual([60]);
    expect((await second.rest('/wp/v2/recipes')).status).toBe(404);
  });
});
