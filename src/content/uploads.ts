import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MediaError } from '../wp/media/fetch.js';
import { inspectImage, makeImageFiles, readIfFile, type ImageFacts, type ReadyVersions } from '../wp/media/files.js';
import { derivedFileName } from '../wp/media/sizes.js';
import { imageTypeOfName } from '../wp/media/types.js';
import type { ImageMetadata, Post } from '../wp/model.js';
import type { DatasetFile } from './dataset.js';

/** What a media library takes besides images. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.ics': 'text/calendar',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
};

/** The type of an upload by the ending of its name. */
export const typeOfUpload = (file: string): string | undefined =>
  imageTypeOfName(file) ?? OTHER_TYPES[path.posix.extname(file).toLowerCase()];

/** One upload of a dataset: its type, and the file to store. */
export interface Upload {
  mimeType: string;
  file: DatasetFile;
}

/**
 * Looks at a file of a dataset's media folder.
 * @param folder the media folder
 * @param file path below it, and below the site's uploads
 * @returns the upload, or what is wrong with the file
 */
export async function readUpload(folder: string, file: string): Promise<Upload | string> {
  const imageType = imageTypeOfName(file);
  const mimeType = imageType ?? OTHER_TYPES[path.posix.extname(file).toLowerCase()];
  if (!mimeType) return 'is not of a kind that can be uploaded';
  const source = path.join(folder, file);
  const bytes = await readIfFile(source);
  if (!bytes) return `there is no file ${source}`;
  if (!imageType) return { mimeType, file: { source, target: file } };
  const facts = await factsOf(bytes);
  if (typeof facts === 'string') return `${source} cannot be used: ${facts}`;
  if (facts.mimeType !== imageType) return `${source} is ${facts.mimeType} and not what its name says`;
  return { mimeType, file: { source, target: file, image: facts } };
}

async function factsOf(bytes: Buffer): Promise<ImageFacts | string> {
  try {
    return await inspectImage(bytes);
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  }
}

/** Versions of an image that lie beside it under the names that WordPress gives them. */
function versionsBeside(source: string): ReadyVersions {
  return {
    find: (name, { width, height }) => {
      const suffix = name === 'full' ? 'scaled' : `${width}x${height}`;
      return readIfFile(path.join(path.dirname(source), derivedFileName(path.basename(source), suffix)));
    },
  };
}

const NONE_BESIDE: ReadyVersions = { find: () => Promise.resolve(null) };

async function makeVersions({ source, target, data }: DatasetFile, facts: ImageFacts, uploads: string): Promise<ImageMetadata> {
  const { files, full, metadata } = await makeImageFiles(
    data ? Buffer.from(data) : await readFile(source),
    facts,
    path.posix.basename(target),
    data ? NONE_BESIDE : versionsBeside(source),
  );
  const folder = path.posix.dirname(target);
  for (const [name, bytes] of files) await writeFile(path.join(uploads, folder, name), bytes);
  return { ...metadata, file: path.posix.join(folder, full) };
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

async function place(file: DatasetFile, uploads: string): Promise<ImageMetadata | null> {
  if (!file.data && file.optional && !(await isThere(file.source))) return null;
  const destination = path.join(uploads, file.target);
  await mkdir(path.dirname(destination), { recursive: true });
  if (file.image) return makeVersions(file, file.image, uploads);
  await (file.data ? writeFile(destination, file.data) : copyFile(file.source, destination));
  return null;
}

/** How many files are worked on at a time: images are held in memory meanwhile. */
const AT_ONCE = 8;

/**
 * Copies the files of a dataset to the uploads folder and makes the smaller versions of its images.
 * @returns what became of those images, by path of the upload below the uploads folder
 */
export async function placeFiles(files: readonly DatasetFile[], uploads: string): Promise<Map<string, ImageMetadata>> {
  const made = new Map<string, ImageMetadata>();
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await Promise.all(
      files.slice(start, start + AT_ONCE).map(async (file) => {
        const image = await place(file, uploads);
        if (image) made.set(file.target, image);
      }),
    );
  }
  return made;
}

/** The attachment of an upload whose versions have been made; other posts as they are. */
export function withMadeImage(post: Post, made: ReadonlyMap<string, ImageMetadata>): Post {
  const image = post.file === undefined ? undefined : made.get(post.file);
  return image ? { ...post, file: image.file, image } : post;
}
