import type { Stage } from './post-query.js';
import { membersOf } from '../../base/values/records.js';

const columnOf = (document: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => membersOf(value)?.[name], document);

/** Characters whose order by UTF-16 differs from their order by bytes. */
const HIGH = /[\ud800-\uffff]/;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (HIGH.test(a) && HIGH.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Compares values as MongoDB does: missing values first, strings by their bytes. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return Number(a !== undefined) - Number(b !== undefined);
}

export function inOrder<T extends object>(documents: readonly T[], order: Stage): T[] {
  const columns = Object.entries(order) as [string, number][];
  return documents.toSorted((a, b) => {
    for (const [path, direction] of columns) {
      const difference = compareValues(columnOf(a, path), columnOf(b, path)) * direction;
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
