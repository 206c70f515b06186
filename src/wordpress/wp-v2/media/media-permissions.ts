import { intval } from '../../../base/php/cast.js';
import { isEditing } from '../../rest/params.js';
import { type CallContext, type Permission, RestError, refusal } from '../../rest/route.js';
import { ATTACHMENT, type Post } from '../../model.js';
import { findPost, findPosts, pagesAbove } from '../../posts/posts.js';
import type { Site } from '../../site.js';
import { can, canWithPosts } from '../../users/capabilities.js';
import { sentPasswordError } from '../posts/post-permissions.js';
import { canDeleteMedia, canEditMedia, canReadMedia, type MediaView } from './media-present.js';

export const invalidMediaId = (): RestError => new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);

/** @throws RestError when there is no such attachment */
export async function attachmentOf(id: number, { store }: Site): Promise<Post> {
  const post = id > 0 ? await findPost(store, id) : null;
  if (post?.type !== ATTACHMENT) throw invalidMediaId();
  return post;
}

/** The parents of attachments, and their ancestors, by id. */
export async function parentsOfMedia(posts: Post[], { store }: Site): Promise<Map<number, Post>> {
  const ids = [...new Set(posts.map(({ parent }) => parent).filter((id) => id > 0))];
  const parents = await findPosts(store, ids);
  return new Map([...(await pagesAbove(store, parents)).values(), ...parents].map((post) => [post._id, post]));
}

type Check = (post: Post, context: CallContext, view: Pick<MediaView, 'parents' | 'site'>) => boolean | RestError;

/** A permission check that finds the attachment first: a missing one is reported before missing permissions (WP). */
const onAttachment =
  (check: Check): Exclude<Permission, 'public'> =>
  async (context) => {
    const { site } = context;
    const post = await attachmentOf(intval(context.request.get('id')), site);
    return check(post, context, { site, parents: await parentsOfMedia([post], site) });
  };

export const mayReadMediaList: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context) || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.');
};

const EDIT_POST = 'Sorry, you are not allowed to edit this post.';

export const mayReadMedia = onAttachment((post, context, view) => {
  const { user } = context.request;
  if (isEditing(context) && !canEditMedia(user, post, view)) return refusal(user, 'rest_forbidden_context', EDIT_POST);
  return sentPasswordError(post, context) ?? canReadMedia(user, post, view);
});

export const mayEdit = onAttachment((post, { request }, view) => {
  const { user } = request;
  if (!canEditMedia(user, post, view)) return refusal(user, 'rest_cannot_edit', EDIT_POST);
  const author = intval(request.get('author') ?? 0);
  if (author === 0 || author === user?._id || canWithPosts(user, 'edit_others')) return true;
  return refusal(user, 'rest_cannot_edit_others', 'Sorry, you are not allowed to update posts as this user.');
});

export const mayDeleteMedia = onAttachment(
  (post, { request: { user } }, view) =>
    canDeleteMedia(user, post, view) || refusal(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.'),
);

/** WP: editing a picture creates a new file, which requires the permission to upload. */
export const mayEditImage: Permission = async (context) => {
  const { user } = context.request;
  if (can(user, 'upload_files')) return mayEdit(context);
  return refusal(user, 'rest_cannot_edit_image', 'Sorry, you are not allowed to upload media on this site.');
};
