import type { Place } from '../../source.js';
import { columnsOf, type CsvKind, type MappedColumn } from './columns.js';
import type { CsvRecord } from './records.js';
import { readFlag } from './values.js';

export type ReportProblem = (problem: string, at?: Place) => void;

/** Whether a row has no more cells than the header and is valid UTF-8. Otherwise reports a problem. */
export function isSound({ cells, line }: CsvRecord, columns: readonly MappedColumn[], problems: ReportProblem, file: string): boolean {
  const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (extra) {
    problems(`the row has ${cells.length} cells, the header ${columns.length}. Quote cells that contain the delimiter`, {
      file,
      line,
    });
    return false;
  }
  const garbled = cells.findIndex((cell) => cell.includes('\uFFFD'));
  if (garbled < 0) return true;
  problems('the text is not UTF-8. Save the file as "CSV UTF-8"', { file, line, path: columns[garbled]?.title });
  return false;
}

/** A row, accessed by field name. */
export class Row {
  constructor(
    private readonly kind: CsvKind,
    private readonly columns: readonly MappedColumn[],
    private readonly record: CsvRecord,
    private readonly problems: ReportProblem,
    private readonly file: string,
  ) {}

  private index(field: string): number {
    return this.columns.findIndex((column) => column.field === field);
  }

  text(field: string): string {
    return (this.record.cells[this.index(field)] ?? '').trim();
  }

  /** The untrimmed text of a field. */
  raw(field: string): string {
    return this.record.cells[this.index(field)] ?? '';
  }

  /** The text of a field, joined with that of the columns that continue it. */
  joined(field: string): string {
    const further = Object.entries(columnsOf(this.kind)).filter(([, { continues }]) => continues === field);
    return [field, ...further.map(([name]) => name)]
      .map((name) => this.text(name))
      .filter((text) => text !== '')
      .join(' ');
  }

  at(field?: string): Place {
    const title = field && (this.columns[this.index(field)]?.title ?? columnsOf(this.kind)[field].title);
    return { file: this.file, line: this.record.line, ...(title ? { path: title } : {}) };
  }

  problem(field: string, message: string): undefined {
    this.problems(message, this.at(field));
    return undefined;
  }

  /** The value of a cell: `fallback` if it is empty; undefined, with a problem reported, if it is invalid. */
  read<T>(field: string, read: (text: string) => T | undefined, fallback: T, what: string): T | undefined {
    const text = this.text(field);
    if (text === '') return fallback;
    const value = read(text);
    return value === undefined ? this.problem(field, `invalid value "${text}". Use ${what}`) : value;
  }

  /** A flag; undefined, with a problem reported, if it is invalid. */
  flag(field: string, fallback: boolean): boolean | undefined {
    return this.read(field, readFlag, fallback, 'yes or no (TRUE, FALSE, 1, 0)');
  }
}
