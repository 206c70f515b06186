import type { Collection } from '../store/database.js';
import { ANY_TEXT } from '../store/indexes.js';
import type { Post } from './model.js';

type Scheduled = Pick<Post, 'status' | 'dateGmt'>;

/** Tracks when the next scheduled post is due. Not reliable if other processes write to the database. */
export class NextPublication {
  /** UTC date and time; null: nothing is scheduled; undefined: unknown. */
  private next: string | null | undefined;
  /** Number of writes that may have scheduled a post. */
  private changes = 0;

  constructor(private readonly posts: Collection<Post>) {}

  /** UTC date and time; null: nothing is scheduled; undefined: unknown, call `refresh`. */
  get known(): string | null | undefined {
    return this.next;
  }

  /** Queries the database. */
  async refresh(): Promise<string | null> {
    const since = this.changes;
    const found = await this.posts.findOne({ status: 'future', dateGmt: ANY_TEXT }, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
    const next = found?.dateGmt ?? null;
    // The query may have missed posts that were scheduled in the meantime.
    this.next = since === this.changes ? next : undefined;
    return next;
  }

  /** Called for every write. @param written the posts after the write, or null if unknown */
  recordWrite(written: readonly Scheduled[] | null): void {
    if (written === null) {
      this.changes += 1;
      this.next = undefined;
      return;
    }
    for (const { status, dateGmt } of written) {
      if (status !== 'future') continue;
      this.changes += 1;
      if (this.next === null || (this.next !== undefined && dateGmt < this.next)) this.next = dateGmt;
    }
  }
}
