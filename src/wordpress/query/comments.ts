import type { Comment } from '../model.js';
import type { Site } from '../site.js';
import type { Store } from '../store.js';

/** WP: the statuses of comments as the API names them. */
export const APPROVED = '1';
export const HELD = '0';

export type CommentFilter = Record<string, unknown>;

export const findComment = (store: Store, id: number): Promise<Comment | null> =>
  id > 0 ? store.comments.findOne({ _id: id }) : Promise.resolve(null);

/** Stores a new comment under the next id. */
export async function insertComment({ store }: Site, data: Omit<Comment, '_id'>): Promise<Comment> {
  const comment = { _id: await store.sequences.next('comments'), ...data };
  await store.comments.insertOne(comment);
  return comment;
}

/** Replaces fields of a comment. @returns the comment as it is then */
export async function changeComment({ store }: Site, comment: Comment, changes: Partial<Comment>): Promise<Comment> {
  if (Object.keys(changes).length > 0) await store.comments.updateOne({ _id: comment._id }, { $set: changes });
  return { ...comment, ...changes };
}

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
export async function trashCommentsOf({ comments }: Store, post: number): Promise<void> {
  const away = { post, approved: { $ne: 'post-trashed' } };
  if (await comments.findOne(away, { projection: { _id: 1 } }))
    await comments.updateMany(away, [{ $set: { previous: '$approved', approved: 'post-trashed' } }]);
}

/** WP: and are deleted with it. */
export async function deleteCommentsOf({ comments }: Store, post: number): Promise<void> {
  if (await comments.findOne({ post }, { projection: { _id: 1 } })) await comments.deleteMany({ post });
}
