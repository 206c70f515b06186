import { copyFile, link, mkdir, readdir, rm, stat, rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync, utimesSync, existsSync } from 'node:fs';
import path from 'node:path';
import { settleAll } from '../../database/store/locks.js';
import { realTime } from '../../wordpress/clock.js';
import { PRIVATE } from '../../base/system/private-folder.js';
import { diskError, existingFolder } from '../../base/system/disk.js';

const FEW = 500;

/** Contents of a folder and its subfolders. */
interface Tree {
  /** The inode numbers of files, by relative path. */
  files: Map<string, string>;
  /** The stamps of the folder itself and of its subfolders, by path. */
  stamps: Map<string, string>;
}

/** Changes when files are added to a folder or removed from it. Empty: there is no such folder. */
function stampOf(folder: string): string {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev} ${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs}` : '';
}

/** Modification times are exact to this, in ms: some file systems only have even seconds. */
const TICK = 3_000;

/**
 * The stamp of a folder, which differs after every later change: a recent modification time, which that change may have as well, is dated
 * back.
 * @returns a unique stamp if that is impossible
 */
function lastingStamp(folder: string): string {
  const now = realTime();
  const isRecent = (): boolean => (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= now - TICK;
  const earlier = (now - 2 * TICK) / 1000;
  try {
    if (isRecent()) utimesSync(folder, earlier, earlier);
  } catch {
    // Only the owner of a folder can change its times.
  }
  const stamp = stampOf(folder);
  return isRecent() ? randomUUID() : stamp;
}

async function listTree(root: string): Promise<Tree> {
  const files: string[] = [];
  const stamps = new Map<string, string>();
  const list = async (folder: string): Promise<void> => {
    // Before it is read: the stamp of a folder that changes meanwhile is outdated.
    stamps.set(folder, lastingStamp(folder));
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const at = path.join(folder, entry.name);
      if (entry.isFile()) files.push(at);
      if (entry.isDirectory()) await list(at);
    }
  };
  await list(root);
  // For a few files, synchronous calls are faster.
  const inodes =
    files.length <= FEW ? files.map((file) => statSync(file).ino) : await Promise.all(files.map(async (file) => (await stat(file)).ino));
  return { files: new Map(files.map((file, i) => [path.relative(root, file), String(inodes[i])])), stamps };
}

/** Creates a hard link to a file, or a copy. Files of the media library are never modified, so they can be shared. */
async function share(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), PRIVATE);
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    await copyFile(from, to);
  });
}

/** Makes a new folder contain the files of another, at once. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, PRIVATE);
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(to, path.relative(from, source));
    if (entry.isDirectory()) mkdirSync(target, PRIVATE);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

type Work = () => Promise<void>;

interface Comparison {
  /** How to make the second folder contain exactly the files of the first; undefined if it does. */
  work: Work | undefined;
  /** The stamps of both folders and of their subfolders, by path. */
  stamps: Map<string, string>;
}

async function compare(from: string, to: string): Promise<Comparison> {
  const [{ files: wanted, stamps }, { files: present, stamps: others }] = await Promise.all([listTree(from), listTree(to)]);
  const strays = [...present].filter(([file, identity]) => wanted.get(file) !== identity).map(([file]) => file);
  const missing = [...wanted].filter(([file, identity]) => present.get(file) !== identity).map(([file]) => file);
  const work = async (): Promise<void> => {
    await settleAll(strays.map((file) => rm(path.join(to, file), { force: true })));
    await settleAll(missing.map((file) => share(path.join(from, file), path.join(to, file))));
  };
  return { work: strays.length + missing.length > 0 ? work : undefined, stamps: new Map([...stamps, ...others]) };
}

/** Makes a folder contain exactly the files of another. */
export async function mirrorFiles(from: string, to: string): Promise<void> {
  await mkdir(to, PRIVATE);
  await (await compare(from, to)).work?.();
}

/** A copy of a folder, for folders that get its files when somebody looks into them. */
export class FolderCopy {
  /** The folders that may still get them. */
  readonly waiting = new Set<FolderRestore>();

  private constructor(
    /** The folder that it is a copy of. */
    readonly of: string,
    readonly folder: string,
    /** Stamps of the original, which had not changed since. */
    readonly stamps: ReadonlyMap<string, string>,
  ) {}

  /** @param folder that does not exist yet */
  static async make(of: string, folder: string): Promise<FolderCopy> {
    const { stamps } = await listTree(of);
    await mirrorFiles(of, folder);
    return new FolderCopy(of, folder, stamps);
  }

  /** Deletes it, after the folders that wait for its files got them. */
  async end(): Promise<void> {
    for (const each of this.waiting) each.fill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Makes a folder contain the files of others. Compares them only if files were added or removed since they were found to be the same. */
export class FolderRestore {
  /** The stamps of the folders that had the same files, by the path of the folder to restore from. */
  private readonly same = new Map<string, ReadonlyMap<string, string>>();
  /** The copy whose files it gets when its path is read. */
  private awaited: FolderCopy | null = null;

  constructor(private readonly to: string) {}

  /** The folder. Reading this puts the awaited files into it. */
  get path(): string {
    this.fill();
    return this.to;
  }

  /** Puts the awaited files into the folder. */
  fill(): void {
    if (this.awaited) linkFiles(this.awaited.folder, this.to);
    // If that fails, the next one that looks tries again.
    this.forget();
  }

  /** Lets the folder, which must not exist, have the files of a copy as soon as its path is read. */
  await(copy: FolderCopy): void {
    copy.waiting.add(this);
    this.awaited = copy;
    this.same.set(copy.of, new Map([...copy.stamps, [this.to, '']]));
  }

  /** Gives up the awaited files. */
  forget(): void {
    this.awaited?.waiting.delete(this);
    this.awaited = null;
  }

  /** @returns how to make the folder contain exactly the files of another; undefined if it does */
  async from(from: string): Promise<Work | undefined> {
    const known = this.same.get(from);
    if (known && [...known].every(([folder, stamp]) => stampOf(folder) === stamp)) return undefined;
    this.same.delete(from);
    const { work, stamps } = await compare(from, this.path);
    if (!work) this.same.set(from, stamps);
    return work;
  }

  /** Makes the folder contain exactly the files of another, and finds out that it does. */
  async restore(from: string): Promise<void> {
    await mkdir(this.path, PRIVATE);
    const work = await this.from(from);
    if (!work) return;
    await work();
    await this.from(from);
  }
}

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
