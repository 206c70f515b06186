import { stat } from 'node:fs/promises';
import type { Post } from '../model.js';
import type { Site } from '../site.js';
import { uploadAt } from './files.js';

/** The stored size of a file, in bytes. */
export const storedSize = ({ image, fileSize }: Post): number | undefined => (image ? image.filesize : fileSize);

/** The file that was uploaded, relative to the uploads folder; `''` if there is none. */
export function uploadedFile({ file = '', image }: Post): string {
  return image?.original_image ? `${file.replace(/[^/]*$/, '')}${image.original_image.replace(/^.*\//, '')}` : file;
}

/** Sizes of files without a stored one, in bytes, by id of the attachment. */
export async function measuredSizes(posts: Post[], { uploads }: Site): Promise<Map<number, number>> {
  const unknown = posts.filter((post) => storedSize(post) === undefined && uploadedFile(post) !== '');
  const found = await Promise.all(
    unknown.map(async (post) => {
      const place = uploadAt(uploads, uploadedFile(post));
      return [post._id, place === null ? null : await stat(place).catch(() => null)] as const;
    }),
  );
  return new Map(found.flatMap(([id, file]) => (file?.isFile() ? [[id, file.size] as const] : [])));
}
