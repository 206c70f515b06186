import type { Namespace } from '../rest/route.js';
import { applicationPasswordAnswers } from './users/application-passwords.js';
import { commentRoutes } from './declared/comments.js';
import { commentAnswers } from './declared/comment-answers.js';
import { fontCollectionRoutes, fontRoutes } from './declared/fonts.js';
import { mediaRoutes } from './media/media.js';
import { mediaAnswers } from './media/media-answers.js';
import { menuItemRoutes } from './declared/menu-items.js';
import { postRoutes } from './posts/posts.js';
import { postAnswers } from './posts/post-answers.js';
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
} from '../rest/posts/post-types.js';
import { blockTypeRoutes, directoryRoutes, globalStylesRoutes, menuLocationRoutes, templatesRoutes } from './declared/site-editor.js';
import { pluginRoutes, searchRoutes, settingsRoutes, statusRoutes, taxonomyRoutes, themeRoutes, typeRoutes } from './declared/site.js';
import { taxonomyAnswers, typeAnswers } from './registry/registry-answers.js';
import { searchAnswers } from './search-answers.js';
import { statusAnswers } from './registry/status-answers.js';
import { settingsAnswers } from './settings-answers.js';
import { MENU_FIELDS, termRoutes } from './terms.js';
import { termAnswers } from './term-answers.js';
import { userAnswers } from './users/user-answers.js';
import { applicationPasswordRoutes, userRoutes } from './users/users.js';
import { widgetRoutes } from './declared/widgets.js';

/**
 * The core namespace, in the order in which WordPress registers its routes (the first that matches answers).
 * Every route is declared; those whose factory is given no answers refuse with 501.
 */
export const wpV2 = (): Namespace => ({
  name: 'wp/v2',
  routes: [
    ...postRoutes(POST_TYPE, postAnswers(POST_TYPE)),
    ...postRoutes(PAGE_TYPE, postAnswers(PAGE_TYPE)),
    ...mediaRoutes(mediaAnswers()),
    ...menuItemRoutes(),
    ...postRoutes(BLOCK_TYPE),
    ...templatesRoutes(),
    ...globalStylesRoutes(),
    ...postRoutes(NAVIGATION_TYPE),
    ...fontRoutes(),
    ...postRoutes(VENUE_TYPE, postAnswers(VENUE_TYPE)),
    ...postRoutes(ORGANIZER_TYPE, postAnswers(ORGANIZER_TYPE)),
    ...postRoutes(EVENT_TYPE, postAnswers(EVENT_TYPE)),
    ...postRoutes(EMBED_TYPE, postAnswers(EMBED_TYPE)),
    ...typeRoutes(typeAnswers),
    ...statusRoutes(statusAnswers),
    ...taxonomyRoutes(taxonomyAnswers),
    ...termRoutes(CATEGORIES, termAnswers(CATEGORIES)),
    ...termRoutes(TAGS, termAnswers(TAGS)),
    ...termRoutes(MENUS, {}, MENU_FIELDS),
    ...termRoutes(PATTERN_CATEGORIES),
    ...termRoutes(EVENT_CATEGORIES, termAnswers(EVENT_CATEGORIES)),
    ...userRoutes(userAnswers),
    ...applicationPasswordRoutes(applicationPasswordAnswers()),
    ...commentRoutes(commentAnswers()),
    ...searchRoutes(searchAnswers),
    ...blockTypeRoutes(),
    ...settingsRoutes(settingsAnswers),
    ...themeRoutes(),
    ...pluginRoutes(),
    ...widgetRoutes(),
    ...directoryRoutes(),
    ...menuLocationRoutes(),
    ...fontCollectionRoutes(),
  ],
});
