import { isLocalhost } from '../../base/text/hosts.js';
import type { Site } from '../site.js';
import type { User } from '../model.js';
import { can } from '../users/capabilities.js';
import { BIG_IMAGE_THRESHOLD, type SizeRule } from './sizes.js';

/** The parts of a call that are read here. */
interface Call {
  site: Site;
  request: { host: string; user: User | null };
}

/**
 * Whether clients may make the smaller sizes of images themselves. WP: browsers only do that in secure contexts, that is, over https or
 * under `localhost`.
 */
export const takesClientSizes = ({ site, request }: Call): boolean =>
  !site.quirks.has('no-sizes-made-by-clients') && (site.url.startsWith('https:') || isLocalhost(request.host));

/** Settings for such a client, for users who may upload files (WP: in the index of all routes). */
export function mediaSettings(call: Call): Record<string, number | boolean | Record<string, Omit<SizeRule, 'name'>>> {
  if (!takesClientSizes(call) || !can(call.request.user, 'upload_files')) return {};
  return {
    image_sizes: Object.fromEntries(call.site.registry.registeredSizes.map(({ name, ...size }) => [name, size])),
    image_size_threshold: BIG_IMAGE_THRESHOLD,
    image_strip_meta: true,
    image_max_bit_depth: 16,
  };
}
