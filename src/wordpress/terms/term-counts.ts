import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage, isUncertain } from '../../database/store/errors.js';
import { withLock, withSharedLock } from '../../database/store/locks.js';
import { within } from '../../base/system/deadline.js';
import type { Post, Term } from '../model.js';
import type { Id, Step, StepResult } from '../../database/store/writes.js';
import type { CountStep, Store } from '../store.js';
import { findTerms, withAncestors } from './terms.js';

/** A pending recount; null: of all terms. */
interface Recount {
  ids: Set<number> | null;
  done: Promise<void>;
}

/** The counting in a store. Writes that change counts by what they change themselves run together; recounts run alone. */
interface Counting {
  waiting: Recount | null;
  /** Terms of writes with an indeterminate result. */
  unsure: Set<number>;
}

/** The pause after a recount that other servers have disturbed, and how long requests wait for one that is disturbed again and again, in ms. */
const PAUSE_MS = 20;
const MAX_WAIT_MS = 1_000;

const countings = new WeakMap<Store, Counting>();

function countingOf(store: Store): Counting {
  const known = countings.get(store);
  if (known) return known;
  const counting = { waiting: null, unsure: new Set<number>() };
  countings.set(store, counting);
  return counting;
}

/**
 * Recounts the published posts of the given terms, or of all, and again until no other server has changed these counts meanwhile. Recounts
 * run one after another, since a slow one could overwrite a later result. Pending recounts are combined.
 */
export function recountTerms(store: Store, ids?: readonly number[], pauseMs = 0): Promise<void> {
  const counting = countingOf(store);
  if (!counting.waiting) {
    const next: Recount = { ids: new Set(), done: Promise.resolve() };
    const count = (): Promise<boolean> => {
      counting.waiting = null;
      return countPosts(store, next.ids && [...next.ids]);
    };
    next.done = (async () => {
      // Own writes are not held up meanwhile.
      if (pauseMs > 0) await sleep(pauseMs);
      const isDone = await withLock(counting, 'counts', count);
      if (!isDone) await recountTerms(store, next.ids ? [...next.ids] : undefined, PAUSE_MS);
    })();
    counting.waiting = next;
  }
  const { waiting } = counting;
  if (!ids) waiting.ids = null;
  for (const id of ids ?? []) waiting.ids?.add(id);
  return waiting.done;
}

/** Recounts terms, for a request. If that takes long, it continues in the background; if it fails, the next request repeats it. */
export function recountSoon(store: Store, ids: readonly number[]): Promise<void> {
  const done = recountTerms(store, ids).catch((error: unknown) => {
    for (const id of ids) countingOf(store).unsure.add(id);
    throw error;
  });
  return within(MAX_WAIT_MS, done, () => undefined);
}

/** A post before and after a write; null: it does not exist. */
interface PostChange {
  before: Pick<Post, 'status' | 'terms'> | null;
  after: Pick<Post, 'status' | 'terms'> | null;
}

/**
 * Runs a write that may change the counts of terms, and updates them. The write must not contain another one.
 * @param write calls `send` for each post that it writes, which sends the counts with the steps of the caller. Where it is not known that
 * they are right after that, the terms are recounted.
 */
export async function withCounts<T>(store: Store, write: (send: SendCounted) => Promise<T>): Promise<T> {
  const counting = countingOf(store);
  const uncounted = new Set<number>();
  const send: SendCounted = async (change, steps) => {
    const counted = await countSteps(store, change);
    const results = await store.writeTogether([...steps, ...(counted ?? [])]).catch((error: unknown) => {
      if (isUncertain(error) || isOutage(error)) for (const id of touchedTerms(change)) counting.unsure.add(id);
      throw error;
    });
    // A post or term that others have deleted meanwhile.
    const isMissing = counted?.length !== 0 && results.some(({ n }) => n === 0);
    if (!counted || isMissing) for (const id of touchedTerms(change)) uncounted.add(id);
    return results;
  };
  const result = await withSharedLock(counting, 'counts', () => write(send));
  const wrong = [...uncounted, ...counting.unsure];
  counting.unsure.clear();
  if (wrong.length > 0 || counting.waiting) await recountSoon(store, wrong);
  return result;
}

/** Sends the steps of a change of a post, with the counts that it changes. @returns what each step has done */
type SendCounted = (change: PostChange, steps: readonly Step[]) => Promise<StepResult[]>;

const termIds = (post: PostChange['after']): number[] => (post ? Object.values(post.terms).flat() : []);

/** Terms whose number of published posts may have changed. */
function touchedTerms({ before, after }: PostChange): number[] {
  const [old, current] = [new Set(termIds(before)), new Set(termIds(after))];
  const all = [...new Set([...old, ...current])];
  const stillCounts = before !== null && after !== null && (before.status === 'publish') === (after.status === 'publish');
  return stillCounts ? all.filter((id) => old.has(id) !== current.has(id)) : all;
}

const isCountedIn = (post: PostChange['after'], { _id, taxonomy }: Term): boolean =>
  post?.status === 'publish' && (post.terms[taxonomy] ?? []).includes(_id);

/** By how much the counts change; null if a term is not known, since it was deleted concurrently. */
async function countSteps(store: Store, change: PostChange): Promise<CountStep[] | null> {
  const touched = touchedTerms(change);
  let terms = await findTerms(store, touched);
  if (terms.length < touched.length) {
    // Another server may have made it a moment ago.
    await store.current();
    terms = await findTerms(store, touched);
  }
  if (terms.length < touched.length) return null;
  const known = await withAncestors(store, terms);
  const changes = new Map<number, { count: number; branchCount: number }>();
  for (const term of terms) {
    const more = Number(isCountedIn(change.after, term)) - Number(isCountedIn(change.before, term));
    if (more === 0) continue;
    for (const { _id } of branchOf(term, known)) {
      const { count, branchCount } = changes.get(_id) ?? { count: 0, branchCount: 0 };
      changes.set(_id, { count: count + (_id === term._id ? more : 0), branchCount: branchCount + more });
    }
  }
  return [...changes].map(([id, $inc]) => ({ collection: 'terms', update: id, change: { $inc } }));
}

function branchOf<T extends Pick<Term, '_id' | 'parent'>>(term: T, known: ReadonlyMap<number, T>): T[] {
  const branch = new Set<T>();
  for (let at: T | undefined = term; at && !branch.has(at); at = known.get(at.parent)) branch.add(at);
  return [...branch];
}

export type CountedTerm = Pick<Term, '_id' | 'taxonomy' | 'parent' | 'count' | 'elsewhere' | 'branchCount'>;

/** @returns whether the counts are right: no other server has changed them meanwhile */
async function countPosts(store: Store, ids: number[] | null): Promise<boolean> {
  const concerned = new Set(ids);
  const written = await store.collectConcurrentWrites(async () => {
    for (let isRight = false; !isRight;) {
      const terms = await readCounts(store);
      const stored = new Map(terms.map((term) => [term._id, term]));
      const wrong = await wrongCounts(store, terms, ids);
      for (const { _id } of ids ? wrong : terms) concerned.add(_id);
      const changes = wrong.map(({ _id, count, branchCount }) => ({
        collection: 'terms',
        // Another server may have changed them since they were read.
        update: { _id, ...countsOf(stored.get(_id)!) },
        change: { $set: { count, branchCount } },
      }));
      const results = await store.writeTogether(changes);
      // Many changes have no results: they are compared again.
      isRight = results.length === changes.length && results.every(({ n }) => n === 1);
      if (isRight) await removeFromPosts(store, ids?.filter((id) => !stored.has(id)) ?? []);
    }
  });
  const isConcerned = (id: Id): boolean => concerned.has(id as number);
  return written !== 'unknown' && written.every(([collection, named]) => collection !== 'terms' || named?.some(isConcerned) === false);
}

const countsOf = ({ count, branchCount }: CountedTerm) => ({ count, branchCount });

/** All terms, with the fields needed for counts. */
export const readCounts = (store: Store): Promise<CountedTerm[]> =>
  store.terms.find({}).project<CountedTerm>({ taxonomy: 1, parent: 1, count: 1, elsewhere: 1, branchCount: 1 }).toArray();

/** The terms with stale counts, with the correct counts. @param ids terms whose posts are counted; null: all */
export async function wrongCounts(store: Store, terms: CountedTerm[], ids: number[] | null): Promise<CountedTerm[]> {
  const wanted = new Set(ids ?? terms.map(({ _id }) => _id));
  const counts = await Promise.all(
    terms.map(async (term) => (wanted.has(term._id) ? (await publishedPosts(store, term)) + (term.elsewhere ?? 0) : term.count)),
  );
  return differing(terms, counts);
}

/** Finds terms whose counts differ, with the right ones. @param counts of each term, without its descendants */
export function differing(terms: readonly CountedTerm[], counts: readonly number[]): CountedTerm[] {
  const counted = terms.map((term, i) => ({ ...term, count: counts[i] }));
  const sums = branchSums(counted);
  return counted
    .map((term) => ({ ...term, branchCount: sums.get(term._id) ?? 0 }))
    .filter(({ count, branchCount }, i) => count !== terms[i].count || branchCount !== terms[i].branchCount);
}

export const publishedPosts = (store: Store, { _id, taxonomy }: Pick<CountedTerm, '_id' | 'taxonomy'>): Promise<number> =>
  store.posts.countDocuments({ [`terms.${taxonomy}`]: _id, status: 'publish' });

/** The sum of the counts of each term and its descendants. WP: an empty term is shown if a descendant is not empty. */
export function branchSums(terms: readonly CountedTerm[]): Map<number, number> {
  const byId = new Map(terms.map((term) => [term._id, term]));
  const sums = new Map(terms.map((term) => [term._id, 0]));
  for (const term of terms) {
    for (const { _id } of branchOf(term, byId)) sums.set(_id, (sums.get(_id) ?? 0) + term.count);
  }
  return sums;
}

/** Removes deleted terms from posts that were assigned them concurrently. */
async function removeFromPosts(store: Store, gone: number[]): Promise<void> {
  if (gone.length === 0) return;
  for (const column of store.registry.countedTaxonomies.map((taxonomy) => `terms.${taxonomy}`)) {
    await store.posts.updateMany({ [column]: { $in: gone } }, { $pull: { [column]: { $in: gone } }, $inc: { version: 1 } });
  }
}
