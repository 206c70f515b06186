import { MENU, MENU_ITEM, PAGE, type Post } from '../../model.js';
import { insertPost } from '../../posts/post-save.js';
import { itemOf, itemsOf, metaOfItem } from '../../query/menus.js';
import type { Site } from '../../site.js';

/** WP: a published page at the top level is appended to the menus with `auto_add`, unless they contain it. */
export async function addToMenus(site: Site, before: Post | null, after: Post): Promise<void> {
  if (after.type !== PAGE || after.parent !== 0 || after.status !== 'publish' || before?.status === 'publish') return;
  const menus = await site.store.terms.find({ taxonomy: MENU, autoAdd: true }, { projection: { _id: 1 } }).toArray();
  for (const { _id: menu } of menus) {
    const items = await itemsOf(site.store, menu);
    if (items.map(itemOf).some(({ type, objectId }) => type === 'post_type' && objectId === after._id)) continue;
    const link = { type: 'post_type', object: PAGE, objectId: after._id, parent: 0, target: '', classes: [''], xfn: [''], url: '' };
    await insertPost(site, MENU_ITEM, {
      title: '',
      content: ' ',
      excerpt: '',
      status: 'publish',
      author: after.author,
      password: '',
      date: null,
      // WP: the first item of a menu has no position.
      menuOrder: items.length === 0 ? 0 : Math.max(...items.map(({ menuOrder }) => menuOrder)) + 1,
      meta: metaOfItem(link, null),
      terms: { [MENU]: [menu] },
      commentStatus: 'closed',
      pingStatus: 'closed',
    });
  }
}
