import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Staging, type StagedLoad } from '../../database/store/staging.js';
import { withLock } from '../../database/store/locks.js';
import { DatabaseCrashed } from '../../database/store/errors.js';
import type { Store } from '../../wordpress/store.js';
import { type DatasetSource, SourceProblems } from '../source.js';
import { commitLoad, discardLoad } from './commit.js';
import { PRISTINE, requireSpace, stagedFolder } from './mirror.js';
import { settleSlug, stageRest } from './finish.js';
import { registryAfter } from './registered.js';
import { Loader, type LoadOptions, type LoadResult } from './loader.js';
import { PRIVATE } from '../../base/system/private-folder.js';

export { PRISTINE } from './mirror.js';
export type { LoadMode, LoadOptions, LoadResult } from './loader.js';

async function loadStaged(store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> {
  const registry = registryAfter(sources, options.mode, options.registry ?? store.registry);
  const { mode, forOnce = false, place, signal, onProgress, alone = (work) => work() } = options;
  const snapshot = mode === 'add' || forOnce ? {} : { snapshot: PRISTINE };
  const note: StagedLoad = await store.workLog.begin({ staging: randomUUID(), ...snapshot });
  const problems = new SourceProblems();
  const folder = stagedFolder(place, note.staging);
  const staging = new Staging(store, note.staging);
  const load = new Loader(store, registry, staging, problems, folder, options);
  try {
    const { crashes } = store;
    await staging.create();
    await mkdir(folder, PRIVATE);
    if (store.isInFolder) requireSpace(place);
    for (const [index, source] of sources.entries()) await load.stageSource(source, index === 0);
    problems.throwIfAny();
    const result = await stageRest(load.loaded, { store, registry, staging, problems }, options);
    problems.throwIfAny();
    if (mode === 'replace') onProgress?.('Indexing', result.posts);
    const settled = mode === 'add' ? mode : await staging.finish(note.snapshot, (post, isTaken) => settleSlug(post, isTaken, registry));
    signal?.throwIfAborted();
    // Staging does not wait for the journal.
    if (store.crashes !== crashes) throw new DatabaseCrashed();
    // Recorded once this and all previous writes are in the journal of the database.
    const commit = async (): Promise<void> => {
      await store.workLog.complete(note, settled, () => commitLoad(store, { ...note, settled }, place));
      store.register(registry);
    };
    await store.workLog.alone('replace', () => alone(commit));
    return result;
  } catch (error) {
    await load.posts.settle();
    // Unknown without a database: the next recovery finds out.
    if (await store.workLog.isSettled(note).catch(() => true)) await store.workLog.abandon(note);
    else await discardLoad(store, note, place);
    throw error;
  }
}

/**
 * Loads content into a store, atomically: either all sources or nothing. All problems of the sources are reported together. If `signal` or a
 * crash interrupts the load, the old content is kept; after a crash, `recoverWork` cleans up at the next start. Once everything is staged, a
 * crash leads to the new content.
 *
 * With `add`, ids that are in use are replaced, existing users (by login) and terms (by taxonomy and slug) are reused, slugs are made unique,
 * and references are updated. References to documents that are not part of the source are dropped.
 * @throws DatasetError with all problems
 */
export const loadSources = (store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> =>
  withLock(store, 'load', () => loadStaged(store, sources, options));

export const loadSource = (store: Store, source: DatasetSource, options: LoadOptions): Promise<LoadResult> =>
  loadSources(store, [source], options);
