import { asError } from '../values/errors.js';

/**
 * Waits for work with a timeout. Late work continues, and its result is ignored.
 * @param ms how long to wait
 * @param late returns the result on timeout, or throws
 */
export function within<T>(ms: number, work: Promise<T> | T, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(asError(error));
      }
    }, ms);
    const stop = (): void => clearTimeout(timer);
    Promise.resolve(work).then(resolve, reject).then(stop, stop);
  });
}
