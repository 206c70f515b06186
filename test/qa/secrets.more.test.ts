import { signIn, WORLD } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

/*
 * What is secret goes in by every place that a request has for it, and every route of the test API that can be read is searched for it.
 */

const server = startTestServer({ dataset: WORLD, journal: 1000 });
const AS_ADMIN = { authorization: signIn('admin'), 'content-type': 'application/json' };

const send = (method: string, at: string, body?: unknown, headers?: Record<string, string>): ReturnType<typeof http> =>
  http(method, `${server().url}${at}`, headers, body === undefined || typeof body === 'string' ? body : JSON.stringify(body));

/** The body of a response as JSON. */
const read = async <T>(...request: Parameters<typeof send>): Promise<T> => JSON.parse((await send(...request)).text) as T;

const SECRET = 'hunter22';
const NAMES = [
  'password',
  'post_password',
  'pwd',
  'pass1',
  'api_key',
  'api.key',
  'apiKey',
  '_wpnonce',
  'client_secret',
  'access_token',
  'user[password]',
];
const CORE = '/wp-json/wp/v2/posts';

/** A secret that is found again, even where it is encoded in another way. */
const secret = (place: string, name: string): string => `${SECRET}-${place}-${name.replaceAll(/\W/g, '')}`;

const FORM = 'application/x-www-form-urlencoded';
const part = (head: string, value: string): string => `--xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;

interface Body {
  type: string;
  of: (name: string, value: string) => string;
}

const member = (name: string, value: string): string => JSON.stringify({ [name]: value });

const BODIES: Record<string, Body> = {
  json: { type: 'application/json', of: (name, value) => JSON.stringify({ title: 'Kept', deep: [{ [name]: value }] }) },
  escaped: {
    type: 'application/json',
    of: (name, value) =>
      member(name, value)
        .replace('"', String.raw`"`)
        .replace(name[0], `\\u00${name.charCodeAt(0).toString(16)}`),
  },
  malformed: { type: 'application/json', of: (name, value) => `{"title":"Kept","${name}":"${value}` },
  number: { type: 'application/json', of: (name, value) => JSON.stringify({ [name]: [value, value] }) },
  url: {
    type: 'application/json',
    of: (name, value) => JSON.stringify({ path: `/wp/v2/posts/1?page=1&${encodeURIComponent(name)}=${value}` }),
  },
  inner: { type: 'application/json', of: (name, value) => JSON.stringify({ text: member(name, value) }) },
  untyped: { type: '', of: (name, value) => `title=Kept&${name}=${value}` },
  form: { type: FORM, of: (name, value) => `title=Kept&${encodeURIComponent(name)}=${value}` },
  spaced: { type: FORM, of: (name, value) => `title=Kept&+${name}=${value}` },
  letters: { type: FORM, of: (name, value) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${value}` },
  jsonInForm: { type: FORM, of: (name, value) => `data=${encodeURIComponent(member(name, value))}` },
  urlInForm: { type: FORM, of: (name, value) => `redirect_to=${encodeURIComponent(`/x?${name}=${value}`)}` },
  parts: {
    type: 'multipart/form-data; boundary=xyz',
    of: (name, value) => `${part('name="title"', 'Kept')}${part(`name="${name}"`, value)}--xyz--\r\n`,
  },
  unquoted: {
    type: 'multipart/form-data; boundary="xyz"',
    of: (name, value) => `${part(`name=${name}`, `${value}\r\n--${value}`)}--xyz--\r\n`,
  },
  unfinished: { type: 'multipart/form-data; boundary=xyz', of: (name, value) => part(`filename=""; name="${name}"`, value) },
};

const QUERIES: Record<string, (name: string, value: string) => string> = {
  plain: (name, value) => `?page=1&${name}=${value}`,
  encoded: (name, value) => `?${name.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}=${value}`,
  spaced: (name, value) => `?+${name}=${value}`,
  nested: (name, value) => `?redirect_to=${encodeURIComponent(`/x?a=1&${name}=${value}`)}`,
};

async function sendSecrets(): Promise<void> {
  for (const name of NAMES) {
    for (const [place, of] of Object.entries(QUERIES)) {
      const query = of(name, secret(`query-${place}`, name));
      await send('GET', CORE + query);
      await send('GET', CORE, undefined, { referer: `${server().url}/${query}` });
    }
    for (const [place, { type, of }] of Object.entries(BODIES))
      await send('POST', CORE, of(name, secret(place, name)), type === '' ? {} : { 'content-type': type });
    await send('GET', CORE, undefined, { [`x-${name.replaceAll(/\W/g, '-')}`]: secret('header', name) });
  }
  await send('GET', '/', undefined, {
    cookie: `wp-postpass_1=${SECRET}-a; wordpress_logged_in_1=${SECRET}-b`,
    'proxy-authorization': `Basic ${SECRET}`,
  });
}

/** Secrets that the server creates: an application password, nonces, and the cookie of the password of a post. */
async function receiveSecrets(): Promise<string[]> {
  const at = '/wp-json/wp/v2/users/me/application-passwords';
  const made = await read<{ password: string }>('POST', at, { name: 'app' }, AS_ADMIN);
  const wrapped = await read<{ body: { password: string } }>('POST', `${at}?_envelope=1`, { name: 'other' }, AS_ADMIN);
  const form = { 'content-type': FORM };
  const locked = await send('POST', '/wp-login.php?action=postpass', `post_password=${SECRET}`, form);
  const cookie = String(locked.headers.get('set-cookie'));
  return [made.password, wrapped.body.password, /=([^;]+)/.exec(cookie)?.[1] ?? ''];
}

test('no route of the test API shows the secrets of requests and responses', async () => {
  const api = await read<{ paths: Record<string, object> }>('GET', '/__qa/doc');
  const routes = Object.entries(api.paths).flatMap(([at, methods]) => ('get' in methods ? [at] : []));
  const searched = [SECRET];
  let texts = '';
  const search = async (): Promise<void> => {
    const { entries } = await read<{ entries: { id: number }[] }>('GET', '/__qa/journal?limit=1000&brief=true');
    expect(entries.length).toBeGreaterThan(0);
    for (const route of routes)
      for (const id of route.includes('/journal/{id}') ? entries.map((each) => each.id) : [0])
        texts += (await send('GET', route.replace('{id}', String(id)).replace(/\{\w+\}/, 'none'))).text;
    const expectation = {
      method: 'PUT',
      path: '**',
      headers: { 'x-api_key': 'x', cookie: 'x' },
      query: { password: 'x' },
      body: { password: 'x' },
    };
    texts += (await send('POST', '/__qa/journal/verify', expectation)).text;
    texts += (await send('GET', '/__qa/journal?limit=1000&curl=true')).text;
  };
  searched.push(...(await receiveSecrets()));
  await search();
  await sendSecrets();
  await search();
  const found = searched.flatMap((each) => [...texts.matchAll(new RegExp(`.{60}${each}[\\w-]*`, 'g'))].map(([line]) => line));
  expect([...new Set(found)]).toEqual([]);
  expect(searched.filter((each) => each.length < 8)).toEqual([]);
  // What is not secret is there.
  expect(texts).toContain('Kept');
  expect(texts).toContain('redirect_to');
  const ofEntries = ['case', 'curl', 'stub'].map((what) => `/__qa/journal/{id}/${what}`);
  expect(routes).toEqual(expect.arrayContaining(['/__qa/journal', '/__qa/journal.har', '/__qa/journal/{id}', ...ofEntries]));
}, 120_000);
