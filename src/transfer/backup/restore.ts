import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withLock } from '../../database/store/locks.js';
import { RejectedDocument, SiteCopy } from '../../database/store/site-copy.js';
import type { Lease } from '../../database/store/work-log.js';
import type { Store } from '../../wordpress/store.js';
import { commitLoad, discardLoad } from '../load/commit.js';
import { requireSpace, siteFiles, stagedFolder, type SitePlace } from '../load/mirror.js';
import type { Manifest } from './format.js';
import { BackupError, readBackup, type BackupVisitor } from './read.js';
import { PRIVATE } from '../../base/system/private-folder.js';

export interface RestoreOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((what: string, done: number) => void) | undefined;
}

async function writeFile(target: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(path.dirname(target), PRIVATE);
  await pipeline(content, createWriteStream(target));
}

async function linkFile(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), PRIVATE);
  await link(source, target).catch(() => copyFile(source, target));
}

/** Stages what a backup contains. */
const stageIn = (store: Store, copy: SiteCopy, folder: string, place: SitePlace): BackupVisitor => ({
  documents: (part, documents) => {
    if (store.isInFolder) requireSpace(place);
    return copy.insert(part, documents).catch((error: unknown) => {
      throw error instanceof RejectedDocument ? new BackupError(error.message) : error;
    });
  },
  file: (file, content) => writeFile(path.join(folder, file), content),
  link: (file, same) => linkFile(path.join(folder, same), path.join(folder, file)),
});

async function requireAll(copy: SiteCopy, { documents }: Manifest): Promise<void> {
  for (const { count, ...part } of documents)
    if ((await copy.count(part)) !== count) throw new BackupError(`Not all ${part.part} of the backup were stored. Nothing was changed.`);
}

async function restoreStaged(store: Store, place: SitePlace, file: string, known: Manifest, options: RestoreOptions): Promise<void> {
  const { snapshots, format } = known;
  const note: Lease & { staging: string } = await store.workLog.begin({ staging: randomUUID(), snapshots });
  const copy = new SiteCopy(store, note.staging);
  const folder = stagedFolder(place, note.staging);
  try {
    await copy.create(snapshots);
    for (const snapshot of ['', ...snapshots]) await mkdir(path.join(folder, siteFiles(snapshot)), PRIVATE);
    await readBackup(file, { ...options, visitor: stageIn(store, copy, folder, place) });
    await requireAll(copy, known);
    await copy.complete(snapshots, format);
    options.signal?.throwIfAborted();
    const commit = (): Promise<void> => store.workLog.complete(note, 'site', () => commitLoad(store, { ...note, settled: 'site' }, place));
    await store.workLog.alone('replace', commit);
  } catch (error) {
    if (await store.workLog.isSettled(note).catch(() => true)) await store.workLog.abandon(note);
    else await discardLoad(store, note, place);
    throw error;
  }
}

/**
 * Replaces a site with a backup: documents, snapshots and files. Atomic: after an error or a crash, recovery (`recoverWork`) leads to
 * the old site, or to the backup once everything is staged.
 * @param known the manifest of the backup, which was read before
 * @throws BackupError if the backup has changed since; an AbortError
 */
export const restoreBackup = (store: Store, place: SitePlace, file: string, known: Manifest, options: RestoreOptions = {}): Promise<void> =>
  withLock(store, 'load', () => restoreStaged(store, place, file, known, options));
