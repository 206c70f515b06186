const lines = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs works of one name one after another, those of other names meanwhile: what looks first and then writes would otherwise miss what
 * another is about to write.
 * @param owner what the works are about; each has its own names
 */
export function inTurn<T>(owner: object, name: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(owner) ?? new Map<string, Promise<unknown>>();
  lines.set(owner, line);
  const done = (line.get(name) ?? Promise.resolve()).then(work);
  const settled = done
    .catch(() => {})
    .then(() => {
      if (line.get(name) === settled) line.delete(name);
    });
  line.set(name, settled);
  return done;
}

/** Waits for all works, also when one of them fails: the others would go on while somebody cleans up after the failure. */
export async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}
