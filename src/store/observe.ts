/** What the driver calls the ways to change a collection. */
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

/** The ids that a filter is bound to, or null when it may hold for any. */
function idsOfFilter(filter: unknown): Id[] | null {
  const id = (filter as { _id?: unknown } | undefined)?._id;
  if (isId(id)) return [id];
  const listed = id !== null && typeof id === 'object' ? (id as { $in?: unknown }).$in : undefined;
  return Array.isArray(listed) && listed.every(isId) ? listed : null;
}

/** The ids that operations of a bulk write are bound to, or null when they may be any. */
function idsOfOperations(operations: unknown): Id[] | null {
  if (!Array.isArray(operations)) return null;
  const all = operations.map((operation: Record<string, { filter?: unknown; document?: unknown }>) => {
    const [[name, { filter, document }]] = Object.entries(operation);
    return idsOfFilter(name === 'insertOne' ? document : filter);
  });
  return all.every((ids) => ids !== null) ? all.flat() : null;
}

/** The ids of the documents that a write is about, or null when they are not told. */
function idsOfWrite(method: PropertyKey, [first]: unknown[]): Id[] | null {
  if (method === 'rename' || method === 'drop') return null;
  if (method === 'bulkWrite') return idsOfOperations(first);
  if (method === 'insertMany') return idsOfOperations((first as object[]).map((document) => ({ insertOne: { document } })));
  return idsOfFilter(first);
}

/** What a document is once the write is done; null when it is not in the write itself. */
function documentsOfWrite(method: PropertyKey, [first, second]: unknown[]): object[] | null {
  if (method === 'insertOne') return [first as object];
  if (method === 'insertMany') return first as object[];
  if (method === 'replaceOne' || method === 'findOneAndReplace') return [second as object];
  return method === 'deleteOne' || method === 'findOneAndDelete' ? [] : null;
}

/** A write to a collection. */
export interface Write {
  /** The ids of the documents, or null when they may be any. */
  ids: readonly Id[] | null;
  /** The documents as they are afterwards, or null when they may be anything. */
  documents: readonly object[] | null;
  /** False before the write is sent, true once the database has responded. */
  isDone: boolean;
}

/** A collection whose writes are reported: before they are sent and after the response, also when they failed. */
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
        try {
          return await method.apply(target, args);
        } finally {
          onWrite({ ...write, isDone: true });
        }
      };
    },
  });
}
