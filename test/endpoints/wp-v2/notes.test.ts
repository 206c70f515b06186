import { startTestServer } from '../../support/server.js';
import { apiOf, WORLD, type Answer, type Login } from '../../support/api.js';

/* Notes for the editors of a post (WordPress 6.9) that are not in the recordings. */

const server = startTestServer({ dataset: WORLD });
const api = apiOf(server);
afterEach(() => api.reset());

interface Note {
  id: number;
  parent: number;
  status: string;
  type: string;
  content: { rendered: string; raw?: string };
  meta: { _wp_note_status: string | null };
  code?: string;
  data?: { key?: string };
}

/** A post of the recorded site by its administrator. */
const POST = 1;
const EVENT = 35;

const write = (body: object, as?: Login): Promise<Answer<Note>> =>
  api.call('POST', '/wp/v2/comments', { ...(as && { as }), body: { type: 'note', post: POST, content: 'Shorten this', ...body } });
const change = (id: number, body: object, as: Login = 'admin'): Promise<Answer<Note>> =>
  api.call('PATCH', `/wp/v2/comments/${id}`, { as, body });
const list = async (query: string, as?: Login): Promise<[total: string | null, ids: number[]]> => {
  const { headers, body } = await api.get<Note[]>(`/wp/v2/comments?${query}`, as);
  return [headers.get('x-wp-total'), body.map(({ id }) => id)];
};
const codeOf = async (answer: Promise<Answer<Note>>): Promise<string> => {
  const { status, body } = await answer;
  return body.code === undefined ? `${status}` : `${status} ${body.code}`;
};
const newPost = async (as: Login, body: object = {}): Promise<number> =>
  (await api.post<Note>('/wp/v2/posts', { title: 'Own', status: 'draft', ...body }, as)).body.id;

test('whoever may edit a post may write notes, on a draft, without discussion, twice, and with a status', async () => {
  const post = await newPost('contributor', { comment_status: 'closed' });
  for (const body of [{}, {}, { status: 'hold' }, { status: 'approved' }])
    expect(await write({ post, ...body }, 'contributor')).toMatchObject({
      status: 201,
      body: { type: 'note', status: body.status ?? 'approved', meta: { _wp_note_status: null } },
    });
  expect(await codeOf(write({ post, type: 'comment' }, 'contributor'))).toBe('403 rest_comment_draft_post');
});

test.each([
  ['of others', {}, 'author', '403 rest_cannot_create_note'],
  ['of others, with a status', { status: 'hold' }, 'author', '403 rest_cannot_create_note'],
  ['that is not there', { post: 999 }, 'admin', '403 rest_cannot_create_note'],
  ['that is not named', { post: undefined }, 'admin', '403 rest_comment_invalid_post_id'],
  ['that is not named, with a status', { post: undefined, status: 'hold' }, 'admin', '403 rest_comment_invalid_status'],
  ['without notes', { post: EVENT }, 'editor', '403 rest_comment_not_supported_post_type'],
  ['without notes, of others', { post: EVENT }, 'author', '403 rest_cannot_create_note'],
] as const)('not on a post %s', async (_, body, as, code) => {
  expect(await codeOf(write(body, as))).toBe(code);
});

test('an anonymous caller signs in first', async () => {
  expect(await codeOf(write({}))).toBe('401 rest_comment_login_required');
});

test('a note on a post in the trash is refused', async () => {
  const post = await newPost('author');
  await api.delete(`/wp/v2/posts/${post}`, 'author');
  expect(await codeOf(write({ post }, 'author'))).toBe('403 rest_comment_trash_post');
});

test('only who may edit the post reads it, moderator or not', async () => {
  const post = await newPost('author', { status: 'publish' });
  const { id } = (await write({ post }, 'author')).body;
  const read = (context: string, as?: Login): Promise<string> => codeOf(api.get(`/wp/v2/comments/${id}?context=${context}`, as));
  for (const as of ['author', 'editor'] as const) for (const context of ['view', 'edit']) expect(await read(context, as)).toBe('200');
  expect(await read('view', 'contributor')).toBe('403 rest_cannot_read');
  expect(await read('view')).toBe('401 rest_cannot_read');
  expect(await read('edit', 'contributor')).toBe('403 rest_forbidden_context');
});

test('lists have notes if they are asked for, and count the ones that one may not read', async () => {
  const post = await newPost('author', { status: 'publish' });
  const note = (await write({ post }, 'author')).body.id;
  const reply = (await write({ post, parent: note }, 'author')).body.id;
  for (const query of [`post=${post}`, `include=${note}`, `parent=${note}`, `post=${post}&type=`])
    expect([query, await list(query, 'admin')]).toEqual([query, ['0', []]]);
  for (const query of [`type=note&post=${post}&context=edit`, 'type=note', 'type=NOTE'])
    expect([query, await list(`${query}&orderby=id&order=asc`, 'author')]).toEqual([query, ['2', [note, reply]]]);
  expect(await list(`type=all&post=${post}&orderby=id&order=asc`, 'editor')).toEqual(['2', [note, reply]]);
  expect(await list('type=note', 'contributor')).toEqual(['2', []]);
  for (const [query, as, code] of [
    ['type=note&context=edit', 'author', '403 rest_forbidden_context'],
    [`type=note&context=edit&post=${post},${POST}`, 'author', '403 rest_forbidden_context'],
    ['type=note', 'subscriber', '403 rest_forbidden_param'],
    [`type=note&post=${EVENT}`, 'editor', '403 rest_comment_not_supported_post_type'],
    [`type=note&post=${EVENT}`, 'author', '403 rest_forbidden_param'],
  ] as const)
    expect([query, await codeOf(api.get(`/wp/v2/comments?${query}`, as))]).toEqual([query, code]);
});

test('pages and feeds have none', async () => {
  await write({ content: 'Only for editors' }, 'admin');
  for (const path of ['/hello-world/', '/comments/feed/', '/hello-world/feed/']) {
    const text = await (await fetch(server().url + path)).text();
    expect(text).toContain('A first comment');
    expect(text).not.toContain('Only for editors');
  }
});

test.each([
  ['deleted', (id: number) => api.delete(`/wp/v2/comments/${id}`)],
  ['changed to the trash', (id: number) => change(id, { status: 'trash' })],
])('a note takes its replies to the trash when it is %s', async (_, remove) => {
  const note = (await write({}, 'admin')).body.id;
  const replies = [];
  for (const status of ['approved', 'hold', 'spam']) replies.push((await write({ parent: note, status }, 'admin')).body.id);
  const beside = (await write({}, 'admin')).body.id;
  await remove(note);
  const { body } = await api.get<Note[]>('/wp/v2/comments?type=note&status=any&context=edit&orderby=id&order=asc', 'admin');
  expect(body.map(({ status }) => status)).toEqual(['trash', 'trash', 'trash', 'spam', 'approved']);
  expect(body.map(({ id }) => id)).toEqual([note, ...replies, beside]);
});

test('a reply alone goes to the trash alone', async () => {
  const note = (await write({}, 'admin')).body.id;
  const reply = (await write({ parent: note }, 'admin')).body.id;
  const below = (await write({ parent: reply }, 'admin')).body.id;
  await api.delete(`/wp/v2/comments/${reply}`);
  expect((await api.get<Note>(`/wp/v2/comments/${below}`, 'admin')).body.status).toBe('approved');
});

test('a status is set, kept, and removed by null', async () => {
  const { id } = (await write({ content: '', meta: { _wp_note_status: 'resolved' } }, 'admin')).body;
  expect((await change(id, { content: 'Why' })).body.meta).toEqual({ _wp_note_status: 'resolved' });
  expect((await change(id, { meta: { _wp_note_status: 'reopen', other: 1 } })).body.meta).toEqual({ _wp_note_status: 'reopen' });
  expect(await codeOf(change(id, { meta: { _wp_note_status: '' } }))).toBe('400 rest_not_in_enum');
  expect(await codeOf(change(id, { content: '', meta: { _wp_note_status: 'resolved' } }))).toBe('400 rest_comment_content_invalid');
  expect((await change(id, { meta: { _wp_note_status: null } })).body.meta).toEqual({ _wp_note_status: null });
  expect(await codeOf(change(id, { meta: { _wp_note_status: null } }))).toBe('500 rest_invalid_stored_value');
});

test('the status of a comment is for those who may edit it; the comment stays', async () => {
  const meta = { _wp_note_status: 'resolved' };
  const { status, body } = await write({ type: 'comment', content: 'Stored', meta }, 'subscriber');
  expect([status, body.code, body.data?.key]).toEqual([403, 'rest_cannot_update', '_wp_note_status']);
  const { body: all } = await api.get<Note[]>(`/wp/v2/comments?post=${POST}&status=all&search=Stored`, 'admin');
  expect(all).toMatchObject([{ type: 'comment', meta: { _wp_note_status: null } }]);
});

test('types are not changed, and there are no others', async () => {
  const { id } = (await write({}, 'admin')).body;
  expect(await codeOf(change(id, { type: 'comment' }))).toBe('404 rest_comment_invalid_type');
  expect(await codeOf(change(id, { type: 'note' }))).toBe('200');
  expect(await codeOf(write({ type: 'pingback' }, 'admin'))).toBe('400 rest_invalid_comment_type');
});

test('a note moves only to where it could be written', async () => {
  const post = await newPost('author', { status: 'publish' });
  const { id } = (await write({ post }, 'author')).body;
  expect(await codeOf(change(id, { post: POST }, 'author'))).toBe('403 rest_cannot_create_note');
  expect(await codeOf(change(id, { post: EVENT }, 'editor'))).toBe('403 rest_comment_not_supported_post_type');
  expect(await codeOf(change(id, { post: POST }, 'editor'))).toBe('200');
});

test.each([
  ['<span class="wp-note-mention user-3">@A</span>', '<span class="wp-note-mention user-3">@A</span>'],
  ['<span class="big wp-note-mention  x  user-3 user-0" id="a">@A</span>', '<span class="wp-note-mention  user-3">@A</span>'],
  ['<span class="big">@A</span><span>@B</span>', '<span >@A</span><span>@B</span>'],
  ['<b class="wp-note-mention">@A</b>', '<b>@A</b>'],
])('of %s a mention stays', async (content, stored) => {
  const post = await newPost('author', { status: 'publish' });
  for (const type of ['note', 'comment']) {
    const { id } = (await write({ post, type, content }, 'author')).body;
    expect((await api.get<Note>(`/wp/v2/comments/${id}?context=edit`, 'admin')).body.content.raw).toBe(stored);
    await api.delete(`/wp/v2/comments/${id}?force=true`);
  }
});

test('posts and pages say that they have notes', async () => {
  const editorOf = async (type: string): Promise<unknown> =>
    (await api.get<{ supports: { editor?: unknown } }>(`/wp/v2/types/${type}?context=edit`, 'admin')).body.supports.editor;
  expect(await editorOf('post')).toEqual([{ notes: true }]);
  expect(await editorOf('page')).toEqual([{ notes: true }]);
  expect(await editorOf('tribe_events')).toBe(true);
});

test('a stored note is an ordinary comment before WordPress 6.9', async () => {
  const { id } = (await write({ content: 'Only for editors' }, 'admin')).body;
  const get = async (): Promise<unknown> => (await api.get<Note>(`/wp/v2/comments/${id}`)).body;
  server().site.chosenReleases = { wordpress: '6.8' };
  try {
    expect(await get()).toMatchObject({ type: 'note', meta: [] });
  } finally {
    server().site.chosenReleases = {};
  }
  expect(await get()).toMatchObject({ code: 'rest_cannot_read' });
});
