import { apiOf, signIn, WORLD, type Login } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { send } from '../support/toy.js';
import { PROFILES } from './support.js';

/** Requests of real clients, byte by byte, with parameters and headers beyond what the API defines, and their responses. */

interface Sent {
  as?: Login;
  headers?: Record<string, string>;
  body?: string | object;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const EVENTS = 'tribe/events/v1/events';
const VENUES = 'tribe/events/v1/venues';
const POSTS = 'wp/v2/tribe_events';
const PLACES = 'wp/v2/tribe_venue';

const DATES = { start_date: '2026-07-01 18:00', end_date: '2026-07-01 20:00' };
const FORM_DATES = 'start_date=2026-07-01+18%3A00&end_date=2026-07-01+20%3A00';

type Row = [what: string, request: string, expected: string, sent?: Sent];

/** Requests without side effects. */
const READING: Row[] = [
  ['parameters that nobody knows', `GET ${VENUES}?per_page=2&utm_source=app&foo[bar][]=1&_=1718`, '200 2: 19 17'],
  ['parameters that nobody knows', `GET ${PLACES}?per_page=2&utm_source=app&foo[bar][]=1&_=1718`, '200 2: 19 17'],
  ['ids with commas', `GET ${VENUES}?include=12,13`, '200 9: 19 17 16'],
  ['ids with commas', `GET ${EVENTS}?include=40,80`, '200 2: 40 80'],
  ['ids with commas', `GET ${PLACES}?include=12,13`, '200 2: 13 12'],
  ['ids as a list', `GET ${PLACES}?include[]=12&include[]=13`, '200 2: 13 12'],
  ['ids as a list', `GET ${EVENTS}?include[]=40&include[]=80`, '200 2: 40 80'],
  ['ids as an encoded list with numbers', `GET ${PLACES}?include%5B0%5D=12&include%5B1%5D=13`, '200 2: 13 12'],
  ['ids with commas and spaces', `GET ${PLACES}?include=12%2C%2013`, '200 2: 13 12'],
  ['a repeated parameter', `GET ${PLACES}?include=12&include=13`, '200 1: 13'],
  ['categories by comma', `GET ${EVENTS}?categories=music,community&per_page=3`, '200 3: 38 37 40'],
  ['categories as a list', `GET ${EVENTS}?categories[]=music&categories[]=community&per_page=3`, '200 3: 38 37 40'],
  ['stray ampersands', `GET ${VENUES}/?per_page=2&&`, '200 2: 19 17'],
  ['stray ampersands', `GET ${PLACES}/?&per_page=2&&page=2&`, '200 2: 16 15'],
  ['a question mark alone', `GET ${PLACES}/12?`, '200 {"id":12,"status":"publish","title":"Bengaluru Town Hall"}'],
  ['a trailing slash', `GET ${VENUES}/12/`, '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}'],
  ['a trailing slash', `GET ${PLACES}/12/`, '200 {"id":12,"status":"publish","title":"Bengaluru Town Hall"}'],
  ['a hundred to a page', `GET ${EVENTS}?per_page=100`, '200 46: 34 38 36'],
  ['a hundred to a page', `GET ${POSTS}?per_page=100`, '200 48: 90 89 88'],
  ['more than a hundred', `GET ${POSTS}?per_page=500`, '400 rest_invalid_param'],
  ['all at once', `GET ${POSTS}?per_page=-1`, '400 rest_invalid_param'],
  ['numbers with a plus of a space', `GET ${PLACES}?per_page=%202`, '200 2: 19 17'],
  [
    '_embed',
    `GET ${EVENTS}/31?_embed`,
    '200 {"id":31,"status":"publish","title":"Winter Gala","all_day":false,"cost":"$25","categories":[2],"tags":[14],"venue":17}',
  ],
  [
    '_embed of some',
    `GET ${POSTS}/31?_embed=author,wp:term`,
    '200 {"id":31,"status":"publish","title":"Winter Gala","tags":[14],"tribe_events_cat":[2],"_embedded":["author","wp:term"]}',
  ],
  ['_locale', `GET ${VENUES}/12?_locale=user`, '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}'],
  ['_locale', `GET ${PLACES}/12?_locale=user`, '200 {"id":12,"status":"publish","title":"Bengaluru Town Hall"}'],
  ['fields', `GET ${PLACES}/12?_fields=id,title.rendered`, '200 {"id":12,"title":"Bengaluru Town Hall"}'],
  ['fields as a list', `GET ${VENUES}/12?_fields[]=id&_fields[]=venue`, '200 {"id":12,"venue":"Bengaluru Town Hall"}'],
  ['no pretty addresses', `GET /?rest_route=/${PLACES}/12`, '200 {"id":12,"status":"publish","title":"Bengaluru Town Hall"}'],
  [
    'no pretty addresses',
    `GET /index.php?rest_route=%2F${VENUES.replaceAll('/', '%2F')}%2F12`,
    '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}',
  ],
  ['no slash at the root', `GET /wp-json`, '200 {"name":"Town Calendar"}'],
  ['a body with GET', `GET ${PLACES}`, '200 2: 19 17', { body: { per_page: 2 } }],
  [
    'a type of body without a body',
    `GET ${VENUES}/12`,
    '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}',
    { headers: { 'content-type': 'application/json' } },
  ],
  ['a nonce of nobody', `GET ${VENUES}/12`, '403 rest_cookie_invalid_nonce', { headers: { 'x-wp-nonce': 'null' } }],
  [
    'a bearer token',
    `GET ${VENUES}/12`,
    '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}',
    { headers: { authorization: 'Bearer abc.def' } },
  ],
  ['HEAD', `HEAD ${POSTS}?per_page=2`, '200 '],
  [
    'an override to GET',
    `POST ${VENUES}/12`,
    '200 {"id":12,"status":"publish","venue":"Bengaluru Town Hall"}',
    { headers: { 'x-http-method-override': 'GET' } },
  ],
  [
    'a preflight',
    `OPTIONS ${EVENTS}`,
    '200 {"namespace":"tribe/events/v1"}',
    { headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'x-wp-nonce' } },
  ],
];

/** Requests that create, change or delete. The dataset is reset after each. */
const WRITING: Row[] = [
  [
    'a form',
    `POST ${EVENTS}`,
    '201 {"id":500001,"status":"publish","title":"A form","all_day":false,"cost":"$5","categories":[],"tags":[14],"venue":12}',
    { as: 'editor', headers: FORM, body: `title=A+form&${FORM_DATES}&cost=5&venue=12&tags[]=14` },
  ],
  [
    'numbers as text',
    `POST ${EVENTS}`,
    '201 {"id":500001,"status":"publish","title":"T","all_day":true,"cost":"$5","categories":[2],"tags":[],"venue":12}',
    { as: 'editor', body: { title: 'T', ...DATES, cost: '5', venue: '12', all_day: 'true', categories: ['2'] } },
  ],
  [
    'numbers as numbers',
    `POST ${EVENTS}`,
    '201 {"id":500001,"status":"publish","title":"T","all_day":true,"cost":"$5","categories":[2],"tags":[],"venue":12}',
    { as: 'editor', body: { title: 'T', ...DATES, cost: 5, venue: 12, all_day: 1, categories: 2 } },
  ],
  [
    'fields that nobody knows',
    `POST ${EVENTS}`,
    '201 {"id":500001,"status":"publish","title":"T","all_day":false,"cost":"","categories":[],"tags":[],"venue":[]}',
    { as: 'editor', body: { title: 'T', ...DATES, acf: { a: 1 }, _links: {}, url: 'x' } },
  ],
  [
    'the id in the body',
    `POST ${EVENTS}`,
    '201 {"id":500001,"status":"publish","title":"T","all_day":false,"cost":"","categories":[],"tags":[],"venue":[]}',
    { as: 'editor', body: { id: 31, title: 'T', ...DATES } },
  ],
  [
    'the same id in the body',
    `PUT ${EVENTS}/32`,
    '200 {"id":32,"status":"publish","title":"T","all_day":false,"cost":"","categories":[9,6],"tags":[13,12],"venue":17}',
    { as: 'editor', body: { id: '32', title: 'T' } },
  ],
  [
    'another id in the body',
    `POST ${EVENTS}/32`,
    '200 {"id":31,"status":"publish","title":"T","all_day":false,"cost":"","categories":[2],"tags":[14],"venue":17}',
    { as: 'editor', body: { id: 31, title: 'T' } },
  ],
  ['the id in the body', `POST ${POSTS}`, '400 rest_post_exists', { as: 'editor', body: { id: 31, title: 'T' } }],
  [
    'the same id in the body',
    `PUT ${POSTS}/32`,
    '200 {"id":32,"status":"publish","title":"T","tags":[13,12],"tribe_events_cat":[9,6]}',
    { as: 'editor', body: { id: 32, title: 'T' } },
  ],
  [
    'what was read before, sent back',
    `POST ${PLACES}/12`,
    '200 {"id":12,"status":"publish","title":"T"}',
    {
      as: 'editor',
      body: { id: 12, link: 'x', type: 'tribe_venue', guid: { rendered: 'x' }, _links: {}, title: { raw: 'T', rendered: 'x' } },
    },
  ],
  [
    'parameters in the address',
    `POST ${POSTS}?title=T&status=draft`,
    '201 {"id":500001,"status":"draft","title":"T","tags":[],"tribe_events_cat":[]}',
    { as: 'editor' },
  ],
  [
    'a type of body without a body',
    `POST ${POSTS}?title=T`,
    '201 {"id":500001,"status":"draft","title":"T","tags":[],"tribe_events_cat":[]}',
    { as: 'editor', headers: { 'content-type': 'application/json' } },
  ],
  [
    'terms with commas',
    `POST ${POSTS}`,
    '201 {"id":500001,"status":"draft","title":"T","tags":[11],"tribe_events_cat":[2,3]}',
    { as: 'editor', headers: FORM, body: 'title=T&tribe_events_cat=2,3&tags=11' },
  ],
  ['a stray ampersand', `DELETE ${PLACES}/12/?&force=true`, '200 {"deleted":true,"previous":12}', { as: 'editor' }],
  ['force in the body', `DELETE ${PLACES}/12`, '200 {"deleted":true,"previous":12}', { as: 'editor', body: { force: true } }],
  [
    'force',
    `DELETE ${EVENTS}/32?force=true`,
    '200 {"id":32,"status":"trash","title":"Spring Fair","all_day":false,"cost":"Free","categories":[9,6],"tags":[13,12],"venue":17}',
    { as: 'editor' },
  ],
  [
    'a deletion by override',
    `POST ${EVENTS}/32`,
    '200 {"id":32,"status":"trash","title":"Spring Fair","all_day":false,"cost":"Free","categories":[9,6],"tags":[13,12],"venue":17}',
    { as: 'editor', headers: { 'x-http-method-override': 'DELETE' } },
  ],
  [
    'a deletion by parameter',
    `POST ${POSTS}/32?_method=DELETE`,
    '200 {"id":32,"status":"trash","title":"Spring Fair","tags":[13,12],"tribe_events_cat":[9,6]}',
    { as: 'editor' },
  ],
  [
    'a deletion by GET',
    `GET ${POSTS}/32?_method=DELETE`,
    '200 {"id":32,"status":"trash","title":"Spring Fair","tags":[13,12],"tribe_events_cat":[9,6]}',
    { as: 'editor' },
  ],
  [
    'a change by override',
    `POST ${EVENTS}/32`,
    '200 {"id":32,"status":"publish","title":"T","all_day":false,"cost":"","categories":[9,6],"tags":[13,12],"venue":17}',
    { as: 'editor', headers: { 'x-http-method-override': 'PATCH' }, body: { title: 'T' } },
  ],
  [
    'JSON with a charset',
    `POST ${POSTS}/32`,
    '200 {"id":32,"status":"publish","title":"T","tags":[13,12],"tribe_events_cat":[9,6]}',
    { as: 'editor', headers: { 'content-type': 'application/json; charset=utf-8' }, body: { title: 'T' } },
  ],
  ['JSON that is none', `POST ${POSTS}/32`, '400 rest_invalid_json', { as: 'editor', body: '{"title":' }],
  [
    'JSON without a type',
    `POST ${POSTS}/32`,
    '200 {"id":32,"status":"publish","title":"Spring Fair","tags":[13,12],"tribe_events_cat":[9,6]}',
    { as: 'editor', headers: { 'content-type': 'text/plain' }, body: '{"title":"T"}' },
  ],
];

describe.each(PROFILES)('under %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile });
  const { reset } = apiOf(server);

  const outcome = async (request: string, { as, headers = {}, body }: Sent): Promise<string> => {
    const [method, route] = request.split(' ');
    const isJson = body !== undefined && headers['content-type'] === undefined;
    const answer = await send(server().url, route.startsWith('/') ? route : `/wp-json/${route}`, {
      method,
      headers: { ...(as && { authorization: signIn(as) }), ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return `${answer.status} ${summary(answer.json)}`;
  };

  test.each(READING)('%s: %s', async (_what, request, expected, sent = {}) => {
    expect(await outcome(request, sent)).toBe(expected);
  });

  describe('requests that write', () => {
    afterEach(reset);
    // Each write takes a reset. The recordings cover the rest under `tec`.
    test.each(profile === 'tec' ? WRITING.slice(0, 3) : WRITING)('%s: %s', async (_what, request, expected, sent = {}) => {
      expect(await outcome(request, sent)).toBe(expected);
    });
  });
});

type Item = Record<string, unknown>;

/** Summarizes a response: the first three ids of a list and its length, the code of an error, or a few fields of an item. */
function summary(json: unknown): string {
  if (json === undefined) return '';
  const body = json as Item;
  const list = Array.isArray(json)
    ? (json as Item[])
    : (['events', 'venues', 'tags'].map((name) => body[name]).find(Array.isArray) as Item[] | undefined);
  if (list && body['id'] === undefined)
    return `${list.length}: ${list
      .slice(0, 3)
      .map(({ id }) => String(id))
      .join(' ')}`;
  if (typeof body['code'] === 'string') return body['code'];
  return JSON.stringify(
    Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (SHOWN.has(name) ? [[name, brief(value)]] : []))),
  );
}

const SHOWN = new Set([
  'id',
  'title',
  'venue',
  'status',
  'cost',
  'all_day',
  'categories',
  'tags',
  'tribe_events_cat',
  'namespace',
  'deleted',
  'previous',
  'name',
  '_embedded',
]);

function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (typeof item === 'object' ? (item as Item)['id'] : item));
  if (value === null || typeof value !== 'object') return value;
  const { id, raw, rendered } = value as Item;
  return id ?? raw ?? rendered ?? Object.keys(value);
}
