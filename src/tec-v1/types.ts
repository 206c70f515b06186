import { postTypeFor } from '../rest/posts/post-types.js';
import { EVENT, ORGANIZER, VENUE } from '../tec/index.js';

/** The post types of the namespace, as they are registered. */

export const EVENT_TYPE = postTypeFor(EVENT);
export const ORGANIZER_TYPE = postTypeFor(ORGANIZER);
export const VENUE_TYPE = postTypeFor(VENUE);
