import { apiOf, WORLD, type Refusal } from '../../support/api.js';
import { Browser } from '../../support/browser.js';
import { startTestServer } from '../../support/server.js';

/* Behavior of autosaves that is not in the recordings, and the pages that show them. */

const server = startTestServer({ dataset: WORLD });
const api = apiOf(server);
beforeEach(() => api.reset());

interface Autosave {
  id: number;
  author: number;
  parent: number;
  title: { raw: string };
  content: { raw: string };
  preview_link: string;
}

const save = (post: number, body: object, as: 'admin' | 'editor' | 'author' = 'admin', type = 'posts') =>
  api.call<Autosave>('POST', `/wp/v2/${type}/${post}/autosaves`, { as, body });

const draftBy = async (as: 'author' | 'admin'): Promise<number> => {
  const { body } = await api.call<{ id: number }>('POST', '/wp/v2/posts', { as, body: { title: 'A draft', content: 'Stored', tags: [] } });
  return body.id;
};

test('what equals the post in all but white space changes no autosave', async () => {
  const first = await save(1, { title: 'Other' });
  const again = await save(1, { title: ' Hello   world! ' });
  expect([again.status, again.body.id, again.body.title.raw]).toEqual([200, first.body.id, 'Other']);
});

test('of two of one second, the one by the author with the lowest id is current', async () => {
  await save(1, { title: 'By the editor' }, 'editor');
  await save(1, { title: 'By the administrator' });
  const { body } = await api.get<Autosave>('/wp/v2/posts/1/autosaves/999?context=edit', 'admin');
  expect(body.title.raw).toBe('By the administrator');
});

test('an own draft is saved itself, but for what is not in its columns', async () => {
  const id = await draftBy('author');
  const { body } = await save(id, { title: 'Typed on', sticky: false, tags: [13], meta: { footnotes: '[]' } }, 'author');
  expect([body.id, body.parent]).toEqual([id, 0]);
  const { body: post } = await api.get<{ title: { raw: string }; content: { raw: string }; tags: number[] }>(
    `/wp/v2/posts/${id}?context=edit`,
    'author',
  );
  expect([post.title.raw, post.content.raw, post.tags]).toEqual(['Typed on', 'Stored', []]);
});

test('footnotes are kept with the autosave, other meta are not', async () => {
  const { body } = await api.call<{ meta: Record<string, unknown> }>('POST', '/wp/v2/tribe_events/35/autosaves', {
    as: 'admin',
    body: { title: 'With notes', meta: { footnotes: '[{"id":"a","content":"b"}]', _EventCost: '12' } },
  });
  expect(body.meta).toMatchObject({ footnotes: '[{"id":"a","content":"b"}]', _EventCost: '' });
});

test('autosaves are nothing that lists, searches or addresses show, and go with their post', async () => {
  const id = await draftBy('author');
  const { body } = await save(id, { title: 'Zanzibar' }, 'editor');
  const found = await api.get<unknown[]>('/wp/v2/search?search=Zanzibar', 'admin');
  const single = await api.get<Refusal>(`/wp/v2/posts/${body.id}`, 'admin');
  expect([found.body, single.body.code]).toEqual([[], 'rest_post_invalid_id']);
  await api.delete(`/wp/v2/posts/${id}?force=true`);
  const left = await server().site.store.posts.countDocuments({ _id: { $in: [id, body.id] } });
  expect(left).toBe(0);
});

test('two autosaves of one user at once, and nonsense, do no harm', async () => {
  const answers = await Promise.all([save(1, { title: 'A' }), save(1, { title: 'B' }), save(1, {})]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const body of [{ title: ['x'] }, { title: { raw: ['x'] } }, { content: { a: 1 } }, { meta: 'x' }, { status: 'nonsense' }]) {
    const { status } = await api.call('POST', '/wp/v2/posts/1/autosaves', { as: 'admin', body });
    expect([body, status < 500]).toEqual([body, true]);
  }
});

describe('previews', () => {
  const page = async (client: Browser, link: string) => client.visit(link.replace(server().url, ''));

  /** Creates an autosave with the browser's session, like the editor. */
  async function saved(client: Browser, path: string, body: object): Promise<Autosave> {
    const headers = { 'x-wp-nonce': await client.nonce(), 'content-type': 'application/json' };
    const { text } = await client.visit(`/wp-json${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(text) as Autosave;
  }

  test('the link of an autosave shows it to the one who made it, at the address of the post', async () => {
    const admin = new Browser(server);
    await admin.logIn('admin');
    for (const path of ['/wp/v2/posts/1', '/wp/v2/tribe_events/35', '/wp/v2/pages/2']) {
      const { preview_link: link } = await saved(admin, `${path}/autosaves`, {
        title: 'Not saved yet',
        content: '<p>What it may become</p>',
      });
      const shown = await page(admin, link);
      expect([path, shown.status, shown.text.includes('Not saved yet'), shown.text.includes('What it may become')]).toEqual([
        path,
        200,
        true,
        true,
      ]);
      expect(shown.headers.get('cache-control')).toContain('no-store');
      // Without the nonce, the stored post is shown.
      const stored = await page(admin, link.replace(/preview_id=.*&/, ''));
      expect([stored.status, stored.text.includes('Not saved yet')]).toEqual([200, false]);
      for (const other of [new Browser(server), await signedIn('editor')]) {
        const rejected = await page(other, link);
        expect([rejected.status, rejected.text.includes('Not saved yet')]).toEqual([403, false]);
      }
    }
  });

  const signedIn = async (login: string): Promise<Browser> => {
    const client = new Browser(server);
    await client.logIn(login);
    return client;
  };

  test('a draft is shown to who may edit it, and to nobody else', async () => {
    const id = await draftBy('author');
    const statuses = await Promise.all(
      ['author', 'editor', 'contributor', null].map(async (login) => {
        const client = login === null ? new Browser(server) : await signedIn(login);
        return (await page(client, `/?p=${id}&preview=true`)).status;
      }),
    );
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  test('a preview is not redirected to the address of the post', async () => {
    const { status, text } = await page(new Browser(server), '/?p=1&preview=true');
    expect([status, text.includes('Hello world!')]).toEqual([200, true]);
    expect((await page(new Browser(server), '/?p=1')).status).toBe(301);
    expect((await page(new Browser(server), '/?post_type=tribe_events&p=35&preview=true')).status).toBe(200);
  });
});
