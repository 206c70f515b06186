import { decoderOf, invalidByte, notUtf8, undecoded } from '../encoding.js';
import { DatasetError } from '../../source.js';

/** An unfolded line. */
export interface ContentLine {
  text: string;
  /** Line number of its start. */
  line: number;
}

/** A folded line: the pieces before decoding, one character for each byte. */
interface Folded {
  pieces: string[];
  line: number;
}

/** RFC 5545, 3.1: joins folded lines. A line that starts with a space or tab continues the previous one; blank lines do not count. */
function* unfolded(text: string): Iterable<Folded> {
  let current: Folded | null = null;
  let line = 0;
  for (const raw of text.split(/\r\n|\n|\r/)) {
    line += 1;
    if (current && /^[ \t]/.test(raw)) {
      current.pieces.push(raw.slice(1));
    } else if (raw.trim() !== '') {
      if (current) yield current;
      current = { pieces: [raw], line };
    }
  }
  if (current) yield current;
}

/** Whether a text is ASCII: the same in all encodings. */
// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

/** The line and column of an invalid byte of a folded line. */
function placeOf({ pieces, line }: Folded, at: number): { line: number; column: number } {
  let [piece, before] = [0, 0];
  while (before + pieces[piece].length <= at) before += pieces[piece++].length;
  const characters = Buffer.from(pieces[piece].slice(0, at - before), 'latin1').toString('utf8').length;
  // The space that folds the line is not part of the piece.
  return { line: line + piece, column: characters + (piece === 0 ? 1 : 2) };
}

/**
 * The unfolded lines of a calendar file. RFC 5545, 3.1: lines are unfolded before they are decoded, since a fold may split a character.
 * @param encoding name of its encoding; absent: UTF-8
 * @throws DatasetError for bytes that the encoding does not have, with the first place
 */
export async function contentLines(bytes: Buffer, name: string, encoding?: string): Promise<ContentLine[]> {
  const decoded = await decoderOf(encoding);
  // No byte of UTF-16 is a line break or a space by itself.
  if (encoding !== undefined && /^utf-?16/i.test(encoding))
    return [...unfolded(decoded(bytes))].map(({ pieces, line }) => ({ text: pieces.join(''), line }));
  const lines: ContentLine[] = [];
  for (const folded of unfolded(bytes.toString('latin1').replace(/^\u00EF\u00BB\u00BF/, ''))) {
    const { pieces, line } = folded;
    const raw = pieces.length === 1 ? pieces[0] : pieces.join('');
    const characters = Buffer.from(raw, 'latin1');
    const at = encoding === undefined ? invalidByte(characters) : -1;
    if (at >= 0) throw new DatasetError(name, [{ ...placeOf(folded, at), message: await notUtf8(characters, at) }]);
    const text = ASCII.test(raw) ? raw : decoded(characters);
    const problem = encoding === undefined ? null : undecoded(text, line, encoding);
    if (problem) throw new DatasetError(name, [problem]);
    lines.push({ text, line });
  }
  return lines;
}
