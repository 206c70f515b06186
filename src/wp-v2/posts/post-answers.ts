import { intval, isEmpty, toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { RestResponse } from '../../rest/response.js';
import { canDelete, canEdit, canRead, canWithPosts } from '../../wp/users/capabilities.js';
import { sanitizeTitle } from '../../wp/formatting/slug.js';
import type { Post } from '../../wp/model.js';
import { permalink } from '../../wp/permalinks.js';
import { deletePost, insertPost, trashPost, updatePost } from '../../wp/post-save.js';
import { freeSlugs } from '../../wp/slugs.js';
import { countPosts, findPost, listPosts } from '../../wp/posts.js';
import { loadRelated } from '../../wp/related.js';
import { inTurn } from '../../store/turns.js';
import type { Answers } from '../declare.js';
import type { PostOperation } from './posts.js';
import { listResponse } from '../../rest/lists.js';
import { planPosts } from './post-list.js';
import { postFields, type Context, type PostView } from '../../rest/posts/post-fields.js';
import { presentPost } from './post-present.js';
import { stickyFirst } from './post-sticky.js';
import { changedPost, newPost } from './post-write.js';
import { revisionAnswers } from './revision-answers.js';
import { refusal } from '../../rest/permissions.js';
import type { PostType } from '../../rest/posts/post-types.js';
import type { CallContext, Json, Param, Permission } from '../../rest/route.js';

const invalidId = (): RestError => new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);

/** @throws RestError when there is no such post of the type */
async function postOf({ request, site }: CallContext, type: PostType): Promise<Post> {
  const id = intval(request.get('id'));
  const post = id > 0 ? await findPost(site.store, id) : null;
  if (post?.type !== type.name) throw invalidId();
  return post;
}

/** A check that finds the post first; that there is none comes before any right (WP). */
const onPost =
  (type: PostType, check: (post: Post, context: CallContext) => boolean | RestError | Promise<boolean | RestError>): Permission =>
  async (context) => {
    try {
      return await check(await postOf(context, type), context);
    } catch (error) {
      if (error instanceof RestError) return error;
      throw error;
    }
  };

const EDIT_TYPE = 'Sorry, you are not allowed to edit posts in this post type.';
const EDIT_POST = 'Sorry, you are not allowed to edit this post.';

const isEditing = ({ request }: CallContext): boolean => request.get('context') === 'edit';

const mayReadList =
  ({ name }: PostType): Permission =>
  (context) => {
    const { user } = context.request;
    if (!isEditing(context) || canWithPosts(user, 'edit', name)) return true;
    return refusal(user, 'rest_forbidden_context', EDIT_TYPE);
  };

/** WP: a password counts from the query only, and a wrong one refuses even where none is needed. */
function mayRead(post: Post, context: CallContext): boolean | RestError {
  const { user, sources } = context.request;
  if (isEditing(context) && !canEdit(user, post)) return refusal(user, 'rest_forbidden_context', EDIT_POST);
  const { password } = sources.query;
  if (typeof password === 'string' && password !== '' && password !== '0' && password !== post.password)
    return new RestError('rest_post_incorrect_password', 'Incorrect post password.', 403);
  return canRead(user, post);
}

/**
 * WP: who may not edit what belongs to others may write under their own name only, and keeping posts at the top takes the right to
 * publish, whether their type knows the top or not.
 */
function fieldRefusal({ name }: PostType, { request }: CallContext, verb: 'create' | 'update'): RestError | null {
  const author = request.get('author');
  const { user } = request;
  if (!isEmpty(author) && author !== user?._id && !canWithPosts(user, 'edit_others', name))
    return refusal(user, 'rest_cannot_edit_others', `Sorry, you are not allowed to ${verb} posts as this user.`);
  if (!isEmpty(request.get('sticky')) && !canWithPosts(user, 'publish', name))
    return refusal(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.');
  return null;
}

const valuesOf = (value: Param): Json[] =>
  value === undefined || value === null ? [] : typeof value === 'object' ? Object.values(value) : [value];

/** WP: terms that are not there are passed over, but one that is nothing at all nobody may give to a post. */
function termRefusal({ taxonomies }: PostType, { request }: CallContext): RestError | null {
  const isFine = taxonomies.every(({ base }) => !valuesOf(request.get(base)).some(isEmpty));
  const message = 'Sorry, you are not allowed to assign the provided terms.';
  return isFine ? null : refusal(request.user, 'rest_cannot_assign_term', message);
}

const mayCreate =
  (type: PostType): Permission =>
  (context) => {
    const { user } = context.request;
    if (!isEmpty(context.request.get('id'))) return new RestError('rest_post_exists', 'Cannot create existing post.', 400);
    const refused = fieldRefusal(type, context, 'create');
    if (refused) return refused;
    const message = 'Sorry, you are not allowed to create posts as this user.';
    if (!canWithPosts(user, 'edit', type.name)) return refusal(user, 'rest_cannot_create', message);
    return termRefusal(type, context) ?? true;
  };

const mayUpdate =
  (type: PostType) =>
  (post: Post, context: CallContext): boolean | RestError =>
    canEdit(context.request.user, post)
      ? (fieldRefusal(type, context, 'update') ?? termRefusal(type, context) ?? true)
      : refusal(context.request.user, 'rest_cannot_edit', EDIT_POST);

const mayDelete = (post: Post, { request: { user } }: CallContext): boolean | RestError =>
  canDelete(user, post) || refusal(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');

/** The slugs that posts would get from their titles (WP: shown for editing). */
const slugsFromTitles = (posts: Post[], type: PostType, { site }: CallContext): Promise<Map<number, string>> =>
  freeSlugs(
    site,
    type.name,
    posts.map(({ _id, title, parent }) => ({ id: _id, wanted: sanitizeTitle(title) || String(_id), parent })),
  );

const CONTEXTS: ReadonlySet<string> = new Set(['view', 'embed', 'edit']);

async function viewOf(posts: Post[], type: PostType, context: CallContext, as?: Context): Promise<PostView> {
  const { request, site } = context;
  const named = toStr(request.get('context'));
  const shown = as ?? (CONTEXTS.has(named) ? (named as Context) : 'view');
  const password = request.get('password');
  const words = request.get('excerpt_length');
  return {
    site,
    user: request.user,
    context: shown,
    password: typeof password === 'string' && password !== '' ? password : undefined,
    excerptWords: words === undefined ? undefined : intval(words),
    related: await loadRelated(site.store, posts),
    slugs: shown === 'edit' && type.viewable ? await slugsFromTitles(posts, type, context) : new Map(),
  };
}

async function list(type: PostType, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const plan = await planPosts(type, context);
  const { query, paging, nothing } = plan;
  const { page, perPage, skips } = paging;
  const found = nothing ? 0 : await countPosts(store, query);
  // WP: an offset beyond the end leaves nothing to count.
  const total = skips && query.offset >= found ? 0 : found;
  const pages = Math.ceil(total / perPage);
  if (page > pages && total > 0)
    throw new RestError('rest_post_invalid_page_number', 'The page number requested is larger than the number of pages available.', 400);
  const posts = total === 0 ? [] : await stickyFirst(await listPosts(store, query), plan, type, context);
  const { user } = context.request;
  const shown = posts.filter((post) => (isEditing(context) ? canEdit(user, post) : canRead(user, post)));
  const view = await viewOf(shown, type, context);
  return listResponse(context, `/wp/v2/${type.base}`, { items: shown.map((post) => presentPost(post, type, view)), total, pages, page });
}

async function read(type: PostType, context: CallContext): Promise<RestResponse> {
  const post = await postOf(context, type);
  const { site, request } = context;
  const view = await viewOf([post], type, context);
  const response = new RestResponse(presentPost(post, type, view));
  if (!type.viewable) return response;
  const link = permalink(post, site, canRead(request.user, post), view.related.posts);
  return response.header('Link', `<${link}>; rel="alternate"; type=text/html`);
}

/** The answer to a write. WP: it is in the edit context, which from then on is that of the request. */
async function showWritten(post: Post, type: PostType, context: CallContext, status = 200): Promise<RestResponse> {
  context.request.sources.query = { ...context.request.sources.query, context: 'edit' };
  return new RestResponse(presentPost(post, type, await viewOf([post], type, context, 'edit')), status);
}

async function create(type: PostType, context: CallContext): Promise<RestResponse> {
  const post = await insertPost(context.site, type.name, await newPost(type, context));
  const response = await showWritten(post, type, context, 201);
  return response.header('Location', context.site.restUrl(`/wp/v2/${type.base}/${post._id}`));
}

async function update(type: PostType, context: CallContext): Promise<RestResponse> {
  const post = await postOf(context, type);
  const { site, request } = context;
  const write = async (): Promise<Post | null> => updatePost(site, post._id, 'keep', await changedPost(post, type, context));
  // Of two that are put below each other at once, each would miss where the other goes.
  const isMoved = type.hierarchical && request.get('parent') !== undefined;
  const stored = await (isMoved ? inTurn(site.store, type.name, write) : write());
  if (!stored) throw invalidId();
  return showWritten(stored, type, context);
}

/** WP: for good only when told so; what is in the trash already is not put there again. */
async function remove(type: PostType, context: CallContext): Promise<RestResponse> {
  const post = await postOf(context, type);
  const { site, request } = context;
  if (request.get('force') === true) {
    const previous = postFields(post, type, await viewOf([post], type, context, 'edit'));
    if (!(await deletePost(site, post._id))) throw invalidId();
    return new RestResponse({ deleted: true, previous });
  }
  if (post.status === 'trash') throw new RestError('rest_already_trashed', 'The post has already been deleted.', 410);
  const trashed = await trashPost(site, post._id);
  if (!trashed) throw invalidId();
  return showWritten(trashed, type, context);
}

/** What is built of the core routes of a post type. */
export const postAnswers = (type: PostType): Answers<PostOperation> => ({
  list: { permission: mayReadList(type), handler: (context) => list(type, context) },
  create: { permission: mayCreate(type), handler: (context) => create(type, context) },
  read: { permission: onPost(type, mayRead), handler: (context) => read(type, context) },
  update: { permission: onPost(type, mayUpdate(type)), handler: (context) => update(type, context) },
  delete: { permission: onPost(type, mayDelete), handler: (context) => remove(type, context) },
  ...(type.revisions ? revisionAnswers(type) : {}),
});
