import { canManageTerms } from '../wp/capabilities.js';
import { EVENT_CATEGORY, type Term as StoredTerm, type User } from '../wp/model.js';
import { slugPath } from '../wp/terms.js';
import type { EventTerm, Link, Term, TermUrls } from '../types.js';
import type { Site } from '../wp/site.js';

const PATHS: Record<string, string> = { tribe_events_cat: 'categories', post_tag: 'tags' };

/** Base of the core routes of a taxonomy (WP). */
const CORE_BASE: Record<string, string> = { tribe_events_cat: 'tribe_events_cat', post_tag: 'tags' };

interface Place {
  site: Site;
  namespace: string;
}

function urls(term: StoredTerm, { site, namespace }: Place): TermUrls {
  const collection = site.restUrl(`/${namespace}/${PATHS[term.taxonomy]}`);
  return { self: `${collection}/${term._id}`, collection, ...(term.parent === 0 ? {} : { up: `${collection}/${term.parent}` }) };
}

/** A term within an event. TEC: another shape than on the term routes. */
export const presentEventTerm = (term: StoredTerm, place: Place): EventTerm => ({
  name: term.name,
  slug: term.slug,
  term_group: term.termGroup,
  term_taxonomy_id: term.termTaxonomyId,
  taxonomy: term.taxonomy,
  description: term.description,
  parent: term.parent,
  count: term.count,
  filter: 'raw',
  id: term._id,
  urls: urls(term, place),
});

/** Address of the page of a term. @param known the term's ancestors by id */
export function termUrl(term: StoredTerm, known: Map<number, StoredTerm>, site: Site): string {
  if (term.taxonomy !== EVENT_CATEGORY) return `${site.url}/tag/${term.slug}/`;
  return `${site.url}/${site.options.calendar.eventsSlug}/category/${slugPath(term, known).join('/')}/`;
}

const LINK_HINTS = ['GET'];
const EDITOR_HINTS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** WP: post types that use a taxonomy, as the links of its terms name them. */
const OBJECT_LINKS: Record<string, (id: number) => string[]> = {
  tribe_events_cat: (id) => [`/wp/v2/tribe_events?tribe_events_cat=${id}`, `/wp/v2/tec_calendar_embed?tribe_events_cat=${id}`],
  post_tag: (id) => [`/wp/v2/posts?tags=${id}`, `/wp/v2/tribe_events?tags=${id}`, `/wp/v2/tec_calendar_embed?tags=${id}`],
};

/** `_links` of a term: all of them point into the core namespace (WP). */
export function termLinks(term: StoredTerm, site: Site, user: User | null): Record<string, Link[]> {
  const base = `/wp/v2/${CORE_BASE[term.taxonomy]}`;
  const allow = canManageTerms(user, term.taxonomy) ? EDITOR_HINTS : LINK_HINTS;
  return {
    self: [{ href: site.restUrl(`${base}/${term._id}`), targetHints: { allow } }],
    collection: [{ href: site.restUrl(base) }],
    about: [{ href: site.restUrl(`/wp/v2/taxonomies/${term.taxonomy}`) }],
    ...(term.parent === 0 ? {} : { up: [{ href: site.restUrl(`${base}/${term.parent}`), embeddable: true }] }),
    'wp:post_type': OBJECT_LINKS[term.taxonomy](term._id).map((path) => ({ href: site.restUrl(path) })),
    curies,
  };
}

export interface TermView extends Place {
  user: User | null;
  /** WP: `embed` leaves out what a link preview does not need. */
  context: string;
  /** Ancestors of the terms shown, by id. */
  known: Map<number, StoredTerm>;
}

/** A term on its own routes. */
export function presentTerm(term: StoredTerm, view: TermView): Term {
  const full = view.context !== 'embed';
  return {
    id: term._id,
    ...(full ? { count: term.count, description: term.description } : {}),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(full && term.taxonomy === EVENT_CATEGORY ? { parent: term.parent } : {}),
    ...(full ? { meta: [] as [] } : {}),
    url: termUrl(term, view.known, view.site),
    urls: urls(term, view),
  };
}
