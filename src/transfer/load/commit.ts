import { Staging, dropStrays, stagedLoads, strays, type StagedLoad } from '../../database/store/staging.js';
import { SiteCopy } from '../../database/store/site-copy.js';
import type { Lease } from '../../database/store/work-log.js';
import type { Store } from '../../wordpress/store.js';
import { addAll } from './add.js';
import { mirrorFiles, addFiles, dropFiles, replaceFiles, replaceSiteFiles, stagedFolder, type SitePlace } from './mirror.js';

/**
 * The last step of a load, once it is completely staged and marked as settled: replaces the content, or adds to it. Can be repeated after a
 * crash.
 */
export async function commitLoad(store: Store, note: StagedLoad, place: SitePlace): Promise<void> {
  const staging = new Staging(store, note.staging);
  const folder = stagedFolder(place, note.staging);
  if (note.settled === 'add') {
    await addFiles(folder, place);
    await addAll(store, staging);
  } else if (note.settled === 'site') {
    const { snapshots = [] } = note;
    await replaceSiteFiles(folder, place, snapshots);
    await new SiteCopy(store, note.staging).commit(snapshots);
    // Another version may have written it: the next start checks it.
    store.isConsistent = false;
  } else {
    await replaceFiles(folder, place, note.snapshot !== undefined);
    await staging.commit(note);
  }
  await discardLoad(store, note, place);
}

/** Deletes everything that a load has staged, and its entry in the work log. */
export async function discardLoad(store: Store, note: StagedLoad, place: SitePlace): Promise<void> {
  await dropFiles(stagedFolder(place, note.staging));
  // Before the collections are dropped: some of them must never be taken for a complete load.
  await store.workLog.end(note);
  await dropStrays(store);
}

/**
 * Recovers from loads and restores that a crash interrupted, and waits for those that replace content in other processes. Call it at start-up,
 * before anything else is read.
 * @returns a message for each
 */
export async function recoverWork(store: Store, place: SitePlace): Promise<string[]> {
  await store.workLog.untilReplaced();
  const [entries, left] = await Promise.all([store.workLog.interrupted(), strays(store)]);
  if (entries.length === 0 && left.length === 0) return [];
  await store.indexed;
  return [...(await recoverLoads(store, place, entries)), ...(await recoverRestores(store, place, entries))];
}

const DISCARDED = {
  copy: 'Discarded an incomplete copy of the site.',
  site: 'Discarded an interrupted restore of a backup: its content was incomplete.',
  load: 'Discarded an interrupted load: its content was incomplete.',
};

/**
 * Recovers from a crash of the database alone, while nobody else writes: completes loads of which only the last step remained, and
 * restores. Loads that are still being staged are left to their process.
 * @returns a message for each
 */
export async function recoverCrash(store: Store, place: SitePlace): Promise<string[]> {
  const entries = await store.workLog.interrupted();
  const settled = entries.filter((entry) => entry.settled !== undefined);
  return [...(await recoverLoads(store, place, settled)), ...(await recoverRestores(store, place, entries))];
}

/** Completes settled loads and discards others. */
async function recoverLoads(store: Store, place: SitePlace, entries: readonly Lease[]): Promise<string[]> {
  const found: string[] = [];
  for (const note of stagedLoads(entries)) {
    if (note.settled) {
      await commitLoad(store, note, place);
      found.push(`Completed an interrupted ${note.snapshots ? 'restore of a backup' : 'load'}: all of its content was staged.`);
    } else {
      await discardLoad(store, note, place);
      found.push(DISCARDED[note.isCopy ? 'copy' : note.snapshots ? 'site' : 'load']);
    }
  }
  await dropStrays(store);
  return found;
}

/** Repeats resets and other restores of snapshots, of content and files. */
async function recoverRestores({ snapshots, workLog }: Store, place: SitePlace, entries?: readonly Lease[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of entries ?? (await workLog.interrupted())) {
    const { restore } = entry;
    if (restore === undefined) continue;
    if (await snapshots.has(restore)) {
      await snapshots.restore(restore, snapshots, { isLogged: true, alongside: () => mirrorFiles(place.snapshot(restore), place.uploads) });
      found.push('A reset was interrupted: repeated it.');
    }
    await workLog.end(entry);
  }
  return found;
}
