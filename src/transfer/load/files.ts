import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { diskError, existingFolder } from '../../base/system/disk.js';
import { mirrorFiles } from './mirror.js';
import { PRIVATE } from '../../base/system/private-folder.js';

export interface SitePlace {
  /** Files of the media library. */
  uploads: string;
  /** Copy of these files when the site was loaded, for resets. */
  pristine: string;
  /** Copy of these files when a snapshot was saved. */
  snapshot: (name: string) => string;
}

/** Name of the snapshot that a reset restores. */
export const PRISTINE = 'pristine';

/** The folder of a snapshot's files in a data folder. */
export const snapshotFiles = (data: string, name: string): string => path.join(data, 'snapshots', name);

/** The folders of the site in a data folder. */
export const placeIn = (data: string): SitePlace => ({
  uploads: path.join(data, 'uploads'),
  pristine: snapshotFiles(data, PRISTINE),
  snapshot: (name) => snapshotFiles(data, name),
});

/** @throws DiskFull if the disk of the data folder has too little space for content */
export function requireSpace({ pristine }: SitePlace): void {
  const error = diskError(existingFolder(pristine));
  if (error) throw error;
}

/** The folder for staged files: next to the pristine folder, so that it can be renamed to it. */
export const stagedFolder = ({ pristine }: SitePlace, id: string): string => `${path.resolve(pristine)}.load-${id}`;

/** All files in a folder and its subfolders, as relative paths. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Copies a file atomically, as a hard link if possible. */
async function copyAtomically(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), PRIVATE);
  const draft = `${target}.understudy-new`;
  await rm(draft, { force: true });
  await link(source, draft).catch(() => copyFile(source, draft));
  await rename(draft, target);
  // A rename has no effect if both names are hard links to the same file.
  await rm(draft, { force: true });
}

/** Adds staged files to the uploads. Can be repeated after a crash: a missing folder means that all files were added. */
export async function addFiles(staged: string, { uploads }: SitePlace): Promise<void> {
  if (!existsSync(staged)) return;
  for (const file of await listFiles(staged)) await copyAtomically(path.join(staged, file), path.join(uploads, file));
}

/**
 * Replaces the uploads with the staged files. Can be repeated after a crash, even if the uploads have changed since.
 * @param isPristine whether resets restore these files from now on
 */
export async function replaceFiles(staged: string, { uploads, pristine }: SitePlace, isPristine: boolean): Promise<void> {
  // The staged folder is the pristine one once that has been replaced.
  const isReplaced = isPristine && !existsSync(staged);
  const from = isReplaced ? pristine : staged;
  if (existsSync(from)) await mirrorFiles(from, uploads);
  if (isReplaced || !isPristine) return;
  await rm(pristine, { recursive: true, force: true });
  await rename(staged, pristine);
}

/** Where the files of a snapshot are in the staged folder of a whole site. @param snapshot `''`: the media library */
export const siteFiles = (snapshot: string): string => (snapshot === '' ? 'uploads' : path.posix.join('snapshots', snapshot));

/**
 * Replaces the files of a site and of its snapshots with the staged ones. Can be repeated after a crash.
 * @param snapshots names of the snapshots; files of all others are deleted
 */
export async function replaceSiteFiles(
  staged: string,
  { uploads, pristine, snapshot }: SitePlace,
  snapshots: readonly string[],
): Promise<void> {
  if (!existsSync(staged)) return;
  await mirrorFiles(path.join(staged, siteFiles('')), uploads);
  for (const name of snapshots) await mirrorFiles(path.join(staged, siteFiles(name)), snapshot(name));
  // Names of staged folders have a dot, names of snapshots have none.
  const others = (await readdir(path.dirname(pristine))).filter((name) => !name.includes('.') && !snapshots.includes(name));
  for (const name of others) await rm(snapshot(name), { recursive: true, force: true });
}

export async function dropFiles(staged: string): Promise<void> {
  // A partly deleted folder must never be taken for a complete one.
  await rename(staged, `${staged}.done`).catch(() => undefined);
  await rm(`${staged}.done`, { recursive: true, force: true });
}
