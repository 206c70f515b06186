import type { Place } from '../../source.js';
import { columnsOf, type CsvKind, type MappedColumn } from './columns.js';
import type { CsvRecord } from './records.js';
import { readFlag } from './values.js';

export type Tell = (problem: string, at?: Place) => void;

/** Whether a row is as long as the header and of readable text; other rows become problems. */
export function isSound({ cells, line }: CsvRecord, columns: readonly MappedColumn[], problems: Tell, file: string): boolean {
  const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (extra) {
    problems(`has ${cells.length} cells, the header ${columns.length}: a cell with a separator in it has to stand in quotes`, {
      file,
      line,
    });
    return false;
  }
  const garbled = cells.findIndex((cell) => cell.includes('\uFFFD'));
  if (garbled < 0) return true;
  problems('is not UTF-8; save the file as "CSV UTF-8"', { file, line, path: columns[garbled]?.title });
  return false;
}

/** One row by the names of its fields. */
export class Row {
  constructor(
    private readonly kind: CsvKind,
    private readonly columns: readonly MappedColumn[],
    private readonly record: CsvRecord,
    private readonly problems: Tell,
    private readonly file: string,
  ) {}

  private index(field: string): number {
    return this.columns.findIndex((column) => column.field === field);
  }

  text(field: string): string {
    return (this.record.cells[this.index(field)] ?? '').trim();
  }

  /** Text that may have blanks at its ends. */
  raw(field: string): string {
    return this.record.cells[this.index(field)] ?? '';
  }

  /** A text with those of the columns that continue it. */
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

  /** The value of a cell, or undefined with a problem told; `otherwise` for an empty one. */
  read<T>(field: string, read: (text: string) => T | undefined, otherwise: T, what: string): T | undefined {
    const text = this.text(field);
    if (text === '') return otherwise;
    const value = read(text);
    return value === undefined ? this.problem(field, `"${text}" is not ${what}`) : value;
  }

  /** A flag, or undefined with a problem told. */
  flag(field: string, otherwise: boolean): boolean | undefined {
    return this.read(field, readFlag, otherwise, 'yes or no (TRUE, FALSE, 1, 0)');
  }
}
