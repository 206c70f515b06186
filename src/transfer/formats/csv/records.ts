import { StringDecoder } from 'node:string_decoder';
import { DatasetError } from '../../source.js';
import { readUtf8, type TextFile } from '../encoding.js';

/** Splits a file into rows of cells. */

export interface CsvRecord {
  cells: string[];
  /** Line on which the row starts. */
  line: number;
  /** The row as it is in the file. */
  raw: string;
  /** Whether the end of a quoted cell is missing: the cells are those of several rows. */
  isBroken: boolean;
}

/** Line and column (from 1) of a cell. */
export function positionOf({ raw, line }: CsvRecord, delimiter: string, cell: number): { line: number; column: number } {
  // The raw text of a row includes blank lines before it.
  const start = /^\s*?(?=[^\r\n])/.exec(raw)?.[0].length ?? 0;
  let offset = start;
  for (let passed = 0, isQuoted = false; passed < cell && offset < raw.length; offset += 1) {
    if (raw[offset] === '"') isQuoted = !isQuoted;
    else if (raw[offset] === delimiter && !isQuoted) passed += 1;
  }
  const lines = raw.slice(start, offset).split('\n');
  return { line: line + lines.length - 1, column: (lines.at(-1) ?? '').length + 1 };
}

const HEAD = 65_536;

export async function headOf(file: TextFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readUtf8(file, { end: HEAD })) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Spreadsheets: a first line that only names the delimiter. */
const STATED = /^"?sep=(.)"?\s*$/i;

/** Detects the delimiter: the most frequent candidate in the first line that has one, outside quotes. */
export function delimiterOf(head: string): string {
  const bare = head.replace(/"(?:[^"]|"")*"/g, '');
  const lines = bare.split(/\r?\n|\r/);
  const stated = STATED.exec(lines[0])?.[1];
  if (stated !== undefined) return stated;
  const first = lines.find((line) => DELIMITERS.some((sign) => line.includes(sign))) ?? '';
  const counts = DELIMITERS.map((sign) => first.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

interface Row {
  cells: string[];
  end: number;
  /** Whether the end of a quoted cell is missing, as far as the text goes. */
  isOpen: boolean;
  /** Whether a quoted cell has several lines, and text after its end. */
  isBroken: boolean;
}

/** The row at a position of a text. PHP: a cell that begins with a quote ends at the next single one; other quotes are text. */
function rowAt(text: string, from: number, delimiter: string, plain: RegExp): Row {
  const cells: string[] = [];
  let [at, isOpen, isBroken] = [from, false, false];
  for (;;) {
    let cell = '';
    const quote = /[ \t]*"/y;
    quote.lastIndex = at;
    const isQuoted = delimiter !== '"' && quote.test(text);
    if (isQuoted) {
      at = quote.lastIndex;
      for (let end = text.indexOf('"', at); ; end = text.indexOf('"', at)) {
        isOpen = end < 0;
        cell += text.slice(at, isOpen ? undefined : end);
        at = isOpen ? text.length : end + 1;
        if (isOpen || text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    }
    plain.lastIndex = at;
    const [rest] = plain.exec(text) ?? [''];
    isBroken ||= isQuoted && cell.includes('\n') && rest.trim() !== '';
    cells.push(isQuoted && rest.trim() === '' ? cell : cell + rest);
    at += rest.length;
    if (!text.startsWith(delimiter, at)) break;
    at += delimiter.length;
  }
  const [lineEnd] = /^(?:\r\n|\r|\n)?/.exec(text.slice(at, at + 2)) ?? [''];
  return { cells, end: at + lineEnd.length, isOpen, isBroken };
}

const countLines = (text: string): number => text.split('\n').length - 1;

/** Yields the rows of a file, without empty ones. A row whose quotes are not closed is broken, and the others are read. */
export async function* records(file: TextFile, delimiter: string, signal?: AbortSignal): AsyncIterable<CsvRecord> {
  const decoder = new StringDecoder('utf8');
  const plain = new RegExp(`(?:(?!${delimiter.replace(/[^\w\s]/g, '\\$&')})[^\r\n])*`, 'y');
  let [text, line, wanted] = ['', 1, 0];
  function* rows(isLast: boolean): Iterable<CsvRecord> {
    let at = 0;
    while (at < text.length) {
      const row = rowAt(text, at, delimiter, plain);
      // More may follow, such as the second sign of a line break.
      if (!isLast && (row.isOpen || row.end >= text.length - 1)) break;
      const isBroken = row.isOpen || row.isBroken;
      const lineEnd = text.indexOf('\n', at);
      const end = isBroken && lineEnd >= 0 ? lineEnd + 1 : row.end;
      const raw = text.slice(at, end);
      if (row.cells.some((cell) => cell.trim() !== '')) yield { cells: row.cells, line, raw, isBroken };
      line += countLines(raw);
      at = end;
    }
    text = text.slice(at);
    wanted = text.length * 2;
  }
  for await (const chunk of readUtf8(file, { signal })) {
    text += decoder.write(chunk);
    if (line === 1) text = text.replace(/^\uFEFF/, '');
    if (text.length >= wanted) yield* rows(false);
  }
  text += decoder.end();
  yield* rows(true);
}

/** How many rows may be above the titles. */
const MAX_ABOVE = 20;

/** The first rows of a file, without blanks around their cells. @throws DatasetError for a file without rows */
export async function firstRows(file: TextFile, name: string, delimiter: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { cells } of records(file, delimiter)) {
    rows.push(cells.map((cell) => cell.trim()));
    if (rows.length > MAX_ABOVE) break;
  }
  if (rows.length === 0) throw new DatasetError(name, ['the file is empty. The first line must contain the column titles']);
  return rows;
}
