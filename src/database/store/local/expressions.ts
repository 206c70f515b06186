import { types } from 'node:util';
import type { Document } from 'mongodb';
import { lookup } from '../../../base/values/records.js';
import { areComparable, compareScalars, scalarOf, Unsupported, valueAt } from './values.js';

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
