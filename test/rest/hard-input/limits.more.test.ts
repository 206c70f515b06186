import { spentSince } from '../../support/cpu.js';
import { WORLD } from '../../support/plan.js';
import { startTestServer } from '../../support/server.js';
import { send, type Answer } from '../../support/toy.js';
import { NS } from './hard-input.js';

/** Bodies near the limits of what is parsed, at each kind of path that accepts a body. */

const PATHS: [what: string, path: string, isRest: boolean][] = [
  ['a route of the calendar', `${NS}/events`, true],
  ['a route of tec/v1', '/wp-json/tec/v1/events', true],
  ['a route of wp/v2', '/wp-json/wp/v2/posts', true],
  ['comments', '/wp-json/wp/v2/comments', true],
  ['media', '/wp-json/wp/v2/media', true],
  ['batches', '/wp-json/batch/v1', true],
  ['the plain address of a route', '/?rest_route=/wp/v2/posts', true],
  ['no route', '/wp-json/nothing', false],
  ['the test API', '/__qa/faults', false],
  ['sign-in', '/wp-login.php', false],
  ['the password of a post', '/wp-login.php?action=postpass', false],
  ['the comment form', '/wp-comments-post.php', false],
  ['uploads', '/wp-content/uploads/x.png', false],
  ['a page', '/events/', false],
  ['no page', '/nothing/', false],
];

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=B';
const JSON_TYPE = 'application/json';

const several = (count: number, text: (index: number) => string): string => Array.from({ length: count }, (_x, i) => text(i)).join('');
const part = (name: string, more = ''): string => `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n1\r\n`;
const parts = (count: number, more = ''): string => `${several(count, (i) => part(`x${i}`, more))}--B--\r\n`;

const BODIES: [what: string, type: string, body: string][] = [
  ['1,100 variables in a form', FORM, several(1100, (i) => `x${i}=1&`)],
  ['a value of 200 KB in a form', FORM, `x=${'+'.repeat(200_000)}`],
  ['a name of 10 KB in a form', FORM, `${'x'.repeat(10_000)}=1`],
  ['brackets in 1,000 names', FORM, several(1000, (i) => `x${i}${'[y]'.repeat(20)}=1&`)],
  ['1,100 variables in a multipart form', MULTIPART, parts(1100)],
  ['30 files', MULTIPART, parts(30, '; filename="x.txt"')],
  ['a header of 20 KB in a part', MULTIPART, `--B\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n1\r\n${parts(1)}`],
  ['a value of 200 KB in a part', MULTIPART, `--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'x'.repeat(200_000)}\r\n--B--`],
];

const codeOf = (json: unknown): unknown => (json as { code?: unknown } | undefined)?.code;

/** A status, whether or not too many have tried to sign in before. */
const signedOut = (status: number): number => (status === 429 ? 200 : status);

/** Processor time of a request at most, in ms. */
const LIMIT_MS = 1000;

describe.each(['standard', 'tec'] as const)('%s', (profile) => {
  const server = startTestServer({ dataset: WORLD, qa: true, profile, logLevel: 'silent' });
  const post = (path: string, type: string, body: string): Promise<Answer> =>
    send(server().url, path, { method: 'POST', headers: { 'content-type': type }, body });

  describe.each(PATHS)('%s', (_where, path, isRest) => {
    test.each(BODIES)('%s: the response to a small body', async (_what, type, body) => {
      const spent = spentSince();
      const { status } = await post(path, type, body);
      expect(spent()).toBeLessThan(LIMIT_MS);
      const small = type === FORM ? 'x0=1' : parts(1, body.includes('filename') ? '; filename="x.txt"' : '');
      expect(signedOut(status)).toBe(signedOut((await post(path, type, small)).status));
    });

    test('50,000 values in JSON', async () => {
      const values = (count: number): string => JSON.stringify({ x: Array.from({ length: count - 2 }, () => 1) });
      const spent = spentSince();
      const [most, more] = [await post(path, JSON_TYPE, values(50_000)), await post(path, JSON_TYPE, values(50_001))];
      expect(spent()).toBeLessThan(LIMIT_MS);
      expect(codeOf(most.json)).not.toBe('rest_invalid_json');
      if (!isRest) return expect(signedOut(more.status)).toBe(signedOut(most.status));
      expect(more).toMatchObject({
        status: 400,
        json: { code: 'rest_invalid_json', data: { json_error_message: 'More than 50,000 values' } },
      });
    });
  });

  test('the test API names ten unknown parameters', async () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`unknown${i}`, 1]));
    const spent = spentSince();
    const answer = await post('/__qa/faults', JSON_TYPE, JSON.stringify(names));
    expect(spent()).toBeLessThan(LIMIT_MS);
    expect(answer).toMatchObject({
      status: 400,
      json: { message: expect.stringMatching(/"unknown9".* 19990 further parameters are unknown\.$/s) },
    });
  });

  test('variables of a query beyond 1,000 are ignored', async () => {
    const totals = async (filler: number): Promise<unknown> => {
      const { status, json } = await send(server().url, `${NS}/events?${'x&'.repeat(filler)}per_page=0`);
      return [status, codeOf(json)];
    };
    expect([await totals(999), await totals(1000)]).toEqual([
      [400, 'rest_invalid_param'],
      [200, undefined],
    ]);
  });

  test('a batch has up to 25 requests: further ones are not looked at', async () => {
    const requests = [...Array.from({ length: 26 }, () => ({ path: '/wp/v2/posts' })), ...Array.from({ length: 10_000 }, () => 0)];
    const spent = spentSince();
    const answer = await post('/wp-json/batch/v1', JSON_TYPE, JSON.stringify({ requests }));
    expect(spent()).toBeLessThan(LIMIT_MS);
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 'rest_invalid_param', data: { params: { requests: 'requests must contain at most 25 items.' } } },
    });
  });
});
