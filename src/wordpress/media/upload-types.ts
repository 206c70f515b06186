import data from './upload-types.json' with { type: 'json' };
import { IMAGE_TYPES, imageTypeOfBytes } from './types.js';

/** Recognizes content by its first bytes, or those at an offset. */
const SIGNATURES = new Map(
  Object.entries(data.signatures).map(([name, { at, texts }]) => [
    name,
    (bytes: Buffer): boolean => texts.some((text) => bytes.toString('latin1', at, at + text.length) === text),
  ]),
);

const isSigned = (name: string, bytes: Buffer): boolean => SIGNATURES.get(name)?.(bytes) === true;

const isMpegAudio = (bytes: Buffer): boolean =>
  isSigned('id3', bytes) || (bytes[0] === 0xff && (bytes[1] & 0xe0) === 0xe0) || isSigned('ftyp', bytes);

/** Content that browsers or servers would run, under any file name. */
const ACTIVE = /^[\s\uFEFF]*<(?:\?|!doctype|html|head|body|script|svg|iframe|object|embed|style|meta|link|base)|<\?php|<script/i;

/** Text without executable content. */
const isText = (bytes: Buffer): boolean => !bytes.includes(0) && !ACTIVE.test(bytes.toString('utf8'));

const isCalendar = (bytes: Buffer): boolean => isText(bytes) && /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(bytes.toString('utf8', 0, 200));

function isJson(bytes: Buffer): boolean {
  if (!/^\s*[[{]/.test(bytes.toString('utf8', 0, 100))) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Text of no more specific type (PHP: fileinfo). */
const isPlain = (bytes: Buffer): boolean => isText(bytes) && !isCalendar(bytes) && !isSigned('pdf', bytes) && !isJson(bytes);

/** WP: rich text is accepted as plain text, but not as tables and subtitles. */
const isTable = (bytes: Buffer): boolean => isPlain(bytes) && !isSigned('rtf', bytes);

const OTHERS = new Map([
  ['plain', isPlain],
  ['table', isTable],
  ['calendar', isCalendar],
  ['mpegAudio', isMpegAudio],
]);

/** WP: file types that a site accepts by default and whose content can be recognized, besides images. Browsers run none of them. */
const FILE_TYPES = data.types.map(({ content, ...type }) => ({
  ...type,
  matches: OTHERS.get(content) ?? ((bytes: Buffer): boolean => isSigned(content, bytes)),
}));
type FileType = (typeof FILE_TYPES)[number];

const imageOf = (extension: string): string | undefined => Object.keys(IMAGE_TYPES).find((type) => IMAGE_TYPES[type].includes(extension));

const typeOf = (extension: string): FileType | undefined => FILE_TYPES.find(({ extensions }) => extensions.includes(extension));

/** WP: extensions of further accepted file types, whose content is not recognized here; they are harmless inside a name. */
const FURTHER = new Set(data.further.split(' '));

/** Whether an extension inside a name is harmless, because such files are allowed. */
export const isHarmlessInside = (extension: string): boolean => isAllowedExtension(extension) || FURTHER.has(extension.toLowerCase());

/** Whether files with an extension may be uploaded. */
export const isAllowedExtension = (extension: string): boolean =>
  imageOf(extension.toLowerCase()) !== undefined || typeOf(extension.toLowerCase()) !== undefined;

/** WP: unrecognized and zipped content is accepted as any document, audio or video type. */
function passesFor({ mimeType }: FileType, bytes: Buffer): boolean {
  const isUnrecognized = bytes.includes(0) && !FILE_TYPES.some(({ matches }) => matches(bytes));
  return !mimeType.startsWith('text/') && (isSigned('zip', bytes) || isUnrecognized) && !ACTIVE.test(bytes.toString('latin1'));
}

/**
 * The type of an upload by its extension and content; null if it is not allowed.
 * WP: an image with the extension of another image type has the type of its content. Other content must match its extension or be
 * unrecognized.
 * @param extension without dot
 */
export function uploadType(extension: string, bytes: Buffer): string | null {
  const ending = extension.toLowerCase();
  const image = imageTypeOfBytes(bytes);
  if (imageOf(ending) !== undefined) return image ?? null;
  const type = typeOf(ending);
  if (!type || image !== undefined) return null;
  return type.matches(bytes) || passesFor(type, bytes) ? type.mimeType : null;
}

export const ALL_TYPES: readonly string[] = [...Object.keys(IMAGE_TYPES), ...FILE_TYPES.map(({ mimeType }) => mimeType)];
