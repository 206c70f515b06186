import { readFile, realpath, writeFile, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Raw, Sharp } from 'sharp';
import { lookup } from '../../base/values/records.js';
import { removeAccents } from '../formatting/accents.js';
import { MediaError } from './fetch.js';
import { DEFAULT_IMAGE_SIZES, derivedFileName, planImage, type Box, type ImagePlan, type SizeRule, type SubSize } from './sizes.js';
import { IMAGE_TYPES, bmpSize, iconSize, imageTypeOfBytes, imageTypeOfName } from './types.js';
import type { ImageMetadata, ImageSize } from '../model.js';
import { messageOf } from '../../base/values/errors.js';
import { PRIVATE } from '../../base/system/private-folder.js';
import { decodeEntities } from '../formatting/decode-entities.js';
import CAMERA_DATA from './no-camera-data.json' with { type: 'json' };

/** Larger descriptions are not read. */
const MAX_BYTES = 256 * 1024;

/** The part of a text between two others; null if they are not in it. */
function between(text: string, start: string, end: string): string | null {
  const from = text.indexOf(start);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? null : text.slice(from + start.length, to);
}

/** The description of an image in RDF (XMP), as text; null if there is none. */
function descriptionIn(bytes: Buffer): string | null {
  const from = bytes.indexOf('<x:xmpmeta');
  const to = from < 0 ? -1 : bytes.indexOf('</x:xmpmeta>', from);
  return to < 0 || to - from > MAX_BYTES ? null : bytes.toString('utf8', from, to);
}

/**
 * The alternative text that an image contains, `''` if there is none. IPTC: it is in `AltTextAccessibility`, for each language, with
 * `x-default` for all others.
 */
function altTextIn(bytes: Buffer): string {
  const description = descriptionIn(bytes);
  const texts = description && between(description, '<Iptc4xmpCore:AltTextAccessibility>', '</Iptc4xmpCore:AltTextAccessibility>');
  if (!texts) return '';
  const items = [...texts.matchAll(/<rdf:li\b([^<>]*)>([^<]*)<\/rdf:li>/g)];
  const chosen = items.find(([, attributes]) => /xml:lang=["']x-default["']/.test(attributes)) ?? items.at(0);
  return chosen ? decodeEntities(chosen[2]).trim() : '';
}

/** The largest image that is decoded, in pixels. */
export const MAX_PIXELS = 50_000_000;

/** WP: the metadata of a picture without camera data. */
export const NO_CAMERA_DATA: Readonly<Record<string, unknown>> = CAMERA_DATA;

/** Types for which smaller sizes are generated. WP: the qualities. */
const ENCODERS: Readonly<Record<string, (image: Sharp) => Sharp>> = lookup({
  'image/jpeg': (image) => image.jpeg({ quality: 82 }),
  'image/png': (image) => image.png(),
  'image/gif': (image) => image.gif(),
  'image/webp': (image) => image.webp({ quality: 86 }),
  'image/avif': (image) => image.avif({ quality: 82 }),
});

export interface ImageFacts {
  mimeType: string;
  /** After rotation, in pixels; 0 for types whose dimensions WordPress does not determine. */
  width: number;
  height: number;
  /** EXIF orientation: 1 is upright, 0 is unknown. WP: only JPEG files are rotated. */
  orientation: number;
}

/** Versions of an image that need not be generated: by the name of a size, or `full` for the scaled copy. */
export interface ReadyVersions {
  imageMeta?: Record<string, unknown>;
  find: (name: string, size: Box) => Promise<Buffer | null>;
}

/** Files to store in a folder, by name, and the attachment's metadata. */
export interface ImageFiles {
  files: Map<string, Buffer>;
  /** Name of the full version. */
  full: string;
  metadata: Omit<ImageMetadata, 'file'>;
}

const NOTHING_READY: ReadyVersions = { find: () => Promise.resolve(null) };

/** Whether images of a type can be changed. */
export const isEncodable = (mimeType: string): boolean => Object.hasOwn(ENCODERS, mimeType);

/** The bytes of an image of a type for which `isEncodable`. */
export const encoded = (image: Sharp, mimeType: string): Promise<Buffer> => ENCODERS[mimeType](image).toBuffer();

/** Opens an image, rotated as its camera data says. */
export const openUpright = async (bytes: Buffer): Promise<Sharp> => (await open(bytes)).autoOrient();

/** Opens pixels that an image has given. */
export async function openPixels(pixels: Buffer, raw: Raw): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw, limitInputPixels: MAX_PIXELS });
}

/** Opens an image. The library is loaded with the first one: it takes a while, and most runs need none. */
async function open(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
}

/**
 * Reads the properties of an image without decoding it.
 * @throws MediaError if the type may not be uploaded, or the image has too many pixels
 */
export async function inspectImage(bytes: Buffer): Promise<ImageFacts> {
  const mimeType = imageTypeOfBytes(bytes);
  if (mimeType === undefined) throw new MediaError('not an image');
  const found = await sizeOf(bytes, mimeType);
  if (!found) throw new MediaError(`not a valid ${mimeType} file`);
  if (found.width * found.height > MAX_PIXELS) throw new MediaError(`more than ${MAX_PIXELS} pixels`);
  return { mimeType, orientation: 0, ...found };
}

async function sizeOf(bytes: Buffer, mimeType: string): Promise<(Box & { orientation?: number }) | null> {
  if (mimeType === 'image/bmp') return bmpSize(bytes);
  if (mimeType === 'image/x-icon') return iconSize(bytes);
  // WP: does not determine the dimensions of these types. Not every build of the image library could read them either.
  if (!ENCODERS[mimeType]) return { width: 0, height: 0 };
  const image = await open(bytes);
  const found = await image.metadata().catch(() => null);
  if (!found) return null;
  const { width, height, orientation = 0 } = found;
  if (mimeType !== 'image/jpeg') return { width, height };
  return orientation > 4 ? { width: height, height: width, orientation } : { width, height, orientation };
}

/** Splits a file name. The extension is replaced if it does not match the type. */
export function fileNameFor(name: string, mimeType: string): { stem: string; extension: string } {
  const clean = sanitizeFileName(name);
  const dot = clean.lastIndexOf('.');
  const [stem, ending] = dot < 0 ? [clean, ''] : [clean.slice(0, dot), clean.slice(dot + 1)];
  const extension = imageTypeOfName(clean) === mimeType ? ending : IMAGE_TYPES[mimeType][0];
  return { stem: cut(stem, STEM_BYTES) || 'unnamed-file', extension };
}

/** Maximum length of a file name without suffixes and extension. File systems allow 255 bytes in all. */
export const STEM_BYTES = 180;

/** Truncates a text to a number of bytes, without splitting characters. */
export const cut = (text: string, bytes: number): string => {
  let kept = '';
  for (const char of text) {
    if (Buffer.byteLength(kept + char) > bytes) break;
    kept += char;
  }
  return kept;
};

/** Removes characters that are unsafe in file systems, shells and URLs, and accents. Other scripts are preserved (WP `sanitize_file_name`). */
export function sanitizeFileName(name: string): string {
  return removeAccents(name)
    .replaceAll('\0', '')
    .replace(/[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“]/g, '')
    .replace(/[\s\p{Cc}]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[.\-_]+|(?<![.\-_])[.\-_]+$/g, '');
}

/**
 * Generates all files that WordPress stores for an upload: the upload itself, its smaller sizes, and a rotated or scaled copy that
 * becomes the full version.
 * @param name name of the upload, without folder
 * @param sizes what the site has registered
 * @param ready versions that need not be generated
 * @throws MediaError if the image cannot be decoded
 */
export async function makeImageFiles(
  bytes: Buffer,
  facts: ImageFacts,
  name: string,
  sizes: readonly SizeRule[] = DEFAULT_IMAGE_SIZES,
  ready: ReadyVersions = NOTHING_READY,
): Promise<ImageFiles> {
  const encode = ENCODERS[facts.mimeType];
  if (!encode) return untouched(bytes, facts, name);
  try {
    // The header may be valid and the rest not.
    const image = await open(bytes);
    await image.resize(1, 1).raw().toBuffer();
    return await processed(bytes, planUpload(facts, name, sizes), facts, name, encode, ready);
  } catch (error) {
    throw new MediaError(`the image cannot be decoded: ${messageOf(error)}`, { cause: error });
  }
}

/** WP: types that are not processed have no smaller sizes. */
const untouched = (bytes: Buffer, { width, height }: ImageFacts, name: string): ImageFiles => ({
  files: new Map([[name, bytes]]),
  full: name,
  metadata: {
    width,
    height,
    filesize: bytes.length,
    sizes: {},
    ...(width > 0 ? { image_meta: { ...NO_CAMERA_DATA, alt: altTextIn(bytes) } } : {}),
  },
});

/** The files of an upload whose other versions its client makes: the upload itself, neither rotated nor scaled. */
export function uploadItself(bytes: Buffer, facts: ImageFacts, name: string): ImageFiles {
  const { width, height, orientation } = facts;
  const asStored = orientation > 4 ? { width: height, height: width } : { width, height };
  const made = untouched(bytes, { ...facts, ...asStored }, name);
  const { image_meta: found } = made.metadata;
  return found ? { ...made, metadata: { ...made.metadata, image_meta: { ...found, orientation: String(orientation) } } } : made;
}

async function processed(
  bytes: Buffer,
  plan: ImagePlan,
  facts: ImageFacts,
  name: string,
  encode: (image: Sharp) => Sharp,
  ready: ReadyVersions,
): Promise<ImageFiles> {
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
      image_meta: ready.imageMeta ?? { ...cameraData(facts), alt: altTextIn(bytes) },
      ...(plan.originalImage === null ? {} : { original_image: plan.originalImage }),
    },
  };
}

/** WP: the full version of a picture that needs rotation is an upright copy, unless it is a scaled copy anyway. */
function planUpload(facts: ImageFacts, name: string, sizes: readonly SizeRule[]): ImagePlan {
  const plan = planImage({ ...facts, file: name }, sizes);
  if (facts.orientation <= 1 || plan.originalImage !== null) return plan;
  return { ...plan, full: { ...plan.full, file: derivedFileName(name, 'rotated') }, originalImage: name };
}

/** WP: after rotation the orientation is 1. */
const cameraData = ({ orientation }: ImageFacts): Record<string, unknown> => ({
  ...NO_CAMERA_DATA,
  orientation: orientation > 1 ? 1 : String(orientation),
});

/** Rotates, crops and resizes an upload. Removes camera data and converts colors to sRGB. */
async function resized(bytes: Buffer, size: Box, source: SubSize['source'] | undefined, encode: (image: Sharp) => Sharp): Promise<Buffer> {
  const upright = await openUpright(bytes);
  const part = source ? upright.extract({ left: source.x, top: source.y, width: source.width, height: source.height }) : upright;
  return encode(part.resize(size.width, size.height, { fit: 'fill' })).toBuffer();
}

/** Stores files in a folder. If one fails, those that were already written are removed. */
export async function storeFiles(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(folder, PRIVATE);
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

/**
 * The place of a stored file; null for a path that leads out of the uploads folder: attachments of datasets and of shared databases may name any.
 * @param file relative to the uploads folder
 */
export function uploadAt(uploads: string, file: string): string | null {
  const root = path.resolve(uploads);
  const place = path.resolve(root, file);
  return place.startsWith(root + path.sep) && !place.includes('\0') ? place : null;
}

/** The content of a file, or null if it does not exist. */
export async function readIfFile(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? readFile(file) : null;
}

/** The content of a stored file; null if it does not exist, or is outside of the uploads folder, also by a symbolic link. */
export async function readUpload(uploads: string, file: string): Promise<Buffer | null> {
  const place = uploadAt(uploads, file);
  if (place === null) return null;
  const [root, real] = await Promise.all([uploads, place].map((each) => realpath(each).catch(() => null)));
  return root === null || real === null || uploadAt(root, real) === null ? null : readIfFile(real);
}
