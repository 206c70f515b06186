import { ADMIN, LISTS, NS, asJson, paramsOf, startHardInput, testSurvival, totalOf } from './hard-input.js';

const hard = startHardInput();
const { ask, unchecked, totals } = hard;

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
    ['a step upwards', `${NS}/events/by-slug/..%2f..%2fevents`, 400],
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
    const answer = await unchecked(path);
    expect(answer.status).toBe(status);
  });

  test('by-slug finds only the exact slug', async () => {
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
  ])('%s is ignored', async (query) => {
    const answer = await ask(`${NS}/events?${query}`);
    expect([answer.status, totalOf(answer)]).toEqual([200, totals()['events']]);
    expect(({} as Record<string, unknown>)['status']).toBeUndefined();
  });
});

/** Valid and invalid parameters of each list. */
const PARAMETERS: [string, string[], string[]][] = [
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

const LISTED = PARAMETERS.flatMap(([list, lists]) => lists.map((name) => [list, name] as const));
const SCALAR = PARAMETERS.flatMap(([list, , scalars]) => scalars.map((name) => [list, name] as const));

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
      const answer = await ask(`${NS}/${list}`, asJson({ [name]: value }));
      expect([value, answer.status, Object.keys(paramsOf(answer) as object)]).toEqual([value, 400, [name]]);
    }
  });

  test.each(['has_events', 'only_with_upcoming'])('venues: %s treats invalid values as false', async (name) => {
    for (const value of [[], { $gt: '' }, [[1]]]) expect((await ask(`${NS}/venues`, asJson({ [name]: value }))).status).toBe(200);
  });

  test.each(['geoloc_lat', 'geoloc_lng'])('events: %s is ignored', async (name) => {
    for (const value of [[], { $near: 1 }, 'x', 1e308, null]) {
      expect(totalOf(await ask(`${NS}/events`, asJson({ [name]: value })))).toBe(totals()['events']);
    }
  });
});

describe('lists', () => {
  test.each(LISTED)('%s: rejects values other than lists for %s', async (list, name) => {
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
      const answer = await ask(`${NS}/${list}`, asJson({ [name]: value }));
      expect([value, answer.status]).toEqual([value, 400]);
      expect(Object.keys(paramsOf(answer) as object)).toEqual([name]);
    }
  });

  const many = Array.from({ length: 10_000 }, (_item, index) => index + 1_000_000);

  test.each(LISTED)('%s: handles 10,000 missing ids for %s', async (list, name) => {
    for (const value of [many, many.map(String), many.join(','), many.map((id) => `name ${id}`)]) {
      const { status } = await ask(`${NS}/${list}`, asJson({ [name]: value }));
      // TEC: ids of events need not exist.
      expect(status).toBe(list === 'events' && name === 'include' && !String(value).includes('name') ? 200 : 400);
    }
  });

  const EXISTING: Record<string, number> = { categories: 2, tags: 12, venue: 10, organizer: 22, include: 36, exclude: 12 };

  test.each(LISTED)('%s: accepts one value 10,000 times for %s', async (list, name) => {
    const id = list === 'categories' ? 2 : list === 'tags' ? 12 : EXISTING[name];
    const [once, often] = [
      await ask(`${NS}/${list}`, asJson({ [name]: [id] })),
      await ask(`${NS}/${list}`, asJson({ [name]: many.map(() => id) })),
    ];
    expect([often.status, totalOf(often)]).toEqual([200, totalOf(once)]);
  });

  test('10,000 statuses', async () => {
    expect((await ask(`${NS}/events`, asJson({ status: many }))).status).toBe(400);
    const answer = await ask(`${NS}/events`, {
      ...asJson({ status: many.map(() => 'draft') }),
      headers: { ...ADMIN, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });

  test('10,000 fields', async () => {
    expect((await ask(`${NS}/events`, asJson({ _fields: many.map((n) => `a${n}.b.c`) }))).json).toEqual([]);
    expect((await ask(`${NS}/events`, asJson({ _fields: `total${'.a'.repeat(10_000)}` }))).json).toEqual({ total: totals()['events'] });
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
      '99999999999999999999',
      '1e300',
    ]) {
      expect([value, (await ask(`${NS}/events?${name}=${value}`)).status]).toEqual([value, 400]);
    }
    for (const value of ['9223372036854775807', '9223372036854775808', '2147483648']) {
      for (const list of LISTS) expect([200, 404]).toContain((await ask(`${NS}/${list}?${name}=${value}`)).status);
    }
  });

  test('ids beyond the integer range find nothing', async () => {
    for (const id of ['99999999999999999999', '1e300', '9007199254740993', '18446744073709551616']) {
      for (const query of [`include=${id}`, `venue=${id}`, `post_parent=${id}`]) {
        const answer = await ask(`${NS}/events?${query}`);
        if (answer.status === 200) expect([query, totalOf(answer)]).toEqual([query, 0]);
        else expect(answer.status).toBe(400);
      }
    }
  });

  test('numbers beyond the range of JSON are rejected', async () => {
    for (const text of ['1e999', '-1e999', '123456789012345678901234567890', '0.1e-400']) {
      const call = { headers: { 'content-type': 'application/json' }, body: `{"page":${text},"venue":${text},"include":${text}}` };
      expect((await ask(`${NS}/events`, call)).status).toBe(400);
    }
  });
});

describe('search', () => {
  /** Number of items of a list that a search finds. */
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

  test('database wildcards match only themselves', async () => {
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
    for (const list of LISTS) {
      for (const call of [asJson({ search: text })]) expect([200, 400]).toContain((await ask(`${NS}/${list}`, call)).status);
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
    for (const value of values) expect([200, 400, 404]).toContain((await ask(`${NS}/events`, asJson({ [name]: value }))).status);
    for (const value of ['', '$gt', 'no date', '2026-13-45', '{}'])
      expect([value, (await ask(`${NS}/events`, asJson({ [name]: value }))).status]).toEqual([value, 400]);
  });
});

testSurvival(hard);
