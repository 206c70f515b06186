import type { Collection } from 'mongodb';

interface Counter {
  _id: string;
  value: number;
}

export type Sequence = 'posts' | 'terms' | 'users';

/** Ids for new documents. Each is handed out once, even when its document is never stored (MySQL: auto increment). */
export class Sequences {
  constructor(private readonly counters: Collection<Counter>) {}

  async next(sequence: Sequence): Promise<number> {
    return this.take(sequence, 1);
  }

  /** Takes several ids at once. @returns the first of them; the others follow it */
  async take(sequence: Sequence, count: number): Promise<number> {
    const counter = await this.counters.findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.value ?? count) - count + 1;
  }

  /** Makes sure that the sequence hands out nothing below this id. */
  async reserve(sequence: Sequence, next: number): Promise<void> {
    await this.counters.updateOne({ _id: sequence }, { $max: { value: next - 1 } }, { upsert: true });
  }

  /** The highest id that the sequence has handed out. */
  async last(sequence: Sequence): Promise<number> {
    return (await this.counters.findOne({ _id: sequence }))?.value ?? 0;
  }
}
