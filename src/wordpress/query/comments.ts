import { NOTE, type Comment } from '../model.js';
import type { QuirkName } from '../quirks.js';
import type { Site } from '../site.js';
import type { Store } from '../store.js';

/** WP: the statuses of comments as the API names them. */
export const APPROVED = '1';
export const HELD = '0';

export type CommentFilter = Record<string, unknown>;

/** WP: lists leave out notes unless the request names their type. */
export const withoutNotes = (quirks: ReadonlySet<QuirkName>): CommentFilter => (quirks.has('no-notes') ? {} : { type: { $ne: NOTE } });

export const findComment = (store: Store, id: number): Promise<Comment | null> =>
  id > 0 ? store.comments.findOne({ _id: id }) : Promise.resolve(null);

/** Stores a new comment under the next id. */
export async function insertComment({ store }: Site, data: Omit<Comment, '_id'>): Promise<Comment> {
  const comment = { _id: await store.sequences.next('comments'), ...data };
  await store.comments.insertOne(comment);
  return comment;
}

/** Replaces fields of a comment; undefined removes one. WP: replies to a note go to the trash with it. @returns the comment as it is then */
export async function changeComment({ store, quirks }: Site, comment: Comment, changes: Partial<Comment>): Promise<Comment> {
  const changed = { ...comment, ...changes };
  const fields = Object.entries(changes);
  const unset = fields.filter(([, value]) => value === undefined).map(([name]) => [name, '']);
  const set = fields.filter(([, value]) => value !== undefined);
  const update = {
    ...(set.length > 0 ? { $set: Object.fromEntries(set) } : {}),
    ...(unset.length > 0 ? { $unset: Object.fromEntries(unset) } : {}),
  };
  if (fields.length > 0) await store.comments.updateOne({ _id: comment._id }, update);
  const isThread = changed.type === NOTE && changed.parent === 0 && !quirks.has('no-notes');
  if (isThread && changed.approved === 'trash' && comment.approved !== 'trash') await trashAll(store, repliesTo(comment));
  return changed;
}

const repliesTo = ({ _id }: Comment): CommentFilter => ({ parent: _id, type: NOTE, approved: { $in: [HELD, APPROVED] } });

const trashAll = ({ comments }: Store, filter: CommentFilter, approved = 'trash') =>
  comments.updateMany(filter, [{ $set: { previous: '$approved', approved } }]);

/** Deletes a comment permanently. WP: its replies move to what it replied to. */
export async function deleteComment({ store }: Site, { _id, parent }: Comment): Promise<boolean> {
  const { deletedCount } = await store.comments.deleteOne({ _id });
  if (deletedCount === 1) await store.comments.updateMany({ parent: _id }, { $set: { parent } });
  return deletedCount === 1;
}

/** WP: comments in the trash or spam keep their previous status, which is restored later. */
export function withStatus({ approved, previous }: Comment, status: string): Partial<Comment> {
  const isAway = (each: string): boolean => each === 'trash' || each === 'spam';
  if (status === 'untrash' || status === 'unspam')
    return approved === status.slice(2) ? { approved: previous === undefined || isAway(previous) ? HELD : previous } : {};
  return isAway(status) && approved !== status ? { approved: status, previous: approved } : { approved: status };
}

/** WP: comments go to the trash with their post. */
export async function trashCommentsOf(store: Store, post: number): Promise<void> {
  const { comments } = store;
  const away = { post, approved: { $ne: 'post-trashed' } };
  if (await comments.findOne(away, { projection: { _id: 1 } })) await trashAll(store, away, 'post-trashed');
}

/** WP: and are deleted with it. */
export async function deleteCommentsOf({ comments }: Store, post: number): Promise<void> {
  if (await comments.findOne({ post }, { projection: { _id: 1 } })) await comments.deleteMany({ post });
}
