import type { Namespace } from '../rest/route.js';
import { commentRoutes } from './comments.js';
import { fontCollectionRoutes, fontRoutes } from './fonts.js';
import { mediaRoutes } from './media.js';
import { menuItemRoutes } from './menu-items.js';
import { BLOCKS, CALENDAR_EMBEDS, EVENTS, NAVIGATION, ORGANIZERS, PAGES, postRoutes, POSTS, VENUES } from './posts.js';
import { blockTypeRoutes, directoryRoutes, globalStylesRoutes, menuLocationRoutes, templatesRoutes } from './site-editor.js';
import { pluginRoutes, searchRoutes, settingsRoutes, statusRoutes, taxonomyRoutes, themeRoutes, typeRoutes } from './site.js';
import { CATEGORIES, EVENT_CATEGORIES, MENUS, PATTERN_CATEGORIES, TAGS, termRoutes } from './terms.js';
import { termAnswers } from './term-answers.js';
import { EVENT_CATEGORY, TAG } from '../wp/model.js';
import { applicationPasswordRoutes, userRoutes } from './users.js';
import { widgetRoutes } from './widgets.js';

/**
 * The core namespace, in the order in which WordPress registers its routes (the first that matches answers).
 * Every route is declared; those whose factory is given no answers refuse with 501.
 */
export const wpV2 = (): Namespace => ({
  name: 'wp/v2',
  routes: [
    ...postRoutes(POSTS),
    ...postRoutes(PAGES),
    ...mediaRoutes(),
    ...menuItemRoutes(),
    ...postRoutes(BLOCKS),
    ...templatesRoutes(),
    ...globalStylesRoutes(),
    ...postRoutes(NAVIGATION),
    ...fontRoutes(),
    ...postRoutes(VENUES),
    ...postRoutes(ORGANIZERS),
    ...postRoutes(EVENTS),
    ...postRoutes(CALENDAR_EMBEDS),
    ...typeRoutes(),
    ...statusRoutes(),
    ...taxonomyRoutes(),
    ...termRoutes(CATEGORIES),
    ...termRoutes(TAGS, termAnswers(TAG)),
    ...termRoutes(MENUS),
    ...termRoutes(PATTERN_CATEGORIES),
    ...termRoutes(EVENT_CATEGORIES, termAnswers(EVENT_CATEGORY)),
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
