import { SignInGuard } from '../../../src/wordpress/users/sign-in-guard.js';
import { ownAddress } from '../../../src/wordpress/pages/sign-in/own-address.js';
import { toySite } from '../../support/toy.js';
import { Browser, hidden } from '../../support/browser.js';
import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });
const browser = (): Browser => new Browser(server);

const ME = '/wp-json/wp/v2/users/me/application-passwords';
const AUTHORIZE = '/wp-admin/authorize-application.php';

const statusWith = async (client: Browser, nonce?: string): Promise<string> => {
  const { status, text } = await client.visit(ME, nonce === undefined ? {} : { headers: { 'x-wp-nonce': nonce } });
  return status === 200 ? '200' : `${status} ${(JSON.parse(text) as { code: string }).code}`;
};

const DAY = 86_400_000;
const start = (): number => server().site.clock.now();

describe('a session', () => {
  const author = browser();
  beforeAll(() => author.logIn('author'));

  test('is valid with its own nonce only, and ends at logout', async () => {
    const [ada, edith] = [browser(), browser()];
    expect((await ada.logIn('admin')).location).toBe(`${server().url}/wp-admin/`);
    await edith.logIn('editor@example.org', 'editor');
    const nonce = await ada.nonce();
    expect(nonce).toMatch(/^[0-9a-f]{10}$/);
    expect(await statusWith(ada)).toBe('401 rest_not_logged_in');
    expect(await statusWith(ada, nonce)).toBe('200');
    expect(await statusWith(ada, await edith.nonce())).toBe('403 rest_cookie_invalid_nonce');
    expect(await statusWith(browser(), nonce)).toBe('403 rest_cookie_invalid_nonce');

    const stolen = new Browser(server);
    for (const [key, cookie] of ada.jar) stolen.jar.set(key, cookie);
    const asked = await ada.visit('/wp-login.php?action=logout');
    expect([asked.status, await statusWith(ada, nonce)]).toEqual([403, '200']);
    const left = await ada.send('/wp-login.php?action=logout', { _wpnonce: hidden(asked.text, '_wpnonce') });
    expect(left.location).toBe(`${server().url}/wp-login.php?loggedout=true`);
    expect([...ada.jar.keys()].filter((name) => name.startsWith('wordpress_logged_in'))).toEqual([]);
    expect(await statusWith(stolen, nonce)).toBe('403 rest_cookie_invalid_nonce');
  });

  test.each([
    ['a session', {}, 2 * DAY],
    ['one that is remembered', { rememberme: 'forever' }, 14 * DAY],
  ])('%s and its nonces expire by the clock of the site', async (_what, more, life) => {
    const client = browser();
    const { headers } = await client.logIn('author', 'author', more);
    const from = start();
    const nonce = await client.nonce();
    const at = async (moment: number): Promise<string> => {
      server().setClock(from + moment);
      const result = await statusWith(client, nonce);
      server().setClock(from);
      return result;
    };
    expect(await at(12 * 3_600_000 - 1000)).toBe('200');
    expect(await at(DAY)).toBe('403 rest_cookie_invalid_nonce');
    server().setClock(from + life);
    const last = await client.nonce();
    server().setClock(from + life + 1000);
    expect([last.length, await client.nonce()]).toEqual([10, '0']);
    server().setClock(from);
    const ages = headers.getSetCookie().map((line) => /Max-Age=(\d+)/.exec(line)?.[1]);
    expect(new Set(ages)).toEqual(new Set(life > 2 * DAY ? [String(14.5 * 86_400)] : [undefined]));
  });

  test.each([
    ['the name of another user', (value: string) => value.replace(/^author/, 'admin')],
    ['a later end', (value: string) => value.replace(/%7C(\d+)%7C/, (_, expiry: string) => `%7C${Number(expiry) + 1}%7C`)],
    [
      'another token',
      (value: string) => value.replace(/(%7C\d+%7C)(.)/, (_, head: string, first: string) => head + (first === 'A' ? 'B' : 'A')),
    ],
    ['no signature', (value: string) => value.replace(/[^|%]*$/, '')],
    ['nothing', () => ''],
  ])('a cookie with %s signs nobody in', async (_what, forge) => {
    const client = browser();
    for (const [key, cookie] of author.jar) client.jar.set(key, { ...cookie, value: forge(cookie.value) });
    expect(await client.nonce()).toBe('0');
  });

  test('pages of other origins cannot read its nonces', async () => {
    const client = browser();
    await client.logIn('admin');
    const headers = { origin: 'http://localhost:3000' };
    const read = await client.visit('/wp-json/', { headers });
    expect(read.headers.get('access-control-allow-origin')).toBe(headers.origin);
    const pages = ['admin-ajax.php?action=rest-nonce', '', 'profile.php', AUTHORIZE.slice('/wp-admin/'.length)];
    for (const path of [...pages.map((name) => `/wp-admin/${name}`), '/wp-login.php?action=logout', '/']) {
      const answer = await client.visit(path, { headers });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  test('its responses are never cached for other users', async () => {
    const client = browser();
    const { headers } = await client.logIn('admin');
    expect(headers.getSetCookie()).toHaveLength(3);
    for (const line of headers.getSetCookie()) expect(line).toMatch(/; Path=\/(?:wp-[\w/-]+)?; HttpOnly; SameSite=Lax$/);
    const path = `/wp-json/tribe/events/v1/events?_wpnonce=${await client.nonce()}&status=draft`;
    const own = await client.visit(path);
    const other = await browser().visit(path);
    expect([own.status, other.status, own.headers.get('cache-control')]).toEqual([200, 403, expect.stringContaining('no-store')]);
  });
});

describe('the sign-in form', () => {
  const target = (text: string): Promise<string | null> =>
    browser()
      .logIn('admin', 'admin', { redirect_to: text })
      .then(({ location }) => location);

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'http:evil.example',
    '/x\r\nX: y',
    '\t//evil.example',
    'evil.example',
    'https://calendar.example@evil.example/',
    'https://calendar.example.evil.example/',
    'https://calendar.example:81/',
    ['/events/'],
  ])('does not redirect to %j', (wanted) => {
    expect(ownAddress(toySite('https://calendar.example'), wanted, 'home')).toBe('home');
  });

  test('redirects back to pages of the site', async () => {
    const url = server().url;
    expect(await target(`${url}/events/?a=b%26c`)).toBe(`${url}/events/?a=b%26c`);
    expect(await target('/wp-admin/profile.php')).toBe('/wp-admin/profile.php');
    expect(await target('https://evil.example/')).toBe(`${url}/wp-admin/`);
  });

  test.each<[string, Record<string, string>, Record<string, string>, number, RegExp]>([
    ['a wrong password', { log: 'admin', pwd: 'x' }, {}, 200, /Incorrect username or password/],
    ['an unknown login', { log: 'no"><b>body', pwd: 'x' }, {}, 200, /value="no&quot;&gt;&lt;b&gt;body"/],
    ['no password', { log: 'admin', pwd: '' }, {}, 200, /password field is empty/],
    ['a form of another site', { log: 'admin', pwd: 'admin' }, { origin: 'https://evil.example' }, 403, /another site/],
    ['a browser without cookies', { log: 'admin', pwd: 'admin', testcookie: '1' }, {}, 200, /Cookies are blocked/],
    ['fields that are lists', { 'log[]': 'admin', 'pwd[]': 'admin' }, {}, 200, /username field is empty/],
  ])('%s signs nobody in', async (_what, fields, headers, status, text) => {
    const answer = await browser().send('/wp-login.php', fields, headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
    expect(answer.headers.getSetCookie().filter((line) => !line.startsWith('wordpress_test_cookie'))).toEqual([]);
  });

  test('delays repeated attempts, for that login only', async () => {
    const client = browser();
    await client.visit('/wp-login.php');
    for (let i = 0; i < 5; i += 1) expect((await client.send('/wp-login.php', { log: 'contributor', pwd: `${i}` })).status).toBe(200);
    const refused = await client.send('/wp-login.php', { log: 'Contributor', pwd: 'contributor' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await client.send('/wp-login.php', { log: 'author', pwd: 'author' })).status).toBe(302);
  });

  test('delays longer each time, and resets after a while', () => {
    let now = 0;
    const guard = new SignInGuard(5, () => now);
    const waits = Array.from({ length: 9 }, () => {
      guard.failed('ada', '::1');
      return guard.wait('ada', '::1');
    });
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16]);
    expect([guard.wait('ada', '::2'), guard.wait('bob', '::1')]).toEqual([0, 0]);
    now = 16_000;
    expect(guard.wait('ADA', '::1')).toBe(0);
    now = 3_700_000;
    guard.failed('ada', '::1');
    expect(guard.wait('ada', '::1')).toBe(0);
    for (let i = 0; i < 40; i += 1) guard.failed('bob', '::1');
    expect(guard.wait('bob', '::1')).toBe(15 * 60);
  });
});

describe('an application that requests a password', () => {
  const APP = { app_name: 'Phone <i>app</i>', app_id: '11111111-2222-4333-8444-555555555555', success_url: 'myapp://done?x=1' };
  const ask = (fields: Record<string, string>): string => `${AUTHORIZE}?${new URLSearchParams(fields).toString()}`;
  const answer = async (client: Browser, fields: Record<string, string>, button: string, headers = {}) => {
    const { text } = await client.visit(ask(fields));
    return client.send(
      AUTHORIZE,
      { ...fields, _wpnonce: hidden(text, '_wpnonce'), action: 'authorize_application_password', [button]: '1' },
      headers,
    );
  };

  const client = browser();
  beforeAll(() => client.logIn('subscriber'));
  const secure = startTestServer({ dataset: WORLD, url: 'https://calendar.example' });

  test('gets a working password, once per name', async () => {
    expect((await client.visit(ask(APP))).text).toContain('<strong>Phone app</strong>');
    const done = await answer(client, APP, 'approve');
    const url = new URL(done.location ?? '');
    expect([done.status, url.protocol, url.searchParams.get('x'), url.searchParams.get('site_url')]).toEqual([
      302,
      'myapp:',
      '1',
      server().url,
    ]);
    const basic = Buffer.from(`${url.searchParams.get('user_login')}:${url.searchParams.get('password')}`).toString('base64');
    const read = await browser().visit(`${ME}/introspect`, { headers: { authorization: `Basic ${basic}` } });
    expect(JSON.parse(read.text)).toMatchObject({ name: 'Phone app', app_id: APP.app_id, last_ip: expect.stringContaining('127.0.0.1') });
    const again = await answer(client, APP, 'approve');
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('should be unique')]);
    const shown = await answer(client, { app_name: 'By hand' }, 'approve');
    expect(shown.text).toMatch(/<code>[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}<\/code>/);
  });

  test.each<[string, Record<string, string>, string]>([
    ['its own address for that', { ...APP, reject_url: 'https://app.example/no' }, 'https://app.example/no'],
    ['its address for success', APP, 'myapp://done?x=1&success=false'],
    ['here', { app_name: 'x' }, '/wp-admin/'],
  ])('is redirected to %s', async (_where, fields, location) => {
    expect((await answer(client, fields, 'reject')).location).toBe(location.startsWith('/') ? `${server().url}${location}` : location);
  });

  test.each<Record<string, string>>([
    { success_url: 'javascript:alert(1)' },
    { success_url: 'javascript://x/%0aalert(1)' },
    { success_url: 'data://text/html,x' },
    { success_url: '/somewhere' },
    { success_url: 'https://' },
    { reject_url: 'https://a.example/\r\nX: y' },
    { success_url: 'https:\\\\evil.example' },
    { app_id: 'zzz' },
  ])('is rejected with %j', async (fields) => {
    const shown = await client.visit(ask({ ...APP, ...fields }));
    expect([shown.status, (await answer(client, { ...APP, ...fields }, 'approve')).status]).toEqual([400, shown.status]);
  });

  test('over plain http, gets one from a site without https only', async () => {
    const fields = { ...APP, success_url: 'http://app.example/' };
    const statuses: number[] = [];
    for (const [at, reader] of [
      [server, client],
      [secure, new Browser(() => ({ url: secure().localUrl }))],
    ] as const) {
      if (at === secure) await reader.logIn('subscriber');
      for (const url of ['http://app.example/', 'https://app.example/'])
        statuses.push((await reader.visit(ask({ ...fields, success_url: url }))).status);
    }
    expect(statuses).toEqual([200, 200, 400, 200]);
  });

  test('must be approved by the user, not by another page', async () => {
    const form = { ...APP, app_name: 'forged', action: 'authorize_application_password', approve: '1' };
    expect((await client.send(AUTHORIZE, { ...form, _wpnonce: '0123456789' })).status).toBe(403);
    expect((await client.send(AUTHORIZE, { ...form, _wpnonce: await client.nonce() })).status).toBe(403);
    expect((await answer(client, { ...APP, app_name: 'forged' }, 'approve', { origin: 'https://evil.example' })).status).toBe(403);
    const { applicationPasswords } = (await server().site.store.users.findOne({ login: 'subscriber' })) ?? { applicationPasswords: [] };
    expect(applicationPasswords.map(({ name }) => name)).not.toContain('forged');
  });
});

test('an application password is shown once', async () => {
  const client = browser();
  await client.logIn('editor');
  const headers = { 'x-wp-nonce': await client.nonce() };
  const made = await client.visit(ME, { method: 'POST', headers, body: new URLSearchParams({ name: 'Once' }) });
  const { uuid, password } = JSON.parse(made.text) as { uuid: string; password: string };
  expect(password).toMatch(/^[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}$/);
  const authorization = `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`;
  for (const path of [ME, `${ME}/${uuid}`, `${ME}/introspect`, '/wp-json/wp/v2/users/me']) {
    const { status, text } = await browser().visit(`${path}?context=edit`, { headers: { authorization } });
    expect([path, status, text.replaceAll(' ', '').includes(password.replaceAll(' ', ''))]).toEqual([path, 200, false]);
  }
});

test('the last use of an application password is recorded once a day', async () => {
  const signedIn = { headers: { authorization: `Basic ${Buffer.from('contributor:contributorAppPassword00').toString('base64')}` } };
  const lastUsed = async (): Promise<string> => {
    const { text } = await browser().visit(`${ME}/introspect`, signedIn);
    return (JSON.parse(text) as { last_used: string }).last_used;
  };
  const from = start();
  const first = await lastUsed();
  expect(Date.parse(`${first}Z`)).toBe(from);
  server().setClock(from + DAY - 1000);
  expect(await lastUsed()).toBe(first);
  server().setClock(from + DAY);
  expect(Date.parse(`${await lastUsed()}Z`)).toBe(from + DAY);
  server().setClock(from);
});
