import type { Staging } from '../../database/store/staging.js';
import type { Post } from '../../wordpress/model.js';
import type { SourcePlace, SourceProblems } from '../source.js';

/** Size of a batch: number of documents or characters of text. */
export const BATCH = { documents: 1_000, characters: 3_000_000 };
/** Maximum number of concurrent batches. */
const CONCURRENCY = 2;
/** Number of characters of a title in a message. */
const NAMED = 60;

const sizeOf = (post: Post): number => post.content.length + post.excerpt.length + 60 * post.meta.length + 500;

/** A post and its location in the source. */
export interface LocatedPost {
  post: Post;
  at?: SourcePlace | undefined;
}

/** Stages posts in batches. After the first problem, nothing more is written. */
export class PostBatches {
  private batch: LocatedPost[] = [];
  private characters = 0;
  private readonly writing = new Set<Promise<void>>();
  private failure: unknown;

  constructor(
    private readonly staging: Staging,
    private readonly problems: SourceProblems,
  ) {}

  async put(located: LocatedPost): Promise<void> {
    this.batch.push(located);
    this.characters += sizeOf(located.post);
    if (this.batch.length >= BATCH.documents || this.characters >= BATCH.characters) await this.flush();
  }

  /** Writes everything. */
  async complete(): Promise<void> {
    await this.flush();
    await Promise.all(this.writing);
    if (this.failure) throw this.failure;
  }

  /** Waits for pending writes, which would otherwise recreate dropped collections. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.writing);
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    this.characters = 0;
    if (batch.length === 0 || this.problems.count > 0) return;
    while (this.writing.size >= CONCURRENCY) await Promise.race(this.writing);
    const writing = this.write(batch).catch((error: unknown) => {
      this.failure ??= error;
    });
    this.writing.add(writing);
    void writing.finally(() => this.writing.delete(writing));
    if (this.failure) throw this.failure;
  }

  private async write(batch: readonly LocatedPost[]): Promise<void> {
    const posts = batch.map(({ post }) => post);
    for (const { index, isDuplicate, message } of await this.staging.insert('posts', posts)) {
      const { post, at } = batch[index];
      const name = `the ${post.type} "${post.title.slice(0, NAMED)}"`;
      this.problems.add(isDuplicate ? `there is another post with the id ${post._id}` : `${name} ${message}`, at);
    }
  }
}
