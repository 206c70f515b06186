import type { Collection, Document } from 'mongodb';
import { within } from '../deadline.js';

/** The id of the note. */
const CLOSED = 'closed';

/** Up to this many ms for the note when a process ends: the database may be gone. */
const TIMEOUT = 1_000;

/**
 * The note that a process leaves in its database when it ends in good order. The next one removes it, and need not check what the note
 * vouches for.
 */
export class GoodOrder {
  constructor(private readonly notes: Collection<Document & { _id: string }>) {}

  /** Removes the note. @returns what it says; undefined if there is none */
  async take(): Promise<unknown> {
    return (await this.notes.findOneAndDelete({ _id: CLOSED }))?.by;
  }

  /** @param by what the content depends on besides the database: the code and its data */
  async leave(by: string): Promise<void> {
    const writing = this.notes.replaceOne({ _id: CLOSED }, { by }, { upsert: true });
    await within<unknown>(TIMEOUT, writing, () => undefined);
  }
}
