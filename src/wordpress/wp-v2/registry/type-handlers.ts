import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { isEditing } from '../../rest/context.js';
import { refusal } from '../../rest/permissions.js';
import { RestResponse } from '../../rest/response.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import type { EndpointCall } from '../../rest/params.js';
import type { Json, Permission } from '../../rest/route.js';
import { typeLabels } from './labels.js';
import { hasCapability, registryLinks } from './links.js';
import { isInRest, type PostType } from '../../types/post-type.js';
import { hasNotes, supportsOf, type Registry } from '../../types/registry.js';
import type { LIST_ARGS, TYPE_ARGS } from './registry-args.js';

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
