import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { itemOf } from '../../../../src/wordpress/query/menus.js';
import type { Post } from '../../../../src/wordpress/model.js';
import { itemsOf, sourceOf, written as exported } from './files.js';
import { NOW, problemsOf, read } from './read.js';
import { withDerivedColumns } from '../../../../src/wordpress/posts/posts.js';
import { registry } from '../../../support/registry.js';

/** Menus, patterns and navigation in hand-written datasets. */

const FILE = {
  clock: '2026-06-15T12:00:00Z',
  users: [{ login: 'anna', role: 'administrator' }],
  categories: [{ name: 'Music' }],
  events: [{ title: 'Fair', start: '2026-07-01 10:00', end: '11:00' }],
  pages: [{ title: 'About', slug: 'about' }],
  patterns: [
    {
      id: 40,
      title: 'Hours',
      content: '<!-- wp:paragraph --><p>From ten.</p><!-- /wp:paragraph -->',
      categories: ['Notices'],
      meta: { wp_pattern_sync_status: 'unsynced' },
    },
    { title: 'Draft', status: 'draft' },
  ],
  navigation: [{ title: 'Main', content: '<!-- wp:page-list /-->' }],
  menus: [
    {
      name: 'Main',
      auto_add: true,
      description: 'Of the head',
      items: [
        { id: 50, title: 'Home', url: '/' },
        { id: 51, post: 'about', classes: ['wide', 'blue'], target: '_blank' },
        { term: 'music', parent: 51, title: 'Concerts', attr_title: 'All of them', xfn: ['me'] },
        { post: 'fair', parent: 51, menu_order: 9, status: 'draft' },
        { archive: 'tribe_events', description: 'Everything' },
      ],
    },
    { name: 'Empty' },
  ],
};

const menuItems = (posts: readonly Post[]): Post[] => posts.filter(({ type }) => type === 'nav_menu_item');

test('items lead to what their references say', async () => {
  const { posts, terms } = await read(FILE);
  const byId = new Map(posts.map((post) => [post._id, post.slug]));
  const menu = terms.find(({ taxonomy }) => taxonomy === 'nav_menu')!;
  const music = terms.find(({ taxonomy }) => taxonomy === 'tribe_events_cat')!;
  expect([menu.name, menu.autoAdd, menu.description]).toEqual(['Main', true, 'Of the head']);
  const shown = menuItems(posts).map((post) => {
    const { type, object, objectId, parent, url } = itemOf(post);
    return [
      type,
      object,
      objectId === music._id && type === 'taxonomy' ? 'music' : (byId.get(objectId) ?? null),
      parent,
      url,
      post.menuOrder,
      post.terms,
    ];
  });
  const terms_ = { nav_menu: [menu._id] };
  expect(shown).toEqual([
    ['custom', 'custom', 'home', 0, '/', 1, terms_],
    ['post_type', 'page', 'about', 0, '', 2, terms_],
    ['taxonomy', 'tribe_events_cat', 'music', 51, '', 3, terms_],
    ['post_type', 'tribe_events', 'fair', 51, '', 9, terms_],
    ['post_type_archive', 'tribe_events', null, 0, '', 5, terms_],
  ]);
});

test.each(['json', 'yaml'])('all of it survives an export to %s', async (format) => {
  const { posts, terms, users, options } = await read(FILE);
  const given = [
    { kind: 'options' as const, options },
    ...users.map((user) => ({ kind: 'user' as const, user })),
    ...terms.map((term) => ({ kind: 'term' as const, term })),
    ...posts.map((post) => ({ kind: 'post' as const, post })),
  ];
  const { file, warnings } = await exported(sourceOf(given), format, `menus.${format}`);
  expect(warnings).toEqual([]);
  const items = await itemsOf(await openFile(inputFile(file), { now: NOW }));
  const again = items.flatMap((item) => (item.kind === 'post' ? [withDerivedColumns(item.post, registry)] : []));
  const sorted = (list: readonly Post[]): Post[] => list.toSorted((a, b) => a._id - b._id);
  expect(sorted(again)).toEqual(sorted(posts));
  expect(items.flatMap((item) => (item.kind === 'term' ? [item.term] : [])).toSorted((a, b) => a._id - b._id)).toEqual(
    terms.toSorted((a, b) => a._id - b._id),
  );
});

test('references to nothing, and items that lead nowhere, are problems', async () => {
  const menus = [{ name: 'Main', items: [{ post: 'nowhere' }, { term: 99 }, { title: 'x' }, { title: 'y', url: '/y', parent: 77 }] }];
  expect(await problemsOf({ menus })).toEqual([
    'menus[0].items[0].post: there is no post with the slug "nowhere"',
    'menus[0].items[1].term: there is no category or tag with the id 99',
    'menus[0].items[2]: needs a title and a url, or a post, a term or an archive to lead to',
    'menus[0].items[3].parent: there is no other item with the id 77',
  ]);
});
