import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Step } from './together.js';

/** A log entry of work in several steps. An entry that is found at startup belongs to work that a crash interrupted. */
export interface UnfinishedWork {
  _id: string;
  /** A restore of the snapshot of this name. */
  restore?: string;
  /** Creation of an attachment with these files, relative to the uploads folder. */
  files?: string[];
  /** A load of content that is staged under this name (`staging.ts`). */
  staging?: string;
  /** Name of a snapshot to save the loaded content as. */
  snapshot?: string;
  /** Set once everything is staged: the last step, which remains to be done. */
  settled?: LastStep;
}

/** How staged content replaces the content: by a restore, by swapping the collections, or by adding to it. */
export type LastStep = 'restore' | 'swap' | 'add';

/** A log of unfinished work, for recovery after a crash. */
export class WorkLog {
  constructor(private readonly entries: Collection<UnfinishedWork>) {}

  /** Adds an entry for work that begins now. `end` removes it. */
  async begin<Work extends Omit<UnfinishedWork, '_id'>>(work: Work): Promise<Work & UnfinishedWork> {
    const entry = { _id: randomUUID(), ...work };
    await this.entries.insertOne(entry);
    return entry;
  }

  /**
   * Runs work that writes the begin and the end of its entry itself, together with other writes. If it fails, the entry is removed: a crash
   * after the failure was reported must not repeat the work.
   */
  async during(work: Omit<UnfinishedWork, '_id'>, run: (begin: Step, end: Step) => Promise<void>): Promise<void> {
    const entry = { _id: randomUUID(), ...work };
    const collection = this.entries.collectionName;
    try {
      await run({ collection, insert: entry }, { collection, delete: [entry._id] });
    } catch (error) {
      await this.end(entry).catch(() => undefined);
      throw error;
    }
  }

  /** Records that only the last step remains. From here on, recovery after a crash completes the work instead of undoing it. */
  async settle({ _id }: UnfinishedWork, settled: LastStep): Promise<void> {
    await this.entries.updateOne({ _id }, { $set: { settled } });
  }

  async end({ _id }: UnfinishedWork): Promise<void> {
    await this.entries.deleteOne({ _id });
  }

  /** The entries of work that was begun and not ended. */
  unfinished(): Promise<UnfinishedWork[]> {
    return this.entries.find({}).toArray();
  }
}
