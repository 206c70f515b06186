import { lookup } from '../../base/values/records.js';
import types from './types.json' with { type: 'json' };

/** WP: allowed image types and their extensions. The first extension is the default. */
export const IMAGE_TYPES: Readonly<Record<string, readonly string[]>> = lookup(types.extensions);

/** Type of an image by its file extension, in any case; undefined when such files may not be uploaded. */
export function imageTypeOfName(name: string): string | undefined {
  const ending = /\.([^./]+)$/.exec(name)?.[1].toLowerCase() ?? '';
  return Object.keys(IMAGE_TYPES).find((type) => IMAGE_TYPES[type].includes(ending));
}

/** Major brands of the ISO base media file format of images. */
const BRANDS: Readonly<Record<string, string>> = lookup(types.brands);

/** The first bytes of a file, as Latin-1. */
const SIGNATURES: readonly (readonly [start: string, type: string])[] = [
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['BM', 'image/bmp'],
  ['\0\0\x01\0', 'image/x-icon'],
];

/** The image type of a file by its first bytes; undefined for other types. */
export function imageTypeOfBytes(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 64);
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  const signed = SIGNATURES.find(([start]) => head.startsWith(start))?.[1];
  if (signed !== undefined || head.slice(4, 8) !== 'ftyp') return signed;
  // Some encoders write the generic brand as major brand, and AVIF as a compatible brand.
  const length = Math.min(bytes.readUInt32BE(0), head.length);
  return BRANDS[head.slice(8, 12) === 'mif1' && head.slice(16, length).includes('avif') ? 'avif' : head.slice(8, 12)];
}

interface Dimensions {
  width: number;
  height: number;
}

const BMP_HEADERS = new Set([12, 40, 52, 56, 64, 108, 124]);

/** Dimensions of a Windows bitmap, or null if the header is invalid. A negative height means top-down order. */
export function bmpSize(bytes: Buffer): Dimensions | null {
  if (bytes.length < 30 || !BMP_HEADERS.has(bytes.readUInt32LE(14))) return null;
  const isOld = bytes.readUInt32LE(14) === 12;
  const width = isOld ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const height = isOld ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  return width > 0 && height > 0 ? { width, height } : null;
}

const ICON_ENTRY = 16;

/** Dimensions of an icon file, or null if it is invalid. PHP: the dimensions of the last icon with the highest color depth. A side of 0 means 256. */
export function iconSize(bytes: Buffer): Dimensions | null {
  const count = bytes.length < 6 ? 0 : bytes.readUInt16LE(4);
  if (count === 0 || bytes.length < 6 + count * ICON_ENTRY) return null;
  const entries = Array.from({ length: count }, (_, index) => bytes.subarray(6 + index * ICON_ENTRY));
  const isWhole = (entry: Buffer): boolean => entry.readUInt32LE(8) > 0 && entry.readUInt32LE(12) + entry.readUInt32LE(8) <= bytes.length;
  if (!entries.every(isWhole)) return null;
  const best = entries.reduce((chosen, entry) => (entry.readUInt16LE(6) >= chosen.readUInt16LE(6) ? entry : chosen));
  return { width: best[0] || 256, height: best[1] || 256 };
}
