import { intval, isEmpty } from '../../../base/php/cast.js';
import { lookup } from '../../../base/values/records.js';
import { isEditing } from '../../rest/params.js';
import { sentPassword, tooManyGuesses } from '../../rest/post-password.js';
import { discussionOf } from '../../rest/posts/discussion.js';
import { type CallContext, type Permission, type Param, RestError, refusal } from '../../rest/route.js';
import { APPROVED, findComment } from '../../query/comments.js';
import { ATTACHMENT, metaValue, NOTE, isNoteStatus } from '../../model.js';
import type { Comment, Post, User, MetaRow, NoteStatus } from '../../model.js';
import { findPost, findPosts } from '../../posts/posts.js';
import type { Site } from '../../site.js';
import { hasNotes, type Registry } from '../../types/registry.js';
import { can, canEdit, canRead, canWithPosts } from '../../users/capabilities.js';
import { writeMeta } from '../../rest/posts/post-types.js';
import { COMMENT_META } from './comment-write.js';

/*
 * WP 6.9: notes are comments for the editors of a post. Users who may edit the post read and write them, moderators or not.
 */

/** Whether a type is notes. @param type of a stored comment, or as it is sent */
export const isNoteType = (type: Param, { quirks }: Site): boolean => type === NOTE && !quirks.has('no-notes');

export const isNote = ({ type }: Pick<Comment, 'type'>, site: Site): boolean => isNoteType(type, site);

const STATUS_KEY = '_wp_note_status';

const notOnType = (): RestError =>
  new RestError('rest_comment_not_supported_post_type', 'Sorry, this post type does not support notes.', 403);

/** Whether notes can be on a post of this type. */
export const notesRefusal = ({ type }: Post, { quirks, registry }: Site): RestError | null =>
  hasNotes(registry.findPostType(type), quirks) ? null : notOnType();

/** Why a user may not create notes on a post. @param post undefined: there is none */
export const noteRefusal = (user: User | null, post: Post | undefined, { registry }: Site): RestError | null =>
  post && canEdit(user, post, registry)
    ? null
    : refusal(user, 'rest_cannot_create_note', 'Sorry, you are not allowed to create notes for this post.');

/** The status that a request sends for a new note; undefined if it is none. */
export function sentNoteStatus({ request }: CallContext): NoteStatus | undefined {
  const meta = request.get('meta');
  const status = meta !== null && typeof meta === 'object' && !Array.isArray(meta) ? meta[STATUS_KEY] : undefined;
  return isNoteStatus(status) ? status : undefined;
}

const rowsOf = ({ noteStatus }: Comment): MetaRow[] => (noteStatus === undefined ? [] : [{ key: STATUS_KEY, value: noteStatus }]);

/**
 * The changes by the meta that a request sends. WP: made after all others, which stay if this one fails.
 * @param mayEdit whether the caller may edit the post of the comment
 * @throws RestError
 */
export function noteStatusChange(comment: Comment, mayEdit: boolean, { request, site }: CallContext): Partial<Comment> {
  if (site.quirks.has('no-notes')) return {};
  const status = metaValue({ meta: writeMeta(rowsOf(comment), request.get('meta'), COMMENT_META) }, STATUS_KEY);
  if (status === comment.noteStatus) return {};
  if (mayEdit) return { noteStatus: isNoteStatus(status) ? status : undefined };
  const code = status === undefined ? 'rest_cannot_delete' : 'rest_cannot_update';
  const message = `Sorry, you are not allowed to edit the ${STATUS_KEY} custom field.`;
  throw new RestError(code, message, request.user ? 403 : 401, { key: STATUS_KEY });
}

export const invalidCommentId = (): RestError => new RestError('rest_comment_invalid_id', 'Invalid comment ID.', 404);

/** @throws RestError when there is no such comment, or its post is gone */
export async function commentOf({ request, site }: CallContext): Promise<{ comment: Comment; post: Post | null }> {
  const comment = await findComment(site.store, intval(request.get('id')));
  if (!comment) throw invalidCommentId();
  const post = comment.post > 0 ? await findPost(site.store, comment.post) : null;
  if (comment.post > 0 && !post) throw new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);
  return { comment, post };
}

/** Whether the caller may read the comments of a post. WP: attachments have the permissions of their parent. */
function canReadPost({ request, site }: CallContext, post: Post, parents: ReadonlyMap<number, Post>): boolean {
  const { user } = request;
  const { registry } = site;
  if (registry.findPostType(post.type)?.base === undefined) return false;
  if (post.password !== '' && sentPassword(request, site)?.opens(post) !== true) return canEdit(user, post, registry);
  if (post.status !== 'inherit') return canRead(user, post, registry);
  const above = parents.get(post.parent);
  return !above || canRead(user, above, registry);
}

/** Posts by id, with the parents of attachments. */
export async function postsWithParents({ store }: Site, ids: readonly number[]): Promise<Map<number, Post>> {
  const posts = await findPosts(store, [...new Set(ids)]);
  const above = posts.filter(({ status, parent }) => status === 'inherit' && parent > 0).map(({ parent }) => parent);
  const parents = above.length > 0 ? await findPosts(store, above) : [];
  return new Map([...parents, ...posts].map((post) => [post._id, post]));
}

/** WP: users who may edit the post may edit its comments. */
export const canEditComment = (user: User | null, post: Post | null, registry: Registry): boolean =>
  post ? canEdit(user, post, registry) : canWithPosts(user, 'edit');

export const canChange = (user: User | null, post: Post | null, registry: Registry): boolean =>
  can(user, 'moderate_comments') || canEditComment(user, post, registry);

export function canReadComment(context: CallContext, comment: Comment, posts: ReadonlyMap<number, Post>): boolean {
  const { user } = context.request;
  const post = posts.get(comment.post) ?? null;
  if (comment.post > 0 && isNote(comment, context.site)) return post !== null && canEdit(user, post, context.site.registry);
  if (post && comment.approved === APPROVED && canReadPost(context, post, posts)) return true;
  if (!user || (comment.post === 0 && !can(user, 'moderate_comments'))) return false;
  return comment.author === user._id || canEditComment(user, post, context.site.registry);
}

const CANNOT_READ_POST = 'Sorry, you are not allowed to read the post for this comment.';
const EDITING = 'Sorry, you are not allowed to edit comments.';

/** WP: filters that only users who may edit posts can use. */
const PROTECTED = ['author', 'author_exclude', 'author_email', 'type', 'status'];
const HARMLESS: Record<string, string> = lookup({ status: 'approve', type: 'comment' });

function forbiddenFilters({ request }: CallContext): RestError | null {
  const forbidden = PROTECTED.filter((name) => {
    const value = request.get(name);
    return name in HARMLESS ? value !== HARMLESS[name] : Array.isArray(value) ? value.length > 0 : !isEmpty(value);
  });
  if (forbidden.length === 0) return null;
  return refusal(request.user, 'rest_forbidden_param', `Query parameter not permitted: ${forbidden.join(', ')}`);
}

export const mayListComments: Permission = async (context) => {
  const { request, site } = context;
  const { user } = request;
  const areNotes = isNoteType(request.get('type'), site);
  const given = request.get('post');
  // WP: a number if it is part of a write, whose `Allow` depends on reading, too; a text if it is invalid, which is no post.
  const values = isEmpty(given) ? [] : [given].flat();
  const ids = values.map(intval);
  const posts = ids.length > 0 ? await postsWithParents(site, ids) : new Map<number, Post>();
  for (const [index, id] of ids.entries()) {
    const post = posts.get(id);
    const guessed = post && tooManyGuesses(sentPassword(request, site), post);
    if (guessed) return guessed;
    if (post && !canReadPost(context, post, posts)) return refusal(user, 'rest_cannot_read_post', CANNOT_READ_POST);
    if (values[index] === 0 && !can(user, 'moderate_comments'))
      return refusal(user, 'rest_cannot_read', 'Sorry, you are not allowed to read comments without a post.');
    const misplaced = post && areNotes ? notesRefusal(post, site) : null;
    if (post && misplaced) return canEdit(user, post, site.registry) ? misplaced : (forbiddenFilters(context) ?? misplaced);
  }
  const mayEdit = (id: number): boolean => {
    const post = posts.get(id);
    return post !== undefined && canEdit(user, post, site.registry);
  };
  const isEditor = areNotes && ids.length > 0 ? ids.every(mayEdit) : can(user, 'moderate_comments');
  if (isEditing(context) && !isEditor) return refusal(user, 'rest_forbidden_context', EDITING);
  return canWithPosts(user, 'edit') || (forbiddenFilters(context) ?? true);
};

type Found = Awaited<ReturnType<typeof commentOf>>;

/** A permission check that finds the comment first: a missing comment is reported before missing permissions (WP). */
const onComment =
  (check: (found: Found, context: CallContext) => boolean | RestError | Promise<boolean | RestError>): Permission =>
  async (context) =>
    check(await commentOf(context), context);

export const mayReadComment = onComment(async ({ comment, post }, context) => {
  const { user } = context.request;
  const guessed = post && tooManyGuesses(sentPassword(context.request, context.site), post);
  if (guessed) return guessed;
  const isEditor = isNote(comment, context.site)
    ? post !== null && canEdit(user, post, context.site.registry)
    : can(user, 'moderate_comments');
  if (isEditing(context) && !isEditor) return refusal(user, 'rest_forbidden_context', EDITING);
  const posts = await postsWithParents(context.site, [comment.post]);
  if (!canReadComment(context, comment, posts))
    return refusal(user, 'rest_cannot_read', 'Sorry, you are not allowed to read this comment.');
  return !post || canReadPost(context, post, posts) || refusal(user, 'rest_cannot_read_post', CANNOT_READ_POST);
});

const mayNot = (code: string, verb: string, user: User | null): RestError =>
  refusal(user, code, `Sorry, you are not allowed to ${verb} this comment.`);

const changing = (code: string, verb: string): Permission =>
  onComment(({ post }, { request: { user }, site }) => canChange(user, post, site.registry) || mayNot(code, verb, user));

export const cannotEdit = (user: User | null): RestError => mayNot('rest_cannot_edit', 'edit', user);

export const mayUpdateComment = changing('rest_cannot_edit', 'edit');
export const mayDeleteComment = changing('rest_cannot_delete', 'delete');

const MODERATED = ['author', 'author_ip'] as const;

const mayNotSet = (field: string): RestError =>
  new RestError(`rest_comment_invalid_${field}`, `Sorry, you are not allowed to edit '${field}' for comments.`, 403);

/** WP: permissions to comment. Filters of the list count as fields here, since `status` has a default there. */
export const mayComment: Permission = async (context) => {
  const { request, site } = context;
  const { user } = request;
  if (!user) return new RestError('rest_comment_login_required', 'Sorry, you must be logged in to comment.', 401);
  const isOwn = (name: string): boolean => name === 'author' && request.get(name) === user._id;
  const set = MODERATED.find((name) => request.get(name) !== undefined && !isOwn(name));
  const isModerator = can(user, 'moderate_comments');
  if (set !== undefined && !isModerator) return mayNotSet(set);
  const sent = request.get('post');
  const id = isEmpty(sent) ? 0 : intval(sent);
  const posts = await postsWithParents(site, [id]);
  const post = posts.get(id);
  const isForNote = isNoteType(request.get('type'), site);
  const cannotNote = isForNote ? noteRefusal(user, post, site) : null;
  if (cannotNote && id !== 0) return cannotNote;
  if (request.get('status') !== undefined && (isForNote ? cannotNote : !isModerator)) return mayNotSet('status');
  const refused = (code: string, message: string): RestError => new RestError(code, `Sorry, ${message}`, 403);
  if (!post) return refused('rest_comment_invalid_post_id', 'you are not allowed to create this comment without a post.');
  const misplaced = isForNote ? notesRefusal(post, site) : null;
  if (misplaced) return misplaced;
  if ((post.status === 'draft' && !isForNote) || post.status === 'trash')
    return refused(`rest_comment_${post.status}_post`, 'you are not allowed to create a comment on this post.');
  const guessed = tooManyGuesses(sentPassword(request, site), post);
  if (guessed) return guessed;
  if (!canReadPost(context, post, posts)) return refused('rest_cannot_read_post', 'you are not allowed to read the post for this comment.');
  // WP: attachments are stored with the setting for new posts.
  const status = post.type === ATTACHMENT ? (post.commentStatus ?? site.options.discussion.comments) : discussionOf(post, site).comments;
  return status === 'open' || isForNote || refused('rest_comment_closed', 'comments are closed for this item.');
};
