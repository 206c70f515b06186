import { postTypeFor, taxonomyFor } from '../rest/posts/post-types.js';
import { sharedMetaSchemas } from '../rest/posts/registered-meta.js';
import { CALENDAR_EMBED, EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../tec/index.js';
import { CATEGORY, PAGE, POST, TAG } from '../wp/model.js';

/** The post types and taxonomies of the namespace, as they are registered. */

export const POST_TYPE = postTypeFor(POST);
export const PAGE_TYPE = postTypeFor(PAGE);
export const BLOCK_TYPE = postTypeFor('wp_block');
export const NAVIGATION_TYPE = postTypeFor('wp_navigation');
export const VENUE_TYPE = postTypeFor(VENUE);
export const ORGANIZER_TYPE = postTypeFor(ORGANIZER);
export const EVENT_TYPE = postTypeFor(EVENT);
export const EMBED_TYPE = postTypeFor(CALENDAR_EMBED);

export const CATEGORIES = taxonomyFor(CATEGORY);
export const TAGS = taxonomyFor(TAG);
export const MENUS = taxonomyFor('nav_menu');
export const PATTERN_CATEGORIES = taxonomyFor('wp_pattern_category');
export const EVENT_CATEGORIES = taxonomyFor(EVENT_CATEGORY);

/** The meta of all types with custom fields. */
export const SHARED_SCHEMAS = sharedMetaSchemas();
