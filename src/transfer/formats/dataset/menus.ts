import { lookup } from '../../../base/values/records.js';
import { BLOCK, MENU, MENU_ITEM, NAVIGATION, metaValue, type MetaRow, type Post, type Term } from '../../../wordpress/model.js';
import { itemOf, menuOf, metaOfItem, type MenuItem } from '../../../wordpress/query/menus.js';
import type { Problems } from '../../source.js';
import type { DeclaredMenu, DatasetMenuItem } from './declaration.js';

/** Menus, with their items on their entry. */

/** The types of what the lists `patterns` and `navigation` contain. */
export const PATTERN_LISTS = { patterns: BLOCK, navigation: NAVIGATION } as const;

export const PATTERN_CATEGORY = 'wp_pattern_category';

export interface PlacedItem {
  item: DatasetMenuItem;
  /** Index of its menu in the list. */
  menu: number;
  /** Its position in the menu. */
  place: number;
  path: string;
}

export const placedItems = (menus: readonly DeclaredMenu[]): PlacedItem[] =>
  menus.flatMap(({ items = [] }, menu) =>
    items.map((item, place): PlacedItem => ({ item, menu, place, path: `menus[${menu}].items[${place}]` })),
  );

/** The possible targets of items. */
interface Targets {
  posts: readonly Post[];
  terms: readonly Term[];
  items: ReadonlySet<number>;
}

const described = (reference: string | number): string => `${typeof reference === 'number' ? 'id' : 'slug'} ${JSON.stringify(reference)}`;

function targetOf({ item, path }: PlacedItem, id: number, { posts, terms }: Targets, problems: Problems): Partial<MenuItem> {
  const matches = (reference: string | number) => (each: Post | Term) =>
    typeof reference === 'number' ? each._id === reference : each.slug === reference;
  if (item.post !== undefined) {
    const post = posts.find(matches(item.post));
    if (!post) problems.add(`${path}.post`, `there is no post with the ${described(item.post)}`);
    return { type: 'post_type', object: post?.type ?? '', objectId: post?._id ?? 0 };
  }
  if (item.term !== undefined) {
    const term = terms.find(matches(item.term));
    if (!term) problems.add(`${path}.term`, `there is no category or tag with the ${described(item.term)}`);
    return { type: 'taxonomy', object: term?.taxonomy ?? '', objectId: term?._id ?? 0 };
  }
  if (item.archive !== undefined) return { type: 'post_type_archive', object: item.archive };
  if (item.url === undefined || item.title === undefined)
    problems.add(path, 'needs a title and a url, or a post, a term or an archive to lead to');
  return { type: 'custom', object: 'custom', objectId: id, url: item.url ?? '' };
}

/** The meta of an item. Invalid references are added to `problems`. */
export function itemRows(placed: PlacedItem, id: number, targets: Targets, problems: Problems): MetaRow[] {
  const { item, path } = placed;
  const { parent = 0, target = '', classes = [], xfn = [] } = item;
  if (parent !== 0 && (!targets.items.has(parent) || parent === id))
    problems.add(`${path}.parent`, `there is no other item with the id ${parent}`);
  const own: MenuItem = {
    type: 'custom',
    object: '',
    objectId: 0,
    parent,
    target,
    classes: classes.length === 0 ? [''] : [...classes],
    xfn: xfn.length === 0 ? [''] : [...xfn],
    url: '',
  };
  return metaOfItem({ ...own, ...targetOf(placed, id, targets, problems) }, null);
}

/** WP: a custom link without a description has a space as description. */
export const usualDescription = ({ title = '', url }: DatasetMenuItem): string => (title === '' && url === undefined ? ' ' : '');

const present = (names: readonly string[]): string[] | undefined => (names.some((name) => name !== '') ? [...names] : undefined);

/** The items of a menu, in its order. */
export const itemsOfMenu = (menu: Term, posts: readonly Post[]): Post[] =>
  posts
    .filter((post) => post.type === MENU_ITEM && menuOf(post) === menu._id)
    .toSorted((a, b) => a.menuOrder - b.menuOrder || a._id - b._id);

/** The target of an item as it is written; null if it is not part of the content. */
export function menuItemFields(
  post: Post,
  place: number,
  posts: ReadonlyMap<number, Post>,
  terms: ReadonlyMap<number, Term>,
): DatasetMenuItem | null {
  const { type, object, objectId, parent, target, classes, xfn, url } = itemOf(post);
  const leads = lookup<Record<string, (() => DatasetMenuItem | null) | undefined>>({
    post_type: () => (posts.has(objectId) ? { post: objectId } : null),
    taxonomy: () => (terms.has(objectId) ? { term: objectId } : null),
    post_type_archive: () => ({ archive: object }),
    custom: () => ({ url }),
  })[type];
  const to: DatasetMenuItem | null = leads?.() ?? null;
  if (!to) return null;
  return {
    ...to,
    parent: parent === 0 || !posts.has(parent) ? undefined : parent,
    menu_order: post.menuOrder === place + 1 ? undefined : post.menuOrder,
    target: target === '_blank' ? '_blank' : undefined,
    classes: present(classes),
    xfn: present(xfn),
  };
}

/** Meta of items that are written as fields. */
export const ITEM_ROWS: readonly string[] = [
  'type',
  'menu_item_parent',
  'object_id',
  'object',
  'target',
  'classes',
  'xfn',
  'url',
  'orphaned',
].map((name) => `_menu_item_${name}`);

/** Whether an item belongs to a menu. */
export const isPlaced = (post: Post): boolean =>
  post.type !== MENU_ITEM || (metaValue(post, '_menu_item_type') !== undefined && menuOf(post) !== 0);

export const isMenu = ({ taxonomy }: Term): boolean => taxonomy === MENU;
