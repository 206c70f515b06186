import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { chunksOf } from '../../base/system/streams.js';
import { didYouMean } from '../../base/text/suggest.js';
import { lookup } from '../../base/values/records.js';
import type { LocatedProblem } from '../source.js';

/** Encodings of text files: UTF-8, or what the bytes, the file or the user say. */

// Hardly any file needs them.
const loadIconv = async () => (await import('iconv-lite')).default;
const loadChardet = async () => (await import('chardet')).default;

export interface TextFile {
  file: string;
  /** Its encoding, by a name that iconv-lite knows; absent: UTF-8. */
  encoding?: string;
}

const BYTE_ORDER_MARKS: readonly (readonly [bytes: string, encoding: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** XML 1.0, 4.3.3. */
const DECLARATION = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;

/** The encoding of a text that starts with two characters of ASCII. */
function byZeroBytes([first, second, third, fourth]: Buffer): string | undefined {
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined;
}

/** The encoding that the start of a file tells: by a byte order mark, by zero bytes, or in the declaration of XML. */
export function statedEncoding(start: Buffer): string | undefined {
  const hex = start.toString('hex', 0, 3);
  const encoding = BYTE_ORDER_MARKS.find(([bytes]) => hex.startsWith(bytes))?.[1] ?? byZeroBytes(start);
  if (encoding !== undefined) return encoding;
  const declared = DECLARATION.exec(start.toString('latin1'))?.[1];
  // Text that can be read as ASCII is not UTF-16.
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared;
}

const OFFERED = ['utf-8', 'utf-16le', 'windows-1250', 'windows-1251', 'windows-1252', 'iso-8859-15', 'macroman', 'shift_jis', 'gb18030'];

/** Problem with the name of an encoding. @returns null if it is known */
export const encodingProblem = async (name: string): Promise<string | null> =>
  (await loadIconv()).encodingExists(name)
    ? null
    : `there is no encoding ${JSON.stringify(name)}${didYouMean(name, OFFERED) || `. Use a name such as ${OFFERED.join(', ')}`}`;

const isUtf8Name = (name: string): boolean => /^utf-?8$/i.test(name);

/** Names in whose place another encoding is meant (WHATWG Encoding, 4.2), as they are without signs. */
const MEANT: Readonly<Record<string, string>> = lookup({
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
  ascii: 'windows-1252',
  usascii: 'windows-1252',
  iso88599: 'windows-1254',
});

const meant = (name: string): string => MEANT[name.toLowerCase().replace(/[^a-z0-9]/g, '')] ?? name;

export const encoded = (file: string, encoding: string | undefined): TextFile =>
  encoding === undefined || isUtf8Name(encoding) ? { file } : { file, encoding: meant(encoding) };

/** Decodes bytes, without byte order mark. What they cannot mean becomes U+FFFD. */
export async function decoderOf(encoding: string | undefined): Promise<(bytes: Buffer) => string> {
  if (encoding === undefined) return (bytes) => bytes.toString('utf8').replace(/^\uFEFF/, '');
  const iconv = await loadIconv();
  return (bytes) => iconv.decode(bytes, encoding);
}

/** The text of bytes, without byte order mark. */
export const decode = async (bytes: Buffer, encoding: string | undefined): Promise<string> => (await decoderOf(encoding))(bytes);

/** The whole text of a file, without byte order mark. */
export const readText = async ({ file, encoding }: TextFile): Promise<string> => decode(await readFile(file), encoding);

/**
 * Yields the bytes of a file in UTF-8.
 * @param range byte offsets, for files that are UTF-8; the end is inclusive
 */
export async function* readUtf8(
  { file, encoding }: TextFile,
  { signal, ...range }: { start?: number; end?: number; highWaterMark?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer> {
  const bytes = chunksOf(createReadStream(file, { ...range, ...(signal ? { signal } : {}) }));
  if (encoding === undefined) return yield* bytes;
  const decoder = (await loadIconv()).getDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.write(chunk));
  yield Buffer.from(decoder.end() ?? '');
}

/** The words that have other characters than ASCII: names of fields and tags look like English. */
const foreignWords = (bytes: Buffer): Buffer => {
  const words = bytes.toString('latin1').split(/[\s"',;:<>{}]+/);
  // eslint-disable-next-line no-control-regex
  return Buffer.from(words.filter((word) => /[^\x00-\x7f]/.test(word)).join(' '), 'latin1');
};

/** Lead that a guess needs, of 300, to be likelier than the commonest encoding. */
const LIKELIEST = 20;

async function probableEncoding(bytes: Buffer): Promise<string> {
  const [chardet, iconv] = await Promise.all([loadChardet(), loadIconv()]);
  const scores = new Map([['windows-1252', LIKELIEST]]);
  const score = (sample: Buffer, weight: number): void => {
    for (const { name: guess, confidence } of chardet.analyse(sample)) {
      const name = isUtf8Name(guess) ? 'windows-1252' : meant(guess);
      scores.set(name, (scores.get(name) ?? 0) + weight * confidence);
    }
  };
  score(bytes, 1);
  score(foreignWords(bytes), 2);
  const [[name]] = [...scores].toSorted(([, a], [, b]) => b - a);
  return iconv.encodingExists(name) ? name.toLowerCase() : 'windows-1252';
}

const REPLACEMENT = '\uFFFD';

/** Bytes from which an encoding is guessed. */
const SAMPLE = 65_536;

/** The index of the first byte that is not UTF-8; -1 if all are. */
export function invalidByte(bytes: Buffer): number {
  if (isUtf8(bytes)) return -1;
  const text = bytes.toString('utf8');
  let [at, from] = [0, 0];
  for (let index = text.indexOf(REPLACEMENT); index >= 0; index = text.indexOf(REPLACEMENT, from)) {
    at += Buffer.byteLength(text.slice(from, index));
    // The character itself is valid.
    if (bytes.toString('hex', at, at + 3) !== 'efbfbd') return at;
    [at, from] = [at + 3, index + 1];
  }
  return -1;
}

/** Describes a byte that is not UTF-8, and what to do. @param at its index */
export async function notUtf8(bytes: Buffer, at: number): Promise<string> {
  const byte = bytes[at].toString(16).toUpperCase().padStart(2, '0');
  const start = Math.max(0, bytes.lastIndexOf(10, at));
  const probable = await probableEncoding(bytes.subarray(start, start + SAMPLE));
  return `the byte 0x${byte} is not UTF-8; the file is probably ${probable}. Save it as UTF-8, or add --encoding ${probable}`;
}

/** Describes the first byte that is not UTF-8. @param bytes which have one @param firstLine number of their first line */
async function invalidBytes(bytes: Buffer, firstLine: number): Promise<LocatedProblem> {
  const at = invalidByte(bytes);
  const before = bytes.subarray(0, at);
  const column = before.toString('utf8', before.lastIndexOf(10) + 1).length + 1;
  return { line: firstLine + countLines(before), column, message: await notUtf8(bytes, at) };
}

const countLines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
};

/** Where a text has characters that could not be decoded. */
export function undecoded(text: string, firstLine: number, encoding: string): LocatedProblem | null {
  const at = text.indexOf(REPLACEMENT);
  if (at < 0) return null;
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return {
    line: firstLine + before.length - 1,
    column,
    message: `a character that ${encoding} does not have; the file has another encoding`,
  };
}

/** Finds the first bytes of a file that its encoding does not have. Reads all of it, in pieces that end with a line. */
export async function encodingProblemOf({ file, encoding }: TextFile, signal?: AbortSignal): Promise<LocatedProblem | null> {
  const problemIn = async (bytes: Buffer, line: number): Promise<LocatedProblem | null> => {
    if (encoding !== undefined) return undecoded(bytes.toString('utf8'), line, encoding);
    return isUtf8(bytes) ? null : invalidBytes(bytes, line);
  };
  let pieces: Buffer[] = [];
  let line = 1;
  for await (const chunk of readUtf8(encoded(file, encoding), { highWaterMark: 1 << 20, signal })) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) {
      const first = chunk.indexOf(10) + 1;
      // Copies only the line that began in an earlier piece.
      for (const bytes of [Buffer.concat([...pieces, chunk.subarray(0, first)]), chunk.subarray(first, end)]) {
        const problem = await problemIn(bytes, line);
        if (problem) return problem;
        line += countLines(bytes);
      }
      pieces = [];
    }
    if (end < chunk.length) pieces.push(chunk.subarray(end));
  }
  return problemIn(Buffer.concat(pieces), line);
}
