import type { Quirk } from '../../../wordpress/quirks.js';
import type { VersionRange } from '../../../wordpress/quirks/version.js';
import profile from './rows.json' with { type: 'json' };
import versions from './version-rows.json' with { type: 'json' };

declare module '../../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof profile | keyof typeof versions, true> {}
}

/**
 * Differences of older releases of the plugin. `off` is the behavior of the newest one. A row holds for the releases of its range:
 * from `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const VERSION_QUIRKS = versions as Record<keyof typeof versions, Quirk & VersionRange>;

/** Differences of the plugin: from its documented interface, in all releases, and of older releases. */
export const CALENDAR_QUIRKS = { ...(profile as Record<keyof typeof profile, Quirk>), ...VERSION_QUIRKS };
