import { startToy, toyUser, type Toy } from '../support/toy.js';
import { THINGS, useThings } from './things.js';

const toy = useThings();

const basic = (text: string, scheme = 'Basic'): Record<string, string> => ({
  authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
});

const list = '/wp-json/toy/v1/things';

const answerTo = async (headers: Record<string, string>, path = list): Promise<unknown> => {
  const { status, json } = await toy().call(path, { headers });
  const { user, code } = json as { user?: string | null; code?: string };
  return status === 200 ? user : `${status} ${code}`;
};

test.each<[string, Record<string, string>, string | null]>([
  ['a login', basic('erin:erin secret'), 'erin'],
  ['an e-mail address', basic('erin@example.org:erin secret'), 'erin'],
  ['a login in capitals', basic('ERIN:erin secret'), 'erin'],
  ['blanks around the login', basic(' erin :erin secret'), 'erin'],
  ['an accent in the login', basic('érin:erin secret'), 'erin'],
  ['a tag in the login', basic('<b>erin</b>:erin secret'), 'erin'],
  ['a password without its blanks', basic('erin:erinsecret'), 'erin'],
  ['a password in groups', basic('erin:er-in sec/ret!'), 'erin'],
  ['the scheme in capitals', basic('erin:erin secret', 'BASIC'), 'erin'],
  ['no header', {}, null],
  ['an empty header', { authorization: '' }, null],
  ['another scheme', basic('erin:erin secret', 'Bearer'), null],
  ['no text', { authorization: 'Basic' }, null],
  ['no base64', { authorization: 'Basic !!!' }, null],
  ['no colon', basic('erin'), null],
  ['an empty login', basic(':erin secret'), null],
  ['an empty password', basic('erin:'), null],
  ['only a colon', basic(':'), null],
  ['a wrong password', basic('erin:wrong'), '401 incorrect_password'],
  ['a password in other case', basic('erin:ERIN SECRET'), '401 incorrect_password'],
  ["another user's password", basic('erin:sam secret'), '401 incorrect_password'],
  ['a user without application passwords', basic('ghost:ghost secret'), '401 incorrect_password'],
  ['an unknown login', basic('nobody:x'), '401 invalid_username'],
  ['an unknown e-mail address', basic('no@body.org:x'), '401 invalid_email'],
])('%s', async (_what, headers, expected) => {
  expect(await answerTo(headers)).toBe(expected);
});

test.each([
  ['incorrect_password', 'erin:wrong', 'The provided password is an invalid application password.'],
  ['invalid_username', 'nobody:x', '<strong>Error:</strong> Unknown username. Check again or try your email address.'],
  ['invalid_email', 'no@body.org:x', '<strong>Error:</strong> Unknown email address. Check again or try your username.'],
])('the messages in %s', async (code, credentials, message) => {
  const { json, headers } = await toy().call(list, { headers: basic(credentials) });
  expect(json).toEqual({ code, message, data: { status: 401 } });
  expect([headers['allow'], headers['cache-control']]).toEqual([undefined, undefined]);
});

test('failed authentication also blocks public routes, OPTIONS and unknown routes', async () => {
  for (const [method, path] of [
    ['OPTIONS', list],
    ['GET', '/wp-json/'],
    ['GET', '/wp-json/nothing'],
    ['HEAD', list],
  ]) {
    expect((await toy().call(path, { method, headers: basic('erin:wrong') })).status).toBe(401);
  }
});

describe('nonces', () => {
  test.each<[string, Record<string, string>]>([
    ['', { 'x-wp-nonce': 'abc' }],
    ['', { 'x-wp-nonce': '' }],
    ['?_wpnonce=abc', {}],
    ['?_wpnonce=', {}],
    ['?_wpnonce[]=abc', {}],
    ['?_wpnonce=', { 'x-wp-nonce': 'abc' }],
  ])('an invalid nonce is rejected: %s %j', async (query, headers) => {
    const answer = await toy().call(list + query, { headers });
    expect([answer.status, answer.json]).toEqual([
      403,
      { code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed', data: { status: 403 } },
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': expect.stringContaining('no-store') as string,
      expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
    });
  });

  test('is read from the form of a POST, but not from a PUT or JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const statusOf = async (method: string, type = headers['content-type'], body = '_wpnonce=abc'): Promise<number> =>
      (await toy().call(`${list}/5`, { method, headers: { 'content-type': type }, body })).status;
    expect(await statusOf('POST')).toBe(403);
    expect(await statusOf('PUT')).toBe(401);
    expect(await statusOf('POST', 'application/json', '{"_wpnonce":"abc"}')).toBe(401);
  });

  test('is not needed with an application password', async () => {
    expect(await answerTo({ ...basic('erin:erin secret'), 'x-wp-nonce': 'abc' })).toBe('erin');
  });
});

describe('a site without application passwords', () => {
  let bare: Toy;
  beforeAll(async () => {
    bare = await startToy([THINGS], [{ ...toyUser(2, 'erin', 'editor'), applicationPasswords: [] }]);
  });
  afterAll(() => bare.close());

  test('ignores Basic authentication', async () => {
    const { status, json } = await bare.call(list, { headers: basic('erin:wrong') });
    expect([status, (json as { user: unknown }).user]).toEqual([200, null]);
  });
});
