import type { Term as StoredTerm, User } from '../wp/model.js';
import { EVENT_CATEGORY } from '../tec/index.js';
import { termUrl } from '../wp/term-links.js';
import type { EventTerm, Term, TermUrls } from '../types.js';
import type { Site } from '../wp/site.js';

const PATHS: Record<string, string> = { tribe_events_cat: 'categories', post_tag: 'tags' };

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
