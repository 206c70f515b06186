import type { Collection, Document } from 'mongodb';
import { lookup } from '../../base/values/records.js';
import { retryCursor, retryRead, type Cursor } from './reads.js';
import type { Id, Step, StepResult } from './writes.js';

type ReadMethod = 'find' | 'findOne' | 'countDocuments' | 'estimatedDocumentCount' | 'aggregate' | 'distinct' | 'collectionName';
type WriteMethod = 'insertOne' | 'updateOne' | 'updateMany' | 'replaceOne' | 'deleteOne' | 'deleteMany';

/** A collection whose changes reach all caches, here and in other servers. */
export type Documents<T extends Document> = Pick<Collection<T>, ReadMethod | WriteMethod>;

/** Methods that return a cursor, and those that read at once. */
const CURSORS: ReadonlySet<string> = new Set(['find', 'aggregate'] satisfies ReadMethod[]);
const READS: ReadonlySet<string> = new Set(['findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct'] satisfies ReadMethod[]);

/** Sends steps; the first failure ends it. */
type Send = (steps: readonly Step[]) => Promise<StepResult[]>;

const updateOne = (collection: string, update: Document, change: Document, options?: { upsert?: boolean }): Step => ({
  collection,
  update,
  change,
  ...options,
});

/** The driver's methods as steps, by name. */
const STEPS: Record<string, ((collection: string, ...args: never[]) => Step) | undefined> = lookup({
  insertOne: (collection, insert: Document & { _id: Id }) => ({ collection, insert }),
  updateOne,
  updateMany: (collection, filter: Document, change: Document) => ({ ...updateOne(collection, filter, change), isMany: true }),
  replaceOne: updateOne,
  deleteOne: (collection, filter: Document) => ({ collection, delete: filter, isOne: true }),
  deleteMany: (collection, filter: Document) => ({ collection, delete: filter }),
});

/** The results of the driver's methods, as far as they are used. */
const resultOf = ([{ n, upserted }]: readonly StepResult[]): object => ({
  acknowledged: true,
  matchedCount: upserted ? 0 : n,
  deletedCount: n,
});

/** A collection whose changes are sent as steps, and whose reads are retried. */
export function documentsIn<T extends Document>(collection: Collection<T>, send: Send): Documents<T> {
  const name = collection.collectionName;
  return new Proxy(collection, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function' || typeof key !== 'string') return member;
      const method = (member as (...args: unknown[]) => unknown).bind(target);
      if (CURSORS.has(key)) return (...args: unknown[]) => retryCursor(method(...args) as Cursor);
      if (READS.has(key)) return (...args: unknown[]) => retryRead(() => method(...args) as Promise<unknown>);
      const step = STEPS[key];
      return step ? async (...args: unknown[]) => resultOf(await send([step(name, ...(args as never[]))])) : method;
    },
  });
}
