import type { MirrorContent } from '../mirror.js';
import { deepCopy } from '../../../base/values/records.js';
import { HashColumn, IdsColumn, OrderColumn, ValueColumn, type Column, type Range } from './columns.js';
import { boundsOf, ID, selectionOf, type Condition, type Filter } from './conditions.js';
import { RowsById } from './ids.js';
import { Order, sortRows, type Bounds, type Part } from './order.js';

/**
 * Values of a column: times and numbers to sort by and to compare, values to compare for equality, lists of ids, or hashes of texts, for
 * `mayHold` only.
 */
type ColumnKind = 'order' | 'value' | 'ids' | 'hash';

/** The columns of a table by their paths in a document. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

export const columnsOf = (kind: ColumnKind, paths: readonly string[]): ColumnKinds => Object.fromEntries(paths.map((path) => [path, kind]));

const KINDS = { order: OrderColumn, value: ValueColumn, ids: IdsColumn, hash: HashColumn };

/** A query: conditions as in `$match`, an order as in `$sort` that ends with the id, and a page. */
interface TableQuery {
  conditions: Condition;
  order: Readonly<Record<string, unknown>>;
  offset: number;
  limit: number;
  /** The only ids that may be found. */
  only?: Ids;
}

/** A list of ids. */
export type Ids = readonly number[] | Int32Array;

/** The ids of a page of results, and how many results there are. */
export interface TablePage {
  ids: number[];
  total: number;
}

type Document = { _id: number };

const valueAt = (document: object, path: readonly string[]): unknown => {
  let value: unknown = document;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
};

/** The part of the memory that the lists of conditions may take. */
const LISTS_SHARE = 0.25;

/** Each write has to look at each list. */
const MAX_LISTS = 64;

/** With fewer rows than this fraction of all, the rows are sorted; with more, they are picked out of all rows in order. */
const FEW = 1 / 16;

const NONE = -1;

/** Growth factor of full columns: unused space takes memory, too. */
const GROWTH = 1.125;

/** The rows that meet conditions, in an order. */
interface List {
  filters: readonly Filter[];
  rows: Order;
}

/** Columns of many documents, to find those that meet conditions and to count them without the database. */
export class Rows implements MirrorContent<Document> {
  readonly columns: ReadonlyMap<string, Column>;
  private readonly paths: readonly (readonly [path: readonly string[], column: Column])[];
  private readonly rowOf = new RowsById();
  private readonly ids = new OrderColumn();
  private readonly free: number[] = [];
  private capacity = 0;
  /** Lists that were requested lately, the latest at the end. */
  private readonly lists = new Map<string, List>();
  private bytes = 0;
  private replaced = 0;
  /** Whether there was a value that its column cannot hold. */
  private isUnfit = false;

  /** @param limit memory, in bytes */
  constructor(
    kinds: ColumnKinds,
    private readonly limit: number,
  ) {
    this.columns = new Map<string, Column>([
      ...Object.entries(kinds).map(([path, kind]) => [path, new KINDS[kind]()] as const),
      [ID, this.ids],
    ]);
    this.paths = [...this.columns].map(([path, column]) => [path.split('.'), column]);
  }

  copy(): Rows {
    return deepCopy(this, new Map([[this.lists, new Map()]]));
  }

  get isTooLarge(): boolean {
    return this.isUnfit || this.bytes > (1 - LISTS_SHARE) * this.limit;
  }

  get size(): number {
    return this.rowOf.size;
  }

  /** How much memory it leaves to others, in bytes. */
  get unused(): number {
    return Math.max(0, (1 - LISTS_SHARE) * this.limit - this.bytes);
  }

  /** The estimated memory for a number of documents like these, in bytes; 0 if unknown. */
  bytesFor(documents: number): number {
    const { size } = this.rowOf;
    return this.isUnfit || size === 0 ? 0 : ((this.bytes / size) * documents) / (1 - LISTS_SHARE);
  }

  get needsCompaction(): boolean {
    return this.replaced > 10_000 + this.rowOf.size;
  }

  remove(id: number): void {
    const row = this.rowOf.get(id);
    if (row === undefined) return;
    for (const { filters, rows } of this.lists.values()) if (meets(row, filters)) rows.remove(row);
    this.rowOf.delete(id);
    this.free.push(row);
    this.replaced += 1;
  }

  add(document: Document): void {
    this.remove(document._id);
    const row = this.free.pop() ?? this.rowOf.size;
    if (row >= this.capacity) this.grow();
    this.rowOf.set(document._id, row);
    for (const [path, column] of this.paths) if (!column.set(row, valueAt(document, path))) this.isUnfit = true;
    for (const { filters, rows } of this.lists.values()) if (meets(row, filters)) rows.add(row);
  }

  private grow(): void {
    this.capacity = Math.max(64, Math.ceil(GROWTH * this.capacity));
    for (const column of this.columns.values()) column.grow(this.capacity);
    this.bytes = [...this.columns.values(), this.rowOf].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** False: no document has the text. @param path of hashes */
  mayHold(path: string, text: string): boolean {
    const column = this.columns.get(path);
    return !(column instanceof HashColumn) || column.mayHold(text);
  }

  /** Null if the columns cannot evaluate a condition or the order. */
  find({ conditions, order, offset, limit, only }: TableQuery): TablePage | null {
    const selection = selectionOf(conditions, this.columns);
    const columns = this.columnsOf(order);
    if (!selection || !columns) return null;
    const bounds = intersected(selection.ranges);
    const isBackwards = Object.values(order)[0] === -1;
    const page: TablePage = { ids: [], total: 0 };
    /** Adds rows that are next in order. */
    const add = ({ rows, isWithin }: Part, within: readonly Bounds[] = [], marks: Uint8Array | null = null): void => {
      if (isWithin && !marks && (page.total + rows.length <= offset || page.ids.length === limit)) {
        page.total += rows.length;
        return;
      }
      for (let i = 0; i < rows.length; i++) {
        const row = rows[isBackwards ? rows.length - 1 - i : i];
        if (marks?.[row] === 0 || !(isWithin || areWithin(row, within))) continue;
        if (page.total >= offset && page.ids.length < limit) page.ids.push(this.ids.at(row));
        page.total += 1;
      }
    };
    const listed = selection.filters.find(({ ids }) => ids);
    const named = only ?? listed?.ids;
    if (named && named.length < FEW * this.rowOf.size) {
      const others = only ? selection.filters : selection.filters.filter((filter) => filter !== listed);
      add({ rows: sortRows(this.rowsAmong(named, others, bounds), columns), isWithin: true });
      return page;
    }
    const [first] = columns;
    const marks = only ? this.marksOf(only) : null;
    const others = bounds.filter(({ column }) => column !== first);
    const list = this.listOf(Object.keys(order).join(), columns, selection.filters);
    const ofFirst = bounds.find(({ column }) => column === first) ?? null;
    for (const part of list.parts(ofFirst, others, isBackwards)) add(part, others, marks);
    return page;
  }

  /** The columns of an order; null if one of them is missing, or the directions differ. */
  private columnsOf(order: TableQuery['order']): OrderColumn[] | null {
    const [direction, ...others] = Object.values(order);
    const columns = Object.keys(order).map((path) => this.columns.get(path));
    return others.every((other) => other === direction) && columns.every((column) => column instanceof OrderColumn) ? columns : null;
  }

  /** The rows of ids that meet conditions. */
  private rowsAmong(ids: Ids, filters: readonly Filter[], bounds: readonly Bounds[]): Int32Array {
    const rows = Int32Array.from(new Set<number>(ids), (id) => this.rowOf.get(id) ?? NONE).filter(
      (row) => row !== NONE && areWithin(row, bounds),
    );
    const marks = new Uint8Array(rows.length).fill(1);
    for (const { keep } of filters) keep({ marks, rows });
    return rows.filter((_, i) => marks[i] === 1);
  }

  private marksOf(ids: Ids): Uint8Array {
    const marks = new Uint8Array(this.capacity);
    for (const id of ids) {
      const row = this.rowOf.get(id);
      if (row !== undefined) marks[row] = 1;
    }
    return marks;
  }

  /** The rows that meet conditions, in an order. The latest ones are kept, and follow writes. */
  private listOf(order: string, columns: readonly OrderColumn[], filters: readonly Filter[]): Order {
    const key = [order, ...filters.map((filter) => filter.key)].join('\n');
    const known = this.lists.get(key);
    const list = known ?? { filters, rows: new Order(columns, this.listed(order, columns, filters)) };
    this.lists.delete(key);
    this.lists.set(key, list);
    if (!known) this.dropLists();
    return list.rows;
  }

  private listed(order: string, columns: readonly OrderColumn[], filters: readonly Filter[]): Int32Array {
    const all = Int32Array.from(this.rowOf.values());
    if (filters.length === 0) return sortRows(all, columns);
    const marks = new Uint8Array(this.capacity);
    for (const row of all) marks[row] = 1;
    for (const { keep } of filters) keep({ marks, rows: null });
    const found = all.filter((row) => marks[row] === 1);
    if (found.length < FEW * all.length) return sortRows(found, columns);
    let count = 0;
    for (const rows of this.listOf(order, columns, []).rows()) for (const row of rows) if (marks[row] === 1) found[count++] = row;
    return found;
  }

  private dropLists(): void {
    let bytes = [...this.lists.values()].reduce((sum, { rows }) => sum + rows.bytes, 0);
    for (const [key, { rows }] of this.lists) {
      if (this.lists.size <= 1 || (bytes <= LISTS_SHARE * this.limit && this.lists.size <= MAX_LISTS)) return;
      this.lists.delete(key);
      bytes -= rows.bytes;
    }
  }
}

/** The bounds of each column, combined with AND. */
function intersected(ranges: readonly Range[]): Bounds[] {
  const byColumn = new Map<OrderColumn, Range>();
  for (const range of ranges) {
    const known = byColumn.get(range.column) ?? range;
    byColumn.set(range.column, { ...range, min: Math.max(range.min, known.min), max: Math.min(range.max, known.max) });
  }
  return [...byColumn.values()].map(boundsOf);
}

function areWithin(row: number, bounds: readonly Bounds[]): boolean {
  for (let i = 0; i < bounds.length; i++) {
    const { column, from, to } = bounds[i];
    if (!(column.codes[row] >= from && column.codes[row] < to)) return false;
  }
  return true;
}

function meets(row: number, filters: readonly Filter[]): boolean {
  const marks = Uint8Array.of(1);
  const rows = Int32Array.of(row);
  for (const { keep } of filters) keep({ marks, rows });
  return marks[0] === 1;
}
