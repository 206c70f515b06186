import { isDuplicate } from './errors.js';

/** The driver's methods that change a collection. */
const WRITES: ReadonlySet<PropertyKey> = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'rename',
  'drop',
]);

type Id = number | string;

const isId = (value: unknown): value is Id => typeof value === 'number' || typeof value === 'string';

/** The ids that a filter is restricted to, or null if it may match any document. */
function idsOfFilter(filter: unknown): Id[] | null {
  const id = (filter as { _id?: unknown } | undefined)?._id;
  if (isId(id)) return [id];
  const listed = id !== null && typeof id === 'object' ? (id as { $in?: unknown }).$in : undefined;
  return Array.isArray(listed) && listed.every(isId) ? listed : null;
}

/** The ids that the operations of a bulk write are restricted to, or null if they may match any document. */
function idsOfOperations(operations: unknown): Id[] | null {
  if (!Array.isArray(operations)) return null;
  const all = operations.map((operation: Record<string, { filter?: unknown; document?: unknown }>) => {
    const [[name, { filter, document }]] = Object.entries(operation);
    return idsOfFilter(name === 'insertOne' ? document : filter);
  });
  return all.every((ids) => ids !== null) ? all.flat() : null;
}

/** The ids of the documents that a call writes, or null if the arguments do not tell. */
function idsOfWrite(method: PropertyKey, [first]: unknown[]): Id[] | null {
  if (method === 'rename' || method === 'drop') return null;
  if (method === 'bulkWrite') return idsOfOperations(first);
  if (method === 'insertMany') return idsOfOperations((first as object[]).map((document) => ({ insertOne: { document } })));
  return idsOfFilter(first);
}

/** The documents after the write, or null if the arguments do not contain them. */
function documentsOfWrite(method: PropertyKey, [first, second]: unknown[]): object[] | null {
  if (method === 'insertOne') return [first as object];
  if (method === 'insertMany') return first as object[];
  if (method === 'replaceOne' || method === 'findOneAndReplace') return [second as object];
  return method === 'deleteOne' || method === 'findOneAndDelete' ? [] : null;
}

/** A write to a collection. */
export interface Write {
  /** The ids of the documents, or null for any document. */
  ids: readonly Id[] | null;
  /** The documents after the write, or null if unknown. */
  documents: readonly object[] | null;
  /** False before the write is sent, true after the database has responded. */
  isDone: boolean;
  /** Whether it failed, so that it is unknown what was written. */
  hasFailed?: boolean;
}

/** Wraps a collection and reports its writes: before each is sent and after the response, even if it failed. */
export function observeWrites<T extends object>(collection: T, onWrite: (write: Write) => void): T {
  return new Proxy(collection, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const method = member as (...args: unknown[]) => unknown;
      if (!WRITES.has(key)) return method.bind(target);
      return async (...args: unknown[]) => {
        const write = { ids: idsOfWrite(key, args), documents: documentsOfWrite(key, args) };
        onWrite({ ...write, isDone: false });
        let hasFailed = true;
        try {
          const result = await method.apply(target, args);
          hasFailed = false;
          return result;
        } catch (error) {
          hasFailed = !isDuplicate(error);
          throw error;
        } finally {
          onWrite({ ...write, isDone: true, hasFailed });
        }
      };
    },
  });
}
