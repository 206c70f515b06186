import type { Term, User } from '../model.js';
import type { Site } from '../site.js';
import { termUrl } from '../terms/term-links.js';
import { withAncestors } from '../terms/terms.js';

export const authorUrl = ({ url }: Site, { nicename }: Pick<User, 'nicename'>): string => `${url}/author/${nicename}/`;

export const urlOfTerm = async (term: Term, site: Site): Promise<string> => termUrl(term, await withAncestors(site.store, [term]), site);

/** URL of the blog posts of a year, a month or a day: `2026`, `2026-06` or `2026-06-15`. */
export const datesUrl = (dates: string, { url }: Site): string => `${url}/${dates.replaceAll('-', '/')}/`;
