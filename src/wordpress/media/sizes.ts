/** Dimensions in pixels. In a maximum, 0 means unlimited. */
export interface Box {
  width: number;
  height: number;
}

/** A registered image size: the box to fit into, or to fill if `crop`. */
export interface SizeRule extends Box {
  name: string;
  crop: boolean;
}

/** A file that WordPress generates from an upload. */
export interface SubSize extends Box {
  name: string;
  file: string;
  /** The part of the original to use, in its pixels; all of it unless cropped. */
  source: { x: number; y: number; width: number; height: number };
}

/** The files of an upload: its full version, its smaller sizes, and the name of the original if the full version is a copy. */
export interface ImagePlan {
  full: Box & { file: string };
  sizes: SubSize[];
  originalImage: string | null;
}

/** The sizes with default media settings, in the order in which WordPress makes them. */
export const DEFAULT_IMAGE_SIZES: readonly SizeRule[] = [
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium_large', width: 768, height: 0, crop: false },
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
];

/** The same in the order in which they are registered (WP: sizes that pages need first are made first). */
export const REGISTERED_IMAGE_SIZES: readonly SizeRule[] = [
  'thumbnail',
  'medium',
  'medium_large',
  'large',
  '1536x1536',
  '2048x2048',
].flatMap((name) => DEFAULT_IMAGE_SIZES.filter((size) => size.name === name));

/** The longest side of a full version. WP: larger uploads get a `-scaled` copy. */
export const BIG_IMAGE_THRESHOLD = 2560;

/** PHP: `round` first rounds to 15 significant digits, so 103.49999999999999 (150 / 1100 * 759) becomes 104. */
const roundHalf = (value: number): number => Math.round(Number(value.toPrecision(15)));

const within1 = (a: number, b: number): boolean => Math.abs(a - b) <= 1;

/**
 * Scales an image down to fit into a box (WordPress `wp_constrain_dimensions`). Sides are at least 1. A side that is 1 less than its
 * limit due to rounding is set to the limit.
 */
export function constrainDimensions(image: Box, max: Box): Box {
  if (!max.width && !max.height) return { width: image.width, height: image.height };
  const limitsWidth = max.width > 0 && image.width > 0 && image.width > max.width;
  const limitsHeight = max.height > 0 && image.height > 0 && image.height > max.height;
  const widthRatio = limitsWidth ? max.width / image.width : 1;
  const heightRatio = limitsHeight ? max.height / image.height : 1;
  const smaller = Math.min(widthRatio, heightRatio);
  const larger = Math.max(widthRatio, heightRatio);
  const overflows =
    (max.width > 0 && roundHalf(image.width * larger) > max.width) || (max.height > 0 && roundHalf(image.height * larger) > max.height);
  const ratio = overflows ? smaller : larger;
  const width = Math.max(1, roundHalf(image.width * ratio));
  const height = Math.max(1, roundHalf(image.height * ratio));
  return {
    width: limitsWidth && width === max.width - 1 ? max.width : width,
    height: limitsHeight && height === max.height - 1 ? max.height : height,
  };
}

/**
 * The target size and the source rectangle of a resize, or null if the result would not be smaller
 * (WordPress `image_resize_dimensions`). One pixel of difference on both sides counts as no change.
 */
export function resizeDimensions(image: Box, max: Box, crop: boolean): Omit<SubSize, 'name' | 'file'> | null {
  if (image.width <= 0 || image.height <= 0 || (max.width <= 0 && max.height <= 0)) return null;
  const target = crop ? croppedTarget(image, max) : constrainDimensions(image, max);
  if (within1(target.width, image.width) && within1(target.height, image.height)) return null;
  if (target.width >= image.width && target.height >= image.height) return null;
  return { ...target, source: crop ? centerd(image, target) : { x: 0, y: 0, ...image } };
}

function croppedTarget(image: Box, max: Box): Box {
  const width = Math.min(max.width, image.width);
  const height = Math.min(max.height, image.height);
  return {
    width: width || roundHalf((height * image.width) / image.height),
    height: height || roundHalf((width * image.height) / image.width),
  };
}

function centerd(image: Box, target: Box): SubSize['source'] {
  const ratio = Math.max(target.width / image.width, target.height / image.height);
  const width = roundHalf(target.width / ratio);
  const height = roundHalf(target.height / ratio);
  return { x: Math.floor((image.width - width) / 2), y: Math.floor((image.height - height) / 2), width, height };
}

/** `photo.JPG` with `300x200` becomes `photo-300x200.jpg`. The extension becomes lower-case. */
export function derivedFileName(file: string, suffix: string): string {
  const dot = file.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [file, ''] : [file.slice(0, dot), file.slice(dot).toLowerCase()];
  return `${stem}-${suffix}${extension}`;
}

/**
 * Plans the files that WordPress generates for an uploaded image. All sizes are generated from the upload itself, even if the full
 * version is a `-scaled` copy. WP: PNG files are never scaled.
 */
export function planImage(
  upload: Box & { file: string; mimeType: string },
  sizes: readonly SizeRule[] = DEFAULT_IMAGE_SIZES,
  threshold = BIG_IMAGE_THRESHOLD,
): ImagePlan {
  const image: Box = { width: upload.width, height: upload.height };
  const tooBig = upload.mimeType !== 'image/png' && threshold > 0 && Math.max(image.width, image.height) > threshold;
  const scaled = tooBig ? resizeDimensions(image, { width: threshold, height: threshold }, false) : null;
  return {
    full: scaled
      ? { width: scaled.width, height: scaled.height, file: derivedFileName(upload.file, 'scaled') }
      : { ...image, file: upload.file },
    sizes: sizes.flatMap((size) => subSize(image, size, upload.file)),
    originalImage: scaled ? upload.file : null,
  };
}

function subSize(image: Box, size: SizeRule, file: string): SubSize[] {
  const resized = resizeDimensions(image, size, size.crop);
  if (!resized) return [];
  return [{ name: size.name, file: derivedFileName(file, `${resized.width}x${resized.height}`), ...resized }];
}
