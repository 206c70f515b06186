import type { Quirk } from '../../../wordpress/quirks.js';
import rows from './rows.json' with { type: 'json' };

declare module '../../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof rows, true> {}
}

/** Differences of the plugin from its documented interface. */
export const TICKETS_QUIRKS = rows as Record<keyof typeof rows, Quirk>;
