import { toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { RestResponse } from '../../rest/response.js';
import { canWithPosts } from '../../wp/users/capabilities.js';
import { POST, type User } from '../../wp/model.js';
import { isEditing } from '../../rest/context.js';
import { refusal } from '../../rest/permissions.js';
import type { Call } from '../../rest/params.js';
import type { Context } from '../../rest/context.js';
import type { CallContext, Json, Permission } from '../../rest/route.js';
import type { LIST_ARGS, STATUS_ARGS } from './registry-args.js';

/** A status of posts. `internal` ones are never shown. */
interface Status {
  label: string;
  isPublic?: boolean;
  /** Posts have no settled date. */
  floating?: boolean;
  internal?: boolean;
}

/** TEC: the statuses of its imports are public. */
const imported = (label: string): Status => ({ label, isPublic: true });

const STATUSES: Record<string, Status> = {
  publish: { label: 'Published', isPublic: true },
  future: { label: 'Scheduled' },
  draft: { label: 'Draft', floating: true },
  pending: { label: 'Pending', floating: true },
  private: { label: 'Private' },
  trash: { label: 'Trash' },
  'auto-draft': { label: 'auto-draft', internal: true },
  inherit: { label: 'inherit', internal: true },
  'tribe-ea-success': imported('Imported'),
  'tribe-ea-failed': imported('Failed'),
  'tribe-ea-schedule': imported('Schedule'),
  'tribe-ea-pending': imported('Pending'),
  'tribe-ea-draft': imported('Draft'),
  'tribe-ignored': imported('Ignored'),
};

/** WP: what is not public is for those who write. */
const isShown = ({ isPublic, internal }: Status, user: User | null): boolean =>
  !internal && (isPublic === true || canWithPosts(user, 'edit'));

function present(
  name: string,
  { label, isPublic = false, floating = false }: Status,
  context: Context,
  { request, site }: CallContext,
): Record<string, Json> {
  const isFull = context !== 'embed';
  const archive = name === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${name}`;
  const mayFollow = name === 'publish' || canWithPosts(request.user, 'edit', POST);
  return {
    name: label,
    ...(context === 'edit' ? { private: name === 'private', protected: !isPublic && !['private', 'trash'].includes(name) } : {}),
    ...(isFull ? { public: isPublic, queryable: isPublic } : {}),
    ...(context === 'edit' ? { show_in_list: name !== 'trash' } : {}),
    slug: name,
    ...(isFull ? { date_floating: floating } : {}),
    ...(mayFollow || site.quirks.has('links-lead-to-refusals') ? { _links: { archives: [{ href: site.restUrl(archive) }] } } : {}),
  };
}

export const mayListStatuses: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context) || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.');
};

export const mayReadStatus: Permission = ({ request }) => {
  const name = toStr(request.get('status'));
  if (!Object.hasOwn(STATUSES, name)) return new RestError('rest_status_invalid', 'Invalid status.', 404);
  return isShown(STATUSES[name], request.user) || refusal(request.user, 'rest_cannot_read_status', 'Cannot view status.');
};

export function listStatuses(call: Call<typeof LIST_ARGS>): RestResponse {
  const { params, request } = call;
  const shown = Object.entries(STATUSES).filter(([, status]) => isShown(status, request.user));
  // WP: fields are cut twice, in each status and in the map of all; the links stay.
  const items = shown.map(([name, status]): [string, Json] => {
    const whole = present(name, status, params.context, call);
    return [name, { ...(filterFields(whole, request.get('_fields')) as object), _links: whole._links }];
  });
  return new RestResponse(Object.fromEntries(items));
}

export function readStatus(call: Call<typeof STATUS_ARGS>): RestResponse {
  const { context, status } = call.params;
  const response = new RestResponse(present(status, STATUSES[status], context, call));
  // WP: the links of a status stay, whatever fields are named.
  response.keepsLinks = true;
  return response;
}
