import type { Json } from '../../rest/route.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import type { Registry } from '../../types/registry.js';
import { capabilitiesOf } from '../../users/roles.js';
import { withCuries } from '../posts/post-links.js';

export const hasCapability = (user: User | null, capability: string, registry: Registry): boolean =>
  user !== null && (user.reach === 'network' || capabilitiesOf(user.role, registry).includes(capability));

/** WP: types and taxonomies link to their collections whether everybody may read these or not. */
export function registryLinks(site: Site, collection: 'types' | 'taxonomies', base: string, isOpen: boolean): Json {
  return withCuries({
    collection: [{ href: site.restUrl(`/wp/v2/${collection}`) }],
    ...(isOpen || site.quirks.has('links-lead-to-refusals') ? { 'wp:items': [{ href: site.restUrl(`/wp/v2/${base}`) }] } : {}),
  });
}
