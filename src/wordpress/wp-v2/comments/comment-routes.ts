import { isEmpty, absint } from '../../../base/php/cast.js';
import { switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { listResponse, pagingOf } from '../../rest/lists.js';
import { RestResponse, RestError, type CallContext, type Route } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/shown.js';
import { withLock } from '../../../database/store/locks.js';
import { APPROVED, HELD, changeComment, deleteComment, insertComment, withStatus, withoutNotes } from '../../query/comments.js';
import type { CommentFilter } from '../../query/comments.js';
import { NOTE, type Comment, type Post } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import type { Store } from '../../store.js';
import { can } from '../../users/capabilities.js';
import {
  canChange,
  canEditComment,
  canReadComment,
  cannotEdit,
  commentOf,
  invalidCommentId,
  postsWithParents,
  isNote,
  isNoteType,
  noteRefusal,
  notesRefusal,
  noteStatusChange,
  sentNoteStatus,
} from './comment-permissions.js';
import * as permissions from './comment-permissions.js';
import { commentFields, presentComment, type CommentView } from './comment-present.js';
import { approvalOf, checkLengths, checkRepetition, filteredComment, sentFields, statusChange, writtenBy } from './comment-write.js';
import { COMMENT_FIELDS, COMMENT_FILTERS, commentSchema } from './comment-write.js';
import { lookup } from '../../../base/values/records.js';
import { sorted } from '../../../database/store/local/values.js';
import { readSentDate } from '../../rest/posts/dates.js';
import { holds, isLong } from '../../query/clauses.js';
import * as shared from '../args.js';
import { described, edit, editing, get, post as posting, removal as removing, route } from '../declare.js';

type CommentListCall = EndpointCall<typeof COMMENT_FILTERS>;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** WP: the fields that a search covers. */
const SEARCHED = ['authorName', 'authorEmail', 'authorUrl', 'authorIp', 'content'];

/** Whether a field contains a text, in any case. A text that is too long for a pattern is compared without regard to case in ASCII only. */
function contains(field: string, text: string): CommentFilter {
  const pattern = escaped(text);
  if (!isLong(pattern)) return { [field]: { $regex: pattern, $options: 'i' } };
  return {
    $expr: holds(
      { $toLower: `$${field}` },
      text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    ),
  };
}

const STATUS: Record<string, string[]> = lookup({ approve: ['1'], hold: ['0'], all: ['0', '1'] });

function oneOf(field: string, wanted: number[] = [], unwanted: number[] = []): CommentFilter[] {
  const ids = (given: number[]): number[] => given.map(absint);
  return [
    ...(wanted.length > 0 ? [{ [field]: { $in: ids(wanted) } }] : []),
    ...(unwanted.length > 0 ? [{ [field]: { $nin: ids(unwanted) } }] : []),
  ];
}

function filterOf({ params, site }: CommentListCall): CommentFilter {
  const { status, type, search, after, before, author_email: email } = params;
  const all: CommentFilter[] = [
    ...(status === 'any' ? [] : [{ approved: { $in: STATUS[status] ?? [status] } }]),
    ...(type === 'all' ? [] : [type === '' ? withoutNotes(site.quirks) : { type }]),
    ...oneOf('_id', params.include, params.exclude),
    ...oneOf('author', params.author, params.author_exclude),
    ...oneOf('parent', params.parent, params.parent_exclude),
    ...oneOf('post', params.post),
    ...(email ? [{ authorEmail: email }] : []),
    ...(after === undefined ? [] : [{ date: { $gt: readSentDate(after, false, site).date } }]),
    ...(before === undefined ? [] : [{ date: { $lt: readSentDate(before, false, site).date } }]),
    ...(search ? [{ $or: SEARCHED.map((field) => contains(field, search)) }] : []),
  ];
  return all.length > 0 ? { $and: all } : {};
}

const COLUMNS = { date: 'date', date_gmt: 'dateGmt', id: '_id', include: '_id', post: 'post', parent: 'parent', type: 'type' } as const;

function sortOf({ orderby, order }: CommentListCall['params']): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1;
  const column = COLUMNS[orderby];
  return column === '_id' ? { _id: direction } : { [column]: direction, _id: direction };
}

/** The most comments of several posts that are read together. */
const MOST = 2_000;

/** The comments on a page of a list, and the number of all. Lists of single posts that are embedded in a list of posts are one query. */
async function pageOfComments(call: CommentListCall): Promise<{ found: Comment[]; total: number }> {
  const { params, site } = call;
  const { cache, comments } = site.store;
  const { perPage, offset } = pagingOf(params);
  const filter = filterOf(call);
  const ofPosts = (post: number[]): CommentFilter => filterOf({ ...call, params: { ...params, post } });
  const load = async (posts: number[]): Promise<ReadonlyMap<number, Comment[]>> => {
    if (posts.length === 1) return new Map();
    const read = await comments
      .find(ofPosts(posts))
      .limit(MOST + 1)
      .toArray();
    if (read.length > MOST) return new Map();
    const byPost = new Map(posts.map((id): [number, Comment[]] => [id, []]));
    for (const comment of read) byPost.get(comment.post)?.push(comment);
    return byPost;
  };
  const [post, ...others] = params.post ?? [];
  const isOfOne = post !== undefined && others.length === 0;
  const all = isOfOne ? await cache.lookUp(`comments ${JSON.stringify(ofPosts([]))}`, absint(post), load) : undefined;
  if (all) return { found: sorted(all, sortOf(params)).slice(offset, offset + perPage), total: all.length };
  const [found, total] = await Promise.all([
    comments.find(filter).sort(sortOf(params)).skip(offset).limit(perPage).toArray(),
    comments.countDocuments(filter),
  ]);
  return { found, total };
}

/** Finds the comments that have replies among some. */
async function answeredAmong({ cache, comments }: Store, ids: readonly number[]): Promise<number[]> {
  const load = async (parents: number[]): Promise<ReadonlyMap<number, true>> =>
    new Map((await comments.distinct('parent', { parent: { $in: parents }, approved: { $in: [HELD, APPROVED] } })).map((id) => [id, true]));
  const known = await Promise.all(ids.map((id) => cache.lookUp('parents of comments', id, load)));
  return ids.filter((_, i) => known[i]);
}

/** Loads related data of comments, with one query each. */
async function viewOf(comments: readonly Comment[], context: Context, call: CallContext): Promise<CommentView> {
  const { store } = call.site;
  const authors = [...new Set(comments.map(({ author }) => author).filter((id) => id > 0))];
  const ids = comments.map(({ _id }) => _id);
  const [posts, users, replies] = await Promise.all([
    postsWithParents(
      call.site,
      comments.map(({ post }) => post),
    ),
    authors.length > 0 ? store.users.find({ _id: { $in: authors } }).toArray() : [],
    answeredAmong(store, ids),
  ]);
  return { call, context, posts, users: new Map(users.map((user) => [user._id, user])), repliedTo: new Set(replies) };
}

/** WP: the total includes comments that the caller may not read. */
async function commentList(call: CommentListCall): Promise<RestResponse> {
  const { params } = call;
  const { perPage, page, skips } = pagingOf(params);
  const { found, total } = await pageOfComments(call);
  const view = await viewOf(found, params.context, call);
  const items = found.filter((comment) => canReadComment(call, comment, view.posts)).map((comment) => presentComment(comment, view));
  return listResponse(call, '/wp/v2/comments', { items, total, pages: Math.ceil(total / perPage), page: skips ? 1 : page });
}

async function show(comment: Comment, context: Context, call: CallContext, status = 200): Promise<RestResponse> {
  return new RestResponse(presentComment(comment, await viewOf([comment], context, call)), status);
}

async function showComment(call: CallContext & { params: { context: Context } }): Promise<RestResponse> {
  const { comment } = await commentOf(call);
  return show(comment, call.params.context, call);
}

const CREATED_TYPES: readonly unknown[] = ['comment', NOTE];

const invalidContent = (): RestError => new RestError('rest_comment_content_invalid', 'Invalid comment content.', 400);

async function createComment(call: CallContext): Promise<RestResponse> {
  const { request, site } = call;
  const { user } = request;
  if (!isEmpty(request.get('id'))) throw new RestError('rest_comment_exists', 'Cannot create existing comment.', 400);
  const type = request.get('type');
  const isForNote = isNoteType(type, site);
  if (!isEmpty(type) && (!CREATED_TYPES.includes(type) || (type === NOTE && !isForNote)))
    throw new RestError('rest_invalid_comment_type', 'Cannot create a comment with that type.', 400);
  const sent = await sentFields(call);
  const isBlank = isEmpty(sent.content) && sent.content !== '0';
  if (isBlank && !(isForNote && sentNoteStatus(call))) throw invalidContent();
  const isUnsigned = !sent.author && !sent.authorName && !sent.authorEmail && !sent.authorUrl;
  const data: Omit<Comment, '_id'> = {
    ...{ post: 0, parent: 0, author: 0, authorName: '', authorEmail: '', authorUrl: '', authorIp: '', agent: '', content: '' },
    ...{ date: site.nowLocal, dateGmt: site.nowUtc, approved: HELD, type: isForNote ? NOTE : 'comment' },
    ...sent,
    ...(user && isUnsigned ? writtenBy(user) : {}),
  };
  if (site.options.comments.needAuthor && (data.authorName === '' || data.authorEmail === ''))
    throw new RestError('rest_comment_author_data_required', 'Creating a comment requires valid author name and email values.', 400);
  checkLengths(data);
  // Serialized, so that the second of two equal comments is a duplicate.
  const stored = await withLock(site.store, 'comments', async () => {
    if (!isForNote) await checkRepetition(data, call);
    const post = await findPost(site.store, data.post);
    if (!post) throw new RestError('rest_comment_failed_create', 'Creating comment failed.', 500);
    const approved = isForNote ? APPROVED : await approvalOf(data, post, call);
    return insertComment(site, { ...data, approved, ...filteredComment(data, [user], call) });
  });
  const comment = await withMeta(await changeComment(site, stored, statusChange(stored, call)), call);
  const isModerator = can(user, 'moderate_comments');
  if (isModerator) switchToEditing(call);
  const response = await show(comment, isModerator ? 'edit' : 'view', call, 201);
  return response.header('Location', site.restUrl(`/wp/v2/comments/${comment._id}`));
}

/** The comment after the meta and the fields of plugins that were sent. */
const withMeta = async (comment: Comment, call: CallContext): Promise<Comment> =>
  withSentFields(await withOwnMeta(comment, call), 'comment', call);

async function withOwnMeta(comment: Comment, call: CallContext): Promise<Comment> {
  if (!call.request.isGiven('meta')) return comment;
  const post = comment.post > 0 ? await findPost(call.site.store, comment.post) : null;
  return changeComment(call.site, comment, noteStatusChange(comment, canEditComment(call.request.user, post, call.site.registry), call));
}

/** WP: what is moved to another post is checked there, and notes as if they were new. @throws RestError */
function checkMove(comment: Comment, post: Post | null, { request: { user }, site }: CallContext): void {
  if (comment.post === (post?._id ?? 0) || site.quirks.has('comments-move-anywhere')) return;
  if (isNote(comment, site)) {
    const refused = noteRefusal(user, post ?? undefined, site) ?? (post && notesRefusal(post, site));
    if (refused) throw refused;
  } else if (!(post ? canChange(user, post, site.registry) : can(user, 'moderate_comments'))) throw cannotEdit(user);
}

async function updateComment(call: CallContext): Promise<RestResponse> {
  const { site } = call;
  const { comment } = await commentOf(call);
  const type = call.request.get('type') ?? comment.type;
  if (type !== comment.type)
    throw new RestError('rest_comment_invalid_type', 'Sorry, you are not allowed to change the comment type.', 404);
  const sent = await sentFields(call);
  if (sent.post !== undefined) {
    // WP: 0 is no post.
    const target = sent.post === 0 ? null : await findPost(site.store, sent.post);
    if (sent.post !== 0 && !target) throw new RestError('rest_comment_invalid_post_id', 'Invalid post ID.', 403);
    checkMove(comment, target, call);
  }
  if (sent.content === '' || (sent.content === '0' && site.quirks.has('zero-is-no-comment'))) throw invalidContent();
  checkLengths(sent);
  const merged = { ...comment, ...sent };
  const author = comment.author > 0 ? await site.store.users.findOne({ _id: comment.author }) : null;
  const stored = filteredComment(merged, [call.request.user, author], call);
  const changed = await changeComment(site, comment, { ...sent, ...stored, ...statusChange(comment, call) });
  const shown = await withMeta(changed, call);
  switchToEditing(call);
  return show(shown, 'edit', call);
}

/** WP: permanent only with `force`; items in the trash cannot be trashed again. */
async function removeComment(call: CallContext & { params: { force: boolean } }): Promise<RestResponse> {
  const { params, site } = call;
  const { comment } = await commentOf(call);
  switchToEditing(call);
  if (params.force) {
    const previous = commentFields(comment, await viewOf([comment], 'edit', call));
    if (!(await deleteComment(site, comment))) throw invalidCommentId();
    return new RestResponse({ deleted: true, previous });
  }
  if (comment.approved === 'trash') throw new RestError('rest_already_trashed', 'The comment has already been trashed.', 410);
  return show(await changeComment(site, comment, withStatus(comment, 'trash')), 'edit', call);
}

export function commentRoutes(): Route[] {
  const id = shared.id('comment');
  const password = shared.text('Password of the post of the comment, if it has one.');
  return [
    route(
      '/comments',
      get(COMMENT_FILTERS, { permission: permissions.mayListComments, handler: commentList }),
      posting(COMMENT_FIELDS, { permission: permissions.mayComment, handler: createComment }),
    ),
    route(
      '/comments/(?P<id>[\\d]+)',
      get({ id, context: shared.context, password }, { permission: permissions.mayReadComment, handler: showComment }),
      edit({ id, ...editing(COMMENT_FIELDS) }, { permission: permissions.mayUpdateComment, handler: updateComment }),
      removing({ id, force: shared.force, password }, { permission: permissions.mayDeleteComment, handler: removeComment }),
    ),
  ].map((each) => described(each, commentSchema));
}
