import { MongoServerError, type Collection, type Document } from 'mongodb';
import { isDuplicate } from './errors.js';
import { retryCursor, retryRead, type Cursor } from './reads.js';
import { insertsOf, type Id, type Step, type StepResult } from './writes.js';

type Reads = 'find' | 'findOne' | 'countDocuments' | 'estimatedDocumentCount' | 'aggregate' | 'distinct' | 'collectionName';
type Changes = 'insertOne' | 'insertMany' | 'updateOne' | 'updateMany' | 'replaceOne' | 'deleteOne' | 'deleteMany' | 'bulkWrite';

/** A collection whose changes reach all caches, here and in other servers. */
export type Documents<T extends Document> = Pick<Collection<T>, Reads | Changes>;

/** Methods that return a cursor, and those that read at once. */
const CURSORS: ReadonlySet<string> = new Set(['find', 'aggregate'] satisfies Reads[]);
const READS: ReadonlySet<string> = new Set(['findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct'] satisfies Reads[]);

/** Sends steps; the first failure ends it. */
type Send = (steps: readonly Step[]) => Promise<StepResult[]>;

type Options = { upsert?: boolean } | undefined;

/** The steps of the driver's methods, by name. */
const STEPS: Record<string, ((collection: string, ...args: never[]) => Step[]) | undefined> = {
  insertOne: (collection, insert: Document & { _id: Id }) => [{ collection, insert }],
  updateOne: (collection, update: Document, change: Document, options: Options) => [{ collection, update, change, ...options }],
  updateMany: (collection, update: Document, change: Document, options: Options) => [
    { collection, update, change, ...options, isMany: true },
  ],
  replaceOne: (collection, update: Document, change: Document, options: Options) => [{ collection, update, change, ...options }],
  deleteOne: (collection, filter: Document) => [{ collection, delete: filter, isOne: true }],
  deleteMany: (collection, filter: Document) => [{ collection, delete: filter }],
  bulkWrite: (collection, operations: Record<string, Record<string, never>>[]) =>
    operations.flatMap((operation) =>
      Object.entries(operation).flatMap(([method, { document, filter, update, replacement, ...options }]) =>
        stepsOf(method, collection, method === 'insertOne' ? [document] : [filter, update ?? replacement, options]),
      ),
    ),
};

function stepsOf(method: string, collection: string, args: unknown[]): Step[] {
  const make = STEPS[method];
  if (!make) throw new TypeError(`Other servers cannot follow a write by ${method}.`);
  return make(collection, ...(args as never[]));
}

const sumOf = (results: readonly StepResult[]): number => results.reduce((sum, { n }) => sum + n, 0);

/** The results of the driver's methods, as far as they are used. */
function resultOf(steps: readonly Step[], results: readonly StepResult[]): object {
  const of = (kind: string) => results.filter((_, i) => i < steps.length && kind in steps[i]);
  const updates = of('update');
  const upserted = updates.filter((result) => result.upserted);
  return {
    acknowledged: true,
    matchedCount: sumOf(updates) - upserted.length,
    deletedCount: sumOf(of('delete')),
  };
}

/**
 * Inserts documents, skipping those that conflict. @throws MongoServerError with a `writeErrors` entry for each document whose unique
 * values are taken
 */
async function insertMany(collection: string, documents: readonly (Document & { _id: Id })[], send: Send): Promise<object> {
  const writeErrors: { index: number; code: number; errmsg: string }[] = [];
  let first = 0;
  for (const part of insertsOf(collection, documents)) {
    for (let from = 0; from < part.length;) {
      try {
        await send(part.slice(from));
        from = part.length;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const { idx, code, message } = error as MongoServerError & { idx: number; code: number };
        writeErrors.push({ index: first + from + idx, code, errmsg: message });
        from += idx + 1;
      }
    }
    first += part.length;
  }
  if (writeErrors.length > 0) throw new MongoServerError({ code: writeErrors[0].code, message: writeErrors[0].errmsg, writeErrors });
  return { acknowledged: true };
}

/** A collection whose changes are sent as steps, and whose reads are retried. */
export function documentsIn<T extends Document>(collection: Collection<T>, send: Send): Documents<T> {
  const name = collection.collectionName;
  return new Proxy(collection, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function' || typeof key !== 'string') return member;
      if (key === 'insertMany') return (documents: readonly (Document & { _id: Id })[]) => insertMany(name, documents, send);
      const method = (member as (...args: unknown[]) => unknown).bind(target);
      if (CURSORS.has(key)) return (...args: unknown[]) => retryCursor(method(...args) as Cursor);
      if (READS.has(key)) return (...args: unknown[]) => retryRead(() => method(...args) as Promise<unknown>);
      if (!(key in STEPS)) return method;
      return async (...args: unknown[]) => {
        const steps = stepsOf(key, name, args);
        return resultOf(steps, await send(steps));
      };
    },
  });
}
