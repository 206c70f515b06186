import { isDeepStrictEqual } from 'node:util';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ATTACHMENT, type Post } from './model.js';
import { countedTaxonomies } from './types/registry.js';
import { derive } from './posts.js';
import { isDuplicate } from '../store/errors.js';
import type { Store } from './store.js';
import type { UnfinishedWork } from '../store/work-log.js';
import { differing, publishedPosts, readCounts, recountTerms, type Counted } from './term-counts.js';

/**
 * Number of recent posts that are always read. If the derived columns of one of them are stale, those of all posts are checked. This is
 * enough, since a post and its derived columns are written together.
 */
const READ_POSTS = 5_000;

/** The sequences that are checked. */
const SEQUENCES = ['posts', 'terms'] as const;

/** The maximum number of ids in a message. */
const MAX_LISTED = 10;

const list = (items: readonly (string | number)[]): string =>
  items.slice(0, MAX_LISTED).join(', ') + (items.length > MAX_LISTED ? ', …' : '');

/** `1 term`, `3 terms`. */
const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Checks the consistency of the stored data at startup and repairs it. Only derived data can be inconsistent, since posts and terms are
 * written atomically. There must be no concurrent writes.
 * @param uploads folder of the media library's files
 * @returns a sentence for each problem and its repair; empty if there are none
 */
export async function checkConsistency(store: Store, uploads: string): Promise<string[]> {
  const [posts, terms, finished] = await Promise.all([
    surveyPosts(store),
    readCounts(store),
    removeInterruptedUploads(store, uploads),
    ...SEQUENCES.map((sequence) => store.sequences.last(sequence)),
  ]);
  const orphans = await repairParents(store, terms);
  const found = [
    ...finished,
    ...(await raiseSequences(store, posts.highest, terms)),
    ...orphans,
    ...(await repairTerms(store, orphans.length === 0 ? terms : await readCounts(store), posts.uses)),
    ...(posts.areStale ? await repairColumns(store) : []),
  ];
  store.isConsistent = true;
  return found;
}

/** How often the published posts use the terms of a taxonomy; 0 for terms that only other posts use. */
type Uses = ReadonlyMap<string, ReadonlyMap<number, number>>;

interface PostSurvey {
  /** The highest id; 0 without posts. */
  highest: number;
  /** Whether the derived columns of one of the posts read are stale. */
  areStale: boolean;
  /** Null if not all posts were read. */
  uses: Uses | null;
}

/** Reads recent posts, once for all checks. */
async function surveyPosts(store: Store): Promise<PostSurvey> {
  const uses = new Map(countedTaxonomies().map((taxonomy) => [taxonomy, new Map<number, number>()]));
  let highest = 0;
  let areStale = false;
  let read = 0;
  for await (const post of store.posts.find({}, { sort: { _id: -1 }, limit: READ_POSTS + 1, batchSize: 500 })) {
    read += 1;
    highest ||= post._id;
    areStale ||= !columnsAgree(post);
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

async function removeStrayFiles(store: Store, uploads: string, { files = [] }: UnfinishedWork): Promise<string[]> {
  if (files.length === 0 || (await store.posts.findOne({ type: ATTACHMENT, file: { $in: files } }, { projection: { _id: 1 } }))) return [];
  await Promise.all(files.map((file) => rm(path.join(uploads, file), { force: true })));
  return files;
}

/** No id may be used twice. */
async function raiseSequences(store: Store, highestPost: number, terms: readonly Counted[]): Promise<string[]> {
  const found: string[] = [];
  const highest = { posts: highestPost, terms: terms.reduce((max, { _id }) => Math.max(max, _id), 0) };
  for (const sequence of SEQUENCES) {
    if (highest[sequence] <= (await store.sequences.last(sequence))) continue;
    await store.sequences.reserve(sequence, highest[sequence] + 1);
    found.push(`The sequence of ${sequence} was behind the highest id: raised it to ${highest[sequence]}.`);
  }
  return found;
}

/** WP: terms whose parent does not exist move to the top level. */
async function repairParents(store: Store, terms: readonly Counted[]): Promise<string[]> {
  const known = new Set(terms.map(({ _id, taxonomy }) => `${taxonomy} ${_id}`));
  const orphans = terms.filter(({ taxonomy, parent }) => parent !== 0 && !known.has(`${taxonomy} ${parent}`)).map(({ _id }) => _id);
  if (orphans.length === 0) return [];
  await store.terms.updateMany({ _id: { $in: orphans } }, { $set: { parent: 0 } });
  return [`${many(orphans.length, 'term')} had a parent that does not exist: moved to the top level (${list(orphans)}).`];
}

/** Removes nonexistent terms from posts and recomputes stale counts. Where not all posts were read, only indexes are. */
async function repairTerms(store: Store, all: readonly Counted[], uses: Uses | null): Promise<string[]> {
  const taxonomies = countedTaxonomies();
  const terms = all.filter(({ taxonomy }) => taxonomies.includes(taxonomy));
  const dangling = await removeDangling(store, terms, uses);
  const counts = await Promise.all(
    terms.map(async (term) => (term.elsewhere ?? 0) + (uses ? usesOf(term, uses) : await publishedPosts(store, term))),
  );
  return [
    ...dangling,
    ...(await recount(
      store,
      differing(terms, counts).map(({ _id }) => _id),
    )),
  ];
}

const usesOf = ({ _id, taxonomy }: Counted, uses: Uses): number => uses.get(taxonomy)?.get(_id) ?? 0;

async function removeDangling(store: Store, terms: readonly Counted[], uses: Uses | null): Promise<string[]> {
  const dangling: string[] = [];
  for (const taxonomy of countedTaxonomies()) {
    const known = new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ _id }) => _id));
    const column = `terms.${taxonomy}`;
    const used: unknown[] = uses ? [...(uses.get(taxonomy)?.keys() ?? [])] : await store.posts.distinct(column);
    const gone = used.filter((id) => typeof id === 'number').filter((id) => !known.has(id));
    if (gone.length === 0) continue;
    dangling.push(...gone.map((id) => `${taxonomy} ${id}`));
    await store.posts.updateMany({ [column]: { $in: gone } }, { $pull: { [column]: { $in: gone } }, $inc: { version: 1 } });
  }
  return dangling.length === 0
    ? []
    : [`${many(dangling.length, 'term')} of posts did not exist: removed from the posts (${list(dangling)}).`];
}

async function recount(store: Store, wrong: number[]): Promise<string[]> {
  if (wrong.length === 0) return [];
  await recountTerms(store, wrong);
  return [`Stale counts of ${many(wrong.length, 'term')}: recounted (${list(wrong)}).`];
}

const stored = (post: Post): object => Object.fromEntries(Object.entries(post).filter(([, value]) => value !== undefined));

const columnsAgree = (post: Post): boolean => isDeepStrictEqual(stored(derive(post)), post);

/** Recomputes stale derived columns, which filters and sorts use. */
async function repairColumns(store: Store): Promise<string[]> {
  const repaired: number[] = [];
  const found: string[] = [];
  for await (const post of store.posts.find({}, { sort: { _id: -1 } })) {
    if (columnsAgree(post)) continue;
    try {
      await store.changePost(post._id, derive);
      repaired.push(post._id);
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
      found.push(`Post ${post._id} has the same slug as another post, ${post.slug}: not changed.`);
    }
  }
  if (repaired.length > 0) found.push(`Stale derived columns of ${many(repaired.length, 'post')}: recomputed (${list(repaired)}).`);
  return found;
}
