import { lookup } from '../../../base/values/records.js';
import type { Term as StoredTerm, User } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { termUrl } from '../../../wordpress/terms/terms.js';
import type { EventTerm, Term, TermUrls } from '../../../sdk/types/responses.js';
import type { Site } from '../../../wordpress/site.js';
import { withAddedTermFields } from './view.js';

const PATHS: Record<string, string> = lookup({ tribe_events_cat: 'categories', post_tag: 'tags' });

function urls(term: StoredTerm, { site, namespace }: Pick<TermView, 'site' | 'namespace'>): TermUrls {
  const collection = site.restUrl(`/${namespace}/${PATHS[term.taxonomy]}`);
  return { self: `${collection}/${term._id}`, collection, ...(term.parent === 0 ? {} : { up: `${collection}/${term.parent}` }) };
}

/** A term within an event. TEC: the term routes return another shape. */
export const presentEventTerm = (term: StoredTerm, view: Pick<TermView, 'site' | 'namespace'>): EventTerm => ({
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
  urls: urls(term, view),
});

export interface TermView {
  site: Site;
  namespace: string;
  user: User | null;
  /** WP: each field belongs to some contexts; an unknown context has no fields. */
  context: string;
  /** WP: `_fields` applies to each term of a list, too; empty: all fields. */
  fields: readonly string[];
  /** Ancestors of the terms shown, by id. */
  known: Map<number, StoredTerm>;
}

const IN_EMBED = ['id', 'name', 'slug', 'taxonomy', 'link'];

function isShown(name: string, { context, fields }: TermView): boolean {
  const inContext = context === 'view' || context === 'edit' || (context === 'embed' && IN_EMBED.includes(name));
  // WP: the id is always part of the requested fields.
  return inContext && (fields.length === 0 || name === 'id' || fields.includes(name));
}

/** A term on the term routes. TEC: if its parent is not shown, `urls` has no `up`. */
export function presentTerm(term: StoredTerm, view: TermView): Partial<Term> | [] {
  // PHP: an empty array is a list.
  if (!isShown('id', view)) return [];
  const values = {
    id: term._id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(term.taxonomy === EVENT_CATEGORY ? { parent: term.parent } : {}),
    meta: [] as [],
  };
  const shown: Partial<typeof values> = Object.fromEntries(Object.entries(values).filter(([name]) => isShown(name, view)));
  const whole = {
    ...shown,
    ...(isShown('link', view) ? { url: termUrl(term, view.known, view.site) } : {}),
    urls: urls({ ...term, parent: shown.parent ?? 0 }, view),
  };
  return withAddedTermFields(whole, term, view);
}
