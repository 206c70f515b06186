const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs functions with the same owner and name one after another. Use it where a write depends on a preceding read, so that concurrent
 * requests do not miss each other's writes.
 * @param owner scope of the name
 */
export function withLock<T>(owner: object, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>();
  queues.set(owner, queue);
  const done = (queue.get(name) ?? Promise.resolve()).then(work);
  const settled = done
    .catch(() => {})
    .then(() => {
      if (queue.get(name) === settled) queue.delete(name);
    });
  queue.set(name, settled);
  return done;
}

/** Like `Promise.all`, but waits for all promises before it rejects, so that none is still running when the caller cleans up. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
