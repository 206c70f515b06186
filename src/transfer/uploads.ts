import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lookup } from '../base/values/records.js';
import { MediaError } from '../wordpress/media/fetch.js';
import { inspectImage, makeImageFiles, readIfFile } from '../wordpress/media/files.js';
import type { ImageFacts, ReadyVersions, ImageFiles } from '../wordpress/media/files.js';
import { DEFAULT_IMAGE_SIZES, derivedFileName, type SizeRule } from '../wordpress/media/sizes.js';
import { imageTypeOfName } from '../wordpress/media/types.js';
import type { ImageMetadata, Post } from '../wordpress/model.js';
import { findInside, OutsideFolder } from '../base/system/inside.js';
import type { SourceFile } from './source.js';
import { PRIVATE } from '../base/system/private-folder.js';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** The files generated for an image at build time (`scripts/images.mjs`). */
interface ReadyImage {
  name: string;
  facts: ImageFacts;
  metadata: ImageFiles['metadata'];
  /** Name of the full version. */
  full: string;
  /** Names of the files, without the upload itself. */
  files: string[];
}

/** Ready images by the SHA-256 of the upload. */
type ReadyImages = Partial<Record<string, ReadyImage>>;

const FOLDER = fileURLToPath(new URL('../images', import.meta.url));

let index: Promise<ReadyImages> | undefined;

const readIndex = async (): Promise<ReadyImages> => {
  const text = await readFile(path.join(FOLDER, 'index.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as ReadyImages;
};

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The files generated at build time for an image with this content, since generating them takes longer than the rest of a first start. */
export async function findReadyImage(bytes: Uint8Array): Promise<ReadyImage | undefined> {
  index ??= readIndex();
  return (await index)[digestOf(bytes)];
}

export async function copyReadyImage(bytes: Uint8Array, { files }: ReadyImage, to: string): Promise<void> {
  const from = path.join(FOLDER, digestOf(bytes));
  await Promise.all(files.map((name) => copyFile(path.join(from, name), path.join(to, name))));
}

/** Types other than images that the media library accepts. */
const OTHER_TYPES: Readonly<Record<string, string>> = lookup({
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.ics': 'text/calendar',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
});

/** The MIME type of an upload, by its extension. */
export const typeOfUpload = (file: string): string | undefined =>
  imageTypeOfName(file) ?? OTHER_TYPES[path.posix.extname(file).toLowerCase()];

/** An upload of a dataset: its MIME type and the file to store. */
export interface DatasetUpload {
  mimeType: string;
  file: SourceFile;
}

/** A problem with a file of a dataset. */
interface UploadProblem {
  message: string;
  isMissing?: boolean;
}

/** The media folder of a dataset. */
export interface UploadFolder {
  path: string;
  /** Its path in messages. */
  shown: string;
}

/** Where to read a file of a source. Null: there is none. @throws OutsideFolder */
async function pathOfSource({ source, within }: Pick<SourceFile, 'source' | 'within'>): Promise<string | null> {
  if (within !== undefined) return findInside(within, path.relative(within, source));
  return (await fileExists(source)) ? source : null;
}

/** Problem with a file of a source before it is read; null if there is none. */
export async function problemOfSource(file: SourceFile): Promise<UploadProblem | null> {
  if (file.data) return null;
  try {
    if ((await pathOfSource(file)) !== null || file.optional) return null;
    return { message: `file not found: ${file.source}`, isMissing: true };
  } catch (error) {
    if (error instanceof OutsideFolder) return { message: error.message };
    throw error;
  }
}

/**
 * The content of a file that a dataset names, or what is wrong with it.
 * @param name path relative to the folder
 */
export async function readInside({ path: folder, shown }: UploadFolder, name: string): Promise<Buffer | UploadProblem> {
  const shownFile = path.join(shown, name);
  try {
    const file = await findInside(folder, name, shownFile);
    const bytes = file === null ? null : await readIfFile(file);
    return bytes ?? { message: `file not found: ${shownFile}`, isMissing: true };
  } catch (error) {
    if (error instanceof OutsideFolder) return { message: error.message };
    throw error;
  }
}

/**
 * Reads and validates a file in the media folder of a dataset.
 * @param file path relative to that folder, and to the uploads folder of the site
 */
export async function readUpload(folder: UploadFolder, file: string): Promise<DatasetUpload | UploadProblem> {
  const imageType = imageTypeOfName(file);
  const mimeType = imageType ?? OTHER_TYPES[path.posix.extname(file).toLowerCase()];
  if (!mimeType) return { message: 'is not of a file type that can be uploaded' };
  const [source, shown] = [folder.path, folder.shown].map((base) => path.join(base, file));
  const bytes = await readInside(folder, file);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const within = folder.path;
  if (!imageType) return { mimeType, file: { source, within, target: file } };
  const facts = await factsOf(bytes);
  if (typeof facts === 'string') return { message: `${shown} cannot be used: ${facts}` };
  if (facts.mimeType !== imageType) return { message: `${shown} is ${facts.mimeType}, which does not match its extension` };
  return { mimeType, file: { source, within, target: file, image: facts } };
}

async function factsOf(bytes: Buffer): Promise<ImageFacts | string> {
  try {
    return (await findReadyImage(bytes))?.facts ?? (await inspectImage(bytes));
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  }
}

/** Sizes of an image that already exist next to it, under the names that WordPress gives them. */
function versionsBeside({ source, within }: Pick<SourceFile, 'source' | 'within'>): ReadyVersions {
  return {
    find: async (name, { width, height }) => {
      const suffix = name === 'full' ? 'scaled' : `${width}x${height}`;
      const beside = path.join(path.dirname(source), derivedFileName(path.basename(source), suffix));
      if (within === undefined) return readIfFile(beside);
      const bytes = await readInside({ path: within, shown: within }, path.relative(within, beside));
      return Buffer.isBuffer(bytes) ? bytes : null;
    },
  };
}

const NONE_BESIDE: ReadyVersions = { find: () => Promise.resolve(null) };

/** The sizes of an image, if the site already has them from the same original. */
async function versionsInSite(site: string, target: string, bytes: Buffer): Promise<ReadyVersions | null> {
  const known = path.join(site, target);
  return (await readIfFile(known))?.equals(bytes) ? versionsBeside({ source: known }) : null;
}

/** Where to place files. */
interface Placing {
  uploads: string;
  /** The current uploads folder of the site, whose image sizes are reused. */
  site: string;
  /** The image sizes of the site. */
  sizes: readonly SizeRule[];
}

async function makeVersions(file: SourceFile, facts: ImageFacts, { uploads, site, sizes }: Placing): Promise<ImageMetadata> {
  const { target, data } = file;
  const bytes = data ? Buffer.from(data) : await readFile((await pathOfSource(file)) ?? file.source);
  const folder = path.posix.dirname(target);
  const name = path.posix.basename(target);
  const ready = sizes === DEFAULT_IMAGE_SIZES ? await readyFor(file, bytes) : null;
  if (ready) {
    const destination = path.join(uploads, folder);
    await Promise.all([writeFile(path.join(destination, name), bytes), copyReadyImage(bytes, ready, destination)]);
    return { ...ready.metadata, file: path.posix.join(folder, ready.full) };
  }
  const versions = (await versionsInSite(site, target, bytes)) ?? (data ? NONE_BESIDE : versionsBeside(file));
  const { files, full, metadata } = await makeImageFiles(bytes, facts, name, sizes, versions);
  for (const [made, content] of files) await writeFile(path.join(uploads, folder, made), content);
  return { ...metadata, file: path.posix.join(folder, full) };
}

/** The files generated at build time for an upload, unless its sizes are next to it. */
async function readyFor({ source, target, data }: SourceFile, bytes: Buffer): Promise<ReadyImage | null> {
  const ready = await findReadyImage(bytes);
  if (!ready || ready.name !== path.posix.basename(target)) return null;
  const beside = data ? [] : ready.files.map((name) => path.join(path.dirname(source), name));
  return (await Promise.all(beside.map(fileExists))).includes(true) ? null : ready;
}

const fileExists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

async function place(file: SourceFile, placing: Placing): Promise<ImageMetadata | null> {
  const source = file.data ? file.source : await pathOfSource(file);
  if (source === null && file.optional) return null;
  const destination = path.join(placing.uploads, file.target);
  await mkdir(path.dirname(destination), PRIVATE);
  if (file.image) return makeVersions(file, file.image, placing);
  await (file.data ? writeFile(destination, file.data) : copyFile(source ?? file.source, destination));
  return null;
}

/** How many files to process concurrently: their images are held in memory. */
const AT_ONCE = 8;

/**
 * Copies the files of a dataset to the uploads folder and generates the sizes of its images.
 * @returns metadata of these images, by the path of the upload relative to the uploads folder
 */
export async function placeFiles(files: readonly SourceFile[], placing: Placing): Promise<Map<string, ImageMetadata>> {
  const made = new Map<string, ImageMetadata>();
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await Promise.all(
      files.slice(start, start + AT_ONCE).map(async (file) => {
        const image = await place(file, placing);
        if (image) made.set(file.target, image);
      }),
    );
  }
  return made;
}

/** Adds the metadata of a generated image to its attachment; returns other posts unchanged. */
export function withMadeImage(post: Post, made: ReadonlyMap<string, ImageMetadata>): Post {
  const image = post.file === undefined ? undefined : made.get(post.file);
  return image ? { ...post, file: image.file, image } : post;
}
