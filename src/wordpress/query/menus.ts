import { MENU, MENU_ITEM, metaValue, type MetaRow, type Post } from '../model.js';
import type { Store } from '../store.js';

/** The fields of an item of a menu besides its texts. */
export interface MenuItem {
  /** WP: `post_type`, `taxonomy`, `post_type_archive` or `custom`. */
  type: string;
  /** The post type or taxonomy of its target. */
  object: string;
  objectId: number;
  parent: number;
  target: string;
  classes: string[];
  xfn: string[];
  url: string;
}

const KEY = '_menu_item_';

/** WP: a list as PHP stores it. */
const serialized = (items: readonly string[]): string =>
  `a:${items.length}:{${items.map((item, i) => `i:${i};s:${Buffer.byteLength(item)}:"${item}";`).join('')}}`;

const unserialized = (stored: string): string[] => Array.from(stored.matchAll(/i:\d+;s:\d+:"([^"]*)";/g), ([, item]) => item);

/** The meta of an item. WP: an item without a menu has the time since then, in epoch seconds. */
export const metaOfItem = (item: MenuItem, orphanedAt: number | null): MetaRow[] => [
  { key: `${KEY}type`, value: item.type },
  { key: `${KEY}menu_item_parent`, value: String(item.parent) },
  { key: `${KEY}object_id`, value: String(item.objectId) },
  { key: `${KEY}object`, value: item.object },
  { key: `${KEY}target`, value: item.target },
  { key: `${KEY}classes`, value: serialized(item.classes) },
  { key: `${KEY}xfn`, value: item.xfn.join(' ') },
  { key: `${KEY}url`, value: item.url },
  ...(orphanedAt === null ? [] : [{ key: `${KEY}orphaned`, value: String(orphanedAt) }]),
];

export function itemOf(post: Post): MenuItem {
  const value = (name: string): string => metaValue(post, `${KEY}${name}`) ?? '';
  return {
    type: value('type'),
    object: value('object'),
    objectId: Math.abs(Number.parseInt(value('object_id'), 10)) || 0,
    parent: Number.parseInt(value('menu_item_parent'), 10) || 0,
    target: value('target'),
    classes: unserialized(value('classes')),
    xfn: value('xfn').split(' '),
    url: value('url'),
  };
}

/** The menu of an item; 0: none. */
export const menuOf = ({ terms }: Pick<Post, 'terms'>): number => terms[MENU]?.at(0) ?? 0;

const items = (store: Store): Promise<Post[]> => store.posts.find({ type: MENU_ITEM }).toArray();

export const itemsOf = async (store: Store, menu: number): Promise<Post[]> =>
  (await items(store)).filter(({ terms }) => terms[MENU]?.includes(menu));

/** WP: the items of a deleted post or term are deleted, too. */
export async function deleteItemsOf(store: Store, type: 'post_type' | 'taxonomy', id: number): Promise<void> {
  const leading = (await items(store)).filter((post) => {
    const item = itemOf(post);
    return item.type === type && item.objectId === id;
  });
  if (leading.length > 0) await store.posts.deleteMany({ _id: { $in: leading.map(({ _id }) => _id) } });
}
