import net from 'node:net';
import { send, type Answer, type Call } from '../support/toy.js';
import { WORLD } from '../support/plan.js';
import { startTestServer } from '../support/server.js';
import { readFileSync } from 'node:fs';

const NS = '/wp-json/tribe/events/v1';

/** How long any answer may take. */
const LIMIT_MS = 2000;

// As the plugin, but for the errors of the server that it answers some bad input with.
const server = startTestServer({ dataset: WORLD, logLevel: 'silent', quirks: ['bad-input-is-server-error=off'] });

const world = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: string; application_password: string }[] };
const admin = world.users.find(({ login }) => login === 'admin');
const ADMIN = { authorization: `Basic ${Buffer.from(`admin:${admin?.application_password}`).toString('base64')}` };

/** Asks, and sees to what holds for every answer: in time, never an error of the server, and JSON. */
async function ask(path: string, options: Call = {}): Promise<Answer> {
  const started = performance.now();
  const answer = await send(server().url, path, options);
  expect(performance.now() - started).toBeLessThan(LIMIT_MS);
  expect(answer.status).toBeLessThan(500);
  if (options.method !== 'HEAD') expect(answer.json).toBeDefined();
  return answer;
}

const totalOf = ({ json }: Answer): unknown => (json as { total?: number }).total;
const paramsOf = ({ json }: Answer): unknown => (json as { data?: { params?: object } }).data?.params;

/** What an anonymous list without parameters counts. */
let everything: Record<string, unknown>;

beforeAll(async () => {
  const lists = ['events', 'venues', 'organizers', 'categories', 'tags'];
  everything = Object.fromEntries(await Promise.all(lists.map(async (list) => [list, totalOf(await ask(`${NS}/${list}`))])));
});

describe('paths', () => {
  const long = 'a'.repeat(15_000);
  test.each([
    ['a broken escape', `${NS}/events/by-slug/%zz`, 400],
    ['half an escape', `${NS}/events/by-slug/%`, 400],
    ['a byte that is no UTF-8', `${NS}/events/by-slug/%ff`, 400],
    ['half a surrogate pair', `${NS}/events/by-slug/%ed%a0%80`, 400],
    ['overlong UTF-8', `${NS}/events/by-slug/%c0%ae`, 400],
    ['NUL', `${NS}/events/by-slug/a%00b`, 400],
    ['an operator', `${NS}/events/by-slug/$gt`, 400],
    ['an operator as an object', `${NS}/events/by-slug/%7B%22$ne%22:null%7D`, 400],
    ['regular-expression characters', `${NS}/events/by-slug/.*`, 400],
    ['a step upwards', `${NS}/events/by-slug/..%2f..%2fevents`, 404],
    ['a long one', `${NS}/events/by-slug/${long}`, 400],
    ['a number beyond all integers', `${NS}/events/${'9'.repeat(400)}`, 404],
    ['a number beyond those of JavaScript', `${NS}/events/9007199254740993`, 404],
    ['names of prototypes', `${NS}/__proto__`, 404],
    ['names of prototypes as slugs', `${NS}/events/by-slug/constructor`, 400],
    ['a script', `${NS}/events/by-slug/%3Cscript%3E`, 400],
    ['a file of the machine', '/wp-content/uploads/..%2f..%2f..%2fetc%2fpasswd', 404],
    ['a file of the machine, twice encoded', '/wp-content/uploads/%252e%252e%252fpasswd', 404],
    ['a NUL in a file', '/wp-content/uploads/a%00.png', 404],
    ['a broken escape in a file', '/wp-content/uploads/%zz', 404],
  ])('%s', async (_what, path, status) => {
    const answer = await send(server().url, path);
    expect(answer.status).toBe(status);
  });

  test('by-slug finds nothing but the very slug', async () => {
    for (const slug of ['festival.week', 'festival-wee.', '^festival-week$', 'festival-week%00']) {
      const { status, json } = await ask(`${NS}/events/by-slug/${slug}`);
      if (status === 200) expect((json as { slug: string }).slug).toBe('festival-week');
      else expect(status).toBe(400);
    }
  });
});

describe('names of parameters', () => {
  test.each([
    '$where=sleep(9)',
    '$or[0][status]=draft',
    '$and[]=1',
    'status.$ne=publish',
    '$ne[status]=publish',
    'occurrence.start[$gt]=',
    'hidden=true',
    'type=tribe_venue',
    'post_status=draft',
    '__proto__[status]=draft',
    '__proto__=1',
    'constructor[prototype][status]=draft',
    'prototype=1',
    'toString=1&hasOwnProperty=1&valueOf=1',
    '%00status=draft',
    '%24gt=1',
    '[status]=draft',
    '[]=draft',
    '=draft',
    '&&&=&==&',
    '%zz=%zz',
    '%ff=%ff',
    `${'a'.repeat(50_000)}=1`.slice(0, 14_000),
    `x${'[a]'.repeat(3000)}=1`,
    `x${'['.repeat(5000)}=1`,
  ])('%s says nothing', async (query) => {
    const answer = await ask(`${NS}/events?${query}`);
    expect([answer.status, totalOf(answer)]).toEqual([200, everything['events']]);
    expect(({} as Record<string, unknown>)['status']).toBeUndefined();
  });
});

/** Parameters of each list with what they are. */
const LISTS: [string, string[], string[]][] = [
  [
    'events',
    ['categories', 'tags', 'venue', 'organizer', 'include'],
    [
      'page',
      'per_page',
      'start_date',
      'end_date',
      'starts_before',
      'starts_after',
      'ends_before',
      'ends_after',
      'strict_dates',
      'search',
      'featured',
      'post_parent',
      'ticketed',
    ],
  ],
  ['venues', [], ['page', 'per_page', 'search', 'event']],
  ['organizers', [], ['page', 'per_page', 'search', 'event']],
  [
    'categories',
    ['include', 'exclude'],
    ['page', 'per_page', 'search', 'order', 'orderby', 'hide_empty', 'parent', 'post', 'event', 'slug'],
  ],
  ['tags', ['include', 'exclude'], ['page', 'per_page', 'search', 'order', 'orderby', 'hide_empty', 'post', 'event', 'slug']],
];

const LISTED = LISTS.flatMap(([list, lists]) => lists.map((name) => [list, name] as const));
const SCALAR = LISTS.flatMap(([list, , scalars]) => scalars.map((name) => [list, name] as const));

const json = (body: unknown, method = 'GET'): Call => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('arrays where one value is expected', () => {
  test.each(SCALAR)('%s: %s', async (list, name) => {
    for (const query of [
      `${name}[]=1`,
      `${name}[$gt]=`,
      `${name}[$ne]=1`,
      `${name}[$regex]=.*`,
      `${name}[a][b][c]=1`,
      `${name}[0][$where]=1`,
    ]) {
      const answer = await ask(`${NS}/${list}?${query}`);
      expect([query, answer.status, Object.keys(paramsOf(answer) as object)]).toEqual([query, 400, [name]]);
    }
    for (const value of [[], [1], {}, { $gt: '' }, { $ne: null }, [[[]]], { a: { b: {} } }]) {
      const answer = await ask(`${NS}/${list}`, json({ [name]: value }));
      expect([value, answer.status, Object.keys(paramsOf(answer) as object)]).toEqual([value, 400, [name]]);
    }
  });

  test.each(['has_events', 'only_with_upcoming'])('venues: %s takes anything for no', async (name) => {
    for (const value of [[], { $gt: '' }, [[1]]]) expect((await ask(`${NS}/venues`, json({ [name]: value }))).status).toBe(200);
  });

  test.each(['geoloc_lat', 'geoloc_lng'])('events: %s does nothing', async (name) => {
    for (const value of [[], { $near: 1 }, 'x', 1e308, null]) {
      expect(totalOf(await ask(`${NS}/events`, json({ [name]: value })))).toBe(everything['events']);
    }
  });
});

describe('lists', () => {
  test.each(LISTED)('%s: other things than lists for %s', async (list, name) => {
    for (const value of [
      true,
      false,
      {},
      { $gt: 0 },
      { $in: [[1]] },
      [[1]],
      [{ $ne: 1 }],
      [null],
      [true],
      '$gt',
      '.*',
      '\0',
      1.5,
      -1,
      'constructor',
      ['__proto__'],
    ]) {
      const answer = await ask(`${NS}/${list}`, json({ [name]: value }));
      expect([value, answer.status]).toEqual([value, 400]);
      expect(Object.keys(paramsOf(answer) as object)).toEqual([name]);
    }
  });

  const many = Array.from({ length: 10_000 }, (_item, index) => index + 1_000_000);

  test.each(LISTED)('%s: 10,000 that do not exist for %s', async (list, name) => {
    for (const value of [many, many.map(String), many.join(','), many.map((id) => `name ${id}`)]) {
      const { status } = await ask(`${NS}/${list}`, json({ [name]: value }));
      // TEC: ids of events need not exist.
      expect(status).toBe(list === 'events' && name === 'include' && !String(value).includes('name') ? 200 : 400);
    }
  });

  const EXISTING: Record<string, number> = { categories: 2, tags: 12, venue: 10, organizer: 22, include: 36, exclude: 12 };

  test.each(LISTED)('%s: one value 10,000 times for %s', async (list, name) => {
    const id = list === 'categories' ? 2 : list === 'tags' ? 12 : EXISTING[name];
    const [once, often] = [
      await ask(`${NS}/${list}`, json({ [name]: [id] })),
      await ask(`${NS}/${list}`, json({ [name]: many.map(() => id) })),
    ];
    expect([often.status, totalOf(often)]).toEqual([200, totalOf(once)]);
  });

  test('10,000 statuses', async () => {
    expect((await ask(`${NS}/events`, json({ status: many }))).status).toBe(400);
    const answer = await ask(`${NS}/events`, {
      ...json({ status: many.map(() => 'draft') }),
      headers: { ...ADMIN, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });

  test('10,000 fields', async () => {
    expect((await ask(`${NS}/events`, json({ _fields: many.map((n) => `a${n}.b.c`) }))).json).toEqual([]);
    expect((await ask(`${NS}/events`, json({ _fields: `total${'.a'.repeat(10_000)}` }))).json).toEqual({ total: everything['events'] });
  });
});

describe('numbers', () => {
  test.each(['page', 'per_page'])('%s', async (name) => {
    for (const value of [
      '0',
      '-1',
      '1e400',
      'NaN',
      'Infinity',
      '0x10',
      '1_000',
      '%EF%BC%91',
      '%D9%A1',
      '1%00',
      '%001',
      '-9223372036854775809',
      '1e-400',
    ]) {
      expect([value, (await ask(`${NS}/events?${name}=${value}`)).status]).toEqual([value, 400]);
    }
    for (const value of ['9223372036854775807', '99999999999999999999', '1e300', '2147483648']) {
      for (const list of Object.keys(everything)) expect([200, 404]).toContain((await ask(`${NS}/${list}?${name}=${value}`)).status);
    }
  });

  test('ids beyond all integers', async () => {
    for (const id of ['99999999999999999999', '1e300', '9007199254740993', '18446744073709551616']) {
      for (const query of [`include=${id}`, `venue=${id}`, `post_parent=${id}`]) {
        const answer = await ask(`${NS}/events?${query}`);
        if (answer.status === 200) expect([query, totalOf(answer)]).toEqual([query, 0]);
        else expect(answer.status).toBe(400);
      }
    }
  });

  test('numbers that are no numbers of JSON', async () => {
    for (const text of ['1e999', '-1e999', '123456789012345678901234567890', '0.1e-400']) {
      const call = { headers: { 'content-type': 'application/json' }, body: `{"page":${text},"venue":${text},"include":${text}}` };
      expect((await ask(`${NS}/events`, call)).status).toBe(400);
    }
  });
});

describe('search', () => {
  /** How many of a list a search finds. */
  const found = async (list: string, text: string): Promise<number> => {
    const { status, json: body } = await ask(`${NS}/${list}?search=${encodeURIComponent(text)}`);
    expect([text, status]).toEqual([text, 200]);
    return ((body as Record<string, unknown[]>)[list] ?? []).length;
  };

  test.each(['.*', '^', '[a-z]{3}', '(a+)+$', '(?=yoga)', '[[:alpha:]]', '\\x00', '(?i)yoga', '^Early', 'yog.', '$gt', '{"$gt":""}'])(
    'events: %s is text',
    async (text) => {
      expect(await found('events', text)).toBe(0);
    },
  );

  test('what stands for any text in databases stands for itself', async () => {
    expect(await found('events', '%')).toBeLessThan(5);
    expect(await found('events', "' OR 1=1")).toBe(0);
  });

  test.each(['venues', 'organizers', 'categories', 'tags'])('%s: regular-expression characters are text', async (list) => {
    for (const text of ['.*', '^.', '(', '.+.+.+', '?', '[^]', '$']) expect([text, await found(list, text)]).toEqual([text, 0]);
  });

  test.each([
    ['a phrase that backtracks', `${'a'.repeat(5000)}!`],
    ['five thousand words', 'ab '.repeat(5000)],
    ['five thousand exclusions', '-ab '.repeat(5000)],
    ['five thousand quotes', '"'.repeat(5000)],
    ['five thousand brackets', '('.repeat(5000)],
    ['letters with many marks', `e${'\u0301'.repeat(5000)}`],
    ['emoji', '😀'.repeat(2000)],
    ['nothing but blanks', ' '.repeat(5000)],
    ['NUL', 'yo\0ga'],
    ['half a surrogate pair', '\\ud800'],
    ['right to left', '\u202eagoy'],
  ])('%s', async (_what, text) => {
    for (const list of Object.keys(everything)) {
      for (const call of [json({ search: text })]) expect([200, 400]).toContain((await ask(`${NS}/${list}`, call)).status);
    }
  });
});

describe('dates', () => {
  test.each(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'])('%s', async (name) => {
    const values = [
      '',
      'x',
      '$gt',
      '2026-13-45',
      '0000-00-00',
      '\0',
      'now\0',
      '9'.repeat(300),
      '-9'.repeat(300),
      '1e400',
      '@1e400',
      '@99999999999999999999',
      '+1 day '.repeat(2000),
      '(('.repeat(2000),
      '+99999999999 years',
      '-292277022657-01-27',
      'last '.repeat(500),
      '日本',
      'P1Y',
      '9999-12-31',
      '99999-01-01',
    ];
    for (const value of values) expect([200, 400, 404]).toContain((await ask(`${NS}/events`, json({ [name]: value }))).status);
    for (const value of ['', '$gt', 'no date', '2026-13-45', '{}'])
      expect([value, (await ask(`${NS}/events`, json({ [name]: value }))).status]).toEqual([value, 400]);
  });
});

describe('huge requests', () => {
  test('a query of 100 KB is refused or answered, not dropped', async () => {
    const answer = await send(server().url, `${NS}/events?x=${'a'.repeat(100 * 1024)}`);
    expect([200, 400, 414, 431]).toContain(answer.status);
  });

  test('100 KB of parameters in a form', async () => {
    const call: Call = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Array.from({ length: 20_000 }, (_p, i) => `a${i}=1`).join('&'),
    };
    expect((await ask(`${NS}/events`, call)).status).toBe(400);
  });

  test('1 MB of text in JSON', async () => {
    expect((await ask(`${NS}/events`, json({ search: 'a'.repeat(1_000_000) }))).status).toBe(200);
    expect((await ask(`${NS}/events`, json({ title: 'a'.repeat(1_000_000) }, 'POST'))).status).toBe(400);
  });

  test('a body beyond the limit', async () => {
    const { status } = await send(server().url, `${NS}/events`, { method: 'POST', body: Buffer.alloc(33 * 1024 * 1024) });
    expect(status).toBe(413);
  });

  test('headers beyond the limit', async () => {
    expect((await send(server().url, `${NS}/events`, { headers: { 'x-a': 'a'.repeat(50_000) } })).status).toBe(431);
  });
});

describe('JSON bodies', () => {
  const post = (body: string | Buffer, headers = {}): Promise<Answer> =>
    ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': 'application/json', ...ADMIN, ...headers }, body });

  test.each<[string, string | Buffer]>([
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10,000 levels that never end', '['.repeat(10_000)],
    ['a million brackets', '['.repeat(1_000_000)],
    ['half a surrogate pair', '{"title":"\\ud800","start_date":"now","end_date":"now"}'],
    ['invalid UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1')],
    ['a NUL', '{"title":"\0"}'],
    ['UTF-16', Buffer.from('\ufeff{"title":"x"}', 'utf16le')],
    ['nothing but a string that does not end', '"'.repeat(3)],
    ['a hundred thousand quotes', '"'.repeat(100_001)],
    ['a hundred thousand backslashes', `"${'\\'.repeat(100_001)}`],
    ['lists where objects belong', '[[],{}]'],
  ])('%s', async (_what, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test.each<[unknown]>([
    [{ __proto__: null, title: { $gt: '' } }],
    [{ title: 'x', start_date: { $gt: '' }, end_date: [] }],
    [{ title: ['x'], start_date: 'now', end_date: 'now' }],
    [{ title: 'x', start_date: 'now', end_date: 'now', venue: { $gt: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', venue: [[[[1]]]] }],
    [{ title: 'x', start_date: 'now', end_date: 'now', organizer: { organizer: { $ne: 1 } } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', image: { $ne: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', author: { $ne: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', timezone: { a: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', website: { a: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', status: { $ne: 'x' } }],
    [{ title: '\0', start_date: '\0', end_date: '\0' }],
  ])('operators and arrays in an event: %j', async (body) => {
    expect((await post(JSON.stringify(body))).status).toBe(400);
  });

  test.each(['categories', 'tags', 'cost'])('arrays in arrays for %s', async (name) => {
    for (const value of [[[['x']]], { $gt: 1 }, [{ $ne: 1 }], [null, true], {}, [[]], 1e308, true]) {
      expect([200, 201, 400]).toContain(
        (await post(JSON.stringify({ title: `Hard ${name}`, start_date: 'now', end_date: 'now', [name]: value }))).status,
      );
    }
  });

  test.each(['title', 'description', 'excerpt', 'slug', 'website', 'cost', 'timezone'])('odd text for %s', async (name) => {
    for (const value of [
      '\0',
      'a\0b',
      '\u202e',
      '😀'.repeat(1000),
      '\uffff',
      '$set',
      '{"$gt":1}',
      '<'.repeat(3000),
      '['.repeat(3000),
      '&'.repeat(3000),
      '`'.repeat(3000),
      '<p'.repeat(1000),
      '[gallery '.repeat(300),
    ]) {
      expect([201, 400]).toContain(
        (await post(JSON.stringify({ title: `Odd ${name}`, start_date: 'now', end_date: 'now', [name]: value }))).status,
      );
    }
  });

  test.each(['venues', 'organizers', 'categories', 'tags'])('odd names of %s', async (list) => {
    const name = list === 'venues' ? 'venue' : list === 'organizers' ? 'organizer' : 'name';
    for (const value of ['\0', 'a\0b', '$gt', '.', '..', '__proto__', 'constructor', '日'.repeat(60), { $gt: '' }, ['x'], 5]) {
      const answer = await ask(`${NS}/${list}`, {
        ...json({ [name]: value }, 'POST'),
        headers: { ...ADMIN, 'content-type': 'application/json' },
      });
      expect([201, 400, 409]).toContain(answer.status);
    }
  });
});

describe('bodies of other types', () => {
  const types = [
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'image/png',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(500)}`,
    'multipart/mixed; boundary=x',
    '',
    '/',
    'garbage',
    ';;;',
    'application/json; charset=utf-16',
    'application/json; charset="',
    '日本',
    'a'.repeat(2000),
  ];
  const bodies = [
    '',
    '{',
    '{"title":"x"}',
    '--x',
    '--x\r\n',
    '--x\r\nContent-Disposition: form-data; name="title"\r\n',
    '--x--',
    '\0\0\0',
    '\r\n\r\n',
    '='.repeat(1000),
    '&'.repeat(1000),
  ];

  test.each(types)('%s', async (type) => {
    for (const body of bodies) {
      const answer = await ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': Buffer.from(type).toString('latin1') }, body });
      expect(answer.status).toBe(400);
    }
  });

  test.each([
    '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA\r\n',
    '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA',
    '--x\r\nContent-Disposition: form-data; name="$gt[a.b]"\r\n\r\nA\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="__proto__[x]"\r\n\r\nA\r\n--x--',
    `--x\r\nContent-Disposition: form-data; name="${'['.repeat(5000)}"\r\n\r\nA\r\n--x--`,
    `--x\r\nContent-Disposition: form-data; name="a"; filename="../../x"\r\n\r\nA\r\n--x--`,
    `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n'.repeat(5000)}--x--`,
    `--x\r\n${'X-A: b\r\n'.repeat(5000)}\r\nA\r\n--x--`,
    `--x\r\nX-A: ${'b'.repeat(200_000)}\r\n\r\nA\r\n--x--`,
    '--x\r\n\r\n--x\r\n\r\n--x--',
    '--y\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n--y--',
  ])('multipart %#', async (body) => {
    expect(
      (await ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body })).status,
    ).toBe(400);
  });

  test('a body that claims to be compressed', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'x', 'gzip, gzip']) {
      expect([400, 415]).toContain(
        (await ask(`${NS}/events`, { method: 'POST', headers: { 'content-encoding': encoding }, body: 'title=x' })).status,
      );
    }
  });
});

describe('headers', () => {
  test.each<[string, Record<string, string>]>([
    ['an origin of 5,000 letters', { origin: 'a'.repeat(5000) }],
    ['an origin with what splits headers', { origin: 'http://x\u00e9y' }],
    ['credentials of no base64', { authorization: 'Basic ====' }],
    ['credentials of 10,000 letters', { authorization: `Basic ${'QQ'.repeat(5000)}` }],
    ['credentials with operators', { authorization: `Basic ${Buffer.from('{"$gt":""}:{"$gt":""}').toString('base64')}` }],
    ['credentials with NUL', { authorization: `Basic ${Buffer.from('ad\0min:x').toString('base64')}` }],
    ['credentials full of ampersands', { authorization: `Basic ${Buffer.from(`${'&'.repeat(8000)}:x`).toString('base64')}` }],
    ['credentials that are no UTF-8', { authorization: `Basic ${Buffer.from('\xff\xfe:x', 'latin1').toString('base64')}` }],
    ['an override of 5,000 letters', { 'x-http-method-override': 'A'.repeat(5000) }],
    ['an override that is a prototype', { 'x-http-method-override': '__proto__' }],
    ['a nonce of 5,000 letters', { 'x-wp-nonce': 'a'.repeat(5000) }],
    ['another host', { host: 'evil.example"><script>' }],
    ['forwarding', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '\u00ff' }],
    ['a cookie', { cookie: `wordpress_logged_in=${'x'.repeat(5000)}; __proto__=1` }],
    ['conditions', { 'if-none-match': '"'.repeat(500), 'if-modified-since': 'x' }],
    ['a range', { range: 'bytes=-1,--,9999999-' }],
    ['what is accepted', { accept: '*'.repeat(500), 'accept-encoding': 'x;q=a', 'accept-language': '\u00ff' }],
  ])('%s', async (_what, headers) => {
    const answer = await ask(`${NS}/events?per_page=1`, { headers });
    expect([200, 401, 403, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('evil.example');
    expect(JSON.stringify(answer.headers)).not.toContain('evil.example');
  });

  /** The first line of what is answered to some bytes. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server().url);
      const socket = net.connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')));
      let text = '';
      socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n')) socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text.split('\r\n')[0]));
    });

  test.each([
    'GET /wp-json/ HTTP/1.1\r\n\r\n',
    'GET  /wp-json/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://elsewhere/wp-json/?x=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET //wp-json/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /wp-json/?a=\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /wp-json/tribe/events/v1/events/by-slug/\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /\\..\\wp-json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET ?rest_route=/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /wp-json/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /wp-json/ HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'POST /wp-json/tribe/events/v1/tags HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'NONSENSE\r\n\r\n',
  ])('%j is answered, not with an error of the server', async (bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });
});

test('after all that the lists are what they were, and the server is well', async () => {
  await send(server().url, '/__qa/reset', { method: 'POST' });
  for (const [list, total] of Object.entries(everything)) expect([list, totalOf(await ask(`${NS}/${list}`))]).toEqual([list, total]);
  expect((await ask('/__qa/health')).json).toMatchObject({ status: 'ok' });
});
