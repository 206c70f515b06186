import type { Namespace } from '../rest/route.js';
import { applicationPasswordAnswers } from './users/application-passwords.js';
import { commentRoutes } from './declared/comments.js';
import { commentAnswers } from './declared/comment-answers.js';
import { fontCollectionRoutes, fontRoutes } from './declared/fonts.js';
import { mediaRoutes } from './media/media.js';
import { mediaAnswers } from './media/media-answers.js';
import { menuItemRoutes } from './declared/menu-items.js';
import { BLOCKS, CALENDAR_EMBEDS, EVENTS, NAVIGATION, ORGANIZERS, PAGES, postRoutes, POSTS, VENUES } from './posts/posts.js';
import { postAnswers } from './posts/post-answers.js';
import { EMBED_TYPE, EVENT_TYPE, ORGANIZER_TYPE, PAGE_TYPE, POST_TYPE, VENUE_TYPE } from './posts/post-types.js';
import { blockTypeRoutes, directoryRoutes, globalStylesRoutes, menuLocationRoutes, templatesRoutes } from './declared/site-editor.js';
import { pluginRoutes, searchRoutes, settingsRoutes, statusRoutes, taxonomyRoutes, themeRoutes, typeRoutes } from './declared/site.js';
import { taxonomyAnswers, typeAnswers } from './registry/registry-answers.js';
import { searchAnswers } from './search-answers.js';
import { statusAnswers } from './registry/status-answers.js';
import { settingsAnswers } from './settings-answers.js';
import { CATEGORIES, EVENT_CATEGORIES, MENUS, PATTERN_CATEGORIES, TAGS, termRoutes } from './terms.js';
import { termAnswers } from './term-answers.js';
import { CATEGORY, EVENT_CATEGORY, TAG } from '../wp/model.js';
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
    ...postRoutes(POSTS, postAnswers(POST_TYPE)),
    ...postRoutes(PAGES, postAnswers(PAGE_TYPE)),
    ...mediaRoutes(mediaAnswers()),
    ...menuItemRoutes(),
    ...postRoutes(BLOCKS),
    ...templatesRoutes(),
    ...globalStylesRoutes(),
    ...postRoutes(NAVIGATION),
    ...fontRoutes(),
    ...postRoutes(VENUES, postAnswers(VENUE_TYPE)),
    ...postRoutes(ORGANIZERS, postAnswers(ORGANIZER_TYPE)),
    ...postRoutes(EVENTS, postAnswers(EVENT_TYPE)),
    ...postRoutes(CALENDAR_EMBEDS, postAnswers(EMBED_TYPE)),
    ...typeRoutes(typeAnswers),
    ...statusRoutes(statusAnswers),
    ...taxonomyRoutes(taxonomyAnswers),
    ...termRoutes(CATEGORIES, termAnswers(CATEGORY, 'categories')),
    ...termRoutes(TAGS, termAnswers(TAG, 'tags')),
    ...termRoutes(MENUS),
    ...termRoutes(PATTERN_CATEGORIES),
    ...termRoutes(EVENT_CATEGORIES, termAnswers(EVENT_CATEGORY, 'tribe_events_cat')),
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
