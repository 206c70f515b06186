import { WORLD, apiOf, type Login, type Refusal } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/*
 * Blog posts, pages and their categories in `wp/v2`, compared with WordPress's responses to the same requests. The recorded site has post
 * 1, pages 2 and 3 (a draft) and category 1, all owned by the admin.
 */

const server = startTestServer({ dataset: WORLD });
const { call, reset } = apiOf(server);

const CALLERS = ['admin', 'editor', 'author', 'contributor', 'subscriber', undefined] as const;

interface Item {
  id: number;
  slug: string;
  status: string;
  link: string;
  guid: { rendered: string };
  parent: number;
  menu_order: number;
  sticky: boolean;
  format: string;
  template: string;
  categories: number[];
  comment_status: string;
  ping_status: string;
  class_list: string[];
  generated_slug: string;
  permalink_template: string;
  count: number;
  _links: Record<string, { href: string; targetHints?: { allow: string[] } }[]>;
  previous: Item;
}

const ask = async (method: string, route: string, as?: Login, body?: unknown) =>
  call<Item & Partial<Refusal>>(method, `/wp/v2/${route}`, { ...(as && { as }), ...(body !== undefined && { body }) });

const outcome = async (method: string, route: string, as?: Login, body?: unknown): Promise<string> => {
  const { status, body: answer } = await ask(method, route, as, body);
  return answer.code === undefined ? String(status) : `${status} ${answer.code}`;
};

/** Creates an item as admin. */
const made = async (route: string, body: object): Promise<Item> => (await ask('POST', route, 'admin', body)).body;

const path = (address: string): string => address.slice(server().url.length);

const paths = ({ _links }: Item): Record<string, string[]> =>
  Object.fromEntries(Object.entries(_links).map(([relation, links]) => [relation, links.map(({ href }) => path(href))]));

describe('fields of posts and pages', () => {
  test('a post', async () => {
    const { body } = await ask('GET', 'posts/1');
    expect(body).toMatchObject({ slug: 'hello-world', comment_status: 'open', ping_status: 'open', sticky: false, format: 'standard' });
    expect(body).toMatchObject({ template: '', categories: [1], tags: [] });
    expect(body).not.toHaveProperty('parent');
    expect(path(body.guid.rendered)).toBe('/?p=1');
    expect(body.class_list).toEqual([
      'post-1',
      'post',
      'type-post',
      'status-publish',
      'format-standard',
      'hentry',
      'category-uncategorized',
    ]);
    expect(paths(body)).toMatchObject({
      replies: ['/wp-json/wp/v2/comments?post=1'],
      'wp:term': ['/wp-json/wp/v2/categories?post=1', '/wp-json/wp/v2/tags?post=1'],
      'version-history': ['/wp-json/wp/v2/posts/1/revisions'],
    });
  });

  test('a page', async () => {
    const { body } = await ask('GET', 'pages/2');
    expect(body).toMatchObject({ parent: 0, menu_order: 0, comment_status: 'closed', template: '' });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['sticky']));
    expect(path(body.guid.rendered)).toBe('/?page_id=2');
    expect(body.class_list).toEqual(['post-2', 'page', 'type-page', 'status-publish', 'hentry']);
    expect(paths(body)).not.toHaveProperty('wp:term');
    expect(await ask('GET', 'pages/2?context=embed')).toHaveProperty('body.excerpt');
  });

  test('an editor gets links to the permitted actions', async () => {
    const { body } = await ask('GET', 'posts/1?context=edit', 'editor');
    const actions = Object.keys(body._links).filter((relation) => relation.startsWith('wp:action'));
    expect(actions.map((relation) => relation.slice('wp:action-'.length))).toEqual([
      'publish',
      'unfiltered-html',
      'sticky',
      'assign-author',
      'create-categories',
      'assign-categories',
      'create-tags',
      'assign-tags',
    ]);
    expect([body.generated_slug, path(body.permalink_template)]).toEqual(['hello-world', '/%postname%/']);
  });
});

const [edit, create, read, context] = ['rest_cannot_edit', 'rest_cannot_create', 'rest_forbidden', 'rest_forbidden_context'];

/** WP: only administrators and editors may edit pages. */
const onlyEditors = (code: string, allowed: string): string[] => [
  ...[allowed, allowed],
  ...['403', '403', '403', '401'].map((status) => `${status} ${code}`),
];

test.each<[what: string, method: string, route: string, body: object | undefined, outcomes: string[]]>([
  ['a page is made', 'POST', 'pages', { title: 'By role' }, onlyEditors(create, '201')],
  ['a page is changed', 'POST', 'pages/2', { excerpt: 'Short' }, onlyEditors(edit, '200')],
  // The draft is the privacy policy page, which requires the capability to manage the site.
  ['the draft of the privacy policy is read', 'GET', 'pages/3', undefined, onlyEditors(read, '200').with(1, `403 ${read}`)],
  ['pages are listed for editing', 'GET', 'pages?context=edit', undefined, onlyEditors(context, '200')],
  ['drafts of pages are listed', 'GET', 'pages?status=draft', undefined, onlyEditors('rest_invalid_param', '200').map(as400)],
  [
    'a post is made',
    'POST',
    'posts',
    { title: 'By role' },
    ['201', '201', '201', '201', '403 rest_cannot_create', '401 rest_cannot_create'],
  ],
  [
    'a post is published',
    'POST',
    'posts',
    { title: 'By role', status: 'publish' },
    ['201', '201', '201', '403 rest_cannot_publish', '403 rest_cannot_create', '401 rest_cannot_create'],
  ],
  [
    'a post is kept at the top',
    'POST',
    'posts',
    { title: 'By role', sticky: true },
    ['201', '201', '403 rest_cannot_assign_sticky', ...['403', '403', '401'].map((status) => `${status} rest_cannot_assign_sticky`)],
  ],
  ['a category is made', 'POST', 'categories', undefined, onlyEditors(create, '201')],
  ['the usual category is deleted', 'DELETE', 'categories/1?force=true', undefined, onlyEditors('rest_cannot_delete', '').map(never)],
  ['revisions are listed', 'GET', 'posts/1/revisions', undefined, onlyEditors('rest_cannot_read', '200')],
  ['autosaves are listed', 'GET', 'pages/2/autosaves', undefined, onlyEditors('rest_cannot_read', '200')],
  ['a revision is read', 'GET', 'posts/1/revisions/7', undefined, onlyEditors('rest_cannot_read', '404 rest_post_invalid_id')],
  ['a revision is deleted', 'DELETE', 'posts/1/revisions/7', undefined, onlyEditors('rest_cannot_delete', '404 rest_post_invalid_id')],
  ['an autosave is read', 'GET', 'posts/1/autosaves/7', undefined, onlyEditors('rest_cannot_read', '404 rest_post_no_autosave')],
  ['an autosave is made', 'POST', 'posts/1/autosaves', {}, onlyEditors('rest_cannot_edit', '200')],
  ['revisions of nothing', 'GET', 'pages/1/revisions', undefined, CALLERS.map(() => '404 rest_post_invalid_parent')],
])('%s: the response for each role', async (_, method, route, body, outcomes) => {
  const sent = (as?: Login): object | undefined => (route === 'categories' ? { name: `Of ${as ?? 'nobody'}` } : body);
  expect(await Promise.all(CALLERS.map((as) => outcome(method, route, as, sent(as))))).toEqual(outcomes);
});

/** WP: a status that the caller may not use is an invalid parameter. */
function as400(expected: string): string {
  return expected.replace(/^40[13]/, '400');
}

/** The outcome if nobody may delete. */
function never(expected: string): string {
  return expected === '' ? '403 rest_cannot_delete' : expected;
}

test('lists of revisions are empty, with totals', async () => {
  const { headers, body } = await ask('GET', 'posts/1/revisions?page=3', 'admin');
  expect([body, headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual([[], '0', '0']);
  expect(await outcome('GET', 'posts/1/revisions?orderby=include', 'admin')).toBe('400 rest_orderby_include_missing_include');
});

describe('lists', () => {
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    await reset();
    const top = await made('pages', { title: 'Top', status: 'publish', menu_order: 5, date: '2026-05-01T10:00:00' });
    const below = { status: 'publish', parent: top.id, date: '2026-04-01T10:00:00' };
    const inner = await made('pages', { ...below, title: 'Inner', menu_order: -1 });
    const other = await made('categories', { name: 'Other' });
    const post = { status: 'publish', categories: [other.id] };
    const pinned = await made('posts', { ...post, title: 'Pinned', date: '2026-01-01T10:00:00', sticky: true });
    const aside = await made('posts', { ...post, title: 'Aside', date: '2026-02-01T10:00:00', format: 'aside' });
    Object.assign(ids, { top: top.id, inner: inner.id, other: other.id, pinned: pinned.id, aside: aside.id });
  });

  test.each<[query: string, slugs: string[]]>([
    ['pages', ['sample-page', 'top', 'inner']],
    ['pages?parent={top}', ['inner']],
    ['pages?parent_exclude=0', ['inner']],
    ['pages?menu_order=5', ['top']],
    ['pages?orderby=menu_order&order=asc', ['inner', 'sample-page', 'top']],
    ['pages?sticky=true&categories={other}', ['sample-page', 'top', 'inner']],
    ['posts', ['hello-world', 'aside', 'pinned']],
    ['posts?parent=7', ['hello-world', 'aside', 'pinned']],
    ['posts?sticky=true', ['pinned']],
    ['posts?sticky=true&include=1', []],
    ['posts?sticky=false', ['hello-world', 'aside']],
    ['posts?sticky=false&include=1,{pinned}', ['hello-world', 'pinned']],
    ['posts?ignore_sticky=false', ['pinned', 'hello-world', 'aside']],
    ['posts?ignore_sticky=false&per_page=1', ['pinned', 'hello-world']],
    ['posts?ignore_sticky=false&per_page=1&page=2', ['aside']],
    ['posts?ignore_sticky=false&search=hello', ['hello-world']],
    ['posts?format=aside', ['aside']],
    ['posts?format=standard', ['hello-world', 'pinned']],
    ['posts?categories={other}', ['aside', 'pinned']],
    ['posts?categories_exclude={other}', ['hello-world']],
    ['posts?orderby=title&order=asc&per_page=2&page=2', ['pinned']],
    ['tec_calendar_embed', []],
    ['categories', ['other', 'uncategorized']],
    ['categories?post=1', ['uncategorized']],
    ['categories?offset=1', ['other', 'uncategorized']],
    ['categories?hide_empty=true&orderby=count&order=desc', ['other', 'uncategorized']],
  ])('%s', async (query, slugs) => {
    const route = query.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const { body } = await call<Item[]>('GET', `/wp/v2/${route}`);
    expect(body.map(({ slug }) => slug)).toEqual(slugs);
  });

  test('pages past the end and invalid values', async () => {
    expect(await outcome('GET', 'posts?page=9')).toBe('400 rest_post_invalid_page_number');
    expect(await outcome('GET', 'pages?orderby=sticky')).toBe('400 rest_invalid_param');
  });
});

describe('writing', () => {
  beforeAll(reset);

  test.each<[what: string, body: object, expected: Partial<Item> | string]>([
    ['nothing', {}, '400 empty_content'],
    ['a title', { title: 'One' }, { status: 'draft', slug: '', categories: [1], comment_status: 'open', sticky: false }],
    ['no category', { title: 'Two', categories: [] }, { categories: [] }],
    ['a category that there is not', { title: 'Two', categories: [99999] }, { categories: [] }],
    [
      'a format and no comments',
      { title: 'Three', format: 'video', comment_status: 'closed' },
      { format: 'video', comment_status: 'closed' },
    ],
    ['a format that there is not', { title: 'Three', format: 'poem' }, '400 rest_invalid_param'],
    [
      'null',
      { title: 'Four', sticky: null, format: null, comment_status: null },
      { sticky: false, format: 'standard', comment_status: 'open' },
    ],
    ['kept at the top, with a password', { title: 'Five', sticky: true, password: 'x' }, '400 rest_invalid_field'],
    ['a slug that reads as a year', { title: 'Six', status: 'publish', slug: '2031' }, { slug: '2031-2' }],
    ['the slug of a page', { title: 'Six', status: 'publish', slug: 'sample-page' }, { slug: 'sample-page' }],
    ['a template', { title: 'Seven', template: 'single-event' }, { template: 'single-event' }],
    ['a template that there is not', { title: 'Seven', template: 'default' }, '400 rest_invalid_param'],
  ])('a post with %s', async (_, body, expected) => {
    if (typeof expected === 'string') expect(await outcome('POST', 'posts', 'admin', body)).toBe(expected);
    else expect(await made('posts', body)).toMatchObject(expected);
  });

  test('a sticky post loses sticky in the trash, and always has a category', async () => {
    const { id } = await made('posts', { title: 'Top', status: 'publish', sticky: true, categories: [] });
    expect(await outcome('POST', `posts/${id}`, 'admin', { sticky: false, password: 'x' })).toBe('400 rest_invalid_field');
    expect((await ask('POST', `posts/${id}`, 'admin', { title: 'Still' })).body).toMatchObject({ sticky: true, categories: [1] });
    const trashed = (await ask('DELETE', `posts/${id}`, 'admin')).body;
    expect(trashed).toMatchObject({ status: 'trash', sticky: false });
    expect(path(trashed.permalink_template)).toBe(`/?p=${id}`);
  });

  test('concurrent writes cannot make a post both sticky and protected', async () => {
    const posts = await Promise.all(Array.from({ length: 8 }, (_, i) => made('posts', { title: `Both ${i}` })));
    const writes = posts.flatMap(({ id }) =>
      [{ sticky: true }, { password: 'x' }].map((body) => outcome('POST', `posts/${id}`, 'admin', body)),
    );
    const outcomes = await Promise.all(writes);
    expect(outcomes.filter((each) => each === '400 rest_invalid_field')).toHaveLength(posts.length);
  });

  test('child pages have the parent in their URL', async () => {
    const bare = await made('pages', {});
    expect(bare).toMatchObject({ status: 'draft', comment_status: 'closed', ping_status: 'closed', generated_slug: `${bare.id}-2` });
    const top = await made('pages', { title: 'Top', status: 'publish' });
    const one = await made('pages', { title: 'Page 2', status: 'publish', parent: top.id, slug: 'page2' });
    expect([one.slug, path(one.link), path(one.guid.rendered)]).toEqual(['page2-2', '/top/page2-2/', '/top/page2-2/']);
    expect(path(one.permalink_template)).toBe('/top/%pagename%/');
    const two = await made('pages', { title: 'Top', status: 'publish', parent: one.id });
    expect(paths(two).up).toEqual([`/wp-json/wp/v2/pages/${one.id}`]);
    expect(path(two.link)).toBe('/top/page2-2/top/');
    expect((await ask('POST', `pages/${top.id}`, 'admin', { parent: two.id })).body).toMatchObject({ parent: 0 });
    expect(await outcome('POST', 'pages', 'admin', { title: 'Lost', parent: 99999 })).toBe('400 rest_post_invalid_id');
    await ask('DELETE', `pages/${one.id}?force=true`, 'admin');
    expect((await ask('GET', `pages/${two.id}`)).body).toMatchObject({ parent: top.id, slug: 'top' });
    await ask('DELETE', `pages/${top.id}?force=true`, 'admin');
    expect((await ask('GET', `pages/${two.id}`)).body).toMatchObject({ parent: 0, slug: 'top' });
  });

  test("concurrent updates cannot make two pages each other's parent", async () => {
    const [one, two] = await Promise.all(['One', 'Two'].map((title) => made('pages', { title, status: 'publish' })));
    const put = async (page: Item, parent: Item): Promise<number> =>
      (await ask('POST', `pages/${page.id}`, 'admin', { parent: parent.id })).body.parent;
    expect(await Promise.all([put(one, two), put(two, one)])).toContain(0);
  });

  test('a page moved to another parent gets a new slug if its own is in use', async () => {
    await made('pages', { title: 'Twin', status: 'publish' });
    const above = await made('pages', { title: 'Above', status: 'publish' });
    const { id } = await made('pages', { title: 'Twin', status: 'publish', parent: above.id });
    await ask('DELETE', `pages/${above.id}?force=true`, 'admin');
    expect((await ask('GET', `pages/${id}`)).body).toMatchObject({ slug: 'twin-2', parent: 0 });
  });

  test('posts of a deleted category move to the default category, which cannot be deleted', async () => {
    const top = await made('categories', { name: 'Top' });
    const below = await made('categories', { name: 'Below', parent: top.id });
    expect(path(below.link)).toBe('/category/top/below/');
    const post = await made('posts', { title: 'In it', status: 'publish', categories: [top.id] });
    const { body } = await ask('DELETE', `categories/${top.id}?force=true`, 'admin');
    expect(body.previous).toMatchObject({ slug: 'top', count: 1 });
    expect((await ask('GET', `posts/${post.id}`)).body.categories).toEqual([1]);
    expect((await ask('GET', `categories/${below.id}`)).body.parent).toBe(0);
    const usual = (await ask('GET', 'categories/1', 'admin')).body;
    expect(usual._links.self[0].targetHints?.allow).toEqual(['GET', 'POST', 'PUT', 'PATCH']);
  });

  test('a category that moves or has no slug gets a free slug', async () => {
    const [cat, dog] = [await made('categories', { name: 'Cat' }), await made('categories', { name: 'Dog' })];
    expect(await outcome('POST', `categories/${dog.id}`, 'admin', { slug: 'cat' })).toBe('500 duplicate_term_slug');
    expect((await ask('POST', `categories/${dog.id}`, 'admin', { slug: 'cat', parent: cat.id })).body.slug).toBe('cat-cat');
    const twin = await made('categories', { name: 'Cat', slug: 'tom' });
    expect((await ask('POST', `categories/${twin.id}`, 'admin', { slug: '' })).body.slug).toBe('cat-2');
  });
});

test('generated slugs are the same in lists and single posts', async () => {
  await reset();
  const parent = (await made('pages', { title: 'Twin', status: 'publish' })).id;
  const posts = [];
  for (const status of ['publish', 'publish', 'draft']) posts.push(await made('posts', { title: 'Twin', status }));
  const pages = [
    await made('pages', { title: 'Twin', status: 'publish' }),
    await made('pages', { title: 'Twin', status: 'publish', parent }),
  ];
  const generated = async (base: string, ids: number[]): Promise<string[]> => {
    const { body } = await call<Item[]>('GET', `/wp/v2/${base}?context=edit&status=any&orderby=id&order=asc&include=${ids.join()}`, {
      as: 'admin',
    });
    return body.map(({ generated_slug: slug }) => slug);
  };
  const ids = (items: Item[]): number[] => items.map(({ id }) => id);
  expect(await generated('posts', ids(posts))).toEqual(['twin', 'twin-2', 'twin-3']);
  expect(await generated('pages', [parent, ...ids(pages)])).toEqual(['twin', 'twin-2', 'twin']);
  for (const { id, generated_slug: slug } of posts) expect(await generated('posts', [id])).toEqual([slug]);
});

describe('pages of the site', () => {
  beforeAll(async () => {
    await reset();
    const top = await made('pages', { title: 'Above', status: 'publish' });
    await made('pages', { title: 'Beneath', status: 'publish', parent: top.id, content: 'Well below' });
    const news = await made('categories', { name: 'News', description: 'What is new' });
    const local = await made('categories', { name: 'Local', parent: news.id });
    for (let number = 1; number <= 11; number += 1)
      await made('posts', { title: `Note ${number}`, status: 'publish', categories: [local.id], content: `Text ${number}` });
  });

  test.each<[address: string, status: number, holds: string]>([
    ['/above/beneath/', 200, 'Well below'],
    ['/beneath/', 301, ''],
    ['/nowhere/beneath/', 404, ''],
    ['/category/uncategorized/', 200, 'Hello world!'],
    ['/category/news/', 200, 'Note 11'],
    ['/category/news/local/', 200, '/category/news/local/page/2/'],
    ['/category/news/local/page/2/', 200, 'Text 1'],
    ['/category/news/local/page/3/', 404, ''],
    ['/category/none/', 404, ''],
    ['/hello-world/', 200, 'Welcome to WordPress'],
  ])('%s: %d', async (address, status, holds) => {
    const response = await fetch(`${server().url}${address}`, { redirect: 'manual' });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(holds);
  });

  test('a category page links to its API resource', async () => {
    const { headers } = await fetch(`${server().url}/category/uncategorized/`);
    expect(headers.get('link')).toContain('/wp-json/wp/v2/categories/1>; rel="alternate"');
  });
});
