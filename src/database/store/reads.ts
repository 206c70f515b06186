import { setTimeout as sleep } from 'node:timers/promises';
import { isReplaced } from './errors.js';

/** How often a read is tried, and the pause before the next attempt, in ms, which grows with each of them. */
const MAX_READS = 10;
const PAUSE_MS = 5;

/**
 * Reads, and reads again if the collection is replaced meanwhile. Also for a write that can be repeated.
 * @param read can be repeated: it returns nothing before it is complete
 */
export async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === MAX_READS || !isReplaced(error)) throw error;
      await sleep(attempt * PAUSE_MS);
    }
  }
}

/** A cursor of the driver. */
export interface Cursor {
  toArray: () => Promise<unknown[]>;
  rewind: () => void;
}

/** Makes `toArray` of a cursor a read that is retried. Iteration cannot be retried, since its caller has already seen documents. */
export function retryCursor<C extends Cursor>(cursor: C): C {
  const toArray = cursor.toArray.bind(cursor);
  cursor.toArray = () =>
    retryRead(() => {
      cursor.rewind();
      return toArray();
    });
  return cursor;
}

/** Documents that were read with the option `raw`, of which the driver's types know nothing. */
export const asBytes = (documents: readonly unknown[]): Buffer[] => documents as Buffer[];
