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

/**
 * A collection that tells when it is written to: before a write is sent and after it is answered, so that whoever looks at
 * the collection in between hears of it once more.
 */
export function tellingOfWrites<T extends object>(collection: T, onWrite: () => void): T {
  return new Proxy(collection, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const method = member as (...args: unknown[]) => unknown;
      if (!WRITES.has(key)) return method.bind(target);
      return async (...args: unknown[]) => {
        onWrite();
        try {
          return await method.apply(target, args);
        } finally {
          onWrite();
        }
      };
    },
  });
}
