import { withSentFields } from '../../rest/rest-fields/shown.js';
import { listResponse } from '../../rest/lists.js';
import { sentContext, switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { taxonomyFor, type RestType, writeMeta } from '../../rest/posts/post-types.js';
import { RestResponse, type CallContext, type Json, type Route, RestError, type ArgError } from '../../rest/route.js';
import { MENU, type Post, MENU_ITEM } from '../../model.js';
import { deletePost, asData, insertPost, updatePost } from '../../posts/post-save.js';
import { canRead, canEdit } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { batched, get, post as posting, route } from '../declare.js';
import { MENU_ORDER_FILTER, postListArgs, termFilters, statusFilter, sharedMetaField } from '../posts/post-args.js';
import type { DELETION, PostListCall } from '../posts/post-args.js';
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
import { presentItems, shownParts } from './item-present.js';
import { viewing } from './menu-access.js';
import { isEmpty, toStr } from '../../../base/php/cast.js';
import { sentTitle } from '../../rest/posts/post-params.js';
import { escUrlRaw, sanitizeKey, sanitizeTextField } from '../../formatting/sanitize.js';
import { decodeEntities } from '../../formatting/decode-entities.js';
import { findPost } from '../../posts/posts.js';
import { itemOf, menuOf, metaOfItem, type MenuItem } from '../../query/menus.js';
import { findTerms, findTerm } from '../../terms/terms.js';
import { checkValue, isRefused } from '../../rest/check.js';
import type { Registry } from '../../types/registry.js';

/** WP: a URL that is empty after sanitizing counts as absent. */
function validUrl(value: Json): boolean | ArgError {
  const checked = checkValue(value, { type: 'string', format: 'uri' }, 'url');
  if (isRefused(checked)) return checked;
  return value === '' || escUrlRaw(toStr(value)) !== '' ? true : { code: 'rest_invalid_url', message: 'Invalid URL.' };
}

const cleanText = { sanitize: (value: Json): string => (typeof value === 'string' ? sanitizeTextField(value) : '') };

const itemArgs = (registry: Registry) => ({
  title: { ...shared.title(), type: ['string', 'object'] as ('string' | 'object')[], sanitize: 'raw' as const },
  type: shared.choice('Type of the link target.', ['taxonomy', 'post_type', 'post_type_archive', 'custom'], { default: 'custom' }),
  status: shared.choice('Status of the item.', shared.writableStatuses(registry), { default: 'publish' }),
  parent: shared.integer('ID of the parent item.', { default: 0, minimum: 0 }),
  attr_title: shared.text('Title attribute of the link.', cleanText),
  classes: shared.texts('CSS classes of the link.'),
  description: shared.text('Description of the link.', cleanText),
  menu_order: shared.integer('Position in the menu.', { default: 1, minimum: 1 }),
  object: shared.text('Post type or taxonomy of the link target.', {
    sanitize: (value) => (typeof value === 'string' ? sanitizeKey(value) : ''),
  }),
  object_id: shared.integer('ID of the post or term that the item links to.', { default: 0, minimum: 0 }),
  target: shared.choice('Target attribute of the link.', ['_blank', '']),
  url: shared.text('URL of the link.', { format: 'uri', validate: validUrl }),
  xfn: shared.texts('XFN relationships of the link.'),
  menus: shared.integer('ID of the menu that contains the item.'),
  meta: sharedMetaField(MENU_ITEM, registry),
});

type ItemFields = Partial<EndpointCall<ReturnType<typeof itemArgs>>['params']>;
type ItemWrite = CallContext & { params: ItemFields };

/** WP: `sanitize_html_class`. */
const sanitizeClass = (name: string): string => name.replace(/%[a-fA-F0-9]{2}/g, '').replace(/[^A-Za-z0-9_-]/g, '');

/** The stored fields of an item. */
interface Prepared {
  item: MenuItem;
  title: string;
  description: string;
  attrTitle: string;
  status: string;
  position: number;
  menu: number;
}

const listOf = (sent: unknown): string[] =>
  Array.isArray(sent)
    ? sent.map(String)
    : String(sent)
        .split(/[\s,]+/)
        .filter((each) => each !== '');

/** WP: lists of classes are converted to a string and back, so that an empty list contains an empty class. */
const classesOf = (names: readonly string[]): string[] => names.map(sanitizeClass).join(' ').split(' ');

const NEW: Prepared = {
  item: { type: 'custom', object: '', objectId: 0, parent: 0, target: '', classes: [], xfn: [], url: '' },
  title: '',
  description: '',
  attrTitle: '',
  status: 'publish',
  position: 1,
  menu: 0,
};

/** The fields of a stored item that are kept if they are not sent. WP: in their displayed form. */
async function current(post: Post, call: CallContext): Promise<Prepared> {
  const item = itemOf(post);
  const { title, url } = await shownParts(post, call);
  return {
    item: { ...item, url },
    title,
    description: post.content.trim(),
    attrTitle: post.excerpt,
    status: post.status,
    position: post.menuOrder || 1,
    menu: menuOf(post),
  };
}

function withSent(before: Prepared, params: ItemFields, call: CallContext): Prepared {
  const { item } = before;
  return {
    item: {
      type: params.type ?? item.type,
      object: params.object ?? item.object,
      objectId: params.object_id ?? item.objectId,
      parent: params.parent ?? item.parent,
      target: params.target ?? item.target,
      classes: classesOf(params.classes === undefined ? item.classes : listOf(params.classes)),
      xfn: classesOf(params.xfn === undefined ? item.xfn : listOf(params.xfn)),
      url: params.url ?? item.url,
    },
    title: sentTitle(params.title, call) ?? before.title,
    description: params.description ?? before.description,
    attrTitle: params.attr_title ?? before.attrTitle,
    status: (params.status ?? before.status) === 'publish' ? 'publish' : 'draft',
    position: params.menu_order ?? before.position,
    menu: isEmpty(params.menus) ? before.menu : Math.abs(params.menus ?? 0),
  };
}

const refused = (code: string, message: string): RestError => new RestError(code, message, 400);

/** Requires the target of an item to exist if only its id is sent. @throws RestError */
async function withObject(prepared: Prepared, { site }: CallContext): Promise<Prepared> {
  const { item } = prepared;
  if (item.object === '' && item.type === 'taxonomy') {
    const [term] = await findTerms(site.store, [item.objectId]);
    if (!term) throw refused('rest_term_invalid_id', 'Invalid term ID.');
    return { ...prepared, item: { ...item, object: term.taxonomy } };
  }
  if (item.object === '' && item.type === 'post_type') {
    const post = item.objectId > 0 ? await findPost(site.store, item.objectId) : null;
    if (!post) throw refused('rest_post_invalid_id', 'Invalid post ID.');
    return { ...prepared, item: { ...item, object: post.type } };
  }
  if (item.type === 'post_type_archive' && !site.registry.findPostType(item.object))
    throw refused('rest_post_invalid_type', 'Invalid post type.');
  return prepared;
}

/** @throws RestError for a custom link without a title or a URL, or with both errors (WP) */
function checkCustom({ item, title }: Prepared): void {
  if (item.type !== 'custom') return;
  const missing = [
    ...(title === '' ? [['rest_title_required', 'The title is required when using a custom menu item type.']] : []),
    ...(isEmpty(item.url) ? [['rest_url_required', 'The url is required when using a custom menu item type.']] : []),
  ];
  const [first, second] = missing;
  if (!first) return;
  throw second ? new TwoErrors(first, second) : refused(first[0], first[1]);
}

class TwoErrors extends RestError {
  constructor(
    [code, message]: string[],
    private readonly second: string[],
  ) {
    super(code, message, 400);
  }

  override body(): Json {
    const [code, message] = this.second;
    return { ...(super.body() as Record<string, Json>), additional_errors: [{ code, message, data: { status: 400 } }] };
  }
}

/** The title of the target of an item; an item with the same title stores none (WP). */
async function originalTitle({ type, object, objectId }: MenuItem, { site }: CallContext): Promise<string | null> {
  if (type === 'taxonomy') return (await findTerm(site.store, object, objectId))?.name ?? '';
  if (type === 'post_type') return (objectId > 0 ? await findPost(site.store, objectId) : null)?.title ?? '';
  return type === 'post_type_archive' ? (site.registry.findPostType(object)?.label ?? '') : null;
}

async function prepare(before: Prepared, call: ItemWrite): Promise<Prepared> {
  const prepared = await withObject(withSent(before, call.params, call), call);
  checkCustom(prepared);
  const { item, menu } = prepared;
  if (menu !== 0 && !(await findTerm(call.site.store, MENU, menu))) throw refused('invalid_menu_id', 'Invalid menu ID.');
  const original = await originalTitle(item, call);
  return {
    ...prepared,
    item: { ...item, url: original === null ? escUrlRaw(item.url.trim()) : '' },
    title: original !== null && prepared.title === decodeEntities(original) ? '' : prepared.title,
    position: menu === 0 ? 1 : prepared.position,
  };
}

const fieldsOf = ({ title, description, attrTitle, status, position, menu }: Prepared) => ({
  title,
  content: description,
  excerpt: attrTitle,
  status,
  menuOrder: position,
  terms: (menu === 0 ? {} : { [MENU]: [menu] }) as Post['terms'],
});

/** The meta of an item. WP: a custom link refers to itself, and no item is its own parent. */
const metaOf =
  ({ item, menu }: Prepared, { site }: CallContext) =>
  (id: number): Post['meta'] => {
    const own = item.type === 'custom' ? { object: 'custom', objectId: id } : {};
    return metaOfItem({ ...item, ...own, parent: item.parent === id ? 0 : item.parent }, menu === 0 ? site.clock.seconds() : null);
  };

/** @throws RestError if WordPress rejects it */
async function insertItem(type: RestType, call: ItemWrite): Promise<Post> {
  const prepared = await prepare(NEW, call);
  const more = writeMeta([], call.params.meta, type.meta);
  const own = metaOf(prepared, call);
  const { user } = call.request;
  const data = {
    ...fieldsOf(prepared),
    author: user?._id ?? 0,
    password: '',
    date: null,
    meta: [],
    commentStatus: 'closed',
    pingStatus: 'closed',
  };
  return insertPost(call.site, type.name, data, (id) => [...own(id), ...more]);
}

/** @throws RestError if WordPress rejects it */
async function updateItem(post: Post, type: RestType, call: ItemWrite): Promise<Post> {
  const prepared = await prepare(await current(post, call), call);
  const own = metaOf(prepared, call)(post._id);
  const stored = await updatePost(call.site, post._id, 'keep', (now) => {
    const others = now.meta.filter(({ key }) => !key.startsWith('_menu_item_'));
    return { ...asData(now), ...fieldsOf(prepared), meta: [...own, ...writeMeta(others, call.params.meta, type.meta)] };
  });
  if (!stored) throw invalidPostId();
  return stored;
}

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
        posting(fields, { permission: mayCreatePost(type), handler: (call) => create(type, call) }),
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
