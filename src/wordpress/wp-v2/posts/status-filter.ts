import { parseList } from '../../rest/fields.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { Refused, type CallContext, type Json } from '../../rest/route.js';
import { sanitizeTitle } from '../../formatting/slug.js';
import { canWithPosts, type TypeRights } from '../../users/capabilities.js';
import * as shared from '../args.js';

/**
 * The sanitized statuses of a list. WP: `publish` is open to everybody; others require the permission to edit, `private` the permission to
 * read private posts; each is validated separately.
 * @param usual the status that is open to everybody
 * @param known all statuses
 * @param type post type whose capabilities apply
 */
function cleanStatuses(
  value: Json,
  { request: { user } }: CallContext,
  usual: string,
  known: readonly string[],
  type: TypeRights,
): string[] | Refused {
  const statuses = parseList(value).map((text) => sanitizeTitle(text));
  for (const status of statuses) {
    if (status === usual) continue;
    if (!canWithPosts(user, 'edit', type) && !(status === 'private' && canWithPosts(user, 'read_private', type)))
      return new Refused({ code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: user ? 403 : 401 } });
    const checked = checkValue([status], { type: 'array', items: { type: 'string', enum: known } }, 'status');
    if (isRefused(checked)) return new Refused(checked);
  }
  return statuses;
}

/** The filter of a list by statuses. @param type post type whose capabilities count @param known as for `cleanStatuses` */
export const statusFilter = (type: TypeRights, known: readonly string[], usual = 'publish') =>
  shared.list(
    'Only results with these statuses.',
    { enum: known, type: 'string' },
    { default: usual, sanitize: (value, context) => cleanStatuses(value, context, usual, known, type) },
  );
