import { inputFile } from '../../../src/transfer/formats/open.js';
import { openWxr } from '../../../src/transfer/formats/wxr/read.js';
import { wxrChunks } from '../../../src/transfer/formats/wxr/write.js';
import type { SourceItem } from '../../../src/transfer/source.js';
import { deriveTerm } from '../../../src/wordpress/terms/terms.js';
import { metaValue } from '../../../src/wordpress/model.js';
import { itemOf, metaOfItem, type MenuItem } from '../../../src/wordpress/query/menus.js';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { storedPost } from '../../support/posts.js';
import { load, place, post, sourceOf, store, user } from './loading.js';

/* Menus and patterns are loaded with the items that they refer to, and with the content that shows them. */

const term = (_id: number, taxonomy: string, name: string): SourceItem => ({
  kind: 'term',
  term: deriveTerm({
    _id,
    taxonomy,
    name,
    slug: name.toLowerCase(),
    description: '',
    parent: 0,
    termGroup: 0,
    termTaxonomyId: _id,
    count: 0,
  }),
});

const LINK: MenuItem = { type: 'custom', object: 'custom', objectId: 0, parent: 0, target: '', classes: [''], xfn: [''], url: '' };

const item = (_id: number, slug: string, says: Partial<MenuItem>): SourceItem => ({
  kind: 'post',
  post: storedPost(_id, {
    type: 'nav_menu_item',
    author: 7,
    slug,
    title: slug,
    meta: metaOfItem({ ...LINK, ...says }, null),
    terms: { nav_menu: [3] },
    menuOrder: _id,
  }),
});

const SITE = (): SourceItem[] => [
  user(7, 'anna', 'administrator'),
  term(3, 'nav_menu', 'Main'),
  term(4, 'category', 'News'),
  { kind: 'post', post: storedPost(12, { type: 'wp_block', author: 7, title: 'Hours', slug: 'hours', content: '<p>From ten.</p>' }) },
  {
    kind: 'post',
    post: storedPost(10, { type: 'page', author: 7, title: 'About', slug: 'about', content: '<!-- wp:block {"ref":12} /-->' }),
  },
  item(20, 'top', { url: '/top', objectId: 20 }),
  item(21, 'to-page', { type: 'post_type', object: 'page', objectId: 10, parent: 20 }),
  item(22, 'to-news', { type: 'taxonomy', object: 'category', objectId: 4, parent: 21 }),
];

const bySlug = async (slug: string) => {
  const found = await store.posts.findOne({ slug });
  if (!found) throw new Error(`There is no ${slug}.`);
  return found;
};

/** Targets and parents of the menu items, by name. */
async function structure(suffix = ''): Promise<unknown> {
  const items = await Promise.all(['top', 'to-page', 'to-news'].map((slug) => bySlug(`${slug}${suffix}`)));
  const names = new Map([...(await store.posts.find().toArray())].map(({ _id, slug }) => [_id, slug]));
  const terms = new Map([...(await store.terms.find().toArray())].map(({ _id, slug }) => [_id, slug]));
  return items.map((each) => {
    const { type, objectId, parent } = itemOf(each);
    const menu = each.terms.nav_menu.map((id) => terms.get(id));
    return [(type === 'taxonomy' ? terms : names).get(objectId), names.get(parent) ?? null, menu];
  });
}

const MENU = ['main'];

test('what is added leads to what was added with it, under other ids', async () => {
  await load(
    sourceOf([
      user(7, 'anna', 'administrator'),
      term(3, 'category', 'Other'),
      ...[10, 12, 20, 21, 22].map((id) => post(id, 'post', `p${id}`)),
    ]),
    'replace',
  );
  await load(sourceOf(SITE()), 'add');
  expect(await structure()).toEqual([
    ['top', null, MENU],
    ['about', 'top', MENU],
    ['news', 'to-page', MENU],
  ]);
  const [about, hours] = await Promise.all([bySlug('about'), bySlug('hours')]);
  expect([hours._id > 22, about.content]).toEqual([true, `<!-- wp:block {"ref":${hours._id}} /-->`]);
});

test.each([null, 1000])('an export for WordPress contains them, first id %s', async (firstId) => {
  let text = '';
  const warnings: string[] = [];
  for await (const chunk of wxrChunks(sourceOf(SITE()), (line) => warnings.push(line), firstId)) text += chunk;
  expect(warnings.filter((line) => line.includes('left out'))).toEqual([]);
  const file = path.join(place.uploads, 'site.xml');
  writeFileSync(file, text);
  await load(await openWxr(inputFile(file), { now: null, zone: 'UTC' }), 'replace');
  expect(await structure()).toEqual([
    ['top', null, MENU],
    ['about', 'top', MENU],
    ['news', 'to-page', MENU],
  ]);
  const [about, hours, top] = await Promise.all([bySlug('about'), bySlug('hours'), bySlug('top')]);
  expect([about._id, about.content, top.menuOrder]).toEqual([firstId ?? 10, `<!-- wp:block {"ref":${hours._id}} /-->`, 20]);
  expect(metaValue(top, '_menu_item_url')).toBe('/top');
});
