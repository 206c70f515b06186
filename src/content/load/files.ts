import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { mirrorFiles } from './mirror.js';

/** Folders of a site. */
export interface SitePlace {
  /** What it serves its media from. */
  uploads: string;
  /** The same files as they were when the site was loaded: what a reset goes back to. */
  pristine: string;
}

/** The folders of the site in a data folder. */
export const placeIn = (data: string): SitePlace => ({
  uploads: path.join(data, 'uploads'),
  pristine: path.join(data, 'snapshots', 'pristine'),
});

/** Where the files of a load are staged: beside the pristine ones, which they may become by a rename. */
export const stagedFolder = ({ pristine }: SitePlace, id: string): string => `${path.resolve(pristine)}.load-${id}`;

/** Files below a folder, relative to it. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Puts a file in place whole, and leaves it where it is as well. */
async function putInPlace(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const draft = `${target}.understudy-new`;
  await rm(draft, { force: true });
  await link(source, draft).catch(() => copyFile(source, draft));
  await rename(draft, target);
  // Between two names of the same file, a rename does nothing.
  await rm(draft, { force: true });
}

/** Adds staged files to the uploads. May be repeated after a crash; a folder that is missing was added completely. */
export async function addFiles(staged: string, { uploads }: SitePlace): Promise<void> {
  if (!existsSync(staged)) return;
  for (const file of await listFiles(staged)) await putInPlace(path.join(staged, file), path.join(uploads, file));
}

/**
 * Replaces the uploads by the staged files. May be repeated after a crash; a folder that is missing replaced them completely.
 * @param isPristine whether a reset goes back to these files from now on
 */
export async function replaceFiles(staged: string, { uploads, pristine }: SitePlace, isPristine: boolean): Promise<void> {
  if (!existsSync(staged)) return;
  await mirrorFiles(staged, uploads);
  if (!isPristine) return;
  await rm(pristine, { recursive: true, force: true });
  await rename(staged, pristine);
}

/** Deletes a staged folder. */
export async function dropFiles(staged: string): Promise<void> {
  // Half a folder must never pass for all the files of a load.
  await rename(staged, `${staged}.done`).catch(() => undefined);
  await rm(`${staged}.done`, { recursive: true, force: true });
}
