import net from 'node:net';
import { LIMIT_MS, NS, startHardInput, testSurvival } from './hard-input.js';

const hard = startHardInput();
const { ask, url } = hard;

describe('headers', () => {
  test.each<[string, Record<string, string>]>([
    ['an origin of 5,000 letters', { origin: 'a'.repeat(5000) }],
    ['an origin with what splits headers', { origin: 'http://x\u00e9y' }],
    ['credentials of no base64', { authorization: 'Basic ====' }],
    ['credentials of 10,000 letters', { authorization: `Basic ${'QQ'.repeat(5000)}` }],
    ['credentials with operators', { authorization: `Basic ${Buffer.from('{"$gt":""}:{"$gt":""}').toString('base64')}` }],
    ['credentials with NUL', { authorization: `Basic ${Buffer.from('ad\0min:x').toString('base64')}` }],
    ['credentials full of ampersands', { authorization: `Basic ${Buffer.from(`${'&'.repeat(8000)}:x`).toString('base64')}` }],
    ['credentials that are no UTF-8', { authorization: `Basic ${Buffer.from('\xff\xfe:x', 'latin1').toString('base64')}` }],
    ['an override of 5,000 letters', { 'x-http-method-override': 'A'.repeat(5000) }],
    ['an override that is a prototype', { 'x-http-method-override': '__proto__' }],
    ['a nonce of 5,000 letters', { 'x-wp-nonce': 'a'.repeat(5000) }],
    ['another host', { host: 'evil.example"><script>' }],
    ['forwarding', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '\u00ff' }],
    ['a cookie', { cookie: `wordpress_logged_in=${'x'.repeat(5000)}; __proto__=1` }],
    ['conditions', { 'if-none-match': '"'.repeat(500), 'if-modified-since': 'x' }],
    ['a range', { range: 'bytes=-1,--,9999999-' }],
    ['what is accepted', { accept: '*'.repeat(500), 'accept-encoding': 'x;q=a', 'accept-language': '\u00ff' }],
  ])('%s', async (_what, headers) => {
    const answer = await ask(`${NS}/events?per_page=1`, { headers });
    expect([200, 401, 403, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('evil.example');
    expect(JSON.stringify(answer.headers)).not.toContain('evil.example');
  });

  /** Sends bytes, and returns the first line of the response. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url());
      const socket = net.connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')));
      let text = '';
      socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n')) socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text.split('\r\n')[0]));
    });

  test.each([
    'GET /wp-json/ HTTP/1.1\r\n\r\n',
    'GET  /wp-json/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://elsewhere/wp-json/?x=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET //wp-json/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /wp-json/?a=\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /wp-json/tribe/events/v1/events/by-slug/\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /\\..\\wp-json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET ?rest_route=/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /wp-json/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /wp-json/ HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'POST /wp-json/tribe/events/v1/tags HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'NONSENSE\r\n\r\n',
  ])('%j gets a response that is not a server error', async (bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });

  describe('raw UTF-8 in the target', () => {
    /** Sends packets one after the other, and returns everything received. */
    const exchange = (...packets: string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(url());
        const socket = net.connect(Number(port), hostname);
        const send = (): void => void (packets.length > 0 && socket.write(packets.shift() ?? '', 'utf8', () => setTimeout(send, 100)));
        let text = '';
        socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
        socket.on('connect', send);
        socket.on('data', (chunk) => (text += chunk.toString('utf8')));
        socket.on('error', reject);
        socket.on('close', () => resolve(text));
      });
    const target = `${NS}/events?search=Köln🎉`;
    const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

    test('is read as if it were percent-encoded', async () => {
      const text = await exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(statuses(text)).toEqual([200]);
      expect(text).toContain('search=K\\u00f6ln\\ud83c\\udf89&');
      expect(text).toContain('\r\nConnection: close\r\n');
    });

    test.each<[what: string, packets: string[], expected: number[]]>([
      ['with a body in several packets', [`POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\na=`, 'b', '&c='], [400]],
      ['with headers in several packets', [`GET ${target} HTTP/1.1\r\nHo`, 'st: x\r\n\r\n'], [200]],
      ['after another request', ['GET /wp-json/x HTTP/1.1\r\nHost: x\r\n\r\n', `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`], [404, 200]],
      ['in a path', [`GET ${NS}/events/by-slug/köln HTTP/1.1\r\nHost: x\r\n\r\n`], [400]],
      ['in HTTP/1.0', [`GET ${target} HTTP/1.0\r\n\r\n`], [200]],
      [
        'behind a request in the same packet',
        [`GET /wp-json/ HTTP/1.1\r\nHost: x\r\n\r\nGET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`],
        [400],
      ],
      ['with control characters', [`GET ${target}\u0001 HTTP/1.1\r\nHost: x\r\n\r\n`], [400]],
      ['with another invalid line', [`GET ${target} HTTP/1.1\r\nHost : x\r\n\r\n`], [400]],
      [
        'with two lengths, which smuggles requests past lenient parsers',
        [`POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
        [400],
      ],
      [
        'in what is a body, not a request',
        [
          'POST /wp-json/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 38\r\n\r\n',
          `GET /ö HTTP/1.1\r\nHost: x\r\n\r\n         `,
        ],
        [404],
      ],
    ])('%s', async (_what, packets, expected) => {
      expect(statuses(await exchange(...packets))).toEqual(expected);
    });
  });
});

testSurvival(hard);
