import { WORDPRESS } from '../../../src/wordpress/quirks.js';
import { apiOf, signIn, WORLD, type Login } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/* Behavior of abilities that is not in the recordings. */

const server = startTestServer({ dataset: WORLD });
const api = apiOf(server);
afterEach(() => {
  server().site.chosenReleases = {};
});

const ROOT = '/wp-abilities/v1';
const SITE = 'core/get-site-info';

type Body = Record<string, unknown> & { code?: string; message?: string };

const run = async (name: string, input: string, as: Login | undefined = 'admin'): Promise<Body> =>
  (await api.get<Body>(`${ROOT}/abilities/${name}/run${input}`, as)).body;

test('anonymous callers read nothing, whether it exists or not', async () => {
  for (const path of ['abilities', 'categories', `abilities/${SITE}`, 'abilities/none', 'categories/none']) {
    const { status, body } = await api.get<Body>(`${ROOT}/${path}`);
    expect([path, status, body.code]).toEqual([path, 401, 'rest_forbidden']);
  }
});

test('lists have pages, and a page that is too far is empty and links back', async () => {
  const links = async (query: string) => {
    const { headers, body } = await api.get<unknown[]>(`${ROOT}/abilities?${query}`, 'subscriber');
    const url = `${server().restUrl}${ROOT}/abilities`;
    const others = (headers.get('link') ?? '').split(', ').filter((link) => !link.includes('api.w.org'));
    return [body.length, headers.get('x-wp-total'), headers.get('x-wp-totalpages'), ...others.map((link) => link.replace(url, ''))];
  };
  expect(await links('per_page=2')).toEqual([2, '3', '2', '<?per_page=2&page=2>; rel="next"']);
  expect(await links('per_page=2&page=9')).toEqual([0, '3', '2', '<?per_page=2&page=8>; rel="prev"']);
});

test('the counts of a list are texts, as an envelope shows', async () => {
  const { body } = await api.get(`${ROOT}/categories?_envelope`, 'admin');
  expect(body).toMatchObject({ headers: { 'X-WP-Total': '2', 'X-WP-TotalPages': '1' } });
});

test.each([
  ['category=user', ['core/get-user-info']],
  ['category=none', []],
  ['namespace=core', [SITE, 'core/get-user-info', 'core/get-environment-info']],
  ['namespace=cor', []],
  ['meta[annotations][readonly]=true&category=user', ['core/get-user-info']],
  ['meta[annotations][readonly]=false', []],
  // A text is not a boolean where no type is declared.
  ['meta[public]=true', []],
  ['meta[show_in_rest]=false&category=user', ['core/get-user-info']],
])('a list with %s', async (query, names) => {
  const { body } = await api.get<{ name: string }[]>(`${ROOT}/abilities?${query}`, 'subscriber');
  expect(body.map(({ name }) => name)).toEqual(names);
});

test('the context selects fields, also of a single ability', async () => {
  const fields = async (path: string) => Object.keys((await api.get<Body>(`${ROOT}/${path}`, 'subscriber')).body);
  expect(await fields(`abilities/${SITE}?context=embed`)).toEqual(['name', 'label', 'category', '_links']);
  expect(await fields('categories/site?context=embed')).toEqual(['slug', 'label', '_links']);
  expect(await fields('categories/site?context=none')).toEqual(['_links']);
});

test('the schemas of an ability say what it takes and returns', async () => {
  const read = async (name: string) => (await api.get<Body>(`${ROOT}/abilities/${name}`, 'subscriber')).body;
  const input = (fields: string[]) => ({
    type: 'object',
    properties: { fields: { type: 'array', items: { type: 'string', enum: fields }, description: expect.any(String) as unknown } },
    additionalProperties: false,
    default: {},
  });
  const environment = await read('core/get-environment-info');
  expect(environment.input_schema).toEqual(input(['environment', 'php_version', 'db_server_info', 'wp_version']));
  expect(environment.output_schema).not.toHaveProperty('required');
  server().site.chosenReleases = { wordpress: '7.0.4' };
  const older = await read('core/get-environment-info');
  expect(older.input_schema).toEqual([]);
  expect(older.output_schema).toMatchObject({ required: ['environment', 'php_version', 'db_server_info', 'wp_version'] });
  expect((await read(SITE)).input_schema).toMatchObject({ type: 'object', default: {} });
});

const FIELDS = 'name, description, url, wpurl, admin_email, charset, language, and version';

test.each([
  ['?input[fields][]=none', `input[fields][0] is not one of ${FIELDS}.`],
  ['?input[other]=1', 'other is not a valid property of Object.'],
  ['?input=text', 'input is not of type object.'],
])('invalid input %s', async (query, reason) => {
  expect(await run(SITE, query)).toEqual({
    code: 'ability_invalid_input',
    message: `Ability "${SITE}" has invalid input. Reason: ${reason}`,
    data: { status: 400 },
  });
  // It is checked before the right to run the ability.
  expect((await run(SITE, query, 'subscriber')).code).toBe('ability_invalid_input');
});

test('results have the fields that are named, or all of them', async () => {
  const all = ['name', 'description', 'url', 'wpurl', 'admin_email', 'charset', 'language', 'version'];
  for (const query of ['', '?input=', '?input[fields]=']) expect(Object.keys(await run(SITE, query))).toEqual(all);
  expect(await run(SITE, '?input[fields]=charset,version')).toEqual({ charset: 'UTF-8', version: WORDPRESS.releases[0] });
  expect(await run('core/get-environment-info', '?input[fields][]=wp_version')).toEqual({ wp_version: WORDPRESS.releases[0] });
});

test('older releases do not read a text of fields, and take no input for the environment', async () => {
  server().site.chosenReleases = { wordpress: '6.9.7' };
  expect(await run(SITE, '?input[fields]=charset,version')).toEqual([]);
  expect(await run(SITE, '?input[fields][]=version')).toEqual({ version: '6.9.7' });
  expect(await run('core/get-environment-info', '?input[fields][]=wp_version')).toMatchObject({
    code: 'ability_missing_input_schema',
    data: { status: 400 },
  });
  expect(await run('core/get-environment-info', '')).toMatchObject({ environment: 'local', wp_version: '6.9.7' });
});

test('another method than GET is refused before anything else but the name', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, body, headers } = await api.call<Body>(method, `${ROOT}/abilities/${SITE}/run?input=x`);
    expect([method, status, body.code, headers.get('allow')]).toEqual([method, 405, 'rest_ability_invalid_method', null]);
  }
  const head = (name: string) => http('HEAD', `${server().restUrl}${ROOT}/abilities/${name}/run`, { authorization: signIn('admin') });
  expect((await head(SITE)).status).toBe(405);
  expect((await head('core/none')).status).toBe(404);
});

test('who may run what', async () => {
  const outcome = async (name: string, as: Login | undefined) => {
    const { status, headers } = await api.get(`${ROOT}/abilities/${name}/run`, as);
    return `${status} ${headers.get('allow') ?? '-'}`;
  };
  const ALL = '200 GET, POST, PUT, PATCH, DELETE';
  for (const name of [SITE, 'core/get-environment-info']) {
    expect([await outcome(name, 'admin'), await outcome(name, 'editor'), await outcome(name, undefined)]).toEqual([ALL, '403 -', '401 -']);
  }
  expect([await outcome('core/get-user-info', 'contributor'), await outcome('core/get-user-info', undefined)]).toEqual([ALL, '401 -']);
});
