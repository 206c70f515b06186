import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { statSync } from 'node:fs';
import path from 'node:path';
import { settleAll } from '../../database/store/locks.js';
import { realTime } from '../../wordpress/clock.js';
import { PRIVATE } from '../../base/system/private-folder.js';

const FEW = 500;

/** What is in a folder and its subfolders. */
interface Tree {
  /** The inode numbers of files, by relative path. */
  files: Map<string, string>;
  /** The paths of the folder itself and of its subfolders. */
  folders: string[];
}

async function listTree(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  // For a few files, synchronous calls are faster.
  const inodes =
    files.length <= FEW ? files.map((file) => statSync(file).ino) : await Promise.all(files.map(async (file) => (await stat(file)).ino));
  return {
    files: new Map(files.map((file, i) => [path.relative(folder, file), String(inodes[i])])),
    folders: [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name))],
  };
}

/** Creates a hard link to a file, or a copy. Files of the media library are never modified, so they can be shared. */
async function share(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), PRIVATE);
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    await copyFile(from, to);
  });
}

type Work = () => Promise<void>;

interface Comparison {
  /** How to make the second folder contain exactly the files of the first; undefined if it does. */
  work: Work | undefined;
  /** Both folders and their subfolders. */
  folders: string[];
}

async function compare(from: string, to: string): Promise<Comparison> {
  const [{ files: wanted, folders }, { files: present, folders: others }] = await Promise.all([listTree(from), listTree(to)]);
  const strays = [...present].filter(([file, identity]) => wanted.get(file) !== identity).map(([file]) => file);
  const missing = [...wanted].filter(([file, identity]) => present.get(file) !== identity).map(([file]) => file);
  const work = async (): Promise<void> => {
    await settleAll(strays.map((file) => rm(path.join(to, file), { force: true })));
    await settleAll(missing.map((file) => share(path.join(from, file), path.join(to, file))));
  };
  return { work: strays.length + missing.length > 0 ? work : undefined, folders: [...folders, ...others] };
}

/** Makes a folder contain exactly the files of another. */
export async function mirrorFiles(from: string, to: string): Promise<void> {
  await mkdir(to, PRIVATE);
  await (await compare(from, to)).work?.();
}

/** Resolution of modification times, in ms: most file systems use the last tick of the system clock. */
const TICK = 100;
/** The same for file systems with whole seconds, some of which only have even ones. */
const COARSE_TICK = 3_000;

const WHOLE_SECOND = 1_000_000_000n;

/** When and which files were last added to folders or removed from them. */
function stampOf(folders: readonly string[]): { stamp: string; changed: number } {
  let stamp = '';
  let changed = 0;
  for (const folder of folders) {
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
    stamp += stats ? `${stats.dev} ${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs}\n` : '\n';
    if (stats) changed = Math.max(changed, Number(stats.mtimeMs) + (stats.mtimeNs % WHOLE_SECOND === 0n ? COARSE_TICK : TICK));
  }
  return { stamp, changed };
}

/** Restores the files of a folder. Compares them only if files were added or removed since they were found to be the same. */
export class FolderRestore {
  /** The folders that had the same files, by the path of the folder to restore from. */
  private readonly same = new Map<string, { folders: readonly string[]; stamp: string }>();

  constructor(private readonly to: string) {}

  /** @returns how to make the folder contain exactly the files of another; undefined if it does */
  async from(from: string): Promise<Work | undefined> {
    const known = this.same.get(from);
    if (known && stampOf(known.folders).stamp === known.stamp) return undefined;
    this.same.delete(from);
    const began = realTime();
    const { work, folders } = await compare(from, this.to);
    if (work) return work;
    const { stamp, changed } = stampOf(folders);
    // A later change may not show if its time is the same.
    if (changed < began) this.same.set(from, { folders, stamp });
    return undefined;
  }
}
