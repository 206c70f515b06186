import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { statusFilter } from '../posts/status-filter.js';
import { batched, get, post, route } from '../declare.js';
import { MENU_ORDER_FILTER, postListArgs, sharedMetaField, termFilters } from '../posts/post-args.js';
import { itemRoute } from '../posts/post-routes.js';
import { autosaveRoutes } from '../posts/revision-routes.js';
import { taxonomyFor } from '../../rest/posts/post-types.js';

/** Menu items: a post type with a specific controller. */
export function menuItemRoutes(): Route[] {
  const fields = menuItemFields();
  const filters = {
    ...postListArgs({
      order: 'asc',
      status: statusFilter('nav_menu_item'),
      orderby: ['menu_order', [...shared.POST_ORDERS, 'menu_order']],
      perPage: 100,
    }),
    ...termFilters([taxonomyFor('nav_menu')]),
    menu_order: MENU_ORDER_FILTER,
  };
  return [
    batched(route('/menu-items', get(filters), post(fields))),
    batched(itemRoute('menu-items', { context: shared.context }, fields)),
    ...autosaveRoutes('menu-items', fields),
  ];
}

const menuItemFields = (): Args => ({
  title: { ...shared.title(), type: ['string', 'object'] },
  type: shared.choice('Type of the link target.', ['taxonomy', 'post_type', 'post_type_archive', 'custom'], { default: 'custom' }),
  status: shared.choice('Status of the item.', shared.writableStatuses(), { default: 'publish' }),
  parent: shared.integer('ID of the parent item.', { default: 0, minimum: 0 }),
  attr_title: shared.text('Title attribute of the link.'),
  classes: shared.texts('CSS classes of the link.'),
  description: shared.text('Description of the link.'),
  menu_order: shared.integer('Position in the menu.', { default: 1, minimum: 1 }),
  object: shared.text('Post type or taxonomy of the link target.'),
  object_id: shared.integer('ID of the post or term that the item links to.', { default: 0, minimum: 0 }),
  target: shared.choice('Target attribute of the link.', ['_blank', '']),
  url: shared.text('URL of the link.', { format: 'uri' }),
  xfn: shared.texts('XFN relationships of the link.'),
  menus: shared.integer('ID of the menu that contains the item.'),
  meta: sharedMetaField(),
});
