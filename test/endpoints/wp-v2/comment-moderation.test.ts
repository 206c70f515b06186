import { startTestServer } from '../../support/server.js';
import type { Dataset } from '../../../src/sdk/types/dataset.js';

/* Which new comments need moderation, depending on the site's settings. */

const dataset = (settings: Dataset['site']): Dataset => ({
  site: settings ?? {},
  users: [
    { id: 1, login: 'admin', role: 'administrator', application_password: 'admin pass' },
    { id: 2, login: 'bob', role: 'subscriber', application_password: 'bob pass' },
  ],
  posts: [{ id: 10, title: 'Hello', comments: [{ id: 7, author: 'bob', content: 'Approved once' }] }],
});

interface Written {
  id: number;
  status: string;
  content: { rendered: string };
}

function site(settings: Dataset['site']): (content: string) => Promise<Written> {
  const server = startTestServer({ dataset: dataset(settings) });
  return async (content) => {
    const { url } = server();
    const response = await fetch(`${url}/wp-json/wp/v2/comments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('bob:bob pass')}` },
      body: JSON.stringify({ post: 10, content, date_gmt: `20${10 + (content.length % 80)}-01-01T00:00:00` }),
    });
    return (await response.json()) as Written;
  };
}

describe('without settings', () => {
  const write = site({});

  test('who was approved before needs nobody, unless there are two links', async () => {
    expect(await write('Fine')).toMatchObject({ status: 'approved' });
    expect(await write('See https://example.org/ and https://example.com/')).toMatchObject({ status: 'hold' });
  });

  test('links say that a reader wrote them', async () => {
    const { content } = await write('<a href="https://example.org/">There</a> or www.example.com');
    expect(content.rendered).toBe(
      '<p><a href="https://example.org/" rel="nofollow ugc">There</a> or <a href="http://www.example.com" rel="nofollow ugc">http://www.example.com</a></p>\n',
    );
  });
});

describe('with lists of words', () => {
  const write = site({ moderation_keys: ['casino'], disallowed_keys: ['pills'], comment_max_links: 0 });

  test('they send comments to a moderator or to the trash', async () => {
    expect(await write('Where is the CASINO?')).toMatchObject({ status: 'hold' });
    expect(await write('p<b></b>ills and <b>pi</b>lls')).toMatchObject({ status: 'trash' });
    expect(await write('www.example.org www.example.com www.example.net')).toMatchObject({ status: 'approved' });
  });
});

describe('with moderation of all', () => {
  const write = site({ comment_moderation: true });

  test('all wait', async () => {
    expect(await write('Fine')).toMatchObject({ status: 'hold' });
  });
});

describe('texts of authors', () => {
  const server = startTestServer({ dataset: dataset({}) });
  const send = async (route: string, body: object): Promise<Written & { author_name: string; author_url: string }> => {
    const response = await fetch(`${server().url}/wp-json/wp/v2/comments${route}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('admin:admin pass')}` },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Written & { author_name: string; author_url: string };
  };

  test('are stored without tags, and with entities', async () => {
    const sent = { author_name: ' <b>Tom</b> & Co ', author_email: 'tom@example.org', author_url: 'https://tom.example/?a=1&b=2' };
    expect(await send('', { post: 10, content: 'Names', ...sent })).toMatchObject({
      author_name: 'Tom &amp; Co',
      author_url: 'https://tom.example/?a=1&amp;b=2',
    });
  });

  test('a change keeps only the HTML that the author of the comment may write', async () => {
    expect(await send('/7', { content: 'Now <b>bold</b><script>x</script>' })).toMatchObject({
      content: { rendered: '<p>Now <b>bold</b>x</p>\n' },
    });
  });
});
