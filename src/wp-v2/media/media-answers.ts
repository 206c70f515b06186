import { absint, intval } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { RestResponse } from '../../rest/response.js';
import type { CallContext, Permission } from '../../rest/route.js';
import { can, canWithPosts } from '../../wp/users/capabilities.js';
import { deleteAttachment, updateAttachment } from '../../wp/media/attachment-save.js';
import { freeSlugs } from '../../wp/slugs.js';
import { sanitizeTitle } from '../../wp/formatting/slug.js';
import { ATTACHMENT, type Post } from '../../wp/model.js';
import { countPosts, findPost, findPosts, listPosts, pagesAbove } from '../../wp/posts.js';
import { ALL_TYPES } from '../../wp/media/upload-types.js';
import type { PostQuery } from '../../wp/query/query.js';
import { NOT_BUILT, type Answers } from '../declare.js';
import { listResponse } from '../../rest/lists.js';
import type { MediaOperation } from './media.js';
import { mayDelete, mayEdit, mayRead, mediaFields, mediaLink, presentMedia, type MediaView } from './media-present.js';
import { mayUpload, upload } from './media-upload.js';
import { changedMedia } from './media-write.js';
import { EVENT_META } from '../../rest/posts/registered-meta.js';
import { planPosts } from '../posts/post-list.js';
import type { Context } from '../../rest/posts/post-fields.js';
import type { PostType } from '../../rest/posts/post-types.js';
import { refusal } from '../../rest/permissions.js';

const MEDIA_TYPE: PostType = {
  name: ATTACHMENT,
  base: 'media',
  viewable: true,
  supports: ['author', 'comments'],
  hierarchical: false,
  revisions: false,
  autosaves: false,
  needsText: false,
  taxonomies: [],
  meta: EVENT_META,
  templates: [],
};

const invalidId = (): RestError => new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);

const isEditing = ({ request }: CallContext): boolean => request.get('context') === 'edit';

const CONTEXTS: readonly string[] = ['view', 'embed', 'edit'];

const slugsFromTitles = (posts: Post[], { site }: CallContext): Promise<Map<number, string>> =>
  freeSlugs(
    site,
    ATTACHMENT,
    posts.map(({ _id, title }) => ({ id: _id, wanted: sanitizeTitle(title) || String(_id) })),
  );

async function parentsOf(posts: Post[], { site }: CallContext): Promise<Map<number, Post>> {
  const ids = [...new Set(posts.map(({ parent }) => parent).filter((id) => id > 0))];
  const parents = await findPosts(site.store, ids);
  return new Map([...(await pagesAbove(site.store, parents)).values(), ...parents].map((post) => [post._id, post]));
}

async function viewOf(posts: Post[], context: CallContext, as?: Context): Promise<MediaView> {
  const given = context.request.get('context');
  const named = typeof given === 'string' ? given : '';
  const shown = as ?? (CONTEXTS.includes(named) ? (named as Context) : 'view');
  return {
    site: context.site,
    user: context.request.user,
    context: shown,
    parents: await parentsOf(posts, context),
    slugs: shown === 'edit' ? await slugsFromTitles(posts, context) : new Map(),
  };
}

/** @throws RestError when there is no such attachment */
async function attachmentOf({ request, site }: CallContext): Promise<Post> {
  const id = intval(request.get('id'));
  const post = id > 0 ? await findPost(site.store, id) : null;
  if (post?.type !== ATTACHMENT) throw invalidId();
  return post;
}

type Check = (post: Post, context: CallContext, view: Pick<MediaView, 'parents'>) => boolean | RestError;

/** A check that finds the attachment first; that there is none comes before any right (WP). */
const onAttachment =
  (check: Check): Exclude<Permission, 'public'> =>
  async (context) => {
    try {
      const post = await attachmentOf(context);
      return check(post, context, { parents: await parentsOf([post], context) });
    } catch (error) {
      if (error instanceof RestError) return error;
      throw error;
    }
  };

const mayReadList: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context) || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.');
};

const EDIT_POST = 'Sorry, you are not allowed to edit this post.';

const readable: Check = (post, context, view) => {
  const { user } = context.request;
  if (isEditing(context) && !mayEdit(user, post, view)) return refusal(user, 'rest_forbidden_context', EDIT_POST);
  return mayRead(user, post, view);
};

const editable: Check = (post, { request }, view) => {
  const { user } = request;
  if (!mayEdit(user, post, view)) return refusal(user, 'rest_cannot_edit', EDIT_POST);
  const author = intval(request.get('author') ?? 0);
  if (author === 0 || author === user?._id || canWithPosts(user, 'edit_others')) return true;
  return refusal(user, 'rest_cannot_edit_others', 'Sorry, you are not allowed to update posts as this user.');
};

const deletable: Check = (post, { request: { user } }, view) =>
  mayDelete(user, post, view) || refusal(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');

const numbers = (value: unknown): number[] | undefined => (Array.isArray(value) && value.length > 0 ? value.map(absint) : undefined);

/** WP: a type that is not known to the site does not filter; a kind that is known does. */
function mimeTypesOf({ request }: CallContext): readonly string[] | undefined {
  const type = request.get('mime_type');
  if (typeof type === 'string' && ALL_TYPES.includes(type)) return [type];
  const kind = request.get('media_type');
  return typeof kind === 'string' ? ALL_TYPES.filter((each) => each.startsWith(`${kind}/`)) : undefined;
}

async function list(context: CallContext): Promise<RestResponse> {
  const { request, site } = context;
  const { query: common, paging, nothing } = await planPosts(MEDIA_TYPE, context);
  const query: PostQuery = {
    ...common,
    parents: numbers(request.get('parent')),
    excludeParents: numbers(request.get('parent_exclude')),
    mimeTypes: mimeTypesOf(context),
  };
  const found = nothing ? 0 : await countPosts(site.store, query);
  // WP: an offset beyond the end leaves nothing to count.
  const total = paging.skips && query.offset >= found ? 0 : found;
  const pages = Math.ceil(total / paging.perPage);
  if (paging.page > pages && total > 0)
    throw new RestError('rest_post_invalid_page_number', 'The page number requested is larger than the number of pages available.', 400);
  const posts = total === 0 ? [] : await listPosts(site.store, query);
  const parents = { parents: await parentsOf(posts, context) };
  const shown = posts.filter((post) => (isEditing(context) ? mayEdit : mayRead)(request.user, post, parents));
  const view = await viewOf(shown, context);
  return listResponse(context, '/wp/v2/media', { items: shown.map((post) => presentMedia(post, view)), total, pages, page: paging.page });
}

async function read(context: CallContext): Promise<RestResponse> {
  const post = await attachmentOf(context);
  const view = await viewOf([post], context);
  return new RestResponse(presentMedia(post, view), 200, { Link: `<${mediaLink(post, view)}>; rel="alternate"; type=text/html` });
}

/** The answer to a write. WP: it is in the edit context, which from then on is that of the request. */
async function showWritten(post: Post, context: CallContext, status = 200): Promise<RestResponse> {
  context.request.sources.query = { ...context.request.sources.query, context: 'edit' };
  return new RestResponse(presentMedia(post, await viewOf([post], context, 'edit')), status);
}

async function create(context: CallContext): Promise<RestResponse> {
  const post = await upload(context);
  const response = await showWritten(post, context, 201);
  response.header('X-WP-Upload-Attachment-ID', post._id);
  return response.header('Location', context.site.restUrl(`/wp/v2/media/${post._id}`));
}

async function update(context: CallContext): Promise<RestResponse> {
  const post = await attachmentOf(context);
  const stored = await updateAttachment(context.site, post._id, await changedMedia(post, context));
  if (!stored) throw invalidId();
  return showWritten(stored, context);
}

/** WP: attachments know no trash. */
async function remove(context: CallContext): Promise<RestResponse> {
  const post = await attachmentOf(context);
  if (context.request.get('force') !== true)
    throw new RestError('rest_trash_not_supported', "The post does not support trashing. Set 'force=true' to delete.", 501);
  const previous = mediaFields(post, await viewOf([post], context, 'edit'));
  await deleteAttachment(context.site, post);
  return new RestResponse({ deleted: true, previous });
}

/** WP: a picture is edited into a new file, which takes the right to upload. */
const mayEditImage: Permission = async (context) => {
  const { user } = context.request;
  if (can(user, 'upload_files')) return onAttachment(editable)(context);
  return refusal(user, 'rest_cannot_edit_image', 'Sorry, you are not allowed to upload media on this site.');
};

/** What is built of the media library: everything but edits of pictures. All sizes of a picture are made at its upload; none is left to make. */
export const mediaAnswers = (): Answers<MediaOperation> => ({
  list: { permission: mayReadList, handler: list },
  create: { permission: mayUpload, handler: create },
  read: { permission: onAttachment(readable), handler: read },
  update: { permission: onAttachment(editable), handler: update },
  delete: { permission: onAttachment(deletable), handler: remove },
  process: { permission: onAttachment(editable), handler: async (context) => showWritten(await attachmentOf(context), context) },
  editImage: { ...NOT_BUILT, permission: mayEditImage },
});
