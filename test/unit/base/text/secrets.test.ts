import { isSecretName, maskBody, maskJson, maskQuery, maskText } from '../../../../src/base/text/secrets.js';
import { spentSince } from '../../../support/cpu.js';

describe('names of secrets', () => {
  test.each([
    'password',
    'user_pass',
    'post_password',
    'token',
    'access_token',
    'accessToken',
    '_wpnonce',
    'nonce',
    'X-WP-Nonce',
    'client_secret',
    'api_key',
    'apiKey',
    'consumer_key',
    'session_id',
    'PHPSESSID',
    'Authorization',
    'credentials',
    'jwt',
  ])('%s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(String(maskBody(Buffer.from(JSON.stringify({ [name]: 'hunter22' })), 'application/json'))).not.toContain('hunter22');
  });

  test.each([
    'title',
    'secretary',
    'session',
    'key',
    'meta_key',
    'announcement',
    'author',
    'passage',
    'compass',
    'boarding_pass',
    'keynote',
    'cookie_notice',
  ])('not %s', (name) => expect(isSecretName(name)).toBe(false));
});

test.each([
  ['?a=1&token=abc&b=2', '?a=1&token=***&b=2'],
  ['_wpnonce=abc&x=1', '_wpnonce=***&x=1'],
  ['user%5Bpassword%5D=abc', 'user%5Bpassword%5D=***'],
  ['per_page=2', 'per_page=2'],
])('query %s', (query, masked) => expect(maskQuery(query)).toBe(masked));

test.each([
  [`<a href="/x?a=1&amp;_wpnonce=f00dfeed">`, `<a href="/x?a=1&amp;_wpnonce=***">`],
  [`<a href="/x?a=1&#038;_wpnonce=f00dfeed">`, `<a href="/x?a=1&#038;_wpnonce=***">`],
  [`<input type="hidden" id="n" name="_wpnonce" value="f00dfeed" />`, `<input type="hidden" id="n" name="_wpnonce" value="***" />`],
  [`<input value='f00dfeed' name=token>`, `<input value='***' name=token>`],
  [`<input type="password" name="p" value="">`, `<input type="password" name="p" value="">`],
  [`<input name="city" value="Berlin">`, `<input name="city" value="Berlin">`],
  [`<meta name="csrf-token" content="f00dfeed">`, `<meta name="csrf-token" content="***">`],
  [`<div data-nonce="f00dfeed" data-id="7">`, `<div data-nonce="***" data-id="7">`],
  [
    `<script nonce="f00dfeed">var x = {"nonce":"f00dfeed","root":"https:\\/\\/a.test"};`,
    `<script nonce="***">var x = {"nonce":"***","root":"https:\\/\\/a.test"};`,
  ],
  [`data-x="{&quot;nonce&quot;:&quot;f00dfeed&quot;,&quot;a&quot;:1}"`, `data-x="{&quot;nonce&quot;:&quot;***&quot;,&quot;a&quot;:1}"`],
  [`"{\\"token\\":\\"f00dfeed\\"}"`, `"{\\"token\\":\\"***\\"}"`],
  [`config.apiKey = 'f00dfeed'; n: 'x'`, `config.apiKey = '***'; n: 'x'`],
  [`{ token: 'f00dfeed', title: "Token" }`, `{ token: '***', title: "Token" }`],
  [`curl -H "Authorization: Bearer abcdefgh12345"`, `curl -H "Authorization: Bearer ***"`],
  [`https://anna:f00dfeed@example.org/x`, `https://***@example.org/x`],
  [`key=AIzaSyA1234567890abcdefghijklmnopqrstu`, `key=***`],
  [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl`, `***`],
  [`script-src 'self' 'nonce-f00dfeed'`, `script-src 'self' 'nonce-***'`],
  [`<p>The secret of a good password: twelve characters.</p>`, `<p>The secret of a good password: twelve characters.</p>`],
])('text %s', (text, masked) => expect(maskText(text)).toBe(masked));

test('JSON, at any depth', () => {
  const value = {
    nonce: 'f00dfeed',
    token: 12345,
    password_required: true,
    password: '',
    tokens: ['a', 'b'],
    args: { password: { type: 'string', description: 'Password of the user.' } },
    html: '<input name="_wpnonce" value="f00dfeed">',
    title: 'Secretary wanted',
    authorization: 'https://a.test/authorize?token=f00dfeed',
  };
  expect(maskJson(value, maskText)).toEqual({
    nonce: '***',
    token: '***',
    password_required: true,
    password: '',
    tokens: ['***', '***'],
    args: { password: { type: 'string', description: 'Password of the user.' } },
    html: '<input name="_wpnonce" value="***">',
    title: 'Secretary wanted',
    authorization: 'https://a.test/authorize?token=***',
  });
});

test('a long page takes no long time', () => {
  const page = `<p class="a" data-x='${'x'.repeat(3000)}'>${'lorem "ipsum": \'dolor '.repeat(20_000)}</p>`;
  const spent = spentSince();
  maskText(page);
  expect(spent()).toBeLessThan(5000);
});

describe('bodies', () => {
  const masked = (body: string | Buffer, type: string): string | undefined => maskBody(Buffer.from(body), type)?.toString('latin1');

  test.each([
    ['{"title":"x", "post_password":"f00dfeed"}', 'application/json', '{"title":"x","post_password":"***"}'],
    ['{"title":"x",  "price":1.0}', 'application/json', '{"title":"x",  "price":1.0}'],
    ['{"title":"caf\\u00e9","pwd":"f00dfeed"}', 'application/json', Buffer.from('{"title":"café","pwd":"***"}').toString('latin1')],
    ['{"title":"x","password":"f00d', 'application/json', undefined],
    ['{"title":"x","start', 'application/json', '{"title":"x","start'],
    ['a=1&pwd=f00dfeed&b=2', 'application/x-www-form-urlencoded', 'a=1&pwd=***&b=2'],
    [
      '--b\r\nContent-Disposition: form-data; name=pwd\r\n\r\nf00d\r\n--\r\nfeed\r\n--b--\r\n',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name=pwd\r\n\r\n***\r\n--b--\r\n',
    ],
    ['--b\r\nContent-Disposition: form-data; name="pwd"\r\n\r\nf00dfeed', 'multipart/form-data', undefined],
  ])('%j of type %s', (body, type, expected) => expect(masked(body, type)).toBe(expected));

  test('files in forms stay as they are', () => {
    const part = (head: string): string => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
    const bytes = Buffer.from([0, 255, 13, 10, 13, 10, 128]).toString('latin1');
    const body = (secret: string): string =>
      `${part('name="file"; filename="a.bin"')}${bytes}\r\n${part('name="token"')}${secret}\r\n--b--\r\n`;
    expect(masked(Buffer.from(body('f00dfeed'), 'latin1'), 'multipart/form-data; boundary=b')).toBe(body('***'));
  });
});
