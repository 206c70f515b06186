import { toStr } from '../../../base/php/cast.js';
import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { isEditing } from '../../rest/context.js';
import { refusal } from '../../rest/permissions.js';
import { RestResponse } from '../../rest/response.js';
import { canManageTerms } from '../../users/capabilities.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import type { EndpointCall } from '../../rest/params.js';
import type { Json, Permission } from '../../rest/route.js';
import { taxonomyLabels } from './labels.js';
import { hasCapability, registryLinks } from './links.js';
import { HIDDEN_TAXONOMIES } from '../../types/core.js';
import { isInRest, type Taxonomy } from '../../types/post-type.js';
import type { Registry } from '../../types/registry.js';
import type { TAXONOMY_ARGS, TAXONOMY_FILTERS } from './registry-args.js';

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
