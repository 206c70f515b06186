import { startWorld } from '../../support/api.js';

/* Behavior of comments that is not in the recordings. */

const api = startWorld();

interface Comment {
  id: number;
  code?: string;
}

const write = (body: object, as: 'admin' | 'author' = 'author') => api.call<Comment>('POST', '/wp/v2/comments', { as, body });

test('of two equal comments that are sent at once, one is a repetition', async () => {
  const answers = await Promise.all([1, 2].map(() => write({ post: 1, content: 'At once' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('comment_duplicate');
});

test('lists and objects in place of texts are no texts, and do no harm', async () => {
  for (const body of [
    { post: 1, content: { raw: ['x'] } },
    { post: 1, content: ['x'] },
    { post: 1, content: 'Names', author_name: { a: 1 }, author_email: ['x'] },
    { post: 1, content: 'Statuses', status: ['hold'] },
    { post: [1], content: 'Posts' },
  ]) {
    const { status } = await write(body, 'admin');
    expect([body, status]).toEqual([body, 400]);
  }
});

test('without a post, a comment has the address of no page, and only moderators take one away from its post', async () => {
  const { body: post } = await api.call<{ id: number }>('POST', '/wp/v2/posts', {
    as: 'author',
    body: { title: 'Own', status: 'publish' },
  });
  const { body } = await write({ post: post.id, content: 'To nowhere' }, 'admin');
  const moved = (as: 'admin' | 'author') =>
    api.call<{ post: number; link: string; code?: string }>('PATCH', `/wp/v2/comments/${body.id}`, { as, body: { post: 0 } });
  expect(await moved('author')).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit' } });
  expect(await moved('admin')).toMatchObject({ status: 200, body: { post: 0, link: `/#comment-${body.id}` } });
});

test('a reset brings comments back', async () => {
  const before = await api.get('/wp/v2/comments', 'admin');
  const { body } = await write({ post: 1, content: 'Gone after the reset' }, 'admin');
  expect((await api.call('DELETE', '/wp/v2/comments/1?force=true', { as: 'admin' })).status).toBe(200);
  expect((await api.get(`/wp/v2/comments/${body.id}`, 'admin')).status).toBe(200);
  await api.reset();
  expect((await api.get('/wp/v2/comments', 'admin')).body).not.toEqual([]);
  expect((await api.get(`/wp/v2/comments/${body.id}`, 'admin')).status).toBe(404);
  expect(before.status).toBe(200);
});

test('comments that are embedded in a list are those of each post, in the same order, and the most recent ten', async () => {
  const ids: number[] = [];
  for (const count of [0, 1, 12]) {
    const { body: post } = await api.call<{ id: number }>('POST', '/wp/v2/posts', {
      as: count === 1 ? 'admin' : 'author',
      body: { title: `With ${count} comments`, status: 'publish' },
    });
    ids.push(post.id);
    let parent = 0;
    for (let i = 0; i < count; i += 1)
      parent = (await write({ post: post.id, content: `Comment ${i}`, parent: i === 1 ? parent : 0 }, 'admin')).body.id;
  }
  interface Embedding {
    id: number;
    author: number;
    _embedded?: { replies?: Comment[][]; author?: object[] };
  }
  const { body: posts } = await api.get<Embedding[]>(`/wp/v2/posts?include=${ids.join(',')}&orderby=include&_embed`);
  expect(posts.map(({ id }) => id)).toEqual(ids);
  for (const { id, author: by, _embedded } of posts) {
    const { body: alone } = await api.get<Comment[]>(`/wp/v2/comments?post=${id}&context=embed`);
    expect(_embedded?.replies ?? [[]]).toEqual([alone]);
    const { body: author } = await api.get(`/wp/v2/users/${by}?context=embed`);
    expect(_embedded?.author).toEqual([author]);
  }
  expect(posts.map(({ _embedded }) => _embedded?.replies?.[0].length ?? 0)).toEqual([0, 1, 10]);
});
