import { intval, isEmpty } from '../../../base/php/cast.js';
import { isEditing } from '../../rest/params.js';
import { mayReadAlso } from '../../rest/posts/readers.js';
import { sentPassword, tooManyGuesses } from '../../rest/post-password.js';
import type { RestType } from '../../rest/posts/post-types.js';
import { type CallContext, type Json, type Param, type Permission, RestError, refusal } from '../../rest/route.js';
import type { Post } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import type { Site } from '../../site.js';
import { canCreate, canDelete, canEdit, canRead, canWithPosts } from '../../users/capabilities.js';

export const invalidPostId = (): RestError => new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);

/** @throws RestError if there is no such post of the type */
export async function postOf(id: number, type: RestType, { store }: Site): Promise<Post> {
  const post = id > 0 ? await findPost(store, id) : null;
  if (post?.type !== type.name) throw invalidPostId();
  return post;
}

/** A permission check that finds the post first: a missing one is reported before missing permissions (WP). */
const onPost =
  (type: RestType, check: (post: Post, context: CallContext) => boolean | RestError | Promise<boolean | RestError>): Permission =>
  async (context) =>
    check(await postOf(intval(context.request.get('id')), type, context.site), context);

const EDIT_TYPE = 'Sorry, you are not allowed to edit posts in this post type.';
const EDIT_POST = 'Sorry, you are not allowed to edit this post.';

export const mayReadPostList =
  (type: RestType): Permission =>
  (context) => {
    const { user } = context.request;
    if (!isEditing(context) || canWithPosts(user, 'edit', type)) return true;
    return refusal(user, 'rest_forbidden_context', EDIT_TYPE);
  };

/** WP: the password is read from the query only, and a wrong one is rejected even if none is needed. */
export function sentPasswordError(post: Post, { request, site }: CallContext): RestError | null {
  const sent = request.sources.query.password;
  const password = sent === undefined || sent === '0' ? null : sentPassword(request, site, sent);
  if (password === null) return null;
  const refused = tooManyGuesses(password, post);
  if (refused) return refused;
  return password.opens(post) ? null : new RestError('rest_post_incorrect_password', 'Incorrect post password.', 403);
}

async function isReadable(post: Post, context: CallContext): Promise<boolean | RestError> {
  const { user } = context.request;
  const { registry } = context.site;
  if (isEditing(context) && !canEdit(user, post, registry)) return refusal(user, 'rest_forbidden_context', EDIT_POST);
  return sentPasswordError(post, context) ?? (canRead(user, post, registry) && (await mayReadAlso(post, context)));
}

/**
 * WP: users who may not edit posts of others may only write as themselves, and `sticky` requires the permissions to publish and to edit posts
 * of others, for every type.
 */
function fieldRefusal(type: RestType, { request, site }: CallContext, verb: 'create' | 'update'): RestError | null {
  const author = request.get('author');
  const { user } = request;
  const mayEditOthers = canWithPosts(user, 'edit_others', type);
  if (!isEmpty(author) && author !== user?._id && !mayEditOthers)
    return refusal(user, 'rest_cannot_edit_others', `Sorry, you are not allowed to ${verb} posts as this user.`);
  const mayStick = canWithPosts(user, 'publish', type) && (mayEditOthers || site.quirks.has('authors-make-sticky'));
  if (!isEmpty(request.get('sticky')) && !mayStick)
    return refusal(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.');
  return null;
}

const valuesOf = (value: Param): Json[] =>
  value === undefined || value === null ? [] : typeof value === 'object' ? Object.values(value) : [value];

/** WP: unknown terms are ignored, but an invalid id is rejected. */
function termRefusal({ taxonomies }: RestType, { request }: CallContext): RestError | null {
  const isFine = taxonomies.every(({ base }) => !valuesOf(request.get(base)).some(isEmpty));
  const message = 'Sorry, you are not allowed to assign the provided terms.';
  return isFine ? null : refusal(request.user, 'rest_cannot_assign_term', message);
}

export const mayCreatePost =
  (type: RestType): Permission =>
  (context) => {
    const { user } = context.request;
    if (!isEmpty(context.request.get('id'))) return new RestError('rest_post_exists', 'Cannot create existing post.', 400);
    const refused = fieldRefusal(type, context, 'create');
    if (refused) return refused;
    const message = 'Sorry, you are not allowed to create posts as this user.';
    if (!canCreate(user, type)) return refusal(user, 'rest_cannot_create', message);
    return termRefusal(type, context) ?? true;
  };

export const mayUpdatePost = (type: RestType): Permission =>
  onPost(type, (post, context) =>
    canEdit(context.request.user, post, context.site.registry)
      ? (fieldRefusal(type, context, 'update') ?? termRefusal(type, context) ?? true)
      : refusal(context.request.user, 'rest_cannot_edit', EDIT_POST),
  );

export const mayReadPost = (type: RestType): Permission => onPost(type, isReadable);

export const mayDeletePost = (type: RestType): Permission =>
  onPost(
    type,
    (post, { request: { user }, site }) =>
      canDelete(user, post, site.registry) || refusal(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.'),
  );
