import { WORLD, apiOf, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Embedding pages of this site in other sites. */

const server = startTestServer({ dataset: WORLD });
const { call } = apiOf(server);

const ask = (route: string, address: string, as?: Login) =>
  call<Record<string, unknown>>('GET', `/oembed/1.0/${route}${encodeURIComponent(server().url + address)}`, as ? { as } : {});

test.each<[address: string, title: string | null]>([
  ['/event/festival-week/', 'Festival Week'],
  ['/event/festival-week?x=1#y', 'Festival Week'],
  ['/?p=35', 'Festival Week'],
  ['/event/password-soiree/', 'Protected: Password Soirée'],
  ['/hello-world/', 'Hello world!'],
  ['/event/draft-plan/', null],
  ['/?p=75', null],
  ['/venue/riverside-hall/', null],
  ['/event/festival/', null],
  ['/events/', null],
  ['/', null],
  ['.example.org/event/festival-week/', null],
])('%s is %s', async (address, title) => {
  const { status, body } = await ask('embed?url=', address);
  expect([status, body.title ?? body.code]).toEqual(title === null ? [404, 'oembed_invalid_url'] : [200, title]);
});

test.each([
  ['', 600, 338],
  ['maxwidth=300&', 300, 200],
  ['maxwidth=1&', 200, 200],
  ['maxwidth=abc&', 200, 200],
])('%s gives a frame of %i by %i', async (query, width, height) => {
  const { body } = await ask(`embed?${query}url=`, '/event/festival-week/');
  expect(body).toMatchObject({ type: 'rich', author_name: 'Ada Admin', width, height, thumbnail_width: width });
});

test('the frame leads to the post without the rest of the site, in frames anywhere', async () => {
  const { body } = await ask('embed?url=', '/event/festival-week/');
  const [, frame] = /<iframe [^>]*src="([^#"]*)/.exec(body.html as string) ?? [];
  expect(frame).toBe(`${server().url}/event/festival-week/embed/`);
  const page = await fetch(frame);
  const text = await page.text();
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining('frame-ancestors *')]);
  expect(text).toContain('<h1 class="tribe-events-single-event-title">Festival Week</h1>');
  expect(text).not.toContain('<header class="site">');
  expect((await fetch(`${server().url}/events/embed/`)).status).toBe(404);
});

test('as XML', async () => {
  const address = `/oembed/1.0/embed?format=xml&url=${encodeURIComponent(`${server().url}/event/festival-week/`)}`;
  const response = await fetch(server().restUrl + address);
  expect([response.headers.get('content-type'), response.headers.get('allow')]).toEqual(['text/xml; charset=UTF-8', 'GET']);
  expect(await response.text()).toMatch(
    /^<\?xml version="1.0"\?>\n<oembed><version>1\.0<\/version>.*<title>Festival Week<\/title>.*<\/oembed>\n$/,
  );
});

test.each([
  [
    '?format=xml',
    '<code>rest_missing_callback_param</code><message>Missing parameter(s): url</message><data><status>400</status><params><oembed>url</oembed></params></data>',
  ],
  ['?format=xml&url=http://other.example/', '<code>oembed_invalid_url</code><message>Not Found</message><data><status>404</status></data>'],
])('errors as XML: %s', async (query, elements) => {
  const response = await fetch(`${server().restUrl}/oembed/1.0/embed${query}`);
  expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8');
  expect(await response.text()).toBe(`<?xml version="1.0"?>\n<oembed>${elements}</oembed>\n`);
});

test('pages name the addresses of their descriptions', async () => {
  const page = await (await fetch(`${server().url}/event/festival-week/`)).text();
  const [, address] = /application\/json\+oembed" href="([^"]*)"/.exec(page) ?? [];
  expect(await (await fetch(address.replaceAll('&amp;', '&'))).json()).toMatchObject({ title: 'Festival Week' });
});

test('the proxy is for those who write, and asks no other site', async () => {
  expect((await ask('proxy?url=', '/event/festival-week/')).status).toBe(401);
  expect((await ask('proxy?url=', '/event/festival-week/', 'subscriber')).status).toBe(403);
  expect((await ask('proxy?url=', '/event/festival-week/', 'contributor')).body).toMatchObject({ title: 'Festival Week' });
  const other = await call('GET', '/oembed/1.0/proxy?url=https%3A%2F%2Fexample.org%2F', { as: 'contributor' });
  expect([other.status, other.body]).toMatchObject([404, { code: 'oembed_invalid_url' }]);
});
