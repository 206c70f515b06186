import { foldForSearch } from './formatting/accents.js';
import { saveTermName } from './formatting/sanitize.js';
import { sanitizeTitle } from './formatting/slug.js';
import type { Term } from './model.js';
import { countedTaxonomies } from './types/registry.js';
import { equalityKey } from './posts.js';
import { inOrder } from './query/query.js';
import { fewTermsPipeline, termCountPipeline, termPipeline, type TermQuery } from './query/term-query.js';
import type { Store } from './store.js';

/** Sets the derived columns, which searches and sorts use. */
export const deriveTerm = (term: Omit<Term, 'nameKey' | 'search' | 'branchCount'>): Term => ({
  ...term,
  nameKey: equalityKey(term.name),
  // WP: a search matches the name and the slug.
  search: `${foldForSearch(term.name)}\n${term.slug}`,
  branchCount: term.count,
});

export const findTerm = (store: Store, taxonomy: string, id: number): Promise<Term | null> => store.terms.findOne({ _id: id, taxonomy });

export const findTerms = (store: Store, ids: number[]): Promise<Term[]> =>
  store.cache.recall('terms', ids, (missing) => store.terms.find({ _id: { $in: missing } }).toArray());

/** One page of the results of a query. */
export async function listTerms(store: Store, query: TermQuery): Promise<Term[]> {
  const few = fewTermsPipeline(query);
  if (!few) return store.aggregate<Term>('terms', termPipeline(query));
  return inOrder(await store.aggregate<Term>('terms', few.stages), few.order).slice(query.offset, query.offset + query.limit);
}

/** The total number of results of a query. Cached. */
export const countTerms = (store: Store, query: TermQuery): Promise<number> =>
  store.cache.remember(
    `terms ${JSON.stringify({ ...query, limit: 0, offset: 0 })}`,
    async () => {
      const [row] = await store.aggregate<{ total: number }>('terms', termCountPipeline(query));
      return row?.total ?? 0;
    },
    'terms',
  );

/** The terms that a text may refer to. TEC: a slug takes precedence, then an id, then a name. */
export interface ResolvedTerm {
  text: string;
  bySlug?: Term;
  byId?: Term;
  byName?: Term;
}

/** Looks up terms by slug, id and name, with one query for all texts. */
export const resolveTerms = (store: Store, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> =>
  store.cache.remember(`resolve ${taxonomy} ${JSON.stringify(texts)}`, () => lookUp(store, taxonomy, texts), 'terms');

async function lookUp(store: Store, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> {
  const slugs = texts.map((text) => sanitizeTitle(text));
  const ids = texts.map((text) => (/^\d+$/.test(text) ? Number(text) : -1));
  // WP: names are compared in their stored form.
  const names = texts.map((text) => equalityKey(saveTermName(text)));
  const found = await store.terms
    .find({ taxonomy, $or: [{ slug: { $in: slugs } }, { _id: { $in: ids } }, { nameKey: { $in: names } }] })
    .toArray();
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

/** The ids of terms and their descendants. */
export const withDescendants = (store: Store, taxonomy: string, ids: number[]): Promise<number[]> =>
  store.cache.remember(`below ${taxonomy} ${ids.join()}`, () => descend(store, taxonomy, ids), 'terms');

async function descend(store: Store, taxonomy: string, ids: number[]): Promise<number[]> {
  const all = new Set(ids);
  let level = ids;
  while (level.length > 0) {
    const children = await store.terms.find({ taxonomy, parent: { $in: level } }, { projection: { _id: 1 } }).toArray();
    level = children.map(({ _id }) => _id).filter((id) => !all.has(id));
    for (const id of level) all.add(id);
  }
  return [...all];
}

/** The terms and their ancestors, by id. */
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

/** The slugs of a term's ancestors, the topmost first, and its own (WP: the path of its page). */
export function slugPath(term: Term, known: Map<number, Term>): string[] {
  const path = [term.slug];
  const seen = new Set([term._id]);
  for (let parent = known.get(term.parent); parent && !seen.has(parent._id); parent = known.get(parent.parent)) {
    path.unshift(parent.slug);
    seen.add(parent._id);
  }
  return path;
}

/** A pending recount; null: of all terms. */
interface Recount {
  ids: Set<number> | null;
  done: Promise<void>;
}

interface Recounts {
  running: Promise<void>;
  waiting: Recount | null;
}

const recounts = new WeakMap<Store, Recounts>();

/**
 * Recounts the published posts of the given terms, or of all.
 * Counts are always recomputed from the posts, so a stale count is corrected by the next change.
 * Recounts run one after another, since a slow one could overwrite a later result. Pending recounts are combined.
 */
export function recountTerms(store: Store, ids?: number[]): Promise<void> {
  const state = recounts.get(store) ?? { running: Promise.resolve(), waiting: null };
  recounts.set(store, state);
  if (!state.waiting) {
    const next: Recount = { ids: new Set(), done: Promise.resolve() };
    next.done = state.running.then(() => {
      state.waiting = null;
      return countPosts(store, next.ids && [...next.ids]);
    });
    state.running = next.done.catch(() => {});
    state.waiting = next;
  }
  const { waiting } = state;
  if (!ids) waiting.ids = null;
  for (const id of ids ?? []) waiting.ids?.add(id);
  return waiting.done;
}

export type Counted = Pick<Term, '_id' | 'taxonomy' | 'parent' | 'count' | 'elsewhere' | 'branchCount'>;

async function countPosts(store: Store, ids: number[] | null): Promise<void> {
  const terms = await readCounts(store);
  const changes = (await wrongCounts(store, terms, ids)).map(({ _id, count, branchCount }) => ({
    updateOne: { filter: { _id }, update: { $set: { count, branchCount } } },
  }));
  if (changes.length > 0) await store.terms.bulkWrite(changes, { ordered: false });
  const known = new Set(terms.map(({ _id }) => _id));
  await removeFromPosts(store, ids?.filter((id) => !known.has(id)) ?? []);
}

/** All terms, with the fields needed for counts. */
export const readCounts = (store: Store): Promise<Counted[]> =>
  store.terms.find({}).project<Counted>({ taxonomy: 1, parent: 1, count: 1, elsewhere: 1, branchCount: 1 }).toArray();

/** The terms with stale counts, with the correct counts. @param ids terms whose posts are counted; null: all */
export async function wrongCounts(store: Store, terms: Counted[], ids: number[] | null): Promise<Counted[]> {
  const wanted = new Set(ids ?? terms.map(({ _id }) => _id));
  const counted = await Promise.all(
    terms.map(async (term) => (wanted.has(term._id) ? { ...term, count: await publishedPosts(store, term) } : term)),
  );
  const sums = branchSums(counted);
  return counted
    .map((term) => ({ ...term, branchCount: sums.get(term._id) ?? 0 }))
    .filter(({ count, branchCount }, i) => count !== terms[i].count || branchCount !== terms[i].branchCount);
}

const publishedPosts = async (store: Store, { _id, taxonomy, elsewhere = 0 }: Counted): Promise<number> =>
  (await store.posts.countDocuments({ [`terms.${taxonomy}`]: _id, status: 'publish' })) + elsewhere;

/** The sum of the counts of each term and its descendants. WP: an empty term is shown if a descendant is not empty. */
export function branchSums(terms: readonly Counted[]): Map<number, number> {
  const byId = new Map(terms.map((term) => [term._id, term]));
  const sums = new Map(terms.map((term) => [term._id, 0]));
  for (const term of terms) {
    const seen = new Set<number>();
    for (let at: Counted | undefined = term; at && !seen.has(at._id); at = byId.get(at.parent)) {
      seen.add(at._id);
      sums.set(at._id, (sums.get(at._id) ?? 0) + term.count);
    }
  }
  return sums;
}

/** Removes deleted terms from posts that were assigned them concurrently. */
async function removeFromPosts(store: Store, gone: number[]): Promise<void> {
  if (gone.length === 0) return;
  for (const column of countedTaxonomies().map((taxonomy) => `terms.${taxonomy}`)) {
    await store.posts.updateMany({ [column]: { $in: gone } }, { $pull: { [column]: { $in: gone } }, $inc: { version: 1 } });
  }
}
