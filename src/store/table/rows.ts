import type { MirrorContent } from '../mirror.js';
import { IdsColumn, OrderColumn, ValueColumn, type Column, type Range } from './columns.js';
import { isWithin, selectionOf, type Condition, type Selection } from './conditions.js';

/** What a column holds: times and numbers to sort by and to compare, values to compare for equality, or lists of ids. */
export type ColumnKind = 'order' | 'value' | 'ids';

/** The columns of a table by their paths in a document. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

/** Columns of one kind. */
export const columnsOf = (kind: ColumnKind, paths: readonly string[]): ColumnKinds => Object.fromEntries(paths.map((path) => [path, kind]));

const MAKE: Record<ColumnKind, () => Column> = {
  order: () => new OrderColumn(),
  value: () => new ValueColumn(),
  ids: () => new IdsColumn(),
};

/** A query: conditions as in `$match`, an order as in `$sort`, and a page. */
export interface TableQuery {
  conditions: Condition;
  order: Readonly<Record<string, unknown>>;
  offset: number;
  limit: number;
  /** A further condition. */
  only?: (id: number) => boolean;
}

/** The ids of a page of results, and how many results there are. */
export interface TablePage {
  ids: number[];
  total: number;
}

type Document = { _id: number };

const valueAt = (document: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);

/** Estimated memory of a row besides its columns: where to find it, and its place in orders. */
const ROW_BYTES = 60;

/** Bytes of the marks of rows that are kept for the conditions that were asked for last. */
const MAX_MARKS = 4 * 1024 * 1024;

/** Rows in an order. */
class Order {
  private rows: Int32Array;
  length: number;

  constructor(
    private readonly columns: readonly OrderColumn[],
    rows: readonly number[],
  ) {
    this.rows = Int32Array.from(rows).sort((a, b) => this.compare(a, b));
    this.length = rows.length;
  }

  at(position: number): number {
    return this.rows[position];
  }

  add(row: number): void {
    const position = this.firstNotBelow((other) => this.compare(other, row));
    if (this.length === this.rows.length) {
      const rows = new Int32Array(2 * this.length + 8);
      rows.set(this.rows);
      this.rows = rows;
    }
    this.rows.copyWithin(position + 1, position, this.length);
    this.rows[position] = row;
    this.length += 1;
  }

  /** Call it before the values of the row change. */
  remove(row: number): void {
    const position = this.firstNotBelow((other) => this.compare(other, row));
    if (this.rows[position] !== row) throw new Error(`Row ${row} is not in its place.`);
    this.rows.copyWithin(position, position + 1, this.length);
    this.length -= 1;
  }

  /** The positions of rows within bounds of the first column. */
  within({ column: { values }, min, max }: Range): [from: number, to: number] {
    return [this.firstNotBelow((row) => values[row] - min), this.firstNotBelow((row) => (values[row] > max ? 0 : -1))];
  }

  /** The first position whose row compares as 0 or above. */
  private firstNotBelow(compare: (row: number) => number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.rows[middle]) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compare(a: number, b: number): number {
    for (const { values } of this.columns) {
      const difference = values[a] - values[b];
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Columns of many documents, to find those that meet conditions and to count them without the database. */
export class Rows implements MirrorContent<Document> {
  readonly columns: ReadonlyMap<string, Column>;
  private readonly rowOf = new Map<number, number>();
  private readonly ids: OrderColumn;
  private readonly free: number[] = [];
  private capacity = 0;
  private readonly orders = new Map<string, Order>();
  /** Estimated memory. */
  private bytes = 0;
  /** Number of rows whose values were replaced. */
  private replaced = 0;
  /** Whether there was a value that its column cannot hold. */
  private isUnfit = false;
  private readonly marks = new Map<string, Uint8Array>();

  /** @param limit memory, in bytes */
  constructor(
    kinds: ColumnKinds,
    private readonly limit: number,
  ) {
    this.ids = new OrderColumn();
    this.columns = new Map<string, Column>([
      ...Object.entries(kinds).map(([path, kind]) => [path, MAKE[kind]()] as const),
      ['_id', this.ids],
    ]);
  }

  get isTooLarge(): boolean {
    return this.isUnfit || this.bytes > this.limit;
  }

  get isWorn(): boolean {
    return this.replaced > 10_000 + this.rowOf.size;
  }

  remove(id: number): void {
    const row = this.rowOf.get(id);
    if (row === undefined) return;
    this.marks.clear();
    for (const order of this.orders.values()) order.remove(row);
    this.rowOf.delete(id);
    this.free.push(row);
    this.replaced += 1;
  }

  add(document: Document): void {
    this.remove(document._id);
    this.marks.clear();
    const row = this.free.pop() ?? this.rowOf.size;
    if (row >= this.capacity) this.grow();
    this.rowOf.set(document._id, row);
    for (const [path, column] of this.columns) if (!column.set(row, valueAt(document, path))) this.isUnfit = true;
    for (const order of this.orders.values()) order.add(row);
  }

  private grow(): void {
    this.capacity = Math.max(64, 2 * this.capacity);
    for (const column of this.columns.values()) column.grow(this.capacity);
    const columns = [...this.columns.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    this.bytes = columns + this.capacity * ROW_BYTES;
  }

  /** Null if a condition or the order is not one that the columns can tell. */
  find({ conditions, order: wanted, offset, limit, only }: TableQuery): TablePage | null {
    const selection = selectionOf(conditions, this.columns);
    const order = this.orderOf(wanted);
    if (!selection || !order) return null;

    const marks = this.marksOf(selection);
    const ranges = intersected(selection.ranges);
    const bounds = ranges.get(order.first);
    ranges.delete(order.first);
    const others = [...ranges.values()];
    const [from, to] = bounds ? order.rows.within(bounds) : [0, order.rows.length];
    const page: TablePage = { ids: [], total: 0 };
    for (let i = 0; i < to - from; i++) {
      const row = order.rows.at(order.isBackwards ? to - 1 - i : from + i);
      if ((marks && marks[row] === 0) || !isWithinAll(row, others) || only?.(this.ids.values[row]) === false) continue;
      if (page.total >= offset && page.ids.length < limit) page.ids.push(this.ids.values[row]);
      page.total += 1;
    }
    return page;
  }

  /** The marks of the rows that pass filters; null if there are no filters. Those of the latest queries are kept until a row changes. */
  private marksOf({ filters }: Selection): Uint8Array | null {
    if (filters.length === 0) return null;
    const name = filters.map(({ key }) => key).join();
    const known = this.marks.get(name);
    if (known) return known;
    const marks = new Uint8Array(this.capacity).fill(1);
    for (const { keep } of filters) keep(marks);
    if ((this.marks.size + 1) * this.capacity > MAX_MARKS) this.marks.clear();
    this.marks.set(name, marks);
    return marks;
  }

  private orderOf(wanted: TableQuery['order']): { rows: Order; first: OrderColumn; isBackwards: boolean } | null {
    const directions = Object.values(wanted);
    const isBackwards = directions[0] === -1;
    if (!directions.every((direction) => direction === directions[0])) return null;
    const paths = Object.keys(wanted);
    const columns = paths.map((path) => this.columns.get(path));
    if (!columns.every((column) => column instanceof OrderColumn)) return null;
    const key = paths.join();
    const rows = this.orders.get(key) ?? new Order(columns, [...this.rowOf.values()]);
    this.orders.set(key, rows);
    return { rows, first: columns[0], isBackwards };
  }
}

/** The bounds of each column, all of which must hold. */
function intersected(ranges: readonly Range[]): Map<OrderColumn, Range> {
  const byColumn = new Map<OrderColumn, Range>();
  for (const range of ranges) {
    const known = byColumn.get(range.column) ?? range;
    byColumn.set(range.column, { ...range, min: Math.max(range.min, known.min), max: Math.min(range.max, known.max) });
  }
  return byColumn;
}

function isWithinAll(row: number, ranges: readonly Range[]): boolean {
  for (let i = 0; i < ranges.length; i++) if (!isWithin(row, ranges[i])) return false;
  return true;
}
