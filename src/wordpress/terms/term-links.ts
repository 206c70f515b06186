import { canManageTerms } from '../users/capabilities.js';
import { CATEGORY, TAG, type Term, type User } from '../model.js';
import type { Base } from '../rewrite.js';
import type { Registry } from '../types/registry.js';
import { slugPath } from './terms.js';
import type { Site } from '../site.js';

/** A link in `_links` of a term. */
interface TermLink {
  href: string;
  embeddable?: boolean;
  templated?: boolean;
  name?: string;
  targetHints?: { allow: string[] };
}

/** Path of a term in the core API. WP: the `Location` of created terms. */
export const corePath = ({ taxonomy, _id }: Pick<Term, 'taxonomy' | '_id'>, registry: Registry): string =>
  `/wp/v2/${registry.taxonomyOf(taxonomy).base}/${_id}`;

/** Taxonomies whose words in paths are settings, and whose parameter in plain permalinks is not their name (WP). */
const BASES = new Map<string, Base>([
  [CATEGORY, 'category'],
  [TAG, 'tag'],
]);
const PLAIN_NAMES = new Map([[TAG, 'tag']]);

/** The URL of a term's page. @param known the term's ancestors, by id */
export function termUrl(term: Term, known: Map<number, Term>, site: Site): string {
  const { folder, name, hierarchical, flatLinks } = site.registry.taxonomyOf(term.taxonomy);
  const { rewrite } = site.options;
  if (rewrite.isPlain) return `${site.url}/?${name === CATEGORY ? `cat=${term._id}` : `${PLAIN_NAMES.get(name) ?? name}=${term.slug}`}`;
  const path = hierarchical && !flatLinks ? slugPath(term, known) : [term.slug];
  const base = BASES.get(name);
  if (base) return `${site.url}${rewrite.ended(`${rewrite.folderOf(base)}/${path.join('/')}`)}`;
  const isDeclared = Object.hasOwn(site.registry.declarations.taxonomies ?? {}, name);
  return `${site.url}${rewrite.path([folder?.(site.options) ?? name, ...path], isDeclared)}`;
}

const LINK_HINTS = ['GET'];
const EDITOR_HINTS = ['GET', 'POST', 'PUT', 'PATCH'];

/** WP: the default category cannot be deleted. */
export const isDefaultCategory = (taxonomy: string, id: number, { options }: Site): boolean =>
  taxonomy === CATEGORY && id === options.defaultCategory;

/** The methods that a caller may use on a term. */
function hints({ taxonomy, _id }: Term, site: Site, user: User | null): string[] {
  if (!canManageTerms(user, taxonomy, site.registry)) return LINK_HINTS;
  return isDefaultCategory(taxonomy, _id, site) ? EDITOR_HINTS : [...EDITOR_HINTS, 'DELETE'];
}

const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** `_links` of a term. WP: all of them point to the core namespace. */
export function termLinks(term: Term, site: Site, user: User | null): Record<string, TermLink[]> {
  const taxonomy = site.registry.taxonomyOf(term.taxonomy);
  const base = `/wp/v2/${taxonomy.base}`;
  const allow = hints(term, site, user);
  return {
    self: [{ href: site.restUrl(`${base}/${term._id}`), targetHints: { allow } }],
    collection: [{ href: site.restUrl(base) }],
    about: [{ href: site.restUrl(`/wp/v2/taxonomies/${term.taxonomy}`) }],
    ...(term.parent === 0 ? {} : { up: [{ href: site.restUrl(`${base}/${term.parent}`), embeddable: true }] }),
    'wp:post_type': site.registry.typesWith(taxonomy.name, site.quirks).map((type) => ({
      href: site.restUrl(`/wp/v2/${type.base}?${taxonomy.base}=${term._id}`),
    })),
    curies,
  };
}
