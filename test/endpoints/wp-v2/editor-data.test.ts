import { apiOf, WORLD, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/* What block editors read about icons and views, as far as the recordings do not show it. */

const server = startTestServer({ dataset: WORLD });
const api = apiOf(server);
afterEach(() => {
  server().site.chosenReleases = {};
});

interface Icon {
  name: string;
  label: string;
  content: string;
  collection?: string;
}

const outcome = async (path: string, as?: Login): Promise<string> => {
  const { status, body } = await api.get<{ code?: string }>(`/wp/v2/${path}`, as);
  return body.code === undefined ? String(status) : `${status} ${body.code}`;
};

describe('icons', () => {
  test('each has a label of the words of its name, and a drawing of its own', async () => {
    const { body, headers } = await api.get<Icon[]>('/wp/v2/icons?per_page=1&page=7', 'contributor');
    expect(body).toHaveLength(88);
    expect(headers.get('x-wp-total')).toBeNull();
    expect(body.find(({ name }) => name === 'core/chevron-up-down')).toEqual({
      name: 'core/chevron-up-down',
      label: 'Chevron Up Down',
      content: expect.stringMatching(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*>CUD<\/text><\/svg>$/) as unknown,
      collection: 'core',
    });
  });

  test.each([
    ['search=CAL', ['core/calendar', 'core/more-vertical']],
    ['search=@', ['core/at-symbol']],
    ['search=nothing', []],
    ['search=tag&collection=core', ['core/tag']],
  ])('a list with %s', async (query, names) => {
    const { body } = await api.get<Icon[]>(`/wp/v2/icons?${query}`, 'contributor');
    expect(body.map(({ name }) => name)).toEqual(names);
  });

  test('collections have lists of their own', async () => {
    expect((await api.get<Icon[]>('/wp/v2/icons/core?search=tag', 'author')).body.map(({ name }) => name)).toEqual(['core/tag']);
    expect(await outcome('icons/none', 'author')).toBe('404 rest_icon_collection_not_found');
    expect(await outcome('icons?collection=none', 'author')).toBe('404 rest_icon_collection_not_found');
    expect(await outcome('icons?collection=-', 'author')).toBe('400 rest_invalid_param');
    expect(await outcome('icons?per_page=0', 'author')).toBe('400 rest_invalid_param');
    expect(await outcome('icon-collections', 'subscriber')).toBe('403 rest_cannot_view');
    expect(await outcome('icon-collections/none')).toBe('401 rest_cannot_view');
  });

  test('WordPress 7.0 has no collections, and stricter names', async () => {
    server().site.chosenReleases = { wordpress: '7.0.4' };
    expect(Object.keys((await api.get<Icon>('/wp/v2/icons/core/tag', 'author')).body)).toEqual(['name', 'label', 'content']);
    expect(await outcome('icons?collection=none', 'author')).toBe('200');
    expect(await outcome('icons/core/a_b', 'author')).toBe('404 rest_no_route');
    server().site.chosenReleases = {};
    expect(await outcome('icons/core/a_b', 'author')).toBe('404 rest_icon_not_found');
  });
});

describe('view configuration', () => {
  const config = async (kind: string, name: string) =>
    (await api.get<Record<string, unknown>>(`/wp/v2/view-config?kind=${kind}&name=${name}`, 'admin')).body;

  test.each<[kind: string, name: string, lowest: Login, tooLow: Login]>([
    ['postType', 'tribe_events', 'contributor', 'subscriber'],
    ['postType', 'attachment', 'contributor', 'subscriber'],
    ['postType', 'page', 'editor', 'author'],
    ['postType', 'wp_navigation', 'admin', 'editor'],
    ['taxonomy', 'category', 'editor', 'author'],
    ['taxonomy', 'tribe_events_cat', 'author', 'contributor'],
    ['root', 'site', 'admin', 'editor'],
    ['anything', 'else', 'contributor', 'subscriber'],
  ])('%s %s needs the rights of %s, which %s lacks', async (kind, name, lowest, tooLow) => {
    const path = `view-config?kind=${kind}&name=${name}`;
    expect([await outcome(path, lowest), await outcome(path, tooLow), await outcome(path)]).toEqual([
      '200',
      '403 rest_cannot_read',
      '401 rest_cannot_read',
    ]);
  });

  test.each([
    ['postType', 'none'],
    ['postType', 'revision'],
    ['taxonomy', 'post_format'],
    ['taxonomy', ''],
  ])('%s %s does not exist, for anybody', async (kind, name) => {
    const path = `view-config?kind=${kind}&name=${name}`;
    expect([await outcome(path), await outcome(path, 'admin')]).toEqual([
      '404 rest_view_config_invalid_entity',
      '404 rest_view_config_invalid_entity',
    ]);
  });

  test.each([
    ['tribe_events', 'Events'],
    ['tribe_venue', 'Venues'],
    ['post', 'All Posts'],
    ['page', 'All Pages'],
    ['attachment', 'Media'],
  ])('the list of %s is called %s', async (type, title) => {
    const { view_list } = await config('postType', type);
    expect(view_list).toMatchObject([{ title, slug: 'all' }, ...Array.from({ length: type === 'page' ? 6 : 0 }, () => ({}))]);
    const { body } = await api.get<{ labels: Record<string, string> }>(`/wp/v2/types/${type}?context=edit`, 'admin');
    expect(body.labels.all_items).toBe(title);
  });

  test('posts have a form, other things have none', async () => {
    expect((await config('postType', 'post')).form).toEqual((await config('postType', 'page')).form);
    expect(await config('postType', 'post')).toMatchObject({ version: 1, form: { layout: { type: 'panel' } } });
    expect(await config('taxonomy', 'category')).toMatchObject({ form: {}, view_list: [{ title: 'All items', slug: 'all' }] });
  });

  test('pages have a view for each status, and the trash has a table', async () => {
    const { view_list, default_view } = await config('postType', 'page');
    expect(default_view).toMatchObject({ type: 'list', showLevels: true, mediaField: 'featured_media' });
    expect((view_list as unknown[]).at(-1)).toEqual({
      title: 'Trash',
      slug: 'trash',
      view: {
        type: 'table',
        layout: { styles: { author: { align: 'start' } } },
        filters: [{ field: 'status', operator: 'isAny', value: 'trash', isLocked: true }],
      },
    });
  });
});
