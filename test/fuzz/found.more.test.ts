import { readTime } from '../../src/transfer/formats/csv/values.js';
import { isOversized } from '../../src/database/store/errors.js';
import { equalityKey } from '../../src/wordpress/posts/posts.js';
import { parseSearch } from '../../src/wordpress/query/search.js';
import { cutBadProtocol } from '../../src/wordpress/formatting/kses/values.js';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { send, type Answer } from '../support/toy.js';
import { PROFILES } from '../../src/wordpress/quirks.js';
import { spentSince } from '../support/cpu.js';
import { judge } from './verdict.mjs';

const NS = '/wp-json/tribe/events/v1';
const ADMIN = { authorization: signIn('admin') };
const JSON_BODY = { ...ADMIN, 'content-type': 'application/json' };
const DATES = { start_date: '2026-07-01', end_date: '2026-07-02' };

const ACKNOWLEDGEMENT =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

const codeOf = ({ json }: Answer): string | undefined => (json as { code?: string } | undefined)?.code;

describe.each(PROFILES)('requests found by the fuzzer, profile %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile, logLevel: 'error' });
  const ask = (path: string, headers: Record<string, string> = ADMIN, method = 'GET'): Promise<Answer> =>
    send(server().url, path, { method, headers });
  const post = (route: string, body: unknown, headers: Record<string, string> = JSON_BODY): Promise<Answer> =>
    send(server().url, `${NS}/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });

  afterEach(() => server().reset());

  test.each(['gzip', 'br', 'deflate', 'nosuch', 'gzip, gzip'])(
    'a body is read as is despite a Content-Encoding header: %s',
    async (encoding) => {
      const answer = await post('tags/11', { description: 'As it comes' }, { ...JSON_BODY, 'content-encoding': encoding });
      expect(answer.json).toMatchObject({ id: 11, description: 'As it comes' });
    },
  );

  test.each([',', 'A', '('])('a search of comments may be longer than a pattern of the database: %s', async (part) => {
    const search = part.repeat(20_000);
    const headers = { ...ADMIN, 'content-type': 'application/json' };
    const answer = await send(server().url, '/wp-json/wp/v2/comments', { method: 'GET', headers, body: JSON.stringify({ search }) });
    expect([answer.status, answer.json]).toEqual([200, []]);
  });

  test.each(['*;q=0', 'identity;q=0', 'zstd, identity;q=0', 'gzip;q=0, *;q=0'])(
    'a client that accepts no encoding gets an uncompressed response: %s',
    async (encoding) => {
      const answer = await ask(`${NS}/events`, { 'accept-encoding': encoding });
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
      expect(answer.json).toHaveProperty('events');
    },
  );

  test.each([undefined, 'view', 'edit', 'embed'])('tec/v1 shows what its schema has for a context: %s', async (context) => {
    const verdict = judge({ url: server().url, profile });
    const globals: Record<string, string> = context === undefined ? {} : { context };
    const headers = { ...ADMIN, 'x-tec-eea': ACKNOWLEDGEMENT };
    for (const [kind, id] of [
      ['events', 31],
      ['venues', 10],
      ['organizers', 22],
    ] as const) {
      for (const isCollection of [true, false]) {
        const target = `/wp-json/tec/v1/${kind}${isCollection ? '' : `/${id}`}?${new URLSearchParams(globals).toString()}`;
        const answer = await ask(target, headers);
        expect(answer.status).toBe(200);
        const expects = { kind: `newer-${kind}`, isCollection, isExact: true, globals, methods: ['GET'] };
        expect([target, verdict({ method: 'GET', target, headers, expects }, answer)]).toEqual([target, []]);
      }
    }
  });

  test.each(['EST', '-0500', 'America/New_York', ''])('tec/v1 shows dates of an event in the zone %j', async (timezone) => {
    const verdict = judge({ url: server().url, profile });
    const headers = { ...JSON_BODY, 'x-tec-eea': ACKNOWLEDGEMENT };
    const dates = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' };
    const target = '/wp-json/tec/v1/events';
    const answer = await send(server().url, target, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Zone', ...dates, timezone }),
    });
    expect(answer.status).toBe(201);
    const expects = { kind: 'newer-events', isCollection: true, isExact: true, globals: {}, methods: ['POST'] };
    expect(verdict({ method: 'POST', target, headers, expects }, answer)).toEqual([]);
  });

  test('the index names the logo of the site', async () => {
    const body = JSON.stringify({ site_logo: 4 });
    await send(server().url, '/wp-json/wp/v2/settings', { method: 'POST', headers: JSON_BODY, body });
    const answer = await ask('/wp-json/');
    expect(answer.json).toMatchObject({ site_logo: 4 });
    const expects = { kind: 'root', isCollection: true, isExact: true, globals: {}, methods: ['GET'] };
    expect(judge({ url: server().url, profile })({ method: 'GET', target: '/wp-json/', headers: ADMIN, expects }, answer)).toEqual([]);
  });

  test('a request line with the URL of another site gets the front page of this site', async () => {
    const answer = await ask('https://evil.example', {});
    expect([answer.status, answer.text.includes('evil.example')]).toEqual([200, false]);
  });

  test.each(['http://', 'http:'])('a request line without a path is rejected: %s', async (target) => {
    const answer = await ask(target, {});
    expect([400, 404]).toContain(answer.status);
  });

  test.each([
    'events/by-slug/winter-gala?id[$gt]=',
    'events/by-slug/winter-gala?id[]=31',
    'venues/by-slug/riverside-hall?id[a][b]=1',
    'events/31?context[$ne]=x',
    'categories/2?context[$gt]=',
    'categories?context[]=edit',
    'tags?context[$gt]=',
  ])('an object or array instead of a string is not a server error: %s', async (route) => {
    expect((await ask(`${NS}/${route}`)).status).toBe(200);
  });

  test.each(['categories/2?id[$gt]=1', 'events/31?id[$gt]=1', 'venues/10?id[]=1'])(
    'an id that is an object is rejected: %s',
    async (route) => {
      expect(codeOf(await ask(`${NS}/${route}`))).toBe('rest_invalid_param');
    },
  );

  test('an id that is an object is rejected in wp/v2', async () => {
    expect(codeOf(await ask('/wp-json/wp/v2/tags/11?id[$gt]='))).toBe('rest_invalid_param');
  });

  test.each(['template-parts', 'templates'])('a pattern with a PHP-only escape is checked: %s', async (route) => {
    const body = JSON.stringify({ slug: ' ' });
    const answer = await send(server().url, `/wp-json/wp/v2/${route}`, { method: 'POST', headers: JSON_BODY, body });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'rest_invalid_param']);
  });

  test('a per_page of PHP_INT_MAX is the maximum', async () => {
    const answer = await send(server().url, `${NS}/events`, { headers: JSON_BODY, body: JSON.stringify({ per_page: 2 ** 63 }) });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ rest_url: expect.stringContaining('per_page=50') as string });
  });

  test.each([2 ** 64, 1e21, 1e300])('a per_page beyond PHP_INT_MAX is rejected: %d', async (perPage) => {
    const answer = await send(server().url, `${NS}/events`, { headers: JSON_BODY, body: JSON.stringify({ per_page: perPage }) });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'rest_invalid_param']);
  });

  // PHP: the offset of the largest page overflows, so that the first items are shown.
  test.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'the page PHP_INT_MAX shows items, none beyond it: %s',
    async (kind) => {
      const pageOf = (page: number): Promise<Answer> =>
        send(server().url, `${NS}/${kind}`, { headers: JSON_BODY, body: JSON.stringify({ page }) });
      const largest = await pageOf(2 ** 63);
      expect([largest.status, (largest.json as Record<string, unknown[]>)[kind].length > 0]).toEqual([200, true]);
      const beyond = await pageOf(1e21);
      expect([beyond.status, codeOf(beyond)]).toEqual([400, 'rest_invalid_param']);
    },
  );

  test.each(['+99999 years', '-99999 years', '1e300', '-1e308', '1e400', '99999999999999', '@99999999999999'])(
    'a date that the database format cannot represent is rejected: %s',
    async (date) => {
      for (const name of ['start_date', 'end_date', 'date', 'date_utc']) {
        const answer = await post('events', { title: 'When', ...DATES, [name]: date });
        expect(answer.json).toMatchObject({ code: 'rest_invalid_param', data: { params: { [name]: 'Invalid parameter.' } } });
      }
      // TEC: filters accept every instant, including years with more than four digits.
      const code = codeOf(await ask(`${NS}/events?starts_after=${encodeURIComponent(date)}`));
      expect(code).toBe(date.endsWith('years') ? undefined : 'rest_invalid_param');
    },
  );

  test('the last second of year 9999 is valid, and its UTC date has a five-digit year', async () => {
    const answer = await post('events', { title: 'The end', start_date: '9999-12-31 20:00:00', end_date: '9999-12-31 23:59:59' });
    expect(answer.json).toMatchObject({
      end_date: '9999-12-31 23:59:59',
      utc_end_date: '10000-01-01 04:59:59',
      utc_end_date_details: { year: '10000', day: '01', hour: '04' },
    });
  });

  test.each(['categories', 'tags'])('an event skips invalid term names: %s', async (kind) => {
    const answer = await post('events', { title: 'Terms', ...DATES, [kind]: ['<p></p>', 'x'.repeat(201), 'Fine'] });
    expect([answer.status, (answer.json as Record<string, { name: string }[]>)[kind].map(({ name }) => name)]).toEqual([201, ['Fine']]);
  });

  test('a repeated term name is looked up once', async () => {
    const spent = spentSince();
    const answer = await post('events', { title: 'Often', ...DATES, categories: 'often,'.repeat(20_000) });
    expect((answer.json as { categories: unknown[] }).categories).toHaveLength(1);
    expect(spent()).toBeLessThan(2000);
  });

  describe('searches', () => {
    // WP: longer ones are dropped.
    const LONG = 'riverside'.repeat(177);
    const TOO_LONG = 'riverside'.repeat(178);

    beforeEach(async () => {
      await post('events', { title: 'Long', ...DATES, description: `before ${LONG} after` });
      await post('venues', { venue: 'Long', description: `before ${LONG} after` });
      await post('tags', { name: 'Long', description: 'x' });
    });

    test.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
      'a NUL is searched for like any other character: %s',
      async (kind) => {
        const answer = await ask(`${NS}/${kind}?search=%00`);
        expect([answer.status, (answer.json as Record<string, unknown>)[kind]]).toEqual([200, []]);
      },
    );

    const search = async (kind: string, text: string): Promise<unknown[]> => {
      const { json } = await send(server().url, `${NS}/${kind}`, {
        headers: JSON_BODY,
        body: JSON.stringify({ search: text, hide_empty: false }),
      });
      return (json as Record<string, unknown[]>)[kind];
    };

    test('a search text of more than 1,600 bytes is dropped', async () => {
      expect((await search('events', TOO_LONG)).length).toBeGreaterThan(1);
    });

    test.each(['events', 'venues'])('a long search text still finds posts: %s', async (kind) => {
      expect(await search(kind, LONG)).toHaveLength(1);
      expect(await search(kind, `${LONG.slice(1)}x`)).toHaveLength(0);
    });

    test('a long excluded search text still excludes posts', async () => {
      const all = await search('events', 'before');
      expect(await search('events', `before -${LONG.slice(16)}`)).toHaveLength(all.length - 1);
    });

    test.each(['$title', 'a'])('a search text too long for a pattern still finds terms: %s', async (unit) => {
      expect(await search('tags', unit.repeat(5000))).toEqual([]);
    });
  });

  test('a document that exceeds the size limit of the database is reported as such', async () => {
    const { store } = server().site;
    const text = 'x'.repeat(17 * 1024 * 1024);
    const failure = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => null,
        (error: unknown) => error,
      );
    expect(isOversized(await failure(store.options.insertOne({ _id: 'large', value: text })))).toBe(true);
    expect(isOversized(await failure(store.options.findOne({ value: text })))).toBe(true);
    expect(isOversized(new RangeError('Invalid time value'))).toBe(false);
  });

  test('a body beyond the limit of PHP is rejected', async () => {
    const answer = await send(server().url, `${NS}/events`, {
      method: 'POST',
      headers: JSON_BODY,
      body: Buffer.alloc(9 * 1024 * 1024, 'a'),
    });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'rest_request_too_large']);
  });
});

describe('requests to the test API', () => {
  const server = startTestServer({ dataset: WORLD, logLevel: 'error' });
  const post = (route: string, body: unknown): Promise<Answer> =>
    send(server().url, `/__qa/${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  test('no files are no dataset', async () => {
    expect(await post('seed/files', { dataset: [] })).toMatchObject({ status: 400, json: { code: 'rest_invalid_param' } });
  });

  test.each<[string, Record<string, string>]>([
    ['too long', { ['x'.repeat(300)]: '' }],
    ['with a NUL', { 'a\0b': '' }],
    ['of a folder', { 'a/': '' }],
    ['below another file', { a: '', 'a/b': '' }],
  ])('a name that no file can have is rejected: one %s', async (_, uploads) => {
    const answer = await post('seed/files', { dataset: [{ name: 'x.json', content: btoa('{}') }], uploads });
    expect(answer).toMatchObject({ status: 400, json: { code: 'understudy_invalid_path' } });
  });
});

describe('texts that once took much more time than their length', () => {
  const cases: [string, (text: string) => unknown, string][] = [
    ['equality of titles', equalityKey, `${' '.repeat(300_000)}x`],
    ['words of a search', parseSearch, `x${"'".repeat(300_000)}x`],
    ['times of day in CSV', readTime, `13:00${' '.repeat(600)}x`],
    ['schemes of links', cutBadProtocol, `${'\\'.repeat(300_000)}x`],
  ];

  test.each(cases)('%s', (_, run, text) => {
    const spent = spentSince();
    run(text);
    expect(spent()).toBeLessThan(1000);
  });
});
