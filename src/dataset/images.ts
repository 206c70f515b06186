import { mkdir, copyFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { planImage, type ImagePlan } from '../wp/media-sizes.js';
import type { ImageMetadata, Post } from '../wp/model.js';
import type { DatasetFile } from './dataset.js';

const MIME_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  ics: 'text/calendar',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
};

/** WP: qualities at which smaller versions are saved; other formats have none. */
const QUALITY: Readonly<Record<string, number>> = { '.jpg': 82, '.jpeg': 82, '.webp': 86 };

/** WP: what is known of a picture that carries no camera data. */
const NO_CAMERA_DATA: Readonly<Record<string, unknown>> = {
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

/** Type of a file by its ending, or undefined for kinds that a media library does not take. */
export const mimeTypeOf = (file: string): string | undefined => MIME_TYPES[path.posix.extname(file).slice(1).toLowerCase()];

/** One upload of a dataset: what its attachment says, and the files that belong to it. */
export interface Upload {
  mimeType: string;
  /** Path of the full version below the uploads folder. */
  file: string;
  image: ImageMetadata | null;
  files: DatasetFile[];
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Looks at a file of a dataset's media folder and plans its smaller versions; those that lie beside it are taken as they are.
 * Sizes in bytes of what is still to be made are not known yet: `placeFiles` finds them out.
 * @param folder the media folder
 * @param file path below it, and below the site's uploads
 * @returns the upload, or what is wrong with the file
 */
export async function readUpload(folder: string, file: string): Promise<Upload | string> {
  const mimeType = mimeTypeOf(file);
  if (!mimeType) return `is not of a kind that can be uploaded (${Object.keys(MIME_TYPES).join(', ')})`;
  const source = path.join(folder, file);
  if (!(await exists(source))) return `there is no file ${source}`;
  const original = { source, target: file };
  if (!mimeType.startsWith('image/')) return { mimeType, file, image: null, files: [original] };
  const size = await sharp(source)
    .metadata()
    .catch(() => null);
  if (!size) return `${source} is not a picture that can be read`;
  const plan = planImage({ width: size.width, height: size.height, file: path.posix.basename(file), mimeType });
  return { mimeType, ...planned(plan, file, mimeType), files: [original, ...(await derivedFiles(plan, source, file))] };
}

const beside = (file: string, name: string): string => path.posix.join(path.posix.dirname(file), name);

function planned(plan: ImagePlan, file: string, mimeType: string): Pick<Upload, 'file' | 'image'> {
  const full = beside(file, plan.full.file);
  const sizes = plan.sizes.map(({ name, file: sizeFile, width, height }) => [
    name,
    { file: sizeFile, width, height, 'mime-type': mimeType },
  ]);
  return {
    file: full,
    image: {
      width: plan.full.width,
      height: plan.full.height,
      file: full,
      sizes: Object.fromEntries(sizes),
      image_meta: NO_CAMERA_DATA,
      ...(plan.originalImage === null ? {} : { original_image: plan.originalImage }),
    },
  };
}

async function derivedFiles(plan: ImagePlan, source: string, file: string): Promise<DatasetFile[]> {
  const { width, height } = plan.full;
  const whole = { width, height, source: null };
  const wanted = [...(plan.originalImage === null ? [] : [{ ...whole, file: plan.full.file }]), ...plan.sizes];
  return Promise.all(
    wanted.map(async (size) => {
      const target = beside(file, size.file);
      const ready = path.join(path.dirname(source), size.file);
      if (await exists(ready)) return { source: ready, target };
      return { source, target, resize: { width: size.width, height: size.height, source: size.source } };
    }),
  );
}

async function place({ source, target, resize }: DatasetFile, uploads: string): Promise<number> {
  const destination = path.join(uploads, target);
  await mkdir(path.dirname(destination), { recursive: true });
  if (!resize) {
    await copyFile(source, destination);
    return (await stat(destination)).size;
  }
  const { width, height, source: part } = resize;
  const whole = sharp(source);
  const cut = part ? whole.extract({ left: part.x, top: part.y, width: part.width, height: part.height }) : whole;
  const smaller = cut.resize(width, height, { fit: 'fill' });
  const extension = path.extname(target).toLowerCase();
  const quality = QUALITY[extension];
  const encoded = quality === undefined ? smaller : smaller.toFormat(extension === '.webp' ? 'webp' : 'jpeg', { quality });
  return (await encoded.toFile(destination)).size;
}

/**
 * Copies the files of a dataset to the uploads folder and makes the smaller versions of pictures.
 * @returns size in bytes of each, by path below the uploads folder
 */
export async function placeFiles(files: readonly DatasetFile[], uploads: string): Promise<Map<string, number>> {
  const placed = await Promise.all(
    files.map(async (file): Promise<[string, number][]> => {
      if (file.optional && !(await exists(file.source))) return [];
      return [[file.target, await place(file, uploads)]];
    }),
  );
  return new Map(placed.flat());
}

/** The post with the sizes in bytes of its image files, where it did not know them. */
export function withFileSizes(post: Post, bytes: ReadonlyMap<string, number>): Post {
  const { image } = post;
  if (!image) return post;
  const known = (given: number | undefined, file: string): { filesize?: number } => {
    const filesize = given ?? bytes.get(file);
    return filesize === undefined ? {} : { filesize };
  };
  const sizes = Object.entries(image.sizes).map(([name, size]) => [
    name,
    { ...size, ...known(size.filesize, beside(image.file, size.file)) },
  ]);
  return { ...post, image: { ...image, ...known(image.filesize, image.file), sizes: Object.fromEntries(sizes) } };
}
