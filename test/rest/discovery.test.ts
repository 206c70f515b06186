import { THINGS, useThings } from './things.js';

const toy = useThings();

interface RouteEntry {
  namespace: string;
  methods: string[];
  endpoints: { methods: string[]; args: unknown }[];
  _links?: unknown;
}

const get = async (path: string) => (await toy().call(path)).json as Record<string, unknown> & { routes: Record<string, RouteEntry> };

const options = async (path: string) => (await toy().call(path, { method: 'OPTIONS' })).json as RouteEntry;

test('the root index contains site information and all routes in order of registration', async () => {
  const index = await get('/wp-json/');
  expect(Object.keys(index)).toEqual([
    'name',
    'description',
    'url',
    'home',
    'gmt_offset',
    'timezone_string',
    'page_for_posts',
    'page_on_front',
    'show_on_front',
    'namespaces',
    'authentication',
    'routes',
    'site_logo',
    'site_icon',
    'site_icon_url',
    '_links',
  ]);
  expect(index).toMatchObject({
    url: toy().url,
    home: toy().url,
    gmt_offset: 0,
    timezone_string: 'UTC',
    namespaces: ['toy/v1'],
    authentication: { 'application-passwords': { endpoints: { authorization: `${toy().url}/wp-admin/authorize-application.php` } } },
    _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] },
  });
  expect(Object.keys(index.routes)).toEqual(['/', '/toy/v1', ...THINGS.routes.map(({ path }) => path)]);
});

test.each([
  ['erin', ['help', 'wp:active-theme', 'curies']],
  ['sam', ['help']],
])('the root index as %s links to %j', async (as, links) => {
  const { json } = await toy().call('/wp-json/', { as });
  expect(Object.keys((json as { _links: Record<string, unknown> })._links)).toEqual(links);
});

test.each(['/wp-json', '/wp-json//', '/?rest_route=/', '/index.php/wp-json/'])('%s is the root index too', async (path) => {
  expect((await get(path))['namespaces']).toEqual(['toy/v1']);
});

test('the root index supports _fields', async () => {
  expect(await get('/wp-json/?_fields=name,namespaces')).toEqual({ name: 'Understudy', namespaces: ['toy/v1'] });
});

test('the index of a namespace', async () => {
  const index = await get('/wp-json/toy/v1');
  expect(Object.keys(index)).toEqual(['namespace', 'routes', '_links']);
  expect(index).toMatchObject({ namespace: 'toy/v1', _links: { up: [{ href: `${toy().url}/wp-json/` }] } });
  expect(Object.keys(index.routes)).toEqual(['/toy/v1', ...THINGS.routes.map(({ path }) => path)]);
  expect(index.routes['/toy/v1'].endpoints).toEqual([
    { methods: ['GET'], args: { namespace: { default: 'toy/v1', required: false }, context: { default: 'view', required: false } } },
  ]);
});

test('the index of a namespace keeps its links whatever _fields says', async () => {
  expect(await get('/wp-json/toy/v1?_fields=namespace')).toEqual({
    namespace: 'toy/v1',
    _links: { up: [{ href: `${toy().url}/wp-json/` }] },
  });
});

test.each(['foo', 'TOY/V1', 'toy', '', '0'])('the index of a namespace named %p returns 404', async (name) => {
  const { status, json } = await toy().call(`/wp-json/toy/v1?namespace=${encodeURIComponent(name)}`);
  expect([status, json]).toEqual([
    404,
    { code: 'rest_invalid_namespace', message: 'The specified namespace could not be found.', data: { status: 404 } },
  ]);
});

test('OPTIONS, the root index and the namespace index describe every route identically', async () => {
  const [root, namespace] = [await get('/wp-json/'), await get('/wp-json/toy/v1')];
  for (const { path } of THINGS.routes) {
    const example = path.replace('(?P<id>\\d+)', '5').replace('(?P<name>[^/]+)', 'x');
    const expected = await options(`/wp-json${example}`);
    expect(root.routes[path]).toEqual(expected);
    expect(namespace.routes[path]).toEqual(expected);
  }
});

test('a route lists the methods of all endpoints, the arguments of each, and links only without captures', async () => {
  const [list, item] = [await options('/wp-json/toy/v1/things'), await options('/wp-json/toy/v1/things/5')];
  expect([list.namespace, list.methods, item.methods]).toEqual(['toy/v1', ['GET', 'POST'], ['GET', 'DELETE', 'POST', 'PUT', 'PATCH']]);
  expect(list._links).toEqual({ self: [{ href: `${toy().url}/wp-json/toy/v1/things` }] });
  expect(item).not.toHaveProperty('_links');
  expect(item.endpoints.map(({ methods }) => methods)).toEqual([['GET'], ['DELETE'], ['POST', 'PUT', 'PATCH']]);
  expect(list.endpoints[1].args).toEqual({
    name: { description: 'Name of the thing.', type: 'string', required: true },
    size: { description: 'Size of the thing.', type: 'integer', required: true },
    flag: { description: 'Whether the thing has a flag.', type: 'boolean', required: false },
    free: { description: 'Anything.', required: false },
    list: { description: 'Some numbers.', type: 'array', items: { type: 'integer' }, required: false },
  });
});

test('an endpoint without arguments has an empty list', async () => {
  expect((await options('/wp-json/toy/v1/deep')).endpoints).toEqual([{ methods: ['GET'], args: [] }]);
});

test.each(['/wp-json/toy/v1/nothing', '/wp-json/toy/v1/things/abc', '/wp-json//toy/v1/things'])(
  'OPTIONS of %s is an empty list',
  async (path) => {
    const { status, json } = await toy().call(path, { method: 'OPTIONS' });
    expect([status, json]).toEqual([200, []]);
  },
);

test.each<[string, string, Record<string, string>]>([
  ['GET', '?_method=OPTIONS', {}],
  ['POST', '?_method=options', {}],
  ['GET', '', { 'x-http-method-override': 'OPTIONS' }],
])('%s %s %j is handled as OPTIONS', async (method, query, headers) => {
  const { json } = await toy().call(`/wp-json/toy/v1/things${query}`, { method, headers });
  expect(json).toEqual(await options('/wp-json/toy/v1/things'));
});

test('OPTIONS with an override is handled as the overriding method', async () => {
  expect((await toy().call('/wp-json/toy/v1/things?_method=GET', { method: 'OPTIONS' })).json).toMatchObject({ handler: 'list' });
});
