import { isEmpty } from '../../base/php/cast.js';
import { htmlRules } from '../formatting/kses/kses.js';
import { saveTermDescription, saveTermName, sanitizeTitle, truncateSlug } from '../formatting/sanitize.js';
import { phpTrim } from '../formatting/strip-tags.js';
import { CATEGORY, type Term, type Post } from '../model.js';
import { equalityKey } from '../posts/posts.js';
import { isDuplicate, isOutage, isUncertain } from '../../database/store/errors.js';
import { deleteItemsOf } from '../query/menus.js';
import { deriveTerm, findTerm, findTerms, withAncestors } from './terms.js';
import { withLock, withSharedLock } from '../../database/store/locks.js';
import type { Site } from '../site.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../base/system/deadline.js';
import type { Id, Step, StepResult } from '../../database/store/writes.js';
import type { CountStep, Store } from '../store.js';

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
function recountSoon(store: Store, ids: readonly number[]): Promise<void> {
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

/** A term could not be stored (WP: error codes of `wp_insert_term` and `wp_update_term`). */
export class TermError extends Error {
  override readonly name = 'TermError';

  constructor(
    readonly code: 'empty_term_name' | 'invalid_term_name' | 'db_insert_error' | 'term_exists' | 'duplicate_term_slug',
    message: string,
    readonly termId?: number,
  ) {
    super(message);
  }
}

/** The fields of a term that were sent. */
export interface TermData {
  name?: string;
  slug?: string;
  description?: string;
  parent?: number;
}

/** Maximum length of a name (WP: `varchar(200)`). */
const MAX_NAME_LENGTH = 200;

function checkedName(raw: string): string {
  if (phpTrim(raw) === '') throw new TermError('empty_term_name', 'A name is required for this term.');
  const name = saveTermName(raw);
  if (name === '') throw new TermError('invalid_term_name', 'Invalid term name.');
  if (Array.from(name).length > MAX_NAME_LENGTH) throw new TermError('db_insert_error', 'Could not insert term into the database.');
  return name;
}

/** PHP `strtolower`: only ASCII letters change. */
const lowered = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Finds a term that conflicts with a new one because it has the same name, ignoring the case of ASCII letters (WP). WP: in hierarchical
 * taxonomies a name that differs in case conflicts only if a sibling has the slug.
 */
async function findConflict(
  site: Site,
  taxonomy: string,
  name: string,
  slug: string,
  slugGiven: boolean,
  parent: number,
): Promise<Term | null> {
  const isTree = site.registry.isTree(taxonomy);
  const level = isTree ? { parent } : {};
  const { terms } = site.store;
  const alike = await terms
    .find({ taxonomy, nameKey: equalityKey(name), ...level })
    .sort({ _id: 1 })
    .toArray();
  const sameName = alike.find((term) => lowered(term.name) === lowered(name));
  if (!sameName) return null;
  const holder = await terms.findOne({ taxonomy, slug });
  const isItsSlug = !slugGiven || sameName.slug === slug;
  if (!isItsSlug && !holder) return null;
  if (!isTree) return sameName;
  if (isItsSlug && alike.some((term) => term.name === name)) return sameName;
  return holder && holder.parent === parent ? holder : null;
}

/** Whether a term of the taxonomies has a slug. @param except id of a term to ignore */
const slugIsTaken = async (site: Site, slug: string, except = 0, taxonomies = site.registry.countedTaxonomies): Promise<boolean> =>
  (await site.store.terms.findOne({ taxonomy: { $in: taxonomies }, slug, _id: { $ne: except } }, { projection: { _id: 1 } })) !== null;

/**
 * Finds a free slug. WP: if the slug is taken in its taxonomy, appends the slugs of the ancestors, then a number, until no taxonomy has it.
 * @param id id of the term, which may already have the slug
 */
async function freeTermSlug(site: Site, taxonomy: string, wanted: string, parent: number, id = 0): Promise<string> {
  if (!(await slugIsTaken(site, wanted, id, [taxonomy]))) return wanted;
  let slug = wanted;
  for (let above = await findTerm(site.store, taxonomy, parent); above; above = await findTerm(site.store, taxonomy, above.parent)) {
    slug = `${slug}-${above.slug}`;
    if (!(await slugIsTaken(site, slug))) return slug;
  }
  if (!(await slugIsTaken(site, slug, id))) return slug;
  for (let suffix = 2; ; suffix += 1) {
    const numbered = truncateSlug(slug, `-${suffix}`);
    if (!(await slugIsTaken(site, numbered))) return numbered;
  }
}

/**
 * Creates a term. Serialized: of two concurrent requests with the same name, the second fails.
 * @throws TermError
 */
export const insertTerm = (site: Site, taxonomy: string, data: TermData): Promise<Term> =>
  withLock(site.store, taxonomy, () => insertChecked(site, taxonomy, data));

async function insertChecked(site: Site, taxonomy: string, data: TermData): Promise<Term> {
  const name = checkedName(data.name ?? '');
  const parent = await existingParent(site, taxonomy, data.parent ?? 0);
  // PHP: `0` is empty.
  const explicit = isEmpty(data.slug) ? '' : sanitizeTitle(data.slug ?? '', site.quirks);
  const fromName = explicit || sanitizeTitle(name, site.quirks);
  await site.store.current();
  // WP: a term that exists already uses up no id.
  const known = fromName === '' ? null : await findConflict(site, taxonomy, name, fromName, explicit !== '', parent);
  if (known) throw conflicting(site, taxonomy, known);
  const id = await site.store.sequences.next('terms');
  const wanted = fromName || String(id);
  for (;;) {
    await site.store.current();
    // Before the name is looked for: if another server creates the same term meanwhile, the slug is taken or the name is found.
    const slug = await freeTermSlug(site, taxonomy, wanted, parent);
    const conflict = await findConflict(site, taxonomy, name, wanted, explicit !== '', parent);
    if (conflict) throw conflicting(site, taxonomy, conflict);
    const description = saveTermDescription(data.description ?? '', htmlRules(site.quirks));
    const term = deriveTerm({ _id: id, taxonomy, name, slug, description, parent, termGroup: 0, termTaxonomyId: id, count: 0 });
    try {
      await site.store.terms.insertOne(term);
      site.store.onChange?.({ kind: 'term', before: null, after: term });
      return term;
    } catch (error) {
      // A concurrent write has taken the slug: retry.
      if (!isDuplicate(error, 'slug')) throw error;
    }
  }
}

const conflicting = ({ registry }: Site, taxonomy: string, { _id }: Term): TermError =>
  new TermError(
    'term_exists',
    `A term with the name provided already exists ${registry.isTree(taxonomy) ? 'with this parent' : 'in this taxonomy'}.`,
    _id,
  );

/** Finds a term by name or slug, or creates it (WP: names assigned to posts). */
export async function findOrCreateTerm(site: Site, taxonomy: string, text: string): Promise<Term> {
  const byName = await site.store.terms.findOne({ taxonomy, nameKey: equalityKey(text) });
  const slug = sanitizeTitle(text, site.quirks);
  const found = byName ?? (slug === '' ? null : await site.store.terms.findOne({ taxonomy, slug }));
  if (found) return found;
  try {
    return await insertTerm(site, taxonomy, { name: text });
  } catch (error) {
    // Another server may have made it a moment ago.
    await site.store.current();
    const existing = error instanceof TermError && error.termId !== undefined ? await findTerm(site.store, taxonomy, error.termId) : null;
    if (!existing) throw error;
    return existing;
  }
}

const existingParent = async (site: Site, taxonomy: string, parent: number): Promise<number> =>
  parent !== 0 && (await findTerm(site.store, taxonomy, parent)) ? parent : 0;

/** WP: a parent that would create a cycle is replaced by 0. */
async function safeParent(site: Site, term: Term, parent: number): Promise<number> {
  for (let above: number = parent; above !== 0;) {
    if (above === term._id) return 0;
    above = (await findTerm(site.store, term.taxonomy, above))?.parent ?? 0;
  }
  return existingParent(site, term.taxonomy, parent);
}

/**
 * Updates the fields of a term that were sent.
 * @throws TermError
 */
export const updateTerm = (site: Site, term: Term, data: TermData): Promise<Term> =>
  withLock(site.store, term.taxonomy, () => updateChecked(site, term, data));

async function updateChecked(site: Site, term: Term, data: TermData): Promise<Term> {
  const changes: Partial<Term> = {};
  if (data.name !== undefined) changes.name = checkedName(data.name);
  if (data.description !== undefined) changes.description = saveTermDescription(data.description, htmlRules(site.quirks));
  if (data.parent !== undefined) changes.parent = await safeParent(site, term, data.parent);
  if (data.slug !== undefined) {
    const explicit = isEmpty(data.slug) ? '' : sanitizeTitle(data.slug, site.quirks);
    const wanted = explicit || sanitizeTitle(changes.name ?? term.name, site.quirks);
    const { parent = term.parent } = changes;
    // WP: uses the requested parent here, even if it would create a cycle.
    changes.slug = await freeTermSlug(site, term.taxonomy, wanted, data.parent ?? term.parent, term._id);
    // WP: an explicit slug that is taken is an error, unless the parent changes.
    if (changes.slug !== wanted && explicit !== '' && parent === term.parent) throw duplicateSlug(wanted);
  }
  const { nameKey, search } = deriveTerm({ ...term, ...changes });
  try {
    await site.store.terms.updateOne({ _id: term._id }, { $set: { ...changes, nameKey, search } });
  } catch (error) {
    throw isDuplicate(error, 'slug') ? duplicateSlug(changes.slug ?? '') : error;
  }
  if (data.parent !== undefined) await recountSoon(site.store, [term._id]);
  const after = (await findTerm(site.store, term.taxonomy, term._id)) ?? { ...term, ...changes };
  site.store.onChange?.({ kind: 'term', before: term, after });
  return after;
}

const duplicateSlug = (slug: string): TermError =>
  new TermError('duplicate_term_slug', `The slug &#8220;${slug}&#8221; is already in use by another term.`);

/** Deletes a term permanently, removes it from posts, and moves its children up (WP). The document is deleted last, so that a crash leaves no dangling references. */
export const deleteTerm = (site: Site, term: Term): Promise<void> => withLock(site.store, term.taxonomy, () => removeTerm(site, term));

async function removeTerm({ store, options }: Site, term: Term): Promise<void> {
  const { _id, taxonomy } = term;
  const parent = (await findTerm(store, taxonomy, _id))?.parent ?? 0;
  const column = `terms.${taxonomy}`;
  // WP: posts without another category get the default category.
  const usual = taxonomy === CATEGORY && (await findTerm(store, taxonomy, options.defaultCategory)) ? [options.defaultCategory] : [];
  if (usual.length > 0) await store.posts.updateMany({ [column]: [_id] }, { $set: { [column]: usual }, $inc: { version: 1 } });
  await store.posts.updateMany({ [column]: _id }, { $pull: { [column]: _id }, $inc: { version: 1 } });
  await store.terms.updateMany({ taxonomy, parent: _id }, { $set: { parent } });
  await store.terms.deleteOne({ _id });
  await deleteItemsOf(store, 'taxonomy', _id);
  await recountSoon(store, [_id, ...(parent === 0 ? [] : [parent]), ...usual]);
  store.onChange?.({ kind: 'term', before: term, after: null });
}
