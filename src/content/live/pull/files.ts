import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Image } from '../../../types.js';
import type { DatasetItem } from '../../source.js';
import type { SiteClient } from '../client/client.js';
import type { FetchOptions } from './fetch.js';
import { uploadPath } from './image.js';

type Progress = FetchOptions['progress'];

/** How many files are fetched together. */
const FILES_AT_ONCE = 4;

/** Where the uploads of a site are, by the address of one of its images. */
export const uploadsOf = (images: Iterable<Image>): string => {
  for (const { url } of images) {
    const found = /^.*?\/uploads\//.exec(url);
    if (found) return found[0];
  }
  return '';
};

/** The files of the images of a site. */
export class ImageFiles {
  /** Addresses of files that could not be fetched. */
  readonly missing = new Set<string>();

  /**
   * @param folder folder that they are fetched into
   * @param uploadsUrl folder of the uploads in addresses of the site, with slash
   */
  constructor(
    private readonly images: ReadonlyMap<number, Image>,
    private readonly folder: string,
    private readonly uploadsUrl: string,
  ) {}

  /** Addresses of the files of all images, with their paths below the uploads folder. */
  private urls(): Map<string, string> {
    const found = new Map<string, string>();
    for (const { id, url, sizes = {}, original_image: original } of this.images.values()) {
      const file = uploadPath(url, id, this.uploadsUrl);
      const besides = [...Object.values(sizes).map((size) => size.url), ...(original === undefined ? [] : [new URL(original, url).href])];
      found.set(url, file);
      for (const each of besides) found.set(each, path.posix.join(path.posix.dirname(file), path.posix.basename(new URL(each).pathname)));
    }
    return found;
  }

  *items(): Generator<DatasetItem> {
    for (const target of new Set(this.urls().values()))
      yield { kind: 'file', file: { source: path.join(this.folder, target), target, optional: true } };
  }

  /** Fetches the files of all images that are not there yet. */
  async fetch(client: SiteClient, progress: Progress): Promise<void> {
    const wanted = [...this.urls()];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length) {
        const [url, target] = wanted[next++];
        await this.fetchFile(client, url, path.join(this.folder, target));
        progress('Files', next, wanted.length);
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  }

  private async fetchFile(client: SiteClient, url: string, file: string): Promise<void> {
    // A path that leads out of the folder is no path of the uploads.
    if (path.relative(this.folder, file).startsWith('..')) return;
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const bytes = await client.file(url);
    if (bytes === null) {
      this.missing.add(url);
      return;
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.part`, bytes);
    await rename(`${file}.part`, file);
  }
}
