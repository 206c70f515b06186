import { IdsColumn, OrderColumn, sortable, ValueColumn, type Column, type Range } from './columns.js';

/** Conditions as in `$match`. */
export type Condition = Readonly<Record<string, unknown>>;

/** A condition that clears the marks of rows that do not meet it. */
interface Filter {
  /** Names it. */
  key: string;
  keep: (marks: Uint8Array) => void;
}

/** What conditions come to: bounds of columns, and filters. */
export interface Selection {
  ranges: Range[];
  filters: Filter[];
}

type Columns = ReadonlyMap<string, Column>;

type Keep = Filter['keep'];

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The values of `$in` and the like; null if one of them is not plain. */
const listed = (value: unknown): unknown[] | null => (Array.isArray(value) && value.every(isPlain) ? value : null);

/** The operators that compare a column of values or of ids with several values, and whether they want one of them. */
const SETS: Record<string, boolean> = { $in: true, $nin: false };

const both = (keeps: (Keep | null)[]): Keep | null => {
  const all = keeps.filter((keep) => keep !== null);
  return all.length < keeps.length ? null : (marks) => all.forEach((keep) => keep(marks));
};

/** What an operator keeps of a column of values or ids; null for operators that such a column does not have. */
function keepBy(column: ValueColumn | IdsColumn, operator: string, operand: unknown): Keep | null {
  if (operator === '$eq') return keepBy(column, '$in', [operand]);
  if (operator === '$ne') return keepBy(column, '$nin', [operand]);
  if (operator === '$all' && column instanceof IdsColumn) return both((listed(operand) ?? [null]).map((id) => keepBy(column, '$eq', id)));
  const values = listed(operand);
  return values && Object.hasOwn(SETS, operator) ? (marks) => column.keep(marks, values, SETS[operator]) : null;
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
  return value !== null && Object.hasOwn(BOUNDS, operator) ? { ...column.everything(), ...BOUNDS[operator](value) } : null;
}

function keepNumbers(column: OrderColumn, operator: string, operand: unknown): Keep | null {
  const numbers = listed(operand)?.map(sortable);
  if (!numbers || numbers.includes(null) || !Object.hasOwn(SETS, operator)) return null;
  const wanted = new Set(numbers);
  return (marks) => {
    for (let row = 0; row < marks.length; row++) if (wanted.has(column.values[row]) !== SETS[operator]) marks[row] = 0;
  };
}

function keepRange(range: Range): Keep {
  return (marks) => {
    for (let row = 0; row < marks.length; row++) if (!isWithin(row, range)) marks[row] = 0;
  };
}

export const isWithin = (row: number, { column, min, max }: Range): boolean => column.values[row] >= min && column.values[row] <= max;

/** Keeps rows that meet any of some conditions. */
function keepAny(alternatives: readonly Selection[]): Keep {
  return (marks) => {
    const met = new Uint8Array(marks.length);
    for (const { ranges, filters } of alternatives) {
      const own = new Uint8Array(marks.length).fill(1);
      for (const range of ranges) keepRange(range)(own);
      for (const { keep } of filters) keep(own);
      for (let row = 0; row < own.length; row++) met[row] |= own[row];
    }
    for (let row = 0; row < marks.length; row++) marks[row] &= met[row];
  };
}

const operatorsOf = (test: unknown): [operator: string, operand: unknown][] =>
  test !== null && typeof test === 'object' && !Array.isArray(test) ? Object.entries(test) : [['$eq', test]];

/** What a condition on a column comes to. */
function onColumn(path: string, test: unknown, columns: Columns): Selection | null {
  const column = columns.get(path);
  const selection: Selection = { ranges: [], filters: [] };
  for (const [operator, operand] of operatorsOf(test)) {
    const range = column instanceof OrderColumn ? rangeBy(column, operator, operand) : null;
    if (range) {
      selection.ranges.push(range);
      continue;
    }
    const keep =
      column instanceof OrderColumn ? keepNumbers(column, operator, operand) : column && keepBy(column as ValueColumn, operator, operand);
    if (!keep) return null;
    selection.filters.push({ key: JSON.stringify([path, operator, operand]), keep });
  }
  return selection;
}

function joined(selections: readonly (Selection | null)[]): Selection | null {
  const all = selections.filter((selection) => selection !== null);
  if (all.length < selections.length) return null;
  return { ranges: all.flatMap(({ ranges }) => ranges), filters: all.flatMap(({ filters }) => filters) };
}

/** What conditions come to; null if columns cannot tell. */
export function selectionOf(conditions: Condition, columns: Columns): Selection | null {
  return joined(
    Object.entries(conditions).map(([name, value]) => {
      if (name === '$and') return joined((value as Condition[]).map((each) => selectionOf(each, columns)));
      if (name !== '$or') return onColumn(name, value, columns);
      const alternatives = (value as Condition[]).map((each) => selectionOf(each, columns));
      const known = alternatives.filter((each) => each !== null);
      if (known.length < alternatives.length) return null;
      return { ranges: [], filters: [{ key: JSON.stringify({ $or: value }), keep: keepAny(known) }] };
    }),
  );
}
