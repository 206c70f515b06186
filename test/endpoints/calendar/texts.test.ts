import { WORLD, apiOf, signIn } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Rendered texts that depend on other content of the site. */

interface Event {
  id: number;
  description: string;
  excerpt: string;
  categories: { name: string; slug: string }[];
}

describe.each(['tec', 'standard'] as const)('profile %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile });
  const api = apiOf(server);

  const create = async (fields: object): Promise<Event> => {
    const { body } = await api.post<Event>('events', {
      title: 'Zed',
      start_date: '2026-08-01 10:00:00',
      end_date: '2026-08-01 12:00:00',
      ...fields,
    });
    return body;
  };

  test('a gallery shows the pictures that belong to no post, and those of an upload from then on', async () => {
    const { id, description } = await create({ description: '[gallery]' });
    const count = (text: string): number => text.split("<figure class='gallery-item'>").length - 1;
    expect(count(description)).toBeGreaterThan(1);
    expect(description).toContain('/river-stage/\'><img loading="lazy" decoding="async" width="150" height="150" src="');
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const uploaded = await fetch(`${server().restUrl}/wp/v2/media`, {
      method: 'POST',
      headers: { authorization: signIn('admin'), 'content-type': 'image/gif', 'content-disposition': 'attachment; filename="one.gif"' },
      body: gif,
    });
    expect(uploaded.status).toBe(201);
    const { body } = await api.get<Event>(`events/${id}`);
    expect(count(body.description)).toBe(count(description) + 1);
  });

  test('a picture of the library has its size and its other versions', async () => {
    const url = `${server().url}/wp-content/uploads/2026/05/logo.png`;
    const { description, excerpt } = await create({
      description: `<img src="${url}" class="wp-image-5">`,
      excerpt: `<img src="${url}" class="wp-image-5">`,
    });
    for (const text of [description, excerpt]) {
      expect(text).toContain(`width="800" height="600" src="${url}"`);
      expect(text).toContain('sizes="auto, (max-width: 800px) 100vw, 800px"');
    }
  });

  test('blocks that are made on the site', async () => {
    const { description } = await create({ description: '<!-- wp:latest-posts /-->\n\n<!-- wp:tribe/event-venue /--> :mrgreen:' });
    expect(description).toContain(`href="${server().url}/hello-world/">Hello world!</a></li>`);
    expect(description).toContain('<div  class="tribe-block tribe-block__venue tribe-clearfix" >');
    expect(description).toContain(`<img src="${server().url}/wp-includes/images/smilies/mrgreen.png"`);
  });

  test('a category that is created with an event loses a level of backslashes', async () => {
    const { categories } = await create({ categories: ['AC\\DC'] });
    expect(categories.map(({ name, slug }) => [name, slug])).toEqual([['ACDC', 'acdc']]);
    const again = await create({ categories: ['AC\\DC'] });
    expect(again.categories).toHaveLength(1);
  });

  test.each([
    ['tribe_venue', 'POST', 'venues', { phone: '1' }],
    ['tribe_organizer', 'DELETE', 'organizers', undefined],
    ['tribe_events', 'POST', 'events', { cost: '1' }],
    ['tribe_events', 'DELETE', 'events', undefined],
    ['tribe_venue', 'POST', '/wp/v2/tribe_venue', { slug: 'other' }],
    ['posts', 'DELETE', '/wp/v2/posts', undefined],
  ])('an item of %s is cleaned by the rights of who saves it: %s of %s', async (base, method, route, change) => {
    const raw = async (id: number): Promise<string[]> => {
      const { body } = await api.get<Record<'title' | 'content', { raw: string }>>(`/wp/v2/${base}/${id}?context=edit`, 'admin');
      return [body.title.raw, body.content.raw];
    };
    const author = (await api.get<{ id: number }>('/wp/v2/users/me', 'author')).body.id;
    const item = { title: 'Bread & <u>b</u>', content: 'Bread & <b onclick="x">butter</b>', status: 'publish', author };
    const { id } = (await api.post<{ id: number }>(`/wp/v2/${base}`, item)).body;
    if (method === 'POST') await api.call(method, `${route}/${id}`, { as: 'admin', body: change });
    expect(await raw(id)).toEqual([item.title, item.content]);
    const { status } = await api.call(method, `${route}/${id}`, { as: 'author', body: change });
    expect([status, ...(await raw(id))]).toEqual([200, 'Bread &amp; b', 'Bread &amp; <b>butter</b>']);
  });

  test('links in descriptions of terms keep where they open', async () => {
    const link = '<a href="https://example.org" target="_blank" rel="nofollow">x</a>';
    const { body } = await api.post<{ description: string }>('categories', { name: 'Linked', description: `${link}<u>y</u>` });
    expect(body.description).toBe(`${link}y`);
  });
});
