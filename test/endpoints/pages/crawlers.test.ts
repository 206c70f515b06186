import { SaxesParser } from 'saxes';
import { WORLD, apiOf } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Requests of crawlers to any WordPress site: `robots.txt` and its sitemaps. */

const server = startTestServer({ dataset: WORLD });
const { post, reset } = apiOf(server);

interface Map {
  status: number;
  type: string | null;
  urls: string[];
  modified: string[];
}

async function read(path: string): Promise<Map> {
  const response = await fetch(server().url + path, { redirect: 'manual' });
  const text = await response.text();
  const type = response.headers.get('content-type');
  const found: Record<string, string[]> = { loc: [], lastmod: [] };
  if (type?.startsWith('application/xml')) {
    const parser = new SaxesParser();
    const open: string[] = [];
    parser.on('opentag', ({ name }) => open.push(name));
    parser.on('closetag', () => open.pop());
    parser.on('text', (part) => found[open.at(-1) ?? '']?.push(part));
    parser.write(text).close();
  }
  return { status: response.status, type, urls: found.loc.map((url) => url.replace(server().url, '')), modified: found.lastmod };
}

test('robots.txt names the sitemap', async () => {
  const response = await fetch(`${server().url}/robots.txt`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(response.headers.get('x-tec-api-root')).toBe(`${server().restUrl}/tribe/events/v1/`);
  expect(await response.text()).toContain(
    `Disallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\nSitemap: ${server().url}/wp-sitemap.xml\n`,
  );
});

test.each([
  [
    '/event/bold-title-quotes-its/',
    '<title>Bold &lt;b&gt;Title&lt;/b&gt; &#038; &#8220;Quotes&#8221; – it&#8217;s – Town Calendar</title>',
  ],
  ['/events/2026-07-01/', '/events/2026-07-01/?ical=1/"'],
  ['/events/category/music/day/2026-07-01/', '/events/category/music/2026-07-01/?ical=1/"'],
  ['/events/tag/live/2026-07-01/', 'events/2026-07-01/?ical=1/"'],
  ['/events/category/music/2026-07/', '/events/?ical=1"'],
])('the head of %s has %s', async (path, text) => {
  const page = await (await fetch(server().url + path)).text();
  expect(page.slice(0, page.indexOf('</head>'))).toContain(text);
});

test('the index names a sitemap for each kind of pages that the site has', async () => {
  const { status, type, urls } = await read('/wp-sitemap.xml');
  expect([status, type]).toEqual([200, 'application/xml; charset=UTF-8']);
  expect(urls).toEqual(
    [
      'posts-post',
      'posts-page',
      'posts-tribe_events',
      'taxonomies-category',
      'taxonomies-post_tag',
      'taxonomies-tribe_events_cat',
      'users',
    ].map((name) => `/wp-sitemap-${name}-1.xml`),
  );
});

test('the former address leads there', async () => {
  const response = await fetch(`${server().url}/sitemap.xml`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([301, `${server().url}/wp-sitemap.xml`]);
});

test.each<[name: string, urls: string[]]>([
  ['posts-post-1', ['/hello-world/']],
  ['posts-page-1', ['/', '/sample-page/']],
  ['taxonomies-tribe_events_cat-1', ['/events/category/music/', '/events/category/music/rock/']],
  ['users-1', ['/author/admin/', '/author/author/', '/author/editor/']],
])('%s has %j', async (name, urls) => {
  const { status, urls: all } = await read(`/wp-sitemap-${name}.xml`);
  expect(status).toBe(200);
  expect(all).toEqual(expect.arrayContaining(urls));
});

test('events that are not over are there by id, with the time of their last change, and nothing that is not published', async () => {
  const { urls, modified } = await read('/wp-sitemap-posts-tribe_events-1.xml');
  expect(urls).toHaveLength(48);
  expect(urls.slice(0, 3)).toEqual(['/event/festival-week/', '/event/early-bird-yoga/', '/event/open-mic-night/']);
  expect(urls.filter((url) => /draft|board-meeting|\?/.test(url))).toEqual([]);
  expect(modified[urls.indexOf('/event/festival-week/')]).toBe('2026-03-05T15:15:00-05:00');
});

test.each([
  ['/wp-sitemap.xml', '/wp-sitemap-index.xsl', 's:sitemapindex/s:sitemap'],
  ['/wp-sitemap-posts-page-1.xml', '/wp-sitemap.xsl', 's:urlset/s:url'],
])('%s names a stylesheet for browsers', async (path, styles, elements) => {
  const sitemap = await (await fetch(server().url + path)).text();
  expect(sitemap.split('\n')[1]).toBe(`<?xml-stylesheet type="text/xsl" href="${server().url}${styles}" ?>`);
  expect(await read(styles)).toMatchObject({ status: 200, type: 'application/xml; charset=UTF-8' });
  expect(await (await fetch(server().url + styles)).text()).toContain(`<xsl:for-each select="${elements}">`);
});

test('a post is there with the date in UTC of its last change, on the clock of the site', async () => {
  const { modified } = await read('/wp-sitemap-posts-post-1.xml');
  expect(modified).toEqual(['2026-06-15T08:00:00-04:00']);
});

test.each(['posts-post-2', 'posts-tribe_venue-1', 'posts-attachment-1', 'taxonomies-nav_menu-1', 'users-0', 'nothing-1'])(
  'there is no %s',
  async (name) => {
    expect((await read(`/wp-sitemap-${name}.xml`)).status).toBe(404);
  },
);

test('pages below others have their whole address', async () => {
  const page = async (body: object): Promise<number> =>
    (await post<{ id: number }>('/wp/v2/pages', { status: 'publish', ...body })).body.id;
  await page({ title: 'Below', parent: await page({ title: 'Above' }) });
  expect((await read('/wp-sitemap-posts-page-1.xml')).urls).toContain('/above/below/');
  await reset();
});
