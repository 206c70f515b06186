import { lookup } from '../../base/values/records.js';
import type { Namespace, Route } from '../rest/route.js';
import { postTypeFor, taxonomyFor, type RestType as RestPostType, type TaxonomyFacts as RestTaxonomy } from '../rest/posts/post-types.js';
import { ATTACHMENT } from '../model.js';
import { isInRest, type PostType, type Taxonomy } from '../types/post-type.js';
import type { Registry } from '../types/registry.js';
import { commentRoutes } from './comments/comment-routes.js';
import { withWholeFields } from './declare.js';
import { objectPaths, withFieldsOfPlugins } from './field-routes.js';
import { iconRoutes } from './icons/icon-routes.js';
import { menuItemRoutes } from './menus/item-routes.js';
import { menuLocationRoutes } from './menus/menu-routes.js';
import { menuRoutes } from './menus/menu-routes.js';
import { declaredRoutes, templatePartRoutes, templateRoutes } from './declared/routes.js';
import { withListedSchemas } from './declared/route-schemas.js';
import { pluginRoutes } from './administration/plugin-routes.js';
import { blockRendererRoute } from './block-renderer.js';
import { mediaRoutes } from './media/media-routes.js';
import { postRoutes } from './posts/post-routes.js';
import { statusRoutes, taxonomyRoutes, typeRoutes } from './registry/registry-routes.js';
import { searchRoutes } from './search/search-handlers.js';
import { settingsRoutes } from './settings/settings-routes.js';
import { termRoutes } from './terms/term-handlers.js';
import { viewConfigRoutes } from './view-config/view-config-routes.js';
import { applicationPasswordRoutes } from './users/application-password-routes.js';
import { userRoutes } from './users/user-routes.js';

/** WP: the additional fields of attachments. */
const MEDIA_FIELDS = [
  'description',
  'caption',
  'alt_text',
  'media_type',
  'mime_type',
  'media_details',
  'post',
  'source_url',
  'missing_image_sizes',
];

/** Post types with a specific controller (WP). Faces of fonts are below their families. */
const TYPE_ROUTES: Record<string, (type: RestPostType) => Route[]> = lookup({
  [ATTACHMENT]: (type) => withWholeFields(mediaRoutes(type), MEDIA_FIELDS),
  nav_menu_item: menuItemRoutes,
  wp_template: templateRoutes,
  wp_template_part: templatePartRoutes,
  wp_global_styles: () => declaredRoutes('globalStyles'),
  wp_font_family: () => declaredRoutes('fonts'),
  wp_font_face: () => [],
});

const TERM_ROUTES: Record<string, (taxonomy: RestTaxonomy) => Route[]> = lookup({
  nav_menu: menuRoutes,
});

function routesOfType({ name, absentUnder }: PostType, registry: Registry): readonly Route[] {
  const type = postTypeFor(name, registry);
  const routes = withFieldsOfPlugins((TYPE_ROUTES[name] ?? postRoutes)(type), name, objectPaths(type.base), registry);
  return absentUnder === undefined ? routes : routes.map((route) => ({ ...route, absentUnder }));
}

function routesOfTaxonomy({ name }: Taxonomy, registry: Registry): readonly Route[] {
  const taxonomy = taxonomyFor(name, registry);
  const routes = withWholeFields((TERM_ROUTES[name] ?? termRoutes)(taxonomy));
  const all = withFieldsOfPlugins(routes, name, objectPaths(taxonomy.base), registry);
  return taxonomy.isOutsideRest ? all.map((route) => ({ ...route, existsFor: ({ site }) => isInRest(taxonomy, site) })) : all;
}

const USER_PATHS = [...objectPaths('users'), '/wp/v2/users/me'];

/**
 * The core namespace, in the order in which WordPress registers its routes, since the first match applies. Every registered post type and
 * taxonomy has routes. Routes that are only declared respond with 501.
 */
export const wpV2 = (registry: Registry): Namespace => ({
  name: 'wp/v2',
  routes: withListedSchemas([
    ...registry.postTypes.flatMap((type) => routesOfType(type, registry)),
    ...typeRoutes(),
    ...statusRoutes(),
    ...taxonomyRoutes(),
    ...registry.taxonomies.flatMap((taxonomy) => routesOfTaxonomy(taxonomy, registry)),
    ...withFieldsOfPlugins(withWholeFields(userRoutes(registry)), 'user', USER_PATHS, registry),
    ...applicationPasswordRoutes(),
    ...withFieldsOfPlugins(withWholeFields(commentRoutes()), 'comment', objectPaths('comments'), registry),
    ...withWholeFields(searchRoutes(registry)),
    blockRendererRoute(),
    ...declaredRoutes('blockTypes'),
    ...settingsRoutes(),
    ...declaredRoutes('themes'),
    ...pluginRoutes(),
    ...declaredRoutes('widgets'),
    ...declaredRoutes('directories'),
    ...menuLocationRoutes(),
    ...declaredRoutes('fontCollections'),
    ...iconRoutes(),
    ...viewConfigRoutes(),
  ]),
});
