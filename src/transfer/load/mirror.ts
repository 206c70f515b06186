import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { settleAll } from '../../database/store/locks.js';
import { realTime } from '../../wordpress/clock.js';
import { PRIVATE } from '../../base/system/private-folder.js';

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
