import { parse } from 'parse5';
import { CALENDAR_PAGES } from '../../../src/plugins/the-events-calendar/pages/index.js';
import { readPageAddress } from '../../../src/wordpress/views/address.js';
import { html } from '../../../src/wordpress/views/html.js';
import { USUAL } from '../../../src/wordpress/rewrite.js';
import type { Site } from '../../../src/wordpress/site.js';
import { apiOf, WORLD } from '../../support/api.js';
import { Browser } from '../../support/browser.js';
import { runningIn } from '../../support/page.js';
import { registry } from '../../support/registry.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });
const { post } = apiOf(server);
const reader = (): Browser => new Browser(server);

const site = {
  registry,
  options: { locale: 'en_US', calendar: { eventsSlug: 'events', singleEventSlug: 'event' }, rewrite: USUAL },
} as Site;

test.each<[string, object]>([
  ['/', { kind: 'front' }],
  ['/events', { kind: 'list', view: { kind: 'list' }, page: 1 }],
  ['/events/page/2/', { kind: 'list', page: 2 }],
  ['/events/list/page/3/', { kind: 'list', page: 3 }],
  ['/events/month/', { view: { kind: 'month' } }],
  ['/events/2026-06/', { view: { kind: 'month', month: '2026-06' } }],
  ['/events/today/', { view: { kind: 'day' } }],
  ['/events/2026-06-15/', { view: { kind: 'day', day: '2026-06-15' } }],
  ['/events/featured/', { view: { kind: 'list' }, isFeatured: true }],
  ['/events/featured/month/', { view: { kind: 'month' }, isFeatured: true }],
  ['/events/2026-13/', { kind: 'below', slugs: ['events', '2026-13'] }],
  ['/events/page/0/', { kind: 'unknown' }],
  ['/events/list/x/', { kind: 'unknown' }],
  ['/events/nonsense/', { kind: 'below', slugs: ['events', 'nonsense'] }],
  ['/events/category/music/', { taxonomy: 'tribe_events_cat', slug: 'music', page: 1 }],
  ['/events/category/community/music/list/page/2/', { taxonomy: 'tribe_events_cat', slug: 'music', page: 2 }],
  ['/events/category/music/month/', { slug: 'music', view: { kind: 'month' } }],
  ['/events/category/month/', { slug: 'month', view: { kind: 'list' } }],
  ['/events/category/', { kind: 'unknown' }],
  ['/tag/live/page/2/', { taxonomy: 'post_tag', slug: 'live', page: 2 }],
  ['/events/tag/live/', { taxonomy: 'post_tag', slug: 'live' }],
  ['/tag/a/b/', { kind: 'unknown' }],
  ['/event/Some Thing/', { kind: 'single', slug: 'some-thing' }],
  ['/event/a/picture/', { kind: 'top', slug: 'picture', below: 'a' }],
  ['/venue/anything/', { kind: 'linked', linked: 'venue', slug: 'anything' }],
  ['/organizer/anything', { kind: 'linked', linked: 'organizer', slug: 'anything' }],
  ['/author/anna/', { kind: 'author', nicename: 'anna' }],
  ['/venue/', { kind: 'top', slug: 'venue' }],
  ['//evil.example/', { kind: 'unknown' }],
  ['/about/', { kind: 'top', slug: 'about' }],
])('the route of %s is recognized', (path, expected) => {
  expect(readPageAddress(path, site, [CALENDAR_PAGES])).toMatchObject(expected);
});

test('a template escapes everything except HTML values', () => {
  const attack = `"><script>'&`;
  expect(html`<a title="${attack}">${[attack, html`<b>${1}</b>`]}${null}${false}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;&#039;&amp;">&quot;&gt;&lt;script&gt;&#039;&amp;<b>1</b></a>',
  );
});

test.each([
  ['/event/festival-week?x=1&y[]=2', '/event/festival-week/?x=1&y[]=2'],
  ['/?post_type=tribe_events&p=35&x=1', '/event/festival-week/?x=1'],
  ['/?page_id=35', '/event/festival-week/'],
  ['/index.php/events/?x=1', '/events/?x=1'],
  ['/?attachment_id=4', '/wp-content/uploads/2026/05/river-stage.jpg'],
  ['/river-stage/', '/wp-content/uploads/2026/05/river-stage.jpg'],
  ['/festival', '/event/festival-week/'],
  ['/tag/live', '/tag/live/'],
  ['/wp-admin', '/wp-admin/'],
])('%s redirects to %s', async (from, to) => {
  const { status, location } = await reader().visit(from);
  expect([status, location]).toEqual([301, `${server().url}${to}`]);
});

test.each([
  ['/events/featured/', 'events/?featured=1'],
  ['/?tribe_events=bake-sale', 'events/38'],
  ['/login/', ''],
])('%s points to %s in the calendar API', async (address, route) => {
  const { headers } = await fetch(`${server().url}${address}`, { redirect: 'manual' });
  expect(headers.get('x-tec-api-root')).toBe(`${server().restUrl}/tribe/events/v1/${route}`);
});

test('the page of featured events has no others', async () => {
  const page = await (await fetch(`${server().url}/events/featured/`)).text();
  expect(page).toContain('Festival Week');
  expect(page).not.toContain('Bake Sale');
});

test.each([
  '/event/%ff/',
  '/event/%00/',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/events/category/nope',
  '/?p=12',
  '/?p=-99999',
  '/wp-jsonx',
  '/event/.*/',
  '/wp-content/x/',
  '/wp-includes/a.js',
])('%s returns 404', async (path) => {
  const { status, headers } = await reader().visit(path);
  expect([status, headers.get('content-type')]).toEqual([
    404,
    path.startsWith('/wp-content/') ? expect.anything() : 'text/html; charset=UTF-8',
  ]);
});

test('texts of authors cannot run as script or break out of their element', async () => {
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const event = {
    title: `T ${attack}`,
    description: `<p onclick="x()">D</p>${attack}`,
    start_date: '2026-07-01 10:00',
    end_date: '2026-07-01 11:00',
  };
  const { body } = await post<{ slug: string; id: number }>('events', {
    ...event,
    slug: 'attack',
    website: 'https://x.example/"><script>',
  });
  for (const path of ['/event/attack/', '/events/', '/']) {
    const { status, text, headers } = await reader().visit(path);
    expect(status).toBe(200);
    expect(runningIn(text)).toEqual([]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe/);
  }
  expect((await reader().visit(`/?p=${body.id}`)).location).toBe(`${server().url}/event/attack/`);
});

test('private content is shown to users who may read it', async () => {
  const when = { start_date: '2026-07-01 10:00', end_date: '2026-07-01 11:00' };
  await post('events', { ...when, title: 'Whisper', slug: 'whisper', status: 'private' });
  const draft = await post<{ id: number }>('events', { ...when, title: 'Sketch', slug: 'sketch', status: 'draft' });
  await post('/wp/v2/tribe_events', { title: 'Locked', slug: 'locked', content: 'the secret', password: 'x', status: 'publish' });
  const paths = ['/event/whisper/', '/event/sketch/', `/?p=${draft.body.id}`];
  const editor = new Browser(server);
  await editor.logIn('editor');
  const statuses = (client: Browser): Promise<number[]> =>
    Promise.all(paths.map((path) => client.visit(path).then(({ status }) => status)));
  expect([await statuses(editor), await statuses(reader())]).toEqual([
    [200, 404, 200],
    [404, 404, 404],
  ]);
  const own = await editor.visit('/event/whisper/');
  expect([own.headers.get('cache-control'), own.text]).toEqual([expect.stringContaining('no-store'), expect.stringContaining('Whisper')]);
  const locked = await reader().visit('/event/locked/');
  expect([locked.status, locked.text.includes('the secret')]).toEqual([200, false]);
});

test.each([
  '/',
  '/events/',
  '/events/month/',
  '/event/festival-week/',
  '/tag/live/',
  '/nothing/',
  '/wp-login.php',
  '/?p=1',
  '/hello-world/',
])('%s is valid HTML, and HEAD returns the same headers', async (path) => {
  const [got, head] = await Promise.all([reader().visit(path), reader().visit(path, { method: 'HEAD' })]);
  const errors: string[] = [];
  if (got.text !== '') parse(got.text, { onParseError: ({ code }) => errors.push(code) });
  expect(errors).toEqual([]);
  expect([head.status, head.headers.get('link'), head.text]).toEqual([got.status, got.headers.get('link'), '']);
  expect(got.headers.get('x-content-type-options')).toBe('nosniff');
});

test.each([
  ['/events/?rest_route=/', 200],
  ['/any/where?rest_route=/', 200],
  ['/?rest_route=wp/v2', 404],
  ['/index.php/wp-json/', 200],
])('the API responds at %s', async (path, status) => {
  const answer = await reader().visit(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=UTF-8']);
});

test('an empty rest_route shows the front page; WordPress files ignore rest_route', async () => {
  expect((await reader().visit('/?rest_route=')).headers.get('content-type')).toContain('text/html');
  expect((await reader().visit('/wp-login.php?rest_route=/')).text).toContain('user_login');
});
