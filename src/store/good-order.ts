import type { Collection } from 'mongodb';
import { within } from '../system/deadline.js';

/** What was written since the content was identical to a snapshot, by collection; null: any document. */
export interface Since {
  snapshot: string;
  written: [collection: string, ids: (number | string)[] | null][];
}

/** What a note says. */
export interface Closed {
  /** What the content depends on besides the database: the code and its data. */
  by: string;
  /** Absent: unknown. */
  since?: Since;
}

/** The id of the note. */
const CLOSED = 'closed';

/** Up to this many ms for the note when a process ends: the database may be gone. */
const TIMEOUT = 1_000;

/**
 * The note that a process leaves in its database when it ends in good order. The next one removes it, and need not check what the note
 * vouches for.
 */
export class GoodOrder {
  constructor(private readonly notes: Collection<Closed & { _id: string }>) {}

  /** Removes the note. @returns what it says; undefined if there is none */
  async take(): Promise<Closed | undefined> {
    return (await this.notes.findOneAndDelete({ _id: CLOSED })) ?? undefined;
  }

  async leave(note: Closed): Promise<void> {
    const writing = this.notes.replaceOne({ _id: CLOSED }, note, { upsert: true });
    await within<unknown>(TIMEOUT, writing, () => undefined);
  }
}
