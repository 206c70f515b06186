import { startWorld, type Login, type Refusal } from '../../support/api.js';

/** What administrators do: users go, plugins and the health of the site are shown. */

const api = startWorld();
afterEach(() => api.reset());

const ids = { admin: 1, editor: 2, author: 3, contributor: 4, subscriber: 5 };

interface Deletion extends Refusal {
  deleted: boolean;
  previous: Record<string, unknown>;
}

const remove = (path: string, as: Login = 'admin') => api.delete<Deletion>(`/wp/v2/users/${path}`, as);

test.each<[string, Login, number, string]>([
  ['3', 'admin', 400, 'rest_missing_callback_param'],
  ['3?reassign=1', 'admin', 501, 'rest_trash_not_supported'],
  ['3?reassign=999&force=true', 'admin', 400, 'rest_user_invalid_reassign'],
  ['3?reassign=3&force=true', 'admin', 400, 'rest_user_invalid_reassign'],
  ['3?reassign=x&force=true', 'admin', 400, 'rest_invalid_param'],
  ['999?reassign=&force=true', 'admin', 404, 'rest_user_invalid_id'],
  ['3?reassign=&force=true', 'editor', 403, 'rest_user_cannot_delete'],
  ['me?reassign=&force=true', 'author', 403, 'rest_user_cannot_delete'],
])('DELETE users/%s as %s: %i %s', async (path, as, status, code) => {
  const answer = await remove(path, as);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect((await api.get('/wp/v2/users/3', 'admin')).status).toBe(200);
});

const authorOf = async (route: string): Promise<number> => (await api.get<{ author: number }>(route, 'admin')).body.author;

test('a deleted user leaves posts to another, and can no longer sign in', async () => {
  const { body: post } = await api.post<{ id: number }>('/wp/v2/posts', { title: 'By the author', status: 'publish' }, 'author');
  const { status, body } = await remove(`${ids.author}?reassign=${ids.editor}&force=true`);
  expect([status, body.deleted]).toEqual([200, true]);
  expect(body.previous).toMatchObject({ id: ids.author, username: 'author', roles: ['author'] });
  expect(body.previous).not.toHaveProperty('_links');
  expect(await authorOf(`/wp/v2/posts/${post.id}`)).toBe(ids.editor);
  expect((await api.get<Refusal>('/wp/v2/users/me', 'author')).body.code).toBe('invalid_username');
  expect((await api.get<Refusal>(`/wp/v2/users/${ids.author}`, 'admin')).body.code).toBe('rest_user_invalid_id');
});

test('without an heir, blog posts go to the trash and everything else of the user is deleted', async () => {
  const made = async (type: string): Promise<string> => {
    const { body } = await api.post<{ id: number }>(`/wp/v2/${type}`, { title: 'Of the author', status: 'publish' }, 'author');
    return `/wp/v2/${type}/${body.id}`;
  };
  const [post, event] = [await made('posts'), await made('tribe_events')];
  const [others] = (await api.get<{ id: number }[]>(`/wp/v2/media?author=${ids.author}`)).body;
  expect((await remove(`${ids.author}?reassign=false&force=true`)).status).toBe(200);
  expect((await api.get<{ status: string }>(post, 'admin')).body.status).toBe('trash');
  expect((await api.get(event, 'admin')).status).toBe(404);
  if (others) expect((await api.get(`/wp/v2/media/${others.id}`)).status).toBe(404);
  expect((await api.get<object[]>(`/wp/v2/tribe_venue?author=${ids.author}&status=any`, 'admin')).body).toEqual([]);
});

test('the last administrator can go, too', async () => {
  expect((await remove(`me?reassign=${ids.editor}&force=true`)).body.deleted).toBe(true);
  expect((await api.get<{ author: number }>('/wp/v2/tribe_venue/10')).body.author).toBe(ids.editor);
});

test('the plugins of the site', async () => {
  const path = '/wp/v2/plugins/the-events-calendar/the-events-calendar';
  const { body } = await api.get<Record<string, unknown>[]>('/wp/v2/plugins', 'admin');
  expect(body).toMatchObject([
    {
      plugin: 'the-events-calendar/the-events-calendar',
      status: 'active',
      name: 'The Events Calendar',
      version: '6.17.2',
      textdomain: 'the-events-calendar',
      network_only: false,
      description: { rendered: expect.stringContaining('<cite>By <a href=') },
      _links: { self: [{ href: expect.stringContaining(path) }] },
    },
  ]);
  expect((await api.get(path, 'admin')).body).toEqual(body[0]);
  expect(Object.keys((await api.get<object>(`${path}?context=embed`, 'admin')).body)).not.toContain('version');
  for (const none of ['status=inactive', 'search=nothing-like-it'])
    expect((await api.get(`/wp/v2/plugins?${none}`, 'admin')).body).toEqual([]);
  expect((await api.get<object[]>('/wp/v2/plugins?search=Calendar&status=active', 'admin')).body).toHaveLength(1);
  expect((await api.post(path, { status: 'active' })).status).toBe(200);
  expect((await api.post<Refusal>(path, { status: 'inactive' })).status).toBe(501);
});

const health = async (name: string, headers = {}): Promise<unknown> =>
  (await api.call('GET', `/wp-site-health/v1/${name}`, { as: 'admin', headers })).body;

test.each([
  ['background-updates', 'background_updates', 'good', 'Security'],
  ['loopback-requests', 'loopback_requests', 'good', 'Performance'],
  ['https-status', 'https_status', 'recommended', 'Security'],
  ['dotorg-communication', 'dotorg_communication', 'good', 'Security'],
  // The password of the administrator is not that of the test.
  ['authorization-header', 'authorization_header', 'recommended', 'Security'],
  ['page-cache', 'page_cache', 'recommended', 'Performance'],
])('site health: %s', async (name, named, status, label) => {
  const text = expect.stringMatching(/./);
  expect(await health(`tests/${name}`)).toEqual({
    ...{ label: text, status, description: text, actions: '', test: named },
    badge: { label, color: 'blue' },
  });
});

test('site health: the sizes of folders', async () => {
  expect(await health('directory-sizes')).toMatchObject({
    raw: 0,
    uploads_size: { size: expect.stringMatching(/^[\d.]+ [KM]B$/), raw: expect.any(Number) },
    themes_size: { size: '0.00 B', debug: '0.00 B (0 bytes)' },
    total_size: { debug: expect.stringMatching(/ bytes\)$/) },
  });
});
