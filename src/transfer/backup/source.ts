import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { partsOf, SiteCopy } from '../../database/store/site-copy.js';
import type { Lease } from '../../database/store/work-log.js';
import type { Store } from '../../wordpress/store.js';
import { discardLoad } from '../load/commit.js';
import { mirrorFiles, siteFiles, stagedFolder, type SitePlace } from '../load/mirror.js';
import type { BackupSource } from './write.js';

/** The folder of the files of a snapshot. @param snapshot `''`: the media library */
const folderIn = (place: SitePlace, snapshot: string): string => (snapshot === '' ? place.uploads : place.snapshot(snapshot));

const namesOf = async ({ snapshots }: Store): Promise<string[]> => [...(await snapshots.list()).keys()];

/** A site that nobody writes to, read in place. */
export async function siteAtRest(store: Store, place: SitePlace): Promise<BackupSource> {
  return {
    store,
    parts: await partsOf(store),
    snapshots: await namesOf(store),
    filesOf: (snapshot) => folderIn(place, snapshot),
  };
}

/** A consistent copy of a site. */
interface TakenSite extends BackupSource {
  /** Deletes the copy. */
  release: () => Promise<void>;
}

/**
 * Copies a site, so that writes can go on while the copy is read. After a crash, recovery deletes the copy.
 * @param alone runs work while nobody writes through this process
 * @throws SiteBusy if other processes write to the database all the time
 */
export async function takeSite(store: Store, place: SitePlace, alone: (work: () => Promise<void>) => Promise<void>): Promise<TakenSite> {
  const note: Lease & { staging: string } = await store.workLog.begin({ staging: randomUUID(), isCopy: true });
  const copy = new SiteCopy(store, note.staging);
  const folder = stagedFolder(place, note.staging);
  const release = (): Promise<void> => discardLoad(store, note, place);
  const filesOf = (snapshot: string): string => path.join(folder, siteFiles(snapshot));
  try {
    let source: BackupSource | undefined;
    await store.workLog.alone('replace', () =>
      alone(async () => {
        const parts = await copy.take();
        const snapshots = [...new Set(parts.map(({ snapshot }) => snapshot))].filter((name) => name !== '');
        for (const name of ['', ...snapshots]) await mirrorFiles(folderIn(place, name), filesOf(name));
        source = { store, parts, snapshots, filesOf };
      }),
    );
    if (!source) throw new Error('The site was not copied.');
    return { ...source, release };
  } catch (error) {
    await release();
    throw error;
  }
}
