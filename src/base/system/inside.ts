import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

/** A file is outside of the folder that it was looked for in. The message is for people. */
export class OutsideFolder extends Error {}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

const isBelow = (folder: string, file: string): boolean => file.startsWith(folder + path.sep);

/** The errors of paths that lead to nothing. */
const NOTHING = new Set<unknown>(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

async function realPathOf(file: string, outside: (why: string) => Error): Promise<string | null> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw outside('symbolic links lead in a circle');
    if (NOTHING.has(codeOf(error))) return null;
    throw error;
  }
}

/**
 * Finds a file that content names, which may come from anybody. Links to other files of the folder are followed; the folder itself must be
 * none, while those above it may be. Junctions of Windows count as links.
 * @param folder folder that the file must be in: `uploads` or `stubs` beside a dataset
 * @param name path relative to it
 * @param shown the path of the file in messages
 * @returns the real path; null: there is no such file
 * @throws OutsideFolder if the path or a link leads out of the folder
 */
export async function findInside(folder: string, name: string, shown = path.join(folder, name)): Promise<string | null> {
  const base = path.resolve(folder);
  const inner = path.basename(base);
  const outside = (why: string): Error => new OutsideFolder(`${shown} cannot be used: ${why}`);
  if (!isBelow(base, path.resolve(base, name))) throw outside(`the path leads out of the folder ${inner}`);
  const stats = await lstat(base).catch(() => null);
  if (!stats) return null;
  if (stats.isSymbolicLink()) throw outside(`the folder ${inner} is a symbolic link. Make it a folder, and put the files there`);
  const [root, file] = [await realPathOf(base, outside), await realPathOf(path.join(base, name), outside)];
  if (root === null || file === null) return null;
  if (!isBelow(root, file)) throw outside(`a symbolic link leads out of the folder ${inner}. Put the file itself there`);
  return file;
}
