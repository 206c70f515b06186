/**
 * Waits for work, but not for ever. Work that is late goes on, unheard.
 * @param ms how long to wait
 * @param late makes the result of work that is late, or throws
 */
export async function within<T>(ms: number, work: Promise<T> | T, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(late);
  return Promise.race([work, expired]).finally(() => clearTimeout(timer));
}
