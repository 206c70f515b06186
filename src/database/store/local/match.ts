import { types } from 'node:util';
import type { Document } from 'mongodb';
import { lookup } from '../../../base/values/records.js';
import { evaluate, isTrue, areComparable, compareScalars, scalarOf, Unsupported, valuesAt } from './values.js';

const { isDate, isRegExp } = types;

type Test = (values: unknown[]) => boolean;
type Matches = (document: Document) => boolean;

let collator: Intl.Collator | undefined;

/** Compares strings; those that differ in case only are equal: `ANY_CASE`. Made on first use, since every start would wait for it. */
const anyCase = (): Intl.Collator => (collator ??= new Intl.Collator('en', { sensitivity: 'accent' }));

/** @param ignoresCase whether the collation is `ANY_CASE` */
function equals(wanted: unknown, ignoresCase: boolean): Test {
  if (isRegExp(wanted)) return matching(wanted);
  const scalar = scalarOf(wanted);
  if (scalar === null || scalar === undefined) return (values) => values.some((value) => value === null || value === undefined);
  if (ignoresCase && typeof scalar === 'string')
    return (values) => values.some((value) => typeof value === 'string' && anyCase().compare(value, scalar) === 0);
  if (isDate(wanted)) return (values) => values.some((value) => isDate(value) && value.getTime() === scalar);
  return (values) => values.includes(scalar);
}

/** Differences between the engine's patterns and those of JavaScript: groups with options, and classes of characters. */
const FOREIGN = /(?<!\\)(?:\\\\)*\\[pPhHRQEXK]|\(\?(?![:=!<])|\[\[:/;

function matching({ source, flags }: RegExp): Test {
  if (FOREIGN.test(source) || /[^is]/.test(flags)) throw new Unsupported('This pattern');
  const own = compiled(source, flags.includes('i') ? `${flags}u` : flags);
  return (values) => values.some((value) => typeof value === 'string' && own.test(value));
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new Unsupported('This pattern');
  }
}

const patternOf = (wanted: string | RegExp, options: unknown): RegExp =>
  isRegExp(wanted) ? wanted : compiled(wanted, typeof options === 'string' ? options : '');

/** The point of a sphere at a longitude and a latitude in degrees. */
function onSphere([lng, lat]: readonly number[]): readonly number[] {
  const [x, y] = [lng, lat].map((degrees) => (degrees * Math.PI) / 180);
  return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
}

/** Whether a point is in a circle on a sphere. @param radius in radians */
function withinCircle({ $centerSphere: circle }: { $centerSphere?: [readonly number[], number] }): Test {
  if (!circle) throw new Unsupported('This area');
  const center = onSphere(circle[0]);
  // The square of the distance through the sphere.
  const most = 4 * Math.sin(Math.min(circle[1], Math.PI) / 2) ** 2;
  return (values) =>
    values.some((value) => {
      const { type, coordinates } = (value ?? {}) as { type?: string; coordinates?: number[] };
      return type === 'Point' && coordinates && onSphere(coordinates).reduce((sum, x, i) => sum + (x - center[i]) ** 2, 0) <= most;
    });
}

function compares(wanted: unknown, isWanted: (order: number) => boolean): Test {
  const scalar = scalarOf(wanted);
  const type = isDate(wanted);
  return (values) =>
    values.some((value) => {
      if (typeof value === 'object' && !isDate(value)) return false;
      const own = scalarOf(value);
      return isDate(value) === type && areComparable(own, scalar) && isWanted(compareScalars(own, scalar));
    });
}

type Operator = (wanted: never, ignoresCase: boolean, all: Document) => Test;

const not =
  (test: Test): Test =>
  (values) =>
    !test(values);

const anyOf = (wanted: readonly unknown[], ignoresCase: boolean): Test => {
  const ids = new Set(wanted);
  // Many ids: one look-up each.
  if (!ignoresCase && wanted.every((each) => typeof each === 'number' || typeof each === 'string'))
    return (values) => values.some((value) => ids.has(value));
  const tests = wanted.map((each) => equals(each, ignoresCase));
  return (values) => tests.some((test) => test(values));
};

const OPERATORS: Readonly<Record<string, Operator | undefined>> = lookup({
  $eq: equals,
  $ne: (wanted, ignoresCase) => not(equals(wanted, ignoresCase)),
  $in: anyOf,
  $nin: (wanted, ignoresCase) => not(anyOf(wanted, ignoresCase)),
  $gt: (wanted) => compares(wanted, (order) => order > 0),
  $gte: (wanted) => compares(wanted, (order) => order >= 0),
  $lt: (wanted) => compares(wanted, (order) => order < 0),
  $lte: (wanted) => compares(wanted, (order) => order <= 0),
  $exists: (wanted: boolean) => (values) => values.some((value) => value !== undefined) === wanted,
  $all: (wanted: readonly unknown[], ignoresCase) => {
    const tests = wanted.map((each) => equals(each, ignoresCase));
    return (values) => tests.length > 0 && tests.every((test) => test(values));
  },
  $not: (wanted: Document, ignoresCase) => not(testOf(wanted, ignoresCase)),
  $geoWithin: withinCircle,
  $regex: (wanted: string | RegExp, _ignoresCase, all) => matching(patternOf(wanted, all['$options'])),
  $elemMatch: (wanted: Document, ignoresCase) => {
    const matches = matcher(wanted, ignoresCase);
    return (values) =>
      values.some(
        (value) => Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null && matches(each as Document)),
      );
  },
});

/** The test that a condition of a path makes. */
function testOf(condition: unknown, ignoresCase: boolean): Test {
  const isOperators =
    typeof condition === 'object' &&
    condition !== null &&
    Object.keys(condition).length > 0 &&
    Object.keys(condition).every((name) => name.startsWith('$'));
  if (!isOperators) return equals(condition, ignoresCase);
  const all = condition as Document;
  if (ignoresCase && Object.keys(all).some((name) => !['$eq', '$in', '$exists'].includes(name)))
    throw new Unsupported('This condition with a collation');
  const tests = Object.entries(all).flatMap(([name, wanted]) => {
    if (name === '$options') return [];
    const operator = OPERATORS[name];
    if (!operator) throw new Unsupported(name);
    return [operator(wanted as never, ignoresCase, all)];
  });
  return (values) => tests.every((test) => test(values));
}

const LOGIC: Readonly<Record<string, ((parts: Matches[]) => Matches) | undefined>> = lookup({
  $and: (parts) => (document) => parts.every((matches) => matches(document)),
  $or: (parts) => (document) => parts.some((matches) => matches(document)),
  $nor: (parts) => (document) => !parts.some((matches) => matches(document)),
});

/**
 * Compiles conditions into a function that tests a document.
 * @param ignoresCase whether the collation is `ANY_CASE`
 * @throws Unsupported
 */
export function matcher(filter: Document, ignoresCase = false): Matches {
  const parts = Object.entries(filter).map(([key, condition]): Matches => {
    const logic = LOGIC[key];
    if (logic) return logic((condition as Document[]).map((each) => matcher(each, ignoresCase)));
    if (key === '$expr') return (document) => isTrue(evaluate(condition, document));
    if (key.startsWith('$')) throw new Unsupported(key);
    const path = key.split('.');
    const test = testOf(condition, ignoresCase);
    return (document) => test(valuesAt(document, path));
  });
  return (document) => parts.every((matches) => matches(document));
}
