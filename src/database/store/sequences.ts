import type { Collection, Document } from 'mongodb';
import type { Step } from './writes.js';

/** The collection of the sequences. */
export const COUNTERS = 'counters';

export interface Counter {
  _id: string;
  value: number;
}

export type Sequence = 'posts' | 'terms' | 'users' | 'comments';

/** An id for a document that is about to be stored. */
interface DrawnId {
  id: number;
  /** A step to write together with the document, so that the id is not used again. */
  steps: Step[];
}

/** Generates ids for new documents. No id is used twice, even if its document is never stored (MySQL: AUTO_INCREMENT). */
export class Sequences {
  /** The last ids, as long as no other process generates any. They may be ahead of the database. */
  private readonly lasts = new Map<Sequence, Promise<{ id: number }>>();

  /**
   * @param shared whether other processes generate ids, too
   * @param onWrite called before counters are written
   */
  constructor(
    private readonly counters: Collection<Counter>,
    private readonly shared: boolean,
    private readonly onWrite: (ids: readonly Sequence[]) => void,
  ) {}

  /** Like `next`, but leaves it to the caller to record the id. */
  async draw(sequence: Sequence): Promise<DrawnId> {
    if (this.shared) return { id: await this.next(sequence), steps: [] };
    const last = await this.lastOf(sequence);
    last.id += 1;
    const change = { $max: { value: last.id } };
    return { id: last.id, steps: [{ collection: COUNTERS, update: sequence, change, upsert: true }] };
  }

  /** Reserves consecutive ids. @returns the first one */
  async next(sequence: Sequence, count = 1): Promise<number> {
    if (!this.shared) {
      const last = await this.lastOf(sequence);
      const first = last.id + 1;
      last.id += count;
      await this.raise(sequence, last.id);
      return first;
    }
    this.onWrite([sequence]);
    const counter = await this.counters.findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.value ?? count) - count + 1;
  }

  /** Makes sure that the sequence continues at this id or later. */
  async reserve(sequence: Sequence, next: number): Promise<void> {
    await this.raise(sequence, next - 1);
    const last = await this.lasts.get(sequence);
    if (last) last.id = Math.max(last.id, next - 1);
  }

  /** The highest id so far. */
  async last(sequence: Sequence): Promise<number> {
    return this.shared ? this.stored(sequence) : (await this.lastOf(sequence)).id;
  }

  /** Called when the counters may have changed in another way. */
  forget(): void {
    this.lasts.clear();
  }

  /** Called when the counters were restored. @param counters those that had changed, as they are now; null: unknown */
  restored(counters: readonly Document[] | null): void {
    this.forget();
    if (this.shared) return;
    for (const { _id, value } of counters ?? []) this.lasts.set(_id as Sequence, Promise.resolve({ id: value as number }));
  }

  private lastOf(sequence: Sequence): Promise<{ id: number }> {
    const known = this.lasts.get(sequence);
    if (known) return known;
    const reading = this.stored(sequence).then((id) => ({ id }));
    this.lasts.set(sequence, reading);
    reading.catch(() => this.forget());
    return reading;
  }

  private async stored(sequence: Sequence): Promise<number> {
    return (await this.counters.findOne({ _id: sequence }))?.value ?? 0;
  }

  private async raise(sequence: Sequence, last: number): Promise<void> {
    this.onWrite([sequence]);
    await this.counters.updateOne({ _id: sequence }, { $max: { value: last } }, { upsert: true });
  }
}
