import { types } from 'node:util';
import type { Document } from 'mongodb';
import { lookup } from '../../../base/values/records.js';
import { matcher } from './match.js';
import { areComparable, compareScalars, project, scalarOf, sorted, Unsupported, valueAt } from './values.js';

const isSame = (a: unknown, b: unknown): boolean => {
  const [left, right] = [scalarOf(a), scalarOf(b)];
  // Missing is not null here, and no date is a number.
  return (
    types.isDate(a) === types.isDate(b) && typeof left === typeof right && areComparable(left, right) && compareScalars(left, right) === 0
  );
};

const isTrue = (value: unknown): boolean => value !== false && value !== null && value !== undefined && value !== 0;

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
  $indexOfCP: ([text, part]) => (typeof text === 'string' ? indexOfCharacters(text, part as string) : null),
});

/** Elements of a list. @param variables as `evaluate` */
function elementsThat({ input, as, cond }: Document, document: Document, variables: Document): unknown {
  const list = evaluate(input, document, variables);
  const isKept = (each: unknown): boolean => isTrue(evaluate(cond, document, { ...variables, [as as string]: each }));
  return Array.isArray(list) ? list.filter(isKept) : null;
}

/**
 * An expression: a path, a constant, an operator with a list of arguments, a list of expressions, or an object of them.
 * @param variables the values of names with `$$`
 */
function evaluate(expression: unknown, document: Document, variables: Document = { ROOT: document }): unknown {
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
  if (name === '$filter') return elementsThat(given as Document, document, variables);
  const operator = EXPRESSIONS[name];
  if (operator && Array.isArray(given)) return operator(all(given));
  if (entries.some(([key]) => key.startsWith('$'))) throw new Unsupported('This expression');
  return Object.fromEntries(entries.map(([key, value]) => [key, evaluate(value, document, variables)]));
}

type Accumulate = (values: unknown[]) => unknown;

const extreme =
  (sign: 1 | -1): Accumulate =>
  (values) => {
    const known = values.filter((value) => value !== null && value !== undefined);
    const [first, ...others] = known;
    return others.reduce((best, value) => (compareScalars(scalarOf(value), scalarOf(best)) * sign > 0 ? value : best), first) ?? null;
  };

const ACCUMULATORS: Readonly<Record<string, Accumulate | undefined>> = lookup({
  $sum: (values) => values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0),
  $push: (values) => values.filter((value) => value !== undefined),
  $max: extreme(1),
  $min: extreme(-1),
});

function group(documents: readonly Document[], { _id: by, ...fields }: Document): Document[] {
  const groups = new Map<string, { id: unknown; members: Document[] }>();
  for (const document of documents) {
    const id = evaluate(by, document) ?? null;
    const key = JSON.stringify(id);
    const known = groups.get(key) ?? { id, members: [] };
    groups.set(key, known);
    known.members.push(document);
  }
  return [...groups.values()].map(({ id, members }) => ({
    _id: id,
    ...Object.fromEntries(
      Object.entries(fields as Record<string, Document>).map(([name, accumulator]) => {
        const [[operator, expression]] = Object.entries(accumulator) as [string, unknown][];
        const accumulate = ACCUMULATORS[operator];
        if (!accumulate) throw new Unsupported(operator);
        return [name, accumulate(members.map((member) => evaluate(expression, member)))];
      }),
    ),
  }));
}

function unwind(documents: readonly Document[], given: unknown): Document[] {
  if (typeof given !== 'string' || given.includes('.')) throw new Unsupported('This $unwind');
  const name = given.slice(1);
  return documents.flatMap((document) => {
    const value: unknown = document[name];
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => ({ ...document, [name]: each }));
  });
}

const isComputed = ([, value]: [string, unknown]): boolean => typeof value === 'object';

/** Fields with the values of expressions. */
function computed(fields: Document): (document: Document) => Document {
  const entries = Object.entries(fields);
  if (entries.some(([name]) => name.includes('.'))) throw new Unsupported('A path to set');
  return (document) => Object.fromEntries(entries.map(([name, value]) => [name, evaluate(value, document)]));
}

function set(documents: readonly Document[], fields: Document): Document[] {
  const values = computed(fields);
  return documents.map((document) => ({ ...document, ...values(document) }));
}

function projectAll(documents: readonly Document[], fields: Document): Document[] {
  const entries = Object.entries(fields);
  if (!entries.some(isComputed)) return documents.map((document) => project(document, fields));
  const values = computed(Object.fromEntries(entries.filter(isComputed)));
  const kept = Object.fromEntries(entries.filter((entry) => !isComputed(entry)));
  // Nothing else would keep all.
  if (!Object.values(kept).includes(1)) throw new Unsupported('This projection');
  return documents.map((document) => ({ ...project(document, kept), ...values(document) }));
}

const STAGES: Readonly<Record<string, ((documents: readonly Document[], given: never) => readonly Document[]) | undefined>> = lookup({
  $match: (documents, filter: Document) => documents.filter(matcher(filter)),
  $sort: (documents, sort: Record<string, 1 | -1>) => sorted(documents, sort),
  $skip: (documents, count: number) => documents.slice(count),
  $limit: (documents, count: number) => documents.slice(0, count),
  $project: projectAll,
  // No document: no result.
  $count: (documents, name: string) => (documents.length === 0 ? [] : [{ [name]: documents.length }]),
  $group: group,
  $set: set,
  $unset: (documents, name: string) => documents.map((document) => project(document, { [name]: 0 })),
  $unwind: unwind,
});

/** Runs a pipeline. @throws Unsupported */
export function aggregate(documents: readonly Document[], pipeline: readonly Document[]): readonly Document[] {
  return pipeline.reduce<readonly Document[]>((found, stage) => {
    const [[name, given]] = Object.entries(stage) as [string, unknown][];
    const run = STAGES[name];
    if (!run) throw new Unsupported(name);
    return run(found, given as never);
  }, documents);
}
