import type { Collection } from '../store/database.js';
import { ANY_TEXT } from '../store/indexes.js';
import type { Post } from './model.js';

type Scheduled = Pick<Post, 'status' | 'dateGmt'>;

/** When the next scheduled post is due: never later than what is known, as long as only this process writes. */
export class NextPublication {
  /** UTC text; null: nothing is scheduled; undefined: to be looked up. */
  private next: string | null | undefined;
  /** How often something was scheduled, or may have been. */
  private changes = 0;

  constructor(private readonly posts: Collection<Post>) {}

  /** What is known: undefined when the database has to be asked. */
  get known(): string | null | undefined {
    return this.next;
  }

  /** Asks the database. */
  async refresh(): Promise<string | null> {
    const since = this.changes;
    const found = await this.posts.findOne({ status: 'future', dateGmt: ANY_TEXT }, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
    const next = found?.dateGmt ?? null;
    // What was scheduled meanwhile may have been missed.
    this.next = since === this.changes ? next : undefined;
    return next;
  }

  /** Called for every write. @param written the posts as they are afterwards, or null when they may be anything */
  wrote(written: readonly Scheduled[] | null): void {
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
