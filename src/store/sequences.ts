import type { Collection } from 'mongodb';

interface Counter {
  _id: string;
  value: number;
}

export type Sequence = 'posts' | 'terms' | 'users';

/** Generates ids for new documents. No id is used twice, even if its document is never stored (MySQL: AUTO_INCREMENT). */
export class Sequences {
  constructor(private readonly counters: Collection<Counter>) {}

  async next(sequence: Sequence): Promise<number> {
    return this.take(sequence, 1);
  }

  /** Reserves consecutive ids. @returns the first one */
  async take(sequence: Sequence, count: number): Promise<number> {
    const counter = await this.counters.findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.value ?? count) - count + 1;
  }

  /** Makes sure that the sequence continues at this id or later. */
  async reserve(sequence: Sequence, next: number): Promise<void> {
    await this.counters.updateOne({ _id: sequence }, { $max: { value: next - 1 } }, { upsert: true });
  }

  /** The highest id so far. */
  async last(sequence: Sequence): Promise<number> {
    return (await this.counters.findOne({ _id: sequence }))?.value ?? 0;
  }
}
