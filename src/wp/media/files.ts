import { readFile, writeFile, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { removeAccents } from '../formatting/accents.js';
import { MediaError } from './fetch.js';
import { derivedFileName, planImage, type Box, type ImagePlan, type SubSize } from './sizes.js';
import { IMAGE_TYPES, bmpSize, iconSize, imageTypeOfBytes, imageTypeOfName } from './types.js';
import type { ImageMetadata, ImageSize } from '../model.js';

/** Largest image that is ever decoded, in pixels. */
export const MAX_PIXELS = 50_000_000;

/** WP: what is known of a picture that carries no camera data. */
export const NO_CAMERA_DATA: Readonly<Record<string, unknown>> = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
};

/** Types of which smaller versions are made, with the qualities at which WordPress saves them. */
const ENCODERS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 82 }),
  'image/png': (image) => image.png(),
  'image/gif': (image) => image.gif(),
  'image/webp': (image) => image.webp({ quality: 86 }),
  'image/avif': (image) => image.avif({ quality: 82 }),
};

/** What an image file turns out to be. */
export interface ImageFacts {
  mimeType: string;
  /** As it is to be looked at, that is after turning; 0 where WordPress does not find out. */
  width: number;
  height: number;
  /** EXIF: 1 is upright, 0 when nothing is said. Only JPEG files are turned (WP). */
  orientation: number;
}

/** Versions of an image that lie in the library already: bytes of a size, or of the reduced copy under `full`. */
export interface ReadyVersions {
  imageMeta?: Record<string, unknown>;
  find: (name: string, size: Box) => Promise<Buffer | null>;
}

/** Files to store in one folder, by name, and what the attachment says of them. */
export interface ImageFiles {
  files: Map<string, Buffer>;
  /** Name of the full version. */
  full: string;
  metadata: Omit<ImageMetadata, 'file'>;
}

const NOTHING_READY: ReadyVersions = { find: () => Promise.resolve(null) };

const open = (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });

/**
 * Looks into an image without decoding it.
 * @throws MediaError when its content is not an image of a type that may be uploaded, or has too many pixels
 */
export async function inspectImage(bytes: Buffer): Promise<ImageFacts> {
  const mimeType = imageTypeOfBytes(bytes);
  if (mimeType === undefined) throw new MediaError('this is no image');
  const found = await sizeOf(bytes, mimeType);
  if (!found) throw new MediaError(`this is no ${mimeType}`);
  if (found.width * found.height > MAX_PIXELS) throw new MediaError(`more than ${MAX_PIXELS} pixels`);
  return { mimeType, orientation: 0, ...found };
}

async function sizeOf(bytes: Buffer, mimeType: string): Promise<(Box & { orientation?: number }) | null> {
  if (mimeType === 'image/bmp') return bmpSize(bytes);
  if (mimeType === 'image/x-icon') return iconSize(bytes);
  // WP: dimensions of these are not looked up; nor could every build of the image library read them.
  if (!ENCODERS[mimeType]) return { width: 0, height: 0 };
  const found = await open(bytes)
    .metadata()
    .catch(() => null);
  if (!found) return null;
  const { width, height, orientation = 0 } = found;
  if (mimeType !== 'image/jpeg') return { width, height };
  return orientation > 4 ? { width: height, height: width, orientation } : { width, height, orientation };
}

/** `name` for a file of a type: its own ending when that fits, else the type's. */
export function fileNameFor(name: string, mimeType: string): { stem: string; extension: string } {
  const clean = sanitizeFileName(name);
  const dot = clean.lastIndexOf('.');
  const [stem, ending] = dot < 0 ? [clean, ''] : [clean.slice(0, dot), clean.slice(dot + 1)];
  const extension = imageTypeOfName(clean) === mimeType ? ending : IMAGE_TYPES[mimeType][0];
  return { stem: cut(stem, STEM_BYTES) || 'unnamed-file', extension };
}

/** File systems take 255 bytes; suffixes and ending follow. */
export const STEM_BYTES = 180;

/** The start of a text, of whole characters, that takes no more than so many bytes. */
export const cut = (text: string, bytes: number): string => {
  let kept = '';
  for (const char of text) {
    if (Buffer.byteLength(kept + char) > bytes) break;
    kept += char;
  }
  return kept;
};

/** A file name without what file systems, shells and URLs trip over; accents go, other scripts stay (WP `sanitize_file_name`). */
export function sanitizeFileName(name: string): string {
  return removeAccents(name)
    .replaceAll('\0', '')
    .replace(/[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“]/g, '')
    .replace(/[\s\p{Cc}]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[.\-_]+|(?<![.\-_])[.\-_]+$/g, '');
}

/**
 * Everything that WordPress stores of an upload: the upload itself, its smaller versions, and a turned or reduced copy where one becomes
 * the full version.
 * @param name of the upload, without folder
 * @param ready versions that need not be made
 * @throws MediaError when the image cannot be decoded
 */
export async function makeImageFiles(
  bytes: Buffer,
  facts: ImageFacts,
  name: string,
  ready: ReadyVersions = NOTHING_READY,
): Promise<ImageFiles> {
  const encode = ENCODERS[facts.mimeType];
  if (!encode) return untouched(bytes, facts, name);
  try {
    // A header may promise what does not follow.
    await open(bytes).resize(1, 1).raw().toBuffer();
    return await processed(bytes, facts, name, encode, ready);
  } catch (error) {
    throw new MediaError(`the image cannot be decoded: ${(error as Error).message}`, { cause: error });
  }
}

/** WP: types that are not processed have no smaller versions. */
const untouched = (bytes: Buffer, { width, height }: ImageFacts, name: string): ImageFiles => ({
  files: new Map([[name, bytes]]),
  full: name,
  metadata: { width, height, filesize: bytes.length, sizes: {}, ...(width > 0 ? { image_meta: NO_CAMERA_DATA } : {}) },
});

async function processed(
  bytes: Buffer,
  facts: ImageFacts,
  name: string,
  encode: (image: Sharp) => Sharp,
  ready: ReadyVersions,
): Promise<ImageFiles> {
  const plan = planUpload(facts, name);
  const files = new Map([[name, bytes]]);
  const make = async (file: string, key: string, size: Box, source?: SubSize['source']): Promise<number> => {
    const made = files.get(file) ?? (await ready.find(key, size)) ?? (await resized(bytes, size, source, encode));
    files.set(file, made);
    return made.length;
  };
  const filesize = await make(plan.full.file, 'full', plan.full);
  const sizes: Record<string, ImageSize> = {};
  for (const { name: size, file, width, height, source } of plan.sizes) {
    sizes[size] = { file, width, height, 'mime-type': facts.mimeType, filesize: await make(file, size, { width, height }, source) };
  }
  return {
    files,
    full: plan.full.file,
    metadata: {
      width: plan.full.width,
      height: plan.full.height,
      filesize,
      sizes,
      image_meta: ready.imageMeta ?? cameraData(facts),
      ...(plan.originalImage === null ? {} : { original_image: plan.originalImage }),
    },
  };
}

/** WP: a picture that has to be turned gets an upright copy as its full version, unless it gets a reduced one anyway. */
function planUpload(facts: ImageFacts, name: string): ImagePlan {
  const plan = planImage({ ...facts, file: name });
  if (facts.orientation <= 1 || plan.originalImage !== null) return plan;
  return { ...plan, full: { ...plan.full, file: derivedFileName(name, 'rotated') }, originalImage: name };
}

/** WP: once turned, the picture is upright. */
const cameraData = ({ orientation }: ImageFacts): Record<string, unknown> => ({
  ...NO_CAMERA_DATA,
  orientation: orientation > 1 ? 1 : String(orientation),
});

/** Turns, cuts and shrinks an upload. Camera data stays behind, colours become sRGB. */
function resized(bytes: Buffer, size: Box, source: SubSize['source'] | undefined, encode: (image: Sharp) => Sharp): Promise<Buffer> {
  const upright = open(bytes).autoOrient();
  const part = source ? upright.extract({ left: source.x, top: source.y, width: source.width, height: source.height }) : upright;
  return encode(part.resize(size.width, size.height, { fit: 'fill' })).toBuffer();
}

/** Stores files in a folder. Either all of them are there afterwards, or none: what was written goes when another fails. */
export async function storeFiles(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  try {
    for (const [name, bytes] of files) {
      const file = path.join(folder, name);
      await writeFile(file, bytes, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') await rm(file, { force: true });
        throw error;
      });
      written.push(name);
    }
  } catch (error) {
    await removeFiles(folder, written);
    throw error;
  }
}

export async function removeFiles(folder: string, names: Iterable<string>): Promise<void> {
  await Promise.all([...names].map((name) => rm(path.join(folder, name), { force: true })));
}

/** Bytes of a file, or null when there is none. */
export async function readIfFile(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? readFile(file) : null;
}
