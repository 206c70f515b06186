import { isDeepStrictEqual } from 'node:util';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { uploadAt } from './media/files.js';
import { MADE_BY_CLIENT } from './media/upload.js';
import { ATTACHMENT, type Post } from './model.js';
import { withDerivedColumns } from './posts/posts.js';
import { isDuplicate } from '../database/store/errors.js';
import type { Store } from './store.js';
import type { Lease } from '../database/store/work-log.js';
import { differing, publishedPosts, readCounts, recountTerms, type CountedTerm } from './terms/term-save.js';
import { withoutUndefined } from '../base/values/records.js';

/**
 * Number of recent posts that are always read. If the derived columns of one of them are stale, all posts are checked. This is
 * sufficient, since a post and its derived columns are written together.
 */
const READ_POSTS = 5_000;

const SEQUENCES = ['posts', 'terms', 'comments'] as const;

/** The maximum number of ids in a message. */
const MAX_LISTED = 10;

const list = (items: readonly (string | number)[]): string =>
  items.slice(0, MAX_LISTED).join(', ') + (items.length > MAX_LISTED ? ', …' : '');

/** `1 term`, `3 terms`. */
const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Something that is inconsistent. */
interface Problem {
  /** `Stale counts of 3 terms`. */
  what: string;
  /** Effect of the repair: `recounted`. Absent: it is not repaired. */
  repaired?: string;
  /** Items that it concerns. */
  items?: readonly (string | number)[];
  repair?: () => Promise<unknown>;
}

const sentence = ({ what, repaired, items }: Problem, isRepaired: boolean): string =>
  `${what}${isRepaired ? `: ${repaired ?? 'not changed'}` : ''}${items ? ` (${list(items)})` : ''}.`;

/**
 * Checks the consistency of the stored data at startup and repairs it. Only derived data can be inconsistent, since posts and terms are
 * written atomically. There must be no concurrent writes.
 * @param uploads folder of the media library's files
 * @returns a sentence for each problem and its repair; empty if there are none
 */
export async function checkConsistency(store: Store, uploads: string): Promise<string[]> {
  const [finished, problems] = await Promise.all([removeInterruptedUploads(store, uploads), problemsOf(store, true)]);
  store.isConsistent = true;
  return [...finished, ...problems.map((problem) => sentence(problem, true))];
}

/**
 * Checks the consistency of the stored data without changing it. Concurrent writes may show as problems.
 * @returns a sentence for each problem; empty if there are none
 */
export const findProblems = async (store: Store): Promise<string[]> =>
  (await problemsOf(store, false)).map((problem) => sentence(problem, false));

/** Derives columns and counts again, after content has got another registry. There must be no concurrent writes. */
export async function deriveAgain(store: Store): Promise<void> {
  await staleColumns(store, true);
  for (const { repair } of await staleCounts(store, await readCounts(store), null)) await repair?.();
}

/** @param isRepaired whether each problem is repaired before the next one is looked for */
async function problemsOf(store: Store, isRepaired: boolean): Promise<Problem[]> {
  const [posts, terms, comments] = await Promise.all([
    surveyPosts(store),
    readCounts(store),
    store.comments.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }),
    ...SEQUENCES.map((sequence) => store.sequences.last(sequence)),
  ]);
  const all: Problem[] = [];
  const repair = async (found: readonly Problem[]): Promise<void> => {
    all.push(...found);
    if (isRepaired) for (const problem of found) await problem.repair?.();
  };
  const highest = { posts: posts.highest, terms: terms.reduce((max, { _id }) => Math.max(max, _id), 0), comments: comments?._id ?? 0 };
  await repair(await lateSequences(store, highest));
  const orphans = orphansIn(store, terms);
  await repair(orphans);
  await repair(await danglingTerms(store, terms, posts.uses));
  await repair(await staleCounts(store, isRepaired && orphans.length > 0 ? await readCounts(store) : terms, posts.uses));
  if (posts.areStale) await repair(await staleColumns(store, isRepaired));
  return all;
}

/** How often the published posts use the terms of a taxonomy; 0 for terms that only other posts use. */
type Usage = ReadonlyMap<string, ReadonlyMap<number, number>>;

interface PostSurvey {
  /** The highest id; 0 without posts. */
  highest: number;
  /** Whether the derived columns of one of the posts read are stale. */
  areStale: boolean;
  /** Null if not all posts were read. */
  uses: Usage | null;
}

/** Reads recent posts, once for all checks. */
async function surveyPosts(store: Store): Promise<PostSurvey> {
  const uses = new Map(store.registry.countedTaxonomies.map((taxonomy) => [taxonomy, new Map<number, number>()]));
  let highest = 0;
  let areStale = false;
  let read = 0;
  for await (const post of store.posts.find({}, { sort: { _id: -1 }, limit: READ_POSTS + 1, batchSize: 500 })) {
    read += 1;
    highest ||= post._id;
    areStale ||= !columnsAgree(post, store);
    for (const [taxonomy, of] of uses)
      for (const id of new Set(post.terms[taxonomy])) of.set(id, (of.get(id) ?? 0) + (post.status === 'publish' ? 1 : 0));
  }
  return { highest, areStale, uses: read > READ_POSTS ? null : uses };
}

/** Removes the files of uploads that a crash has interrupted. */
async function removeInterruptedUploads(store: Store, uploads: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await store.workLog.interrupted()) {
    if (entry.files === undefined) continue;
    const removed = await removeStrayFiles(store, uploads, entry);
    if (removed.length > 0)
      found.push(`An upload was interrupted: removed ${many(removed.length, 'file')} without an attachment (${list(removed)}).`);
    await store.workLog.end(entry);
  }
  return found;
}

async function removeStrayFiles(store: Store, uploads: string, { files = [] }: Lease): Promise<string[]> {
  const madeByClient = { key: MADE_BY_CLIENT, value: { $in: [...files, ...files.map((file) => path.posix.basename(file))] } };
  const uses = [{ file: { $in: files } }, { meta: { $elemMatch: madeByClient } }];
  for (const use of files.length === 0 ? [] : uses)
    if (await store.posts.findOne({ type: ATTACHMENT, ...use }, { projection: { _id: 1 } })) return [];
  const inside = files.flatMap((file) => uploadAt(uploads, file) ?? []);
  await Promise.all(inside.map((file) => rm(file, { force: true })));
  return files;
}

/** No id may be used twice. */
async function lateSequences(store: Store, highest: Readonly<Record<(typeof SEQUENCES)[number], number>>): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const sequence of SEQUENCES) {
    if (highest[sequence] <= (await store.sequences.last(sequence))) continue;
    found.push({
      what: `The sequence of ${sequence} was behind the highest id`,
      repaired: `raised it to ${highest[sequence]}`,
      repair: () => store.sequences.reserve(sequence, highest[sequence] + 1),
    });
  }
  return found;
}

/** WP: terms whose parent does not exist move to the top level. */
function orphansIn(store: Store, terms: readonly CountedTerm[]): Problem[] {
  const known = new Set(terms.map(({ _id, taxonomy }) => `${taxonomy} ${_id}`));
  const orphans = terms.filter(({ taxonomy, parent }) => parent !== 0 && !known.has(`${taxonomy} ${parent}`)).map(({ _id }) => _id);
  if (orphans.length === 0) return [];
  return [
    {
      what: `${many(orphans.length, 'term')} had a parent that does not exist`,
      repaired: 'moved to the top level',
      items: orphans,
      repair: () => store.terms.updateMany({ _id: { $in: orphans } }, { $set: { parent: 0 } }),
    },
  ];
}

const usesOf = ({ _id, taxonomy }: CountedTerm, uses: Usage): number => uses.get(taxonomy)?.get(_id) ?? 0;

/** Terms of posts that do not exist. Where not all posts were read, only indexes are. */
async function danglingTerms(store: Store, terms: readonly CountedTerm[], uses: Usage | null): Promise<Problem[]> {
  const gone = new Map<string, number[]>();
  for (const taxonomy of store.registry.countedTaxonomies) {
    const known = new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ _id }) => _id));
    const used: unknown[] = uses ? [...(uses.get(taxonomy)?.keys() ?? [])] : await store.posts.distinct(`terms.${taxonomy}`);
    const unknown = used.filter((id) => typeof id === 'number').filter((id) => !known.has(id));
    if (unknown.length > 0) gone.set(taxonomy, unknown);
  }
  const items = [...gone].flatMap(([taxonomy, ids]) => ids.map((id) => `${taxonomy} ${id}`));
  if (items.length === 0) return [];
  const repair = async (): Promise<void> => {
    for (const [taxonomy, ids] of gone) {
      const column = `terms.${taxonomy}`;
      await store.posts.updateMany({ [column]: { $in: ids } }, { $pull: { [column]: { $in: ids } }, $inc: { version: 1 } });
    }
  };
  return [{ what: `${many(items.length, 'term')} of posts did not exist`, repaired: 'removed from the posts', items, repair }];
}

/** Stale counts of terms. Where not all posts were read, only indexes are. */
async function staleCounts(store: Store, all: readonly CountedTerm[], uses: Usage | null): Promise<Problem[]> {
  const { countedTaxonomies: taxonomies } = store.registry;
  const terms = all.filter(({ taxonomy }) => taxonomies.includes(taxonomy));
  const counts = await Promise.all(
    terms.map(async (term) => (term.elsewhere ?? 0) + (uses ? usesOf(term, uses) : await publishedPosts(store, term))),
  );
  const wrong = differing(terms, counts).map(({ _id }) => _id);
  if (wrong.length === 0) return [];
  return [
    {
      what: `Stale counts of ${many(wrong.length, 'term')}`,
      repaired: 'recounted',
      items: wrong,
      repair: () => recountTerms(store, wrong),
    },
  ];
}

const columnsAgree = (post: Post, { registry }: Store): boolean =>
  isDeepStrictEqual(withoutUndefined(withDerivedColumns(post, registry)), post);

/** Stale derived columns, which filters and sorts use. Repaired one by one: which of two posts gets a slug shows only then. */
async function staleColumns(store: Store, isRepaired: boolean): Promise<Problem[]> {
  const stale: number[] = [];
  const found: Problem[] = [];
  for await (const post of store.posts.find({}, { sort: { _id: -1 } })) {
    if (columnsAgree(post, store)) continue;
    try {
      if (isRepaired) await store.changePost(post._id, (current) => withDerivedColumns(current, store.registry));
      stale.push(post._id);
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
      found.push({ what: `Post ${post._id} has the same slug as another post, ${post.slug}` });
    }
  }
  if (stale.length === 0) return found;
  return [...found, { what: `Stale derived columns of ${many(stale.length, 'post')}`, repaired: 'recomputed', items: stale }];
}
