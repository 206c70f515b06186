import { intval } from '../../../base/php/cast.js';
import { switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { listResponse } from '../../rest/lists.js';
import { askedBy, postFields, type PostView } from '../../rest/posts/post-fields.js';
import type { RestType } from '../../rest/posts/post-types.js';
import { sentPassword, tooManyGuesses } from '../../rest/post-password.js';
import { RestResponse, type CallContext, type Json, RestError } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/shown.js';
import { withLock } from '../../../database/store/locks.js';
import { hasBlocks } from '../../formatting/blocks.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import { POST, type Post } from '../../model.js';
import { permalink } from '../../posts/permalinks.js';
import { deletePost, insertPost, trashPost, updatePost } from '../../posts/post-save.js';
import { findPosts, listPosts } from '../../posts/posts.js';
import { loadRelated, thumbnail, type Related } from '../../posts/related.js';
import type { Site } from '../../site.js';
import { freeSlugs } from '../../posts/slugs.js';
import { canEdit, canRead } from '../../users/capabilities.js';
import { addToMenus } from '../menus/menu-routes.js';
import type { DELETION, ITEM, PostListCall, readingArgs } from './post-args.js';
import { pageOfPosts, planPosts, type PostListPlan } from './post-list.js';
import { invalidPostId, postOf } from './post-permissions.js';
import { changedPost, newPost, type PostWrite } from './post-write.js';
import { canReadMedia } from '../media/media-present.js';
import { postLinks } from './post-links.js';

/** Maximum number of additional sticky posts. */
const MOST_STICKY = 100;

/** WP: as on the front page of a blog, so not in searches, lists of terms and later pages. */
const isFrontPage = ({ query, paging }: PostListPlan): boolean => paging.page === 1 && !query.search && !query.terms && !query.formats;

/**
 * The posts of a page, preceded by sticky ones if `ignore_sticky=false`. WP: these ignore other filters, and are added to the page size.
 */
async function stickyFirst(posts: Post[], plan: PostListPlan, { params, site }: PostListCall): Promise<Post[]> {
  const isAsked = params.ignore_sticky === false && params.sticky !== false;
  if (!isAsked || !isFrontPage(plan)) return posts;
  const others = await listPosts(site.store, {
    type: POST,
    statuses: ['publish'],
    sticky: true,
    excludeIds: [...posts.map(({ _id }) => _id), ...params.exclude],
    sort: 'newest',
    limit: MOST_STICKY,
    offset: 0,
  });
  return [...posts.filter(({ sticky }) => sticky), ...others, ...posts.filter(({ sticky }) => !sticky)];
}

/** The featured image to which a post links; 0: none. */
function linkedImage(post: Post, { related, site, user, imageParents: parents = new Map() }: PostView): number {
  const image = thumbnail(post, related);
  if (!image) return 0;
  return site.quirks.has('links-to-hidden-images') || canReadMedia(user, image, { parents, site }) ? image._id : 0;
}

/** A post as the core API shows it. */
const presentPost = (post: Post, type: RestType, view: PostView): Json => ({
  ...postFields(post, type, view),
  _links: postLinks(post, type, view, linkedImage(post, view)),
});

/** The slugs that posts would get from their titles (WP: shown for editing). */
const slugsFromTitles = (posts: Post[], type: RestType, site: Site): Promise<Map<number, string>> =>
  freeSlugs(
    site,
    type.name,
    posts.map(({ _id, title, parent }) => ({ id: _id, wanted: sanitizeTitle(title, site.quirks) || String(_id), parent })),
  );

/** The posts to which the featured images of posts are attached, by id. Most are attached to none. */
async function imageParentsOf(posts: Post[], related: Related, { store, quirks }: Site): Promise<Map<number, Post>> {
  const above = quirks.has('links-to-hidden-images') ? [] : posts.map((post) => thumbnail(post, related)?.parent ?? 0);
  const ids = [...new Set(above)].filter((id) => id > 0);
  const parents = ids.length === 0 ? [] : await findPosts(store, ids);
  return new Map(parents.map((post) => [post._id, post]));
}

async function viewOf(posts: Post[], type: RestType, context: Context, { request, site }: CallContext): Promise<PostView> {
  // WP: lists accept both, although they do not declare them.
  const words = request.get('excerpt_length');
  const related = await loadRelated(site.store, posts);
  return {
    site,
    user: request.user,
    context,
    password: sentPassword(request, site),
    excerptWords: words === undefined ? undefined : intval(words),
    related,
    imageParents: await imageParentsOf(posts, related, site),
    slugs: context === 'edit' && type.viewable ? await slugsFromTitles(posts, type, site) : new Map(),
    asked: askedBy(request),
  };
}

/** @throws RestError for a page beyond the last */
export async function listOfPosts(type: RestType, call: PostListCall): Promise<RestResponse> {
  const { params, request, site } = call;
  const plan = await planPosts(type, call);
  const { posts: found, ...counts } = await pageOfPosts(plan, site.store);
  const posts = counts.total === 0 ? [] : await stickyFirst(found, plan, call);
  const shown = posts.filter((post) => (params.context === 'edit' ? canEdit : canRead)(request.user, post, site.registry));
  const view = await viewOf(shown, type, params.context, call);
  return listResponse(call, `/wp/v2/${type.base}`, { items: shown.map((post) => presentPost(post, type, view)), ...counts });
}

type Reading = EndpointCall<typeof ITEM & ReturnType<typeof readingArgs>>;

export async function readPost(type: RestType, call: Reading): Promise<RestResponse> {
  const { params, request, site } = call;
  const post = await postOf(params.id, type, site);
  const refused = tooManyGuesses(sentPassword(request, site), post);
  if (refused) throw refused;
  const view = await viewOf([post], type, params.context, call);
  const response = new RestResponse(presentPost(post, type, view));
  if (!type.viewable) return response;
  const link = permalink(post, site, canRead(request.user, post, site.registry), view.related.posts);
  return response.header('Link', `<${link}>; rel="alternate"; type=text/html`);
}

async function showWritten(post: Post, type: RestType, call: CallContext, status = 200): Promise<RestResponse> {
  switchToEditing(call);
  const view = await viewOf([post], type, 'edit', call);
  // WP: texts with blocks are rendered once before, which counts.
  if (hasBlocks(post.content)) presentPost(post, type, view);
  return new RestResponse(presentPost(post, type, view), status);
}

export async function createPost(type: RestType, call: PostWrite): Promise<RestResponse> {
  const post = await withSentFields(await insertPost(call.site, type.name, await newPost(type, call)), type.name, call);
  await addToMenus(call.site, null, post);
  const response = await showWritten(post, type, call, 201);
  return response.header('Location', call.site.restUrl(`/wp/v2/${type.base}/${post._id}`));
}

export async function updatePostOf(type: RestType, call: PostWrite & { params: { id: number } }): Promise<RestResponse> {
  const { params, site } = call;
  const post = await postOf(params.id, type, site);
  const write = async (): Promise<Post | null> => updatePost(site, post._id, 'keep', await changedPost(post, type, call));
  // Serialized: concurrent changes of two parents could create a cycle.
  const stored = await (params.parent === undefined ? write() : withLock(site.store, type.name, write));
  if (!stored) throw invalidPostId();
  await addToMenus(site, post, stored);
  return showWritten(await withSentFields(stored, type.name, call), type, call);
}

/** WP: permanent only with `force`; items in the trash cannot be trashed again. */
export async function removePostItem(type: RestType, call: EndpointCall<typeof DELETION>): Promise<RestResponse> {
  const { params, site } = call;
  const post = await postOf(params.id, type, site);
  if (params.force) {
    const previous = postFields(post, type, await viewOf([post], type, 'edit', call));
    if (!(await deletePost(site, post._id))) throw invalidPostId();
    return new RestResponse({ deleted: true, previous });
  }
  if (post.status === 'trash') throw new RestError('rest_already_trashed', 'The post has already been deleted.', 410);
  const trashed = await trashPost(site, post._id, call.request.user);
  if (!trashed) throw invalidPostId();
  return showWritten(trashed, type, call);
}
