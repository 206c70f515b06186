import { Control } from '../../../src/sdk/testing/control.js';
import { startTestServer } from '../../support/server.js';

/** Requests under settings that no recording has, with the responses that follow from the rules of WordPress and the calendar. */

const server = startTestServer({
  now: '2026-06-15T12:00:00Z',
  dataset: {
    site: { name: 'Town' },
    users: [{ id: 1, login: 'anna', role: 'administrator', application_password: 'anna' }],
    post_categories: [
      { id: 1, slug: 'uncategorized', name: 'Uncategorized' },
      { id: 11, slug: 'news', name: 'News' },
      { id: 12, slug: 'local', name: 'Local', parent: 'news' },
    ],
    pages: [{ id: 2, title: 'About', slug: 'about' }],
    posts: [
      { id: 5, title: 'Fair', slug: 'fair', date: '2026-06-10 10:00', categories: ['local'], tags: ['Live'] },
      { id: 6, title: 'Past', slug: 'past', date: '2026-05-10 10:00', tags: ['Live'] },
    ],
    events: [
      { id: 30, title: 'Jazz', slug: 'jazz', start: '2026-06-20 20:00', duration: '2h', categories: ['Music'] },
      { id: 31, title: 'Rock', slug: 'rock', start: '2026-07-20 20:00', duration: '2h', categories: ['Music'] },
    ],
  },
});

const control = (): Control => new Control({ url: server().url });

/** A pattern for what a response has: status, `Location`, title and body, with `H` for the URL of the site. */
type Rows = readonly (readonly [path: string, seen: RegExp])[];

const CASES: readonly [name: string, settings: object, rows: Rows][] = [
  [
    'permalinks with categories',
    { permalinks: '/%category%/%postname%/' },
    [
      ['/wp-json/wp/v2/posts/5?_fields=link', /"link":"H\/news\/local\/fair\/"/],
      ['/wp-json/wp/v2/posts/6?_fields=link', /"link":"H\/uncategorized\/past\/"/],
      ['/wp-json/wp/v2/search?search=fair&_fields=url', /"url":"H\/news\/local\/fair\/"/],
      ['/news/local/fair/', /^200 .*<title>Fair – Town</s],
      ['/wrong/fair/', /^301 H\/news\/local\/fair\/\n/],
      ['/fair/', /^404/],
      ['/?p=6', /^301 H\/uncategorized\/past\/\n/],
      ['/feed/', /<link>H\/news\/local\/fair\/<\/link>/],
      ['/news/local/fair/feed/', /^200 .*Comments on: Fair/s],
      ['/wp-sitemap-posts-post-1.xml', /<loc>H\/news\/local\/fair\/<\/loc>.*<loc>H\/uncategorized\/past\/<\/loc>/s],
      ['/about/', /^200 .*<title>About – Town</s],
      ['/category/news/local/', /^200 .*<title>Local – Town</s],
    ],
  ],
  [
    'permalinks with the author and the number',
    { permalinks: '/%author%/%post_id%/%postname%' },
    [
      ['/wp-json/wp/v2/posts/5?_fields=link', /"link":"H\/anna\/5\/fair"/],
      ['/anna/5/fair', /^200/],
      ['/anna/5/fair/', /^301 H\/anna\/5\/fair\n/],
      ['/anna/7/fair', /^301 H\/anna\/5\/fair\n/],
      ['/fair', /^404/],
    ],
  ],
  [
    'dated permalinks',
    { permalinks: '/%year%/%monthnum%/%postname%/' },
    [
      ['/wp-sitemap-posts-post-1.xml', /<loc>H\/2026\/06\/fair\/<\/loc>/],
      ['/fair/feed/', /^200 .*Comments on: \t/s],
      ['/2026/06/', /^200 .*<title>June 2026 – Town</s],
    ],
  ],
  [
    'permalinks below a folder',
    { permalinks: '/blog/%postname%/' },
    [
      ['/fair/feed/', /^404 .*<title>/s],
      ['/author/anna/feed/', /^404 .*<title>/s],
      ['/blog/fair/feed/', /^200 .*Comments on: Fair/s],
      ['/blog/nothing/feed/', /^200 .*Comments on: \t/s],
      ['/blog/2026/06/', /^200/],
      ['/2026/06/', /^404/],
    ],
  ],
  [
    'plain permalinks',
    { permalinks: 'plain', posts_per_page: 1 },
    [
      ['/?cat=12', /^200 .*<title>Local – Town<.*href="H\/\?p=5"/s],
      ['/?tag=live', /^200 .*<title>Live – Town<.*href="H\/\?tag=live&amp;paged=2"/s],
      ['/?tag=live&paged=2', /^200 .*<title>Live – Page 2 – Town<.*href="H\/\?p=6"/s],
      ['/?tag=live&paged=3', /^404/],
      ['/?author=1', /^200 .*<title>anna – Town</s],
      ['/?m=202605', /^200 .*<title>May 2026 – Town</s],
      ['/?tribe_events_cat=music', /^200 .*<title>Events from June 20 › Music ›  – Town</s],
      [
        '/?post_type=tribe_events',
        /href="H\/\?post_type=tribe_events&amp;eventDisplay=month".*href="H\/\?post_type=tribe_events&amp;eventDisplay=list&amp;paged=2"/s,
      ],
      ['/?post_type=tribe_events&eventDisplay=list&paged=2', /^200 .*<title>Events from July 20 – Page 2 – Town</s],
      ['/?post_type=tribe_events&eventDisplay=month&eventDate=2026-07', /^200 .*<title>Events for July 2026 – Town</s],
      ['/index.php/wp-json/wp/v2', /^301 H\/wp-json\/wp\/v2\/\n/],
      ['/index.php?p=5', /^301 H\/\?p=5\n/],
    ],
  ],
  [
    'usual permalinks',
    {},
    [
      ['/?author=1', /^301 H\/author\/anna\/\n/],
      ['/?m=202605', /^301 H\/2026\/05\/\n/],
      ['/?m=203105', /^200/],
      ['/?cat=12', /^301 H\/category\/news\/local\/\n/],
    ],
  ],
  [
    'a front page',
    { front_page: 'about' },
    [
      ['/wp-json/oembed/1.0/embed?url=H%2F', /^200 .*"title":"About"/s],
      ['/wp-sitemap-posts-page-1.xml', /<urlset[^>]*><url><loc>H\/<\/loc>/],
    ],
  ],
  [
    'the month as the usual view',
    { default_view: 'month' },
    [
      ['/?post_type=tribe_events', /^200 .*<title>Events for June 2026 – Town</s],
      ['/?post_type=tribe_events&ical=1', /^200 (?!.*SUMMARY:Rock).*SUMMARY:Jazz/s],
    ],
  ],
  [
    'lists only',
    { views: ['list'] },
    [
      ['/?post_type=tribe_events&eventDisplay=month', /^404/],
      ['/events/?eventDisplay=day', /^404/],
      ['/events/', /^200/],
    ],
  ],
  ['events among the posts', { events_in_blog: true, front_page: 'about', posts_page: null }, [['/feed/', /^200 (?!.*Jazz)/s]]],
  [
    'WordPress in a folder',
    { wordpress_folder: '/wp' },
    [
      ['/wp-admin/', /^302 H\/wp\/wp-admin\/\n/],
      ['/wp/wp-admin/', /^302 H\/wp\/wp-login\.php\?redirect_to=H%2Fwp%2Fwp-admin%2F/],
    ],
  ],
  [
    'a site in Spanish',
    { language: 'es_ES' },
    [
      ['/events/mes/', /^200/],
      ['/events/lista/p%C3%A1gina/1/', /^200/],
      ['/events/categoria/music/lista/', /^200/],
      ['/events/mois/', /^404/],
    ],
  ],
];

describe.each(CASES)('%s', (_name, settings, rows) => {
  beforeAll(() => control().setSettings(settings));
  afterAll(() => control().reset());

  test.each(rows)('%s: %s', async (path, seen) => {
    const { url } = server();
    const response = await fetch(url + path.replace('H', encodeURIComponent(url)), { redirect: 'manual' });
    const text = `${response.status} ${response.headers.get('location') ?? ''}\n${await response.text()}`;
    expect(text.replaceAll('\\/', '/').replaceAll(url, 'H').replaceAll(encodeURIComponent(url), 'H')).toMatch(seen);
  });
});

test('the address of a file of a post with a category has a mark, which leads to the file', async () => {
  await control().setSettings({ permalinks: '/%category%/%postname%/' });
  const { url } = server();
  const upload = await fetch(`${url}/wp-json/wp/v2/media?post=5`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('anna:anna')}`,
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="plan.txt"',
    },
    body: 'A plan',
  });
  const { link, source_url: file } = (await upload.json()) as { link: string; source_url: string };
  expect(link).toBe(`${url}/news/local/fair/attachment/plan/`);
  expect((await fetch(link, { redirect: 'manual' })).headers.get('location')).toBe(file);
  await control().reset();
});

test('without paths, the template of a draft has the slug that its title would give it', async () => {
  await control().setSettings({ permalinks: 'plain' });
  const made = await fetch(`${server().url}/?rest_route=/wp/v2/tribe_events`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('anna:anna')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'An idea', status: 'draft' }),
  });
  const { permalink_template: template } = (await made.json()) as { permalink_template: string };
  expect(template).toBe(`${server().url}/?tribe_events=an-idea`);
  await control().reset();
});
