import { withSentFields } from '../../rest/rest-fields/writes.js';
import { listResponse } from '../../rest/lists.js';
import { sentContext, switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { RestError } from '../../rest/error.js';
import { taxonomyFor, type RestType } from '../../rest/posts/post-types.js';
import { RestResponse, type CallContext, type Json, type Route } from '../../rest/route.js';
import { MENU, type Post } from '../../model.js';
import { deletePost } from '../../posts/post-save.js';
import { canRead, canEdit } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { batched, get, post, route } from '../declare.js';
import { MENU_ORDER_FILTER, postListArgs, termFilters, statusFilter, type DELETION, type PostListCall } from '../posts/post-args.js';
import { pageOfPosts, planPosts } from '../posts/post-list.js';
import {
  invalidPostId,
  mayCreatePost,
  mayDeletePost,
  mayReadPost,
  mayReadPostList,
  mayUpdatePost,
  postOf,
} from '../posts/post-permissions.js';
import { itemRoute } from '../posts/post-routes.js';
import { revisionActions } from '../posts/revision-handlers.js';
import { autosaveRoutes } from '../posts/revision-routes.js';
import { presentItems } from './item-present.js';
import { itemArgs, insertItem, updateItem, type ItemWrite } from './item-write.js';
import { viewing } from './menu-access.js';

async function shownItem(item: Post, type: RestType, context: Context, call: CallContext, status = 200): Promise<RestResponse> {
  const [shown] = await presentItems([item], type, context, call);
  return new RestResponse(shown, status);
}

async function list(type: RestType, call: PostListCall): Promise<RestResponse> {
  const { params, request, site } = call;
  const { posts, ...counts } = await pageOfPosts(await planPosts(type, call), site.store);
  const readable = posts.filter((each) => (params.context === 'edit' ? canEdit : canRead)(request.user, each, site.registry));
  const items = await presentItems(readable, type, params.context, call);
  return listResponse(call, `/wp/v2/${type.base}`, { items, ...counts });
}

async function create(type: RestType, call: ItemWrite): Promise<RestResponse> {
  const item = await withSentFields(await insertItem(type, call), type.name, call);
  switchToEditing(call);
  return (await shownItem(item, type, 'edit', call, 201)).header('Location', call.site.restUrl(`/wp/v2/${type.base}/${item._id}`));
}

async function update(type: RestType, call: ItemWrite & { params: { id: number } }): Promise<RestResponse> {
  const stored = await updateItem(await postOf(call.params.id, type, call.site), type, call);
  const item = await withSentFields(stored, type.name, call);
  switchToEditing(call);
  return shownItem(item, type, 'edit', call);
}

async function remove(type: RestType, call: EndpointCall<typeof DELETION>): Promise<RestResponse> {
  const { params, site } = call;
  const item = await postOf(params.id, type, site);
  if (!params.force)
    throw new RestError('rest_trash_not_supported', "Menu items do not support trashing. Set 'force=true' to delete.", 501);
  const [shown] = await presentItems([item], type, sentContext(call), call);
  const { _links: _, ...previous } = shown as Record<string, Json>;
  if (!(await deletePost(site, item._id))) throw invalidPostId();
  return new RestResponse({ deleted: true, previous });
}

/** Menu items: a post type with a specific controller. */
export function menuItemRoutes(type: RestType): Route[] {
  const fields = itemArgs(type.registry);
  const filters = {
    ...postListArgs({
      order: 'asc',
      status: statusFilter(type, shared.listedStatuses(type.registry)),
      orderby: ['menu_order', [...shared.POST_ORDERS, 'menu_order']],
      perPage: 100,
    }),
    ...termFilters([taxonomyFor(MENU, type.registry)]),
    menu_order: MENU_ORDER_FILTER,
  };
  const what = 'menu items';
  return [
    batched(
      route(
        '/menu-items',
        get(filters, { permission: viewing(what, mayReadPostList(type)), handler: (call) => list(type, call as unknown as PostListCall) }),
        post(fields, { permission: mayCreatePost(type), handler: (call) => create(type, call) }),
      ),
    ),
    batched(
      itemRoute('menu-items', { context: shared.context }, fields, {
        read: {
          permission: viewing(what, mayReadPost(type)),
          handler: async (call) => shownItem(await postOf(call.params.id, type, call.site), type, call.params.context, call),
        },
        update: {
          permission: mayUpdatePost(type),
          handler: (call) => update(type, call as unknown as ItemWrite & { params: { id: number } }),
        },
        delete: { permission: mayDeletePost(type), handler: (call) => remove(type, call) },
      }),
    ),
    ...autosaveRoutes('menu-items', fields, revisionActions(type)),
  ];
}
