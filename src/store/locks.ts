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

/** Lets work of one kind run concurrently, and work of the other kind alone. Work must not contain further work of the same lock. */
export class SharedLock {
  private readonly running = new Set<Promise<unknown>>();
  private alone: Promise<unknown> = Promise.resolve();
  private isAlone = 0;

  /** Runs work concurrently with other such work. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    while (this.isAlone > 0) await this.alone;
    const running = work();
    this.running.add(running);
    return running.finally(() => this.running.delete(running));
  }

  /** Runs work alone: it waits for other work, and later work waits for it. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.isAlone += 1;
    const done = this.alone
      .then(() => Promise.allSettled(this.running))
      .then(work)
      .finally(() => {
        this.isAlone -= 1;
      });
    this.alone = done.catch(() => {});
    return done;
  }
}
