import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Resources that programs expect of any WordPress site: files, dates, term addresses, the head of pages, and parts of uploaded files. */

const server = startTestServer({ dataset: WORLD, profile: 'tec' });

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(server().url + path, { headers, method, redirect: 'manual' });

test.each<[path: string, method: string, status: number, body: string]>([
  ['/xmlrpc.php', 'GET', 405, 'XML-RPC server accepts POST requests only.'],
  ['/xmlrpc.php', 'POST', 200, '<int>-32700</int>'],
  ['/xmlrpc.php?rsd', 'GET', 200, '/xmlrpc.php" />'],
  ['/wp-cron.php', 'GET', 200, ''],
  ['/wp-admin/admin-ajax.php?action=heartbeat', 'GET', 200, '{"server_time":1781524800}'],
  ['/wp-admin/admin-ajax.php?action=nothing', 'GET', 400, '0'],
])('%s, %s: %i', async (path, method, status, body) => {
  const response = await get(path, {}, method);
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(body)]);
});

test.each([
  ['system.listMethods', '<array><data>\n  <value><string>system.multicall</string></value>\n'],
  ['mt.supportedMethods', '<array><data>\n  <value><string>wp.getUsersBlogs</string></value>\n'],
  ['demo.sayHello', '<value>\n      <string>Hello!</string>\n      </value>'],
  ['wp.getPosts', '<int>405</int>'],
  ['wp.none', '<string>server error. requested method wp.none does not exist.</string>'],
  ['toString', '<int>-32601</int>'],
])('%s responds as the service of WordPress when it is disabled', async (method, part) => {
  const body = `<?xml version="1.0"?>\n<methodCall>\n<methodName>${method}</methodName><params></params></methodCall>`;
  const response = await fetch(`${server().url}/xmlrpc.php`, { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(part)]);
});

test.each<[path: string, to: string]>([
  ['/?tribe_events_cat=music', '/events/category/music/'],
  ['/?tag=live&a=1', '/tag/live/?a=1'],
  ['/events/week/', '/event/weekly-meetup/'],
])('%s redirects to %s', async (path, to) => {
  const { status, headers } = await get(path);
  expect([status, headers.get('location')]).toEqual([301, server().url + to]);
});

test.each<[path: string, status: number]>([
  ['/2026/', 200],
  ['/2026/06/', 200],
  ['/2026/06/15/', 200],
  ['/2026/6/15/', 200],
  ['/2026/06/15/page/2/', 404],
  ['/2026/05/', 404],
  ['/2026/06/15/1/', 404],
  ['/events/list/featured/', 200],
  ['/events/featured/list/', 200],
  ['/events/nothing-at-all/', 404],
  ['/?tag=nothing', 200],
])('%s: %i', async (path, status) => {
  expect((await get(path)).status).toBe(status);
});

test('a month has its posts, and a feed of them', async () => {
  expect(await (await get('/2026/06/')).text()).toContain('Hello world!');
  expect(await (await get('/2026/06/feed/')).text()).toContain('<title>Hello world!</title>');
});

test('the icon of the site is known under the usual name', async () => {
  const next = ({ headers }: Response): string => new URL(headers.get('location') ?? '').pathname;
  const known = await get('/favicon.ico');
  expect([known.status, next(known)]).toEqual([302, '/wp-includes/images/w-logo-gray-white-bg.png']);
  expect((await get(next(await get(next(known))))).status).toBe(200);
});

test('the head of a page leads to the API', async () => {
  const { url, restUrl } = server();
  const html = await (await get('/event/bake-sale/')).text();
  for (const part of [
    '<html lang="en-US">',
    '<meta name="robots" content="max-image-preview:large" />',
    '<meta name="tec-api-version" content="v1" />',
    `<meta name="tec-api-origin" content="${url}" />`,
    `<meta name="generator" content="WordPress ${server().site.wordpressRelease}" />`,
    `<link rel="alternate" href="${restUrl}/tribe/events/v1/events/38" />`,
    `<link rel="alternate" title="JSON" type="application/json" href="${restUrl}/wp/v2/tribe_events/38" />`,
    `<link rel="shortlink" href="${url}/?p=38" />`,
    `<link rel="EditURI" type="application/rsd+xml" title="RSD" href="${url}/xmlrpc.php?rsd" />`,
  ])
    expect(html).toContain(part);
  expect(await (await get('/?s=bake')).text()).toContain('<meta name="robots" content="noindex, follow, max-image-preview:large" />');
});

describe('an uploaded file', () => {
  const LOGO = '/wp-content/uploads/2026/05/logo.png';

  test('has a tag, and is not sent again to those who know it', async () => {
    const { headers } = await get(LOGO);
    const [tag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
    expect([tag, headers.get('accept-ranges')]).toEqual([expect.stringMatching(/^"[0-9a-f]+-b11"$/), 'bytes']);
    const asked: Record<string, string>[] = [
      { 'if-none-match': tag },
      { 'if-none-match': '*' },
      { 'if-none-match': '"x"' },
      { 'if-modified-since': modified },
    ];
    const statuses = await Promise.all(asked.map(async (sent) => (await get(LOGO, sent)).status));
    expect(statuses).toEqual([304, 304, 200, 304]);
  });

  test.each<[range: string, status: number, part: string | null, bytes: number]>([
    ['bytes=0-10', 206, 'bytes 0-10/2833', 11],
    ['bytes=2830-', 206, 'bytes 2830-2832/2833', 3],
    ['bytes=-3', 206, 'bytes 2830-2832/2833', 3],
    ['bytes=0-99999', 206, 'bytes 0-2832/2833', 2833],
    ['bytes=9999-', 416, 'bytes */2833', 0],
    ['bytes=5-2', 200, null, 2833],
    ['bytes=0-1,4-5', 200, null, 2833],
    ['lines=1-2', 200, null, 2833],
  ])('in part: %s is %i', async (range, status, part, bytes) => {
    const response = await get(LOGO, { range });
    expect([response.status, response.headers.get('content-range')]).toEqual([status, part]);
    if (status !== 416) expect((await response.arrayBuffer()).byteLength).toBe(bytes);
  });
});
