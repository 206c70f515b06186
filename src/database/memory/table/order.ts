import { firstOf, grown, type OrderColumn } from './columns.js';

/** Rows in a new chunk; with twice as many it is split. */
const CHUNK = 512;

/** Bounds of a column as codes: from the first one up to but not including the second one. */
export interface Bounds {
  column: OrderColumn;
  from: number;
  to: number;
}

/** Consecutive rows of an order. */
class Chunk {
  /** The rows with the lowest and the highest value of some columns. */
  private readonly extremes = new Map<OrderColumn, [lowest: number, highest: number]>();

  constructor(public rows: Int32Array) {}

  insert(row: number, position: number): void {
    this.rows = grown(this.rows, this.rows.length + 1).copyWithin(position + 1, position);
    this.rows[position] = row;
    this.extremes.clear();
  }

  delete(position: number): void {
    this.rows.copyWithin(position, position + 1);
    this.rows = this.rows.slice(0, -1);
    this.extremes.clear();
  }

  /** How many of its rows are within bounds; some: that may be any number. */
  overlap(bounds: readonly Bounds[]): 'all' | 'some' | 'none' {
    let areAll = true;
    for (const { column, from, to } of bounds) {
      const [lowest, highest] = this.extremesOf(column);
      const { codes } = column;
      if (codes[highest] < from || codes[lowest] >= to) return 'none';
      areAll &&= codes[lowest] >= from && codes[highest] < to;
    }
    return areAll ? 'all' : 'some';
  }

  private extremesOf(column: OrderColumn): [lowest: number, highest: number] {
    const known = this.extremes.get(column);
    if (known) return known;
    const { codes } = column;
    let [lowest, highest] = [this.rows[0], this.rows[0]];
    for (const row of this.rows) {
      if (codes[row] < codes[lowest]) lowest = row;
      if (codes[row] > codes[highest]) highest = row;
    }
    this.extremes.set(column, [lowest, highest]);
    return [lowest, highest];
  }
}

/** A part of an order within one chunk. */
export interface Part {
  rows: Int32Array;
  /** Whether all of its rows are within the requested bounds. If not, some may be. */
  isWithin: boolean;
}

type Compare = (a: number, b: number) => number;

/** Compares rows by columns, whose codes may change. */
const comparing =
  (columns: readonly OrderColumn[]): Compare =>
  (a, b) => {
    for (const { codes } of columns) if (codes[a] !== codes[b]) return codes[a] - codes[b];
    return 0;
  };

/** Rows in an order. */
export class Order {
  private readonly chunks: Chunk[] = [];
  private readonly compare: Compare;
  length = 0;

  /** @param sorted rows in this order */
  constructor(columns: readonly OrderColumn[], sorted: Int32Array) {
    this.compare = comparing(columns);
    for (let from = 0; from < sorted.length; from += CHUNK) this.chunks.push(new Chunk(sorted.slice(from, from + CHUNK)));
    this.length = sorted.length;
  }

  get bytes(): number {
    return 4 * this.length + 400 * this.chunks.length;
  }

  *rows(): Generator<Int32Array> {
    for (const { rows } of this.chunks) yield rows;
  }

  add(row: number): void {
    const { chunk: index, offset } = this.firstNotBelow((other) => this.compare(other, row));
    this.length += 1;
    // After all others: at the end of the last chunk.
    const at = index === this.chunks.length && index > 0 ? index - 1 : index;
    const chunk = this.chunks[at];
    if (!chunk) {
      this.chunks.push(new Chunk(Int32Array.of(row)));
      return;
    }
    chunk.insert(row, at === index ? offset : chunk.rows.length);
    if (chunk.rows.length < 2 * CHUNK) return;
    this.chunks.splice(at, 1, new Chunk(chunk.rows.slice(0, CHUNK)), new Chunk(chunk.rows.slice(CHUNK)));
  }

  /** Call it before the values of the row change. */
  remove(row: number): void {
    const { chunk: index, offset } = this.firstNotBelow((other) => this.compare(other, row));
    const chunk = this.chunks[index];
    if (chunk?.rows[offset] !== row) throw new Error(`Row ${row} is not in its place.`);
    chunk.delete(offset);
    this.length -= 1;
    if (chunk.rows.length === 0) this.chunks.splice(index, 1);
  }

  /**
   * The parts in which rows may be within bounds, in this order, or from the end.
   * @param first bounds of the first column of the order
   */
  *parts(first: Bounds | null, others: readonly Bounds[], isBackwards: boolean): Generator<Part> {
    const from = first ? this.firstNotBelow((row) => first.column.codes[row] - first.from) : { chunk: 0, offset: 0 };
    const to = first ? this.firstNotBelow((row) => first.column.codes[row] - first.to) : { chunk: this.chunks.length, offset: 0 };
    const last = to.offset === 0 ? to.chunk - 1 : to.chunk;
    for (let i = 0; i <= last - from.chunk; i++) {
      const index = isBackwards ? last - i : from.chunk + i;
      const chunk = this.chunks[index];
      const overlap = chunk.overlap(others);
      if (overlap === 'none') continue;
      const start = index === from.chunk ? from.offset : 0;
      const end = index === to.chunk ? to.offset : chunk.rows.length;
      if (start < end) yield { rows: chunk.rows.subarray(start, end), isWithin: overlap === 'all' };
    }
  }

  /** The first position whose row compares as 0 or above. */
  private firstNotBelow(compare: (row: number) => number) {
    const chunk = firstOf(this.chunks.length, (at) => compare(this.chunks[at].rows.at(-1)!) >= 0);
    if (chunk === this.chunks.length) return { chunk, offset: 0 };
    const { rows } = this.chunks[chunk];
    return { chunk, offset: firstOf(rows.length, (at) => compare(rows[at]) >= 0) };
  }
}

/** Up to this number, rows can be sorted as a part of a number that begins with a code. */
const MAX_ROWS = 2 ** 21;

const isSorted = (rows: Int32Array, compare: Compare): boolean => {
  for (let i = 1; i < rows.length; i++) if (compare(rows[i - 1], rows[i]) > 0) return false;
  return true;
};

/** Sorts rows, changing the array. */
export function sortRows(rows: Int32Array, columns: readonly OrderColumn[]): Int32Array {
  const compare = comparing(columns);
  const [first] = columns;
  const { codes } = first;
  if (isSorted(rows, compare)) return rows;
  if (!first.isPacked || rows.some((row) => row >= MAX_ROWS)) return rows.sort(compare);
  // Numbers sort without calling a function. The remaining rows are equal in the first column.
  const keys = Float64Array.from(rows, (row) => codes[row] * MAX_ROWS + row).sort();
  for (let i = 0; i < rows.length; i++) rows[i] = keys[i] - Math.floor(keys[i] / MAX_ROWS) * MAX_ROWS;
  for (let from = 0; from < rows.length;) {
    let to = from + 1;
    while (to < rows.length && codes[rows[to]] === codes[rows[from]]) to += 1;
    const equal = rows.subarray(from, to);
    if (!isSorted(equal, compare)) equal.sort(compare);
    from = to;
  }
  return rows;
}
