import type { Quirk } from '../quirks.js';

/**
 * What older releases of WordPress do differently. `off` is the behavior of the newest one. A row holds for the releases of its range: from
 * `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const RELEASE_QUIRKS = {
  'term-words-list-all': {
    kind: 'interface',
    until: '6.9',
    off: 'An `include` of terms that contains only words matches nothing.',
    on: 'It has no effect: all terms are listed.',
  },
} as const satisfies Record<string, Quirk>;
