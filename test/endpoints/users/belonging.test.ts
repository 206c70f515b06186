import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { SIGNED, signed } from '../../../src/wordpress/users/secrets.js';
import { Store } from '../../../src/wordpress/store.js';
import type { Dataset, Server } from '../../../src/index.js';
import { Browser, hidden } from '../../support/browser.js';
import { testDatabase } from '../../support/database.js';
import { http, type HttpResponse } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';
import { backUp, restoreTo, testSite } from '../folder/sites.js';
import { registry } from '../../support/registry.js';

/** What a site has signed is valid there alone, and as long as the password that it was made with. */

const SECRET = 'open sesame';
const HALL = { title: 'Hidden', start: '+1d 20:00', duration: '1h', password: SECRET, description: 'Behind the door' };
const CONTENT: Dataset = { users: [{ login: 'ada', role: 'administrator', password: 'ada' }], events: [{ ...HALL, slug: 'hidden' }] };
const AUTHORIZE = '/wp-admin/authorize-application.php';
const EVENTS = '/wp-json/wp/v2/tribe_events';

/** A place that a browser visits: a site, as requests reach it. */
interface Place {
  /** What requests go to. */
  base: string;
  /** URL of the site, which names its cookies. */
  url: string;
  headers: Record<string, string>;
}

/** What somebody has from a site. */
interface Loot {
  /** By kind of cookie: the start of its name, to its value. */
  cookies: Record<string, string>;
  nonces: Record<string, string>;
  link: string;
}

const visit = (
  { base, headers }: Place,
  path: string,
  { method = 'GET', more = {}, body }: { method?: string; more?: Record<string, string>; body?: URLSearchParams } = {},
): Promise<HttpResponse> => {
  const type: Record<string, string> = body ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const cookie = [headers['cookie'], more['cookie']].filter((each) => each !== undefined).join('; ');
  return http(method, `${base}${path}`, { ...headers, ...type, ...more, ...(cookie === '' ? {} : { cookie }) }, body && String(body));
};

const KINDS = ['wordpress_logged_in', 'wp-postpass'];

/** Cookies under the names that a site reads. */
const cookiesAt = ({ url }: Place, cookies: Loot['cookies']): string =>
  Object.entries(cookies)
    .map(([kind, value]) => `${kind}_${createHash('md5').update(url).digest('hex')}=${value}`)
    .join('; ');

const kept = ({ headers }: HttpResponse): Loot['cookies'] =>
  Object.fromEntries(
    headers.getSetCookie().flatMap((line) => {
      const kind = KINDS.find((name) => line.startsWith(`${name}_`));
      return kind === undefined ? [] : [[kind, /=([^;]*)/.exec(line)?.[1] ?? '']];
    }),
  );

/** Signs in at a place, and takes everything that it signs. */
async function plunder(at: Place): Promise<Loot> {
  const login = new URLSearchParams({ log: 'ada', pwd: 'ada' });
  const signedIn = await visit(at, '/wp-login.php', { method: 'POST', body: login });
  const door = new URLSearchParams({ post_password: SECRET });
  const opened = await visit(at, '/wp-login.php?action=postpass', { method: 'POST', body: door });
  const cookies = { ...kept(signedIn), ...kept(opened) };
  const cookie = cookiesAt(at, cookies);
  const rest = (await visit(at, '/wp-admin/admin-ajax.php?action=rest-nonce', { more: { cookie } })).text;
  const page = (await visit(at, `${AUTHORIZE}?app_name=App`, { more: { cookie } })).text;
  const asAda = { cookie, 'x-wp-nonce': rest };
  const [{ id }] = JSON.parse((await visit(at, EVENTS, { more: asAda })).text) as { id: number }[];
  const saved = await visit(at, `${EVENTS}/${id}/autosaves`, {
    method: 'POST',
    more: asAda,
    body: new URLSearchParams({ title: 'Draft' }),
  });
  const { preview_link: link } = JSON.parse(saved.text) as { preview_link: string };
  return { cookies, nonces: { rest, authorize: hidden(page, '_wpnonce') }, link: link.slice(at.url.length) };
}

/** Each signed value, by kind and use: whether a site accepts it. */
const VALUES: Record<string, [kind: (typeof SIGNED)[number], isTaken: (at: Place, loot: Loot, cookie: string) => Promise<boolean>]> = {
  'a session': ['session', async (at, _loot, cookie) => (await visit(at, '/wp-admin/', { more: { cookie } })).status === 200],
  'a nonce of the REST API': [
    'nonce',
    async (at, { nonces }, cookie) =>
      (await visit(at, '/wp-json/wp/v2/users/me', { more: { cookie, 'x-wp-nonce': nonces.rest } })).status === 200,
  ],
  'a form that authorizes an application': [
    'nonce',
    async (at, { nonces }, cookie) => {
      const fields = { app_name: 'App', action: 'authorize_application_password', reject: '1', reject_url: 'https://app.example/no' };
      const body = new URLSearchParams({ ...fields, _wpnonce: nonces.authorize });
      return (await visit(at, AUTHORIZE, { method: 'POST', more: { cookie }, body })).headers.get('location') === 'https://app.example/no';
    },
  ],
  'a link to a preview': ['nonce', async (at, { link }, cookie) => (await visit(at, link, { more: { cookie } })).status === 200],
  'the password of a post': [
    'post password',
    async (at, _loot, cookie) => (await visit(at, '/event/hidden/', { more: { cookie } })).text.includes('Behind the door'),
  ],
};

async function taken(at: Place, loot: Loot): Promise<string[]> {
  const cookie = cookiesAt(at, loot.cookies);
  const found = await Promise.all(
    Object.entries(VALUES).map(async ([name, [, isTaken]]) => ((await isTaken(at, loot, cookie)) ? [name] : [])),
  );
  return found.flat();
}

const ALL = Object.keys(VALUES);

test('all that is signed is checked', () => {
  expect([...new Set(Object.values(VALUES).map(([kind]) => kind))].sort()).toEqual([...SIGNED].sort());
});

describe('of a server with sandboxes', () => {
  const server = startTestServer({ dataset: CONTENT, sandboxDomain: 'sb.example.org' });
  const main = (): Place => ({ base: server().url, url: server().url, headers: {} });
  const qa = (method: string, path: string) => http(method, `${server().url}/__qa${path}`);

  const WAYS: Record<string, (name: string) => Place> = {
    header: (name) => ({ ...main(), headers: { 'x-understudy-sandbox': name } }),
    cookie: (name) => ({ ...main(), headers: { cookie: `understudy_sandbox=${name}` } }),
    path: (name) => ({ base: `${main().base}/__sandbox/${name}`, url: `${main().url}/__sandbox/${name}`, headers: {} }),
    host: (name) => ({ ...main(), url: main().url.replace('127.0.0.1', `${name}.localhost`), headers: { host: `${name}.localhost` } }),
    domain: (name) => ({
      ...main(),
      url: main().url.replace('127.0.0.1', `${name}.sb.example.org`),
      headers: { host: `${name}.sb.example.org` },
    }),
  };

  test.each(Object.keys(WAYS))('what a sandbox named by %s signs is valid there alone, and the other way round', async (way) => {
    const [own, other] = ['one', 'two'].map((name) => WAYS[way](name));
    for (const at of [own, main()]) {
      const loot = await plunder(at);
      expect(await taken(at, loot)).toEqual(ALL);
      const isElsewhere = ({ base, url, headers }: Place): boolean =>
        [base, url, JSON.stringify(headers)].join() !== [at.base, at.url, JSON.stringify(at.headers)].join();
      for (const stranger of [own, other, main()].filter(isElsewhere))
        expect([stranger, await taken(stranger, loot)]).toEqual([stranger, []]);
    }
  });

  test('a reset and a restored snapshot end nothing, in a sandbox and on the main site', async () => {
    for (const [at, prefix] of [
      [main(), ''],
      [WAYS['header']('kept'), '/__sandbox/kept'],
    ] as const) {
      const steer = (method: string, path: string) => http(method, `${server().url}${prefix}/__qa${path}`);
      expect((await steer('PUT', '/snapshots/before')).status).toBe(201);
      const loot = await plunder(at);
      const steady = ALL.filter((name) => name !== 'a link to a preview');
      for (const path of ['/reset', '/snapshots/before/restore']) {
        expect((await steer('POST', path)).status).toBe(200);
        expect([prefix, path, await taken(at, loot)]).toEqual([prefix, path, expect.arrayContaining(steady)]);
      }
    }
  });

  test('a deleted sandbox has left nothing for the next of its name', async () => {
    const at = WAYS['header']('again');
    for (let round = 0; round < 6; round += 1) {
      const loot = await plunder(at);
      expect((await qa('DELETE', '/sandboxes/again')).status).toBe(200);
      expect([round, await taken(at, loot)]).toEqual([round, []]);
    }
  });

  test('the key is neither in exports nor among the changes', async () => {
    await plunder(main());
    const key = await server().site.store.key.get();
    for (const path of ['/export', '/changes', '/state', '/journal']) expect((await qa('GET', path)).text).not.toContain(key);
    expect(JSON.stringify(await server().site.store.options.find({}).toArray())).not.toContain(key);
  });
});

describe('of two servers that share a database', () => {
  const database = testDatabase();
  const url = 'http://calendar.example.org';
  const one = startTestServer({ dataset: CONTENT, url }, { isShared: true, database });
  const other = startTestServer({ dataset: CONTENT, url }, { isShared: true, database });
  const at = (server: () => Server): Place => ({ base: server().localUrl, url, headers: {} });

  test('what one has signed is valid at both', async () => {
    const loot = await plunder(at(one));
    expect([await taken(at(one), loot), await taken(at(other), loot)]).toEqual([ALL, ALL]);
  });
});

describe('of a site and its backup', () => {
  const [from, to] = [testSite(), testSite()];
  const URL = 'http://calendar.example.org';
  const all = (store: Store, url = URL): Promise<string[]> => Promise.all(SIGNED.map((what) => signed({ store, url }, what, 'x')));

  test('what was signed is valid after a restart and a restore of the same site, but not in a copy, and not under another URL', async () => {
    const before = await all(from.store);
    expect(new Set([...before, ...(await all(from.store, `${URL}/other`))]).size).toBe(2 * SIGNED.length);
    const { file } = await backUp(from);
    expect(gunzipSync(await readFile(file)).includes(await from.store.key.get())).toBe(false);
    await Promise.all([restoreTo(from, file), restoreTo(to, file)]);
    expect(await all(from.store)).toEqual(before);
    expect((await all(to.store)).filter((each) => before.includes(each))).toEqual([]);
    const restarted = await Store.open(String(process.env['UNDERSTUDY_TEST_MONGODB_URI']), registry, from.store.db.databaseName);
    expect(await all(restarted)).toEqual(before);
    await restarted.close();
  });
});

describe('a session ends with the password that started it', () => {
  const PASSWORD = 'first start password';
  const server = startTestServer({ dataset: { events: [HALL] }, adminPassword: PASSWORD });
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const users = (body: object) => http('POST', `${server().url}/__qa/users`, {}, JSON.stringify(body));
  const api = (method: string, path: string, body?: object) =>
    http(
      method,
      `${server().restUrl}/wp/v2/users/me${path}`,
      { authorization, 'content-type': 'application/json' },
      body && JSON.stringify(body),
    );
  afterEach(() => server().reset());

  const passwords = async (): Promise<{ uuid: string; name: string }[]> => JSON.parse((await api('GET', '/application-passwords')).text);
  const firstStart = async (): Promise<string> => {
    const found = (await passwords()).find(({ name }) => name === 'First start');
    return `/application-passwords/${found?.uuid}`;
  };

  /** What starts a session, and what ends it: each way to change or revoke that password. */
  const CREDENTIALS: Record<string, { start: () => Promise<string>; ends: Record<string, () => Promise<{ status: number }>> }> = {
    'the password of the first start': {
      start: () => Promise.resolve(PASSWORD),
      ends: {
        'is revoked': async () => api('DELETE', await firstStart()),
        'is revoked with all others': () => api('DELETE', '/application-passwords'),
        'gets the name of an application': async () => api('POST', await firstStart(), { name: 'App' }),
        'is replaced on the command line': () => users({ action: 'password', login: 'admin' }),
        'is joined by a password of the account': () => api('POST', '', { password: 'another one' }),
      },
    },
    'the password of the account': {
      start: async () => {
        expect((await api('POST', '', { password: 'of the account' })).status).toBe(200);
        return 'of the account';
      },
      ends: {
        'is changed': () => api('POST', '', { password: 'another one' }),
        'is changed to the same': () => api('POST', '', { password: 'of the account' }),
      },
    },
  };
  const rows = Object.entries(CREDENTIALS).flatMap(([what, { ends }]) => Object.keys(ends).map((end) => [what, end] as const));

  test.each(rows)('when %s %s', async (what, end) => {
    const client = new Browser(server);
    const { start, ends } = CREDENTIALS[what];
    expect((await client.logIn('admin', await start())).status).toBe(302);
    const nonce = await client.nonce();
    const status = async (): Promise<number> =>
      (await client.visit('/wp-json/wp/v2/users/me', { headers: { 'x-wp-nonce': nonce } })).status;
    expect([nonce.length, await status()]).toEqual([10, 200]);
    expect((await ends[end]()).status).toBe(200);
    expect([await client.nonce(), await status()]).toEqual(['0', 403]);
  });

  test('other passwords of the user do not matter', async () => {
    const client = new Browser(server);
    await client.logIn('admin', PASSWORD);
    const made = JSON.parse((await api('POST', '/application-passwords', { name: 'Phone' })).text) as { uuid: string };
    expect((await client.nonce()).length).toBe(10);
    expect((await api('DELETE', `/application-passwords/${made.uuid}`)).status).toBe(200);
    expect((await client.nonce()).length).toBe(10);
  });
});
