/** Work with the same owner and name. */
interface Lock {
  /** Settles when the latest exclusive work has ended, and with it all work before. */
  exclusive: Promise<unknown>;
  /** Shared work since then. */
  readonly shared: Set<Promise<unknown>>;
  /** Amount of work that runs or waits. */
  pending: number;
}

const locks = new WeakMap<object, Map<string, Lock>>();

function run<T>(owner: object, name: string, isShared: boolean, work: () => Promise<T>): Promise<T> {
  const named = locks.get(owner) ?? new Map<string, Lock>();
  locks.set(owner, named);
  const lock = named.get(name) ?? { exclusive: Promise.resolve(), shared: new Set(), pending: 0 };
  named.set(name, lock);
  lock.pending += 1;
  const done = (isShared ? lock.exclusive : Promise.all([lock.exclusive, ...lock.shared])).then(work);
  const settled = done
    .catch(() => {})
    .then(() => {
      lock.shared.delete(settled);
      lock.pending -= 1;
      if (lock.pending === 0) named.delete(name);
    });
  if (isShared) lock.shared.add(settled);
  else {
    lock.exclusive = settled;
    lock.shared.clear();
  }
  return done;
}

/**
 * Runs functions with the same owner and name one after another. Use it where a write depends on a preceding read, so that concurrent
 * requests do not miss each other's writes.
 * @param owner scope of the name
 */
export const withLock = <T>(owner: object, name: string, work: () => Promise<T>): Promise<T> => run(owner, name, false, work);

/** Runs functions with the same owner and name together, but not while one of `withLock` runs. They start in the order of the calls. */
export const withSharedLock = <T>(owner: object, name: string, work: () => Promise<T>): Promise<T> => run(owner, name, true, work);

/** Like `Promise.all`, but waits for all promises before it rejects, so that none is still running when the caller cleans up. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
