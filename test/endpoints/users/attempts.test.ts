import { WORLD, signIn } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const wrong = (login: string): string => `Basic ${Buffer.from(`${login}:wrong`).toString('base64')}`;
const EVENT = { title: 'Kept', status: 'publish', password: 'open sesame' };

describe('with a limit of attempts', () => {
  const server = startTestServer({ dataset: WORLD, signInAttempts: 3 });
  afterEach(() => server().reset());

  const me = (authorization: string) => http('GET', `${server().restUrl}/wp/v2/users/me`, { authorization });
  const statuses = async (ask: () => ReturnType<typeof http>, times: number): Promise<number[]> => {
    const found: number[] = [];
    for (let i = 0; i < times; i += 1) found.push((await ask()).status);
    return found;
  };

  test('wrong application passwords get 429 with Retry-After, for that login alone', async () => {
    expect(await statuses(() => me(wrong('admin')), 5)).toEqual([401, 401, 401, 429, 429]);
    const { status, headers, text } = await me(signIn('admin'));
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(JSON.parse(text)).toMatchObject({ code: 'understudy_too_many_attempts', data: { status: 429 } });
    expect([(await me(wrong('ADMIN '))).status, (await me(wrong('editor'))).status]).toEqual([429, 401]);
  });

  test('a right password counts from the start again', async () => {
    expect(await statuses(() => me(wrong('admin')), 2)).toEqual([401, 401]);
    expect((await me(signIn('admin'))).status).toBe(200);
    expect(await statuses(() => me(wrong('admin')), 4)).toEqual([401, 401, 401, 429]);
  });

  test('guesses that come all at once are counted one by one', async () => {
    await me(wrong('admin'));
    const found = await Promise.all(Array.from({ length: 20 }, async () => (await me(wrong('admin'))).status));
    expect(found.filter((status) => status === 401)).toHaveLength(2);
  });

  test('passwords of posts get 429, in the REST API and at the form', async () => {
    const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
    const made = await http('POST', `${server().restUrl}/wp/v2/posts`, headers, JSON.stringify(EVENT));
    const { id } = JSON.parse(made.text) as { id: number };
    const read = (password: string) => http('GET', `${server().restUrl}/wp/v2/posts/${id}?password=${password}`);
    expect(await statuses(() => read('wrong'), 5)).toEqual([403, 403, 403, 429, 429]);
    expect((await read('open+sesame')).status).toBe(429);
    const other = await publish({ title: 'Another' });
    expect((await http('GET', `${server().restUrl}/wp/v2/posts/${other.id}?password=open+sesame`)).status).toBe(200);

    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const enter = (password: string) => http('POST', `${server().url}/wp-login.php?action=postpass`, form, `post_password=${password}`);
    expect(await statuses(() => enter('wrong'), 4)).toEqual([302, 302, 302, 429]);
    expect((await enter('open+sesame')).headers.get('retry-after')).toBe('1');
    await server().reset();
    expect((await enter('open+sesame')).status).toBe(302);
  });

  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const enter = (password: string) => http('POST', `${server().url}/wp-login.php?action=postpass`, FORM, `post_password=${password}`);
  /** Publishes a post. Returns its id and its URL. */
  async function publish(fields: object): Promise<{ id: number; link: string }> {
    const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
    const { text } = await http('POST', `${server().restUrl}/wp/v2/posts`, headers, JSON.stringify({ ...EVENT, ...fields }));
    return JSON.parse(text) as { id: number; link: string };
  }

  test('the right password of another post clears no count', async () => {
    await publish({});
    await publish({ password: 'mine' });
    expect([...(await statuses(() => enter('wrong'), 2)), (await enter('mine')).status]).toEqual([302, 302, 302]);
    expect(await statuses(() => enter('wrong'), 2)).toEqual([302, 429]);
  });

  test('the cookie of a form counts at each post that it does not open, once', async () => {
    const { id, link } = await publish({});
    const cookieOf = async (password: string): Promise<string> => ((await enter(password)).headers.get('set-cookie') ?? '').split(';')[0];
    const [right, ...others] = await Promise.all([cookieOf('open+sesame'), cookieOf('one'), cookieOf('two'), cookieOf('three')]);
    const page = async (cookie: string): Promise<number> => (await http('GET', link, { cookie })).status;
    expect(await statuses(() => http('GET', link, { cookie: others[0] }), 5)).toEqual([200, 200, 200, 200, 200]);
    expect([await page(others[1]), await page(others[2]), await page(right)]).toEqual([200, 200, 429]);
    expect((await http('GET', `${server().restUrl}/wp/v2/posts/${id}?password=open+sesame`)).status).toBe(429);
  });

  test('a right password that somebody else has sent is not answered from memory', async () => {
    const { id } = await publish({});
    const read = (password: string) => http('GET', `${server().restUrl}/wp/v2/posts/${id}?password=${password}`);
    expect(await statuses(() => read('open+sesame'), 3)).toEqual([200, 200, 200]);
    expect(await statuses(() => read('wrong'), 4)).toEqual([403, 403, 403, 429]);
    expect((await read('open+sesame')).status).toBe(429);
  });
});

// WP: `sanitize_user`, and lookups that ignore case.
const SPELLINGS: Record<string, string[]> = {
  'a user': ['admin', ' ADMIN', '<b>admin</b>', 'admin%00', '&amp;admin', '\u00e1dmin\t'],
  'a user with an email address': ['editor@example.org', 'EDITOR@example.org', 'editor', '<i>editor', 'editor%20', 'Editor '],
  nobody: ['nobody', 'NOBODY', '<b>nobody</b>', 'nobody%00', ' nobody ', 'n\u00f3body'],
};

describe('with a limit of attempts, however the login is spelled', () => {
  const server = startTestServer({ dataset: WORLD, signInAttempts: 6 });
  afterEach(() => server().reset());

  const page = (login: string, password: string) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return http('POST', `${server().url}/wp-login.php`, form, String(new URLSearchParams({ log: login, pwd: password })));
  };
  const basic = (login: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    return http('GET', `${server().restUrl}/wp/v2/users/me`, { authorization });
  };

  test.each(
    Object.keys(SPELLINGS).flatMap((who) => [
      [who, 'application passwords', basic, 401] as const,
      [who, 'the page for signing in', page, 200] as const,
    ]),
  )('all spellings of %s count together, for %s', async (who, _way, ask, refused) => {
    const found: number[] = [];
    for (const login of SPELLINGS[who]) found.push((await ask(login, 'wrong')).status);
    expect(found).toEqual(SPELLINGS[who].map(() => refused));
    expect((await ask(SPELLINGS[who][1], 'wrong')).status).toBe(429);
    expect((await ask('another', 'wrong')).status).toBe(refused);
  });
});

describe.each([
  ['tec', 60, 0],
  ['standard', 60, 10],
] as const)('by default, profile %s', (profile, attempts, refused) => {
  const server = startTestServer({ dataset: WORLD, profile });

  test(`${refused} of ${attempts} wrong passwords get 429, of users and of posts`, async () => {
    const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
    const made = await http('POST', `${server().restUrl}/wp/v2/posts`, headers, JSON.stringify(EVENT));
    const { id } = JSON.parse(made.text) as { id: number };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ways: (() => ReturnType<typeof http>)[] = [
      () => http('GET', `${server().restUrl}/wp/v2/users/me`, { authorization: wrong('admin') }),
      () => http('GET', `${server().restUrl}/wp/v2/posts/${id}?password=wrong`),
      () => http('POST', `${server().url}/wp-login.php?action=postpass`, form, 'post_password=wrong'),
    ];
    for (const ask of ways) {
      const found: number[] = [];
      for (let i = 0; i < attempts; i += 1) found.push((await ask()).status);
      expect(found.filter((status) => status === 429)).toHaveLength(refused);
    }
  });
});
