import type { SourcePlace } from '../../source.js';
import { csvColumnsOf, type CsvKind, type MappedColumn } from './columns.js';
import { positionOf, type CsvRecord } from './records.js';
import { readFlagText } from './values.js';

/** Where a row comes from. */
interface RowSource {
  /** Receives what is left out. */
  leave: (problem: string, at?: SourcePlace) => void;
  file: string;
  delimiter: string;
}

/** A row, accessed by field name. */
export class Row {
  constructor(
    private readonly kind: CsvKind,
    private readonly columns: readonly MappedColumn[],
    private readonly record: CsvRecord,
    private readonly source: RowSource,
  ) {}

  /** Whether the row can be read. Otherwise reports why. TEC: cells without a title are dropped. */
  isSound(): boolean {
    const { cells, isBroken } = this.record;
    const { length } = this.columns;
    const extra = cells.findIndex((cell, index) => index >= length && cell.trim() !== '');
    const garbled = cells.findIndex((cell) => cell.includes('\uFFFD'));
    const { leave } = this.source;
    if (isBroken) leave('a quote is not closed. Double the quotes in a quoted cell', this.at());
    else if (garbled >= 0) leave('the text is not UTF-8. Save the file as "CSV UTF-8"', this.place(garbled));
    else if (extra >= 0)
      leave(
        `cells without a title: the row has ${cells.length}, the header ${length}. Quote cells that contain the delimiter`,
        this.place(extra),
      );
    return !isBroken && garbled < 0;
  }

  private place(cell: number): SourcePlace {
    const { file, delimiter } = this.source;
    const path = this.columns[cell]?.title;
    return { file, ...positionOf(this.record, delimiter, cell), ...(path ? { path } : {}) };
  }

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

  /** The text of a field, joined with the columns that continue it. */
  joined(field: string): string {
    const further = Object.entries(csvColumnsOf(this.kind)).filter(([, { continues }]) => continues === field);
    return [field, ...further.map(([name]) => name)]
      .map((name) => this.text(name))
      .filter((text) => text !== '')
      .join(' ');
  }

  at(field?: string): SourcePlace {
    const { source, record } = this;
    const index = field === undefined ? -1 : this.index(field);
    if (index >= 0) return this.place(index);
    const path = field && csvColumnsOf(this.kind)[field].title;
    return { file: source.file, line: record.line, ...(path ? { path } : {}) };
  }

  problem(field: string, message: string): undefined {
    this.source.leave(message, this.at(field));
    return undefined;
  }

  /** The value of a cell: `fallback` if it is empty; undefined, with a problem reported, if it is invalid. */
  read<T>(field: string, read: (text: string) => T | undefined, fallback: T, what: string): T | undefined {
    const text = this.text(field);
    if (text === '') return fallback;
    const value = read(text);
    return value === undefined ? this.problem(field, `invalid value "${text}". Use ${what}`) : value;
  }

  /** A flag. One that is invalid is reported, and off. */
  flag(field: string): boolean {
    return this.read(field, readFlagText, false, 'yes or no (TRUE, FALSE, 1, 0)') ?? false;
  }
}
