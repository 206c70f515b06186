import { canWithPosts } from '../../users/capabilities.js';
import { RestError } from '../error.js';
import type { Json } from '../json.js';
import type { CallContext } from '../route.js';

/**
 * The author to store: the one that is sent, or the default.
 * @throws RestError for another author, by users who may not edit posts of others (TEC: not checked)
 */
export function authorFor(named: Json | undefined, otherwise: number, { request, site }: CallContext): number {
  if (named === undefined || named === null || Number(named) === otherwise) return otherwise;
  if (site.quirks.has('author-is-not-checked') || Number(named) === request.user?._id || canWithPosts(request.user, 'edit_others'))
    return Number(named);
  throw new RestError('rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.', request.user ? 403 : 401);
}
