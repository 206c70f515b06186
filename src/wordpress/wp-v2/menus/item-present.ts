import { trimWords } from '../../formatting/strip-tags.js';
import { withRestFields } from '../../rest/rest-fields/shown.js';
import { type RestType, presentMeta } from '../../rest/posts/post-types.js';
import { archiveUrl } from '../../links.js';
import type { CallContext, Json } from '../../rest/route.js';
import type { Context } from '../../rest/params.js';
import { anyPermalink } from '../../media/attachments.js';
import { renderTitle } from '../../formatting/content.js';
import { ATTACHMENT, MENU, type Post, type Term } from '../../model.js';
import { findPosts, pagesAbove } from '../../posts/posts.js';
import { itemOf, menuOf, type MenuItem } from '../../query/menus.js';
import { corePath, termUrl, findTerms, withAncestors } from '../../terms/terms.js';
import { can, canDelete, canEdit, canRead } from '../../users/capabilities.js';
import { allowHints, withCuries, type PostLinks } from '../posts/post-links.js';
import { asJson } from '../../../base/values/records.js';

/** The targets of the items of a page, loaded. */
interface Targets {
  posts: ReadonlyMap<number, Post>;
  terms: Map<number, Term>;
}

/** The properties of an item that come from its target. */
interface MenuItemParts {
  title: string;
  url: string;
  typeLabel: string;
  isInvalid: boolean;
}

/** WP: maximum number of words of a description. */
const MOST_WORDS = 200;

async function loadTargets(items: readonly MenuItem[], { site: { store } }: CallContext): Promise<Targets> {
  const idsOf = (type: string): number[] => [...new Set(items.filter((item) => item.type === type).map(({ objectId }) => objectId))];
  const [posts, terms] = await Promise.all([findPosts(store, idsOf('post_type')), findTerms(store, idsOf('taxonomy'))]);
  const owners = await findPosts(
    store,
    posts.flatMap(({ type, parent }) => (type === ATTACHMENT && parent > 0 ? [parent] : [])),
  );
  const above = await pagesAbove(store, posts);
  return {
    posts: new Map([...above.values(), ...owners, ...posts].map((post) => [post._id, post])),
    terms: await withAncestors(store, terms),
  };
}

const untitled = (id: number): string => `#${id} (no title)`;

function fromPost(item: MenuItem, { posts }: Targets, { site, request }: CallContext): MenuItemParts {
  const type = site.registry.findPostType(item.object);
  const post = posts.get(item.objectId);
  return {
    title: (post ? renderTitle(post.title) : '') || untitled(item.objectId),
    url: post ? anyPermalink(post, site, posts, canRead(request.user, post, site.registry)) : '',
    typeLabel: type?.singular ?? item.object,
    isInvalid: !type || !post || post.status === 'trash',
  };
}

function fromTerm(item: MenuItem, { terms }: Targets, { site }: CallContext): MenuItemParts {
  const taxonomy = site.registry.findTaxonomy(item.object);
  const found = terms.get(item.objectId);
  const term = found?.taxonomy === item.object ? found : undefined;
  return {
    title: term?.name || untitled(item.objectId),
    url: term ? termUrl(term, terms, site) : '',
    typeLabel: taxonomy?.singular ?? item.object,
    isInvalid: !taxonomy || !term,
  };
}

function fromArchive(item: MenuItem, { site }: CallContext): MenuItemParts {
  const type = site.registry.findPostType(item.object);
  return {
    title: type?.label ?? '',
    url: type?.archive ? archiveUrl(site, type) : '',
    typeLabel: 'Post Type Archive',
    isInvalid: !type,
  };
}

function partsOf(post: Post, item: MenuItem, targets: Targets, call: CallContext): MenuItemParts {
  if (item.type === 'custom') return { title: post.title, url: item.url, typeLabel: 'Custom Link', isInvalid: false };
  const from = item.type === 'taxonomy' ? fromTerm : fromPost;
  const parts = item.type === 'post_type_archive' ? fromArchive(item, call) : from(item, targets, call);
  return post.title === '' ? parts : { ...parts, title: post.title };
}

/** The displayed title and URL of an item. */
export async function shownParts(post: Post, call: CallContext): Promise<MenuItemParts> {
  const item = itemOf(post);
  return partsOf(post, item, await loadTargets([item], call), call);
}

/** The API URL of the target of an item. */
function objectLink(item: MenuItem, { posts, terms }: Targets, { site }: CallContext): PostLinks {
  const post = item.type === 'post_type' ? posts.get(item.objectId) : undefined;
  const term = item.type === 'taxonomy' ? terms.get(item.objectId) : undefined;
  const base = post && site.registry.findPostType(post.type)?.base;
  const path = post && base !== undefined ? `/wp/v2/${base}/${post._id}` : term && corePath(term, site.registry);
  if (path === undefined) return {};
  const kind: Record<string, string> = post ? { post_type: item.object } : { taxonomy: item.object };
  return { 'wp:menu-item-object': [{ ...kind, embeddable: true, href: site.restUrl(path) }] };
}

function linksOf(post: Post, type: RestType, item: MenuItem, targets: Targets, context: Context, call: CallContext): PostLinks {
  const { site, request } = call;
  const href = (path: string): string => site.restUrl(`/wp/v2/${path}`);
  const self = href(`${type.base}/${post._id}`);
  const isEditor = canEdit(request.user, post, site.registry);
  const actions = ['publish', ...(can(request.user, 'unfiltered_html') ? ['unfiltered-html'] : []), 'create-menus', 'assign-menus'];
  const acting = context === 'edit' && isEditor ? actions.map((action) => [`wp:action-${action}`, [{ href: self }]] as const) : [];
  return withCuries({
    self: [{ href: self, targetHints: { allow: allowHints(isEditor, canDelete(request.user, post, site.registry)) } }],
    collection: [{ href: href(type.base) }],
    about: [{ href: href(`types/${type.name}`) }],
    'wp:term': [{ taxonomy: MENU, embeddable: true, href: href(`menus?post=${post._id}`) }],
    ...objectLink(item, targets, call),
    ...Object.fromEntries(acting),
  });
}

/** Items of menus as the core API shows them. */
export async function presentItems(posts: readonly Post[], type: RestType, context: Context, call: CallContext): Promise<Json[]> {
  const items = posts.map(itemOf);
  const targets = await loadTargets(items, call);
  return posts.map((post, i) => {
    const item = items[i];
    const { title, url, typeLabel, isInvalid } = partsOf(post, item, targets, call);
    const menu = menuOf(post);
    const isFull = context !== 'embed';
    const fields = {
      id: post._id,
      title: { ...(context === 'edit' ? { raw: title } : {}), rendered: renderTitle(title) },
      status: post.status,
      url,
      attr_title: post.excerpt,
      description: trimWords(post.content, MOST_WORDS),
      type: item.type,
      type_label: typeLabel,
      object: item.object,
      object_id: item.objectId,
      parent: item.parent,
      menu_order: post.menuOrder,
      target: item.target,
      classes: item.classes,
      xfn: item.xfn,
      invalid: isInvalid,
      ...(isFull ? { meta: presentMeta(post, type.meta) } : {}),
      ...(isFull && menu !== 0 ? { menus: menu } : {}),
    };
    const { request, site } = call;
    const mayEdit = (): boolean => canEdit(request.user, post, site.registry);
    return {
      ...withRestFields(fields, post, type.name, { site, user: request.user, context }, mayEdit),
      _links: asJson(linksOf(post, type, item, targets, context, call)),
    };
  });
}
