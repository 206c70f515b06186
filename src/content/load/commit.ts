import { Staging, dropStaged, stagedLoads, type StagedLoad } from '../../store/staging.js';
import type { Store } from '../../wp/store.js';
import { addAll } from './add.js';
import { addFiles, dropFiles, replaceFiles, stagedFolder, type SitePlace } from './files.js';

/**
 * The last step of a load, once all of it is staged and noted as settled: it replaces the content, or is added to it. May be repeated after
 * a crash.
 */
export async function commitLoad(store: Store, note: StagedLoad, place: SitePlace): Promise<void> {
  const staging = new Staging(store, note.staging);
  const folder = stagedFolder(place, note.staging);
  if (note.settled === 'add') {
    await addFiles(folder, place);
    await addAll(store, staging);
  } else {
    await replaceFiles(folder, place, note.snapshot !== undefined);
    await staging.commit(note);
  }
  await forgetLoad(store, note, place);
}

/** Deletes what is staged, and the note of it. */
export async function forgetLoad(store: Store, note: StagedLoad, place: SitePlace): Promise<void> {
  await dropFiles(stagedFolder(place, note.staging));
  // Before the collections: half of them must never pass for all of a load.
  await store.workLog.end(note);
  await new Staging(store, note.staging).drop();
}

/**
 * Ends loads that a crash has cut short: settled ones are completed, nothing is left of others. To be called at a start, before anything
 * else is read.
 * @returns what was found and what became of it, a sentence each
 */
export async function recoverLoads(store: Store, place: SitePlace): Promise<string[]> {
  const found: string[] = [];
  for (const note of stagedLoads(await store.workLog.unfinished())) {
    if (note.settled) {
      await commitLoad(store, note, place);
      found.push('A load was cut short when all of it was ready: it was brought to its end.');
    } else {
      await forgetLoad(store, note, place);
      found.push('A load was cut short: nothing of it is left.');
    }
  }
  await dropStaged(store);
  return found;
}
