import { SaxesParser } from 'saxes';
import { WORLD, apiOf } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** The feeds of the whole site, in RSS 2.0 and Atom. */

const server = startTestServer({ dataset: WORLD });
const { post, reset } = apiOf(server);
/** WP: only sites without a port in their URL redirect feeds. */
const withoutPort = startTestServer({ dataset: WORLD, url: 'https://calendar.example' });

interface Feed {
  status: number;
  type: string | undefined;
  location: string | null;
  /** Texts by element path, such as `rss/channel/title`. */
  texts: Record<string, string[]>;
}

async function read(path: string, of = server): Promise<Feed> {
  const response = await fetch(of().localUrl + path, { redirect: 'manual' });
  const type = response.headers.get('content-type')?.split(';')[0];
  const body = await response.text();
  const texts: Record<string, string[]> = {};
  if (type?.endsWith('+xml')) {
    const parser = new SaxesParser({ xmlns: true });
    const open: string[] = [];
    const add = (text: string): void => {
      if (text.trim() !== '') (texts[open.join('/')] ??= []).push(text.trim());
    };
    parser.on('opentag', ({ name, attributes }) => {
      open.push(name);
      if (name === 'link' && 'href' in attributes) add(attributes.href.value);
    });
    parser.on('text', add);
    parser.on('cdata', add);
    parser.on('closetag', () => open.pop());
    parser.write(body).close();
  }
  const location = response.headers.get('location')?.replace(of().url, '') ?? null;
  return { status: response.status, type, location, texts };
}

test('the feed of the site has its blog posts', async () => {
  const { status, type, texts } = await read('/feed/');
  expect([status, type]).toEqual([200, 'application/rss+xml']);
  expect(texts).toMatchObject({
    'rss/channel/title': ['Town Calendar'],
    'rss/channel/description': ['Events around town'],
    'rss/channel/item/title': ['Hello world!'],
    'rss/channel/item/link': [`${server().url}/hello-world/`],
    'rss/channel/item/guid': [`${server().url}/?p=1`],
    'rss/channel/item/pubDate': ['Mon, 15 Jun 2026 12:00:00 +0000'],
    'rss/channel/item/dc:creator': ['Ada Admin'],
    'rss/channel/item/content:encoded': [expect.stringContaining('Welcome to WordPress.')],
  });
});

test('the same in Atom', async () => {
  const { status, type, texts } = await read('/feed/atom/');
  expect([status, type]).toEqual([200, 'application/atom+xml']);
  expect(texts).toMatchObject({
    'feed/title': ['Town Calendar'],
    'feed/id': [`${server().url}/feed/atom/`],
    'feed/link': [server().url, `${server().url}/feed/atom/`],
    'feed/updated': ['2026-06-15T12:00:00Z'],
    'feed/entry/title': ['Hello world!'],
    'feed/entry/id': [`${server().url}/?p=1`],
    'feed/entry/published': ['2026-06-15T12:00:00Z'],
    'feed/entry/author/name': ['Ada Admin'],
  });
});

describe('the release of WordPress', () => {
  afterEach(reset);

  test.each([
    ['/feed/', (release: string) => `<generator>https://wordpress.org/?v=${release}</generator>`],
    ['/comments/feed/', (release: string) => `<generator>https://wordpress.org/?v=${release}</generator>`],
    ['/feed/atom/', (release: string) => `<generator uri="https://wordpress.org/" version="${release}">WordPress</generator>`],
    ['/feed/rdf/', (release: string) => `<admin:generatorAgent rdf:resource="https://wordpress.org/?v=${release}" />`],
    ['/hello-world/', (release: string) => `<meta name="generator" content="WordPress ${release}" />`],
  ])('%s names it', async (path, named) => {
    const text = async (): Promise<string> => (await fetch(server().url + path)).text();
    expect(await text()).toContain(named(server().site.wordpressRelease));
    server().site.chosenReleases = { wordpress: '6.9' };
    expect(await text()).toContain(named('6.9.7'));
    server().site.chosenReleases = { wordpress: '7.1.0' };
    expect(await text()).toContain(named('7.1'));
  });

  test('feeds and pages show blocks as it does', async () => {
    const content = '<!-- wp:paragraph --><p>A block.</p><!-- /wp:paragraph -->';
    await post('/wp/v2/posts', { title: 'Blocks', content, status: 'publish' });
    const texts = (): Promise<string[]> =>
      Promise.all(['/feed/', '/blocks/'].map(async (path) => (await fetch(server().url + path)).text()));
    for (const text of await texts()) expect(text).toContain('<p class="wp-block-paragraph">A block.</p>');
    server().site.chosenReleases = { wordpress: '6.9' };
    for (const text of await texts()) expect(text).toContain('<p>A block.</p>');
  });
});

test.each(['/feed/?post_type=tribe_events', '/events/feed/'])('%s has the next events with their start', async (address) => {
  const { texts } = await read(address);
  expect(texts['rss/channel/title']).toEqual(['Events from June 15 – June 19 – Town Calendar']);
  expect(texts['rss/channel/item/title'].slice(0, 2)).toEqual(['Festival Week', 'Bake Sale']);
  expect(texts['rss/channel/item/pubDate'][0]).toBe('Fri, 12 Jun 2026 14:00:00 +0000');
});

test('an event is an entry as posts are, with its start as its date', async () => {
  const { texts } = await read('/events/feed/');
  const guids = texts['rss/channel/item/guid'];
  expect(guids[1]).toBe(`${server().url}/event/bake-sale/`);
  expect(texts['rss/channel/item/dc:creator']).toHaveLength(guids.length);
  expect(texts['rss/channel/item/category'] ?? []).not.toContain('Music');
  expect(texts['rss/channel/item/description']?.join('') ?? '').not.toContain('June');
});

test.each([
  ['/?feed=rss2&post_type=tribe_events', 'application/rss+xml', 'rss/channel/item/title', 'Festival Week'],
  ['/?feed=atom&s=hello', 'application/atom+xml', 'feed/entry/title', 'Hello world!'],
  ['/search/hello/feed/rss2/', 'application/rss+xml', 'rss/channel/item/title', 'Hello world!'],
  ['/hello-world/feed/?withoutcomments=1', 'application/rss+xml', 'rss/channel/item/title', 'Hello world!'],
  ['/hello-world/feed/rdf/', 'application/rdf+xml', 'rdf:RDF/item/title', 'Hello world!'],
  ['/?feed=rss&post_type=tribe_events', 'application/rss+xml', 'rss/channel/docs', 'http://backend.userland.com/rss092'],
  ['/feed/rdf/', 'application/rdf+xml', 'rdf:RDF/item/title', 'Hello world!'],
])('%s is %s', async (address, type, element, title) => {
  const { status, type: sent, texts } = await read(address);
  expect([status, sent, texts[element][0]]).toEqual([200, type, title]);
});

describe('a feed that its reader knows', () => {
  const ask = (headers: Record<string, string>): Promise<Response> => fetch(`${server().url}/feed/`, { headers });

  test('is not sent again', async () => {
    const { headers } = await ask({});
    const [modified, tag] = [headers.get('last-modified') ?? '', headers.get('etag') ?? ''];
    expect([modified, tag]).toEqual(['Mon, 15 Jun 2026 12:00:00 GMT', expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
    expect(headers.get('x-tec-api-version')).toBe('v1');
    const statuses = await Promise.all(
      [
        { 'if-modified-since': modified },
        { 'if-modified-since': 'Sun, 14 Jun 2026 12:00:00 GMT' },
        { 'if-none-match': tag },
        { 'if-none-match': '"other"' },
        { 'if-none-match': '"other"', 'if-modified-since': modified },
        { 'if-none-match': tag, 'if-modified-since': modified },
      ].map(async (sent) => (await ask(sent as Record<string, string>)).status),
    );
    expect(statuses).toEqual([304, 200, 304, 200, 200, 304]);
  });
});

test.each<[address: string, title: string, entries: number]>([
  ['/category/uncategorized/feed/atom/', 'Uncategorized – Town Calendar', 1],
  ['/author/admin/feed/atom/', 'Ada Admin – Town Calendar', 1],
  ['/author/editor/feed/atom/', 'Edith Editor – Town Calendar', 0],
  ['/author/nobody/feed/atom/', 'Town Calendar', 0],
  ['/2026/feed/atom/', '2026 – Town Calendar', 1],
  ['/2026/06/feed/atom/', 'June 2026 – Town Calendar', 1],
  ['/2026/06/15/feed/atom/', 'June 15, 2026 – Town Calendar', 1],
  ['/?s=hello&feed=atom', 'Search Results for “hello” – Town Calendar', 1],
  ['/comments/feed/atom/', 'Comments for Town Calendar', 1],
  ['/hello-world/feed/atom/', 'Comments on Hello world!', 1],
  ['/event/bake-sale/feed/atom/', 'Comments on Bake Sale', 0],
  ['/events/featured/atom/', 'Featured Events from June 15 – June 19 – Town Calendar', 4],
  ['/events/feed/atom/', 'Events from June 15 – June 19 – Town Calendar', 10],
  ['/tag/live/feed/atom/', 'Live! – Town Calendar', 7],
  ['/tag/live/feed/atom/?post_type=tribe_events', 'Events from June 15 – June 19 – Town Calendar', 6],
  ['/events/category/music/featured/feed/atom/', 'Featured Events from June 15 – June 19 › Music ›  – Town Calendar', 2],
  ['/events/tag/live/feed/atom/', 'Events from June 15 – June 19 – Town Calendar', 6],
  ['/venue/riverside-hall/feed/atom/', 'Town Calendar', 1],
])('%s is "%s" with %i', async (address, title, entries) => {
  const { status, texts } = await read(address);
  expect([status, texts['feed/title'][0], texts['feed/entry/id']?.length ?? 0]).toEqual([200, expect.stringContaining(title), entries]);
});

test.each([
  ['/feed', '/feed/'],
  ['/feed/rss2/', '/feed/'],
  ['/rss/', '/feed/'],
  ['/atom', '/feed/atom/'],
  ['/feed/rdf', '/feed/rdf/'],
  ['/hello-world/feed', '/hello-world/feed/'],
  ['/events/feed/atom', '/events/feed/atom/'],
  ['/comments/feed', '/comments/feed/'],
  ['/comments/feed/rss2/', '/comments/feed/'],
])('%s redirects to %s', async (address, to) => {
  const { status, location } = await read(address, withoutPort);
  expect([status, location]).toEqual([301, to]);
});

test.each([
  ['/feed/?paged=1', '/feed/'],
  ['/?feed=rss2', '/feed/'],
  ['/?feed=atom', '/feed/atom/'],
  ['/?feed=comments-rss2', '/comments/feed/'],
  ['/feed/?feed=atom', '/feed/atom/'],
  ['/feed/?withcomments=1', '/comments/feed/?withcomments=1'],
  ['/?p=1&feed=rss2', '/hello-world/feed/'],
  ['/?feed=atom&p=35&x=a%20b', '/event/festival-week/feed/atom/?x=a%20b'],
  ['/?tag=live&feed=rss2', '/tag/live/feed/'],
  ['/?cat=1&feed=rss2', '/category/uncategorized/feed/'],
  ['/?category_name=uncategorized&feed=rdf', '/category/uncategorized/feed/rdf/'],
  ['/?author=1&feed=rss2', '/author/admin/feed/'],
  ['/?tribe_events_cat=music&feed=rss2', '/events/category/music/feed/'],
  ['/?post_type=tribe_events&tribe_events_cat=music&feed=rss2', '/events/category/music/feed/?post_type=tribe_events'],
  ['/events/category/music/feed', '/events/category/music/feed/'],
  ['/events/feed/?paged=2&x=1', '/events/feed/?x=1&paged=2'],
  ['/events/feed/?x=a+b', '/events/feed/?x=a%20b'],
  ['/?p=4&feed=rss2', '/wp-content/uploads/2026/05/river-stage.jpg'],
])('%s moves to %s', async (address, to) => {
  expect(await read(address, withoutPort)).toMatchObject({ status: 301, location: to });
});

// WP: at a site with a port.
test.each([
  ['/feed/rss2/', 'rss/channel/item/title', 'Hello world!'],
  ['/feed', 'rss/channel/item/title', 'Hello world!'],
  ['/feed/rss/', 'rss/channel/docs', 'http://backend.userland.com/rss092'],
  ['/rss/', 'rss/channel/docs', 'http://backend.userland.com/rss092'],
  ['/?feed=rss2', 'rss/channel/item/title', 'Hello world!'],
  ['/?feed=atom', 'feed/entry/title', 'Hello world!'],
  ['/feed/?feed=atom', 'feed/entry/title', 'Hello world!'],
  ['/?feed=comments-rss2', 'rss/channel/title', 'Comments for Town Calendar'],
  ['/?p=1&feed=rss2', 'rss/channel/title', 'Comments on: Hello world!'],
  ['/feed/?p=38', 'rss/channel/title', 'Comments on: Bake Sale'],
  ['/feed/?name=hello-world', 'rss/channel/title', 'Comments on: Hello world!'],
  ['/?tribe_events=bake-sale&feed=rss2', 'rss/channel/title', 'Comments on: Bake Sale'],
  ['/?author=1&feed=atom', 'feed/title', 'Ada Admin – Town Calendar'],
  ['/?tag=live&feed=rss2', 'rss/channel/title', 'Live! – Town Calendar'],
  ['/?tribe_events_cat=music&feed=rss2', 'rss/channel/item/title', 'Festival Week'],
  ['/events/category/music/feed', 'rss/channel/item/title', 'Festival Week'],
])('%s stays: %s is %s', async (address, element, text) => {
  const { status, texts } = await read(address);
  expect([status, texts[element][0]]).toEqual([200, text]);
});

// WP: these folders have no list, so that the word is a slug.
test.each([
  ['/venue/feed/', 200],
  ['/organizer/rss/', 200],
  ['/event/feed/', 404],
  ['/author/atom/', 404],
  ['/category/feed/', 404],
  ['/tag/feed/', 404],
])('%s is a page', async (address, status) => {
  expect(await read(address)).toMatchObject({ status, type: 'text/html' });
});

/** WP: feeds of posts declare the elements for comments, feeds of comments do not, whatever the type of the post. */
const WITH_COMMENTS = ['content', 'wfw', 'dc', 'atom', 'sy', 'slash'];
const OF_COMMENTS = ['content', 'dc', 'atom', 'sy'];

test.each<[address: string, namespaces: string[]]>([
  ['/feed/', WITH_COMMENTS],
  ['/events/feed/', WITH_COMMENTS],
  ['/feed/?post_type=tribe_events', WITH_COMMENTS],
  ['/?feed=rss2&post_type=tribe_events&tribe_events_cat=music', WITH_COMMENTS],
  ['/author/editor/feed/', WITH_COMMENTS],
  ['/hello-world/feed/?withoutcomments=1', WITH_COMMENTS],
  ['/event/bake-sale/feed/?withoutcomments=1', WITH_COMMENTS],
  ['/hello-world/feed/', OF_COMMENTS],
  ['/sample-page/feed/', OF_COMMENTS],
  ['/event/bake-sale/feed/', OF_COMMENTS],
  ['/?p=38&post_type=tribe_events&feed=rss2', OF_COMMENTS],
  ['/event/no-such-event/feed/', OF_COMMENTS],
  ['/events/feed/?withcomments=1', OF_COMMENTS],
  ['/?feed=comments-rss2&post_type=tribe_events', OF_COMMENTS],
  ['/feed/atom/', ['thr']],
  ['/event/bake-sale/feed/atom/', ['thr']],
  ['/events/feed/rdf/', ['rdf', 'dc', 'sy', 'admin', 'content']],
  ['/events/feed/rss/', []],
])('%s declares the namespaces %j', async (address, namespaces) => {
  const text = await (await fetch(server().url + address)).text();
  const [root = ''] = /<(?:rss|feed|rdf:RDF)\s[^>]*>/.exec(text) ?? [];
  expect([...root.matchAll(/xmlns:(\w+)=/g)].map(([, name]) => name)).toEqual(namespaces);
});

describe('the time of a feed', () => {
  afterEach(reset);

  const timeOf = async (address: string): Promise<unknown[]> => {
    const { texts } = await read(address);
    return [texts['rss/channel/item/title']?.length ?? 0, texts['rss/channel/lastBuildDate']];
  };

  test('is that of what it shows', async () => {
    const music = await read('/events/category/music/feed/');
    expect(music.texts['rss/channel/lastBuildDate']).not.toEqual(['Mon, 15 Jun 2026 12:00:00 +0000']);
    const term = await post<{ id: number }>('/wp/v2/categories', { name: 'Old' });
    const old = await post<{ id: number }>('/wp/v2/posts', { title: 'Old', status: 'publish', categories: [term.body.id] });
    server().site.clock.freeze(Date.UTC(2026, 5, 20, 8));
    await post('/wp/v2/posts', { title: 'New', status: 'publish' });
    expect(old.status).toBe(201);
    expect(await timeOf('/feed/')).toEqual([3, ['Sat, 20 Jun 2026 08:00:00 +0000']]);
    expect(await timeOf('/category/old/feed/')).toEqual([1, ['Mon, 15 Jun 2026 12:00:00 +0000']]);
    expect((await timeOf('/events/category/music/feed/'))[1]).toEqual(music.texts['rss/channel/lastBuildDate']);
    // WP: of the whole site, where it shows nothing.
    expect(await timeOf('/author/editor/feed/')).toEqual([0, ['Sat, 20 Jun 2026 08:00:00 +0000']]);
    expect(await timeOf('/events/category/never-used/feed/')).toEqual([0, ['Sat, 20 Jun 2026 08:00:00 +0000']]);
  });
});

test('the feed of comments in Atom begins like no other', async () => {
  const text = await (await fetch(`${server().url}/comments/feed/atom/`)).text();
  expect(text.slice(0, 45)).toBe('<?xml version="1.0" encoding="UTF-8" ?><feed\n');
});

// TEC: lists of the calendar only redirect to the same view.
test.each([
  '/?post_type=tribe_events&feed=rss2',
  '/feed/?post_type=tribe_events&tribe_events_cat=music',
  '/events/atom/',
  '/events/list/?feed=rss2',
  '/events/?feed=rss2',
  '/events/category/music/?feed=atom',
  '/events/feed/?eventDisplay=past&paged=1',
  '/events/feed/?tribe_paged=2',
  '/?tribe_events_cat=music,arts-crafts&post_type=tribe_events&feed=rss2',
])('%s stays', async (address) => {
  expect(await read(address)).toMatchObject({ status: 200, location: null });
});

test.each<[address: string, title: string]>([
  // As an attachment of a page would have it.
  ['/events/month/feed/', 'Comments on:'],
  ['/events/list/feed/', 'Comments on:'],
  ['/events/2026-07/feed/', 'Comments on:'],
  ['/nothing/feed/', 'Comments on:'],
  ['/event/draft-plan/feed/', 'Comments on:'],
  ['/event/festival/feed/', 'Comments on:'],
  ['/category/nope/feed/', 'Town Calendar'],
  // A view behind a category is taken for a subcategory.
  ['/events/category/music/month/feed/', 'Events from June 15 – June 19 – Town Calendar'],
  ['/events/category/never-used/feed/', 'Events from June 15 – June 19 › Never Used ›  – Town Calendar'],
  ['/events/feed/?paged=9', 'Events from June 15 – June 19 – Town Calendar'],
  ['/feed/?paged=9', 'Page not found – Town Calendar'],
])('WP: %s is a feed without entries', async (address, title) => {
  const { status, type, texts } = await read(address);
  expect([status, type, texts['rss/channel/title']]).toEqual([address.includes('paged') ? 404 : 200, 'application/rss+xml', [title]]);
  expect(Object.keys(texts)).not.toContain('rss/channel/item/title');
});

test.each(['/feed/json/', '/events/list/page/2/feed/', '/events/category/music/atom/', '/events/tag/live/month/feed/', '/a/b/c/feed/'])(
  '%s is not found',
  async (address) => {
    expect(await read(address)).toMatchObject({ status: 404, type: 'text/html' });
  },
);

test('a feed with an unknown name is an error in XML', async () => {
  for (const address of ['/?feed=ical', '/events/?feed=json']) expect(await read(address)).toMatchObject({ status: 404, type: 'text/xml' });
});

test('what a password protects is not in feeds, and what could end a section of text does no harm', async () => {
  const write = (body: object) => post('/wp/v2/posts', { status: 'publish', ...body });
  await write({ title: 'Locked', content: 'top secret', password: 'x' });
  await write({ title: 'Odd & <b>bold</b>', content: 'a ]]> b' });
  const { texts } = await read('/feed/');
  expect(texts['rss/channel/item/title']).toEqual(expect.arrayContaining(['Protected: Locked']));
  expect(JSON.stringify(texts)).not.toContain('top secret');
  expect(texts['rss/channel/item/content:encoded'].join('')).toContain(']]');
  await reset();
});
