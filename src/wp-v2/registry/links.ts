import { CATEGORIES, EMBED_TYPE, EVENT_CATEGORIES, EVENT_TYPE, ORGANIZER_TYPE, PAGE_TYPE, POST_TYPE, TAGS, VENUE_TYPE } from '../types.js';
import type { Json } from '../../rest/route.js';
import type { User } from '../../wp/model.js';
import type { Site } from '../../wp/site.js';
import { capabilitiesOf } from '../../wp/users/roles.js';
import { withCuries } from '../posts/post-links.js';

export const hasCapability = (user: User | null, capability: string): boolean =>
  user !== null && capabilitiesOf(user.role).includes(capability);

/** Collections that everybody may read. WP: types and taxonomies link to the others all the same. */
const OPEN: readonly string[] = [
  POST_TYPE,
  PAGE_TYPE,
  EVENT_TYPE,
  VENUE_TYPE,
  ORGANIZER_TYPE,
  EMBED_TYPE,
  CATEGORIES,
  TAGS,
  EVENT_CATEGORIES,
  { base: 'media' },
].map(({ base }) => base);

/** Links of a post type or of a taxonomy. @param base last part of the path of its items */
export function registryLinks(site: Site, collection: 'types' | 'taxonomies', base: string): Json {
  const isOpen = OPEN.includes(base) || site.quirks.has('links-lead-to-refusals');
  return withCuries({
    collection: [{ href: site.restUrl(`/wp/v2/${collection}`) }],
    ...(isOpen ? { 'wp:items': [{ href: site.restUrl(`/wp/v2/${base}`) }] } : {}),
  });
}
