import { IdsColumn, OrderColumn, type Column, type Marks, type Range } from './columns.js';
import type { Bounds } from './order.js';
import { EMPTY_TEXT, sortable } from './sortable.js';

/** Conditions as in `$match`. */
export type Condition = Readonly<Record<string, unknown>>;

/** A condition that clears the marks of rows that do not meet it. */
export interface Filter {
  /** Names it. */
  key: string;
  keep: (marks: Marks) => void;
  /** The ids that meet it, if it lists them. */
  ids?: readonly number[];
}

/** The result of translating conditions: bounds of columns, and filters. */
interface Selection {
  ranges: Range[];
  filters: Filter[];
}

type Columns = ReadonlyMap<string, Column>;

/** The column of the ids of documents. */
export const ID = '_id';

type Keep = Filter['keep'];

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** All values; null if one of them is. */
const allOrNull = <T>(values: (T | null)[]): T[] | null => (values.includes(null) ? null : (values as T[]));

/** The values of `$in` and the like; null if one of them is not plain. */
const listed = (value: unknown): unknown[] | null => (Array.isArray(value) && value.every(isPlain) ? value : null);

/** The operators that compare a column with several values, and whether they want one of them. */
const SETS: Record<string, boolean> = { $in: true, $nin: false };

/** The filter of an operator; null for unsupported operators. */
function keepBy(column: Column, operator: string, operand: unknown): Keep | null {
  if (operator === '$eq') return keepBy(column, '$in', [operand]);
  if (operator === '$ne') return keepBy(column, '$nin', [operand]);
  if (operator === '$all' && column instanceof IdsColumn) {
    const keeps = allOrNull((listed(operand) ?? [null]).map((id) => keepBy(column, '$eq', id)));
    return keeps && ((marks) => keeps.forEach((keep) => keep(marks)));
  }
  const values = listed(operand);
  return values && column.keep && Object.hasOwn(SETS, operator) ? (marks) => column.keep?.(marks, values, SETS[operator]) : null;
}

/** The bounds that an operator sets. All values are integers. */
const BOUNDS: Record<string, (value: number) => Partial<Range>> = {
  $eq: (value) => ({ min: value, max: value }),
  $gte: (value) => ({ min: value }),
  $gt: (value) => ({ min: value + 1 }),
  $lte: (value) => ({ max: value }),
  $lt: (value) => ({ max: value - 1 }),
};

function rangeBy(column: OrderColumn, operator: string, operand: unknown): Range | null {
  const value = sortable(operand);
  return value !== null && Object.hasOwn(BOUNDS, operator) ? { column, min: EMPTY_TEXT, max: Infinity, ...BOUNDS[operator](value) } : null;
}

/** Bounds as codes. */
export const boundsOf = ({ column, min, max }: Range): Bounds => ({
  column,
  from: column.firstCodeFrom(min),
  to: column.firstCodeFrom(max + 1),
});

function keepRange(range: Range): Keep {
  return ({ marks, rows }) => {
    const { column, from, to } = boundsOf(range);
    const { codes } = column;
    for (let i = 0; i < marks.length; i++) {
      const code = codes[rows ? rows[i] : i];
      if (!(code >= from && code < to)) marks[i] = 0;
    }
  };
}

/** Keeps rows that meet any of some conditions. */
function keepAny(alternatives: readonly Selection[]): Keep {
  return ({ marks, rows }) => {
    const met = new Uint8Array(marks.length);
    for (const { ranges, filters } of alternatives) {
      const own = new Uint8Array(marks.length).fill(1);
      for (const range of ranges) keepRange(range)({ marks: own, rows });
      for (const { keep } of filters) keep({ marks: own, rows });
      for (let i = 0; i < own.length; i++) met[i] |= own[i];
    }
    for (let i = 0; i < marks.length; i++) marks[i] &= met[i];
  };
}

const operatorsOf = (test: unknown): [operator: string, operand: unknown][] =>
  test !== null && typeof test === 'object' && !Array.isArray(test) ? Object.entries(test) : [['$eq', test]];

function onColumn(path: string, test: unknown, columns: Columns): Selection | null {
  const column = columns.get(path);
  const selection: Selection = { ranges: [], filters: [] };
  for (const [operator, operand] of operatorsOf(test)) {
    const range = column instanceof OrderColumn ? rangeBy(column, operator, operand) : null;
    if (range) {
      selection.ranges.push(range);
      continue;
    }
    const keep = column && keepBy(column, operator, operand);
    if (!keep) return null;
    const ids = path === ID && operator === '$in' ? (operand as unknown[]).filter((id) => typeof id === 'number') : null;
    selection.filters.push({ key: JSON.stringify([path, operator, operand]), keep, ...(ids ? { ids } : {}) });
  }
  return selection;
}

function joined(selections: (Selection | null)[]): Selection | null {
  const known = allOrNull(selections);
  return known && { ranges: known.flatMap(({ ranges }) => ranges), filters: known.flatMap(({ filters }) => filters) };
}

/** Translates conditions; null if the columns cannot evaluate them. */
export function selectionOf(conditions: Condition, columns: Columns): Selection | null {
  return joined(
    Object.entries(conditions).map(([name, value]) => {
      if (name === '$and') return joined((value as Condition[]).map((each) => selectionOf(each, columns)));
      if (name !== '$or') return onColumn(name, value, columns);
      const alternatives = allOrNull((value as Condition[]).map((each) => selectionOf(each, columns)));
      return alternatives && { ranges: [], filters: [{ key: JSON.stringify({ $or: value }), keep: keepAny(alternatives) }] };
    }),
  );
}
