import path from 'node:path';
import type { Site } from '../site.js';
import { fetchImage, MediaError } from './fetch.js';
import { readUpload } from './files.js';
import { imageTypeOfName } from './types.js';

/** The URL of an image as sent; null if it is not an http(s) URL. */
export const imageUrl = (url: string): URL | null => (/^https?:\/\/[^\s\\]+$/i.test(url) && URL.canParse(url) ? new URL(url) : null);

/**
 * Path below the uploads folder for a URL of this site: null if it leads out of the folder, undefined if it is not the URL of an upload.
 * Accepts http and https, and ignores the query.
 */
export function ownUpload(site: Site, url: URL): string | null | undefined {
  const base = site.ownUrls
    .map((own) => new URL(`${own}${site.options.coreFolder}${site.options.uploadFolder}/`))
    .find(({ host, pathname }) => url.host === host && url.pathname.startsWith(pathname));
  if (!base) return undefined;
  try {
    const root = path.resolve(site.uploads);
    const file = path.resolve(root, `./${decodeURIComponent(url.pathname.slice(base.pathname.length))}`);
    return file.startsWith(root + path.sep) && !file.includes('\0') ? path.relative(root, file).replaceAll(path.sep, '/') : null;
  } catch {
    return null;
  }
}

/**
 * The image at a URL. Own uploads are never requested over the network.
 * @throws MediaError if it cannot be read or downloaded
 */
export async function readImage(site: Site, url: URL): Promise<Buffer> {
  const file = ownUpload(site, url);
  if (file === undefined) return fetchImage(url.href, site.chosen.media);
  const bytes = file !== null && imageTypeOfName(file) !== undefined ? await readUpload(site.uploads, file) : null;
  if (!bytes) throw new MediaError(`${url.href} is not an image of this site`);
  return bytes;
}

/** The last part of the path of a URL, decoded; `''` if there is none. */
export function fileNameOf({ pathname }: URL): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
