import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { DatasetError, type LocatedProblem } from '../../problems.js';
import { readUtf8, type TextFile } from '../encoding.js';

/** Splits a file into rows of cells. */

export interface CsvRecord {
  cells: string[];
  /** Line on which the row starts. */
  line: number;
  /** The row as it is in the file. */
  raw: string;
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

/** Detects the delimiter: the most frequent candidate in the first line, outside quotes. */
export function delimiterOf(head: string): string {
  const bare = head.replace(/"(?:[^"]|"")*"/g, '');
  const first = bare.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  const counts = DELIMITERS.map((sign) => first.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

interface Parsed {
  record: string[];
  info: { lines: number };
  raw: string;
}

/** Yields the rows of a file. @throws CsvError */
export async function* records(file: TextFile, delimiter: string, signal?: AbortSignal): AsyncIterable<CsvRecord> {
  const parser = parse({ bom: true, delimiter, info: true, raw: true, relax_column_count: true, skip_empty_lines: true });
  const input = Readable.from(readUtf8(file, { signal }), { objectMode: false });
  input.on('error', (error) => parser.destroy(error));
  let end = 0;
  for await (const { record, info, raw } of input.pipe(parser) as AsyncIterable<Parsed>) {
    const inner = record.join('').split('\n').length - 1;
    const line = Math.max(end + 1, info.lines - inner);
    end = info.lines;
    if (record.some((cell) => cell.trim() !== '')) yield { cells: record, line, raw };
  }
}

const FIX_QUOTES = 'quote cells that contain quotes, delimiters or line breaks, and double the quotes in them';

/** Describes a syntax error, with the line of the row. */
export function formProblem(error: CsvError): LocatedProblem {
  const { lines } = error as CsvError & { lines?: number };
  return { line: lines, message: `${error.message.replace(/\s+/g, ' ')}. Hint: ${FIX_QUOTES}` };
}

/** The titles of the columns. @throws DatasetError */
export async function columnNamesOf(file: TextFile, name: string, delimiter: string): Promise<string[]> {
  try {
    for await (const { cells } of records(file, delimiter)) return cells.map((cell) => cell.trim());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DatasetError(name, [formProblem(error)]);
  }
  throw new DatasetError(name, ['the file is empty. The first line must contain the column titles']);
}
