import { canWithPosts } from '../../users/capabilities.js';
import { RestError } from '../route.js';
import type { Json, RestRequest } from '../request.js';
import type { Site } from '../../site.js';

/** Who names an author, and where. */
export interface AuthorContext {
  request: Pick<RestRequest, 'user'>;
  site: Pick<Site, 'quirks'>;
}

/**
 * The author to store: the one that is sent, or the default.
 * @throws RestError for another author, by users who may not edit posts of others (TEC: not checked)
 */
export function authorFor(named: Json | undefined, otherwise: number, { request, site }: AuthorContext): number {
  if (named === undefined || named === null || Number(named) === otherwise) return otherwise;
  if (site.quirks.has('author-is-not-checked') || Number(named) === request.user?._id || canWithPosts(request.user, 'edit_others'))
    return Number(named);
  throw new RestError('rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.', request.user ? 403 : 401);
}
