import { DEFINITIONS, type SchemaName } from '../src/plugins/the-events-calendar/calendar-v1/doc/definitions.js';
import { startTestServer } from './support/server.js';
import { WORLD } from './support/plan.js';

const NAMESPACE = '/tribe/events/v1';

type JsonObject = Record<string, unknown>;

interface EndpointEntry {
  methods: string[];
  args: Record<string, { type?: string; required: boolean }>;
}

interface RouteEntry {
  methods: string[];
  endpoints: EndpointEntry[];
}

interface Operation {
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: { properties: JsonObject } }> };
}

const server = startTestServer({ dataset: WORLD });

const call = async (path: string, init: RequestInit = {}): Promise<{ status: number; body: JsonObject }> => {
  const response = await fetch(server().restUrl + path, init);
  return { status: response.status, body: (await response.json()) as JsonObject };
};

let root: Record<string, RouteEntry>;
let namespace: Record<string, RouteEntry>;
let doc: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  root = (await call('/')).body['routes'] as typeof root;
  namespace = (await call(NAMESPACE)).body['routes'] as typeof namespace;
  doc = (await call(`${NAMESPACE}/doc`)).body['paths'] as typeof doc;
});

const EXAMPLES: Record<string, { id: number; slug?: string }> = {
  events: { id: 35, slug: 'festival-week' },
  venues: { id: 10, slug: 'riverside-hall' },
  organizers: { id: 22, slug: 'music-guild' },
  categories: { id: 3 },
  tags: { id: 12 },
};

const COLLECTIONS = Object.keys(EXAMPLES);

/** Every route of the calendar: its REST path, its path in the OpenAPI document, and its method. */
const ROUTES: [string, string, string][] = [
  ['', '', ''],
  ['/doc', '/doc', '/doc'],
  ...COLLECTIONS.flatMap((name): [string, string, string][] => {
    const { id, slug } = EXAMPLES[name];
    return [
      [`/${name}`, `/${name}`, `/${name}`],
      [`/${name}/(?P<id>\\d+)`, `/${name}/${id}`, `/${name}/{id}`],
      ...(slug
        ? ([[`/${name}/by-slug/(?P<slug>[^/]+)`, `/${name}/by-slug/${slug}`, `/${name}/by-slug/{slug}`]] as [string, string, string][])
        : []),
    ];
  }),
];

test('all three indexes list the expected routes', () => {
  const wanted = ROUTES.map(([route]) => NAMESPACE + route);
  expect(Object.keys(namespace).sort()).toEqual(wanted.toSorted());
  expect(
    Object.keys(root)
      .filter((route) => route.startsWith(NAMESPACE))
      .sort(),
  ).toEqual(wanted.toSorted());
  // TEC: the index of the namespace is not in the document.
  expect(Object.keys(doc).sort()).toEqual(
    ROUTES.slice(1)
      .map(([, , written]) => written)
      .sort(),
  );
});

/** Removes defaults that are points in time, which differ between requests. */
const withoutMoments = (entry: unknown): unknown =>
  JSON.parse(
    JSON.stringify(entry, (key, value: unknown) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d /.test(value) && key === 'default' ? 'moment' : value,
    ),
  );

test.each(ROUTES)('OPTIONS %s describes the route as the indexes do', async (route, path) => {
  const { status, body } = await call(NAMESPACE + path, { method: 'OPTIONS' });
  expect(status).toBe(200);
  expect(withoutMoments(body)).toEqual(withoutMoments(namespace[NAMESPACE + route]));
  expect(withoutMoments(root[NAMESPACE + route])).toEqual(withoutMoments(namespace[NAMESPACE + route]));
});

/** TEC: the document does not show creation, and shows only POST of the methods that change an item. */
const documented = (method: string, path: string): boolean => (path.includes('{') ? ['GET', 'POST', 'DELETE'] : ['GET']).includes(method);

test.each(ROUTES.slice(1))('the document and the index agree on %s', (route, _path, written) => {
  const entry = namespace[NAMESPACE + route];
  expect(Object.keys(doc[written]).sort()).toEqual(
    entry.methods
      .filter((method) => documented(method, written))
      .map((method) => method.toLowerCase())
      .sort(),
  );
  for (const { methods, args } of entry.endpoints) {
    for (const method of methods.filter((each) => documented(each, written))) {
      const { parameters = [], requestBody } = doc[written][method.toLowerCase()];
      const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => Object.keys(schema.properties));
      const named = new Set([...parameters.map(({ name }) => name), ...bodies.flat()]);
      expect([method, [...named].sort()]).toEqual([method, Object.keys(args).sort()]);
    }
  }
});

describe('parameters are accepted as declared', () => {
  /** Arguments that are neither typed nor checked: they accept any value. */
  const ANYTHING: Record<string, string[]> = {
    '': ['context'],
    '/events': ['geoloc_lat', 'geoloc_lng'],
    '/venues': ['has_events', 'only_with_upcoming'],
    '/organizers': ['has_events', 'only_with_upcoming'],
  };
  const ANYTHING_WRITTEN = ['cost', 'categories', 'tags'];

  /** A value that matches no declared type and passes no check. */
  const JUNK = { x: { y: ['z'] } };

  /** Other arguments are checked only if the required ones are present. */
  const REQUIRED: JsonObject = { title: 'x', start_date: '2026-07-01', end_date: '2026-07-01', venue: 'x', organizer: 'x', name: 'x' };

  /** Returns which arguments are rejected when they contain junk: validators run first, then type checks. */
  async function refusedOf(method: string, path: string, wanted: string[], args: EndpointEntry['args']): Promise<string[]> {
    const isRefused = async (name: string): Promise<boolean> => {
      const required = Object.entries(args).filter(([arg, { required: isRequired }]) => isRequired && arg in REQUIRED);
      const body = JSON.stringify({ ...Object.fromEntries(required.map(([arg]) => [arg, REQUIRED[arg]])), [name]: JUNK });
      const init = { method, headers: { 'content-type': 'application/json' }, body };
      const { status, body: answer } =
        method === 'GET' ? await call(`${NAMESPACE}${path}?${name}[x][y][]=z`) : await call(NAMESPACE + path, init);
      expect([name, status < 500]).toEqual([name, true]);
      const params = (answer['data'] as { params?: JsonObject } | undefined)?.params ?? {};
      return Object.hasOwn(params, name) || answer['code'] === 'rest_invalid_namespace';
    };
    const verdicts = await Promise.all(wanted.map(isRefused));
    return wanted.filter((_name, index) => verdicts[index]).sort();
  }

  const everyName = (): string[] => [
    ...new Set(Object.values(namespace).flatMap(({ endpoints }) => endpoints.flatMap(({ args }) => Object.keys(args)))),
  ];

  test.each(ROUTES)('of %s', async (route, path) => {
    for (const { methods, args } of namespace[NAMESPACE + route].endpoints) {
      const [method] = methods;
      const free = method === 'GET' ? (ANYTHING[route] ?? []) : ANYTHING_WRITTEN;
      const declared = Object.keys(args).filter((name) => !free.includes(name));
      expect([method, await refusedOf(method, path, everyName(), args)]).toEqual([method, declared.sort()]);
    }
  });
});

describe('responses match the published schema', () => {
  interface Known {
    /** Published, but missing from the response. */
    missing?: string[];
    /** In the response, but not published. */
    extra?: string[];
  }

  const at = (object: unknown, ...keys: (string | number)[]): JsonObject =>
    keys.reduce((value, key) => Object.values({ it: (value as JsonObject)[key as string] })[0], object) as JsonObject;

  // TEC: the definitions do not match the responses exactly.
  test.each<[SchemaName, string, (string | number)[], Known]>([
    ['Event', '/events/35', [], { extra: ['custom_fields', 'json_ld'] }],
    ['Event', '/events', ['events', 0], { extra: ['custom_fields'] }],
    ['CostDetails', '/events/35', ['cost_details'], { missing: ['currency_position '], extra: ['currency_position', 'currency_code'] }],
    ['DateDetails', '/events/35', ['start_date_details'], {}],
    ['DateDetails', '/events/35', ['utc_end_date_details'], {}],
    ['Image', '/events/35', ['image'], { extra: ['filesize'] }],
    ['ImageSize', '/events/35', ['image', 'sizes', 'medium'], { extra: ['filesize'] }],
    ['Term', '/events/35', ['categories', 0], { missing: ['url'], extra: ['term_group', 'term_taxonomy_id', 'filter'] }],
    ['Term', '/categories/3', [], { extra: ['meta', '_links'] }],
    ['Term', '/tags/12', [], { missing: ['parent'], extra: ['meta', '_links'] }],
    // TEC: empty fields are left out. Only the pro extension has coordinates.
    ['Venue', '/venues/10', [], { missing: ['province', 'geo_lat', 'geo_lng'], extra: ['json_ld'] }],
    ['Organizer', '/organizers/22', [], { extra: ['json_ld'] }],
  ])('%s in %s %j', async (name, path, keys, { missing = [], extra = [] }) => {
    const answered = Object.keys(at((await call(NAMESPACE + path)).body, ...keys));
    const published = Object.keys(DEFINITIONS[name]);
    expect(published.filter((key) => !answered.includes(key)).sort()).toEqual(missing.toSorted());
    expect(answered.filter((key) => !published.includes(key)).sort()).toEqual(extra.toSorted());
  });
});
