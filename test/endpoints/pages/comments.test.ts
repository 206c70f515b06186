import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { startTestServer } from '../../support/server.js';

/* Comments on pages and in feeds. */

const DATASET: Dataset = {
  site: { name: 'Town' },
  clock: '2026-06-15T12:00:00Z',
  users: [{ id: 1, login: 'anna', name: 'Anna', role: 'administrator', application_password: 'anna pass' }],
  events: [{ id: 5, title: 'Fair', start: '+1d 10:00', end: '11:00', comments: [{ id: 1, author_name: 'Eve', content: 'Fairly good' }] }],
  posts: [
    {
      id: 10,
      title: 'Hello',
      slug: 'hello',
      date: '2026-06-01 09:00',
      comment_status: 'closed',
      comments: [
        {
          id: 3,
          date: '2026-06-02 09:00',
          author_name: 'Gus <i>',
          author_url: 'https://gus.example/',
          content: 'First & https://gus.example/x',
        },
        { id: 4, date: '2026-06-03 09:00', parent: 3, author: 'anna', content: 'A reply' },
        { id: 6, date: '2026-06-04 09:00', content: 'Nobody' },
        { id: 7, date: '2026-06-05 09:00', status: 'hold', content: 'Not yet shown' },
        { id: 8, date: '2026-06-05 09:00', status: 'spam', content: 'Buy' },
      ],
    },
    {
      id: 11,
      title: 'Locked',
      password: 'x',
      date: '2026-05-01',
      comments: [{ id: 9, date: '2026-05-02', author_name: 'Kim', content: 'A secret' }],
    },
    { id: 12, title: 'Draft', status: 'draft', comments: [{ id: 12, content: 'On a draft' }] },
    { id: 13, title: 'Silent', slug: 'silent' },
  ],
};

const server = startTestServer({ dataset: DATASET });
const get = async (path: string): Promise<string> => (await fetch(server().url + path)).text();

test('a page has the approved comments with their replies, and says that there will be no more', async () => {
  const page = await get('/hello/');
  expect(page).toContain('<h2>3 comments</h2>');
  expect(page).toContain('<a href="https://gus.example/" rel="ugc external nofollow">Gus &lt;i&gt;</a>');
  expect(page).toContain('<a href="https://gus.example/x" rel="nofollow ugc">');
  expect(page).toMatch(/id="comment-3".*<ol class="comments"> *<li id="comment-4">.*A reply.*<\/ol>.*id="comment-6".*Anonymous/s);
  expect(page).toContain('Comments are closed.');
  expect(page).not.toMatch(/Not yet shown|Buy/);
});

test('events have theirs, and a page without any says nothing', async () => {
  const event = await get('/event/fair/');
  expect(event).toContain('<h2>1 comment</h2>');
  expect(event).not.toContain('Comments are closed.');
  expect(await get('/silent/')).not.toContain('id="comments"');
  expect(await get('/locked/')).not.toContain('A secret');
});

const itemsOf = (feed: string): string[] => [...feed.matchAll(/<item>\s*<title>([^<]*)/g)].map(([, title]) => title.trim());

test('the feed of the site has the newest comments on what is published', async () => {
  const feed = await get('/comments/feed/');
  expect(itemsOf(feed)).toEqual([
    'Comment on Fair by Eve',
    'Comment on Hello by Anonymous',
    'Comment on Hello by Anna',
    'Comment on Hello by Gus &#60;i&#62;',
    'Comment on Protected: Locked by Kim',
  ]);
  expect(feed).toMatch(/<title>\s+Comments for Town\s+<\/title>/);
  expect(feed).toContain(`<link>${server().url}/hello/#comment-3</link>`);
  expect(feed).toContain(`<guid isPermaLink="false">${server().url}/?p=10#comment-3</guid>`);
  expect(feed).toContain('<pubDate>Tue, 02 Jun 2026 09:00:00 +0000</pubDate>');
  expect(feed).not.toContain('A secret');
  expect(feed).not.toContain('<language>');
  expect(itemsOf(await get('/?feed=comments-rss2'))).toEqual(itemsOf(feed));
  expect(await get('/?feed=comments-atom')).toMatch(/<title type="text">\s+Comments for Town\s+<\/title>/);
});

test('the feed of a post has its comments', async () => {
  const feed = await get('/hello/feed/');
  expect(itemsOf(feed)).toEqual(['By: Anonymous', 'By: Anna', 'By: Gus &#60;i&#62;']);
  expect(feed).toMatch(/<title>\s+Comments on: Hello\s+<\/title>/);
  expect(feed).toContain('<lastBuildDate>Thu, 04 Jun 2026 09:00:00 +0000</lastBuildDate>');
  expect(itemsOf(await get('/event/fair/feed/'))).toEqual(['By: Eve']);
});

test.each([
  ['/events/feed/?withcomments=1', /Comments for Events from .* – Town/, ['Comment on Fair by Eve']],
  ['/?feed=comments-rss2&post_type=tribe_events', /Comments for Events from .* – Town/, ['Comment on Fair by Eve']],
  ['/2026/06/feed/?withcomments=1', /Comments for June 2026 – Town/, ['Hello', 'Hello', 'Hello']],
  ['/?s=silent&feed=rss2&withcomments=1', /Comments for Town/, []],
])('the comments in %s are on its posts', async (address, title, items) => {
  const feed = await get(address);
  const [, shown = ''] = /<title>\s*(.*?)\s*<\/title>/.exec(feed) ?? [];
  expect(shown.replaceAll('&#8211;', '–')).toMatch(title);
  expect(itemsOf(feed)).toEqual(items.map((item) => expect.stringContaining(item)));
});

test('a new comment is on the page and in the feed at once', async () => {
  const response = await fetch(`${server().url}/wp-json/wp/v2/comments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('anna:anna pass')}` },
    body: JSON.stringify({ post: 13, content: 'Brand new' }),
  });
  expect(response.status).toBe(201);
  expect(await get('/silent/')).toContain('Brand new');
  expect(itemsOf(await get('/silent/feed/'))).toEqual(['By: Anna']);
});
