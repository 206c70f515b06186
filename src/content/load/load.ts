import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Staging, type StagedLoad } from '../../store/staging.js';
import { withLock } from '../../store/locks.js';
import type { Store } from '../../wp/store.js';
import { SourceProblems } from '../problems.js';
import type { DatasetSource } from '../source.js';
import { commitLoad, forgetLoad } from './commit.js';
import { stagedFolder } from './files.js';
import { Load } from './stage.js';
import type { LoadOptions, LoadResult } from './types.js';

/** Name of the snapshot that a reset goes back to. */
export const PRISTINE = 'pristine';

export type { LoadMode, LoadOptions, LoadResult } from './types.js';

async function loadStaged(store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> {
  const { mode, forOnce = false, place, signal, alone = (work) => work() } = options;
  const snapshot = mode === 'add' || forOnce ? {} : { snapshot: PRISTINE };
  const note: StagedLoad = await store.workLog.begin({ staging: randomUUID(), ...snapshot });
  const problems = new SourceProblems();
  const folder = stagedFolder(place, note.staging);
  const staging = new Staging(store, note.staging);
  const load = new Load(store, staging, problems, folder, options);
  try {
    await staging.create();
    await mkdir(folder, { recursive: true });
    for (const [index, source] of sources.entries()) await load.take(source, index === 0);
    problems.throwIfAny();
    const result = await load.finish();
    problems.throwIfAny();
    const settled = mode === 'add' ? mode : await load.complete(note.snapshot);
    signal?.throwIfAborted();
    await alone(async () => {
      // Waits for the journal, and with it for everything that was written before.
      await store.workLog.settle(note, settled);
      await commitLoad(store, { ...note, settled }, place);
    });
    return result;
  } catch (error) {
    await load.quiet();
    const isSettled = (await store.workLog.unfinished()).some(({ _id, settled }) => _id === note._id && settled !== undefined);
    if (!isSettled) await forgetLoad(store, note, place);
    throw error;
  }
}

/**
 * Loads content into a store: all of several sources, or nothing. All problems of the sources are reported together. Whatever ends the load
 * early, be it `signal` or a crash, leaves what was there, at the latest after the next start (`recoverLoads`); once all is staged, a crash
 * leads to what is new.
 *
 * With `add`, ids that are taken are replaced, users are those of the same login, terms those of the same taxonomy and slug, slugs are made
 * unique, and whatever refers to them follows. References to what is not part of the source are dropped.
 * @throws DatasetError with all problems
 */
export const loadSources = (store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> =>
  withLock(store, 'load', () => loadStaged(store, sources, options));

export const loadSource = (store: Store, source: DatasetSource, options: LoadOptions): Promise<LoadResult> =>
  loadSources(store, [source], options);
