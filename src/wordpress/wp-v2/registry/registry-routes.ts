import { toStr } from '../../../base/php/cast.js';
import { filterFields } from '../../rest/request.js';
import { RestResponse, RestError, refusal } from '../../rest/route.js';
import type { CallContext, Json, Permission, Endpoint, Route } from '../../rest/route.js';
import { canWithPosts, canManageTerms } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import { hasNotes, supportsOf, type Registry } from '../../types/registry.js';
import { isInRest, type PostStatus, type PostType, type Taxonomy } from '../../types/post-type.js';
import { isEditing, type Context, type EndpointCall } from '../../rest/params.js';
import { described, get, route, withWholeFields } from '../declare.js';
import { STATUS_SCHEMA, TAXONOMY_SCHEMA, TYPE_SCHEMA } from './schemas.js';
import type { Site } from '../../site.js';
import { typeLabels, taxonomyLabels } from './labels.js';
import { HIDDEN_TAXONOMIES } from '../../types/core.js';
import { capabilitiesOf } from '../../users/roles.js';
import { withCuries } from '../posts/post-links.js';
import * as shared from '../args.js';

const LIST_ARGS = { context: shared.context };
const TYPE_ARGS = { type: shared.capturedName('type'), ...LIST_ARGS };
const STATUS_ARGS = { status: shared.capturedName('status'), ...LIST_ARGS };
const TAXONOMY_FILTERS = { ...LIST_ARGS, type: shared.text('Only taxonomies of this post type.') };
const TAXONOMY_ARGS = { taxonomy: shared.capturedName('taxonomy'), ...LIST_ARGS };

const hasCapability = (user: User | null, capability: string, registry: Registry): boolean =>
  user !== null && (user.reach === 'network' || capabilitiesOf(user.role, registry).includes(capability));

/** WP: types and taxonomies link to their collections whether everybody may read these or not. */
function registryLinks(site: Site, collection: 'types' | 'taxonomies', base: string, isOpen: boolean): Json {
  return withCuries({
    collection: [{ href: site.restUrl(`/wp/v2/${collection}`) }],
    ...(isOpen || site.quirks.has('links-lead-to-refusals') ? { 'wp:items': [{ href: site.restUrl(`/wp/v2/${base}`) }] } : {}),
  });
}

/** WP: users who may assign terms may read a taxonomy. */
function canAssign(user: User | null, { name, capabilities: [, , , assign] }: Taxonomy, registry: Registry): boolean {
  if (assign.startsWith('assign_')) return hasCapability(user, 'edit_posts', registry);
  return hasCapability(user, assign, registry) || canManageTerms(user, name, registry);
}

function presentTaxonomy(taxonomy: Taxonomy, context: string, site: Site): Json {
  const { name, label, singular, hierarchical, base, isPublic, adminColumn } = taxonomy;
  const editing = context === 'edit';
  const [manage_terms, edit_terms, delete_terms, assign_terms] = taxonomy.capabilities;
  const seen = { public: isPublic, publicly_queryable: isPublic, show_admin_column: adminColumn };
  return {
    name: label,
    slug: name,
    ...(editing ? { capabilities: { manage_terms, edit_terms, delete_terms, assign_terms } } : {}),
    ...(context === 'embed' ? {} : { description: '' }),
    ...(editing ? { labels: taxonomyLabels(label, singular, hierarchical) } : {}),
    ...(context === 'embed' ? {} : { types: site.registry.typesWith(name, site.quirks).map((type) => type.name) }),
    ...(editing ? { show_cloud: isPublic } : {}),
    ...(context === 'embed' ? {} : { hierarchical }),
    rest_base: base,
    rest_namespace: 'wp/v2',
    ...(editing ? { visibility: { ...seen, show_in_nav_menus: isPublic, show_in_quick_edit: isPublic, show_ui: true } } : {}),
    _links: registryLinks(site, 'taxonomies', base, isPublic),
  };
}

/** Taxonomies of a post type; all of them when none is named. */
function taxonomiesOf(type: string, site: Site): readonly Taxonomy[] {
  const { quirks, registry } = site;
  const all = registry.taxonomies.filter((taxonomy) => isInRest(taxonomy, site));
  const names = type === '' ? null : (registry.findRegisteredType(type, quirks)?.taxonomies ?? []);
  return all.filter(({ name }) => names?.includes(name) ?? true);
}

const EDIT_TERMS = 'Sorry, you are not allowed to manage terms in this taxonomy.';

const mayListTaxonomies: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context)) return true;
  const { site } = context;
  const isAny = taxonomiesOf(toStr(context.request.get('type')), site).some((taxonomy) => canAssign(user, taxonomy, site.registry));
  return isAny || refusal(user, 'rest_cannot_view', EDIT_TERMS);
};

const mayReadTaxonomy: Permission = (context) => {
  const name = toStr(context.request.get('taxonomy'));
  const { registry } = context.site;
  const taxonomy = registry.findTaxonomy(name);
  const { user } = context.request;
  if (taxonomy ? !isInRest(taxonomy, context.site) : HIDDEN_TAXONOMIES.includes(name)) return false;
  if (!taxonomy || !isEditing(context) || canAssign(user, taxonomy, registry)) return true;
  return refusal(user, 'rest_forbidden_context', EDIT_TERMS);
};

/** WP: the edit context has taxonomies whose terms the caller may assign. */
function listTaxonomies({ params, request, site }: EndpointCall<typeof TAXONOMY_FILTERS>): RestResponse {
  const isShown = (taxonomy: Taxonomy): boolean => params.context !== 'edit' || canAssign(request.user, taxonomy, site.registry);
  const shown = taxonomiesOf(params.type ?? '', site).filter(isShown);
  // WP: `_fields` is applied twice, to each item and to the map.
  const items = shown.map((taxonomy): [string, Json] => [
    taxonomy.name,
    filterFields(presentTaxonomy(taxonomy, params.context, site), request.get('_fields'), false, 'all'),
  ]);
  return new RestResponse(Object.fromEntries(items));
}

function readTaxonomy({ params, site }: EndpointCall<typeof TAXONOMY_ARGS>): RestResponse {
  const taxonomy = site.registry.findTaxonomy(params.taxonomy);
  if (!taxonomy) throw new RestError('rest_taxonomy_invalid', 'Invalid taxonomy.', 404);
  return new RestResponse(presentTaxonomy(taxonomy, params.context, site));
}

/** Built-in post types whose lists require permissions. */
const PRIVATE_LISTS: ReadonlySet<string> = new Set([
  'nav_menu_item',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_font_family',
  'wp_font_face',
]);

/** WP: the capabilities of a post type, by purpose. */
const typeCapabilities = ({ capability: [one, many], rights }: PostType): Record<string, string> => ({
  edit_post: `edit_${one}`,
  read_post: `read_${one}`,
  delete_post: `delete_${one}`,
  edit_posts: `edit_${many}`,
  edit_others_posts: `edit_others_${many}`,
  delete_posts: `delete_${many}`,
  publish_posts: `publish_${many}`,
  read_private_posts: `read_private_${many}`,
  read: 'read',
  delete_private_posts: `delete_private_${many}`,
  delete_published_posts: `delete_published_${many}`,
  delete_others_posts: `delete_others_${many}`,
  edit_private_posts: `edit_private_${many}`,
  edit_published_posts: `edit_published_${many}`,
  create_posts: `edit_${many}`,
  ...rights,
});

const canEditType = (user: User | null, type: PostType, registry: Registry): boolean =>
  hasCapability(user, typeCapabilities(type).edit_posts, registry);

const startingBlocks = ({ startingBlocks: blocks = [] }: PostType): Json => blocks.map((block): Json => [...block] as Json[]);

/** WP: a feature with options has them in a list. */
const supportsFields = (type: PostType, { quirks }: Site): Record<string, Json> => ({
  ...Object.fromEntries(supportsOf(type, quirks).map((feature) => [feature, true])),
  ...(hasNotes(type, quirks) ? { editor: [{ notes: true }] } : {}),
});

function presentType(type: PostType, context: string, site: Site): Record<string, Json> {
  const editing = context === 'edit';
  const { name, label, base } = type;
  const shown: Record<string, Json> =
    context === 'embed'
      ? {}
      : {
          description: type.description ?? '',
          hierarchical: type.hierarchical ?? false,
          has_archive: type.archiveShown ?? type.archive !== undefined,
        };
  return {
    ...(editing ? { capabilities: typeCapabilities(type) } : {}),
    ...shown,
    ...(editing ? { visibility: { show_in_nav_menus: type.inMenus, show_ui: type.inAdmin }, viewable: type.viewable } : {}),
    ...(editing ? { labels: typeLabels(type) } : {}),
    name: label,
    slug: name,
    icon: type.icon ?? null,
    ...(editing ? { supports: supportsFields(type, site) } : {}),
    ...(context === 'embed'
      ? {}
      : { taxonomies: (type.taxonomies ?? []).filter((taxonomy) => isInRest(site.registry.taxonomyOf(taxonomy), site)) }),
    rest_base: base,
    rest_namespace: 'wp/v2',
    template: startingBlocks(type),
    template_lock: false,
    _links: registryLinks(site, 'types', base, !PRIVATE_LISTS.has(name)),
  };
}

const EDIT_TYPES = 'Sorry, you are not allowed to edit posts in this post type.';

const mayListTypes: Permission = (context) => {
  const { user } = context.request;
  const { registry, quirks } = context.site;
  if (!isEditing(context) || registry.registeredTypes(quirks).some((type) => canEditType(user, type, registry))) return true;
  return refusal(user, 'rest_cannot_view', EDIT_TYPES);
};

function listTypes({ params, request, site }: EndpointCall<typeof LIST_ARGS>): RestResponse {
  const { registry } = site;
  const shown = registry
    .registeredTypes(site.quirks)
    .filter((type) => params.context !== 'edit' || canEditType(request.user, type, registry));
  // WP: `_fields` is applied twice, to each item and to the map.
  const items = shown.map((type): [string, Json] => [
    type.name,
    filterFields(presentType(type, params.context, site), request.get('_fields')),
  ]);
  return new RestResponse(Object.fromEntries(items));
}

function readType({ params, request, site }: EndpointCall<typeof TYPE_ARGS>): RestResponse {
  const { registry } = site;
  const type = registry.findRegisteredType(params.type, site.quirks);
  if (!type && registry.isHiddenType(params.type)) throw refusal(request.user, 'rest_cannot_read_type', 'Cannot view post type.');
  if (!type) throw new RestError('rest_type_invalid', 'Invalid post type.', 404);
  if (params.context === 'edit' && !canEditType(request.user, type, registry))
    throw refusal(request.user, 'rest_forbidden_context', EDIT_TYPES);
  return new RestResponse(presentType(type, params.context, site));
}

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
