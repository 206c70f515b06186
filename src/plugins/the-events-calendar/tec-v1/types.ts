import { postTypeFor } from '../../../wordpress/rest/posts/post-types.js';
import { EVENT } from '../model/index.js';
import { LINKED, eachKind } from '../model/linked.js';

/** The post types of the namespace, as they are registered. */

export const EVENT_TYPE = postTypeFor(EVENT);
export const LINKED_ENTITIES = eachKind((kind) => postTypeFor(LINKED[kind].type));
