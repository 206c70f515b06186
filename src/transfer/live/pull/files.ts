import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Image } from '../../../sdk/types/responses.js';
import type { SourceItem } from '../../source.js';
import type { SiteClient } from '../client/client.js';
import type { FetchOptions } from './fetch.js';
import { uploadPath } from './image.js';
import { PRIVATE } from '../../../base/system/private-folder.js';

type Progress = FetchOptions['progress'];

/** Maximum number of concurrent requests for files. */
const CONCURRENCY = 4;

/** The URL of the uploads folder, derived from the URL of an image; '' if none is in it. */
export const uploadsOf = (images: Iterable<Image>): string => {
  for (const { url } of images) {
    const found = /^.*?\/uploads\/(?:sites\/\d+\/)?/.exec(url);
    if (found) return found[0];
  }
  return '';
};

export class SiteImages {
  /** URLs of files that could not be fetched. */
  readonly missing = new Set<string>();

  /**
   * @param folder folder to save the files in
   * @param uploadsUrl URL of the uploads folder of the site, with trailing slash
   */
  constructor(
    private readonly images: ReadonlyMap<number, Image>,
    private readonly folder: string,
    private readonly uploadsUrl: string,
  ) {}

  /** URLs of all files, with their paths relative to the uploads folder. */
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

  *items(): Generator<SourceItem> {
    for (const target of new Set(this.urls().values()))
      yield { kind: 'file', file: { source: path.join(this.folder, target), target, optional: true } };
  }

  /** Fetches the files that have not been saved yet. */
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
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }

  private async fetchFile(client: SiteClient, url: string, file: string): Promise<void> {
    // Ignores paths that lead out of the folder.
    if (path.relative(this.folder, file).startsWith('..')) return;
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return;
    const bytes = await client.file(url);
    if (bytes === null) {
      this.missing.add(url);
      return;
    }
    await mkdir(path.dirname(file), PRIVATE);
    await writeFile(`${file}.part`, bytes);
    await rename(`${file}.part`, file);
  }
}
