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
  /** The query that is under way, and `changes` when it began. */
  private query: { since: number; answer: Promise<string | null> } | null = null;

  constructor(private readonly posts: Collection<Post>) {}

  /** UTC date and time; null: nothing is scheduled; undefined: unknown, call `refresh`. */
  get known(): string | null | undefined {
    return this.next;
  }

  /** Queries the database, or waits for a query that knows of the same writes. */
  refresh(): Promise<string | null> {
    if (this.query?.since === this.changes) return this.query.answer;
    const query = { since: this.changes, answer: this.ask(this.changes) };
    this.query = query;
    const end = (): void => {
      if (this.query === query) this.query = null;
    };
    query.answer.then(end, end);
    return query.answer;
  }

  private async ask(since: number): Promise<string | null> {
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
