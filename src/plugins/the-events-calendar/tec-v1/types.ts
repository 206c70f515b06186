import { postTypeFor } from '../../../wordpress/rest/posts/post-types.js';
import { onceFor } from '../../../wordpress/types/registry.js';
import { EVENT } from '../model/index.js';
import { LINKED, eachKind } from '../model/event.js';

/** The post types of the namespace, as they are registered. */
export const typesIn = onceFor((registry) => ({
  event: postTypeFor(EVENT, registry),
  ...eachKind((kind) => postTypeFor(LINKED[kind].type, registry)),
}));
