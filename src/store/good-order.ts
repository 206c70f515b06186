import type { Collection } from 'mongodb';
import { within } from '../system/deadline.js';

/** The documents written since the content was identical to a snapshot, by collection; null: any document. */
export interface Since {
  snapshot: string;
  written: [collection: string, ids: (number | string)[] | null][];
}

/** The content of a note. */
export interface Closed {
  /** What the content depends on besides the database: the code and its data. */
  by: string;
  /** Absent: unknown. */
  since?: Since;
}

/** The id of the note. */
const CLOSED = 'closed';

/** Timeout for writing the note, in ms: the database may be gone. */
const TIMEOUT = 1_000;

/** The note that a process leaves in its database at a clean shutdown. The next process removes it, and need not check the content. */
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
