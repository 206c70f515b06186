import { absint, isNumeric, isEmpty } from '../../../base/php/cast.js';
import { deleteAttachment } from '../../media/attachment-save.js';
import { ATTACHMENT, PAGE, POST, REVISION, type User } from '../../model.js';
import { deletePost, trashPost } from '../../posts/post-save.js';
import { RestError } from '../../rest/error.js';
import { Refused, type CallContext, type Json } from '../../rest/route.js';
import type { Site } from '../../site.js';
import { reassignPosts } from '../../users/users.js';
import * as shared from '../args.js';

/** WP: any number is taken, and what is empty or `false` names nobody. */
function readHeir(value: Json): Json | Refused {
  const isNobody = isEmpty(value) || value === 'false';
  if (isNumeric(value)) return value;
  if (isNobody) return false;
  return new Refused({ code: 'rest_invalid_param', message: 'Invalid user parameter(s).', data: { status: 400 } });
}

export const DELETION_ARGS = {
  force: shared.flag('Must be true: users cannot be moved to the trash.', { default: false }),
  reassign: { ...shared.integer('ID of the user to reassign the posts to.', { required: true }), sanitize: readHeir },
};

/** The id of the user who gets the posts of a deleted one; null for nobody. @throws RestError for a user who cannot get them */
export async function heirOf(sent: Json, user: User, { site }: CallContext): Promise<number | null> {
  if (sent === false) return null;
  const heir = absint(sent);
  const isKnown = heir !== user._id && (await site.store.users.findOne({ _id: heir }, { projection: { _id: 1 } })) !== null;
  if (heir !== 0 && !isKnown) throw new RestError('rest_user_invalid_reassign', 'Invalid user ID for reassignment.', 400);
  return heir;
}

/**
 * Deletes a user with their sessions and passwords. WP: also the last administrator. Without an heir, their blog posts and pages go to the
 * trash, and everything else of types with authors is deleted.
 * @param heir id of the user who gets their posts; 0: they have no author
 * @param caller who does so
 */
export async function deleteUser(site: Site, { _id }: User, heir: number | null, caller: User | null): Promise<void> {
  const { store, registry } = site;
  if (heir === null) {
    const written = await store.posts.find({ author: _id }, { projection: { type: 1, status: 1 } }).toArray();
    for (const { _id: id, type, status } of written) {
      if ((type === POST || type === PAGE) && status !== 'trash') await trashPost(site, id, caller);
      else if (type === ATTACHMENT) await store.posts.findOne({ _id: id }).then((file) => file && deleteAttachment(site, file));
      else if (type === REVISION) await store.posts.deleteOne({ _id: id });
      else if (registry.findPostType(type)?.supports.includes('author')) await deletePost(site, id);
    }
  } else await reassignPosts(store, _id, heir);
  await store.users.deleteOne({ _id });
}
