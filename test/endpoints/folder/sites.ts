import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Manifest } from '../../../src/transfer/backup/format.js';
import { readBackup } from '../../../src/transfer/backup/read.js';
import { restoreBackup } from '../../../src/transfer/backup/restore.js';
import { writeBackup, siteAtRest } from '../../../src/transfer/backup/write.js';
import { placeIn, type SitePlace } from '../../../src/transfer/load/mirror.js';
import { partsOf, rawDocumentsOf } from '../../../src/database/store/site-copy.js';
import { strays } from '../../../src/database/store/staging.js';
import { Store } from '../../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../../support/database.js';
import { registry } from '../../support/registry.js';

/** A site without a server: a database and a folder. */
export interface TestSite {
  readonly store: Store;
  readonly place: SitePlace;
  readonly folder: string;
}

/** A site for one test file. @param isShared whether to treat the database as shared with other processes */
export function testSite(isShared = false): TestSite {
  const { uri, name } = testDatabase();
  const site = {} as { store: Store; place: SitePlace; folder: string };
  beforeAll(async () => {
    site.folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-backup-'));
    site.store = await Store.open(uri, registry, name, isShared);
    site.place = placeIn(site.folder);
  });
  afterAll(async () => {
    await site.store.close();
    await rm(site.folder, { recursive: true });
  });
  return site;
}

export const write = async (file: string, content: string | Buffer): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

async function filesIn(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found = files.sort().map(async (file): Promise<[string, string]> => [path.relative(folder, file), digest(await readFile(file))]);
  return Promise.all(found);
}

/** The whole content of a site: the bytes of each document and file. */
export async function contentOf({ store, place, folder }: TestSite): Promise<unknown> {
  const documents: Record<string, string[]> = {};
  for (const { snapshot, part, collection } of await partsOf(store)) {
    const all: string[] = [];
    for await (const raw of rawDocumentsOf(store, collection)) all.push(digest(raw));
    documents[`${snapshot} ${part}`] = all;
  }
  return { documents, uploads: await filesIn(place.uploads), snapshots: await filesIn(path.join(folder, 'snapshots')) };
}

/** Leftovers of a load, restore or backup without cleanup. */
export async function leftoversOf({ store, folder }: TestSite): Promise<unknown[]> {
  const folders = await readdir(path.join(folder, 'snapshots')).catch(() => []);
  return [...(await store.workLog.unfinished()), ...(await strays(store)), ...folders.filter((name) => name.includes('.'))];
}

/** Removes all documents, snapshots and files. */
export async function clear({ store, folder }: TestSite): Promise<void> {
  for (const snapshot of (await store.snapshots.list()).keys()) await store.snapshots.delete(snapshot);
  await clearStore(store);
  for (const name of ['uploads', 'snapshots']) await rm(path.join(folder, name), { recursive: true, force: true });
}

/** Writes a backup of an idle site. */
export async function backUp({ store, place, folder }: TestSite): Promise<{ file: string; manifest: Manifest }> {
  const file = path.join(folder, 'site.tar.gz');
  return { file, manifest: await writeBackup(await siteAtRest(store, place), createWriteStream(file)) };
}

export const restoreTo = async ({ store, place }: TestSite, file: string): Promise<void> =>
  restoreBackup(store, place, file, await readBackup(file));
