import { startWorld } from '../../support/api.js';

/* Behavior of reusable blocks that is not in the recordings. */

const api = startWorld();
beforeEach(() => api.reset());

interface Written {
  id: number;
  title: Record<string, string>;
  content: Record<string, unknown>;
  wp_pattern_sync_status?: string;
}

const create = async (route: string, body: object): Promise<Written> =>
  (await api.call<Written>('POST', `/wp/v2/${route}`, { as: 'admin', body: { status: 'publish', ...body } })).body;

const shows = async (content: string): Promise<unknown> => (await create('posts', { title: 'Shows', content })).content.rendered;

test('a pattern that shows itself, by others too, is shown once', async () => {
  const outer = await create('blocks', { title: 'Outer', content: 'none yet' });
  const inner = await create('blocks', { title: 'Inner', content: `<p>in</p><!-- wp:block {"ref":${outer.id}} /-->` });
  await api.call('PUT', `/wp/v2/blocks/${outer.id}`, {
    as: 'admin',
    body: { content: `<p>out</p><!-- wp:block {"ref":${inner.id}} /--><!-- wp:block {"ref":${outer.id}} /-->` },
  });
  expect(await shows(`<!-- wp:block {"ref":${outer.id}} /-->`)).toBe('<p>out</p><p>in</p>');
});

test('nothing is shown of drafts, of what has a password, and of what is no pattern', async () => {
  const draft = await create('blocks', { title: 'Draft', content: '<p>x</p>', status: 'draft' });
  const closed = await create('blocks', { title: 'Closed', content: '<p>x</p>', password: 'secret' });
  for (const ref of [draft.id, closed.id, 1, 35, 999_999, 0])
    expect([ref, await shows(`<!-- wp:block {"ref":${ref}} /-->`)]).toEqual([ref, '']);
  expect(await shows('<!-- wp:block /-->')).toBe('');
});

test('events show patterns in every API, and as they are now', async () => {
  const { id } = await create('blocks', { title: 'Hours', content: '<!-- wp:paragraph --><p>From ten.</p><!-- /wp:paragraph -->' });
  await api.call('PUT', 'events/35', { as: 'admin', body: { description: `<!-- wp:block {"ref":${id}} /-->` } });
  const description = async (): Promise<string> => (await api.get<{ description: string }>('events/35')).body.description;
  expect(await description()).toContain('From ten.');
  await api.call('PUT', `/wp/v2/blocks/${id}`, { as: 'admin', body: { content: '<p>From nine.</p>' } });
  expect(await description()).toContain('From nine.');
  const { body } = await api.get<Written>('/wp/v2/tribe_events/35');
  expect(body.content.rendered).toContain('From nine.');
});

test('whether a pattern is kept in step is beside its other meta', async () => {
  const { id, wp_pattern_sync_status: status } = await create('blocks', {
    title: 'Loose',
    content: 'x',
    meta: { wp_pattern_sync_status: 'unsynced' },
  });
  const embedded = await api.get<Written>(`/wp/v2/blocks/${id}?context=embed`, 'admin');
  expect([status, embedded.body.wp_pattern_sync_status, embedded.body.title]).toEqual(['unsynced', '', []]);
});

test('navigation is read by anybody, and written by who may change the theme', async () => {
  const content = '<!-- wp:navigation-link {"label":"Events","url":"/events/"} /-->';
  const refused = await api.call('POST', '/wp/v2/navigation', { as: 'editor', body: { title: 'Main', content } });
  const { id } = await create('navigation', { title: 'Main', content });
  const { body } = await api.get<Written>(`/wp/v2/navigation/${id}?context=embed`);
  expect([refused.status, body.title, body.content.raw]).toEqual([403, { raw: 'Main', rendered: 'Main' }, content]);
  expect(Object.keys(body).slice(0, 6)).toEqual(['id', 'date', 'slug', 'status', 'type', 'link']);
  const { properties } = (await api.call<{ schema: Record<'properties', Record<string, object>> }>('OPTIONS', '/wp/v2/navigation')).body
    .schema;
  for (const name of ['status', 'content']) expect(properties[name]).toMatchObject({ context: ['view', 'edit', 'embed'] });
  expect((await api.get<Written[]>('/wp/v2/navigation')).body.map((each) => each.id)).toEqual([id]);
});

test('pattern categories are given to patterns', async () => {
  const { id } = await create('wp_pattern_category', { name: 'Notices' });
  const pattern = await create('blocks', { title: 'P', content: 'x', wp_pattern_category: [id] });
  const { body } = await api.get<Written[]>(`/wp/v2/blocks?wp_pattern_category=${id}`, 'author');
  expect(body.map((each) => each.id)).toEqual([pattern.id]);
});
