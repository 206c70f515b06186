import type { Quirk } from '../quirks.js';
import releases from './release-rows.json' with { type: 'json' };
import profile from './rows.json' with { type: 'json' };

declare module '../quirks.js' {
  interface QuirkNames extends Record<keyof typeof profile | keyof typeof releases, true> {}
}

/**
 * Differences of older releases of WordPress. `off` is the behavior of the newest one. A row holds for the releases of its range: from
 * `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const RELEASE_QUIRKS = releases as Record<keyof typeof releases, Quirk>;

/** Differences of WordPress: from its documented interface, in all releases, and of older releases. */
export const WORDPRESS_QUIRKS = { ...(profile as Record<keyof typeof profile, Quirk>), ...RELEASE_QUIRKS };
