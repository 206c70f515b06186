import { canManageTerms } from './users/capabilities.js';
import { isTree, CATEGORY, EVENT_CATEGORY, TAG, type Term, type User } from './model.js';
import { slugPath } from './terms.js';
import type { Site } from './site.js';

/** A link of a term to something near it. */
export interface TermLink {
  href: string;
  embeddable?: boolean;
  templated?: boolean;
  name?: string;
  targetHints?: { allow: string[] };
}

/** Base of the core routes of a taxonomy (WP). */
const CORE_BASE: Record<string, string> = { [EVENT_CATEGORY]: 'tribe_events_cat', [TAG]: 'tags', [CATEGORY]: 'categories' };

/** Path of a term on its core route, where a created one is said to be (WP). */
export const corePath = ({ taxonomy, _id }: Pick<Term, 'taxonomy' | '_id'>): string => `/wp/v2/${CORE_BASE[taxonomy]}/${_id}`;

/** Address of the page of a term. @param known the term's ancestors by id */
export function termUrl(term: Term, known: Map<number, Term>, site: Site): string {
  if (!isTree(term.taxonomy)) return `${site.url}/tag/${term.slug}/`;
  const base = term.taxonomy === EVENT_CATEGORY ? `/${site.options.calendar.eventsSlug}` : '';
  return `${site.url}${base}/category/${slugPath(term, known).join('/')}/`;
}

const LINK_HINTS = ['GET'];
const EDITOR_HINTS = ['GET', 'POST', 'PUT', 'PATCH'];

/** WP: the category of posts that have none is not to be deleted. */
export const isKept = (taxonomy: string, id: number, { options }: Site): boolean => taxonomy === CATEGORY && id === options.defaultCategory;

/** Methods that a caller may use on a term. */
function hints({ taxonomy, _id }: Term, site: Site, user: User | null): string[] {
  if (!canManageTerms(user, taxonomy)) return LINK_HINTS;
  return isKept(taxonomy, _id, site) ? EDITOR_HINTS : [...EDITOR_HINTS, 'DELETE'];
}

const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** WP: post types that use a taxonomy, as the links of its terms name them. */
const OBJECT_LINKS: Record<string, (id: number) => string[]> = {
  [CATEGORY]: (id) => [`/wp/v2/posts?categories=${id}`],
  [EVENT_CATEGORY]: (id) => [`/wp/v2/tribe_events?tribe_events_cat=${id}`, `/wp/v2/tec_calendar_embed?tribe_events_cat=${id}`],
  [TAG]: (id) => [`/wp/v2/posts?tags=${id}`, `/wp/v2/tribe_events?tags=${id}`, `/wp/v2/tec_calendar_embed?tags=${id}`],
};

/** `_links` of a term: all of them point into the core namespace (WP). */
export function termLinks(term: Term, site: Site, user: User | null): Record<string, TermLink[]> {
  const base = `/wp/v2/${CORE_BASE[term.taxonomy]}`;
  const allow = hints(term, site, user);
  return {
    self: [{ href: site.restUrl(`${base}/${term._id}`), targetHints: { allow } }],
    collection: [{ href: site.restUrl(base) }],
    about: [{ href: site.restUrl(`/wp/v2/taxonomies/${term.taxonomy}`) }],
    ...(term.parent === 0 ? {} : { up: [{ href: site.restUrl(`${base}/${term.parent}`), embeddable: true }] }),
    'wp:post_type': OBJECT_LINKS[term.taxonomy](term._id).map((path) => ({ href: site.restUrl(path) })),
    curies,
  };
}
