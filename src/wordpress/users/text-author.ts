import { htmlRules } from '../formatting/kses/kses.js';
import type { TextAuthor } from '../formatting/sanitize.js';
import type { User } from '../model.js';
import type { Site } from '../site.js';
import { can } from './capabilities.js';

/** A user as the author of texts of a site. */
export const textAuthor = (user: User | null, { quirks }: Pick<Site, 'quirks'>): TextAuthor => ({
  unfilteredHtml: can(user, 'unfiltered_html'),
  rules: htmlRules(quirks),
});
