/** Stands for a value that a document does not have: below all that it may have. */
const MISSING = -2;
const EMPTY_TEXT = -1;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

/** A number that sorts like a value does: integers that are not negative, and times as text (`YYYY-MM-DD HH:MM:SS`). Null for others. */
export function sortable(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (value === '') return EMPTY_TEXT;
  const digits = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  return digits && Number(digits.slice(1).join(''));
}

/** Bounds of a column, inclusive. What a document does not have is within no bounds. */
export interface Range {
  column: OrderColumn;
  min: number;
  max: number;
}

/** A column of which each row has one value out of a set of rows that grows. */
export interface Column {
  /** Makes room for so many rows. */
  grow: (rows: number) => void;
  /** @returns false for a value that this column cannot hold */
  set: (row: number, value: unknown) => boolean;
  readonly bytes: number;
}

/** Numbers or times, to sort by and to compare. */
export class OrderColumn implements Column {
  values = new Float64Array(0);

  grow(rows: number): void {
    const values = new Float64Array(rows);
    values.set(this.values);
    this.values = values;
  }

  set(row: number, value: unknown): boolean {
    const number = value === undefined ? MISSING : sortable(value);
    this.values[row] = number ?? MISSING;
    return number !== null;
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  everything(): Range {
    return { column: this, min: EMPTY_TEXT, max: Infinity };
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
    const codes = this.codeOf.size > MAX_BYTE ? new Int32Array(rows) : new Uint8Array(rows);
    codes.set(this.codes);
    this.codes = codes;
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

  /** Clears the marks of rows whose value is not one of some, or with `isWanted` false of those whose value is. */
  keep(marks: Uint8Array, values: readonly unknown[], isWanted: boolean): void {
    const wanted = new Uint8Array(this.codeOf.size);
    for (const value of values) {
      const code = this.codeOf.get(value);
      if (code !== undefined) wanted[code] = 1;
    }
    const unwanted = isWanted ? 0 : 1;
    for (let row = 0; row < marks.length; row++) if (wanted[this.codes[row]] === unwanted) marks[row] = 0;
  }
}

/** Lists of ids. */
export class IdsColumn implements Column {
  /** Where the list of a row begins in `pool`: its length, then its ids. What a row had before stays there unused. */
  private starts = new Int32Array(0);
  private pool = new Int32Array(16);
  private used = 1;

  grow(rows: number): void {
    const starts = new Int32Array(rows);
    starts.set(this.starts);
    this.starts = starts;
  }

  set(row: number, value: unknown): boolean {
    const ids = value === undefined ? [] : value;
    if (!Array.isArray(ids) || !ids.every((id) => Number.isInteger(id) && Math.abs(id as number) < 2 ** 31)) return false;
    if (ids.length === 0) {
      // The empty list at the beginning of the pool.
      this.starts[row] = 0;
      return true;
    }
    if (this.used + ids.length + 1 > this.pool.length) {
      const pool = new Int32Array(2 * (this.used + ids.length + 1));
      pool.set(this.pool);
      this.pool = pool;
    }
    this.starts[row] = this.used;
    this.pool[this.used] = ids.length;
    this.pool.set(ids as number[], this.used + 1);
    this.used += ids.length + 1;
    return true;
  }

  get bytes(): number {
    return this.starts.byteLength + this.pool.byteLength;
  }

  /** Clears the marks of rows whose list holds none of some ids, or with `isWanted` false of those whose list holds any. */
  keep(marks: Uint8Array, ids: readonly unknown[], isWanted: boolean): void {
    const wanted = new Set(ids);
    const [only] = ids;
    const { starts, pool } = this;
    for (let row = 0; row < marks.length; row++) {
      if (marks[row] === 0) continue;
      const start = starts[row];
      const end = start + pool[start];
      let isFound = false;
      for (let i = start + 1; i <= end && !isFound; i++) isFound = wanted.size === 1 ? pool[i] === only : wanted.has(pool[i]);
      if (isFound !== isWanted) marks[row] = 0;
    }
  }
}
