import type { RELEASE_QUIRKS } from '../../../../src/wordpress/quirks/release-rows.js';
import { proof, type Proof } from './proof.js';

/** Releases of WordPress. */
export const WORDPRESS_PROOFS = {
  'term-words-list-all': proof({
    ask: async ({ get }) => (await get<object[]>('/wp/v2/tags?include=0')).body.length > 0,
    plugin: true,
    documented: false,
  }),
} satisfies Record<keyof typeof RELEASE_QUIRKS, Proof>;
