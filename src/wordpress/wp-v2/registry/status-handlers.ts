import { toStr } from '../../../base/php/cast.js';
import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { RestResponse } from '../../rest/response.js';
import { canWithPosts } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import type { Registry } from '../../types/registry.js';
import type { PostStatus } from '../../types/status.js';
import { isEditing } from '../../rest/context.js';
import { refusal } from '../../rest/permissions.js';
import type { EndpointCall } from '../../rest/params.js';
import type { Context } from '../../rest/context.js';
import type { CallContext, Json, Permission } from '../../rest/route.js';
import type { LIST_ARGS, STATUS_ARGS } from './registry-args.js';

const TRASH = 'trash';

/** The statuses that the core API lists. WP: the trash is internal and comes last. */
const listed = ({ statuses }: Registry): PostStatus[] => [
  ...statuses.filter(({ isInternal }) => !isInternal),
  ...statuses.filter(({ name }) => name === TRASH),
];

/** WP: a status that is not public is shown to users who can edit posts. */
const isShown = ({ name, isPublic, isInternal }: PostStatus, user: User | null): boolean =>
  (!isInternal || name === TRASH) && (isPublic === true || canWithPosts(user, 'edit'));

function present(status: PostStatus, context: Context, { request, site }: CallContext): Record<string, Json> {
  const { name, label } = status;
  const editing = context === 'edit';
  const isFull = context !== 'embed';
  const archive = name === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${name}`;
  const mayFollow = name === 'publish' || canWithPosts(request.user, 'edit');
  return {
    name: label,
    ...(editing ? { private: status.isPrivate ?? false, protected: status.isProtected ?? false } : {}),
    ...(isFull ? { public: status.isPublic ?? false, queryable: status.isQueryable ?? false } : {}),
    ...(editing ? { show_in_list: !status.isUnlisted } : {}),
    slug: name,
    ...(isFull ? { date_floating: status.hasFloatingDate ?? false } : {}),
    ...(mayFollow || site.quirks.has('links-lead-to-refusals') ? { _links: { archives: [{ href: site.restUrl(archive) }] } } : {}),
  };
}

export const mayListStatuses: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context) || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.');
};

const invalidStatus = (): RestError => new RestError('rest_status_invalid', 'Invalid status.', 404);

export const mayReadStatus: Permission = ({ request, site }) => {
  const status = site.registry.findStatus(toStr(request.get('status')));
  if (!status) return invalidStatus();
  return isShown(status, request.user) || refusal(request.user, 'rest_cannot_read_status', 'Cannot view status.');
};

export function listStatuses(call: EndpointCall<typeof LIST_ARGS>): RestResponse {
  const { params, request, site } = call;
  const shown = listed(site.registry).filter((status) => isShown(status, request.user));
  // WP: `_fields` is applied twice, to each status and to the map; links stay.
  const items = shown.map((status): [string, Json] => {
    const whole = present(status, params.context, call);
    return [status.name, { ...(filterFields(whole, request.get('_fields'), false, 'all') as object), _links: whole._links }];
  });
  return new RestResponse(Object.fromEntries(items));
}

export function readStatus(call: EndpointCall<typeof STATUS_ARGS>): RestResponse {
  const status = call.site.registry.findStatus(call.params.status);
  if (!status) throw invalidStatus();
  const response = new RestResponse(present(status, call.params.context, call));
  // WP: the links of a status stay with any `_fields`.
  response.keepsLinks = true;
  return response;
}
