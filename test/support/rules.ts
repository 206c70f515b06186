import { quirksOf } from '../../src/plugins/quirks.js';
import { Counters } from '../../src/wordpress/formatting/block-parts/counters.js';
import { htmlRules } from '../../src/wordpress/formatting/kses/kses.js';
import { NO_REFERENCES, type References } from '../../src/wordpress/formatting/references.js';
import type { TextAuthor } from '../../src/wordpress/formatting/sanitize.js';
import { RECORDED_WITH } from '../conformance/wordpress.mjs';

/** What the oldest release of WordPress does otherwise than the newest one. */
const OLDEST = quirksOf('tec', {}, { wordpress: RECORDED_WITH });

/** The rules by which the oldest release sanitizes HTML, and the newest one. */
export const OLDEST_RULES = htmlRules(OLDEST);
export const NEWEST_RULES = htmlRules(new Set());

/** For texts as the oldest release shows them. */
export const NO_REFERENCES_OF_OLDEST: References = {
  ...NO_REFERENCES,
  quirks: OLDEST,
  release: RECORDED_WITH,
  get counters() {
    return new Counters();
  },
};

/** A user of the oldest release. */
export const authorOf = (unfilteredHtml: boolean): TextAuthor => ({ unfilteredHtml, rules: OLDEST_RULES });
