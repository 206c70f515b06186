import type { Namespace } from '../rest/route.js';
import {
  BLOCK_TYPE,
  CATEGORIES,
  EMBED_TYPE,
  EVENT_CATEGORIES,
  EVENT_TYPE,
  MENUS,
  NAVIGATION_TYPE,
  ORGANIZER_TYPE,
  PAGE_TYPE,
  PATTERN_CATEGORIES,
  POST_TYPE,
  TAGS,
  VENUE_TYPE,
} from './types.js';
import { commentRoutes } from './declared/comments.js';
import { fontCollectionRoutes, fontRoutes } from './declared/fonts.js';
import { menuItemRoutes } from './declared/menu-items.js';
import { blockTypeRoutes, directoryRoutes, globalStylesRoutes, menuLocationRoutes, templatesRoutes } from './declared/site-editor.js';
import { pluginRoutes, themeRoutes } from './declared/themes-plugins.js';
import { widgetRoutes } from './declared/widgets.js';
import { mediaRoutes } from './media/media-routes.js';
import { declaredPostRoutes, postRoutes } from './posts/post-routes.js';
import { statusRoutes, taxonomyRoutes, typeRoutes } from './registry/registry-routes.js';
import { searchRoutes } from './search/search-routes.js';
import { settingsRoutes } from './settings/settings-routes.js';
import { MENU_FIELDS } from './terms/term-args.js';
import { declaredTermRoutes, termRoutes } from './terms/term-routes.js';
import { applicationPasswordRoutes } from './users/application-password-routes.js';
import { userRoutes } from './users/user-routes.js';

/**
 * The core namespace, in the order in which WordPress registers its routes (the first that matches counts).
 * Every route is declared; those that are declared only respond with 501.
 */
export const wpV2 = (): Namespace => ({
  name: 'wp/v2',
  routes: [
    ...postRoutes(POST_TYPE),
    ...postRoutes(PAGE_TYPE),
    ...mediaRoutes(),
    ...menuItemRoutes(),
    ...declaredPostRoutes(BLOCK_TYPE),
    ...templatesRoutes(),
    ...globalStylesRoutes(),
    ...declaredPostRoutes(NAVIGATION_TYPE),
    ...fontRoutes(),
    ...postRoutes(VENUE_TYPE),
    ...postRoutes(ORGANIZER_TYPE),
    ...postRoutes(EVENT_TYPE),
    ...postRoutes(EMBED_TYPE),
    ...typeRoutes(),
    ...statusRoutes(),
    ...taxonomyRoutes(),
    ...termRoutes(CATEGORIES),
    ...termRoutes(TAGS),
    ...declaredTermRoutes(MENUS, MENU_FIELDS),
    ...declaredTermRoutes(PATTERN_CATEGORIES),
    ...termRoutes(EVENT_CATEGORIES),
    ...userRoutes(),
    ...applicationPasswordRoutes(),
    ...commentRoutes(),
    ...searchRoutes(),
    ...blockTypeRoutes(),
    ...settingsRoutes(),
    ...themeRoutes(),
    ...pluginRoutes(),
    ...widgetRoutes(),
    ...directoryRoutes(),
    ...menuLocationRoutes(),
    ...fontCollectionRoutes(),
  ],
});
