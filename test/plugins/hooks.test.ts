import './registered.js';
import { createHash } from 'node:crypto';
import { signIn, WORLD } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

/** Plugins that sign callers in, and whose pages read what is posted to them. */

const server = startTestServer({ dataset: WORLD, plugins: ['tokens', 'payments'] }, { isInMemory: true });

const callerOf = async (headers: Record<string, string>, route = '/wp/v2/users/me', method = 'GET'): Promise<unknown> => {
  const { status, text } = await http(method, `${server().url}/wp-json${route}`, headers);
  const { slug, code } = JSON.parse(text) as { slug?: string; code?: string };
  return status === 200 ? slug : `${status} ${code}`;
};

test.each<[string, Record<string, string>, unknown]>([
  ['a token', { authorization: 'Bearer token-admin' }, 'admin'],
  ['a token in a header of the plugin', { 'x-token': 'token-admin' }, 'admin'],
  ['a token before an application password', { 'x-token': 'token-admin', authorization: signIn('editor') }, 'admin'],
  ['an application password, which the plugin leaves to WordPress', { authorization: signIn('admin') }, 'admin'],
  ['nothing', {}, '401 rest_not_logged_in'],
  ['a wrong token', { authorization: 'Bearer wrong' }, '403 tokens_invalid'],
  ['a wrong token with an application password', { 'x-token': 'wrong', authorization: signIn('admin') }, '403 tokens_invalid'],
])('%s', async (_what, headers, expected) => {
  expect(await callerOf(headers)).toBe(expected);
});

test('the error of a plugin is the response for any route, unless the plugin lets it pass', async () => {
  const wrong = { authorization: 'Bearer wrong' };
  expect(await callerOf(wrong, '/wp/v2/posts')).toBe('403 tokens_invalid');
  expect(await callerOf(wrong, '/wp/v2/posts', 'OPTIONS')).toBe('403 tokens_invalid');
  expect(await callerOf(wrong, '/no/route')).toBe('403 tokens_invalid');
  expect(await callerOf(wrong, '/')).toBeUndefined();
});

test('a cached response is for those without credentials only, in any header of a plugin', async () => {
  const route = '/tribe/events/v1/events';
  expect(await callerOf({}, route)).toBeUndefined();
  expect(await callerOf({}, route)).toBeUndefined();
  expect(await callerOf({ 'x-token': 'wrong' }, route)).toBe('403 tokens_invalid');
});

test('a page reads a body as it was sent', async () => {
  const body = '{ "amount": 12.50 }';
  const signature = createHash('sha256').update(body).digest('hex');
  const post = async (path: string, headers: Record<string, string>): Promise<unknown> => {
    const { status, text } = await http('POST', `${server().url}${path}`, { 'content-type': 'application/json', ...headers }, body);
    return { status, body: JSON.parse(text) as unknown };
  };
  const paid = { status: 200, body: { amount: 12.5, isSigned: true } };
  expect(await post('/payments/', { 'x-signature': signature })).toEqual(paid);
  // WP: only requests that read are redirected to the canonical URL.
  expect(await post('/payments', { 'x-signature': signature })).toEqual(paid);
  expect(await post('/payments/', {})).toEqual({ status: 400, body: { amount: 12.5, isSigned: false } });
  expect((await http('GET', `${server().url}/payments/`, {})).status).toBe(405);
  expect((await http('POST', `${server().url}/payments/`, {}, 'a'.repeat(300_000))).status).toBe(413);
});
