import { apiOf, signIn, WORLD, type Login } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { send } from '../support/toy.js';
import { PROFILES } from './support.js';

/** What clients in the wild send besides what an interface asks for, byte by byte, and what it comes to. */

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

/** Requests that change nothing. */
const READING: Row[] = [
  ['parameters that nobody knows', `GET ${VENUES}?per_page=2&utm_source=app&foo[bar][]=1&_=1718`, ''],
  ['parameters that nobody knows', `GET ${PLACES}?per_page=2&utm_source=app&foo[bar][]=1&_=1718`, ''],
  ['ids with commas', `GET ${VENUES}?include=12,13`, ''],
  ['ids with commas', `GET ${EVENTS}?include=31,80&start_date=2020-01-01`, ''],
  ['ids with commas', `GET ${PLACES}?include=12,13`, ''],
  ['ids as a list', `GET ${PLACES}?include[]=12&include[]=13`, ''],
  ['ids as a list', `GET ${EVENTS}?include[]=31&include[]=80&start_date=2020-01-01`, ''],
  ['ids as an encoded list with numbers', `GET ${PLACES}?include%5B0%5D=12&include%5B1%5D=13`, ''],
  ['ids with commas and spaces', `GET ${PLACES}?include=12%2C%2013`, ''],
  ['a repeated parameter', `GET ${PLACES}?include=12&include=13`, ''],
  ['categories by comma', `GET ${EVENTS}?categories=music,community&per_page=3`, ''],
  ['categories as a list', `GET ${EVENTS}?categories[]=music&categories[]=community&per_page=3`, ''],
  ['stray ampersands', `GET ${VENUES}/?per_page=2&&`, ''],
  ['stray ampersands', `GET ${PLACES}/?&per_page=2&&page=2&`, ''],
  ['a question mark alone', `GET ${PLACES}/12?`, ''],
  ['a trailing slash', `GET ${VENUES}/12/`, ''],
  ['a trailing slash', `GET ${PLACES}/12/`, ''],
  ['a hundred to a page', `GET ${EVENTS}?per_page=100`, ''],
  ['a hundred to a page', `GET ${POSTS}?per_page=100`, ''],
  ['more than a hundred', `GET ${POSTS}?per_page=500`, ''],
  ['all at once', `GET ${POSTS}?per_page=-1`, ''],
  ['numbers with a plus of a space', `GET ${PLACES}?per_page=%202`, ''],
  ['_embed', `GET ${EVENTS}/31?_embed`, ''],
  ['_embed of some', `GET ${POSTS}/31?_embed=author,wp:term`, ''],
  ['_locale', `GET ${VENUES}/12?_locale=user`, ''],
  ['_locale', `GET ${PLACES}/12?_locale=user`, ''],
  ['fields', `GET ${PLACES}/12?_fields=id,title.rendered`, ''],
  ['fields as a list', `GET ${VENUES}/12?_fields[]=id&_fields[]=venue`, ''],
  ['no pretty addresses', `GET /?rest_route=/${PLACES}/12`, ''],
  ['no pretty addresses', `GET /index.php?rest_route=%2F${VENUES.replaceAll('/', '%2F')}%2F12`, ''],
  ['no slash at the root', `GET /wp-json`, ''],
  ['a body with GET', `GET ${PLACES}`, '', { body: { per_page: 2 } }],
  ['a type of body without a body', `GET ${VENUES}/12`, '', { headers: { 'content-type': 'application/json' } }],
  ['a nonce of nobody', `GET ${VENUES}/12`, '', { headers: { 'x-wp-nonce': 'null' } }],
  ['a bearer token', `GET ${VENUES}/12`, '', { headers: { authorization: 'Bearer abc.def' } }],
  ['HEAD', `HEAD ${POSTS}?per_page=2`, ''],
  ['an override to GET', `POST ${VENUES}/12`, '', { headers: { 'x-http-method-override': 'GET' } }],
  [
    'a preflight',
    `OPTIONS ${EVENTS}`,
    '',
    { headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'x-wp-nonce' } },
  ],
];

/** Requests that create, change or delete; the dataset comes back after each. */
const WRITING: Row[] = [
  ['a form', `POST ${EVENTS}`, '', { as: 'editor', headers: FORM, body: `title=A+form&${FORM_DATES}&cost=5&venue=12&tags[]=live` }],
  [
    'numbers as text',
    `POST ${EVENTS}`,
    '',
    { as: 'editor', body: { title: 'T', ...DATES, cost: '5', venue: '12', all_day: 'true', categories: ['2'] } },
  ],
  [
    'numbers as numbers',
    `POST ${EVENTS}`,
    '',
    { as: 'editor', body: { title: 'T', ...DATES, cost: 5, venue: 12, all_day: 1, categories: 2 } },
  ],
  ['fields that nobody knows', `POST ${EVENTS}`, '', { as: 'editor', body: { title: 'T', ...DATES, acf: { a: 1 }, _links: {}, url: 'x' } }],
  ['the id in the body', `POST ${EVENTS}`, '', { as: 'editor', body: { id: 31, title: 'T', ...DATES } }],
  ['the same id in the body', `PUT ${EVENTS}/32`, '', { as: 'editor', body: { id: '32', title: 'T' } }],
  ['another id in the body', `POST ${EVENTS}/32`, '', { as: 'editor', body: { id: 31, title: 'T' } }],
  ['the id in the body', `POST ${POSTS}`, '', { as: 'editor', body: { id: 31, title: 'T' } }],
  ['the same id in the body', `PUT ${POSTS}/32`, '', { as: 'editor', body: { id: 32, title: 'T' } }],
  [
    'what was read before, sent back',
    `POST ${PLACES}/12`,
    '',
    {
      as: 'editor',
      body: { id: 12, link: 'x', type: 'tribe_venue', guid: { rendered: 'x' }, _links: {}, title: { raw: 'T', rendered: 'x' } },
    },
  ],
  ['parameters in the address', `POST ${POSTS}?title=T&status=draft`, '', { as: 'editor' }],
  ['a type of body without a body', `POST ${POSTS}?title=T`, '', { as: 'editor', headers: { 'content-type': 'application/json' } }],
  ['terms with commas', `POST ${POSTS}`, '', { as: 'editor', headers: FORM, body: 'title=T&tribe_events_cat=2,3&tags=11' }],
  ['a stray ampersand', `DELETE ${PLACES}/12/?&force=true`, '', { as: 'editor' }],
  ['force in the body', `DELETE ${PLACES}/12`, '', { as: 'editor', body: { force: true } }],
  ['force', `DELETE ${EVENTS}/32?force=true`, '', { as: 'editor' }],
  ['a deletion by override', `POST ${EVENTS}/32`, '', { as: 'editor', headers: { 'x-http-method-override': 'DELETE' } }],
  ['a deletion by parameter', `POST ${POSTS}/32?_method=DELETE`, '', { as: 'editor' }],
  ['a deletion by GET', `GET ${POSTS}/32?_method=DELETE`, '', { as: 'editor' }],
  ['a change by override', `POST ${EVENTS}/32`, '', { as: 'editor', headers: { 'x-http-method-override': 'PATCH' }, body: { title: 'T' } }],
  [
    'JSON with a charset',
    `POST ${POSTS}/32`,
    '',
    { as: 'editor', headers: { 'content-type': 'application/json; charset=utf-8' }, body: { title: 'T' } },
  ],
  ['JSON that is none', `POST ${POSTS}/32`, '', { as: 'editor', body: '{"title":' }],
  ['JSON without a type', `POST ${POSTS}/32`, '', { as: 'editor', headers: { 'content-type': 'text/plain' }, body: '{"title":"T"}' }],
];

describe.each(PROFILES)('under %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile });
  const { reset } = apiOf(server);

  const outcome = async (request: string, { as, headers = {}, body }: Sent = {}): Promise<string> => {
    const [method, route] = request.split(' ');
    const isJson = body !== undefined && headers['content-type'] === undefined;
    const answer = await send(server().url, route.startsWith('/') ? route : `/wp-json/${route}`, {
      method,
      headers: { ...(as && { authorization: signIn(as) }), ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return `${answer.status} ${summary(answer.json)}`;
  };

  test.each(READING)('%s: %s', async (_what, request, expected, sent) => {
    expect(await outcome(request, sent)).toBe(expected);
  });

  describe('what changes things', () => {
    afterEach(reset);
    test.each(WRITING)('%s: %s', async (_what, request, expected, sent) => {
      expect(await outcome(request, sent)).toBe(expected);
    });
  });
});

type Item = Record<string, unknown>;

/** What an answer is about: ids of a list (the first three, and how many), the code of a refusal, or a few fields of a single thing. */
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
