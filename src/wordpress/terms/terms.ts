import { foldForSearch } from '../formatting/accents.js';
import { saveTermName, sanitizeTitle } from '../formatting/sanitize.js';
import { CATEGORY, TAG, type Term, type User } from '../model.js';
import { equalityKey, type SlugPlace } from '../posts/posts.js';
import { inOrder } from '../query/term-query.js';
import { fewTermsPipeline, selectTerms, termCountPipeline, termMatches, termPipeline, type TermQuery } from '../query/term-query.js';
import type { Store } from '../store.js';
import { canManageTerms } from '../users/capabilities.js';
import type { Base } from '../rewrite.js';
import type { Registry } from '../types/registry.js';
import type { Site } from '../site.js';
import { copiedPath } from '../stored-fields.js';

/** Sets the derived columns, which searches and sorts use. */
export const deriveTerm = (term: Omit<Term, 'nameKey' | 'search' | 'branchCount'>): Term => ({
  ...term,
  nameKey: equalityKey(term.name),
  // WP: a search matches the name and the slug.
  search: `${foldForSearch(term.name)}\n${term.slug}`,
  branchCount: term.count,
});

export async function findTerm(store: Store, taxonomy: string, id: number): Promise<Term | null> {
  const all = await store.allTerms();
  if (!all) return store.terms.findOne({ _id: id, taxonomy });
  const term = all.get(id);
  return term?.taxonomy === taxonomy ? term : null;
}

/** Finds terms by id. Do not modify them. */
export async function findTerms(store: Store, ids: number[]): Promise<Term[]> {
  const all = ids.length === 0 ? null : await store.allTerms();
  if (all) return ids.flatMap((id) => all.get(id) ?? []);
  return store.cache.recall('terms', ids, (missing) => store.terms.find({ _id: { $in: missing } }).toArray());
}

/** The terms that a query may find, in the order of ids. */
const among = (all: ReadonlyMap<number, Term>, { include }: TermQuery): Term[] =>
  include ? [...new Set(include)].sort((a, b) => a - b).flatMap((id) => all.get(id) ?? []) : [...all.values()];

/** One page of the results of a query. */
export async function listTerms(store: Store, query: TermQuery): Promise<Term[]> {
  const all = await store.allTerms();
  if (all) return selectTerms(among(all, query), query);
  const few = fewTermsPipeline(query);
  if (!few) return store.aggregate<Term>('terms', termPipeline(query));
  return inOrder(await store.aggregate<Term>('terms', few.stages), few.order).slice(query.offset, query.offset + query.limit);
}

export async function countTerms(store: Store, query: TermQuery): Promise<number> {
  const all = await store.allTerms();
  if (all) return among(all, query).filter(termMatches(query)).length;
  const name = `terms ${JSON.stringify({ ...query, limit: 0, offset: 0 })}`;
  const count = async (): Promise<number> =>
    (await store.aggregate<{ total: number }>('terms', termCountPipeline(query))).at(0)?.total ?? 0;
  return store.cache.remember(name, count, 'terms');
}

/** The terms that a text may refer to. TEC: a slug takes precedence, then an id, then a name. */
export interface ResolvedTerm {
  text: string;
  bySlug?: Term;
  byId?: Term;
  byName?: Term;
}

/** Looks up terms by slug, id and name, with one query for all texts. */
export const resolveTerms = (site: SlugPlace, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> =>
  site.store.cache.remember(`resolve ${taxonomy} ${JSON.stringify(texts)}`, () => lookUp(site, taxonomy, texts), 'terms');

async function lookUp({ store, quirks }: SlugPlace, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> {
  const slugs = texts.map((text) => sanitizeTitle(text, quirks));
  // WP: the sign of an id is ignored.
  const ids = texts.map((text) => (/^-?\d+$/.test(text) ? Math.abs(Number(text)) : -1));
  // WP: names are compared in their stored form.
  const names = texts.map((text) => equalityKey(saveTermName(text)));
  const all = await store.allTerms();
  const [someSlugs, someIds, someNames] = [new Set(slugs), new Set(ids), new Set(names)];
  const found = all
    ? [...all.values()].filter(
        (term) => term.taxonomy === taxonomy && (someSlugs.has(term.slug) || someIds.has(term._id) || someNames.has(term.nameKey)),
      )
    : await store.terms.find({ taxonomy, $or: [{ slug: { $in: slugs } }, { _id: { $in: ids } }, { nameKey: { $in: names } }] }).toArray();
  const [bySlug, byId, byName] = [
    new Map(found.map((t) => [t.slug, t])),
    new Map(found.map((t) => [t._id, t])),
    new Map(found.map((t) => [t.nameKey, t])),
  ];
  return texts.map((text, i) => ({
    text,
    bySlug: slugs[i] === '' ? undefined : bySlug.get(slugs[i]),
    byId: byId.get(ids[i]),
    byName: byName.get(names[i]),
  }));
}

export const withDescendants = (store: Store, taxonomy: string, ids: number[]): Promise<number[]> =>
  store.cache.remember(`below ${taxonomy} ${ids.join()}`, () => descend(store, taxonomy, ids), 'terms');

async function childrenOf(store: Store, taxonomy: string, parents: number[]): Promise<Pick<Term, '_id'>[]> {
  const all = await store.allTerms();
  if (!all) return store.terms.find({ taxonomy, parent: { $in: parents } }, { projection: { _id: 1 } }).toArray();
  const above = new Set(parents);
  return [...all.values()].filter((term) => term.taxonomy === taxonomy && above.has(term.parent));
}

async function descend(store: Store, taxonomy: string, ids: number[]): Promise<number[]> {
  const all = new Set(ids);
  let level = ids;
  while (level.length > 0) {
    const children = await childrenOf(store, taxonomy, level);
    level = children.map(({ _id }) => _id).filter((id) => !all.has(id));
    for (const id of level) all.add(id);
  }
  return [...all];
}

export async function withAncestors(store: Store, terms: Term[]): Promise<Map<number, Term>> {
  const known = new Map(terms.map((term) => [term._id, term]));
  let missing = missingParents(known);
  while (missing.length > 0) {
    const parents = await findTerms(store, missing);
    if (parents.length === 0) break;
    for (const parent of parents) known.set(parent._id, parent);
    missing = missingParents(known).filter((id) => !missing.includes(id));
  }
  return known;
}

const missingParents = (known: Map<number, Term>): number[] => [
  ...new Set([...known.values()].map(({ parent }) => parent).filter((parent) => parent !== 0 && !known.has(parent))),
];

/** A term after its ancestors, the topmost first. */
export function lineage(term: Term, known: Map<number, Term>): Term[] {
  const line = [term];
  const seen = new Set([term._id]);
  for (let parent = known.get(term.parent); parent && !seen.has(parent._id); parent = known.get(parent.parent)) {
    line.unshift(parent);
    seen.add(parent._id);
  }
  return line;
}

/** The slugs of a term's ancestors, the topmost first, and its own (WP: the path of its page). */
export const slugPath = (term: Term, known: Map<number, Term>): string[] => lineage(term, known).map(({ slug }) => slug);

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
export function termUrl(term: Term, known: Map<number, Term>, site: Pick<Site, 'url' | 'options' | 'registry'>): string {
  const { folder, name, hierarchical, flatLinks } = site.registry.taxonomyOf(term.taxonomy);
  const { rewrite } = site.options;
  const copied = copiedPath(term, site);
  if (copied !== undefined) return `${site.url}${copied}`;
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
