import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import { isRecord, lookup } from '../../../base/values/records.js';
import { matcher } from './match.js';
import { compareScalars, scalarOf, Unsupported } from './values.js';

/** An operator. @param value the current one @returns the next one; undefined: none */
type Operator = (value: unknown, given: unknown) => unknown;

const numberOf = (value: unknown): number => {
  if (typeof value !== 'number') throw new Unsupported('Arithmetic with this type of value');
  return value;
};

const listOf = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new Unsupported('An update of an array that is none');
  return value as unknown[];
};

const hasOperators = (value: unknown): boolean => isRecord(value) && Object.keys(value).some((name) => name.startsWith('$'));

function isPulled(given: unknown): (value: unknown) => boolean {
  if (!isRecord(given)) return (value) => isDeepStrictEqual(value, given);
  const matches = hasOperators(given) ? matcher({ value: given }) : null;
  if (matches) return (value) => matches({ value });
  const fields = matcher(given);
  return (value) => isRecord(value) && fields(value);
}

/** Operators that leave a missing field as it is. */
const REMOVE: ReadonlySet<string> = new Set(['$unset', '$pull']);

const OPERATORS: Readonly<Record<string, Operator | undefined>> = lookup({
  $set: (_value, given) => given,
  $unset: () => undefined,
  $inc: (value, given) => (value === undefined ? 0 : numberOf(value)) + numberOf(given),
  $max: (value, given) => (value === undefined || compareScalars(scalarOf(value), scalarOf(given)) < 0 ? given : value),
  $push: (value, given) => {
    if (hasOperators(given)) throw new Unsupported('This $push');
    return [...(value === undefined ? [] : listOf(value)), given];
  },
  $pull: (value, given) => {
    if (value === undefined) return undefined;
    const isGone = isPulled(given);
    return listOf(value).filter((each) => !isGone(each));
  },
});

/** The index of the element of an array that a filter selected: `$` in a path. */
function positionIn(list: unknown[], path: string, filter: Document): number {
  const found = Object.entries(filter).find(([key]) => key.startsWith(`${path}.`));
  if (!found) throw new Unsupported('This position');
  const matches = matcher({ [found[0].slice(path.length + 1)]: found[1] as unknown });
  return list.findIndex((each) => isRecord(each) && matches(each));
}

function changeAt(document: Document, path: string, filter: Document, change: (value: unknown) => unknown, creates: boolean): void {
  const names = path.split('.');
  let at: Record<string | number, unknown> = document;
  for (const [i, name] of names.slice(0, -1).entries()) {
    if (Array.isArray(at) && name !== '$') throw new Unsupported('A path through an array');
    const key = name === '$' ? positionIn(listOf(at), names.slice(0, i).join('.'), filter) : name;
    const below: unknown = at[key];
    if (below === undefined && !creates) return;
    if (below === undefined) at[key] = {};
    else if (typeof below !== 'object' || below === null) throw new Unsupported('A path through a value');
    at = at[key] as typeof at;
  }
  const last = names[names.length - 1];
  if (Array.isArray(at) || last === '$') throw new Unsupported('A path into an array');
  const next = change(at[last]);
  if (next === undefined) delete at[last];
  else at[last] = next;
}

/** Applies an update to a document, which it modifies. @param isNew whether it is inserted @returns it, or what replaces it */
export function applyChange(document: Document, change: Document | Document[], filter: Document, isNew = false): Document {
  if (Array.isArray(change)) throw new Unsupported('A pipeline');
  if (!hasOperators(change)) return { _id: document['_id'] as unknown, ...change };
  for (const [name, fields] of Object.entries(change)) {
    if (name === '$setOnInsert' && !isNew) continue;
    const operator = OPERATORS[name === '$setOnInsert' ? '$set' : name];
    if (!operator) throw new Unsupported(name);
    for (const [path, given] of Object.entries(fields as Document))
      if (given !== undefined) changeAt(document, path, filter, (value) => operator(value, given), !REMOVE.has(name));
  }
  return document;
}
