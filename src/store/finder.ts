import type { Db, Document } from 'mongodb';
import { retryRead } from './reads.js';

/** A call that waits for its documents. */
interface Wish<T> {
  ids: readonly number[];
  resolve: (found: T[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Finds documents of a collection by id. Calls that come while a find is under way are sent after it as one command, since most of what a
 * command costs is independent of how much it finds. For a database that no other process writes to: a command that is sent as such does
 * not take over the read preference of the connection, and is not repeated when the network fails.
 */
export class Finder<T extends Document & { _id: number }> {
  private waiting: Wish<T>[] = [];
  private isUnderWay = false;

  /** @param projection of the documents */
  constructor(
    private readonly db: Db,
    private readonly collection: string,
    private readonly projection: Document,
  ) {}

  /** The documents that exist, in the order of their ids in the call. Callers do not modify them. */
  find(ids: readonly number[]): Promise<T[]> {
    const found = new Promise<T[]>((resolve, reject) => this.waiting.push({ ids, resolve, reject }));
    if (!this.isUnderWay) void this.work();
    return found;
  }

  private async work(): Promise<void> {
    this.isUnderWay = true;
    while (this.waiting.length > 0) {
      const wishes = this.waiting;
      this.waiting = [];
      try {
        const found = await this.findAll(wishes.length === 1 ? wishes[0].ids : [...new Set(wishes.flatMap(({ ids }) => ids))]);
        for (const { ids, resolve } of wishes) resolve(ids.flatMap((id) => found.get(id) ?? []));
      } catch (error) {
        for (const { reject } of wishes) reject(error);
      }
    }
    this.isUnderWay = false;
  }

  private async findAll(ids: readonly number[]): Promise<Map<number, T>> {
    const found = new Map<number, T>();
    for (let missing = ids; missing.length > 0;) {
      const batch = await this.findBatch(missing);
      for (const document of batch) found.set(document._id, document);
      // A reply holds 16 MB at most, and one document at least.
      missing = batch.length === 0 ? [] : missing.filter((id) => !found.has(id));
    }
    return found;
  }

  private async findBatch(ids: readonly number[]): Promise<T[]> {
    const { collection: find, projection } = this;
    const command = { find, filter: { _id: { $in: ids } }, projection, batchSize: ids.length, singleBatch: true };
    const reply = await retryRead(() => this.db.command(command));
    return (reply as { cursor: { firstBatch: T[] } }).cursor.firstBatch;
  }
}
