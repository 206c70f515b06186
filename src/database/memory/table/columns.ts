import { MISSING, pack, sortable, unpack } from './sortable.js';

/** Bounds of a column, inclusive, as `sortable` has them. Missing values are outside of all bounds. */
export interface Range {
  column: OrderColumn;
  min: number;
  max: number;
}

/** Marks of rows: 1 as long as a row meets all conditions so far. */
export interface Marks {
  readonly marks: Uint8Array;
  /** The row of each mark. Null: all rows, from the first. */
  readonly rows: Int32Array | null;
}

/** A column with one value for each row. */
export interface Column {
  /** Makes room for so many rows. */
  grow: (rows: number) => void;
  /** @returns false for a value that this column cannot hold */
  set: (row: number, value: unknown) => boolean;
  readonly bytes: number;
  /**
   * Clears the marks of rows whose value is not in a list of values, or with `isWanted` false of those whose value is. If values are lists
   * themselves: of rows whose list contains no value, or any. Absent: conditions cannot be evaluated on this column.
   */
  keep?: (marks: Marks, values: readonly unknown[], isWanted: boolean) => void;
}

/** A copy with room for more numbers. */
export function grown<Numbers extends Uint8Array | Int32Array | Float64Array>(numbers: Numbers, length: number): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(length);
  copy.set(numbers);
  return copy;
}

/** The first position that passes a test which all later ones pass, too (binary search). */
export function firstOf(length: number, passes: (position: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Numbers or times, to sort by and to compare. Rows compare as their codes do. */
export class OrderColumn implements Column {
  /** Packed into four bytes, until a value does not fit: then as returned by `sortable`. */
  codes: Int32Array | Float64Array = new Int32Array(0);

  grow(rows: number): void {
    this.codes = grown(this.codes, rows);
  }

  set(row: number, value: unknown): boolean {
    const number = value === undefined ? MISSING : sortable(value);
    const code = this.codeOf(number ?? MISSING);
    if (code === null) this.codes = Float64Array.from(this.codes, unpack);
    this.codes[row] = code ?? number!;
    return number !== null;
  }

  get bytes(): number {
    return this.codes.byteLength;
  }

  get isPacked(): boolean {
    return this.codes instanceof Int32Array;
  }

  /** The value of a row, which is a number. */
  at(row: number): number {
    const code = this.codes[row];
    return this.isPacked ? unpack(code) : code;
  }

  /** The first code that is at or above a value. No other value lies between two codes that follow each other. */
  firstCodeFrom(value: number): number {
    if (!this.isPacked || !Number.isFinite(value)) return value;
    const [code, before] = [pack(value), pack(value - 1)];
    if (code !== null) return code;
    return before === null ? firstOf(2 ** 32, (at) => unpack(at - 2 ** 31) >= value) - 2 ** 31 : before + 1;
  }

  keep({ marks, rows }: Marks, values: readonly unknown[], isWanted: boolean): void {
    // No row has another value.
    const numbers = values.map(sortable).filter((number) => number !== null);
    const wanted = new Set(numbers.map((number) => this.codeOf(number)));
    const { codes } = this;
    for (let i = 0; i < marks.length; i++) if (wanted.has(codes[rows ? rows[i] : i]) !== isWanted) marks[i] = 0;
  }

  private codeOf(value: number): number | null {
    return this.isPacked ? pack(value) : value;
  }
}

const MAX_BYTE = 255;

/** Values that are compared for equality only: few of them, or numbers. */
export class ValueColumn implements Column {
  /** One byte for each row, as long as there are few values. */
  private codes: Uint8Array | Int32Array = new Uint8Array(0);
  /** The code of what is missing is 0. */
  private readonly codeOf = new Map<unknown, number>([[undefined, 0]]);

  grow(rows: number): void {
    this.codes = grown(this.codes, rows);
  }

  set(row: number, value: unknown): boolean {
    if (value !== null && typeof value === 'object') return false;
    const code = this.codeOf.get(value) ?? this.codeOf.size;
    this.codeOf.set(value, code);
    if (code > MAX_BYTE && this.codes instanceof Uint8Array) this.codes = Int32Array.from(this.codes);
    this.codes[row] = code;
    return true;
  }

  get bytes(): number {
    return this.codes.byteLength + this.codeOf.size * 50;
  }

  keep({ marks, rows }: Marks, values: readonly unknown[], isWanted: boolean): void {
    const wanted = new Uint8Array(this.codeOf.size);
    for (const value of values) {
      const code = this.codeOf.get(value);
      if (code !== undefined) wanted[code] = 1;
    }
    const unwanted = isWanted ? 0 : 1;
    const { codes } = this;
    for (let i = 0; i < marks.length; i++) if (wanted[codes[rows ? rows[i] : i]] === unwanted) marks[i] = 0;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93);
  return hash;
}

/** Hashes of texts: they say which texts no row has. */
export class HashColumn implements Column {
  private hashes = new Int32Array(0);

  grow(rows: number): void {
    this.hashes = grown(this.hashes, rows);
  }

  set(row: number, value: unknown): boolean {
    this.hashes[row] = typeof value === 'string' ? hashOf(value) : 0;
    return true;
  }

  get bytes(): number {
    return this.hashes.byteLength;
  }

  /** False: no row has the text. */
  mayHold(text: string): boolean {
    return this.hashes.includes(hashOf(text));
  }
}

/** Whether a list is a single id that takes the place of the list. */
const isInline = (ids: readonly number[]): boolean => ids.length === 1 && ids[0] > 0;

/** Lists of ids. */
export class IdsColumn implements Column {
  private rows = 0;
  /** By row: 0 for an empty list, the id of a list of one, or its negative position in `pool`. Empty as long as all lists are. */
  private lists = new Int32Array(0);
  /** Lists: the length, then the ids. Previous lists of a row stay, unused. */
  private pool = new Int32Array(16);
  private used = 1;

  grow(rows: number): void {
    this.rows = rows;
    if (this.lists.length > 0) this.lists = grown(this.lists, rows);
  }

  set(row: number, value: unknown): boolean {
    const ids = value === undefined ? [] : value;
    if (!isIds(ids)) return false;
    if (ids.length > 0 && this.lists.length === 0) this.lists = new Int32Array(this.rows);
    if (ids.length === 0) this.lists[row] = 0;
    else this.lists[row] = isInline(ids) ? ids[0] : -this.pooled(ids);
    return true;
  }

  get bytes(): number {
    return this.lists.byteLength + this.pool.byteLength;
  }

  keep({ marks, rows }: Marks, ids: readonly unknown[], isWanted: boolean): void {
    const wanted = new Set(ids);
    const only = ids.length === 1 ? ids[0] : null;
    const { lists } = this;
    if (lists.length === 0) {
      if (isWanted) marks.fill(0);
      return;
    }
    for (let i = 0; i < marks.length; i++) {
      if (marks[i] === 0) continue;
      const list = lists[rows ? rows[i] : i];
      const isFound = list > 0 ? (only === null ? wanted.has(list) : list === only) : list < 0 && this.holdsAny(-list, wanted);
      if (isFound !== isWanted) marks[i] = 0;
    }
  }

  private holdsAny(start: number, wanted: ReadonlySet<unknown>): boolean {
    const { pool } = this;
    for (let i = start + 1; i <= start + pool[start]; i++) if (wanted.has(pool[i])) return true;
    return false;
  }

  /** The new position of the list. */
  private pooled(ids: readonly number[]): number {
    const start = this.used;
    this.used += ids.length + 1;
    if (this.used > this.pool.length) this.pool = grown(this.pool, Math.ceil(1.5 * this.used));
    this.pool[start] = ids.length;
    this.pool.set(ids, start + 1);
    return start;
  }
}

const isIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((id) => Number.isInteger(id) && Math.abs(id as number) < 2 ** 31);
