import { postTypeFor } from '../rest/posts/post-types.js';
import { EVENT } from '../tec/index.js';
import { LINKED, eachKind } from '../tec/linked.js';

/** The post types of the namespace, as they are registered. */

export const EVENT_TYPE = postTypeFor(EVENT);
export const LINKED_ENTITIES = eachKind((kind) => postTypeFor(LINKED[kind].type));
