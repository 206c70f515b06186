import { startWorld, type Refusal } from '../../support/api.js';

/* Behavior of menus that is not in the recordings. */

const api = startWorld();
beforeEach(() => api.reset());

interface Item {
  id: number;
  title: { rendered: string };
  url: string;
  type_label: string;
  object: string;
  object_id: number;
  menu_order: number;
  invalid: boolean;
}

const write = async <T = Item>(method: string, route: string, body: object = {}): Promise<T> =>
  (await api.call<T>(method, `/wp/v2/${route}`, { as: 'admin', body })).body;

const menu = async (name: string, more: object = {}): Promise<number> =>
  (await write<{ id: number }>('POST', 'menus', { name, ...more })).id;

const item = (menus: number, body: object): Promise<Item> => write('POST', 'menu-items', { menus, ...body });

const itemsOf = async (menus: number): Promise<Item[]> => (await api.get<Item[]>(`/wp/v2/menu-items?menus=${menus}`, 'admin')).body;

test('an item follows the title of what it leads to, until it has one of its own', async () => {
  const main = await menu('Main');
  const { id, title } = await item(main, { type: 'post_type', object_id: 2 });
  expect(title.rendered).toBe('Sample Page');
  await write('PUT', `menu-items/${id}`, { target: '_blank' });
  await write('PUT', 'pages/2', { title: 'About us' });
  expect((await itemsOf(main)).map((each) => [each.title.rendered, each.object])).toEqual([['About us', 'page']]);
  await write('PUT', `menu-items/${id}`, { title: 'Own' });
  await write('PUT', 'pages/2', { title: 'Once more' });
  expect((await itemsOf(main))[0].title.rendered).toBe('Own');
});

test('items lead to lists of a post type, and to nothing that is not there', async () => {
  const main = await menu('Main');
  const archive = await item(main, { type: 'post_type_archive', object: 'tribe_events' });
  expect([archive.type_label, archive.title.rendered]).toEqual(['Post Type Archive', 'Events']);
  expect(archive.url).toMatch(/\/events\/$/);
  const codes = await Promise.all(
    [
      { type: 'post_type_archive', object: 'nothing' },
      { type: 'post_type', object_id: 9_999 },
      { type: 'taxonomy', object_id: 9_999 },
      { type: 'custom' },
      { type: 'custom', title: 'x', url: '/x', menus: 9_999 },
    ].map(async (body) => ((await item(main, body)) as unknown as Refusal).code),
  );
  expect(codes).toEqual([
    'rest_post_invalid_type',
    'rest_post_invalid_id',
    'rest_term_invalid_id',
    'rest_title_required',
    'invalid_menu_id',
  ]);
});

test('of an address of its own without a title and a URL, both errors are named', async () => {
  const { body } = await api.call<{ additional_errors: { code: string }[] }>('POST', '/wp/v2/menu-items', { as: 'admin', body: {} });
  expect(body.additional_errors.map(({ code }) => code)).toEqual(['rest_url_required']);
});

test('items go with what they lead to, and with their menu', async () => {
  const main = await menu('Main');
  const page = await write('POST', 'pages', { title: 'Short-lived', status: 'publish' });
  const term = await write<{ id: number }>('POST', 'tribe_events_cat', { name: 'Short' });
  const kept = await item(main, { title: 'Kept', url: '/kept' });
  await item(main, { type: 'post_type', object_id: page.id });
  await item(main, { type: 'taxonomy', object_id: term.id });
  await write('DELETE', `pages/${page.id}?force=true`);
  await write('DELETE', `tribe_events_cat/${term.id}?force=true`);
  expect((await itemsOf(main)).map(({ id }) => id)).toEqual([kept.id]);
  await write('DELETE', `menus/${main}?force=true`);
  expect((await api.get<Refusal>(`/wp/v2/menu-items/${kept.id}`, 'admin')).body.code).toBe('rest_post_invalid_id');
});

test('a new page at the top is added to menus that ask for it', async () => {
  const [asking, other] = [await menu('Asking', { auto_add: true }), await menu('Other')];
  await item(asking, { title: 'First', url: '/', menu_order: 4 });
  const draft = await write('POST', 'pages', { title: 'Later', status: 'draft' });
  const below = await write('POST', 'pages', { title: 'Below', status: 'publish', parent: 2 });
  expect(await itemsOf(asking)).toHaveLength(1);
  await write('PUT', `pages/${draft.id}`, { status: 'publish' });
  await write('PUT', `pages/${draft.id}`, { content: 'x' });
  expect((await itemsOf(asking)).map(({ object_id: id, menu_order: order }) => [id, order]).slice(1)).toEqual([[draft.id, 5]]);
  expect([await itemsOf(other), below.id > 0]).toEqual([[], true]);
});

test('a menu of a name that is taken is rejected, also where another is renamed', async () => {
  const [first, second] = [await menu('First'), await menu('Second')];
  const { status, body } = await api.call<Refusal>('PUT', `/wp/v2/menus/${second}`, { as: 'admin', body: { name: 'first' } });
  expect([status, body.code]).toEqual([500, 'menu_exists']);
  const { slug, description } = await write<{ slug: string; description: string }>('PUT', `menus/${first}`, { name: 'Other name' });
  expect([slug, description]).toEqual(['other-name', '']);
});

test('nonsense does no harm', async () => {
  const main = await menu('Main');
  for (const body of [
    { title: ['x'], url: '/x' },
    { title: { raw: { a: 1 } }, url: '/x' },
    { title: 'x', url: ['/x'] },
    { title: 'x', url: '/x', classes: [{ a: 1 }] },
    { title: 'x', url: '/x', xfn: '%zz "' },
    { title: 'x', url: '/x', menu_order: -1 },
    { title: 'x', url: '/x', parent: -1 },
    { type: 'post_type', object: '__proto__', object_id: 1 },
    { type: 'taxonomy', object: 'constructor', object_id: 1 },
  ]) {
    const { status } = await api.call('POST', '/wp/v2/menu-items', { as: 'admin', body: { menus: main, ...body } });
    expect([body, status < 500]).toEqual([body, true]);
  }
  expect((await api.get('/wp/v2/menu-items', 'admin')).status).toBe(200);
});

test('places for menus are those of the theme, which has none', async () => {
  const { status, body } = await api.get<Refusal>('/wp/v2/menu-locations/primary', 'admin');
  expect([status, body.code]).toEqual([404, 'rest_menu_location_invalid']);
});
