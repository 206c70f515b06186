import { isDeepStrictEqual } from 'node:util';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ATTACHMENT, type Post } from './model.js';
import { countedTaxonomies } from './types/registry.js';
import { derive } from './posts.js';
import { isDuplicate } from '../store/errors.js';
import type { Store } from './store.js';
import type { UnfinishedWork } from '../store/work-log.js';
import { readCounts, recountTerms, wrongCounts, type Counted } from './terms.js';

/**
 * Of how many posts, the newest, the derived columns are computed anew: they are written together with what they derive from. If one of
 * them is wrong, all are looked at.
 */
const CHECKED_POSTS = 5_000;

/** How many ids a sentence names before it says "…". */
const NAMED = 10;

const list = (items: readonly (string | number)[]): string => items.slice(0, NAMED).join(', ') + (items.length > NAMED ? ', …' : '');

/** `1 term`, `3 terms`. */
const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Looks whether what is stored agrees with itself, as after a start, and puts right what does not: everything that is checked here
 * derives from posts and terms, which are written whole. Nobody else may write meanwhile.
 * @param uploads folder that holds the files of the media library
 * @returns what was found and what became of it, a sentence each; nothing when all is well
 */
export async function checkConsistency(store: Store, uploads: string): Promise<string[]> {
  return [
    ...(await endCutShort(store, uploads)),
    ...(await raiseCounters(store)),
    ...(await repairParents(store)),
    ...(await repairTerms(store)),
    ...(await repairColumns(store)),
  ];
}

/** Work in several steps that a crash has cut short: a reset is made again, half an upload is taken away. */
async function endCutShort(store: Store, uploads: string): Promise<string[]> {
  const found: string[] = [];
  for (const note of await store.workLog.unfinished()) {
    if (note.restore !== undefined && (await store.snapshots.has(note.restore))) {
      await store.snapshots.restore(note.restore);
      found.push('A reset was cut short: it was made again.');
    }
    const removed = await removeStrayFiles(store, uploads, note);
    if (removed.length > 0)
      found.push(`An upload was cut short: ${many(removed.length, 'file')} without an attachment removed (${list(removed)}).`);
    await store.workLog.end(note);
  }
  return found;
}

async function removeStrayFiles(store: Store, uploads: string, { files = [] }: UnfinishedWork): Promise<string[]> {
  if (files.length === 0 || (await store.posts.findOne({ type: ATTACHMENT, file: { $in: files } }, { projection: { _id: 1 } }))) return [];
  await Promise.all(files.map((file) => rm(path.join(uploads, file), { force: true })));
  return files;
}

/** An id must never be handed out twice. */
async function raiseCounters(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const sequence of ['posts', 'terms'] as const) {
    const [highest] = await store.aggregate<{ _id: number }>(sequence, [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }]);
    if (!highest || highest._id <= (await store.sequences.last(sequence))) continue;
    await store.sequences.reserve(sequence, highest._id + 1);
    found.push(`The sequence of ${sequence} was behind its highest id ${highest._id}: it goes on from there.`);
  }
  return found;
}

/** Terms below one that is not there come to stand at the top (WP). */
async function repairParents(store: Store): Promise<string[]> {
  const terms = await readCounts(store);
  const known = new Set(terms.map(({ _id, taxonomy }) => `${taxonomy} ${_id}`));
  const orphans = terms.filter(({ taxonomy, parent }) => parent !== 0 && !known.has(`${taxonomy} ${parent}`)).map(({ _id }) => _id);
  if (orphans.length === 0) return [];
  await store.terms.updateMany({ _id: { $in: orphans } }, { $set: { parent: 0 } });
  return [`${many(orphans.length, 'term')} below one that does not exist: now at the top (${list(orphans)}).`];
}

/** Terms of posts that are not there are taken off them; counts that the posts do not bear out are counted anew. All from the indexes. */
async function repairTerms(store: Store): Promise<string[]> {
  const taxonomies = countedTaxonomies();
  const terms = (await readCounts(store)).filter(({ taxonomy }) => taxonomies.includes(taxonomy));
  const dangling = await removeDangling(store, terms);
  const wrong = (await wrongCounts(store, terms, null)).map(({ _id }) => _id);
  return [...dangling, ...(await recount(store, wrong))];
}

async function removeDangling(store: Store, terms: readonly Counted[]): Promise<string[]> {
  const dangling: string[] = [];
  for (const taxonomy of countedTaxonomies()) {
    const known = new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ _id }) => _id));
    const column = `terms.${taxonomy}`;
    const used: unknown[] = await store.posts.distinct(column);
    const gone = used.filter((id) => typeof id === 'number').filter((id) => !known.has(id));
    if (gone.length === 0) continue;
    dangling.push(...gone.map((id) => `${taxonomy} ${id}`));
    await store.posts.updateMany({ [column]: { $in: gone } }, { $pull: { [column]: { $in: gone } }, $inc: { version: 1 } });
  }
  return dangling.length === 0 ? [] : [`${many(dangling.length, 'term')} of posts that did not exist: taken off them (${list(dangling)}).`];
}

async function recount(store: Store, wrong: number[]): Promise<string[]> {
  if (wrong.length === 0) return [];
  await recountTerms(store, wrong);
  return [`The counts of ${many(wrong.length, 'term')} did not agree with the posts: counted anew (${list(wrong)}).`];
}

const stored = (post: Post): object => Object.fromEntries(Object.entries(post).filter(([, value]) => value !== undefined));

const columnsAgree = (post: Post): boolean => isDeepStrictEqual(stored(derive(post)), post);

/** Columns that filters and sorts use must be what the rest of the post makes them. */
async function repairColumns(store: Store): Promise<string[]> {
  const repaired: number[] = [];
  const found: string[] = [];
  let checked = 0;
  for await (const post of store.posts.find({}, { sort: { _id: -1 } })) {
    checked += 1;
    if (checked > CHECKED_POSTS && repaired.length === 0) break;
    if (columnsAgree(post)) continue;
    try {
      await store.changePost(post._id, derive);
      repaired.push(post._id);
    } catch (error) {
      if (!isDuplicate(error, 'slugKey')) throw error;
      found.push(`Post ${post._id} shares its slug ${post.slug} with another: left as it is.`);
    }
  }
  if (repaired.length > 0)
    found.push(`${many(repaired.length, 'post')} with columns that lists do not find: written anew (${list(repaired)}).`);
  return found;
}
