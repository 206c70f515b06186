import { randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';

interface KeyRow {
  _id: 'key';
  /** In hexadecimal. */
  key: string;
}

const generated = (): string => randomBytes(32).toString('hex');

/**
 * The key of a database, with which its site signs sessions and the like. It is not part of the content: neither snapshots, exports and backups
 * nor the sandboxes and copies that are made of them have it, so that no other site accepts what this one has signed.
 */
export class OwnKey {
  private known: Promise<string> | undefined;

  /** @param rows where it is kept; null: in this process alone, for a database that ends with it */
  constructor(private readonly rows: Collection<KeyRow> | null) {}

  /** The key, generated on first use. Servers that share a database have the same. */
  get(): Promise<string> {
    if (this.known) return this.known;
    const reading = this.rows ? this.findOrCreate(this.rows) : Promise.resolve(generated());
    this.known = reading;
    reading.catch(() => this.forget());
    return reading;
  }

  private async findOrCreate(rows: Collection<KeyRow>): Promise<string> {
    const row = await rows.findOneAndUpdate(
      { _id: 'key' },
      { $setOnInsert: { key: generated() } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!row) throw new Error('The key of the database was neither found nor stored.');
    return row.key;
  }

  /** Ends what was signed with a key that only this process has: the next one is another. */
  forget(): void {
    this.known = undefined;
  }
}
