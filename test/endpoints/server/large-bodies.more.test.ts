import { PUBLIC_BODY } from '../../../src/wordpress/rest/transport/body.js';
import { signIn, WORLD } from '../../support/api.js';
import { Browser } from '../../support/browser.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD, profile: 'standard' });

const LONG = 'x'.repeat(PUBLIC_BODY);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const EVENT = { title: 'Long', start_date: '2026-07-01 10:00', end_date: '2026-07-01 11:00', status: 'draft' };
const EVENTS = '/wp-json/tribe/events/v1/events';

interface Answer {
  status: number;
  code: string;
  description: string;
}

async function send(method: string, path: string, body: string | URLSearchParams, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server().url}${path}`, { method, body, headers });
  const { code = '', description = '' } = (await response.json().catch(() => ({}))) as Partial<Answer>;
  return { status: response.status, code, description };
}

/** Every route of the index, with the methods that it has. */
async function everyCall(): Promise<{ method: string; path: string }[]> {
  const { routes } = (await (await fetch(`${server().url}/wp-json/`)).json()) as { routes: Record<string, { methods: string[] }> };
  return Object.entries(routes).flatMap(([route, { methods }]) => {
    const path = `/wp-json${route.replace(/\(\?P<(\w*?)(id)?>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (_all, _name, id) => (id ? '1' : 'post'))}`;
    return methods.map((method) => ({ method, path }));
  });
}

describe('a large body of a caller without an account', () => {
  test('is not read by any route: the response says that it is too large, or why the caller may not do that', async () => {
    const calls = await everyCall();
    expect(calls.length).toBeGreaterThan(150);
    const answers = await Promise.all(
      calls.map(async ({ method, path }) => {
        // Every route rejects it if it reads it.
        const answer = await send('POST', `${path}?_method=${method}`, `{${LONG}`, JSON_TYPE);
        return { method, path, ...answer };
      }),
    );
    expect(answers.filter(({ status, code }) => status < 400 || code === 'rest_invalid_json')).toEqual([]);
    const codes = new Set(answers.map(({ status, code }) => `${status} ${code}`));
    expect([...codes]).toEqual(expect.arrayContaining(['413 rest_request_too_large', '401 rest_forbidden']));
  });

  test.each(['/', '/events/', '/wp-login.php', '/wp-login.php?action=postpass', '/xmlrpc.php', '/no-such-page/'])(
    'is not read by %s',
    async (path) => {
      const form = new URLSearchParams({ log: LONG, pwd: 'a', post_password: 'a' });
      expect(await send('POST', path, form)).toMatchObject({ status: 413, code: 'rest_request_too_large' });
    },
  );

  test('is read up to the limit', async () => {
    const body = JSON.stringify({ ...EVENT, title: '' });
    expect((await send('POST', EVENTS, body.padEnd(PUBLIC_BODY), JSON_TYPE)).status).toBe(400);
    expect((await send('POST', EVENTS, body.padEnd(PUBLIC_BODY + 1), JSON_TYPE)).status).toBe(401);
  });
});

describe('a large body of a user is read', () => {
  test('with an application password', async () => {
    const body = JSON.stringify({ ...EVENT, description: LONG });
    const { status, description } = await send('POST', EVENTS, body, { ...JSON_TYPE, Authorization: signIn('author') });
    expect([status, description.includes(LONG)]).toEqual([201, true]);
  });

  test('with a wrong password, it is not', async () => {
    const body = JSON.stringify({ ...EVENT, description: LONG });
    const wrong = `Basic ${Buffer.from('author:wrong').toString('base64')}`;
    expect((await send('POST', EVENTS, body, { ...JSON_TYPE, Authorization: wrong })).status).toBe(401);
  });

  test('with the cookie of a session, and its nonce in the form', async () => {
    const browser = new Browser(server);
    await browser.logIn('admin');
    const { status } = await browser.send(EVENTS, { ...EVENT, description: LONG, _wpnonce: await browser.nonce() });
    expect(status).toBe(201);
  });
});
