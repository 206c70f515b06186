import { foldForSearch } from './formatting/accents.js';
import { saveTermName } from './formatting/sanitize.js';
import { sanitizeTitle } from './formatting/slug.js';
import type { Term } from './model.js';
import { countedTaxonomies } from './types/registry.js';
import { equalityKey } from './posts.js';
import { inOrder } from './query/query.js';
import { fewTermsPipeline, termCountPipeline, termPipeline, type TermQuery } from './query/term-query.js';
import type { Store } from './store.js';

/** Fills in the columns that searches and sorts use. */
export const deriveTerm = (term: Omit<Term, 'nameKey' | 'search' | 'branchCount'>): Term => ({
  ...term,
  nameKey: equalityKey(term.name),
  // WP: a search looks into the name and the slug.
  search: `${foldForSearch(term.name)}\n${term.slug}`,
  branchCount: term.count,
});

export const findTerm = (store: Store, taxonomy: string, id: number): Promise<Term | null> => store.terms.findOne({ _id: id, taxonomy });

export const findTerms = (store: Store, ids: number[]): Promise<Term[]> =>
  store.cache.recall('term', ids, (missing) => store.terms.find({ _id: { $in: missing } }).toArray());

/** One page of what a query finds. */
export async function listTerms(store: Store, query: TermQuery): Promise<Term[]> {
  const few = fewTermsPipeline(query);
  if (!few) return store.aggregate<Term>('terms', termPipeline(query));
  return inOrder(await store.aggregate<Term>('terms', few.stages), few.order).slice(query.offset, query.offset + query.limit);
}

/** How many terms a query finds in all; remembered until something changes. */
export const countTerms = (store: Store, query: TermQuery): Promise<number> =>
  store.cache.remember(`terms ${JSON.stringify({ ...query, limit: 0, offset: 0 })}`, async () => {
    const [row] = await store.aggregate<{ total: number }>('terms', termCountPipeline(query));
    return row?.total ?? 0;
  });

/** What each of some texts stands for in a taxonomy: a slug first, then an id, then a name (TEC). */
export interface ResolvedTerm {
  text: string;
  bySlug?: Term;
  byId?: Term;
  byName?: Term;
}

/** Looks many terms up at once, by slug, id and name. */
export const resolveTerms = (store: Store, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> =>
  store.cache.remember(`resolve ${taxonomy} ${JSON.stringify(texts)}`, () => lookUp(store, taxonomy, texts));

async function lookUp(store: Store, taxonomy: string, texts: string[]): Promise<ResolvedTerm[]> {
  const slugs = texts.map((text) => sanitizeTitle(text));
  const ids = texts.map((text) => (/^\d+$/.test(text) ? Number(text) : -1));
  // WP: a name is looked for as it would be stored.
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

/** Ids of terms and of everything below them in their trees. */
export const withDescendants = (store: Store, taxonomy: string, ids: number[]): Promise<number[]> =>
  store.cache.remember(`below ${taxonomy} ${ids.join()}`, () => descend(store, taxonomy, ids));

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

/** The ancestors of terms, each found once, keyed by id together with the terms themselves. */
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

/** Slugs of a term's ancestors and its own, the topmost first (WP: the path of its page). */
export function slugPath(term: Term, known: Map<number, Term>): string[] {
  const path = [term.slug];
  const seen = new Set([term._id]);
  for (let parent = known.get(term.parent); parent && !seen.has(parent._id); parent = known.get(parent.parent)) {
    path.unshift(parent.slug);
    seen.add(parent._id);
  }
  return path;
}

/** Counts that wait for their turn; null stands for all terms. */
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
 * Counts the published posts of some terms, or of all, and keeps the numbers with them.
 * Derived from the posts each time, never added to or taken from: a number that is wrong heals with the next change.
 * One count after another, or a slow one would overwrite what a later one has found; those that wait are made together.
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
  await takeOff(store, ids?.filter((id) => !known.has(id)) ?? []);
}

/** All terms with what counts are made of. */
export const readCounts = (store: Store): Promise<Counted[]> =>
  store.terms.find({}).project<Counted>({ taxonomy: 1, parent: 1, count: 1, elsewhere: 1, branchCount: 1 }).toArray();

/** Terms whose counts are not what the posts say, with the right ones. Only of the terms asked for are posts counted. */
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

/** WP: an empty term is shown as long as one below it is not; so each knows the sum of its branch. */
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

/** A post may have been given a term while that was being deleted. */
async function takeOff(store: Store, gone: number[]): Promise<void> {
  if (gone.length === 0) return;
  for (const column of countedTaxonomies().map((taxonomy) => `terms.${taxonomy}`)) {
    await store.posts.updateMany({ [column]: { $in: gone } }, { $pull: { [column]: { $in: gone } }, $inc: { version: 1 } });
  }
}
