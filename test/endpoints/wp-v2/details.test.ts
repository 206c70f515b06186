import { WORLD, apiOf, signIn, type Login, type Refusal } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/* Details of `wp/v2` that are not in the recordings, compared with WordPress's responses to the same requests. */

const server = startTestServer({ dataset: WORLD });
const { call, reset } = apiOf(server);

type Body = Record<string, unknown> & Partial<Refusal> & { length?: number };

const ask = async (path: string, as?: Login, method = 'GET', body?: unknown) =>
  call<Body>(method, path, { ...(as && { as }), ...(body !== undefined && { body }) });

const outcome = async (...args: Parameters<typeof ask>): Promise<string> => {
  const { status, body } = await ask(...args);
  return body.code === undefined ? String(status) : `${status} ${body.code}`;
};

const idsAt = async (path: string, as?: Login): Promise<unknown[]> => {
  const { body } = await ask(path, as);
  return (body as unknown as { id: unknown }[]).map(({ id }) => id);
};

test('types say how they start and what they support, in every context', async () => {
  const { body } = await ask('/wp/v2/types/post?context=embed');
  expect(body).toMatchObject({ template: [], template_lock: false });
  const { body: all } = await ask('/wp/v2/types?context=edit', 'admin');
  expect(all).toMatchObject({
    nav_menu_item: {
      capabilities: { read: 'read', edit_posts: 'edit_theme_options' },
      supports: { title: true, editor: true, autosave: true },
    },
    wp_navigation: { capabilities: { read: 'read', create_posts: 'edit_theme_options' } },
    wp_block: { capabilities: { read: 'edit_posts', delete_posts: 'delete_posts', publish_posts: 'publish_blocks' } },
    wp_global_styles: { capabilities: { read: 'edit_posts', publish_posts: 'publish_posts', edit_posts: 'edit_theme_options' } },
    wp_font_face: { capabilities: { edit_private_posts: 'edit_private_posts', read: 'edit_theme_options' } },
  });
});

test.each<[path: string, as: Login | undefined, outcome: string]>([
  ['/wp/v2/media/6?password=wrong', undefined, '403 rest_post_incorrect_password'],
  ['/wp/v2/media/6?password=wrong', 'admin', '403 rest_post_incorrect_password'],
  ['/wp/v2/media/6?password=', undefined, '200'],
  ['/wp/v2/media/6?password=wrong&context=edit', undefined, '401 rest_forbidden_context'],
])('%s as %s: %s', async (path, as, expected) => {
  expect(await outcome(path, as)).toBe(expected);
});

test.each(['status=any&password=new', 'status=any'])('a password in the body is no attempt to read: %s', async (body) => {
  const headers = { authorization: signIn('admin'), 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await http('PATCH', `${server().restUrl}/wp/v2/media/6`, headers, body);
  expect(answer.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE');
});

describe('the page of the privacy policy', () => {
  afterAll(reset);

  test('belongs to those who manage the site', async () => {
    expect(await idsAt('/wp/v2/pages?status=any&_fields=id', 'editor')).toEqual([2]);
    expect(await idsAt('/wp/v2/pages?status=any&_fields=id&orderby=id', 'admin')).toEqual([3, 2]);
    expect(await outcome('/wp/v2/pages/3', 'editor')).toBe('403 rest_forbidden');
    expect(await outcome('/wp/v2/pages/3', 'editor', 'POST', { title: 'x' })).toBe('403 rest_cannot_edit');
    expect(await outcome('/wp/v2/pages/3', 'editor', 'DELETE')).toBe('403 rest_cannot_delete');
    expect(await outcome('/wp/v2/pages/3', 'admin', 'POST', { title: 'x' })).toBe('200');
  });
});

test('a logo that is not set is 0', async () => {
  expect((await ask('/?_fields=site_logo')).body).toEqual({ site_logo: 0 });
});

describe('search', () => {
  test('for events alone finds those that are not over, by start', async () => {
    const { headers, body } = await ask('/wp/v2/search?subtype=tribe_events&per_page=5&_fields=id');
    expect(headers.get('x-wp-total')).toBe('48');
    expect(body).toEqual([35, 38, 36, 37, 39].map((id) => ({ id })));
  });

  test('for several types finds all of them', async () => {
    expect((await ask('/wp/v2/search?subtype=tribe_events,post&per_page=1')).headers.get('x-wp-total')).toBe('53');
  });

  test('for terms has no page beyond the last', async () => {
    expect(await outcome('/wp/v2/search?type=term&page=3')).toBe('400 rest_search_invalid_page_number');
    expect(await outcome('/wp/v2/search?page=9')).toBe('200');
  });

  test('a type that is none has no subtypes either', async () => {
    const { body } = await ask('/wp/v2/search?subtype[0]=page&type=01');
    expect(body).toMatchObject({
      message: 'Invalid parameter(s): subtype, type',
      data: { params: { subtype: 'Invalid type parameter.' } },
    });
  });
});

describe('OPTIONS', () => {
  interface Schema {
    title: string;
    properties: Record<string, { type: string; properties?: Record<string, unknown> }>;
    links: { rel: string; href: string; targetSchema: { properties: Record<string, unknown> } }[];
  }

  const schemaOf = async (path: string): Promise<Schema> => (await ask(path, undefined, 'OPTIONS')).body.schema as Schema;

  test('names what a caller may do with a post, and the fields that this takes', async () => {
    const { links, properties } = await schemaOf('/wp/v2/posts');
    expect(
      links.map(({ rel, targetSchema }) => [rel.replace('https://api.w.org/action-', ''), Object.keys(targetSchema.properties)]),
    ).toEqual([
      ['publish', ['status']],
      ['unfiltered-html', ['content']],
      ['sticky', ['sticky']],
      ['assign-author', ['author']],
      ['assign-categories', ['categories']],
      ['create-categories', ['categories']],
      ['assign-tags', ['tags']],
      ['create-tags', ['tags']],
    ]);
    expect(links[0].href).toBe(`${server().restUrl}/wp/v2/posts/{id}`);
    expect(Object.keys(properties.guid.properties ?? {})).toEqual(['raw', 'rendered']);
    expect((await schemaOf('/wp/v2/media/6')).links.map(({ rel }) => rel)).not.toContain('https://api.w.org/action-publish');
  });

  test('shows what revisions and autosaves are like', async () => {
    const revision = await schemaOf('/wp/v2/posts/1/revisions');
    expect([revision.title, revision.properties.parent.type]).toEqual(['post-revision', 'integer']);
    expect((await schemaOf('/wp/v2/posts/1/revisions/7')).properties).not.toHaveProperty('preview_link');
    expect((await schemaOf('/wp/v2/posts/1/autosaves')).properties).toHaveProperty('preview_link');
  });
});

describe('the renderer of blocks', () => {
  const BLOCK = '/wp/v2/block-renderer';

  test.each<[path: string, as: Login | undefined, outcome: string]>([
    ['core/latest-posts', 'admin', '400 rest_invalid_param'],
    ['core/latest-posts?context=view', 'admin', '400 rest_invalid_param'],
    ['core/latest-posts?context=edit', undefined, '401 block_cannot_read'],
    ['core/latest-posts?context=edit', 'subscriber', '403 block_cannot_read'],
    ['core/latest-posts?context=edit&post_id=1', 'contributor', '403 block_cannot_read'],
    ['core/latest-posts?context=edit&post_id=99999', 'admin', '403 block_cannot_read'],
    ['core/paragraph?context=edit', 'admin', '404 block_invalid'],
    ['foo/bar?context=edit', 'admin', '404 block_invalid'],
  ])('%s as %s: %s', async (path, as, expected) => {
    expect(await outcome(`${BLOCK}/${path}`, as)).toBe(expected);
  });

  test('renders the newest posts', async () => {
    const { body } = await ask(`${BLOCK}/core/latest-posts?context=edit&attributes[postsToShow]=0`, 'contributor');
    const list = (items: string): string =>
      `<ul class="wp-block-latest-posts__list wp-block-latest-posts is-layout-flow wp-block-latest-posts-is-layout-flow">${items}</ul>`;
    expect(body).toEqual({ rendered: list('') });
    const link = `<a class="wp-block-latest-posts__post-title" href="${server().url}/hello-world/">Hello world!</a>`;
    const posted = await ask(`${BLOCK}/core/latest-posts?context=edit`, 'admin', 'POST', { attributes: { postsToShow: 1 } });
    expect(posted.body).toEqual({ rendered: list(`<li>${link}</li>\n`) });
  });
});

describe("the block of an event's dates", () => {
  afterAll(reset);

  const shownIn = async (path: string): Promise<string> => {
    const { body } = await ask(path);
    return (body.content as { rendered: string }).rendered
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim();
  };

  test.each([
    [{ start_date: '2026-07-22 17:00:00', end_date: '2026-07-22 20:00:00' }, 'July 22 @ 5:00 pm &#8211; 8:00 pm'],
    [{ start_date: '2026-07-22 17:00:00', end_date: '2026-07-23 20:00:00' }, 'July 22 @ 5:00 pm &#8211; July 23 @ 8:00 pm'],
    [
      { start_date: '2026-12-31 17:00:00', end_date: '2027-01-01 01:00:00' },
      'December 31, 2026 @ 5:00 pm &#8211; January 1, 2027 @ 1:00 am',
    ],
    [{ start_date: '2026-07-22 17:00:00', end_date: '2026-07-22 17:00:00' }, 'July 22 @ 5:00 pm'],
    [{ start_date: '2026-07-22', end_date: '2026-07-22', all_day: true }, 'July 22 All day'],
    [{ start_date: '2026-07-22', end_date: '2026-07-23', all_day: true }, 'July 22 &#8211; July 23'],
  ])('%j is shown as %j, without any value in the calendar API', async (dates, shown) => {
    const fields = { title: 'T', description: '<!-- wp:tribe/event-datetime /-->', ...dates };
    const { body } = await ask('/tribe/events/v1/events', 'admin', 'POST', fields);
    expect(String(body.description)).not.toContain('July');
    expect(await shownIn(`/wp/v2/tribe_events/${String(body.id)}`)).toBe(shown);
  });
});
