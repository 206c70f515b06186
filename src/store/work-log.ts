import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';

/** Work in several steps that has begun: a note that is still there at a start belongs to work that a crash cut short. */
export interface Underway {
  _id: string;
  /** Going back to the snapshot of this name. */
  restore?: string;
  /** Storing these files, below the uploads folder, and the attachment that names them. */
  files?: string[];
  /** Content that is staged under this name (`staging.ts`). */
  staging?: string;
  /** Name of the snapshot that it will be as well. */
  snapshot?: string;
  /** All of it is staged. What remains is the last step. */
  settled?: LastStep;
}

export interface WriteOptions {
  writeConcern?: { w: 1; journal: false };
}

/** How staged content gets in place: the content is restored from it, exchanged for it, or it is added. */
export type LastStep = 'restore' | 'swap' | 'add';

/** Notes of work under way. */
export class WorkLog {
  constructor(private readonly notes: Collection<Underway>) {}

  /** Notes that work in several steps begins; `end` removes the note. */
  async begin<Work extends Omit<Underway, '_id'>>(work: Work, options: WriteOptions = {}): Promise<Work & Underway> {
    const note = { _id: randomUUID(), ...work };
    await this.notes.insertOne(note, options);
    return note;
  }

  /** Notes that all is ready for the last step. From here on, recovery after a crash completes the work instead of undoing it. */
  async settle({ _id }: Underway, settled: LastStep): Promise<void> {
    await this.notes.updateOne({ _id }, { $set: { settled } });
  }

  async end({ _id }: Underway): Promise<void> {
    await this.notes.deleteOne({ _id });
  }

  /** Work that was begun and not ended. */
  unfinished(): Promise<Underway[]> {
    return this.notes.find({}).toArray();
  }
}
