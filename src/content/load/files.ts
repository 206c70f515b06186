import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Post } from '../../wp/model.js';

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

/** Where the files of a load lie until all of it is ready: beside the uploads, so that they move at no cost. */
export const stagedFolder = (uploads: string, id: string): string => `${path.resolve(uploads)}.load-${id}`;

/** Files below a folder, relative to it, with slashes. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
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

/**
 * Puts the files of a load into the uploads folder. May be done again after it was cut short; when there is no folder, it was done.
 * @param only whether these are all the files of the site: others are taken away
 */
export async function settleFiles(staged: string, uploads: string, only: boolean): Promise<void> {
  if (!existsSync(staged)) return;
  const files = await listFiles(staged);
  for (const file of files) await putInPlace(path.join(staged, file), path.join(uploads, file));
  if (!only) return;
  const kept = new Set(files);
  const others = (await listFiles(uploads)).filter((file) => !kept.has(file));
  await Promise.all(others.map((file) => rm(path.join(uploads, file), { force: true })));
}

const VERSION = /(?:-\d+x\d+|-scaled)?(\.\w+)$/;

/** A file of the library without what tells its versions apart: `2026/06/a-300x200.jpg` is of `2026/06/a.jpg`. */
const originalOf = (file: string): string => file.replace(VERSION, '$1');

/** New names for the files of attachments whose old ones are taken. */
export class FileNames {
  private readonly renamed = new Map<string, string>();
  private readonly claimed = new Set<string>();

  /** @param isTaken whether a file of this name, below the uploads folder, belongs to somebody else */
  constructor(private readonly isTaken: (file: string) => boolean) {}

  /** Finds a place for the file of an attachment. WP: names that meet get `-1`, `-2`, …. */
  claim(file: string): void {
    const original = originalOf(file);
    if (this.renamed.has(original) || this.claimed.has(original)) return;
    let free = original;
    for (let n = 1; this.claimed.has(free) || this.isTaken(free); n += 1) free = original.replace(/(\.\w+)$|$/, `-${n}$1`);
    this.claimed.add(free);
    if (free !== original) this.renamed.set(original, free);
  }

  /** What a file is called now, be it the original or a version of it. */
  of(file: string): string {
    const original = originalOf(file);
    const now = this.renamed.get(original);
    if (now === undefined) return file;
    const suffix = file.slice(original.length - path.posix.extname(original).length, file.length);
    return now.slice(0, now.length - path.posix.extname(now).length) + suffix;
  }

  /** An attachment under the names that its files have now. */
  rename(post: Post): Post {
    if (post.file === undefined || !this.renamed.has(originalOf(post.file))) return post;
    const folder = path.posix.dirname(post.file);
    const beside = (name: string): string => path.posix.basename(this.of(path.posix.join(folder, name)));
    const image = post.image && {
      ...post.image,
      file: this.of(post.image.file),
      sizes: Object.fromEntries(Object.entries(post.image.sizes).map(([name, size]) => [name, { ...size, file: beside(size.file) }])),
      ...(post.image.original_image === undefined ? {} : { original_image: beside(post.image.original_image) }),
    };
    return { ...post, file: this.of(post.file), ...(image === undefined ? {} : { image }) };
  }
}
