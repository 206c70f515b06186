import { Understudy } from '../../../src/sdk/testing/jest.js';
import { read } from '../../support/documents.js';
import { testEnvironment } from '../../support/environment.js';
import { startTestServer } from '../../support/server.js';

/** Runs the examples of docs/companions.md. */

const START = { now: '2026-06-15T12:00:00Z' };
const server = startTestServer({ ...START, plugins: ['jwt-authentication-for-wp-rest-api', 'advanced-custom-fields'] });
testEnvironment(() => ({ UNDERSTUDY_URL: server().url }));

const block = (kind: string): string =>
  [...read('docs/companions.md').matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)].find(([, name]) => name === kind)![2];

const seed = async (kind: string): Promise<void> => {
  const { status } = await fetch(`${server().url}/__qa/seed`, { method: 'POST', body: block(`yaml ${kind}`) });
  expect(status).toBe(200);
};

type Call = [path: string, status: number, body: unknown, method?: string, sent?: object];

test.each<[string, Call[]]>([
  ['acf', [['/wp-json/wp/v2/tribe_events?_fields=acf', 200, [{ acf: { doors: '18:30:00', seats: 120, access: ['ramp'] } }]]]],
  [
    'disable',
    [
      ['/wp-json/wp/v2/posts', 401, { code: 'rest_cannot_access' }],
      ['/wp-json/', 401, { code: 'rest_cannot_access' }],
      ['/wp-json', 401, { code: 'rest_cannot_access' }],
    ],
  ],
  [
    'simple',
    [
      ['/wp-json/simple-jwt-login/v1/auth', 400, { data: { errorCode: 48 } }, 'POST', { username: 'anna', password: 'x' }],
      ['/wp-json/simple-jwt-login/v1/auth', 200, { success: true }, 'POST', { username: 'anna', password: 'account of anna' }],
    ],
  ],
  [
    'acfv3',
    [
      ['/wp-json/acf/v3/tribe_events/36', 200, { acf: [] }],
      ['/wp-json/acf/v3/tribe_events/35', 200, { acf: { seats: '120' } }],
      ['/wp-json/acf/v3/tribe_events/35/seats', 200, { seats: '120' }],
    ],
  ],
  [
    'yoast',
    [
      ['/wp-json/yoast/v1/get_head?url=http://x/', 404, { status: 404 }],
      ['/wp-json/yoast/v1/get_head?url=http://x/event/concert/', 200, { json: { canonical: 'http://x/event/concert/' } }],
    ],
  ],
  ['polylang', [['/wp-json/pll/v1/languages', 200, [{ slug: 'en' }, { slug: 'de' }]]]],
  [
    'cache',
    [
      ['/wp-json/wp/v2/categories?_fields=id,count', 200, []],
      ['/wp-json/wp/v2/categories', 200, [{ name: 'Uncategorized' }]],
    ],
  ],
  ['graphql', [['/graphql', 200, { data: { events: { nodes: [{ title: 'Concert' }] } } }, 'POST', { query: '{ events { title } }' }]]],
])('%s', async (kind, calls) => {
  await seed(kind);
  for (const [path, status, body, method = 'GET', sent] of calls) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server().url + path, { method, ...(sent ? { headers, body: JSON.stringify(sent) } : {}) });
    expect([path, response.status, await response.json()]).toMatchObject([path, status, body]);
  }
});

test('a token of an editor signs in, and expires', async () => {
  await seed('jwt');
  const understudy = await Understudy.open();
  try {
    expect(await understudy.token('anna')).toBe(await understudy.token('editor'));
    // oxlint-disable-next-line typescript/no-implied-eval -- the example of the page
    const run = new Function('understudy', `return (async () => {${block('js jwt')}})()`) as (given: Understudy) => Promise<void>;
    await expect(run(understudy)).rejects.toMatchObject({
      status: 403,
      code: 'jwt_auth_invalid_token',
      message: expect.stringContaining('Expired'),
    });
    await expect(understudy.token('nobody')).rejects.toThrow('No user has the login, the email address or the role "nobody".');
    expect(await understudy.token()).toContain('.');
  } finally {
    await understudy.close();
  }
});
