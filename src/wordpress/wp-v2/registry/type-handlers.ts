import { RestError, refusal } from '../../rest/error.js';
import { filterFields } from '../../rest/request.js';
import { isEditing, type EndpointCall } from '../../rest/params.js';
import { RestResponse, type Json, type Permission } from '../../rest/route.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import { typeLabels, taxonomyLabels } from './labels.js';
import { isInRest, type PostType, type Taxonomy } from '../../types/post-type.js';
import { hasNotes, supportsOf, type Registry } from '../../types/registry.js';
import type { LIST_ARGS, TYPE_ARGS, TAXONOMY_ARGS, TAXONOMY_FILTERS } from './registry-args.js';
import { toStr } from '../../../base/php/cast.js';
import { canManageTerms } from '../../users/capabilities.js';
import { HIDDEN_TAXONOMIES } from '../../types/core.js';
import { capabilitiesOf } from '../../users/roles.js';
import { withCuries } from '../posts/post-links.js';

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

export const mayListTaxonomies: Permission = (context) => {
  const { user } = context.request;
  if (!isEditing(context)) return true;
  const { site } = context;
  const isAny = taxonomiesOf(toStr(context.request.get('type')), site).some((taxonomy) => canAssign(user, taxonomy, site.registry));
  return isAny || refusal(user, 'rest_cannot_view', EDIT_TERMS);
};

export const mayReadTaxonomy: Permission = (context) => {
  const name = toStr(context.request.get('taxonomy'));
  const { registry } = context.site;
  const taxonomy = registry.findTaxonomy(name);
  const { user } = context.request;
  if (taxonomy ? !isInRest(taxonomy, context.site) : HIDDEN_TAXONOMIES.includes(name)) return false;
  if (!taxonomy || !isEditing(context) || canAssign(user, taxonomy, registry)) return true;
  return refusal(user, 'rest_forbidden_context', EDIT_TERMS);
};

/** WP: the edit context has taxonomies whose terms the caller may assign. */
export function listTaxonomies({ params, request, site }: EndpointCall<typeof TAXONOMY_FILTERS>): RestResponse {
  const isShown = (taxonomy: Taxonomy): boolean => params.context !== 'edit' || canAssign(request.user, taxonomy, site.registry);
  const shown = taxonomiesOf(params.type ?? '', site).filter(isShown);
  // WP: `_fields` is applied twice, to each item and to the map.
  const items = shown.map((taxonomy): [string, Json] => [
    taxonomy.name,
    filterFields(presentTaxonomy(taxonomy, params.context, site), request.get('_fields'), false, 'all'),
  ]);
  return new RestResponse(Object.fromEntries(items));
}

export function readTaxonomy({ params, site }: EndpointCall<typeof TAXONOMY_ARGS>): RestResponse {
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

export const mayListTypes: Permission = (context) => {
  const { user } = context.request;
  const { registry, quirks } = context.site;
  if (!isEditing(context) || registry.registeredTypes(quirks).some((type) => canEditType(user, type, registry))) return true;
  return refusal(user, 'rest_cannot_view', EDIT_TYPES);
};

export function listTypes({ params, request, site }: EndpointCall<typeof LIST_ARGS>): RestResponse {
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

export function readType({ params, request, site }: EndpointCall<typeof TYPE_ARGS>): RestResponse {
  const { registry } = site;
  const type = registry.findRegisteredType(params.type, site.quirks);
  if (!type && registry.isHiddenType(params.type)) throw refusal(request.user, 'rest_cannot_read_type', 'Cannot view post type.');
  if (!type) throw new RestError('rest_type_invalid', 'Invalid post type.', 404);
  if (params.context === 'edit' && !canEditType(request.user, type, registry))
    throw refusal(request.user, 'rest_forbidden_context', EDIT_TYPES);
  return new RestResponse(presentType(type, params.context, site));
}
