import type { VERSION_QUIRKS } from '../../../../src/wp/quirks/version-rows.js';
import { event, proof, type Proof } from './proof.js';

/** Releases of the plugin: `plugin` is what the older ones do, `documented` what the newest one does. */
export const VERSION_PROOFS = {
  'no-custom-fields': proof({
    ask: async (ask) => (await event(ask, 'series')).custom_fields,
    plugin: undefined,
    documented: [],
  }),
} satisfies Partial<Record<keyof typeof VERSION_QUIRKS, Proof>>;
