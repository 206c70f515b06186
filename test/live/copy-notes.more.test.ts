import type { Dataset } from '../../src/sdk/types/dataset.js';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { siteInFront } from './in-front.js';
import { folder as copies, load, NOW, pullFrom, written } from './ticket-copies.js';

/** A site in front of which something changes responses, as hosts and plugins do. */

/** A block of another plugin, which the site renders. */
const SLIDER = '<!-- wp:acme/slider {"images":3} /-->';

const SLIDER_HTML = '<div class="slider"></div>';

const DATASET: Dataset = {
  meta: { post: { focus_word: { schema: { context: ['edit'] } }, price: {} } },
  users: [{ id: 1, login: 'anna', role: 'editor' }],
  posts: [
    {
      ...{ id: 10, slug: 'hello', title: 'Hello', content: 'Hi', author: 'anna', date: '2026-05-04 10:00' },
      image: 'placeholder(10x10)',
      meta: { focus_word: 'tea', price: '5' },
    },
    {
      id: 13,
      slug: 'blocks',
      title: 'Blocks',
      author: 'anna',
      date: '2026-05-03 10:00',
      content: `<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->\n\n${SLIDER}\n\n<!-- wp:group -->\n<div class="wp-block-group">${SLIDER}</div>\n<!-- /wp:group -->\n\n${SLIDER}`,
    },
    { id: 11, slug: 'bye', title: 'Bye', content: 'Bye', author: 'anna', date: '2026-05-05 10:00' },
  ],
  events: [{ id: 12, slug: 'jazz', title: 'Jazz', start: '2026-01-02 20:00', duration: '1h', author: 'anna' }],
};

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copy-notes-'));
const file = path.join(folder, 'site.json');
writeFileSync(file, JSON.stringify(DATASET));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const origin = startTestServer({ dataset: file, now: NOW });
const target = startTestServer({ now: NOW });
// Copied instead of fetched: the files of copies name them.
beforeAll(() => cpSync(origin().site.uploads, path.join(copies, 'uploads'), { recursive: true }));

type Body = Record<string, unknown>;

const OLD = 'http://old.example/?p=';

/** Puts sliders into the place of their blocks. */
const withSliders = (content: Body): Body => ({
  ...content,
  rendered: String(content['rendered']).replace(
    /(<div class="wp-block-group[^>]*>)(<\/div>)/,
    `${SLIDER_HTML}$1${SLIDER_HTML}$2${SLIDER_HTML}`,
  ),
});

const changedPost = (post: Body, home: string): Body => {
  const { _links: links, ...others } = post;
  const rest = { ...others, content: withSliders(post['content'] as Body) };
  const addresses = { guid: { rendered: `${OLD}${String(post['id'])}` }, link: `${home}/2026/05/${String(post['slug'])}/` };
  return { ...rest, ...addresses, acf: [], _links: links };
};

const type = (slug: string, more: Body = {}): Body => ({ name: slug, slug, rest_base: slug, taxonomies: [], ...more });

const route = (namespace: string, method = 'GET'): Body => ({ namespace, methods: [method], endpoints: [{ methods: [method], args: {} }] });

/** A plugin adds a member to each type. */
const withHead = (types: Body): Body =>
  Object.fromEntries(Object.entries(types).map(([name, each]) => [name, { ...(each as Body), yoast_head: '<title>' }]));

/** What the site responds to a path, after its response without changes. */
function changed(route_: string, body: unknown, home: string): [status: number, body: unknown] | null {
  if (/^wp\/v2\/posts(?:\?|$)/.test(route_) && Array.isArray(body)) return [200, body.map((post) => changedPost(post as Body, home))];
  if (/^wp\/v2\/posts\/\d+/.test(route_)) return [200, changedPost(body as Body, home)];
  if (/^wp\/v2\/types(?:\?|$)/.test(route_))
    return [
      200,
      { ...withHead(body as Body), order: type('order', { rest_namespace: 'shop/v1' }), secret: type('secret'), odd: type('odd') },
    ];
  if (/^wp\/v2\/statuses(?:\?|$)/.test(route_)) return [200, { ...(body as Body), archived: { name: 'Archived', slug: 'archived' } }];
  if (/^wp\/v2\/media(?:\?|$)/.test(route_)) return [200, (body as Body[]).map((item) => ({ ...item, meta: { credit: 'Ann' } }))];
  if (route_.startsWith('wp/v2/secret')) return [401, { code: 'rest_forbidden', message: 'No.', data: { status: 401 } }];
  if (route_.startsWith('wp/v2/odd')) return [200, { things: [] }];
  if (route_.startsWith('shop/v1/prices')) return [200, { eur: 3, map: `${home}/map/` }];
  if (route_.startsWith('shop/v1/braces')) return [200, { template: '{{name}}', map: `${home}/map/` }];
  if (route_.startsWith('shop/v1/large')) return [200, 'x'.repeat(300_000)];
  if (route_.startsWith('shop/v1/cart')) return [403, { code: 'no', message: 'No.', data: null }];
  if (route_ !== '') return null;
  const { namespaces, routes } = body as { namespaces: string[]; routes: Body };
  const paths = ['', '/prices', '/braces', '/large', '/cart', '/orders/(?P<id>[\\d]+)'].map((at) => `/shop/v1${at}`);
  const more = Object.fromEntries(paths.map((at) => [at, route('shop/v1')]));
  const writing = {
    '/shop/v1/orders': route('shop/v1', 'POST'),
    '/login/v1': route('login/v1'),
    '/login/v1/go': route('login/v1', 'POST'),
  };
  return [200, { ...(body as Body), namespaces: [...namespaces, 'shop/v1', 'login/v1'], routes: { ...routes, ...more, ...writing } }];
}

const site = siteInFront(origin, (path_, text, home) => {
  const rest = /^\/wp-json\/?(.*)$/.exec(path_)?.[1];
  const found = rest === undefined ? null : changed(rest, JSON.parse(text), home);
  return found && [found[0], JSON.stringify(found[1])];
});

const get = async (at: string): Promise<unknown> => JSON.parse((await http('GET', at)).text.replaceAll('\\/', '/')) as unknown;

/** Expects the index of the copy to have the routes of the plugins, also those that have no responses. */
async function expectRoutes(url: string): Promise<void> {
  const { namespaces, routes } = (await get(`${url}/wp-json/`)) as { namespaces: string[]; routes: Record<string, { methods: string[] }> };
  expect(namespaces).toEqual(expect.arrayContaining(['shop/v1', 'login/v1']));
  const methods = Object.entries(routes).flatMap(([at, each]) =>
    /^\/(?:shop|login)\/v1\//.test(at) ? [[at.slice(1), ...each.methods]] : [],
  );
  expect(methods).toEqual([
    ...['prices', 'braces', 'large', 'cart'].map((name) => [`shop/v1/${name}`, 'GET']),
    ['shop/v1/orders', 'POST'],
    ['login/v1/go', 'POST'],
  ]);
}

test('a copy keeps addresses of another structure, and says what it could not copy', async () => {
  const pulled = await pullFrom({ ...origin(), url: site() });
  await load(target(), pulled.source);
  const { url } = target();
  const there = JSON.stringify(await get(`${site()}/wp-json/wp/v2/posts`)).replaceAll(site(), url);
  expect(JSON.stringify(await get(`${url}/wp-json/wp/v2/posts`))).toBe(there);
  expect(there).toContain(`${OLD}10`);
  expect(there).toContain(`${url}/2026/05/hello/`);
  expect(await get(`${url}/wp-json/shop/v1/prices`)).toEqual({ eur: 3, map: `${url}/map/` });
  expect(await get(`${url}/wp-json/shop/v1/braces`)).toEqual({ template: '{{name}}', map: `${site()}/map/` });
  await expectRoutes(url);
  await load(target(), await written(pulled.source, 'yaml'));
  await expectRoutes(url);
  await pulled.deleteProgress();
  expect(pulled.notes().filter((note) => !note.startsWith('The site '))).toEqual([
    'The meta focus_word of post is not copied: the site does not show it.',
    'The post type order is not copied: it is in the namespace shop/v1.',
    'The post type secret is not copied: the site rejects requests for its list (401).',
    'The post type odd is not copied: its list is not one of posts or terms (200).',
    'These members of types are not copied: yoast_head.',
    'These statuses are not copied: archived.',
    'This meta of media is not copied: credit.',
    'Routes with parameters in their paths are not copied: shop/v1.',
    'Routes that take writes alone are in the index, but have no responses: shop/v1, login/v1.',
    '1 route of other plugins without a response for visitors is not copied.',
    '1 route of other plugins with more than 256 KB is not copied.',
  ]);
}, 60_000);

test('meta for editors stays theirs', async () => {
  const { administrator } = origin();
  const pulled = await pullFrom(origin(), {}, administrator!);
  const { login, password } = await load(target(), await written(pulled.source, 'yaml'));
  await pulled.deleteProgress();
  const metaFor = async (query: string, headers = {}): Promise<unknown> => {
    const { text } = await http('GET', `${target().url}/wp-json/wp/v2/posts/10?_fields=meta.focus_word,meta.price${query}`, headers);
    return JSON.parse(text) as unknown;
  };
  expect(await metaFor('')).toEqual({ meta: { price: '5' } });
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  expect(await metaFor('&context=edit', { authorization })).toEqual({ meta: { focus_word: 'tea', price: '5' } });
  expect(pulled.notes().filter((note) => note.includes('meta'))).toEqual([]);
}, 60_000);

test('blocks that the site renders in another way are kept as shown, and counted by name', async () => {
  const { administrator } = origin();
  const pulled = await pullFrom({ ...origin(), url: site() }, {}, administrator!);
  await load(target(), pulled.source);
  await pulled.deleteProgress();
  const shown = (JSON.parse((await http('GET', `${target().url}/wp-json/wp/v2/posts/13`)).text) as { content: { rendered: string } })
    .content.rendered;
  expect(shown.split('<div class="slider"></div>')).toHaveLength(4);
  expect(pulled.notes().filter((note) => note.startsWith('Texts '))).toEqual([
    'Texts with blocks that the site shows in another way are kept as shown: acme/slider (2), core/group (1).',
  ]);
}, 60_000);
