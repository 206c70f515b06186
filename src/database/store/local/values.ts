import { types } from 'node:util';
import type { Document } from 'mongodb';
import { lookup } from '../../../base/values/records.js';

/** Something that only the engine can do. */
export class Unsupported extends Error {
  constructor(what: string) {
    super(`${what} is only known to the engine.`);
  }
}

/** A value as MongoDB compares it. Dates are their times. */
type Scalar = string | number | boolean | null | undefined;

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A value that conditions and orders compare. @throws Unsupported for objects and the types that content does not use */
export function scalarOf(value: unknown): Scalar {
  if (typeof value !== 'object' || value === null) return value as Scalar;
  if (types.isDate(value)) return value.getTime();
  throw new Unsupported('This type of value');
}

/** The values at a path, as conditions see them: an array itself, and its elements. Undefined: there is none. */
export function valuesAt(from: unknown, path: readonly string[], at = 0): unknown[] {
  if (at === path.length) return Array.isArray(from) ? [from, ...(from as unknown[])] : [from];
  if (Array.isArray(from)) {
    const index = /^\d+$/.test(path[at]) ? valuesAt((from as unknown[])[Number(path[at])], path, at + 1) : [];
    return [...index, ...from.filter(isPlain).flatMap((each) => valuesAt(each, path, at))];
  }
  return isPlain(from) ? valuesAt(from[path[at]], path, at + 1) : [undefined];
}

/** The value at a path without arrays on the way. @throws Unsupported if there is one */
export function valueAt(from: Document, path: string): unknown {
  let value: unknown = from;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) throw new Unsupported('A path through an array');
    value = isPlain(value) ? value[name] : undefined;
  }
  return value;
}

/** MongoDB's order of types. */
const RANKS: Readonly<Record<string, number>> = { undefined: 0, number: 1, string: 2, boolean: 3 };
const rankOf = (value: Scalar): number => (value === null ? 0 : RANKS[typeof value]);

const SURROGATE = /[\uD800-\uDFFF]/;

/** The order of the bytes of texts, which is that of their code units without surrogates. */
function compareTexts(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** MongoDB's order: missing values, numbers, strings by their bytes. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  const byType = rankOf(a) - rankOf(b);
  if (byType !== 0 || rankOf(a) === 0) return byType;
  if (typeof a === 'string') return compareTexts(a, b as string);
  return Number(a) - Number(b);
}

/** Whether two values are of types that a range of one may contain. */
export const areComparable = (a: Scalar, b: Scalar): boolean => rankOf(a) === rankOf(b);

type Sort = Readonly<Record<string, 1 | -1>>;

/** Documents in an order, or others by the fields of a document. @throws Unsupported if these are lists or objects */
export function sorted<T>(items: readonly T[], sort: Sort, fieldsOf = (item: T): Document => item as Document): T[] {
  const columns = Object.entries(sort);
  const keyed = items.map((item) => {
    const fields = fieldsOf(item);
    return { item, keys: columns.map(([path]) => scalarOf(valueAt(fields, path))) };
  });
  for (const [, direction] of columns) if (Math.abs(direction) !== 1) throw new Unsupported('This order');
  keyed.sort((a, b) => {
    for (const [i, [, direction]] of columns.entries()) {
      const order = compareScalars(a.keys[i], b.keys[i]) * direction;
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

/** Paths of a projection as a tree. */
type Tree = Map<string, Tree | null>;

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map();
  for (const path of paths) {
    const names = path.split('.');
    let at = tree;
    for (const name of names.slice(0, -1)) {
      const below = at.get(name) ?? new Map<string, Tree | null>();
      at.set(name, below);
      at = below;
    }
    at.set(names[names.length - 1], null);
  }
  return tree;
}

function picked(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.filter(isPlain).map((each) => picked(each, tree));
  const result: Document = {};
  for (const [name, below] of Object.entries(value as Document)) {
    const inside = tree.get(name);
    if (inside === undefined) continue;
    if (inside === null) result[name] = below as unknown;
    else if (isPlain(below) || Array.isArray(below)) result[name] = picked(below, inside);
  }
  return result;
}

/** Makes documents with some of their fields, which share the values. @throws Unsupported for computed fields, and paths to leave out */
export function projector(projection: Document): (document: Document) => Document {
  const { _id: id, ...fields } = projection as Record<string, unknown>;
  const names = Object.keys(fields);
  if (Object.values(fields).every((value) => value === 0)) {
    if (names.length === 0 && id === 1) return (document) => ({ _id: document['_id'] as unknown });
    const left = id === 0 ? ['_id', ...names] : names;
    if (left.some((name) => name.includes('.'))) throw new Unsupported('This projection');
    const without = (document: Document): Document => Object.fromEntries(Object.entries(document).filter(([name]) => !left.includes(name)));
    return (document) => (left.some((name) => Object.hasOwn(document, name)) ? without(document) : document);
  }
  if (!Object.values(fields).every((value) => value === 1)) throw new Unsupported('This projection');
  const tree = treeOf(id === 0 ? names : ['_id', ...names]);
  return (document) => picked(document, tree) as Document;
}

const isSame = (a: unknown, b: unknown): boolean => {
  const [left, right] = [scalarOf(a), scalarOf(b)];
  // Missing is not null here, and no date is a number.
  return (
    types.isDate(a) === types.isDate(b) && typeof left === typeof right && areComparable(left, right) && compareScalars(left, right) === 0
  );
};

/** Whether an expression's value counts as true. */
export const isTrue = (value: unknown): boolean => value !== false && value !== null && value !== undefined && value !== 0;

/** The index of a part of a text, in characters. */
function indexOfCharacters(text: string, part: string): number {
  const index = text.indexOf(part);
  return index > 0 ? Array.from(text.slice(0, index)).length : index;
}

/** Operators of expressions. @param given their arguments, which have been evaluated */
const EXPRESSIONS: Readonly<Record<string, ((given: unknown[]) => unknown) | undefined>> = lookup({
  $ifNull: ([value, otherwise]) => value ?? otherwise,
  $cond: ([condition, then, otherwise]) => (isTrue(condition) ? then : otherwise),
  $and: (given) => given.every(isTrue),
  $not: ([value]) => !isTrue(value),
  $or: (given) => given.some(isTrue),
  $eq: ([a, b]) => isSame(a, b),
  $gte: ([a, b]) => compareScalars(scalarOf(a), scalarOf(b)) >= 0,
  $in: ([value, list]) => (list as unknown[]).some((each) => isSame(value, each)),
  $indexOfArray: ([list, value]) => (list as unknown[]).findIndex((each) => isSame(value, each)),
  $arrayElemAt: ([list, at]) => (Array.isArray(list) ? (list as unknown[]).at(at as number) : null),
  $anyElementTrue: ([list]) => (list as unknown[]).some(isTrue),
  // MongoDB: letters of ASCII only.
  $toLower: ([text]) => (typeof text === 'string' ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : ''),
  $indexOfCP: ([text, part]) => (typeof text === 'string' ? indexOfCharacters(text, part as string) : null),
});

/** The operators that evaluate an expression for each element of a list. */
const EACH: Readonly<Record<string, ((list: readonly unknown[], of: (element: unknown) => unknown) => unknown) | undefined>> = lookup({
  $filter: (list, of) => list.filter((each) => isTrue(of(each))),
  $map: (list, of) => list.map((each) => of(each) ?? null),
});

/**
 * An expression: a path, a constant, an operator with a list of arguments, a list of expressions, or an object of them.
 * @param variables the values of names with `$$`
 */
export function evaluate(expression: unknown, document: Document, variables: Document = { ROOT: document }): unknown {
  if (typeof expression === 'string' && expression.startsWith('$$')) {
    const [name, ...path] = expression.slice(2).split('.');
    if (!(name in variables)) throw new Unsupported(expression);
    return path.length === 0 ? variables[name] : valueAt(variables[name] as Document, path.join('.'));
  }
  if (typeof expression === 'string' && expression.startsWith('$')) return valueAt(document, expression.slice(1));
  if (typeof expression !== 'object' || expression === null) return expression;
  const all = (list: unknown[]): unknown[] => list.map((each) => evaluate(each, document, variables));
  if (Array.isArray(expression)) return all(expression).map((each) => each ?? null);
  const entries = Object.entries(expression as Document);
  const [name, given] = entries.length === 1 ? (entries[0] as [string, unknown]) : ['', null];
  if (name === '$literal') return given;
  const each = EACH[name];
  if (each) {
    const { input, as, cond, in: result = cond } = given as Document;
    const list = evaluate(input, document, variables);
    return Array.isArray(list) ? each(list, (element) => evaluate(result, document, { ...variables, [as as string]: element })) : null;
  }
  const operator = EXPRESSIONS[name];
  if (operator) return operator(all([given].flat()));
  if (entries.some(([key]) => key.startsWith('$'))) throw new Unsupported('This expression');
  return Object.fromEntries(entries.map(([key, value]) => [key, evaluate(value, document, variables)]));
}
