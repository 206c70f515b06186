import { toStr } from '../../../base/php/cast.js';
import { RestError, refusal } from '../../rest/error.js';
import { filterFields } from '../../rest/request.js';
import { RestResponse, type CallContext, type Json, type Permission, type Endpoint, type Route } from '../../rest/route.js';
import { canWithPosts } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import type { Registry } from '../../types/registry.js';
import type { PostStatus } from '../../types/post-type.js';
import { isEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { LIST_ARGS, STATUS_ARGS, TAXONOMY_ARGS, TAXONOMY_FILTERS, TYPE_ARGS } from './registry-args.js';
import { described, get, route, withWholeFields } from '../declare.js';
import { STATUS_SCHEMA, TAXONOMY_SCHEMA, TYPE_SCHEMA } from './schemas.js';
import { listTaxonomies, mayListTaxonomies, mayReadTaxonomy, readTaxonomy, listTypes, mayListTypes, readType } from './type-handlers.js';

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

const mayListStatuses: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context) || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.');
};

const invalidStatus = (): RestError => new RestError('rest_status_invalid', 'Invalid status.', 404);

const mayReadStatus: Permission = ({ request, site }) => {
  const status = site.registry.findStatus(toStr(request.get('status')));
  if (!status) return invalidStatus();
  return isShown(status, request.user) || refusal(request.user, 'rest_cannot_read_status', 'Cannot view status.');
};

function listStatuses(call: EndpointCall<typeof LIST_ARGS>): RestResponse {
  const { params, request, site } = call;
  const shown = listed(site.registry).filter((status) => isShown(status, request.user));
  // WP: `_fields` is applied twice, to each status and to the map; links stay.
  const items = shown.map((status): [string, Json] => {
    const whole = present(status, params.context, call);
    return [status.name, { ...(filterFields(whole, request.get('_fields'), false, 'all') as object), _links: whole._links }];
  });
  return new RestResponse(Object.fromEntries(items));
}

function readStatus(call: EndpointCall<typeof STATUS_ARGS>): RestResponse {
  const status = call.site.registry.findStatus(call.params.status);
  if (!status) throw invalidStatus();
  const response = new RestResponse(present(status, call.params.context, call));
  // WP: the links of a status stay with any `_fields`.
  response.keepsLinks = true;
  return response;
}

/** A read-only registry: the map of all entries, whose names `_fields` may begin with, and an entry by name. */
const registryRoutes = (base: string, name: string, schema: Record<string, Json>, list: Endpoint, read: Endpoint): [Route, Route] => [
  described(route(`/${base}`, list), schema),
  described(route(`/${base}/(?P<${name}>[\\w-]+)`, read), schema),
];

const withWholeEntries = ([list, read]: [Route, Route]): Route[] => [list, ...withWholeFields([read])];

export const typeRoutes = (): Route[] =>
  registryRoutes(
    'types',
    'type',
    TYPE_SCHEMA,
    get(LIST_ARGS, { permission: mayListTypes, handler: listTypes }),
    get(TYPE_ARGS, { permission: 'public', handler: readType }),
  );

export const statusRoutes = (): Route[] =>
  withWholeEntries(
    registryRoutes(
      'statuses',
      'status',
      STATUS_SCHEMA,
      get(LIST_ARGS, { permission: mayListStatuses, handler: listStatuses }),
      get(STATUS_ARGS, { permission: mayReadStatus, handler: readStatus }),
    ),
  );

export const taxonomyRoutes = (): Route[] =>
  withWholeEntries(
    registryRoutes(
      'taxonomies',
      'taxonomy',
      TAXONOMY_SCHEMA,
      get(TAXONOMY_FILTERS, { permission: mayListTaxonomies, handler: listTaxonomies }),
      get(TAXONOMY_ARGS, { permission: mayReadTaxonomy, handler: readTaxonomy }),
    ),
  );
