import path from 'node:path';
import type { Post } from '../../wordpress/model.js';

const VERSION = /(?:-\d+x\d+|-scaled)?(\.\w+)$/;

/** The original of a file: `2026/06/a.jpg` for `2026/06/a-300x200.jpg`. */
const originalOf = (file: string): string => file.replace(VERSION, '$1');

/** Renames files of attachments whose names are in use. */
export class FileNames {
  private readonly renamed = new Map<string, string>();

  /**
   * WP: duplicates get `-1`, `-2`, ….
   * @param files the files of attachments
   * @param isTaken whether another file has this path, relative to the uploads folder
   */
  constructor(files: readonly string[], isTaken: (file: string) => boolean) {
    const claimed = new Set<string>();
    for (const original of files.map(originalOf)) {
      if (this.renamed.has(original) || claimed.has(original)) continue;
      let free = original;
      for (let n = 1; claimed.has(free) || isTaken(free); n += 1) free = original.replace(/(\.\w+)$|$/, `-${n}$1`);
      claimed.add(free);
      if (free !== original) this.renamed.set(original, free);
    }
  }

  /** The new name of a file, either an original or one of its sizes. */
  of(file: string): string {
    const original = originalOf(file);
    const now = this.renamed.get(original);
    if (now === undefined) return file;
    const suffix = file.slice(original.length - path.posix.extname(original).length, file.length);
    return now.slice(0, now.length - path.posix.extname(now).length) + suffix;
  }

  /** Updates the file names of an attachment. */
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
