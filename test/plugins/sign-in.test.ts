import { SignJWT } from 'jose';
import { apiOf, type Refusal } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import type { Dataset } from '../../src/sdk/types/dataset.js';

/* Plugins that sign callers in: by token, and by the password of an account. */

const SECRET = 'a secret of the site that a test knows, too';
const NOW = '2026-06-15T12:00:00Z';
const AT = Date.parse(NOW) / 1000;

const SITE: Dataset = {
  site: { jwt_secret: SECRET },
  users: [
    { id: 1, login: 'ann', role: 'administrator', password: 'account of ann', application_password: 'applicationOfAnn00000000' },
    { id: 2, login: 'sam', role: 'subscriber', password: 'account of sam' },
  ],
};
const START = { now: NOW, wordpress: '6.8' } as const;
const JWT = 'jwt-authentication-for-wp-rest-api';
const ERROR = '<strong>Error:</strong>';
const UNKNOWN = `${ERROR} Unknown username. Check again or try your email address.`;

const basic = (login: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

describe('JWT Authentication', () => {
  const server = startTestServer({ ...START, dataset: SITE, plugins: [JWT] }, { isInMemory: true });
  const api = apiOf(server);

  const tokenOf = async (username: unknown, password: unknown): Promise<string> => {
    const { body } = await api.call<{ token: string }>('POST', '/jwt-auth/v1/token', { body: { username, password } });
    return body.token;
  };
  const validate = async (authorization: string, headers: Record<string, string> = {}): Promise<string> => {
    const { body } = await api.call<Refusal>('POST', '/jwt-auth/v1/token/validate', { headers: { authorization, ...headers } });
    return body.message ?? body.code;
  };
  const signed = (claims: object, alg = 'HS256'): Promise<string> =>
    new SignJWT({ iss: server().url, data: { user: { id: '1' } }, ...claims })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(SECRET.repeat(2)))
      .then((token) => `Bearer ${token}`);

  test('a token is the same for a second, and names the site and the user', async () => {
    const [first, second] = await Promise.all([tokenOf('ann', 'account of ann'), tokenOf('ann@example.org', 'applicationOfAnn00000000')]);
    expect(first).toBe(second);
    const [header, claims] = first
      .split('.')
      .slice(0, 2)
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(header).toBe('{"typ":"JWT","alg":"HS256"}');
    const life = `"iat":${AT},"nbf":${AT},"exp":${AT + 604_800}`;
    expect(claims).toBe(`{"iss":"${server().url}",${life},"data":{"user":{"id":"1"}}}`);
  });

  test('a token signs in until it expires, on the clock of the site, and a subscriber has one', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('sam', 'account of sam')}` };
    const me = (later: string): Promise<{ status: number; body: Refusal & { slug: string } }> =>
      api.call('GET', '/wp/v2/users/me', { headers: { ...headers, 'X-Understudy-Now': later } });
    expect((await me('2026-06-22T11:59:59Z')).body.slug).toBe('sam');
    expect((await me('2026-06-22T12:00:00Z')).body).toMatchObject({ code: 'jwt_auth_invalid_token', message: 'Expired token' });
    expect((await api.call('GET', 'events', { headers })).status).toBe(200);
    expect((await api.call('GET', 'events', { headers: { ...headers, 'X-Understudy-Now': '2027-01-01T00:00:00Z' } })).status).toBe(403);
  });

  test('a token is good after a reset', async () => {
    const token = await tokenOf('ann', 'account of ann');
    await api.reset();
    expect(await validate(`Bearer  ${token} and more`)).toBe('jwt_auth_valid_token');
  });

  test.each<[string, () => Promise<string> | string, string]>([
    ['of an algorithm that the key is not for', () => signed({}, 'HS512'), 'Incorrect key for this algorithm'],
    ['with another secret', () => signed({}), 'Signature verification failed'],
    ['with claims that are no JSON', () => 'Bearer eyJhbGciOiJIUzI1NiJ9.e.x', 'Syntax error, malformed JSON'],
    ['with a header that is a text', () => 'Bearer IngiCg.e30.x', 'Empty algorithm'],
    ['0', () => 'Bearer 0', 'Authorization header malformed.'],
  ])('a token %s is refused', async (_what, token, message) => {
    expect(await validate(await token())).toBe(message);
  });

  test.each<[string, object, string]>([
    ['before it is good', { nbf: AT + 100 }, 'Cannot handle token prior to 2026-06-15T12:01:40+0000'],
    ['from the future', { iat: AT + 1 }, 'Cannot handle token prior to 2026-06-15T12:00:01+0000'],
    ['that has expired', { exp: AT }, 'Expired token'],
    ['of another site', { iss: 'https://example.org' }, 'The iss do not match with this server'],
    ['without a user', { data: {} }, 'User ID not found in the token'],
    ['of a user who is not there', { data: { user: { id: 99 } } }, 'jwt_auth_valid_token'],
    ['without an end', { exp: undefined }, 'jwt_auth_valid_token'],
    ['with an end that is no number', { exp: 'soon' }, 'jwt_auth_valid_token'],
  ])('a token %s', async (_what, claims, message) => {
    const token = await new SignJWT({ iss: server().url, data: { user: { id: 1 } }, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
    expect(await validate(`Bearer ${token}`)).toBe(message);
    // A user who is not there is nobody.
    const { status } = await api.call('GET', '/wp/v2/users/me', { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(message !== 'jwt_auth_valid_token' ? 403 : 'data' in claims ? 401 : 200);
  });

  test('values that are no texts are nobody', async () => {
    const { body } = await api.call<Refusal>('POST', '/jwt-auth/v1/token', { body: { username: ['ann'], password: { a: 1 } } });
    expect(body).toEqual({ code: '[jwt_auth] invalid_username', message: UNKNOWN, data: { status: 403 } });
  });

  test('administrators see its setting', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('ann', 'account of ann')}` };
    const { body } = await api.call('GET', '/wp/v2/settings?_fields=jwt_auth_options', { headers });
    expect(body).toEqual({ jwt_auth_options: { share_data: false } });
  });
});

describe('JWT Authentication on a site where nobody has an application password', () => {
  const users = [{ login: 'ann', role: 'administrator', password: 'account of ann' }];
  const dataset = { site: { plugins: [JWT] }, users } as Dataset;
  const server = startTestServer({ ...START, dataset }, { isInMemory: true });
  const other = startTestServer({ ...START, dataset }, { isInMemory: true });
  const lost = (): string => `<a href="${server().url}/wp-login.php?action=lostpassword">Lost your password?</a>`;

  test.each<[string, string, string, () => string]>([
    ['ann', 'no', 'incorrect_password', () => `The password you entered for the username <strong>ann</strong> is incorrect. ${lost()}`],
    [
      ...(['ann@example.org', 'no', 'incorrect_password'] as const),
      () => `The password you entered for the email address <strong>ann@example.org</strong> is incorrect. ${lost()}`,
    ],
    ['', 'no', 'empty_username', () => 'The username field is empty.'],
    ['ann', '', 'empty_password', () => 'The password field is empty.'],
    [
      ...(['bob', 'no', 'invalid_username'] as const),
      () =>
        'The username <strong>bob</strong> is not registered on this site. If you are unsure of your username, try your email address instead.',
    ],
  ])('%s with the password %j is %s', async (username, password, code, message) => {
    const { status, body } = await apiOf(server).call<Refusal>('POST', '/jwt-auth/v1/token', { body: { username, password } });
    expect([status, body.code, body.message]).toEqual([403, `[jwt_auth] ${code}`, `${ERROR} ${message()}`]);
  });

  test('no other site accepts its tokens, even under its address', async () => {
    const body = { username: 'ann', password: 'account of ann' };
    const { token } = (await apiOf(server).call<{ token: string }>('POST', '/jwt-auth/v1/token', { body })).body;
    const at = { headers: { authorization: `Bearer ${token}`, host: new URL(server().url).host } };
    const { body: refused } = await apiOf(other).call<Refusal>('POST', '/jwt-auth/v1/token/validate', at);
    expect(refused.message).toBe('Signature verification failed');
  });
});

describe.each(['tec', 'standard'] as const)('Basic-Auth in the profile %s', (profile) => {
  const dataset = { site: { plugins: ['basic-auth'] }, users: SITE.users };
  const server = startTestServer({ ...START, dataset, profile, signInAttempts: 2 }, { isInMemory: true });
  const me = async (headers: Record<string, string>): Promise<unknown> => {
    const { status, text } = await http('GET', `${server().url}/wp-json/wp/v2/users/me`, headers);
    const { slug, code, data } = JSON.parse(text) as { slug?: string; code?: string; data?: unknown };
    return status === 200 ? slug : [status, code, data];
  };

  test('the password of the account signs in, and an application password', async () => {
    expect(await me(basic('sam', 'account of sam'))).toBe('sam');
    expect(await me(basic('ann', 'applicationOfAnn00000000'))).toBe('ann');
    expect(await me({})).toEqual([401, 'rest_not_logged_in', { status: 401 }]);
  });

  test('a wrong password is an error, and several have to wait', async () => {
    const refused = profile === 'tec' ? [500, 'incorrect_password', null] : [401, 'incorrect_password', { status: 401 }];
    expect(await me(basic('sam', 'wrong'))).toEqual(refused);
    expect(await me(basic('sam', ''))).toEqual(refused);
    expect(await me(basic('sam', 'account of sam'))).toEqual([429, 'understudy_too_many_attempts', { status: 429 }]);
  });
});
