import { IMAGE_TYPES, imageTypeOfBytes } from './types.js';

/** An allowed file type other than images. */
interface FileType {
  mimeType: string;
  extensions: readonly string[];
  /** Whether the content has this type. */
  matches: (bytes: Buffer) => boolean;
}

const startsWith =
  (...starts: string[]) =>
  (bytes: Buffer): boolean =>
    starts.some((start) => bytes.toString('latin1', 0, start.length) === start);

const at =
  (offset: number, ...texts: string[]) =>
  (bytes: Buffer): boolean =>
    texts.some((text) => bytes.toString('latin1', offset, offset + text.length) === text);

const isMp3 = (bytes: Buffer): boolean => startsWith('ID3')(bytes) || (bytes[0] === 0xff && (bytes[1] & 0xe0) === 0xe0);

const isOffice = startsWith('\xd0\xcf\x11\xe0');
const isPdf = startsWith('%PDF-');
const isRichText = startsWith('{\\rtf');
const isZip = startsWith('PK\x03\x04', 'PK\x05\x06');
const isOgg = startsWith('OggS');
const isMatroska = startsWith('\x1a\x45\xdf\xa3');
const isAsf = startsWith('\x30\x26\xb2\x75');
const isFtyp = at(4, 'ftyp', 'moov', 'mdat', 'wide', 'free');

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
const isPlain = (bytes: Buffer): boolean => isText(bytes) && !isCalendar(bytes) && !isPdf(bytes) && !isJson(bytes);

/** WP: rich text is accepted as plain text, but not as tables and subtitles. */
const isTable = (bytes: Buffer): boolean => isPlain(bytes) && !isRichText(bytes);

const OPEN = 'application/vnd.oasis.opendocument.';
const OOXML = 'application/vnd.openxmlformats-officedocument.';

/** WP: file types that a site accepts by default and whose content can be recognized. Browsers run none of them. */
const FILE_TYPES: readonly FileType[] = [
  { mimeType: 'text/plain', extensions: ['txt', 'asc', 'c', 'cc', 'h', 'srt'], matches: isPlain },
  { mimeType: 'text/csv', extensions: ['csv'], matches: isTable },
  { mimeType: 'text/vtt', extensions: ['vtt'], matches: isTable },
  { mimeType: 'text/calendar', extensions: ['ics'], matches: isCalendar },
  { mimeType: 'application/pdf', extensions: ['pdf'], matches: isPdf },
  { mimeType: 'application/rtf', extensions: ['rtf'], matches: isRichText },
  { mimeType: 'application/zip', extensions: ['zip'], matches: isZip },
  { mimeType: 'application/x-gzip', extensions: ['gz', 'gzip'], matches: startsWith('\x1f\x8b') },
  { mimeType: 'application/rar', extensions: ['rar'], matches: startsWith('Rar!') },
  { mimeType: 'application/x-7z-compressed', extensions: ['7z'], matches: startsWith('7z\xbc\xaf\x27\x1c') },
  { mimeType: 'application/x-tar', extensions: ['tar'], matches: at(257, 'ustar') },
  { mimeType: 'application/msword', extensions: ['doc'], matches: isOffice },
  { mimeType: 'application/vnd.ms-powerpoint', extensions: ['pot', 'pps', 'ppt'], matches: isOffice },
  { mimeType: 'application/vnd.ms-excel', extensions: ['xla', 'xls', 'xlt', 'xlw'], matches: isOffice },
  { mimeType: `${OOXML}wordprocessingml.document`, extensions: ['docx'], matches: isZip },
  { mimeType: `${OOXML}spreadsheetml.sheet`, extensions: ['xlsx'], matches: isZip },
  { mimeType: `${OOXML}presentationml.presentation`, extensions: ['pptx'], matches: isZip },
  { mimeType: `${OPEN}text`, extensions: ['odt'], matches: isZip },
  { mimeType: `${OPEN}spreadsheet`, extensions: ['ods'], matches: isZip },
  { mimeType: `${OPEN}presentation`, extensions: ['odp'], matches: isZip },
  { mimeType: 'audio/mpeg', extensions: ['mp3', 'm4a', 'm4b'], matches: (bytes) => isMp3(bytes) || isFtyp(bytes) },
  { mimeType: 'audio/wav', extensions: ['wav', 'x-wav'], matches: at(8, 'WAVE') },
  { mimeType: 'audio/ogg', extensions: ['ogg', 'oga'], matches: isOgg },
  { mimeType: 'audio/flac', extensions: ['flac'], matches: startsWith('fLaC') },
  { mimeType: 'audio/midi', extensions: ['mid', 'midi'], matches: startsWith('MThd') },
  { mimeType: 'video/mp4', extensions: ['mp4', 'm4v'], matches: isFtyp },
  { mimeType: 'video/quicktime', extensions: ['mov', 'qt'], matches: isFtyp },
  { mimeType: 'video/mpeg', extensions: ['mpeg', 'mpg', 'mpe'], matches: startsWith('\0\0\x01\xba', '\0\0\x01\xb3') },
  { mimeType: 'video/webm', extensions: ['webm'], matches: isMatroska },
  { mimeType: 'video/x-matroska', extensions: ['mkv'], matches: isMatroska },
  { mimeType: 'video/ogg', extensions: ['ogv'], matches: isOgg },
  { mimeType: 'video/avi', extensions: ['avi'], matches: at(8, 'AVI ') },
  { mimeType: 'video/x-ms-asf', extensions: ['asf', 'asx'], matches: isAsf },
  { mimeType: 'video/x-ms-wmv', extensions: ['wmv'], matches: isAsf },
  { mimeType: 'video/3gpp', extensions: ['3gp', '3gpp'], matches: isFtyp },
];

const imageOf = (extension: string): string | undefined => Object.keys(IMAGE_TYPES).find((type) => IMAGE_TYPES[type].includes(extension));

const typeOf = (extension: string): FileType | undefined => FILE_TYPES.find(({ extensions }) => extensions.includes(extension));

/** WP: extensions of further accepted file types, whose content is not recognized here; they are harmless inside a name. */
const FURTHER = new Set(
  'css dfxp rtx wma wax aac ra ram mka flv divx wm wmx 3g2 3gp2 mdb mpp psd xcf odg odc odb odf wp wpd key pages xps oxps dotx dotm docm xlsm xlsb xltx xltm xlam pptm ppsx ppsm potx potm ppam sldx sldm'.split(
    ' ',
  ),
);

/** Whether an extension inside a name is harmless, because such files are allowed. */
export const isHarmlessInside = (extension: string): boolean => isAllowedExtension(extension) || FURTHER.has(extension.toLowerCase());

/** Whether files with an extension may be uploaded. */
export const isAllowedExtension = (extension: string): boolean =>
  imageOf(extension.toLowerCase()) !== undefined || typeOf(extension.toLowerCase()) !== undefined;

/** WP: unrecognized and zipped content is accepted as any document, audio or video type. */
function passesFor({ mimeType }: FileType, bytes: Buffer): boolean {
  const isUnrecognized = bytes.includes(0) && !FILE_TYPES.some(({ matches }) => matches(bytes));
  return !mimeType.startsWith('text/') && (isZip(bytes) || isUnrecognized) && !ACTIVE.test(bytes.toString('latin1'));
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
