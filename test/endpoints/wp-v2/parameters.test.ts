import { WORLD, apiOf, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Edge cases of `wp/v2`, measured on WordPress: unusual, empty and invalid values. */

const server = startTestServer({ dataset: WORLD });
const { call, reset } = apiOf(server);

interface Seen {
  status: number;
  allow: string | null;
  total: string | null;
  link: string | null;
  body: unknown;
}

async function ask(method: string, route: string, as?: Login, body?: unknown): Promise<Seen> {
  const path = route.startsWith('/') ? route : `/wp/v2/${route}`;
  const answer = await call(method, path, { ...(as && { as }), ...(body !== undefined && { body }) });
  const header = (name: string): string | null => answer.headers.get(name);
  return { status: answer.status, allow: header('allow'), total: header('x-wp-total'), link: header('link'), body: answer.body };
}

const ids = (body: unknown): number[] => (body as { id: number }[]).map(({ id }) => id);

const TAGS = [18, 13, 11, 14, 12, 19, 16, 17, 15];
const CATEGORIES = [5, 9, 6, 7, 4, 2, 10, 8, 3];

test.each<[route: string, as: Login | undefined, found: number[]]>([
  ['tribe_events?include=-35,36', undefined, [36, 35]],
  ['tribe_events?tribe_events_cat=-2&per_page=2', undefined, [80, 55]],
  // An order without a column falls back to the start. `include_slugs` without slugs does not sort.
  ['tribe_events?orderby=relevance&search=same', undefined, [68, 69, 70]],
  ['tribe_events?orderby=include_slugs&slug=early-bird-yoga,bake-sale', undefined, [38, 36]],
  ['tribe_events?orderby=include&include=36,35', undefined, [35, 36]],
  ['tribe_venue?orderby=include_slugs&per_page=3', undefined, [10, 11, 12]],
  ['tribe_venue?author=1&author_exclude=1', undefined, [17, 15]],
  ['tribe_venue?status=&per_page=2', undefined, [19, 17]],
  ['tribe_venue?status=&per_page=2', 'editor', [21, 19]],
  ['tribe_venue?status=&per_page=2', 'contributor', [19, 17]],
  ['media?status=', 'contributor', [9, 8, 7, 6, 5, 4]],
  ['media?search=jpg', undefined, [7, 4]],
  ['media?search=2026/05&search_columns=post_title', undefined, [6, 5, 4]],
  ['tags?search=0', undefined, TAGS],
  ['tags?include=0', undefined, []],
  ['tags?orderby=include', undefined, TAGS],
  // Bytes that are no UTF-8 are no text.
  ['tags?search=%E9', undefined, TAGS],
  ['posts?search=%E9', undefined, [1]],
  ['tribe_events_cat?search=%20<b>rock</b>%20', undefined, [4, 3]],
  ['tribe_events_cat?include=-2', undefined, [2]],
  ['tribe_events_cat?offset=8', undefined, CATEGORIES],
  ['categories?page=99999999999999999999', undefined, []],
  ['users?search=*or', undefined, [3, 2]],
  ['users?orderby=include', undefined, [1, 3, 2]],
  ['users?orderby=include_slugs&slug=author,admin&order=desc', undefined, [3, 1]],
  ['users?has_published_posts=', undefined, [1, 3, 2]],
  ['users?who=authors', 'editor', [1, 3, 4, 2]],
  ['users?who=authors&roles=author', 'admin', [1, 3, 4, 2]],
  ['users?roles=author&capabilities=manage_options', 'admin', [1, 3]],
])('GET %s as %s finds %j', async (route, as, found) => {
  expect(ids((await ask('GET', `${route}&_fields=id`, as)).body)).toEqual(found);
});

const BELOW = expect.stringContaining('page=1>; rel="prev"') as unknown as string;
const ROOT = expect.stringContaining('api.w.org') as unknown as string;
const CONTENTLESS = { code: 'empty_content' };

const params = (...names: string[]): object => ({ code: 'rest_invalid_param', message: `Invalid parameter(s): ${names.join(', ')}` });
const absent = (name: string): object => ({
  code: 'rest_invalid_stored_value',
  message: `The ${name} property has an invalid stored value, and cannot be updated to null.`,
  data: { status: 500 },
});

/** Responses to requests without side effects. */
const READS: [method: string, route: string, as: Login | undefined, body: unknown, seen: Partial<Seen>][] = [
  // Parameters that are checked first are rejected separately.
  ['GET', 'tribe_events?page=0&per_page=0&order=x&after=x', undefined, undefined, { body: params('page', 'per_page') }],
  ['GET', 'tags?page=0&order=x&search[]=1', undefined, undefined, { body: params('page', 'search') }],
  ['POST', 'tags', 'admin', { name: 5, slug: 5, description: 5, meta: 'y' }, { body: params('description', 'name', 'slug', 'meta') }],
  ['POST', 'tribe_events', 'admin', { title: 'x', status: 'y', author: 'y', slug: 5 }, { body: params('slug', 'status', 'author') }],
  ['POST', 'media/5', 'admin', { alt_text: 5, post: 'x', author: 'x' }, { body: params('author', 'alt_text', 'post') }],
  ['POST', 'settings', 'admin', { posts_per_page: 'x', title: 5, email: 'y' }, { body: params('title', 'email', 'posts_per_page') }],
  ['POST', 'users/me/application-passwords', 'editor', { name: '', app_id: 'zz' }, { body: params('app_id', 'name') }],
  ['POST', 'users/1', 'editor', { password: 'a\\b' }, { body: params('password') }],
  ['POST', 'users/me', 'author', { username: '' }, { body: params('username') }],
  ['GET', 'users?has_published_posts=bogus', undefined, undefined, { body: params('has_published_posts') }],
  // `Allow` omits methods that would reject the parameters.
  ['GET', 'tribe_events?author=abc', 'author', undefined, { status: 400, allow: 'GET' }],
  ['GET', 'tribe_events?sticky=true', 'contributor', undefined, { status: 200, allow: 'GET' }],
  ['GET', 'tags?post=x', undefined, undefined, { status: 400, allow: null }],
  ['POST', 'users/me', 'author', { name: 5, roles: 5 }, { status: 400, allow: 'GET' }],
  ['GET', 'media?author=%20true', 'author', undefined, { status: 400, allow: 'GET' }],
  ['POST', 'media?post=abc', 'admin', {}, { status: 400, allow: 'GET' }],
  // The plugin's templates are unknown to anonymous callers.
  ['POST', 'tribe_events', undefined, { template: 'x' }, { body: { data: { params: { template: 'template is not one of .' } } } }],
  // Statuses by caller.
  ['GET', 'statuses/tribe-ea-success', undefined, undefined, { status: 200, body: { public: true, queryable: false } }],
  ['GET', 'statuses/tribe-ignored', undefined, undefined, { status: 401, body: { code: 'rest_cannot_read_status' } }],
  [
    'GET',
    'statuses/in-progress?context=edit',
    'contributor',
    undefined,
    { body: { protected: false, private: false, show_in_list: true } },
  ],
  ['GET', 'statuses/request-pending', 'admin', undefined, { status: 403, body: { code: 'rest_cannot_read_status' } }],
  // Controllers that compare whole field names ignore nested fields.
  ['GET', 'users/me?context=edit&_fields=capabilities.read', 'admin', undefined, { body: [] }],
  ['GET', 'search?per_page=1&_fields=title.rendered,id', undefined, undefined, { body: [{ id: expect.any(Number) }] }],
  ['GET', 'tribe_events/35?_fields=title.rendered', undefined, undefined, { body: { title: { rendered: 'Festival Week' } } }],
  ['GET', 'media/5?_fields=title.rendered,media_details.width', undefined, undefined, { body: { title: { rendered: 'Logo' } } }],
  ['GET', 'tribe_events/35?_fields=_links.self', undefined, undefined, { body: { _links: { self: [{}], collection: [{}] } } }],
  ['GET', 'taxonomies?_fields=post_tag.capabilities', undefined, undefined, { body: { post_tag: [] } }],
  ['GET', 'taxonomies?_fields=post_tag.name,name', undefined, undefined, { body: { post_tag: { name: 'Tags' } } }],
  ['GET', 'statuses?_fields=publish.name', undefined, undefined, { body: { publish: [] } }],
  // TEC: the sign of an id is ignored, as in the core namespace.
  ['GET', '/tribe/events/v1/categories?include=-2', undefined, undefined, { body: { total: 1, categories: [{ id: 2 }] } }],
  ['GET', '/tribe/events/v1/events?categories=-2', undefined, undefined, { status: 200, body: { total: 6 } }],
  ['GET', '/tribe/events/v1/tags?include=-2', undefined, undefined, { status: 400 }],
  // PHP: zero bytes are spaces.
  ['GET', 'posts/1?_fields=id%00', undefined, undefined, { body: { id: 1 } }],
  // Comments: list filters count as fields of a new comment.
  ['GET', 'comments?post=abc', undefined, undefined, { status: 400, allow: 'GET', body: params('post') }],
  ['GET', 'comments?post=0,1', undefined, undefined, { status: 401, allow: null, body: { code: 'rest_cannot_read' } }],
  ['GET', 'comments', 'admin', undefined, { status: 200, allow: 'GET', body: [{ id: 1 }] }],
  ['GET', 'comments?post=1', 'admin', undefined, { status: 200, allow: 'GET, POST' }],
  ['GET', 'comments?post=1', 'author', undefined, { status: 200, allow: 'GET' }],
  ['GET', 'comments/999', 'admin', undefined, { status: 404, body: { code: 'rest_comment_invalid_id' } }],
  ['POST', 'comments', undefined, { post: 1 }, { status: 401, body: { code: 'rest_comment_login_required' } }],
  ['POST', 'comments', 'author', { post: 2 }, { status: 403, body: { code: 'rest_comment_closed' } }],
  ['POST', 'comments', 'author', { post: 1, status: 'hold' }, { status: 403, body: { code: 'rest_comment_invalid_status' } }],
  // Permissions, and validation that precedes them.
  ['GET', 'users?who=authors&roles=author', undefined, undefined, { body: { code: 'rest_user_cannot_view' } }],
  ['POST', 'users/me', undefined, { name: 'x' }, { status: 404, body: { code: 'rest_user_invalid_id' } }],
  ['POST', 'users/me', 'admin', { roles: ['editor'] }, { status: 403, body: { code: 'rest_user_invalid_role' } }],
  ['POST', 'tribe_events', 'contributor', { title: 'x', sticky: true }, { body: { code: 'rest_cannot_assign_sticky' } }],
  ['POST', 'tribe_events', 'admin', { title: 'x', tags: [0] }, { status: 403, body: { code: 'rest_cannot_assign_term' } }],
  ['POST', 'tribe_events/36', 'admin', { tribe_events_cat: [0] }, { status: 403, body: { code: 'rest_cannot_assign_term' } }],
  ['GET', 'taxonomies/post_format', undefined, undefined, { status: 401, allow: null, body: { code: 'rest_forbidden' } }],
  ['GET', 'types/nav_menu_item?context=edit', 'contributor', undefined, { status: 403 }],
  ['GET', 'types/wp_navigation?context=edit', 'admin', undefined, { status: 200 }],
  // Values that are converted to empty or different ones.
  ['POST', 'tribe_events', 'admin', { title: '0' }, { status: 400, body: CONTENTLESS }],
  ['POST', 'tribe_events', 'admin', { title: 'x', id: 0 }, { status: 404, body: { code: 'rest_post_invalid_id' } }],
  ['POST', 'tribe_events', 'admin', { title: 'x', id: 'abc' }, { status: 400, body: { code: 'rest_post_exists' } }],
  ['POST', 'tribe_events', 'admin', { title: 'x', date: '0000-00-00T00:00:00' }, { status: 400, body: { code: 'invalid_date' } }],
  ['POST', 'tribe_events/36', 'admin', { meta: 'x' }, { status: 400, body: params('meta') }],
  ['POST', 'tribe_events/36', 'admin', { meta: { _EventAllDay: null } }, { status: 500, body: absent('_EventAllDay') }],
  [
    'POST',
    'media/5',
    'admin',
    { post: 4 },
    { body: { code: 'rest_invalid_param', message: 'Invalid parent type.', data: { status: 400 } } },
  ],
  ['POST', 'tags', 'admin', { name: '<b></b>' }, { status: 500, body: { code: 'empty_term_name' } }],
  ['POST', 'settings', 'admin', { language: null }, { status: 500, body: absent('language') }],
  // Links to the previous page of an offset, and fields that are filtered twice.
  ['GET', 'users?offset=1', undefined, undefined, { link: BELOW }],
  ['GET', 'tags?offset=-1', undefined, undefined, { link: ROOT }],
  ['GET', 'types?_fields=post,name', undefined, undefined, { body: { post: { name: 'Posts' } } }],
  ['GET', 'taxonomies?_fields=post_tag', undefined, undefined, { body: { post_tag: [] } }],
  ['GET', 'statuses?_fields=publish,name', undefined, undefined, { body: { publish: { name: 'Published', _links: {} } } }],
  ['GET', 'statuses/trash?context=edit', 'editor', undefined, { body: { protected: false, show_in_list: false } }],
  ['GET', 'tribe_events/35?_embed=0', undefined, undefined, { body: { _embedded: { author: [{ id: 1 }] } } }],
  ['GET', 'tribe_events/35?_embed=author&_fields=_links', undefined, undefined, { body: { _embedded: { author: [{ id: 1 }] } } }],
  ['GET', '/wp/v2/tribe_events?per_page=1&_embed&_fields=_embedded', undefined, undefined, { body: [[]] }],
  ['GET', 'search?search=a&page=99', undefined, undefined, { body: [], link: expect.stringContaining('page=98>; rel="prev"') }],
  ['GET', 'search?subtype=post_tag&_fields=id', undefined, undefined, { body: [{ id: 1 }] }],
  ['POST', 'media/4/edit', 'author', { src: 'x', rotation: 90 }, { status: 403, body: { code: 'rest_cannot_edit' } }],
  [
    'POST',
    'media/4/post-process',
    'editor',
    { action: 'create-image-subsizes' },
    { status: 200, body: { id: 4, title: { raw: 'River stage' } } },
  ],
  ['GET', 'users?roles=author&page=0', 'editor', undefined, { status: 400, allow: null }],
  ['OPTIONS', 'types', undefined, undefined, { body: { schema: { title: 'type', properties: { icon: { type: ['string', 'null'] } } } } }],
];

test('parts of the links in a list can be named', async () => {
  const [item] = (await ask('GET', 'tribe_events?include=35&_fields=id,_links.self')).body as [{ _links: object }];
  expect(Object.keys(item._links)).toEqual(['self']);
});

test.each([
  ['id,_links.author', ['author']],
  ['id,_links.wp:term,_embedded', ['wp:term']],
  ['id,_links.self', []],
  ['id,_embedded', []],
])('of the links of a list, those that _fields=%s leaves are embedded', async (fields, relations) => {
  const [item] = (await ask('GET', `tribe_events?include=35&_embed&_fields=${fields}`)).body as [{ _embedded?: object }];
  expect(Object.keys(item._embedded ?? {})).toEqual(relations);
});

test('a subtype that the kind does not have is not in the links', async () => {
  const { link } = await ask('GET', 'search?type=term&subtype=tribe_events&per_page=5');
  expect(link).toMatch(/search\?type=term&per_page=5&page=2>; rel="next"$/);
});

test('users who cannot be read have no hints of methods', async () => {
  const { body } = await ask('GET', 'users?who=authors&_fields=id,_links', 'editor');
  const hinted = (body as { id: number; _links: { self: { targetHints?: object }[] } }[]).filter(
    ({ _links }) => _links.self[0].targetHints,
  );
  expect(hinted.map(({ id }) => id)).toEqual([1, 3, 2]);
});

test('new events start with the blocks of the plugin', async () => {
  const { body } = await ask('GET', 'types/tribe_events');
  expect((body as { template: unknown[] }).template).toHaveLength(7);
});

test.each(READS)('%s %s as %s with %j returns the measured response', async (method, route, as, body, seen) => {
  expect(await ask(method, route, as, body)).toMatchObject(seen);
});

const TODAY: unknown = expect.stringMatching(/^2026-06-15T/);

/** The stored values, as shown in the response to the write. */
const WRITES: [method: string, route: string, as: Login, sent: object, stored: object][] = [
  ['POST', 'tribe_events/35', 'admin', {}, { meta: { _EventCost: '10 – 50' } }],
  ['POST', 'tribe_events/40', 'admin', {}, { meta: { _EventCost: '8' } }],
  ['POST', 'tribe_events/42', 'admin', {}, { meta: { _EventCost: '12,50' } }],
  ['POST', 'tribe_events/36', 'admin', { meta: { _EventCost: '0' } }, { meta: { _EventCost: 'Free' } }],
  ['POST', 'tribe_events', 'admin', { title: 'Ünï 日本' }, { generated_slug: 'uni-日本' }],
  ['POST', 'tribe_venue', 'admin', { title: 'Somewhere', status: 'publish', slug: '0' }, { slug: 'somewhere' }],
  ['POST', 'tags', 'admin', { name: 'Straße', slug: '0' }, { slug: 'strase' }],
  ['POST', 'tags/11', 'admin', { slug: '0' }, { slug: 'free-entry' }],
  ['POST', 'pages', 'admin', { title: 'New' }, { comment_status: 'closed', ping_status: 'closed' }],
  ['POST', 'pages/2', 'admin', {}, { comment_status: 'closed', ping_status: 'open' }],
  ['POST', 'tribe_events/36', 'admin', { title: { raw: '' } }, { title: { raw: 'Early Bird Yoga' } }],
  ['POST', 'tribe_events/36', 'admin', { content: { raw: 5 } }, { content: { raw: '5' } }],
  ['POST', 'tribe_events/36', 'admin', { status: null }, { status: 'draft' }],
  ['POST', 'tribe_events/36', 'admin', { date: null }, { date: TODAY }],
  ['POST', 'media/5', 'admin', { date_gmt: null }, { date: TODAY }],
  ['POST', 'tribe_events/36', 'admin', { tags: [-11], featured_media: -5 }, { tags: [11], featured_media: 5 }],
  ['POST', 'tribe_events', 'admin', { title: 'x', slug: 'festival-week' }, { slug: 'festival-week', status: 'draft' }],
  ['POST', 'tribe_events', 'admin', { title: 'x', slug: 'festival-week', status: 'draft' }, { slug: 'festival-week-2' }],
  ['POST', 'media/5', 'admin', { alt_text: null, slug: null, author: null }, { alt_text: '', slug: 'logo', author: 1 }],
  ['POST', 'media/5', 'admin', { post: 99 }, { link: expect.stringMatching(/\/\?attachment_id=5$/) }],
  ['POST', 'media/5', 'admin', { post: 10 }, { link: expect.stringMatching(/\/\?attachment_id=5$/) }],
  ['POST', 'media/5', 'admin', { post: 78 }, { link: expect.stringMatching(/\/event\/board-meeting\/logo\/$/) }],
  ['PATCH', 'users/3', 'admin', { name: '', nickname: '', slug: '' }, { name: 'author', nickname: 'author', slug: 'author' }],
  ['PATCH', 'users/3', 'admin', { url: 'https://x.example/?a=1&b=2', roles: [] }, { url: 'https://x.example/?a=1&amp;b=2', roles: [] }],
  ['PATCH', 'users/3', 'admin', { name: 'a & b' }, { name: 'a &amp; b' }],
  ['POST', 'media/5', 'admin', { alt_text: 'a\\b' }, { alt_text: 'ab' }],
  [
    'POST',
    'settings',
    'admin',
    { title: '<i>t</i>', date_format: '<i>Y</i> & m' },
    { title: '&lt;i&gt;t&lt;/i&gt;', date_format: 'Y &amp; m' },
  ],
  ['POST', 'users/me/application-passwords', 'editor', { name: 'x', app_id: null }, { name: 'x', app_id: '' }],
];

describe('stored values', () => {
  afterEach(reset);

  test.each(WRITES)('%s %s as %s: %j', async (method, route, as, sent, stored) => {
    expect((await ask(method, route, as, sent)).body).toMatchObject(stored);
  });

  test('the index shows the front page settings', async () => {
    await ask('POST', 'settings', 'admin', { show_on_front: 'page', page_on_front: 2, site_icon: 4 });
    const { body } = await ask('GET', '/?_fields=show_on_front,page_on_front,site_icon');
    expect(body).toEqual({ show_on_front: 'page', page_on_front: 2, site_icon: 4 });
  });

  test('a flag that is off is no boolean when it is read back', async () => {
    expect((await ask('POST', 'settings', 'admin', { use_smilies: false })).body).toMatchObject({ use_smilies: false });
    expect((await ask('GET', 'settings', 'admin')).body).toMatchObject({ use_smilies: null });
  });

  test('posts_per_page=-1 shows all events on one page', async () => {
    await ask('POST', 'settings', 'admin', { posts_per_page: -1 });
    expect((await ask('GET', '/tribe/events/v1/venues?only_with_upcoming=1&per_page=5')).status).toBe(200);
    expect((await ask('DELETE', '/tribe/events/v1/venues/10', 'admin')).status).toBe(200);
    const page = await (await fetch(`${server().url}/events/`)).text();
    expect(page.match(/<h\d[^>]*>\s*<a /g)?.length).toBeGreaterThan(10);
  });
});

test.each([
  ['/login', '302 /wp-login.php'],
  ['/admin/', '302 /wp-admin/'],
  ['/?p=-35', '404 '],
  ['/wp-login.php?action=logout', '403 '],
])('the page %s links to %s', async (address, outcome) => {
  const { url } = server();
  const answer = await fetch(url + address, { redirect: 'manual' });
  expect(`${answer.status} ${(answer.headers.get('location') ?? '').replace(url, '')}`).toBe(outcome);
});
